// SPDX-License-Identifier: MIT OR Apache-2.0
//! LISP data packets (RFC 9300 section 5): a header of eight bytes, then an IP packet.

use super::tunnel::Carried;
use super::{Area, Found, Walk};

pub(super) fn header(
    walk: &Walk<'_, impl FnMut(Found<'_>)>,
    area: &Area,
) -> Option<(Carried, usize)> {
    const ENCRYPTED: u8 = 0x03;
    let [flags] = walk.peek(area.start)?;
    (flags & ENCRYPTED == 0).then_some((Carried::Ip, 8))
}
