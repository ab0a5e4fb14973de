// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Next Hop Resolution Protocol (RFC 2332 section 5.2): a fixed header, which gives the length
//! of the packet. It runs on the link layer, over GRE, and over IP with a number of its own.

use super::{Area, Reason, Walk, be16};
use crate::Protocol;

const CHECKSUM: usize = 12;

pub(super) fn packet(walk: &mut Walk<'_>, area: Area) {
    let what = "NHRP packet shorter than its header";
    let Some(header) = walk.header::<20>(&area, what) else {
        return;
    };
    let len = usize::from(be16(header, 10));
    if len < header.len() {
        return walk.malformed("NHRP packet size below its header's");
    }
    let end = area.start + len;
    let packet = area.start..end.min(area.end);
    let mut field = walk.checksum(Protocol::Nhrp, &packet, CHECKSUM, packet.end);
    if end > area.end {
        field.unverified = field.unverified.or(Some(Reason::Length));
    }
    walk.field(&field);
}
