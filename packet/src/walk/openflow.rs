// SPDX-License-Identifier: MIT OR Apache-2.0
//! OpenFlow (opennetworking.org): a switch sends its controller copies of the packets that it does
//! not know how to forward, and the controller sends packets that the switch has to forward. Both
//! are like the quote of an ICMP error.

use super::{Area, Reason, Walk, be16, ethernet};

const PACKET_IN: u8 = 10;
const PACKET_OUT: u8 = 13;

/// Returns whether one of the ports of a TCP segment suggests OpenFlow.
#[inline]
pub(crate) fn has_port((from, to): (u16, u16)) -> bool {
    let is_ours = |port| (port == 6633) | (port == 6653);
    is_ours(from) | is_ours(to)
}

/// Walks the messages of a TCP segment that begins with a message. The ports only suggest OpenFlow,
/// so the walk enters a segment if its messages end where the segment does.
pub(super) fn messages(walk: &mut Walk<'_>, mut area: Area) {
    let mut packets = Vec::new();
    while !area.is_empty() {
        let Some(header) = walk.peek::<8>(area.start) else {
            return;
        };
        let (version, kind, len) = (header[0], header[1], usize::from(be16(header, 2)));
        if !(1..=6).contains(&version) || !(8..=area.len()).contains(&len) {
            return;
        }
        let message = area.start..area.start + len;
        packets.extend(match kind {
            PACKET_IN => packet_in(walk, version, message),
            PACKET_OUT => packet_out(walk, version, message),
            _ => None,
        });
        area.start += len;
    }
    for packet in packets {
        let place = walk.place.clone();
        walk.place.quoted = true;
        walk.place.partial = Some(Reason::Quote);
        ethernet::frame(walk, packet);
        walk.place = place;
    }
}

/// Returns the area of the packet in a Packet-In message. In versions 1.2 and later, the match
/// precedes the packet; the length of the match leaves out its padding.
fn packet_in(walk: &Walk<'_>, version: u8, area: Area) -> Option<Area> {
    let match_at = match version {
        1 => return behind(area, 18),
        2 => return behind(area, 24),
        3 => 16,
        _ => 24, // a cookie precedes it
    };
    let len = match_len(walk, &area, match_at)?;
    behind(area, match_at + len + 2)
}

/// Returns the area of the packet in a Packet-Out message, after the actions. A message that names
/// a buffer of the switch has no packet. In version 1.5, a match precedes the actions.
fn packet_out(walk: &Walk<'_>, version: u8, area: Area) -> Option<Area> {
    const NO_BUFFER: [u8; 4] = [0xff; 4];
    let (len_at, actions_at) = match version {
        1 => (14, 16),
        2..=5 => (16, 24),
        _ => (12, 16 + match_len(walk, &area, 16)?),
    };
    if *walk.peek::<4>(area.start + 8)? != NO_BUFFER {
        return None;
    }
    let actions = u16::from_be_bytes(*walk.peek(area.start + len_at)?);
    behind(area, actions_at + usize::from(actions))
}

/// Returns the length of a match with its padding.
fn match_len(walk: &Walk<'_>, area: &Area, match_at: usize) -> Option<usize> {
    let len = u16::from_be_bytes(*walk.peek(area.start + match_at + 2)?);
    Some(usize::from(len).next_multiple_of(8))
}

/// Returns what follows the first `len` bytes of an area, if anything does.
fn behind(area: Area, len: usize) -> Option<Area> {
    (len < area.len()).then(|| area.start + len..area.end)
}
