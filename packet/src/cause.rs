// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a bad checksum is bad.
//!
//! A cause is a hypothesis of what the sender did, which foretells what the field holds: it is the cause if the field holds just that.
//! The hypotheses are tried in the order of their list, so that the first that fits is the one.

use std::fmt;

use crate::verdict::{expected, pseudo_sum};
use crate::walk::Field;

/// Why a bad checksum is bad.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Cause {
    /// The field holds the sum of the pseudo-header: the sender left the rest to the network card (checksum offload), and the packet was
    /// captured before it got there. Nothing was wrong on the wire.
    Offload {
        /// Whether the length is in that sum. It is not if the card was also to cut the packet into segments.
        with_length: bool,
    },
    /// A TCP field holds 0xFFFF where 0x0000 is due. The sum comes out right all the same, and receivers take it; but no sender
    /// computes it so, but for one that updates by RFC 1141 (RFC 1624 section 3).
    NegativeZero,
    /// None of the above.
    Unknown,
}

impl Cause {
    /// The names of all causes.
    pub const KEYS: [&'static str; 3] = ["offload", "negative-zero", "unknown"];

    /// Returns its name in every output. It never changes.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Cause::Offload { .. } => "offload",
            Cause::NegativeZero => "negative-zero",
            Cause::Unknown => "unknown",
        }
    }

    /// Returns a few words for a person: the name, and what tells its kinds apart.
    #[must_use]
    pub const fn label(self) -> &'static str {
        match self {
            Cause::Offload { with_length: true } => "offload",
            Cause::Offload { with_length: false } => "offload without length",
            _ => self.key(),
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}

/// A hypothesis: the cause, if the field of this frame holds what it foretells.
type Hypothesis = fn(data: &[u8], field: &Field, found: u32) -> Option<Cause>;

const HYPOTHESES: [Hypothesis; 2] = [negative_zero, offload];

/// The cause of a bad checksum.
pub(crate) fn of(data: &[u8], field: &Field, found: u32) -> Cause {
    HYPOTHESES
        .iter()
        .find_map(|hypothesis| hypothesis(data, field, found))
        .unwrap_or(Cause::Unknown)
}

fn offload(_data: &[u8], field: &Field, found: u32) -> Option<Cause> {
    let pseudo = field.pseudo.as_ref()?;
    let holds = |len| found == u32::from(pseudo_sum(pseudo, len).value());
    match (holds(pseudo.len), holds(0)) {
        (true, _) => Some(Cause::Offload { with_length: true }),
        (_, true) => Some(Cause::Offload { with_length: false }),
        _ => None,
    }
}

/// Looked for first: it is certain, as the sum comes out right.
fn negative_zero(data: &[u8], field: &Field, found: u32) -> Option<Cause> {
    let right = found == 0xffff && expected(data, field)? == 0x0000;
    right.then_some(Cause::NegativeZero)
}
