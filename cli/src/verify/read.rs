// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads a capture, and gives its verdicts to a collector.

use std::ffi::OsStr;
#[cfg(target_os = "linux")]
use std::fs::{self, File};
use std::io::Read;
use std::num::NonZeroUsize;

#[cfg(target_os = "linux")]
use wiresum_packet::examine_in_memory;
use wiresum_packet::{Capture, Collector, ExamineError, Reassembly, Tally, examine_all};

use super::counted::Counted;
use super::examined::{Examined, Failure};
use super::nothing::Nothing;
use crate::args::VerifyOptions;
use crate::follow::follow;
use crate::input::{advise, name, open};
#[cfg(target_os = "linux")]
use crate::mapped::Mapped;
use crate::progress::Progress;

/// Reads a capture to its end. The inner error comes from the capture, which lets the others go on.
/// The outer error comes from the collector, such as standard output.
pub(super) fn read(
    path: &OsStr,
    options: &VerifyOptions,
    progress: &Progress,
    workers: NonZeroUsize,
    collector: impl Collector + Send,
) -> anyhow::Result<Result<Examined, Failure>> {
    let reader = if options.follow {
        follow(path)
    } else {
        open(path)
    };
    match reader {
        Ok(reader) => {
            let reader = progress.watch(reader);
            read_stream(
                &name(path),
                reader,
                options.reassembly(),
                workers,
                collector,
            )
        }
        Err(error) => Ok(Err(Failure::new(path, error))),
    }
}

/// Reads a capture to its end, as [`read`] does, and only counts.
pub(super) fn read_counting(
    path: &OsStr,
    options: &VerifyOptions,
    progress: &Progress,
    workers: NonZeroUsize,
) -> anyhow::Result<Result<Examined, Failure>> {
    #[cfg(target_os = "linux")]
    if workers == NonZeroUsize::MIN
        && !options.follow
        && let Some(counted) = count_mapped(path, options, progress)
    {
        let path = name(path);
        return Ok(Ok(Examined { path, counted }));
    }
    read(path, options, progress, workers, Nothing)
}

/// Counts in a file that is mapped, on this thread. Returns `None` if the file must be read: it is
/// no plain pcap, or it changes.
#[cfg(target_os = "linux")]
fn count_mapped(path: &OsStr, options: &VerifyOptions, progress: &Progress) -> Option<Counted> {
    if path == "-" || !fs::metadata(path).ok()?.is_file() {
        return None; // to open a pipe would take it from the reader
    }
    let file = Mapped::of(File::open(path).ok()?, progress.clone())?;
    let mut tally = Tally::default();
    let malformed = examine_in_memory(&file, options.reassembly(), &mut tally).ok()??;
    tally.add_malformed(&malformed);
    Some(Counted::from(&tally))
}

/// Reads a capture that is open, as [`read`] does.
pub(super) fn read_stream(
    path: &str,
    reader: impl Read + Send,
    reassembly: Option<Reassembly>,
    workers: NonZeroUsize,
    collector: impl Collector + Send,
) -> anyhow::Result<Result<Examined, Failure>> {
    let path = path.to_owned();
    let mut capture = match Capture::open(reader) {
        Ok(capture) => capture,
        Err(error) => {
            let error = advise(path.as_ref(), error);
            return Ok(Err(Failure { path, error }));
        }
    };
    let mut collectors = (Tally::default(), collector);
    match examine_all(&mut capture, workers, reassembly, &mut collectors) {
        Ok(()) => {
            let mut tally = collectors.0;
            tally.add_malformed(capture.malformed());
            let counted = Counted::from(&tally);
            Ok(Ok(Examined { path, counted }))
        }
        Err(ExamineError::Capture(error)) => {
            let error = error.into();
            Ok(Err(Failure { path, error }))
        }
        Err(ExamineError::Collector(error)) => Err(error.into()),
    }
}
