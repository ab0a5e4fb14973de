// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum verify`: reads captures, and hands their verdicts to a table, to JSON or to a list.

mod json;
mod list;
mod table;

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write;

use rayon::prelude::*;
use wiresum_packet::{Capture, Field, OpenError, Sink, Status, Tally, examine};

use crate::args::{Allow, VerifyOptions};
use crate::progress::Progress;
use crate::{Outcome, complain, name, open};
use list::List;

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
    let progress = Progress::new(total_size(&options.files));
    let results: Vec<_> = if options.list {
        // One after the other: lines come out while files are read, in order, and take no memory.
        let mut out = anstream::stdout().lock();
        options
            .files
            .iter()
            .map(|path| {
                let mut list = List::new(&mut out, &progress, name(path));
                let result = read(path, &progress, &mut list);
                list.finish()?;
                Ok(result)
            })
            .collect::<anyhow::Result<_>>()?
    } else {
        options
            .files
            .par_iter()
            .map(|path| read(path, &progress, &mut Nothing))
            .collect()
    };
    progress.finish();

    let (mut reports, mut failures) = (Vec::new(), Vec::new());
    for result in results {
        match result {
            Ok(report) => reports.push(report),
            Err(failure) => failures.push(failure),
        }
    }
    let mut out = anstream::stdout().lock();
    if options.json {
        json::print(&mut out, &reports, &failures)?;
    } else if !options.list {
        table::print(&mut out, &reports, &options.allow)?;
    }
    out.flush()?;

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

/// Reads one capture to its end.
fn read(path: &OsStr, progress: &Progress, sink: &mut impl Sink) -> Result<Report, Failure> {
    let mut sinks = (Tally::default(), sink);
    let malformed = (|| {
        let reader = progress.watch(open(path)?);
        let mut capture = Capture::open(reader).map_err(|error| advise(path, error))?;
        while let Some(frame) = capture.next_frame()? {
            examine(&frame, &mut sinks);
        }
        Ok(capture.malformed().clone())
    })();
    let path = name(path);
    match malformed {
        Ok(malformed) => {
            let mut tally = sinks.0;
            tally.add_malformed(&malformed);
            Ok(Report { path, tally })
        }
        Err(error) => Err(Failure { path, error }),
    }
}

/// Why a file is no capture, and what to do about it.
fn advise(path: &OsStr, error: OpenError) -> anyhow::Error {
    let path = name(path);
    match error {
        OpenError::Compressed(by) => anyhow::anyhow!(
            "{error}, which is not read here yet: {by} -dc {path} | wiresum verify -"
        ),
        OpenError::NotACapture => anyhow::anyhow!("{error}; file {path} may tell what it is"),
        _ => error.into(),
    }
}

/// Whether something is bad that is not allowed, or illegal.
fn judge(tally: &Tally, allow: &[Allow]) -> Outcome {
    let bad = tally
        .causes()
        .any(|(_, cause, _)| !allow.iter().any(|allow| allow.matches(cause)));
    if bad || tally.total().illegal > 0 {
        Outcome::Bad
    } else {
        Outcome::Good
    }
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

/// The sink that the table and JSON need beside the tally.
struct Nothing;

impl Sink for Nothing {
    fn verdict(
        &mut self,
        _: &wiresum_packet::Frame<'_>,
        _: &wiresum_packet::Field,
        _: &wiresum_packet::Verdict,
    ) {
    }
}

/// Whether a status makes it to the list, and the file fail unless it is allowed.
fn is_wrong(field: &Field, status: Status) -> bool {
    matches!(status, Status::Bad(_) | Status::Illegal) && !field.quoted
}
