// SPDX-License-Identifier: MIT OR Apache-2.0
//! L2TP version 2 (RFC 2661 section 3.1): PPP frames, which the walk enters unless they are
//! compressed or encrypted. A receiver ignores reserved bits.

use super::tunnel::Carried;
use super::{Area, Found, Walk, be16};

pub(super) fn header(
    walk: &Walk<'_, impl FnMut(Found<'_>)>,
    area: &Area,
) -> Option<(Carried, usize)> {
    const CONTROL: u16 = 0x8000;
    const HAS_LENGTH: u16 = 0x4000;
    const HAS_SEQUENCE: u16 = 0x0800;
    const HAS_OFFSET: u16 = 0x0200;
    const VERSION: u16 = 0x000f;
    let flags = be16(walk.peek::<2>(area.start)?, 0);
    let is_control = flags & CONTROL != 0;
    let due = HAS_LENGTH | HAS_SEQUENCE; // in a control message
    if flags & VERSION != 2 || is_control && flags & due != due {
        return None;
    }
    let mut len = 6;
    if flags & HAS_LENGTH != 0 {
        len += 2;
        if usize::from(be16(walk.peek::<2>(area.start + 2)?, 0)) > area.len() {
            return None;
        }
    }
    if flags & HAS_SEQUENCE != 0 {
        len += 4;
    }
    if flags & HAS_OFFSET != 0 {
        len += 2 + usize::from(be16(walk.peek::<2>(area.start + len)?, 0));
    }
    let carried = match is_control {
        false => Carried::Ppp,
        true => Carried::Nothing,
    };
    Some((carried, len))
}
