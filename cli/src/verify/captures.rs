// SPDX-License-Identifier: MIT OR Apache-2.0
//! Captures that come from readers, and not from the files of a command line: the results of the
//! page in a browser. The outputs are the same as from the program.

use std::io::{Read, Write};
use std::num::NonZeroUsize;

use wiresum_packet::{Capture, Collector, Examination, Reassembly, Tally};

use super::csv::Csv;
use super::examined::{Examined, Failure};
use super::html::{self, Digest, Part};
use super::json;
use super::nothing::Nothing;
use super::read::{begin, end, read_stream};

/// Captures, read one after the other on the thread of the caller, a step at a time. A collector
/// gets their checksums as well.
pub struct Captures<R: Read, C: Collector> {
    digest: Digest,
    collector: C,
    reading: Option<Reading<R, C::Part>>,
    examined: Vec<Examined>,
    failures: Vec<Failure>,
}

/// A capture that is not read to its end.
struct Reading<R: Read, P> {
    path: String,
    capture: Capture<R>,
    tally: Tally,
    examination: Examination<(Tally, (Part, P))>,
}

impl<R: Read, C: Collector> Captures<R, C> {
    /// No captures yet.
    pub fn new(collector: C) -> Captures<R, C> {
        Captures {
            digest: Digest::new(),
            collector,
            reading: None,
            examined: Vec::new(),
            failures: Vec::new(),
        }
    }

    /// The collector.
    pub fn collector(&mut self) -> &mut C {
        &mut self.collector
    }

    /// Begins to read a capture. If it cannot be read, the outputs have the error.
    pub fn begin(&mut self, name: &str, reader: R) {
        self.digest.begin();
        match begin(name, reader) {
            Ok(capture) => {
                let all = (Tally::default(), (&mut self.digest, &mut self.collector));
                let examination = Examination::new(Some(Reassembly::default()), &all);
                self.reading = Some(Reading {
                    path: name.to_owned(),
                    capture,
                    tally: all.0,
                    examination,
                });
            }
            Err(failure) => self.failed(failure),
        }
    }

    /// Reads some more of the capture. Returns false at its end.
    ///
    /// # Errors
    /// The error of the collector.
    pub fn step(&mut self) -> anyhow::Result<bool> {
        let Some(reading) = &mut self.reading else {
            return Ok(false);
        };
        let mut all = (&mut reading.tally, (&mut self.digest, &mut self.collector));
        let result = reading.examination.step(&mut reading.capture, &mut all);
        if matches!(result, Ok(true)) {
            return Ok(true);
        }
        let Some(Reading {
            path,
            capture,
            tally,
            ..
        }) = self.reading.take()
        else {
            return Ok(false);
        };
        match end(&path, &capture, tally, result.map(drop))? {
            Ok(capture) => self.examined.push(capture),
            Err(failure) => self.failed(failure),
        }
        Ok(false)
    }

    fn failed(&mut self, failure: Failure) {
        self.digest.abandon();
        self.failures.push(failure);
    }

    /// The JSON of `verify --json`.
    ///
    /// # Errors
    /// None that is known.
    pub fn json(&self) -> anyhow::Result<String> {
        let mut out = Vec::new();
        json::print(&mut out, &self.examined, &self.failures, None)?;
        Ok(String::from_utf8(out)?)
    }

    /// The page of `verify --html`.
    ///
    /// # Errors
    /// None that is known.
    pub fn html(&self) -> anyhow::Result<String> {
        let mut out = Vec::new();
        html::write(&mut out, &self.digest, &self.examined, &self.failures, &[])?;
        Ok(String::from_utf8(out)?)
    }
}

/// Counts the checksums of a capture, and returns its object in the JSON of `verify --json`. No
/// other output is made, so this takes the least time.
///
/// # Errors
/// If the capture cannot be read.
pub fn count(name: &str, reader: impl Read + Send) -> anyhow::Result<String> {
    let capture = alone(name, reader, Nothing)?.map_err(|failure| failure.error)?;
    Ok(json::of(&capture.path, &capture.counted)?)
}

/// Writes the rows of `verify --csv`. A capture that cannot be read has the rows up to there.
///
/// # Errors
/// The error of `out`.
pub fn csv<R: Read + Send>(
    out: Box<dyn Write + Send>,
    captures: impl IntoIterator<Item = (String, R)>,
) -> anyhow::Result<()> {
    let mut csv = Csv::new(out, false)?;
    for (name, reader) in captures {
        csv.begin(&name);
        let _ = alone(&name, reader, &mut csv)?;
    }
    Ok(())
}

/// Reads a capture on this thread.
fn alone(
    name: &str,
    reader: impl Read + Send,
    collector: impl Collector + Send,
) -> anyhow::Result<Result<Examined, Failure>> {
    let reassembly = Some(Reassembly::default());
    read_stream(name, reader, reassembly, NonZeroUsize::MIN, collector)
}
