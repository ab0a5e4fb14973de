// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum verify`: reads captures, and gives their verdicts to the outputs.

mod brief;
mod captures;
#[cfg(feature = "arrow")]
pub mod columns;
mod counted;
mod csv;
mod examined;
mod filter;
mod html;
mod json;
mod list;
#[cfg(any(feature = "live", feature = "xdp"))]
mod live;
mod nothing;
mod outputs;
#[cfg(feature = "parquet")]
mod parquet;
mod read;
#[cfg(feature = "parquet")]
mod results;
mod row;
mod sentence;
mod table;
mod unjudged;
mod why;

use std::ffi::OsString;
use std::fs;
use std::num::NonZeroUsize;

use rayon::prelude::*;
use wiresum_packet::Tally;

#[cfg(not(feature = "parquet"))]
use crate::args::ReportOptions;
use crate::args::{Shown, VerifyOptions};
use crate::input::{Found, captures, name};
use crate::outcome::{Outcome, complain};
use crate::progress::Progress;
use examined::{Examined, Failure, is_verified, judge};
use json::Lines;
use outputs::Outputs;
use read::{read, read_counting};
use unjudged::Entry;

pub use captures::{Captures, count, csv, tell};
pub use filter::{Filter, Filtered};

/// The counts of one capture as the JSON that `verify --json` has for it.
pub fn counts(path: &str, tally: &Tally) -> serde_json::Result<String> {
    json::counts(path, tally)
}

/// A count of a capture, as a row.
pub struct Count {
    /// The member of the JSON that has it.
    pub what: String,
    pub protocol: Option<String>,
    /// Of what it is the number, such as a status or a cause.
    pub name: Option<String>,
    pub n: u64,
}

/// The counts of one capture as rows, instead of the JSON.
pub fn count_rows(tally: &Tally) -> serde_json::Result<Vec<Count>> {
    json::rows(tally)
}

pub(crate) fn run(options: &VerifyOptions) -> anyhow::Result<Outcome> {
    if options.files.iter().filter(|path| *path == "-").count() > 1 {
        anyhow::bail!("- is named twice, but standard input can be read only once");
    }
    if options.follow && options.files.len() > 1 {
        anyhow::bail!("--follow takes one capture");
    }
    let files = if options.live.is_some() || options.follow {
        options.files.iter().cloned().map(Ok).collect()
    } else {
        captures(&options.files)?
    };
    let progress = Progress::new(total_size(&files));
    let jobs = options.jobs.threads();
    let mut outputs = Outputs::open(options)?;
    let lines = options.shown.jsonl.then(Lines::default);
    let put = |number, result: &_, unjudged: Option<&[Entry]>| match &lines {
        Some(lines) => progress.suspend(|| lines.put(number, result, unjudged)),
        None => Ok(()),
    };
    let results: Vec<_> = if let Some(interface) = &options.live {
        let result = live(interface, options, outputs.of(interface, &progress))?;
        put(0, &result, outputs.unjudged())?;
        vec![result]
    } else if outputs.take_verdicts() {
        // The files are read one after the other, so that rows are written in order and take no
        // memory.
        let mut results = Vec::new();
        for (number, file) in files.into_iter().enumerate() {
            let result = match file {
                Ok(path) => {
                    let collector = outputs.of(&name(&path), &progress);
                    let result = read(&path, options, &progress, jobs, collector)?;
                    outputs.end(&result);
                    result
                }
                Err((path, error)) => Err(Failure::new(&path, error)),
            };
            put(number, &result, outputs.unjudged())?;
            results.push(result);
        }
        results
    } else {
        let share = jobs.get() / files.len().max(1);
        let workers = NonZeroUsize::new(share).unwrap_or(NonZeroUsize::MIN);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs.get());
        pool.build()?.install(|| {
            files
                .into_par_iter()
                .enumerate()
                .map(|(number, file)| {
                    let result = match file {
                        Ok(path) => read_counting(&path, options, &progress, workers)?,
                        Err((path, error)) => Err(Failure::new(&path, error)),
                    };
                    put(number, &result, None)?;
                    Ok(result)
                })
                .collect::<anyhow::Result<_>>()
        })?
    };
    progress.finish();

    let (mut examined, mut failures) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(capture) => examined.push(capture),
            Err(failure) => failures.push(failure),
        }
    }
    outputs.finish(&examined, &failures)?;

    Ok(end(&examined, &failures, &options.shown))
}

/// Prints why captures could not be read, and judges the others.
fn end(examined: &[Examined], failures: &[Failure], shown: &Shown) -> Outcome {
    for Failure { path, error } in failures {
        complain(path, error);
    }
    let judge = |capture: &Examined| {
        if shown.require_verified && !is_verified(&capture.counted) {
            complain(
                &capture.path,
                &anyhow::anyhow!("no checksum could be verified"),
            );
            return Outcome::Bad;
        }
        judge(&capture.counted, &shown.allow)
    };
    let judged = examined.iter().map(judge).max();
    if failures.is_empty() {
        judged.unwrap_or(Outcome::Good)
    } else {
        Outcome::Failed
    }
}

#[cfg(feature = "parquet")]
pub(crate) use results::run as report;

#[cfg(not(feature = "parquet"))]
pub(crate) fn report(_: &ReportOptions) -> anyhow::Result<Outcome> {
    Err(without_parquet("report"))
}

/// The error of a build that cannot read or write Parquet.
#[cfg(not(feature = "parquet"))]
fn without_parquet(what: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "this wiresum was built without {what}; in its sources this installs one that has it: \
         cargo install --path cli --features parquet"
    )
}

#[cfg(any(feature = "live", feature = "xdp"))]
use live::verify as live;

#[cfg(not(any(feature = "live", feature = "xdp")))]
fn live(
    _: &str,
    options: &VerifyOptions,
    _: impl wiresum_packet::Collector,
) -> anyhow::Result<Result<examined::Examined, Failure>> {
    Err(match options.xdp {
        Some(_) => without_xdp(),
        None => without_live(),
    })
}

#[cfg(not(feature = "live"))]
fn without_live() -> anyhow::Error {
    anyhow::anyhow!(
        "this wiresum was built without --live; install libpcap (Debian's package is libpcap-dev), \
         and then, in its sources: cargo install --path cli --features live"
    )
}

#[cfg(not(feature = "xdp"))]
fn without_xdp() -> anyhow::Error {
    anyhow::anyhow!(
        "this wiresum was built without --xdp; install clang and the headers of libbpf (Debian's \
         packages are clang and libbpf-dev), and then, on Linux, in its sources: \
         cargo install --path cli --features xdp"
    )
}

/// The size of all captures together in bytes. None if one of them is not a regular file.
fn total_size(files: &[Found]) -> Option<u64> {
    let size = |path: &OsString| {
        fs::metadata(path)
            .ok()
            .filter(|m| m.is_file())
            .map(|m| m.len())
    };
    files.iter().flatten().map(size).sum()
}
