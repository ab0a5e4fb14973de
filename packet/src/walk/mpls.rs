// SPDX-License-Identifier: MIT OR Apache-2.0
//! MPLS (RFC 3032). Nothing says what follows the last label, so the first bits after it decide
//! (RFC 4928 section 3).

use super::{Area, Obstacle, Walk, be16, ethernet, ipv4, ipv6};

pub(super) fn packet(walk: &mut Walk<'_>, mut area: Area) {
    const BOTTOM: u8 = 0x01;
    if !walk.enter_link() {
        return;
    }
    loop {
        let Some(label) = walk.header::<4>(&area, "MPLS label cut short") else {
            return;
        };
        area.start += 4;
        if label[2] & BOTTOM != 0 {
            break;
        }
    }
    if area.is_empty() {
        return;
    }
    let Some(&[first]) = walk.header::<1>(&area, "") else {
        return;
    };
    let after_word = area.end.min(area.start + 4)..area.end;
    match first >> 4 {
        _ if is_ethernet(walk, &area) => ethernet::frame(walk, area),
        // A control word precedes the frame (RFC 4448).
        0 if is_ethernet(walk, &after_word) => ethernet::frame(walk, after_word),
        4 => ipv4::packet(walk, area),
        6 => ipv6::packet(walk, area),
        _ => walk.obstacle(Obstacle::Encapsulation("MPLS")),
    }
}

/// Returns whether an area begins like an Ethernet frame that carries IP: with a known EtherType,
/// and a matching IP version after it.
pub(super) fn is_ethernet(walk: &Walk<'_>, area: &Area) -> bool {
    area.len() > 14
        && walk
            .peek::<15>(area.start)
            .is_some_and(|header| match be16(header, 12) {
                ethernet::IPV4 => header[14] >> 4 == 4,
                ethernet::IPV6 => header[14] >> 4 == 6,
                other => ethernet::is_known(other),
            })
}
