// SPDX-License-Identifier: MIT OR Apache-2.0
//! OSPF. Version 2 leaves its authentication field out of the sum (RFC 2328 section D.4). Version 3
//! has a pseudo-header (RFC 5340 section A.3.1). A digest or link-local signaling may follow the
//! length that the packet claims; neither version sums them. Where a digest authenticates a packet,
//! the checksum means nothing, and is part of what the digest covers (RFC 2328 section D.4.3, RFC
//! 7166 section 4.2).

use super::transport::{self, Payload};
use super::{Addresses, Area, Reason, Walk, Zero, be16};
use crate::Protocol;

const CHECKSUM: usize = 12;
const HEADER_V2: usize = 24;
const HEADER_V3: usize = 16;
const AUTHENTICATION: std::ops::Range<usize> = 16..24;

pub(super) fn packet(walk: &mut Walk<'_>, payload: Payload) {
    const CRYPTOGRAPHIC: u16 = 2; // no checksum: a digest replaces it (section D.4.3)
    let area = payload.area.clone();
    let Some(header) = walk.header::<16>(&area, "OSPF packet shorter than its header") else {
        return;
    };
    let (version, len) = (header[0], usize::from(be16(header, 2)));
    let header_len = match (version, payload.addresses) {
        (2, Addresses::V4 { .. }) if be16(header, 14) == CRYPTOGRAPHIC => {
            return replaced(walk, &payload);
        }
        (2, Addresses::V4 { .. }) => HEADER_V2,
        (3, Addresses::V6 { .. }) if has_trailer(walk, &area, header[1], len) => {
            return replaced(walk, &payload);
        }
        (3, Addresses::V6 { .. }) => HEADER_V3,
        _ => return walk.malformed("OSPF version that is neither 2 over IPv4 nor 3 over IPv6"),
    };
    if len < header_len || area.len() < header_len {
        return walk.short("OSPF packet shorter than its header");
    }
    let end = area.start + len;
    let mut field = payload.field(walk, Protocol::Ospf, CHECKSUM, end.min(area.end));
    if end > area.end {
        field.unverified = field.unverified.or(Some(Reason::Length));
    }
    if version == 2 {
        field.hole = Some(area.start + AUTHENTICATION.start..area.start + AUTHENTICATION.end);
    } else {
        field.pseudo = payload.pseudo(transport::OSPF, len);
    }
    walk.field(&field);
}

/// Reports the checksum of a packet that a digest authenticates instead.
fn replaced(walk: &mut Walk<'_>, payload: &Payload) {
    let mut field = payload.field(walk, Protocol::Ospf, CHECKSUM, payload.area.end);
    field.zero = Zero::Unused;
    walk.field(&field);
}

/// Returns whether an authentication trailer follows a packet of version 3 (RFC 7166). Hello and
/// database description packets tell so in their options. Other packets do not, so the bytes after
/// them have to look like a trailer.
fn has_trailer(walk: &Walk<'_>, area: &Area, kind: u8, len: usize) -> bool {
    const HELLO: u8 = 1;
    const DATABASE_DESCRIPTION: u8 = 2;
    const HAS_TRAILER: u8 = 0x04; // the AT bit, in the second of three bytes (section 2.1)
    const HMAC: [u8; 2] = [0, 1]; // the only authentication type
    const TRAILER_HEADER: usize = 16;
    let options = match kind {
        HELLO => HEADER_V3 + 5,
        DATABASE_DESCRIPTION => HEADER_V3 + 1,
        _ => {
            let Some(&[a, b, high, low]) = walk.peek(area.start + len) else {
                return false;
            };
            let trailer = usize::from(u16::from_be_bytes([high, low]));
            return [a, b] == HMAC && trailer > TRAILER_HEADER && len + trailer <= area.len();
        }
    };
    let is_set = |&[_, middle]: &[u8; 2]| middle & HAS_TRAILER != 0;
    options + 2 <= len && walk.peek(area.start + options).is_some_and(is_set)
}
