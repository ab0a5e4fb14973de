// SPDX-License-Identifier: MIT OR Apache-2.0
//! How a command ends: its exit status, and its message if it fails.

use std::fmt::Display;
use std::io::{self, ErrorKind};

use crate::input::shown;

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
    let text = shown(&format!("{place}: {error:#}"));
    anstream::eprintln!("{style}wiresum:{style:#} {text}");
}

/// Whether the reader of an output, such as `head`, closed the pipe.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let of_io = cause.downcast_ref().map(io::Error::kind);
        let of_json = || {
            cause
                .downcast_ref()
                .and_then(serde_json::Error::io_error_kind)
        };
        of_io.or_else(of_json) == Some(ErrorKind::BrokenPipe)
    })
}
