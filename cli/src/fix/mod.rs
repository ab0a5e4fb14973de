// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum fix`: writes a capture in which every checksum that can be computed is right. `wiresum
//! undo` restores the original.

mod json;
mod record;
mod table;
mod target;
mod temporary;
pub mod undo;

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Write};

use anyhow::{Context, bail};
use wiresum_packet::fix::{Change, Output};
use wiresum_packet::{Capture, ExamineError, Repairs, fix};

use crate::args::FixOptions;
use crate::input::{advise, name, open};
use crate::outcome::{Outcome, is_broken_pipe};
use crate::output::is_same;
use crate::progress::Progress;
use record::{Record, is_elsewhere};
use target::Target;

pub(crate) fn run(options: &FixOptions) -> anyhow::Result<Outcome> {
    let input = name(&options.input);
    check(options)?;
    let size = fs::metadata(&options.input)
        .ok()
        .filter(fs::Metadata::is_file);
    let progress = Progress::new(size.map(|metadata| metadata.len()));
    let reader = open(&options.input).with_context(|| input.clone())?;
    let is_piped = options.out.as_ref().is_some_and(|out| out == "-") && !options.dry_run;
    let repairs = repair(options, progress.watch(reader), |repairs| {
        progress.finish();
        if is_piped {
            report(&mut anstream::stderr().lock(), options, repairs)
        } else {
            report(&mut anstream::stdout().lock(), options, repairs)
        }
    });
    progress.finish(); // before an error is printed
    Ok(if repairs?.bad() > 0 {
        Outcome::Bad
    } else {
        Outcome::Good
    })
}

/// Repairs the capture that `reader` reads, as the options say. `report` is called when all is
/// ready and no file has its name yet. If it fails, except with a closed pipe, nothing is written.
pub fn repair(
    options: &FixOptions,
    reader: impl Read + Send,
    report: impl FnOnce(&Repairs) -> anyhow::Result<()>,
) -> anyhow::Result<Repairs> {
    let input = name(&options.input);
    let capture = Capture::open(reader)
        .map_err(|error| advise(&options.input, error).context(input.clone()))?;

    let target = match &options.out {
        _ if options.dry_run => None,
        Some(out) => Some(
            Target::new(out, capture.compression(), options.force).with_context(|| name(out))?,
        ),
        None => Some(
            Target::in_place(&options.input, capture.compression())
                .with_context(|| input.clone())?,
        ),
    };
    let out = options.out.as_ref().unwrap_or(&options.input);
    let spool = target.as_ref().map(Target::spool).transpose();
    let mut spool = spool.with_context(|| name(out))?;
    let record = match &options.undo {
        Some(path) => Some(Record::new(path, options.force)?),
        None => None,
    };
    let place = spool.as_ref().map(|spool| spool.place(out));
    let mut copy = Copy {
        file: spool.as_mut().map(|spool| spool.file()),
        place: place.unwrap_or_default(),
        record,
    };
    let wanted = |key: &str| options.only.is_empty() || options.only.iter().any(|only| only == key);
    let repairs = fix(capture, options.jobs.threads(), wanted, &mut copy);
    let repairs = match repairs {
        Ok(repairs) => repairs,
        Err(ExamineError::Capture(error)) => return Err(error).with_context(|| input),
        Err(ExamineError::Collector(error)) => return Err(error.into()),
    };
    let record = match copy {
        Copy {
            file: Some(file),
            record: Some(record),
            ..
        } => {
            let named = record.name();
            Some(record.finish(file).context(named)?)
        }
        _ => None,
    };
    let ready = match (target, spool) {
        (Some(target), Some(spool)) => Some(target.ready(spool).with_context(|| name(out))?),
        _ => None,
    };

    // If the report cannot be written, neither is OUT. A reader who closes the pipe early does not
    // want the rest of the report, and wants OUT.
    let reported = match report(&repairs) {
        Err(error) if !is_broken_pipe(&error) => {
            return Err(error.context("the report cannot be written, so nothing is"));
        }
        reported => reported,
    };
    // The record is first, so that every capture that is in place can be restored.
    if let Some(record) = record {
        record.publish()?;
    }
    if let Some(ready) = ready {
        ready.publish().with_context(|| name(out))?;
    }
    reported?;
    Ok(repairs)
}

/// The counts of a repair as the JSON that `fix --json` prints.
pub fn counts(options: &FixOptions, repairs: &Repairs) -> serde_json::Result<String> {
    json::counts(options, repairs)
}

/// The counts of a repair as the table that `fix` prints, without colors.
pub fn table(options: &FixOptions, repairs: &Repairs) -> anyhow::Result<String> {
    let mut out = Vec::new();
    table::print(&mut out, options, repairs)?;
    let text = anstream::adapter::strip_bytes(&out).into_vec();
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn report(out: &mut impl Write, options: &FixOptions, repairs: &Repairs) -> anyhow::Result<()> {
    if options.json {
        json::print(out, options, repairs)?;
    } else {
        table::print(out, options, repairs)?;
    }
    Ok(out.flush()?)
}

/// Refuses arguments that contradict each other.
pub fn check(options: &FixOptions) -> anyhow::Result<()> {
    let input = name(&options.input);
    match &options.out {
        Some(_) if options.in_place => bail!("--in-place replaces {input}; leave out OUT"),
        Some(out) if is_same(&options.input, out) => {
            bail!("{input} is both IN and OUT; --in-place repairs a capture in its place")
        }
        None if !options.in_place && !options.dry_run => {
            bail!("there is no output; name OUT (- is standard output), --in-place or --dry-run")
        }
        None if options.in_place && options.input == "-" => {
            bail!("standard input cannot be repaired in place; name OUT")
        }
        _ => {}
    }
    if let Some(record) = &options.undo {
        let out = options.out.as_ref().unwrap_or(&options.input);
        if !is_elsewhere(record, [&options.input, out]) {
            bail!("the undo record needs a file of its own, and not standard output");
        }
    }
    Ok(())
}

/// The copy of the capture and the record of its changes, if they are wanted.
struct Copy<'a> {
    file: Option<&'a mut File>,
    /// What a failure to write the file is about.
    place: String,
    record: Option<Record>,
}

/// Names the file that cannot be written.
fn about(place: &str) -> impl FnOnce(io::Error) -> io::Error {
    move |error| match error.kind() {
        ErrorKind::BrokenPipe => error,
        kind => io::Error::new(kind, format!("{place}: {error}")),
    }
}

impl Output for Copy<'_> {
    fn write(&mut self, bytes: &[u8], changes: &[Change]) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            Output::write(file, bytes, changes).map_err(about(&self.place))?;
        }
        match &mut self.record {
            Some(record) => {
                let written = record.write(bytes, changes);
                written.map_err(|error| about(&record.name())(error))
            }
            None => Ok(()),
        }
    }

    fn patch(&mut self, change: &Change) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.patch(change).map_err(about(&self.place))?;
        }
        match &mut self.record {
            Some(record) => {
                let written = record.change(change);
                written.map_err(|error| about(&record.name())(error))
            }
            None => Ok(()),
        }
    }
}
