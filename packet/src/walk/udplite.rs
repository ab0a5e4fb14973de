// SPDX-License-Identifier: MIT OR Apache-2.0
//! UDP-Lite (RFC 3828): where UDP has its length stands how much the checksum covers.

use super::transport::{self, Payload};
use super::{Found, Walk, Zero, be16};
use crate::Protocol;

const HEADER: usize = 8;
const CHECKSUM: usize = 6;

pub(super) fn datagram(walk: &mut Walk<'_, impl FnMut(Found)>, payload: Payload) {
    let area = &payload.area;
    if area.len() < HEADER {
        return walk.short("UDP-Lite datagram shorter than its header");
    }
    let coverage = walk
        .peek::<6>(area.start)
        .map_or(0, |header| be16(header, 4));
    let end = match usize::from(coverage) {
        0 => area.end,
        1..HEADER => return walk.malformed("UDP-Lite checksum coverage below 8"),
        len if len > area.len() => return walk.short("UDP-Lite checksum coverage past its packet"),
        len => area.start + len,
    };
    let mut field = payload.field(walk, Protocol::UdpLite, CHECKSUM, end);
    field.pseudo = payload.pseudo(transport::UDP_LITE, area.len());
    field.zero = Zero::Illegal;
    field.ports = transport::ports(walk, area);
    walk.field(field);
}
