// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a command ends: its exit status, and its message if it fails.

use std::fmt::Display;

/// The result of a command, which is also its exit status. A command that fails returns an error or
/// [`Outcome::Failed`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Nothing is bad.
    Good = 0,
    /// A checksum in the data is bad.
    Bad = 1,
    /// The command, or a part of it, failed.
    Failed = 2,
}

/// Prints on standard error where an error happened, and what it is.
pub(crate) fn complain(place: impl Display, error: &anyhow::Error) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    anstream::eprintln!("{style}wiresum:{style:#} {place}: {error:#}");
}
