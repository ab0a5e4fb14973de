// SPDX-License-Identifier: MIT OR Apache-2.0
//! ICMP (RFC 792) and ICMPv6 (RFC 4443), and the packet that an error message quotes. That is a copy of what arrived where the error was
//! found: often only its beginning, and changed on its way. So its checksums are judged, but say nothing of the packet that quotes it.

use super::transport::{self, Payload};
use super::{Area, Found, Reason, Walk, ipv4, ipv6};
use crate::Protocol;

const HEADER: usize = 4;
const CHECKSUM: usize = 2;
/// An error message's own header.
const ERROR_HEADER: usize = 8;

pub(super) fn v4(walk: &mut Walk<'_, impl FnMut(Found<'_>)>, payload: Payload) {
    let area = payload.area.clone();
    if area.len() < HEADER {
        return walk.short("ICMP message shorter than its header");
    }
    let field = payload.field(walk, Protocol::Icmp, CHECKSUM, area.end);
    walk.field(&field);
    // Destination unreachable, source quench, redirect, time exceeded, parameter problem.
    let Some(&[3 | 4 | 5 | 11 | 12, _, _, _, _, words, ..]) = walk.peek::<ERROR_HEADER>(area.start)
    else {
        return;
    };
    if let Some(area) = quote(walk, area, usize::from(words) * 4) {
        ipv4::packet(walk, area);
    }
}

pub(super) fn v6(walk: &mut Walk<'_, impl FnMut(Found<'_>)>, payload: Payload) {
    let area = payload.area.clone();
    if area.len() < HEADER {
        return walk.short("ICMPv6 message shorter than its header");
    }
    let mut field = payload.field(walk, Protocol::Icmpv6, CHECKSUM, area.end);
    field.pseudo = payload.pseudo(transport::ICMPV6, area.len());
    walk.field(&field);
    // Destination unreachable, packet too big, time exceeded, parameter problem; two of them say how long the quote is.
    let len = match walk.peek::<ERROR_HEADER>(area.start) {
        Some(&[1 | 3, _, _, _, words, ..]) => usize::from(words) * 8,
        Some([2 | 4, ..]) => 0,
        _ => return,
    };
    if let Some(area) = quote(walk, area, len) {
        ipv6::packet(walk, area);
    }
}

/// The quoted packet in an error message, as long as the message says (RFC 4884 section 4), or as there is room. From here on all is of it:
/// nothing follows in the frame.
fn quote(walk: &mut Walk<'_, impl FnMut(Found<'_>)>, area: Area, len: usize) -> Option<Area> {
    let room = area.start + ERROR_HEADER..area.end;
    walk.quoted = true;
    walk.partial = Some(Reason::Quote);
    match len {
        _ if room.is_empty() => None,
        0 => Some(room),
        len => Some(room.start..room.end.min(room.start + len)),
    }
}
