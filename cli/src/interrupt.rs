// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ctrl-C as the end of input: what goes on until somebody stops it still ends with its summary.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on, the first SIGINT, SIGTERM or SIGHUP is only told by [`happened`]. The second ends the program.
pub(crate) fn catch() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(128 + 2); // as SIGINT would have ended it
        }
    })
    .context("ctrl-C cannot be caught")
}

/// Whether the input is to end.
pub(crate) fn happened() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
