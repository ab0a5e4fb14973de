// SPDX-License-Identifier: MIT OR Apache-2.0
//! IGMP (RFC 3376 section 4.1), and the protocols that share its number and its layout: DVMRP,
//! RGMP, PIM version 1, router discovery.

use super::Walk;
use super::transport::Payload;
use crate::Protocol;

const CHECKSUM: usize = 2;

pub(super) fn message(walk: &mut Walk<'_>, payload: Payload) {
    if payload.area.len() < CHECKSUM + 2 {
        return walk.short("IGMP message without a checksum field");
    }
    let field = payload.field(walk, Protocol::Igmp, CHECKSUM, payload.area.end);
    walk.field(&field);
}
