// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sums, row by row. They are plain additions that keep their carries, so that a reader can
//! follow each of them. They share nothing with the sums that gave the verdict.

use std::net::IpAddr;
use std::ops::Range;

use serde::Serialize;
use wiresum_packet::cause::Evidence;
use wiresum_packet::{Algorithm, Pseudo};

/// The words of one part of the pseudo-header.
#[derive(Serialize)]
pub(super) struct Words {
    pub(super) name: &'static str,
    pub(super) words: Vec<u16>,
    pub(super) meaning: String,
}

/// A row of the bytes that the checksum covers.
#[derive(Serialize)]
pub(super) struct Row {
    /// The offset of the row in the frame, or in the datagram that was put together.
    pub(super) offset: usize,
    /// The bytes. The bytes of the field itself are 0.
    #[serde(serialize_with = "hex")]
    pub(super) bytes: Vec<u8>,
    /// The sum of the words. For a CRC, the value of the register after the row. For Fletcher's
    /// checksum, both sums after the row, the sum of sums in the high byte.
    pub(super) sum: u64,
}

fn hex<S: serde::Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    serializer.serialize_str(&digits)
}

/// The number of bytes in a row.
const ROW: usize = 16;

/// Two bytes as a word. A last byte alone is the first byte of its word.
pub(super) fn word(pair: &[u8]) -> u16 {
    u16::from_be_bytes([pair[0], pair.get(1).copied().unwrap_or(0)])
}

/// A byte as a signed number, a negative one in one's complement: Cisco's word for a last byte
/// alone.
fn signed(byte: u8) -> u16 {
    match byte {
        0..=0x7f => byte.into(),
        _ => !(0x100 - u16::from(byte)),
    }
}

/// The words of the pseudo-header, in the order of RFC 9293 and RFC 8200.
pub(super) fn pseudo_header(pseudo: &Pseudo, protocol: &str) -> Vec<Words> {
    let of_address = |name, address: IpAddr| {
        let words = match address {
            IpAddr::V4(address) => address.octets().chunks(2).map(word).collect(),
            IpAddr::V6(address) => address.segments().to_vec(),
        };
        Words {
            name,
            words,
            meaning: address.to_string(),
        }
    };
    let (source, destination) = (pseudo.addresses.source(), pseudo.addresses.destination());
    let high = (pseudo.len >> 16) as u16;
    let mut len = vec![pseudo.len as u16];
    if high != 0 || source.is_ipv6() {
        len.insert(0, high);
    }
    vec![
        of_address("source", source),
        of_address("destination", destination),
        Words {
            name: "protocol",
            words: vec![pseudo.protocol.into()],
            meaning: protocol.to_owned(),
        },
        Words {
            name: "length",
            words: len,
            meaning: format!("{} bytes", pseudo.len),
        },
    ]
}

/// The rows of the bytes that the checksum covers. `own` is the range of the field.
pub(super) fn rows(evidence: &Evidence<'_>, own: &Range<usize>) -> Vec<Row> {
    let field = evidence.field;
    let mut rows = Vec::new();
    let mut register = u32::MAX;
    let mut both = (0, 0);
    let end = field.covers.end;
    let hole = field.hole.clone().unwrap_or(end..end);
    for part in [field.covers.start..hole.start, hole.end..end] {
        for start in part.clone().step_by(ROW) {
            let range = start..part.end.min(start + ROW);
            let mut bytes = evidence.data[range.clone()].to_vec();
            for (at, byte) in range.zip(&mut bytes) {
                if own.contains(&at) {
                    *byte = 0;
                }
            }
            let sum = if field.algorithm == Algorithm::Crc32c {
                register = crc32c(register, &bytes);
                register.into()
            } else if field.algorithm == Algorithm::Fletcher {
                both = fletcher(both, &bytes);
                both.1 << 8 | both.0
            } else {
                let words = bytes.chunks(2).map(|pair| match *pair {
                    [last] if field.algorithm == Algorithm::Cisco => signed(last),
                    _ => word(pair),
                });
                words.map(u64::from).sum()
            };
            rows.push(Row {
                offset: start,
                bytes,
                sum,
            });
        }
    }
    rows
}

/// The two sums of Fletcher's checksum after more bytes: the sum of the bytes, and the sum of the
/// first sums after each byte (RFC 905 annex B).
fn fletcher(both: (u64, u64), bytes: &[u8]) -> (u64, u64) {
    bytes.iter().fold(both, |(sum, of_sums), &byte| {
        let sum = (sum + u64::from(byte)) % 255;
        (sum, (of_sums + sum) % 255)
    })
}

/// The register of a CRC32c after more bytes, computed bit by bit (RFC 9260 appendix A).
fn crc32c(mut register: u32, bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    for byte in bytes {
        register ^= u32::from(*byte);
        for _ in 0..8 {
            register = register >> 1 ^ if register & 1 == 1 { POLYNOMIAL } else { 0 };
        }
    }
    register
}
