// SPDX-License-Identifier: MIT OR Apache-2.0
//! GTP-U (3GPP TS 29.281 section 5.1): the IP packets of a user, on their way through a mobile
//! network. A receiver does not evaluate the spare bit.

use super::tunnel::Carried;
use super::{Area, Walk, be16};

pub(super) fn header(walk: &Walk<'_>, area: &Area) -> Option<(Carried, usize)> {
    const VERSION_AND_TYPE: u8 = 0xf0; // the type bit is 1 for GTP, 0 for GTP'
    const VERSION_1: u8 = 0x30;
    const HAS_EXTENSION: u8 = 0x04;
    // If one of extension, sequence number and N-PDU number is there, all three have room.
    const HAS_OPTIONAL: u8 = 0x07;
    let header = walk.peek::<8>(area.start)?;
    if header[0] & VERSION_AND_TYPE != VERSION_1 || usize::from(be16(header, 2)) + 8 > area.len() {
        return None;
    }
    let carried = match header[1] {
        255 => Carried::Ip,
        1 | 2 | 26 | 31 | 254 => Carried::Nothing, // echo, error, extension headers, end marker
        _ => return None,
    };
    let mut len = 8;
    if header[0] & HAS_OPTIONAL != 0 {
        len += 4;
        let mut next = walk.peek::<1>(area.start + 11)?[0];
        while header[0] & HAS_EXTENSION != 0 && next != 0 {
            let [words] = *walk.peek(area.start + len)?;
            if words == 0 {
                return None;
            }
            len += usize::from(words) * 4;
            next = walk.peek::<1>(area.start + len - 1)?[0];
        }
    }
    Some((carried, len))
}

/// Version 0 (3GPP TS 09.60 section 6), with a header of 20 bytes.
pub(super) fn version_0(walk: &Walk<'_>, area: &Area) -> Option<(Carried, usize)> {
    const FLAGS: u8 = 0xfe; // without the flag of the N-PDU number
    const VERSION_0: u8 = 0x1e; // with the type bit, and the spare bits, which are all 1
    const PACKET: u8 = 255;
    let header = walk.peek::<20>(area.start)?;
    let plausible = header[0] & FLAGS == VERSION_0
        && header[1] == PACKET
        && usize::from(be16(header, 2)) + 20 == area.len();
    plausible.then_some((Carried::Ip, 20))
}
