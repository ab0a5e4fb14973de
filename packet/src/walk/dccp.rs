// SPDX-License-Identifier: MIT OR Apache-2.0
//! DCCP (RFC 4340 section 5.1). The checksum covers the header, and as many words of the data as
//! the checksum coverage field says.

use super::transport::{self, Payload};
use super::{Reason, Walk};
use crate::Protocol;

const HEADER: usize = 12;
const CHECKSUM: usize = 6;

pub(super) fn packet(walk: &mut Walk<'_>, payload: Payload) {
    let area = &payload.area;
    if area.len() < HEADER {
        return walk.short("DCCP packet shorter than its header");
    }
    let mut end = area.end;
    if let Some(header) = walk.peek::<6>(area.start) {
        let header_len = usize::from(header[4]) * 4;
        if header_len < HEADER {
            return walk.malformed("DCCP data offset below 12");
        }
        // 0 covers all data, N covers N - 1 words of it (section 9.2)
        let coverage = usize::from(header[5] & 0x0f);
        if coverage > 0 {
            end = area.start + header_len + (coverage - 1) * 4;
        }
        end = end.max(area.start + header_len);
    }
    let mut field = payload.field(walk, Protocol::Dccp, CHECKSUM, end.min(area.end));
    // The bytes after the covered ones may be missing.
    field.unverified = walk.place.partial.or_else(|| walk.snapped(&field.covers));
    if end > area.end {
        field.unverified = field.unverified.or(Some(Reason::Length));
    }
    field.pseudo = payload.pseudo(transport::DCCP, area.len());
    field.ports = transport::ports(walk, area);
    walk.field(&field);
}
