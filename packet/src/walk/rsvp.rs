// SPDX-License-Identifier: MIT OR Apache-2.0
//! RSVP (RFC 2205 section 3.1.1). The checksum covers as many bytes as the message's own length
//! field says.

use super::transport::Payload;
use super::{Reason, Walk, Zero, be16};
use crate::Protocol;

const HEADER: usize = 8;
const CHECKSUM: usize = 2;

pub(super) fn message(walk: &mut Walk<'_>, payload: Payload) {
    let area = payload.area.clone();
    let Some(header) = walk.header::<HEADER>(&area, "RSVP message shorter than its header") else {
        return;
    };
    let len = usize::from(be16(header, 6));
    if len < HEADER {
        return walk.malformed("RSVP length below 8");
    }
    let end = area.start + len;
    let mut field = payload.field(walk, Protocol::Rsvp, CHECKSUM, end.min(area.end));
    if end > area.end {
        field.unverified = field.unverified.or(Some(Reason::Length));
    }
    field.zero = Zero::Absent;
    walk.field(&field);
}
