// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum verify`: reads captures, and hands their verdicts to the outputs that are asked for.

mod csv;
mod html;
mod json;
mod list;
#[cfg(feature = "live")]
mod live;
mod outputs;
#[cfg(feature = "parquet")]
mod parquet;
mod row;
mod table;
pub(crate) mod time;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::thread;

use rayon::prelude::*;
use wiresum_packet::{
    Capture, Cause, Collector, ExamineError, Field, Frame, Reassembly, Sink, Status, Tally,
    Verdict, examine_all,
};

use crate::args::VerifyOptions;
use crate::follow::follow;
use crate::progress::Progress;
use crate::{Outcome, advise, complain, name, open};
use outputs::Outputs;

/// A capture that was read to its end.
struct Report {
    path: String,
    tally: Tally,
}

/// A capture that could not be read.
struct Failure {
    path: String,
    error: anyhow::Error,
}

pub(crate) fn run(options: &VerifyOptions) -> anyhow::Result<Outcome> {
    if options.files.iter().filter(|path| *path == "-").count() > 1 {
        anyhow::bail!(
            "- stands twice on the command line, but standard input can be read only once"
        );
    }
    if options.follow && options.files.len() > 1 {
        anyhow::bail!("--follow goes with one capture");
    }
    let progress = Progress::new(total_size(&options.files));
    let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let mut outputs = Outputs::open(options)?;
    let results: Vec<_> = if let Some(interface) = &options.live {
        vec![live(interface, options, outputs.of(interface, &progress))?]
    } else if outputs.take_verdicts() {
        // One after the other: rows come out while files are read, in order, and take no memory.
        let mut results = Vec::new();
        for path in &options.files {
            let collector = outputs.of(&name(path), &progress);
            let result = read(path, options, &progress, cores, collector)?;
            outputs.end(&result);
            results.push(result);
        }
        results
    } else {
        let share = cores.get() / options.files.len();
        let workers = NonZeroUsize::new(share).unwrap_or(NonZeroUsize::MIN);
        options
            .files
            .par_iter()
            .map(|path| read(path, options, &progress, workers, Nothing))
            .collect::<anyhow::Result<_>>()?
    };
    progress.finish();

    let (mut reports, mut failures) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(report) => reports.push(report),
            Err(failure) => failures.push(failure),
        }
    }
    outputs.finish(&reports, &failures)?;

    for Failure { path, error } in &failures {
        complain(path, error);
    }
    let judged = reports
        .iter()
        .map(|report| judge(&report.tally, &options.allow))
        .max();
    Ok(if failures.is_empty() {
        judged.unwrap_or(Outcome::Good)
    } else {
        Outcome::Failed
    })
}

/// Reads one capture to its end. What fails beside the capture, such as standard output, is an error.
fn read(
    path: &OsStr,
    options: &VerifyOptions,
    progress: &Progress,
    workers: NonZeroUsize,
    collector: impl Collector + Send,
) -> anyhow::Result<Result<Report, Failure>> {
    let reader = if options.follow {
        follow(path)
    } else {
        open(path)
    };
    match reader {
        Ok(reader) => {
            let reader = progress.watch(reader);
            read_stream(&name(path), reader, options, workers, collector)
        }
        Err(error) => {
            let path = name(path);
            Ok(Err(Failure { path, error }))
        }
    }
}

/// Judges what comes in on a network interface.
#[cfg(feature = "live")]
use live::verify as live;

#[cfg(not(feature = "live"))]
fn live(_: &str, _: &VerifyOptions, _: impl Collector) -> anyhow::Result<Result<Report, Failure>> {
    anyhow::bail!(
        "this wiresum was built without --live; build it with libpcap there (Debian's package is libpcap-dev): cargo build --release --features live"
    )
}

/// The same of what is open already.
fn read_stream(
    path: &str,
    reader: impl Read + Send,
    options: &VerifyOptions,
    workers: NonZeroUsize,
    collector: impl Collector + Send,
) -> anyhow::Result<Result<Report, Failure>> {
    let path = path.to_owned();
    let mut capture = match Capture::open(reader) {
        Ok(capture) => capture,
        Err(error) => {
            let error = advise(path.as_ref(), error);
            return Ok(Err(Failure { path, error }));
        }
    };
    let reassembly = (!options.no_reassemble).then(Reassembly::default);
    let mut collectors = (Tally::default(), collector);
    match examine_all(&mut capture, workers, reassembly, &mut collectors) {
        Ok(()) => {
            let mut tally = collectors.0;
            tally.add_malformed(capture.malformed());
            Ok(Ok(Report { path, tally }))
        }
        Err(ExamineError::Capture(error)) => {
            let error = error.into();
            Ok(Err(Failure { path, error }))
        }
        Err(ExamineError::Collector(error)) => Err(error.into()),
    }
}

/// Whether something is bad that is not allowed, or illegal.
fn judge(tally: &Tally, allow: &[Cause]) -> Outcome {
    let total = tally.total();
    if total.bad + total.illegal > allowed(tally, allow) {
        Outcome::Bad
    } else {
        Outcome::Good
    }
}

/// How many checksums are bad or illegal for one of these causes.
fn allowed(tally: &Tally, allow: &[Cause]) -> u64 {
    tally
        .causes()
        .filter(|(_, cause, _)| allow.iter().any(|allow| allow.key() == cause.key()))
        .map(|(.., n)| n)
        .sum()
}

/// The size of all files together, if all are files.
fn total_size(files: &[OsString]) -> Option<u64> {
    let size = |path: &OsString| {
        fs::metadata(path)
            .ok()
            .filter(|m| m.is_file())
            .map(|m| m.len())
    };
    files.iter().map(size).sum()
}

/// What the table and JSON need beside the tally.
#[derive(Clone)]
struct Nothing;

impl Sink for Nothing {
    fn verdict(&mut self, _: &Frame<'_>, _: &Field, _: &Verdict) {}
}

impl Collector for Nothing {
    type Part = Nothing;

    fn part(&self) -> Nothing {
        Nothing
    }

    fn take(&mut self, _: &mut Nothing) -> io::Result<()> {
        Ok(())
    }

    fn is_ordered(&self) -> bool {
        false
    }
}

/// Whether a status makes it to the list, and the file fail unless it is allowed.
fn is_wrong(field: &Field, status: Status) -> bool {
    matches!(status, Status::Bad(_) | Status::Illegal) && !field.quoted
}
