// SPDX-License-Identifier: MIT OR Apache-2.0
//! Teredo (RFC 4380 section 5.1.1): IPv6 over UDP over IPv4. Authentication data and an origin
//! indication may come before the IPv6 packet.

use super::tunnel::Carried;
use super::{Area, Walk, be16};

const AUTHENTICATION: [u8; 2] = [0, 1];

/// Returns whether there is an authentication value, which covers the IPv6 packet (RFC 4380 section
/// 5.2.2).
pub(super) fn is_authenticated(walk: &Walk<'_>, area: &Area) -> bool {
    matches!(walk.peek(area.start), Some(&[a, b, _, len]) if [a, b] == AUTHENTICATION && len > 0)
}

pub(super) fn header(walk: &Walk<'_>, area: &Area) -> Option<(Carried, usize)> {
    const ORIGIN: [u8; 2] = [0, 0];
    let mut len = 0;
    if let Some(&[a, b, id_len, value_len]) = walk.peek(area.start)
        && [a, b] == AUTHENTICATION
    {
        // A nonce and a confirmation byte follow the value.
        len += 4 + usize::from(id_len) + usize::from(value_len) + 9;
    }
    if walk.peek(area.start + len) == Some(&ORIGIN) {
        len += 8;
    }
    let packet = walk.peek::<40>(area.start + len)?;
    let fits = len + 40 + usize::from(be16(packet, 4)) <= area.len();
    (packet[0] >> 4 == 6 && fits).then_some((Carried::Ip, len))
}
