// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a command ends: the exit status, and the message if it fails.

use std::fmt::Display;

/// What a command found, and with it the exit status. A command that fails says so by an error, or by this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// All is well.
    Good = 0,
    /// Something in the data is bad.
    Bad = 1,
    /// The command, or a part of it, failed.
    Failed = 2,
}

/// Tells a person what went wrong, and where, on standard error.
pub(crate) fn complain(place: impl Display, error: &anyhow::Error) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    anstream::eprintln!("{style}wiresum:{style:#} {place}: {error:#}");
}
