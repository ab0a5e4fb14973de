// SPDX-License-Identifier: MIT OR Apache-2.0
//! Checksums in a device that copies, as a driver for a ring, a TAP device or AF_XDP can compute
//! them if `DeviceCapabilities.checksum` is off for IPv4 and TCP. Such a driver copies every frame.
//! This one sums a frame while it copies, so that it reads no byte twice.
//!
//! The device copies UDP and ICMP as they are and leaves their sums to the stack. It refuses
//! fragments of TCP, since no device can verify a part of a segment; smoltcp reassembles none by
//! default.

use wiresum::Sum;

const IPV4: usize = 20;
const TCP: u8 = 6;
const TCP_HEADER: usize = 20;
const TCP_FIELD: usize = 16;

/// Header length and total length of an IPv4 packet, where both can be.
fn lengths(packet: &[u8]) -> Option<(usize, usize)> {
    let fixed = packet.first_chunk::<IPV4>()?;
    let header = usize::from(fixed[0] & 15) * 4;
    let total = usize::from(u16::from_be_bytes([fixed[2], fixed[3]]));
    (fixed[0] >> 4 == 4 && header >= IPV4 && header <= total && total <= packet.len())
        .then_some((header, total))
}

/// The sum of the pseudo-header of a packet whose lengths are right.
fn pseudo(packet: &[u8], segment_len: usize) -> Sum {
    let address = |at: usize| [packet[at], packet[at + 1], packet[at + 2], packet[at + 3]];
    wiresum::pseudo::ipv4(address(12), address(16), TCP, segment_len as u32)
}

fn is_tcp(packet: &[u8]) -> bool {
    packet[9] == TCP
}

/// More fragments to come, or an offset.
fn is_fragment(packet: &[u8]) -> bool {
    u16::from_be_bytes([packet[6], packet[7]]) & 0x3FFF != 0
}

/// Copies a packet. Returns the sum of its segment, the bytes from `header` to `total`, and of
/// `pseudo`.
#[inline]
fn copy_and_sum(to: &mut [u8], packet: &[u8], header: usize, total: usize, pseudo: Sum) -> Sum {
    let to = &mut to[..packet.len()];
    if header == IPV4
        && let (Some(to), Some(fixed)) =
            (to.first_chunk_mut::<IPV4>(), packet.first_chunk::<IPV4>())
    {
        *to = *fixed; // a length that the compiler knows: no call
    } else {
        to[..header].copy_from_slice(&packet[..header]);
    }
    let sum = wiresum::copy(&mut to[header..total], &packet[header..total]);
    if total < packet.len() {
        to[total..].copy_from_slice(&packet[total..]);
    }
    sum + pseudo
}

/// Copies a packet whose IPv4 and TCP checksum fields are zero, and fills them in, in the copy.
pub fn transmit(to: &mut [u8], packet: &[u8]) {
    let Some((header, total)) = lengths(packet) else {
        to.copy_from_slice(packet);
        return;
    };
    if is_tcp(packet) && total >= header + TCP_HEADER && !is_fragment(packet) {
        let sum = copy_and_sum(to, packet, header, total, pseudo(packet, total - header));
        to[header + TCP_FIELD..header + TCP_FIELD + 2].copy_from_slice(&sum.checksum().to_wire());
    } else {
        to.copy_from_slice(packet);
    }
    to[10..12].copy_from_slice(&wiresum::ipv4::header(&packet[..header]).to_wire());
}

/// Copies a packet, and returns whether its IPv4 and TCP checksums are right. If not, the caller
/// must not use `to`.
#[must_use]
pub fn receive(to: &mut [u8], packet: &[u8]) -> bool {
    let Some((header, total)) = lengths(packet) else {
        return false;
    };
    if !wiresum::ipv4::header_ok(&packet[..header]) {
        return false;
    }
    if !is_tcp(packet) {
        to.copy_from_slice(packet);
        return true;
    }
    !is_fragment(packet)
        && total - header >= TCP_HEADER
        && copy_and_sum(to, packet, header, total, pseudo(packet, total - header)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::damage::{Damage, sums_are_right};

    /// A packet as smoltcp hands it to a device without checksums.
    fn packet(payload: usize, random: &mut fastrand::Rng) -> Vec<u8> {
        let total = IPV4 + TCP_HEADER + payload;
        let mut packet = vec![0; total];
        random.fill(&mut packet);
        packet[0] = 0x45;
        packet[2..4].copy_from_slice(&(total as u16).to_be_bytes());
        packet[6..8].copy_from_slice(&[0x40, 0]);
        packet[9] = TCP;
        packet[10..12].fill(0);
        packet[36..38].fill(0);
        packet
    }

    #[test]
    fn every_length_gets_the_checksums_of_rfc_1071() {
        let mut random = fastrand::Rng::with_seed(1);
        for payload in (0..400).chain([1459, 1460, 8960]) {
            let bare = packet(payload, &mut random);
            assert!(!sums_are_right(&bare));
            let mut sent = vec![0xA5; bare.len()];
            transmit(&mut sent, &bare);
            assert!(sums_are_right(&sent), "{payload}");
            let mut same = sent.clone();
            same[10..12].fill(0);
            same[36..38].fill(0);
            assert_eq!(same, bare);
            let mut received = vec![0x5A; sent.len()];
            assert!(receive(&mut received, &sent));
            assert_eq!(received, sent);
        }
    }

    #[test]
    fn damaged_packets_are_refused_unless_no_sum_can_tell() {
        let mut random = fastrand::Rng::with_seed(2);
        let mut to = vec![0; 2000];
        let (mut refused, mut unseen) = (0, 0);
        for round in 0..20_000 {
            let bare = packet(round % 300, &mut random);
            let mut sent = vec![0; bare.len()];
            transmit(&mut sent, &bare);
            if !Damage::ALL[round % Damage::ALL.len()].apply(&mut sent, 0, &mut random) {
                continue;
            }
            let right = sums_are_right(&sent);
            // A swap in the first words may turn TCP into another protocol, which the device does
            // not sum.
            if sent[9] == TCP && !is_fragment(&sent) {
                assert_eq!(
                    receive(&mut to[..sent.len()], &sent),
                    right,
                    "round {round}"
                );
                if right { unseen += 1 } else { refused += 1 }
            }
        }
        assert!(refused > 10_000 && unseen > 1_000, "{refused} {unseen}");
    }
}
