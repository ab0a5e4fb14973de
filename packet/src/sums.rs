// SPDX-License-Identifier: MIT OR Apache-2.0
//! The values that a verdict rests on: the value that a field holds, and the value that it should
//! hold.

use wiresum::{Sum, pseudo};

use crate::walk::{Addresses, Algorithm, Field, Pseudo, Zero};

/// Returns the value that the field holds, if the field was captured.
pub(crate) fn found(data: &[u8], field: &Field) -> Option<u32> {
    let bytes = data.get(field.offset..)?;
    Some(match field.algorithm {
        Algorithm::Internet | Algorithm::Cisco | Algorithm::Fletcher => {
            u16::from_be_bytes(*bytes.first_chunk()?).into()
        }
        Algorithm::Crc32c => u32::from_be_bytes(*bytes.first_chunk()?),
    })
}

/// Returns the value that the field should hold, if all bytes that it covers were captured.
pub(crate) fn expected(data: &[u8], field: &Field) -> Option<u32> {
    if field.unverified.is_some() {
        return None;
    }
    let hole = field
        .hole
        .clone()
        .unwrap_or(field.covers.end..field.covers.end);
    let bytes = field.bytes();
    let pieces = [
        data.get(field.covers.start..bytes.start)?,
        &[0; 4][..bytes.len()],
        data.get(bytes.end..hole.start)?,
        data.get(hole.end..field.covers.end)?,
    ];
    if field.algorithm == Algorithm::Crc32c {
        return Some(crc32c_of(&pieces));
    }
    if field.algorithm == Algorithm::Fletcher {
        return Some(fletcher(&pieces, field.offset - field.covers.start).into());
    }
    let pseudo = field
        .pseudo
        .as_ref()
        .map_or(Sum::ZERO, |pseudo| pseudo_sum(pseudo, pseudo.len));
    let sum = wiresum::gather(&pieces) + pseudo;
    Some(stored(field, with_last_byte(sum, data, field)))
}

/// Returns the CRC32c of the pieces as SCTP stores it: the low byte is first on the wire (RFC 9260
/// appendix A).
pub(crate) fn crc32c_of(pieces: &[&[u8]]) -> u32 {
    let append = |crc, piece: &&[u8]| crc32c::crc32c_append(crc, piece);
    pieces.iter().fold(0, append).swap_bytes()
}

/// Returns the checksum of Fletcher at an offset of the pieces, in which it is taken as 0 (RFC 905
/// annex B).
fn fletcher(pieces: &[&[u8]], at: usize) -> u16 {
    const MODULUS: u64 = 255;
    let (mut bytes, mut weighted, mut len) = (0, 0, 0);
    for &byte in pieces.iter().copied().flatten() {
        bytes = (bytes + u64::from(byte)) % MODULUS;
        weighted = (weighted + bytes) % MODULUS;
        len += 1;
    }
    let behind = (len - 1 - at as u64) % MODULUS;
    let first = behind * bytes + MODULUS - weighted;
    let second = weighted + (MODULUS - bytes) * (behind + 1);
    let sent = |value: u64| match value % MODULUS {
        0 => 255,
        value => value as u8,
    };
    u16::from_be_bytes([sent(first), sent(second)])
}

/// Returns the sum by the algorithm of the field, from the sum of RFC 1071: Cisco adds a last byte
/// alone as a signed number.
pub(crate) fn with_last_byte(sum: Sum, data: &[u8], field: &Field) -> Sum {
    if field.algorithm != Algorithm::Cisco || field.covers.len().is_multiple_of(2) {
        return sum;
    }
    let Some(&last) = data.get(field.covers.end - 1) else {
        return sum;
    };
    let signed = match last.cast_signed() {
        number @ 0.. => Sum::from_value(number.cast_unsigned().into()),
        number => Sum::from_value(!u16::from(number.unsigned_abs())),
    };
    sum - Sum::from_value(u16::from(last) << 8) + signed
}

/// Returns the value that the field holds if everything that it covers, except the field itself,
/// has this sum.
pub(crate) fn stored(field: &Field, sum: Sum) -> u32 {
    let checksum = match field.zero {
        Zero::Checksum | Zero::Unused => sum.checksum(),
        Zero::Absent | Zero::Illegal => sum.checksum().udp(),
    };
    checksum.value().into()
}

/// Returns the sum of a pseudo-header, with a length of the caller's choice.
pub(crate) fn pseudo_sum(of: &Pseudo, len: u32) -> Sum {
    match of.addresses {
        Addresses::V4 {
            source,
            destination,
        } => pseudo::ipv4(source.octets(), destination.octets(), of.protocol, len),
        Addresses::V6 {
            source,
            destination,
        } => pseudo::ipv6(source.octets(), destination.octets(), of.protocol, len),
    }
}
