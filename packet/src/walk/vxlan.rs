// SPDX-License-Identifier: MIT OR Apache-2.0
//! VXLAN (RFC 7348 section 5) and its generic protocol extension (draft-ietf-nvo3-vxlan-gpe section
//! 3). Both say that a receiver ignores reserved bits. Later extensions use some of them: the group
//! policy of draft-smith-vxlan-group-policy sets 2 flags, and 2 bytes after them.

use super::tunnel::Carried;
use super::{Area, Obstacle, Walk};

const HAS_NETWORK: u8 = 0x08;

pub(super) fn header(walk: &Walk<'_>, area: &Area) -> Option<(Carried, usize)> {
    let header = walk.peek::<8>(area.start)?;
    (header[0] & HAS_NETWORK != 0).then_some((Carried::Ethernet, 8))
}

pub(super) fn extended(walk: &Walk<'_>, area: &Area) -> Option<(Carried, usize)> {
    const VERSION: u8 = 0x30;
    const HAS_PROTOCOL: u8 = 0x04;
    const OPERATIONS: u8 = 0x01;
    let header = walk.peek::<8>(area.start)?;
    let flags = header[0];
    if flags & VERSION != 0 || flags & HAS_NETWORK == 0 {
        return None;
    }
    let carried = match header[3] {
        _ if flags & OPERATIONS != 0 => Carried::Nothing,
        _ if flags & HAS_PROTOCOL == 0 => Carried::Ethernet,
        1 | 2 => Carried::Ip,
        3 => Carried::Ethernet,
        4 => Carried::Service,
        5 => Carried::Mpls,
        _ => Carried::Hidden(Obstacle::Encapsulation("VXLAN-GPE")),
    };
    Some((carried, 8))
}
