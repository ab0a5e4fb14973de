// SPDX-License-Identifier: MIT OR Apache-2.0
//! LISP: data packets (RFC 9300 section 5), with a header of eight bytes before an IP packet, and
//! control messages in IP packets of their own.

use super::tunnel::Carried;
use super::{Area, Obstacle, Walk};

pub(super) fn header(walk: &Walk<'_>, area: &Area) -> Option<(Carried, usize)> {
    const ENCRYPTED: u8 = 0x03;
    let [flags] = walk.peek(area.start)?;
    let carried = match flags & ENCRYPTED {
        0 => Carried::Ip,
        _ => Carried::Hidden(Obstacle::Encrypted("LISP")),
    };
    Some((carried, 8))
}

/// An encapsulated control message (RFC 9301 section 5.8): a header of four bytes, then an IP
/// packet.
pub(super) fn control(walk: &Walk<'_>, area: &Area) -> Option<(Carried, usize)> {
    const KIND: u8 = 0xf0;
    const ENCAPSULATED: u8 = 0x80;
    const AUTHENTICATED: u8 = 0x08; // data of a length of their own precede the packet
    let [first] = walk.peek(area.start)?;
    let plain = first & KIND == ENCAPSULATED && first & AUTHENTICATED == 0;
    plain.then_some((Carried::Ip, 4))
}
