// SPDX-License-Identifier: MIT OR Apache-2.0
//! ICMP (RFC 792), ICMPv6 (RFC 4443), and the packet that an error message quotes.
//!
//! A quote is a copy of the packet in which a router found the error. The packet was changed on its
//! way, and the copy is often cut short. So the checksums in a quote are judged, but say nothing
//! about the packet that carries the quote.

use super::transport::{self, Payload};
use super::{Area, Found, Reason, Walk, ipv4, ipv6};
use crate::Protocol;

const HEADER: usize = 4;
const CHECKSUM: usize = 2;
/// The length in bytes of an error message's own header.
const ERROR_HEADER: usize = 8;

pub(super) fn v4(walk: &mut Walk<'_, impl FnMut(Found<'_>)>, payload: Payload) {
    let area = payload.area.clone();
    if area.len() < HEADER {
        return walk.short("ICMP message shorter than its header");
    }
    let field = payload.field(walk, Protocol::Icmp, CHECKSUM, area.end);
    walk.field(&field);
    // Destination unreachable, time exceeded and parameter problem tell the length of the quote.
    // Source quench and redirect do not: the fifth byte of a redirect belongs to an address.
    let len = match walk.peek::<ERROR_HEADER>(area.start) {
        Some(&[3 | 11 | 12, _, _, _, _, words, ..]) => usize::from(words) * 4,
        Some([4 | 5, ..]) => 0,
        _ => return,
    };
    if let Some(area) = quote(walk, area, len) {
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
    field.authenticated = is_signed(walk, &area);
    walk.field(&field);
    // Destination unreachable, packet too big, time exceeded, parameter problem. The first and the
    // third tell the length of the quote.
    let len = match walk.peek::<ERROR_HEADER>(area.start) {
        Some(&[1 | 3, _, _, _, words, ..]) => usize::from(words) * 8,
        Some([2 | 4, ..]) => 0,
        _ => return,
    };
    if let Some(area) = quote(walk, area, len) {
        ipv6::packet(walk, area);
    }
}

/// Returns whether a message of neighbor discovery has an RSA Signature option, which covers the
/// checksum (RFC 3971 section 5.2).
fn is_signed(walk: &Walk<'_, impl FnMut(Found<'_>)>, area: &Area) -> bool {
    const RSA_SIGNATURE: u8 = 12;
    let Some([kind]) = walk.peek(area.start) else {
        return false;
    };
    let mut at = area.start
        + match kind {
            133 => 8,        // router solicitation (RFC 4861 section 4)
            134 => 16,       // router advertisement
            135 | 136 => 24, // neighbor solicitation, neighbor advertisement
            137 => 40,       // redirect
            _ => return false,
        };
    while at < area.end
        && let Some(&[option, words @ 1..=255]) = walk.peek(at)
    {
        if option == RSA_SIGNATURE {
            return true;
        }
        at += usize::from(words) * 8;
    }
    false
}

/// Returns the area of the packet that an error message quotes. The message may tell its length
/// (RFC 4884 section 4); a length of 0 means all the room there is. Nothing follows the quote, so
/// the rest of the walk is in the quote.
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
