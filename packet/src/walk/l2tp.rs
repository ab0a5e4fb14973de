// SPDX-License-Identifier: MIT OR Apache-2.0
//! L2TP version 2 (RFC 2661 section 3.1): PPP frames, which the walk enters unless they are
//! compressed or encrypted. Version 3 (RFC 3931): frames of any link layer, over UDP and over IP. A
//! receiver ignores reserved bits.

use super::tunnel::Carried;
use super::{Area, Walk, be16, ethernet, link, mpls, ppp};

pub(super) fn header(walk: &Walk<'_>, area: &Area) -> Option<(Carried, usize)> {
    const CONTROL: u16 = 0x8000;
    const HAS_LENGTH: u16 = 0x4000;
    const HAS_SEQUENCE: u16 = 0x0800;
    const HAS_OFFSET: u16 = 0x0200;
    const VERSION: u16 = 0x000f;
    let flags = be16(walk.peek::<2>(area.start)?, 0);
    let is_control = flags & CONTROL != 0;
    if flags & VERSION == 3 && !is_control {
        return Some((Carried::Session, 4)); // the rest is the same as over IP
    }
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

/// Walks a frame of version 3 after its session number (RFC 3931 section 4.1.1). A cookie of 4 or
/// 8 bytes and a sublayer of 4 bytes may precede the frame. The two ends of the session have agreed
/// on both, and on the kind of frame, so the walk enters only what looks like a frame with IP.
pub(super) fn over_ip(walk: &mut Walk<'_>, area: Area) {
    const CONTROL: [u8; 4] = [0; 4];
    match walk.header::<4>(&area, "L2TP packet shorter than its session number") {
        None | Some(&CONTROL) => return,
        Some(_) => {}
    }
    for start in (area.start + 4..area.end).step_by(4).take(4) {
        let area = start..area.end;
        match walk.peek(start) {
            _ if mpls::is_ethernet(walk, &area) => return ethernet::frame(walk, area),
            Some(&[0x0f, 0, 0x08, 0x00, 0x40..=0x4f] | &[0x0f, 0, 0x86, 0xdd, 0x60..=0x6f]) => {
                return link::cisco_hdlc(walk, area);
            }
            Some(&[0xff, 0x03, 0, 0x21, 0x40..=0x4f] | &[0xff, 0x03, 0, 0x57, 0x60..=0x6f]) => {
                return ppp::frame(walk, area);
            }
            _ => {}
        }
    }
}
