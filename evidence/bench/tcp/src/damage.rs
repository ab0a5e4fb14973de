// SPDX-License-Identifier: MIT OR Apache-2.0
//! Models of errors in a packet, and which of them a 16-bit one's complement sum can see, by theory
//! and by a judge.
//!
//! The judge is RFC 1071's loop over 16-bit words, written from the RFC. It calls neither a stack
//! nor wiresum.

use clap::ValueEnum;
use serde::Serialize;

/// A model of errors. `theory` says how many of them leave the sum as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Damage {
    /// One bit is inverted.
    Bit,
    /// Two bits at different places are inverted.
    TwoBits,
    /// Up to 15 bits in a row are overwritten with random ones.
    Burst15,
    /// Random bytes overwrite the packet from a random byte on, as an overrun or a wrong buffer
    /// does.
    #[default]
    Random,
    /// Two 16-bit words change places.
    Swap,
}

impl Damage {
    pub const ALL: [Damage; 5] = [
        Damage::Bit,
        Damage::TwoBits,
        Damage::Burst15,
        Damage::Random,
        Damage::Swap,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Damage::Bit => "one bit",
            Damage::TwoBits => "two bits",
            Damage::Burst15 => "a burst of up to 15 bits",
            Damage::Random => "random bytes",
            Damage::Swap => "two 16-bit words swapped",
        }
    }

    /// The part of all errors in `words` random 16-bit words that no 16-bit one's complement sum
    /// sees.
    ///
    /// One bit changes the sum by a power of two, and a burst of less than 16 bits by less than
    /// 2^16 − 1, so a sum always sees both (Plummer, IEN 45). Two bits cancel if they are in the
    /// same of 16 columns and differ: 1/2 · (n − 1)/(16 n − 1). Random bytes leave a given sum once
    /// in 2^16 − 1 (Stone and Partridge, "When the CRC and TCP checksum disagree", 2000). A sum
    /// does not depend on the order of its words.
    pub fn theory(self, words: usize) -> f64 {
        match self {
            Damage::Bit | Damage::Burst15 => 0.0,
            Damage::TwoBits => 0.5 * (words - 1) as f64 / (16 * words - 1) as f64,
            Damage::Random => 1.0 / 65535.0,
            Damage::Swap => 1.0,
        }
    }

    /// Changes `packet` after its first `from` bytes. Returns false if no byte differs afterwards:
    /// the random bits were the packet's own.
    pub fn apply(self, packet: &mut [u8], from: usize, random: &mut fastrand::Rng) -> bool {
        let from = from & !1; // words are counted from the packet's begin
        if packet.len() < from + 4 {
            return false;
        }
        let packet = &mut packet[from..];
        let bits = packet.len() * 8;
        match self {
            Damage::Bit => {
                flip(packet, random.usize(..bits));
                true
            }
            Damage::TwoBits => {
                let first = random.usize(..bits);
                let second = (first + random.usize(1..bits)) % bits;
                flip(packet, first);
                flip(packet, second);
                true
            }
            Damage::Burst15 => {
                let len = random.usize(1..=15);
                let start = random.usize(..=bits - len);
                let mut changed = false;
                for bit in start..start + len {
                    if random.bool() {
                        flip(packet, bit);
                        changed = true;
                    }
                }
                changed
            }
            Damage::Random => {
                // Four bytes at least: a whole random word, wherever it begins.
                let start = random.usize(..packet.len() - 3);
                let mut changed = false;
                for byte in &mut packet[start..] {
                    let was = *byte;
                    *byte = random.u8(..);
                    changed |= *byte != was;
                }
                changed
            }
            Damage::Swap => {
                let words = packet.len() / 2;
                let (first, second) = (random.usize(..words) * 2, random.usize(..words) * 2);
                let different = packet[first..first + 2] != packet[second..second + 2];
                packet.swap(first, second);
                packet.swap(first + 1, second + 1);
                different
            }
        }
    }
}

fn flip(packet: &mut [u8], bit: usize) {
    packet[bit / 8] ^= 0x80 >> (bit % 8);
}

/// RFC 1071 section 4.1, word by word.
fn plain_sum(pieces: &[&[u8]]) -> u16 {
    let mut sum = 0u64;
    for piece in pieces {
        for word in piece.chunks(2) {
            sum += u64::from(word[0]) << 8 | u64::from(word.get(1).copied().unwrap_or(0));
        }
    }
    while sum > 0xFFFF {
        sum = (sum >> 16) + (sum & 0xFFFF);
    }
    sum as u16
}

/// Whether a receiver that looks only at lengths and sums takes these bytes for an IPv4 packet with
/// a TCP segment.
pub fn sums_are_right(packet: &[u8]) -> bool {
    if packet.len() < 40 || packet[0] >> 4 != 4 {
        return false;
    }
    let header = usize::from(packet[0] & 15) * 4;
    let total = usize::from(u16::from_be_bytes([packet[2], packet[3]]));
    if header < 20
        || total < header + 20
        || total > packet.len()
        || plain_sum(&[&packet[..header]]) != 0xFFFF
    {
        return false;
    }
    let segment = &packet[header..total];
    let pseudo = [
        0,
        packet[9],
        (segment.len() >> 8) as u8,
        segment.len() as u8,
    ];
    plain_sum(&[&packet[12..20], &pseudo, segment]) == 0xFFFF
}
