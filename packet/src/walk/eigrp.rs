// SPDX-License-Identifier: MIT OR Apache-2.0
//! EIGRP (RFC 7868 section 6.2). The checksum covers the packet, without a pseudo-header, over IPv4
//! and IPv6.

use super::transport::Payload;
use super::{Found, Walk};
use crate::Protocol;

const CHECKSUM: usize = 2;

pub(super) fn packet(walk: &mut Walk<'_, impl FnMut(Found<'_>)>, payload: Payload) {
    if payload.area.len() < CHECKSUM + 2 {
        return walk.short("EIGRP packet without a checksum field");
    }
    let field = payload.field(walk, Protocol::Eigrp, CHECKSUM, payload.area.end);
    walk.field(&field);
}
