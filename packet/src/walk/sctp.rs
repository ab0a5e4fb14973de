// SPDX-License-Identifier: MIT OR Apache-2.0
//! SCTP (RFC 9260 section 3.1). A CRC32c covers the packet; there is no pseudo-header.

use super::transport::{self, Payload};
use super::{Algorithm, Walk};
use crate::Protocol;

const HEADER: usize = 12;
const CHECKSUM: usize = 8;

pub(super) fn packet(walk: &mut Walk<'_>, payload: Payload) {
    if payload.area.len() < HEADER {
        return walk.short("SCTP packet shorter than its header");
    }
    let mut field = payload.field(walk, Protocol::Sctp, CHECKSUM, payload.area.end);
    field.algorithm = Algorithm::Crc32c;
    field.ports = transport::ports(walk, &payload.area);
    walk.field(&field);
}
