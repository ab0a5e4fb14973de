// SPDX-License-Identifier: MIT OR Apache-2.0
//! AYIYA (draft-massar-v6ops-ayiya section 3): a packet, usually IPv6, after an identity and a
//! signature.

use super::tunnel::Carried;
use super::{Area, Walk};

pub(super) fn header(walk: &Walk<'_>, area: &Area) -> Option<(Carried, usize)> {
    const FORWARD: u8 = 1;
    const IPV4: u8 = 4;
    const IPV6: u8 = 41;
    let header = walk.peek::<8>(area.start)?;
    let identity = 1 << (header[0] >> 4);
    let signature = usize::from(header[1] >> 4) * 4;
    let forward = header[2] & 0x0f == FORWARD && matches!(header[3], IPV4 | IPV6);
    forward.then_some((Carried::Ip, 8 + identity + signature))
}

/// Returns whether the signature is made with a key. It covers all of the datagram.
pub(super) fn is_signed(walk: &Walk<'_>, area: &Area) -> bool {
    walk.peek::<3>(area.start)
        .is_some_and(|header| header[1] >> 4 != 0 && header[2] >> 4 != 0)
}
