// SPDX-License-Identifier: MIT OR Apache-2.0
//! ICMP (RFC 792), ICMPv6 (RFC 4443), and the packet that an error message quotes.
//!
//! A quote is a copy of the packet in which a router found the error. The packet was changed on its
//! way, and the copy is often cut short. So the checksums in a quote are judged, but say nothing
//! about the packet that carries the quote. An extension structure (RFC 4884) may follow the quote,
//! with a checksum of its own.

use super::transport::{self, Payload};
use super::{Area, Reason, Walk, Zero, ipv4, ipv6};
use crate::Protocol;

const HEADER: usize = 4;
const CHECKSUM: usize = 2;
/// The length in bytes of an error message's own header.
const ERROR_HEADER: usize = 8;

/// Returns whether an ICMP message of this type holds a packet or an extension structure, which the
/// walk enters.
pub(crate) const fn holds_more_v4(kind: u8) -> bool {
    matches!(kind, 3..=5 | 11 | 12 | 42)
}

/// The same for ICMPv6.
pub(crate) const fn holds_more_v6(kind: u8) -> bool {
    matches!(kind, 1..=4 | 137 | 160)
}

pub(super) fn v4(walk: &mut Walk<'_>, payload: Payload) {
    let area = payload.area.clone();
    if area.len() < HEADER {
        return walk.short("ICMP message shorter than its header");
    }
    let field = payload.field(walk, Protocol::Icmp, CHECKSUM, area.end);
    walk.field(&field);
    let Some(&[kind, _, _, _, _, words, ..]) = walk.peek::<ERROR_HEADER>(area.start) else {
        return;
    };
    if !holds_more_v4(kind) {
        return;
    }
    // Destination unreachable, time exceeded and parameter problem tell the length of the quote.
    // Source quench and redirect do not: the fifth byte of a redirect belongs to an address. An
    // extended echo request has an extension structure alone.
    let len = match kind {
        4 | 5 => 0,
        42 => return extension(walk, area.start + ERROR_HEADER..area.end),
        _ => usize::from(words) * 4,
    };
    if let Some(area) = quote(walk, area, len) {
        ipv4::packet(walk, area);
    }
}

pub(super) fn v6(walk: &mut Walk<'_>, payload: Payload) {
    let area = payload.area.clone();
    if area.len() < HEADER {
        return walk.short("ICMPv6 message shorter than its header");
    }
    let mut field = payload.field(walk, Protocol::Icmpv6, CHECKSUM, area.end);
    field.pseudo = payload.pseudo(transport::ICMPV6, area.len());
    field.authenticated = is_signed(walk, &area);
    walk.field(&field);
    let Some(&[kind, _, _, _, words, ..]) = walk.peek::<ERROR_HEADER>(area.start) else {
        return;
    };
    if !holds_more_v6(kind) {
        return;
    }
    // Destination unreachable and time exceeded tell the length of the quote; packet too big and
    // parameter problem do not.
    let len = match kind {
        2 | 4 => 0,
        137 => return redirect(walk, area),
        160 => return extension(walk, area.start + ERROR_HEADER..area.end),
        _ => usize::from(words) * 8,
    };
    if let Some(area) = quote(walk, area, len) {
        ipv6::packet(walk, area);
    }
}

/// Returns whether a message of neighbor discovery has an RSA Signature option, which covers the
/// checksum (RFC 3971 section 5.2).
fn is_signed(walk: &Walk<'_>, area: &Area) -> bool {
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

/// Walks the packet that a redirect quotes in one of its options (RFC 4861 section 4.6.3).
fn redirect(walk: &mut Walk<'_>, area: Area) {
    const ADDRESSES_END: usize = 40;
    const REDIRECTED_HEADER: u8 = 4;
    let mut area = area.start + ADDRESSES_END.min(area.len())..area.end;
    while let Some(&[kind, units]) = walk.peek(area.start) {
        let len = usize::from(units) * 8;
        if len == 0 || len > area.len() {
            return;
        }
        if kind == REDIRECTED_HEADER {
            if let Some(area) = quote(walk, area.start..area.start + len, 0) {
                ipv6::packet(walk, area);
            }
            return;
        }
        area.start += len;
    }
}

/// Reports the extension structure after the quote of an error message, and returns the area of
/// the packet that the message quotes. The message may tell the length of the quote (RFC 4884
/// section 4); a length of 0 means all the room there is. Nothing follows the quote, so the rest of
/// the walk is in the quote.
fn quote(walk: &mut Walk<'_>, area: Area, len: usize) -> Option<Area> {
    /// The length of the quote before an extension structure in messages that do not tell it (RFC
    /// 4884 section 5.5).
    const USUAL_LEN: usize = 128;
    let mut room = area.start + ERROR_HEADER.min(area.len())..area.end;
    let behind = |len: usize| room.end.min(room.start + len)..room.end;
    if len != 0 {
        extension(walk, behind(len));
        room.end = behind(len).start;
    } else if has_extension(walk, &behind(USUAL_LEN)) {
        extension(walk, behind(USUAL_LEN));
        room.end = behind(USUAL_LEN).start;
    }
    walk.place.quoted = true;
    walk.place.partial = Some(Reason::Quote);
    (!room.is_empty()).then_some(room)
}

/// Reports the checksum of an extension structure (RFC 4884 section 7), which objects follow.
fn extension(walk: &mut Walk<'_>, area: Area) {
    const VERSION_2: u8 = 2;
    if area.len() < HEADER || walk.peek(area.start).is_none_or(|[v]| v >> 4 != VERSION_2) {
        return;
    }
    let mut field = walk.checksum(Protocol::IcmpExtension, &area, CHECKSUM, area.end);
    field.zero = Zero::Absent;
    walk.field(&field);
}

/// Returns whether an area looks like an extension structure: nothing in its reserved bits, and
/// objects that end with the area.
fn has_extension(walk: &Walk<'_>, area: &Area) -> bool {
    const VERSION_2: [u8; 2] = [0x20, 0x00];
    if area.len() <= HEADER || walk.peek(area.start) != Some(&VERSION_2) {
        return false;
    }
    let mut at = area.start + HEADER;
    while at < area.end {
        match walk
            .peek(at)
            .map(|&len| usize::from(u16::from_be_bytes(len)))
        {
            Some(len) if len >= 4 => at += len,
            _ => return false,
        }
    }
    at == area.end
}
