// SPDX-License-Identifier: MIT OR Apache-2.0
//! UDP-Lite (RFC 3828). The field that is the length in UDP says here how many bytes the checksum
//! covers.

use super::transport::{self, Payload};
use super::{Reason, Walk, Zero, be16};
use crate::Protocol;

const HEADER: usize = 8;
const CHECKSUM: usize = 6;

pub(super) fn datagram(walk: &mut Walk<'_>, payload: Payload) {
    let area = &payload.area;
    if area.len() < HEADER {
        return walk.short("UDP-Lite datagram shorter than its header");
    }
    let coverage = walk
        .peek::<6>(area.start)
        .map_or(0, |header| be16(header, 4));
    let end = match usize::from(coverage) {
        0 => Some(area.end),
        len if (HEADER..=area.len()).contains(&len) => Some(area.start + len),
        _ => None, // less than the header, or more than there is (section 3.1)
    };
    let mut field = payload.field(walk, Protocol::UdpLite, CHECKSUM, end.unwrap_or(area.end));
    if end.is_none() {
        field.unverified = field.unverified.or(Some(Reason::Length));
    }
    field.pseudo = payload.pseudo(transport::UDP_LITE, area.len());
    field.zero = Zero::Illegal;
    field.ports = transport::ports(walk, area);
    walk.field(&field);
}
