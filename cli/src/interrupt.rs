// SPDX-License-Identifier: MIT OR Apache-2.0
//! SIGINT (ctrl-C), SIGTERM and SIGHUP. A command that runs until ctrl-C still prints its summary,
//! and no command leaves a temporary file.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};

use anyhow::Context;

/// WebAssembly has no signals.
#[cfg(target_family = "wasm")]
mod ctrlc {
    use std::io;

    pub(super) fn set_handler(_: impl FnMut() + Send + 'static) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether signals are this program's to catch. In a Python process they are Python's.
static OURS: AtomicBool = AtomicBool::new(false);

/// The files to remove when a signal ends the program.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The status of a program that SIGINT ended.
const STATUS: i32 = 128 + 2;

/// Lets the functions of this module catch signals.
pub(crate) fn take_over() {
    OURS.store(true, Ordering::Relaxed);
}

/// Catches signals: the first one only makes [`happened`] true, and the second ends the program.
pub(crate) fn catch() -> anyhow::Result<()> {
    ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(STATUS);
        }
    })
    .context("ctrl-C cannot be caught")
}

/// Whether a signal has ended the input.
pub(crate) fn happened() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}

/// A file that a signal removes, while this value lives.
pub(crate) struct RemovedBySignal(PathBuf);

impl RemovedBySignal {
    /// Creates the file with `create`. A signal comes before this or after it. Where signals are
    /// not [ours](take_over), only the end of the value that holds the file removes it.
    pub(crate) fn create<T>(
        path: &Path,
        create: impl FnOnce(&Path) -> io::Result<T>,
    ) -> io::Result<(T, RemovedBySignal)> {
        static CATCH: Once = Once::new();
        let catch = || {
            // If signals cannot be caught, they leave the file, and the command still works.
            let _ = ctrlc::set_handler(|| {
                for path in &*files() {
                    let _ = std::fs::remove_file(path);
                }
                std::process::exit(STATUS);
            });
        };
        if OURS.load(Ordering::Relaxed) {
            CATCH.call_once(catch);
        }
        let mut files = files();
        let created = create(path)?;
        files.push(path.to_owned());
        Ok((created, RemovedBySignal(path.to_owned())))
    }
}

impl Drop for RemovedBySignal {
    fn drop(&mut self) {
        files().retain(|path| *path != self.0);
    }
}

fn files() -> std::sync::MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}
