// SPDX-License-Identifier: MIT OR Apache-2.0
//! Linux's netfilter log: a list of attributes, one of which is the packet.

use super::{Area, Obstacle, Walk, ipv4, ipv6};

pub(super) fn frame(walk: &mut Walk<'_>, area: Area) {
    const PAYLOAD: u16 = 9;
    let what = "netfilter log shorter than its header";
    let Some(&[family, ..]) = walk.header::<4>(&area, what) else {
        return;
    };
    let mut area = area.start + 4..area.end;
    // The numbers are in the byte order of the capturing machine, which the file does not tell. The
    // first length decides: little-endian, if that makes sense.
    let mut read: Option<fn([u8; 2]) -> u16> = None;
    while !area.is_empty() {
        let Some(&[a, b, c, d]) = walk.header::<4>(&area, "netfilter log attribute cut short")
        else {
            return;
        };
        let read = *read.get_or_insert_with(|| {
            let little = usize::from(u16::from_le_bytes([a, b]));
            match (4..=area.len()).contains(&little) {
                true => u16::from_le_bytes,
                false => u16::from_be_bytes,
            }
        });
        let len = usize::from(read([a, b]));
        if !(4..=area.len()).contains(&len) {
            return walk.malformed("netfilter log attribute longer than its frame");
        }
        if read([c, d]) & 0x7fff == PAYLOAD {
            let packet = area.start + 4..area.start + len;
            return match family {
                2 => ipv4::packet(walk, packet),
                10 => ipv6::packet(walk, packet),
                _ => walk.obstacle(Obstacle::Encapsulation("address family")),
            };
        }
        area.start = area.end.min(area.start + len.next_multiple_of(4));
    }
}
