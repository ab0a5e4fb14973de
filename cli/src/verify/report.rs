// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is known of a capture when it was read, and how it is judged.

use wiresum_packet::{Cause, Field, Status, Tally};

use crate::outcome::Outcome;

/// A capture that was read to its end.
pub(super) struct Report {
    pub(super) path: String,
    pub(super) tally: Tally,
}

/// A capture that could not be read.
pub(super) struct Failure {
    pub(super) path: String,
    pub(super) error: anyhow::Error,
}

/// Whether something is bad that is not allowed, or illegal.
pub(super) fn judge(tally: &Tally, allow: &[Cause]) -> Outcome {
    let total = tally.total();
    if total.bad + total.illegal > allowed(tally, allow) {
        Outcome::Bad
    } else {
        Outcome::Good
    }
}

/// How many checksums are bad or illegal for one of these causes.
pub(super) fn allowed(tally: &Tally, allow: &[Cause]) -> u64 {
    tally
        .causes()
        .filter(|(_, cause, _)| allow.iter().any(|allow| allow.key() == cause.key()))
        .map(|(.., n)| n)
        .sum()
}

/// Whether a status makes it to the list, and the file fail unless it is allowed.
pub(super) fn is_wrong(field: &Field, status: Status) -> bool {
    matches!(status, Status::Bad(_) | Status::Illegal) && !field.quoted
}
