// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum fix`: writes a capture in which every checksum that can be computed is right. `wiresum
//! undo` restores the original.

mod json;
mod record;
mod table;
mod target;
pub(crate) mod undo;

use std::fs::{self, File};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::thread;

use anyhow::{Context, bail};
use wiresum_packet::fix::{Change, Output};
use wiresum_packet::{Capture, ExamineError, Repairs, fix};

use crate::args::FixOptions;
use crate::input::{advise, name, open};
use crate::outcome::Outcome;
use crate::progress::Progress;
use record::{Record, is_elsewhere};
use target::{Target, is_same};

pub(crate) fn run(options: &FixOptions) -> anyhow::Result<Outcome> {
    let input = name(&options.input);
    check(options, &input)?;
    let size = fs::metadata(&options.input)
        .ok()
        .filter(fs::Metadata::is_file);
    let progress = Progress::new(size.map(|metadata| metadata.len()));
    let reader = open(&options.input).with_context(|| input.clone())?;
    let capture = Capture::open(progress.watch(reader))
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
    let mut spool = target.as_ref().map(Target::spool).transpose()?;
    let record = match &options.undo {
        Some(path) => Some(Record::new(path, options.force)?),
        None => None,
    };
    let mut copy = Copy {
        file: spool.as_mut().map(|spool| spool.file()),
        record,
    };
    let wanted = |key: &str| options.only.is_empty() || options.only.iter().any(|only| only == key);
    let cores = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let repairs = fix(capture, cores, wanted, &mut copy);
    progress.finish();
    let repairs = match repairs {
        Ok(repairs) => repairs,
        Err(ExamineError::Capture(error)) => return Err(error).with_context(|| input),
        Err(ExamineError::Collector(error)) => return Err(error).context("the output"),
    };
    if let Copy {
        file: Some(file),
        record: Some(record),
    } = copy
    {
        record.finish(file)?; // first, so that every capture that is in place can be restored
    }
    if let (Some(target), Some(spool)) = (target, spool) {
        let out = options.out.as_ref().unwrap_or(&options.input);
        target.take(spool).with_context(|| name(out))?;
    }

    if options.out.as_ref().is_some_and(|out| out == "-") && !options.dry_run {
        report(&mut anstream::stderr().lock(), options, &repairs)?;
    } else {
        report(&mut anstream::stdout().lock(), options, &repairs)?;
    }
    Ok(if repairs.bad() > 0 {
        Outcome::Bad
    } else {
        Outcome::Good
    })
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
fn check(options: &FixOptions, input: &str) -> anyhow::Result<()> {
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
    record: Option<Record>,
}

impl Output for Copy<'_> {
    fn write(&mut self, bytes: &[u8], changes: &[Change]) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            Output::write(file, bytes, changes)?;
        }
        match &mut self.record {
            Some(record) => record.write(bytes, changes),
            None => Ok(()),
        }
    }

    fn patch(&mut self, change: &Change) -> io::Result<()> {
        if let Some(file) = &mut self.file {
            file.patch(change)?;
        }
        match &mut self.record {
            Some(record) => record.change(change),
            None => Ok(()),
        }
    }
}
