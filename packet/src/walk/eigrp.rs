// SPDX-License-Identifier: MIT OR Apache-2.0
//! EIGRP (RFC 7868 section 6.2): over all of the packet, without a pseudo-header, over IPv6 too.

use super::transport::Payload;
use super::{Found, Walk};
use crate::Protocol;

const HEADER: usize = 20;
const CHECKSUM: usize = 2;

pub(super) fn packet(walk: &mut Walk<'_, impl FnMut(Found)>, payload: Payload) {
    if payload.area.len() < HEADER {
        return walk.short("EIGRP packet shorter than its header");
    }
    let field = payload.field(walk, Protocol::Eigrp, CHECKSUM, payload.area.end);
    walk.field(field);
}
