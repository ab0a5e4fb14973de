// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two stories of a field that holds the sum of the pseudo-header. A sender leaves this sum for
//! its network card. A receiver leaves it in a packet that it merges from segments, which its card
//! has verified (receive coalescing: GRO, LRO). The packet alone does not always tell which.

use wiresum_packet::{Addresses, Direction, Field, Frame};

/// The values with which a time to live or a hop limit usually begins, and 1 for protocols that
/// no router forwards.
const INITIAL: [u8; 5] = [1, 32, 64, 128, 255];

/// The longest packet that most links carry. A longer one is cut on sending, or was merged on
/// receipt.
const LONGEST: usize = 1500;

/// What happened, in sentences that follow the status.
pub(super) fn story(frame: &Frame<'_>, field: &Field) -> String {
    let (about, why) = match (frame.direction(), hops(frame, field), len(field)) {
        (Some(Direction::Sent), _, _) => (
            SENT,
            "The capture says that the packet was sent here. The network card adds the rest when \
             the packet leaves, and the packet was captured before that"
                .to_owned(),
        ),
        (Some(Direction::Received), _, len) if len > LONGEST => (
            MERGED,
            format!(
                "The capture says that the packet was received, and it has {len} bytes, more than \
                 a link carries at once. {COALESCED}"
            ),
        ),
        (Some(Direction::Received), ..) => (
            LEFT,
            "The capture says that the packet was received. It comes from a guest or a container \
             on the same machine, where no card adds the rest, or was merged on receipt from \
             short segments (GRO, LRO)"
                .to_owned(),
        ),
        (None, Some(hops), len) if !INITIAL.contains(&hops) && len > LONGEST => (
            MERGED,
            format!(
                "With a time to live of {hops}, the packet has passed a router, and it has {len} \
                 bytes, more than a link carries at once. {COALESCED}"
            ),
        ),
        (None, Some(hops), _) if !INITIAL.contains(&hops) => (
            LEFT,
            format!(
                "With a time to live of {hops}, the packet has passed a router. It was merged on \
                 receipt from short segments (GRO, LRO), or the router is the machine that \
                 captured it, and its network card adds the rest"
            ),
        ),
        (None, _, len) if len > LONGEST => (
            LEFT,
            format!(
                "The packet has {len} bytes, more than a link carries at once. If it was sent \
                 here, it was captured before the network card added the rest and cut it. If it \
                 was received, it was merged on receipt from segments that the card had verified \
                 (GRO, LRO)"
            ),
        ),
        (None, ..) => (
            SENT,
            "The network card adds the rest when the packet leaves. The packet was captured before \
             that, on the machine that sent it"
                .to_owned(),
        ),
    };
    format!(
        "Bad: {about}. The field holds the sum of the pseudo-header. {why}: nothing was wrong on \
         the wire."
    )
}

const SENT: &str = "the network card was to finish the checksum";
const MERGED: &str = "the packet was merged on receipt";
const LEFT: &str = "the checksum was left to the network card";
const COALESCED: &str = "So it was merged on receipt: the network card verified the segments, and \
                         the machine that received them made one packet of them (GRO, LRO) and \
                         left this sum in it";

/// The time to live or the hop limit of the packet, if it is the outermost one of its frame.
/// Routers do not change the one of a packet in a tunnel.
fn hops(frame: &Frame<'_>, field: &Field) -> Option<u8> {
    let header = field.network.as_ref().filter(|_| field.layer == 1)?;
    let at = match field.addresses? {
        Addresses::V4 { .. } => 8,
        Addresses::V6 { .. } => 7,
    };
    frame.data.get(header.start + at).copied()
}

/// The length of the packet in bytes, with its network header.
fn len(field: &Field) -> usize {
    let start = field
        .network
        .as_ref()
        .map_or(field.covers.start, |it| it.start);
    field.covers.end.saturating_sub(start)
}
