// SPDX-License-Identifier: MIT OR Apache-2.0
//! TCP (RFC 9293 section 3.1).

use super::transport::{self, Payload};
use super::{Walk, openflow};
use crate::Protocol;

const DATA_OFFSET: usize = 12;
const CHECKSUM: usize = 16;

pub(super) fn segment(walk: &mut Walk<'_>, payload: Payload) {
    let area = &payload.area;
    if area.len() < CHECKSUM + 2 {
        return walk.short("TCP segment without a checksum field");
    }
    if walk
        .peek(area.start + DATA_OFFSET)
        .is_some_and(|[offset]| offset >> 4 < 5)
    {
        return walk.malformed("TCP header length below 20");
    }
    let mut field = payload.field(walk, Protocol::Tcp, CHECKSUM, area.end);
    field.pseudo = payload.pseudo(transport::TCP, area.len());
    field.ports = transport::ports(walk, area);
    walk.field(&field);
    if field.ports.is_some_and(openflow::has_port)
        && let Some([offset]) = walk.peek(area.start + DATA_OFFSET)
    {
        let header = usize::from(offset >> 4) * 4;
        openflow::messages(walk, area.end.min(area.start + header)..area.end);
    }
}
