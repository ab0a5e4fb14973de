// SPDX-License-Identifier: MIT OR Apache-2.0
//! IEEE 802.11 data frames, alone or after a header with which a radio describes their reception.
//! The walk does not enter encrypted frames.

use super::{Area, Obstacle, Reason, Walk, be16, llc};

/// Walks a frame after radiotap (radiotap.org): a little-endian header, whose first words tell
/// which fields follow.
pub(super) fn radiotap(walk: &mut Walk<'_>, area: Area) {
    const TIMER: u8 = 0x01; // the first field: eight bytes, aligned
    const FLAGS: u8 = 0x02;
    const MORE: u8 = 0x80; // in the last byte of a word: another word follows
    const CHECK_SEQUENCE_BEHIND: u8 = 0x10;
    const PADDED_HEADER: u8 = 0x20;
    let what = "radiotap header longer than its frame";
    let Some(&[_, _, low, high, present, ..]) = walk.header::<8>(&area, what) else {
        return;
    };
    let len = usize::from(u16::from_le_bytes([low, high]));
    if !(8..=area.len()).contains(&len) {
        return walk.malformed(what);
    }
    let mut at = 4;
    while at + 8 <= len
        && walk
            .peek(area.start + at + 3)
            .is_some_and(|[last]| last & MORE != 0)
    {
        at += 4;
    }
    at += 4;
    if present & TIMER != 0 {
        at = at.next_multiple_of(8) + 8;
    }
    let flags = match walk.peek(area.start + at) {
        Some(&[flags]) if present & FLAGS != 0 && at < len => flags,
        _ => 0,
    };
    let mut area = area.start + len..area.end;
    if flags & CHECK_SEQUENCE_BEHIND != 0 {
        area.end = area.start.max(area.end.saturating_sub(4));
    }
    data(walk, area, flags & PADDED_HEADER != 0);
}

/// Walks a frame after the header of Prism cards: a message code and a length, in the byte order
/// of the capturing machine. AVS has a later header with the same link type.
pub(super) fn prism(walk: &mut Walk<'_>, area: Area) {
    const LEN: usize = 144;
    const AVS_MAGIC: [u8; 3] = [0x80, 0x21, 0x10];
    let Some(&[a, b, c, _]) = walk.header::<4>(&area, "Prism header cut short") else {
        return;
    };
    if [a, b, c] == AVS_MAGIC {
        return avs(walk, area);
    }
    if area.len() < LEN {
        return walk.malformed("Prism header cut short");
    }
    frame(walk, area.start + LEN..area.end);
}

/// Walks a frame after the header of AVS: a magic number and a length.
pub(super) fn avs(walk: &mut Walk<'_>, area: Area) {
    let what = "AVS header longer than its frame";
    let Some(header) = walk.header::<8>(&area, what) else {
        return;
    };
    let len = usize::from(be16(header, 6));
    if be16(header, 4) != 0 || !(8..=area.len()).contains(&len) {
        return walk.malformed(what);
    }
    frame(walk, area.start + len..area.end);
}

pub(super) fn frame(walk: &mut Walk<'_>, area: Area) {
    data(walk, area, false);
}

/// Walks a frame that an access point sends its controller. Some access points swap the two bytes
/// of the frame control field, of which one has the kind of the frame, and of the sequence control
/// field.
pub(super) fn tunneled(walk: &mut Walk<'_>, area: Area) {
    const DATA: u8 = 0x08; // version 0
    let Some(&[first, second]) = walk.peek(area.start) else {
        return;
    };
    let is_data = |control: u8| control & 0x0f == DATA;
    let swapped = is_data(second) && !is_data(first);
    let control = if swapped {
        [second, first]
    } else {
        [first, second]
    };
    let bytes = Bytes {
        swapped,
        padded: false,
    };
    controlled(walk, area, control, bytes);
}

/// Walks a frame. Only data frames carry packets.
fn data(walk: &mut Walk<'_>, area: Area, padded: bool) {
    if let Some(&control) = walk.header::<2>(&area, "802.11 frame shorter than its header") {
        let bytes = Bytes {
            swapped: false,
            padded,
        };
        controlled(walk, area, control, bytes);
    }
}

/// How the header of a frame differs from the header on the air.
#[derive(Clone, Copy)]
struct Bytes {
    /// The two bytes of the frame control and of the sequence control field are swapped.
    swapped: bool,
    /// Padding makes the length of the header a multiple of four.
    padded: bool,
}

/// Walks a frame with this frame control field.
fn controlled(walk: &mut Walk<'_>, area: Area, [control, flags]: [u8; 2], bytes: Bytes) {
    const KIND: u8 = 0x0c;
    const DATA: u8 = 0x08;
    const NO_DATA: u8 = 0x40;
    const QOS: u8 = 0x80;
    const BOTH_SYSTEMS: u8 = 0x03; // between two distribution systems: a fourth address
    const MORE_FRAGMENTS: u8 = 0x04;
    const PROTECTED: u8 = 0x40;
    const HT_CONTROL: u8 = 0x80;
    const AGGREGATE: u8 = 0x80;
    let what = "802.11 frame shorter than its header";
    if control & KIND != DATA || control & NO_DATA != 0 {
        return;
    }
    if flags & PROTECTED != 0 {
        return walk.obstacle(Obstacle::Encrypted("802.11"));
    }
    let Some(header) = walk.header::<24>(&area, what) else {
        return;
    };
    let mut len = if flags & BOTH_SYSTEMS == BOTH_SYSTEMS {
        30
    } else {
        24
    };
    let mut aggregate = false;
    if control & QOS != 0 {
        aggregate = walk
            .peek(area.start + len)
            .is_some_and(|[qos]| qos & AGGREGATE != 0);
        len += if flags & HT_CONTROL != 0 { 6 } else { 2 };
    }
    if bytes.padded {
        len = len.next_multiple_of(4);
    }
    if len > area.len() {
        return walk.malformed(what);
    }
    let sequence_control = if bytes.swapped { 23 } else { 22 };
    let fragment = header[sequence_control] & 0x0f;
    if fragment != 0 {
        return walk.obstacle(Obstacle::Fragment);
    }
    if flags & MORE_FRAGMENTS != 0 {
        walk.place.partial = Some(Reason::Fragment);
    }
    let area = area.start + len..area.end;
    if aggregate {
        aggregated(walk, area);
    } else {
        llc::header(walk, area);
    }
}

/// Walks several frames in one. Each has its addresses and its length, and is padded to a multiple
/// of four.
fn aggregated(walk: &mut Walk<'_>, mut area: Area) {
    let before = walk.place.clone();
    while area.len() >= 14 {
        let Some(header) = walk.header::<14>(&area, "") else {
            return;
        };
        let len = 14 + usize::from(be16(header, 12));
        if len > area.len() {
            return walk.malformed("802.11 subframe longer than its frame");
        }
        llc::header(walk, area.start + 14..area.start + len);
        walk.place.clone_from(&before);
        area.start = area.end.min(area.start + len.next_multiple_of(4));
    }
}
