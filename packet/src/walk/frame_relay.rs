// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frame relay (RFC 2427), and Cisco's variant, which has an EtherType in the place of the control
//! field.

use super::{Area, Obstacle, Walk, cdp, ethernet, ipv4, ipv6, llc, osi};

pub(super) fn frame(walk: &mut Walk<'_>, mut area: Area) {
    const LAST: u8 = 0x01; // of the address, which has two, three or four bytes (Q.922 section 3.2)
    const UNNUMBERED_INFORMATION: u8 = 0x03;
    const PADDING: u8 = 0x00;
    let what = "frame relay frame shorter than its header";
    let Some(&address) = walk.header::<4>(&area, what) else {
        return;
    };
    let Some(len) = address.iter().position(|byte| byte & LAST != 0) else {
        return walk.malformed("frame relay address longer than 4 bytes");
    };
    if len == 0 {
        return walk.malformed("frame relay address shorter than 2 bytes");
    }
    area.start += len + 1;
    let Some(&[control, number]) = walk.header::<2>(&area, what) else {
        return;
    };
    if control != UNNUMBERED_INFORMATION {
        let area = area.start + 2..area.end;
        return match u16::from_be_bytes([control, number]) {
            cdp::NUMBER => cdp::packet(walk, area),
            number => ethernet::ethertype(walk, number, area),
        };
    }
    area.start += 1;
    let mut number = number;
    if number == PADDING {
        area.start += 1;
        match walk.header::<1>(&area, what) {
            Some(&[behind]) => number = behind,
            None => return,
        }
    }
    area.start += 1;
    match number {
        0xcc => ipv4::packet(walk, area),
        0x8e => ipv6::packet(walk, area),
        0x80 => llc::snap(walk, area, 0),
        0x81..=0x83 => osi::packet(walk, area.start - 1..area.end),
        0x08 => {} // signaling (Q.933)
        _ => walk.obstacle(Obstacle::Encapsulation("frame relay")),
    }
}
