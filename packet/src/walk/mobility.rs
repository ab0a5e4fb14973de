// SPDX-License-Identifier: MIT OR Apache-2.0
//! The mobility header of IPv6 (RFC 6275 section 6.1.1): the last extension header of a packet,
//! with a checksum of its own.

use super::Walk;
use super::transport::{self, Payload};
use crate::Protocol;

const HEADER: usize = 8;
const CHECKSUM: usize = 4;

pub(super) fn header(walk: &mut Walk<'_>, payload: Payload) {
    let area = payload.area.clone();
    let Some(header) = walk.header::<HEADER>(&area, "mobility header cut short") else {
        return;
    };
    let len = usize::from(header[1]) * 8 + 8;
    if len > area.len() {
        return walk.short("mobility header longer than its packet");
    }
    let mut field = payload.field(walk, Protocol::Mobility, CHECKSUM, area.start + len);
    field.pseudo = payload.pseudo(transport::MOBILITY, len);
    walk.field(&field);
}
