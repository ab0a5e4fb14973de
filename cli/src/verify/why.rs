// SPDX-License-Identifier: MIT OR Apache-2.0
//! The column `why` of the table and of the page, and the row of quoted checksums.

use std::cmp::Reverse;
use std::fmt::Display;

use indicatif::HumanCount;
use wiresum_packet::{Cause, Counts, Obstacle, Protocol, Tally};

/// The counts of all checksums in copies of other packets.
pub(super) fn quoted(tally: &Tally) -> Counts {
    let mut quoted = Counts::default();
    for protocol in Protocol::ALL {
        quoted += tally.quoted(protocol);
    }
    quoted
}

/// The column `why` of that row.
pub(super) const QUOTED: &str = "in copies of packets; for information";

/// What stopped the walk, with the number of frames, the most frequent first.
pub(super) fn obstacles(tally: &Tally) -> Vec<(Obstacle, u64)> {
    let mut all: Vec<_> = tally.obstacles().collect();
    all.sort_by_key(|&(_, n)| Reverse(n));
    all
}

/// The causes and reasons of a protocol's checksums with their counts, the most frequent first.
pub(super) fn of_protocol(tally: &Tally, protocol: Protocol) -> String {
    let causes = tally.causes().filter(|&(of, ..)| of == protocol);
    let reasons = tally.reasons().filter(|&(of, ..)| of == protocol);
    let mut all: Vec<_> = causes
        .map(|(_, cause, n)| {
            let status = match cause {
                Cause::UdpZero => "illegal",
                _ => "bad",
            };
            (n, reason(status, cause.label(), n))
        })
        .collect();
    all.extend(reasons.map(|(_, why, n)| (n, reason("unverified", why, n))));
    all.sort_by_key(|&(n, _)| Reverse(n));
    let all: Vec<_> = all.into_iter().map(|(_, words)| words).collect();
    all.join(", ")
}

/// A cause or reason with its status and its count, such as `bad (offload): 3`.
pub(super) fn reason(status: &str, why: impl Display, n: u64) -> String {
    format!("{status} ({why}): {}", HumanCount(n))
}
