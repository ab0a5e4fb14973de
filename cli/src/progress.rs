// SPDX-License-Identifier: MIT OR Apache-2.0
//! A progress bar for what takes its time: on a terminal, and only after half a second.

use std::io::{self, IsTerminal, Read};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const PATIENCE: Duration = Duration::from_millis(500);

/// One bar for all files of a command. Clones are the same bar.
#[derive(Clone)]
pub(crate) struct Progress {
    /// None where standard error is no terminal.
    bar: Option<ProgressBar>,
    started: Instant,
}

impl Progress {
    /// Begins to count, up to so many bytes if that is known.
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

    /// Counts what is read of a reader.
    pub(crate) fn watch<R: Read>(&self, reader: R) -> Watched<R> {
        Watched {
            reader,
            progress: self.clone(),
        }
    }

    /// Does something that prints to a terminal, with the bar out of the way.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn add(&self, bytes: usize) {
        let Some(bar) = &self.bar else { return };
        bar.inc(bytes as u64);
        if bar.is_hidden() && self.started.elapsed() >= PATIENCE {
            bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }
}

/// A reader whose bytes are counted.
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
