// SPDX-License-Identifier: MIT OR Apache-2.0
//! CAPWAP data (RFC 5415 section 4.3): the frames of a station, on their way between an access
//! point and its controller.

use super::tunnel::Carried;
use super::{Area, Walk, be16};

pub(super) fn header(walk: &Walk<'_>, area: &Area) -> Option<(Carried, usize)> {
    const PLAIN_VERSION_0: u8 = 0; // encrypted packets have another first byte
    const NATIVE: u16 = 0x0100; // the frame of the radio; else an Ethernet frame
    const FRAGMENT: u16 = 0x0080;
    const KEEP_ALIVE: u16 = 0x0008;
    const RESERVED: u16 = 0x0007;
    const IEEE802_11: u16 = 1;
    let header = walk.peek::<8>(area.start)?;
    let (len, flags) = (usize::from(header[1] >> 3) * 4, be16(header, 2));
    let binding = flags >> 9 & 0x1f;
    let plausible = header[0] == PLAIN_VERSION_0
        && flags & RESERVED == 0
        && be16(header, 6) & RESERVED == 0
        && len >= 8
        && binding == IEEE802_11;
    let carried = match flags {
        _ if flags & KEEP_ALIVE != 0 => Carried::Nothing,
        _ if flags & FRAGMENT != 0 => Carried::Fragment,
        _ if flags & NATIVE != 0 => Carried::Wlan,
        _ => Carried::Ethernet,
    };
    plausible.then_some((carried, len))
}
