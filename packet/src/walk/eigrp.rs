// SPDX-License-Identifier: MIT OR Apache-2.0
//! EIGRP (RFC 7868 section 6.2). The checksum covers the packet, without a pseudo-header, over IPv4
//! and IPv6.

use super::transport::Payload;
use super::{Area, Walk, be16};
use crate::Protocol;

const CHECKSUM: usize = 2;

pub(super) fn packet(walk: &mut Walk<'_>, payload: Payload) {
    if payload.area.len() < CHECKSUM + 2 {
        return walk.short("EIGRP packet without a checksum field");
    }
    let mut field = payload.field(walk, Protocol::Eigrp, CHECKSUM, payload.area.end);
    field.authenticated = is_authenticated(walk, payload.area);
    walk.field(&field);
}

/// Returns whether a packet has an authentication value (RFC 7868 section 6.7.2). The RFC does not
/// say whether its digest covers the checksum.
fn is_authenticated(walk: &Walk<'_>, mut area: Area) -> bool {
    const HEADER: usize = 20;
    const AUTHENTICATION: u16 = 0x0002;
    area.start += HEADER;
    while area.start < area.end
        && let Some(header) = walk.peek::<4>(area.start)
        && let (kind, len @ 4..) = (be16(header, 0), be16(header, 2))
    {
        if kind == AUTHENTICATION {
            return true;
        }
        area.start += usize::from(len);
    }
    false
}
