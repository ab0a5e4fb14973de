// SPDX-License-Identifier: MIT OR Apache-2.0
//! Geneve (RFC 8926 section 3.4): options, and the EtherType of what follows them. A receiver
//! ignores reserved bits.

use super::tunnel::Carried;
use super::{Area, Walk, be16};

pub(super) fn header(walk: &Walk<'_>, area: &Area) -> Option<(Carried, usize)> {
    const VERSION: u8 = 0xc0;
    const LEN: u8 = 0x3f;
    let header = walk.peek::<8>(area.start)?;
    let len = 8 + usize::from(header[0] & LEN) * 4;
    (header[0] & VERSION == 0).then_some((Carried::Type(be16(header, 2)), len))
}
