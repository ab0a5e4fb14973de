// SPDX-License-Identifier: MIT OR Apache-2.0
//! PGM (RFC 3208 section 8). The checksum covers the packet, without a pseudo-header. 0 means that
//! none was computed.

use super::transport::{self, Payload};
use super::{Walk, Zero};
use crate::Protocol;

const HEADER: usize = 16;
const CHECKSUM: usize = 6;

pub(super) fn packet(walk: &mut Walk<'_>, payload: Payload) {
    if payload.area.len() < HEADER {
        return walk.short("PGM packet shorter than its header");
    }
    let mut field = payload.field(walk, Protocol::Pgm, CHECKSUM, payload.area.end);
    field.zero = Zero::Absent;
    field.ports = transport::ports(walk, &payload.area);
    walk.field(&field);
}
