// SPDX-License-Identifier: MIT OR Apache-2.0
//! A progress bar on standard error, if that is a terminal and the work takes half a second.

use std::io::{self, IsTerminal, Read};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// The time before the bar appears.
const PATIENCE: Duration = Duration::from_millis(500);

/// One bar for all files of a command. Clones share the bar.
#[derive(Clone)]
pub(crate) struct Progress {
    /// None if standard error is not a terminal.
    bar: Option<ProgressBar>,
    started: Instant,
}

impl Progress {
    /// Starts the bar. `total` is the size of all files in bytes, if it is known.
    pub(crate) fn new(total: Option<u64>) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
            let style = match total {
                Some(_) => "{bar:40} {bytes}/{total_bytes}, {bytes_per_sec}, {eta} left",
                None => "{spinner} {bytes}, {bytes_per_sec}",
            };
            bar.with_style(ProgressStyle::with_template(style).expect("a valid template"))
        });
        Progress {
            bar,
            started: Instant::now(),
        }
    }

    /// Counts the bytes that are read from a reader.
    pub(crate) fn watch<R: Read>(&self, reader: R) -> Watched<R> {
        Watched {
            reader,
            progress: self.clone(),
        }
    }

    /// Hides the bar while `print` prints to the terminal.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    /// Counts bytes that were read.
    pub(crate) fn add(&self, bytes: usize) {
        let Some(bar) = &self.bar else { return };
        bar.inc(bytes as u64);
        if bar.is_hidden() && self.started.elapsed() >= PATIENCE {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

/// A reader that reports its bytes to the bar.
pub(crate) struct Watched<R> {
    reader: R,
    progress: Progress,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(buf)?;
        self.progress.add(read);
        Ok(read)
    }
}
