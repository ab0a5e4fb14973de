// SPDX-License-Identifier: MIT OR Apache-2.0
//! PIM version 2 (RFC 7761 section 4.9). A Register carries a data packet, which its checksum
//! leaves out. Receivers also accept a checksum that covers the data packet.

use super::transport::{self, Payload};
use super::{Addresses, Also, Found, Obstacle, Walk, link};
use crate::Protocol;

const CHECKSUM: usize = 2;
const REGISTER_HEADER: usize = 8;

pub(super) fn message(walk: &mut Walk<'_, impl FnMut(Found<'_>)>, payload: Payload) {
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
        field.unverified = walk.partial.or_else(|| walk.snapped(&field.covers));
    }
    walk.field(&field);
    if register
        && walk
            .peek(area.start + 4)
            .is_some_and(|[flags]| flags & NULL == 0)
    {
        link::raw(walk, end..area.end);
    }
}
