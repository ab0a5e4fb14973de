// SPDX-License-Identifier: MIT OR Apache-2.0
//! LISP data packets (RFC 9300 section 5): a header of eight bytes, then an IP packet.

use super::tunnel::Carried;
use super::{Area, Found, Obstacle, Walk};

pub(super) fn header(
    walk: &Walk<'_, impl FnMut(Found<'_>)>,
    area: &Area,
) -> Option<(Carried, usize)> {
    const ENCRYPTED: u8 = 0x03;
    let [flags] = walk.peek(area.start)?;
    let carried = match flags & ENCRYPTED {
        0 => Carried::Ip,
        _ => Carried::Hidden(Obstacle::Encrypted("LISP")),
    };
    Some((carried, 8))
}
