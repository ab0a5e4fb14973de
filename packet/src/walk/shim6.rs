// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shim6 (RFC 5533 section 5.3): an extension header, with a checksum over that header alone and no
//! pseudo-header.

use super::Walk;
use super::transport::Payload;
use crate::Protocol;

const CHECKSUM: usize = 4;

/// The P bit: the header is a payload extension header, which has no checksum.
pub(super) const PAYLOAD: u8 = 0x80;

/// Walks a control message.
pub(super) fn header(walk: &mut Walk<'_>, payload: Payload) {
    if walk
        .peek(payload.area.start + 2)
        .is_some_and(|[kind]| kind & PAYLOAD == 0)
    {
        let field = payload.field(walk, Protocol::Shim6, CHECKSUM, payload.area.end);
        walk.field(&field);
    }
}
