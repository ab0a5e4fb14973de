// SPDX-License-Identifier: MIT OR Apache-2.0
//! PIM version 2 (RFC 7761 section 4.9). A Register carries a data packet, which its checksum
//! leaves out. Receivers also accept a checksum that covers the data packet.

use super::transport::{self, Payload};
use super::{Addresses, Also, Area, Obstacle, Walk, Zero, ipv4, ipv6, link};
use crate::Protocol;

const CHECKSUM: usize = 2;
const REGISTER_HEADER: usize = 8;

pub(super) fn message(walk: &mut Walk<'_>, payload: Payload) {
    const VERSION_2: u8 = 2;
    const REGISTER: u8 = 1;
    const NULL: u8 = 0x40; // a Register that carries no packet, or only the header of one
    let area = payload.area.clone();
    let Some(&[first]) = walk.header::<1>(&area, "empty PIM message") else {
        return;
    };
    if first >> 4 != VERSION_2 {
        return walk.obstacle(Obstacle::Encapsulation("PIM"));
    }
    let register = first & 0x0f == REGISTER;
    if area.len()
        < if register {
            REGISTER_HEADER
        } else {
            CHECKSUM + 2
        }
    {
        return walk.short("PIM message shorter than its header");
    }
    let end = if register {
        area.start + REGISTER_HEADER
    } else {
        area.end
    };
    let mut field = payload.field(walk, Protocol::Pim, CHECKSUM, end);
    if let Addresses::V6 { .. } = payload.addresses {
        field.pseudo = payload.pseudo(transport::PIM, end - area.start);
    }
    if register {
        field.also = Some(Also::UpTo(area.end));
        field.unverified = walk.place.partial.or_else(|| walk.snapped(&field.covers));
    }
    walk.field(&field);
    if !register {
        return;
    }
    match walk.peek(area.start + 4) {
        Some([flags]) if flags & NULL != 0 => null(walk, end..area.end),
        Some(_) => link::raw(walk, end..area.end),
        None => {}
    }
}

/// Walks the header that a Null-Register carries in the place of a packet (RFC 7761 section
/// 4.9.3): the pseudo-header of IPv4 alone, whose checksum may be 0 for "not computed", or the
/// pseudo-header of IPv6 with a header of PIM. Some senders send neither.
fn null(walk: &mut Walk<'_>, area: Area) {
    const IPV4: Area = 0..20;
    const IPV6: Area = 0..40;
    const PIM_HEADER: usize = 4;
    let within = |part: Area| area.start + part.start..area.start + part.end;
    match walk.peek(area.start) {
        Some(&[0x40..=0x4f]) if area.len() >= IPV4.end => {
            let Some(header) = walk.header::<20>(&area, "") else {
                return;
            };
            let covers = within(IPV4);
            walk.enter(covers.clone(), ipv4::addresses(header), true);
            let mut field = walk.checksum(Protocol::Ipv4, &covers, ipv4::CHECKSUM, covers.end);
            field.zero = Zero::Absent;
            walk.field(&field);
        }
        Some(&[0x60..=0x6f]) if area.len() == IPV6.end + PIM_HEADER => {
            let Some(header) = walk.header::<40>(&area, "") else {
                return;
            };
            let addresses = ipv6::addresses(header);
            walk.enter(within(IPV6), addresses, true);
            let payload = Payload {
                area: area.start + IPV6.end..area.end,
                addresses,
                sums_to: addresses,
            };
            let mut field = payload.field(walk, Protocol::Pim, CHECKSUM, area.end);
            field.pseudo = payload.pseudo(transport::PIM, PIM_HEADER);
            walk.field(&field);
        }
        _ => {}
    }
}
