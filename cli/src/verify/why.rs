// SPDX-License-Identifier: MIT OR Apache-2.0
//! The column `why` of the table and of the page, and the row of quoted checksums.

use std::cmp::Reverse;
use std::fmt::Display;

use indicatif::HumanCount;
use wiresum_packet::{Cause, Protocol};

use super::counted::Counted;

/// The column `why` of the row of quoted checksums.
pub(super) const QUOTED: &str = "in copies of packets; for information";

/// What stopped the walk, with the number of frames, the most frequent first.
pub(super) fn obstacles(counted: &Counted) -> Vec<(&str, u64)> {
    let mut all: Vec<_> = counted.obstacles().collect();
    all.sort_by_key(|&(_, n)| Reverse(n));
    all
}

/// The causes and reasons of a protocol's checksums with their counts, the most frequent first.
pub(super) fn of_protocol(counted: &Counted, protocol: Protocol) -> String {
    let causes = counted.causes().filter(|&(of, ..)| of == protocol);
    let reasons = counted.reasons().filter(|&(of, ..)| of == protocol);
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
