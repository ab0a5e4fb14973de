// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ctrl-C as the end of input, so that a command that runs until ctrl-C still prints its summary.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Catches signals: the first SIGINT, SIGTERM or SIGHUP only makes [`happened`] true, and the
/// second ends the program.
pub(crate) fn catch() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(128 + 2); // the status of a program that SIGINT ended
        }
    })
    .context("ctrl-C cannot be caught")
}

/// Whether a signal has ended the input.
pub(crate) fn happened() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
