// SPDX-License-Identifier: MIT OR Apache-2.0
//! The numbers behind a verdict: the value that a field holds, and the value that it should hold.

use wiresum::{Sum, pseudo};

use crate::walk::{Addresses, Algorithm, Field, Pseudo, Zero};

/// What the field holds, if it was captured.
pub(crate) fn found(data: &[u8], field: &Field) -> Option<u32> {
    let bytes = data.get(field.offset..)?;
    Some(match field.algorithm {
        Algorithm::Internet => u16::from_be_bytes(*bytes.first_chunk()?).into(),
        Algorithm::Crc32c => u32::from_be_bytes(*bytes.first_chunk()?),
    })
}

/// What the field should hold, if all that it covers is there.
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
        let crc = pieces
            .iter()
            .fold(0, |crc, piece| crc32c::crc32c_append(crc, piece));
        return Some(crc.swap_bytes()); // the wire has its low byte first (RFC 9260 appendix A)
    }
    let pseudo = field
        .pseudo
        .as_ref()
        .map_or(Sum::ZERO, |pseudo| pseudo_sum(pseudo, pseudo.len));
    Some(stored(field, wiresum::gather(&pieces) + pseudo))
}

/// What a field holds if all that it covers, the field left out, has this sum.
pub(crate) fn stored(field: &Field, sum: Sum) -> u32 {
    let checksum = match field.zero {
        Zero::Checksum => sum.checksum(),
        Zero::Absent | Zero::Illegal => sum.checksum().udp(),
    };
    checksum.value().into()
}

/// The sum of a pseudo-header, with a length of the caller's choice.
pub(crate) fn pseudo_sum(of: &Pseudo, len: u32) -> Sum {
    match of.addresses {
        Addresses::V4 {
            source,
            destination,
        } => {
            // What segmentation offload leaves is longer than 16 bits can say; its sender adds all of it up.
            let (source, destination) = (source.octets(), destination.octets());
            let sum = pseudo::ipv4(source, destination, of.protocol, len as u16);
            match len >> 16 {
                0 => sum,
                high => sum + Sum::from_value(high as u16),
            }
        }
        Addresses::V6 {
            source,
            destination,
        } => pseudo::ipv6(source.octets(), destination.octets(), of.protocol, len),
    }
}
