// SPDX-License-Identifier: MIT OR Apache-2.0
//! The result of reading a capture, and its judgment.

use std::ffi::OsStr;

use wiresum_packet::{Cause, Field, Status};

use super::counted::Counted;
use crate::input::name;
use crate::outcome::Outcome;

/// A capture that was read to its end.
pub(super) struct Examined {
    pub(super) path: String,
    pub(super) counted: Counted,
}

/// A capture that could not be read.
pub(super) struct Failure {
    pub(super) path: String,
    pub(super) error: anyhow::Error,
}

impl Failure {
    pub(super) fn new(path: &OsStr, error: anyhow::Error) -> Failure {
        let path = name(path);
        Failure { path, error }
    }
}

/// The counts of all files together.
pub(super) fn sum_of(examined: &[Examined]) -> Counted {
    let mut total = Counted::default();
    for capture in examined {
        total += &capture.counted;
    }
    total
}

/// Bad if a checksum is bad or illegal, except for the allowed causes.
pub(super) fn judge(counted: &Counted, allow: &[Cause]) -> Outcome {
    let total = counted.total();
    if total.bad + total.illegal > allowed(counted, allow) {
        Outcome::Bad
    } else {
        Outcome::Good
    }
}

/// Whether a checksum was judged, whatever the judgment.
pub(super) fn is_verified(counted: &Counted) -> bool {
    let total = counted.total();
    total.good + total.bad + total.illegal > 0
}

/// How many checksums are bad or illegal for one of these causes.
pub(super) fn allowed(counted: &Counted, allow: &[Cause]) -> u64 {
    counted
        .causes()
        .filter(|(_, cause, _)| allow.iter().any(|allow| allow.key() == cause.key()))
        .map(|(.., n)| n)
        .sum()
}

/// Whether a checksum is bad or illegal. A quoted one never is, whatever its status.
pub(super) fn is_wrong(field: &Field, status: Status) -> bool {
    matches!(status, Status::Bad(_) | Status::Illegal) && !field.quoted
}
