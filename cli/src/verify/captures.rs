// SPDX-License-Identifier: MIT OR Apache-2.0
//! Captures that come from readers, and not from the files of a command line: the results of the
//! page in a browser. The outputs are the same as from the program.

use std::io::{Read, Write};
use std::num::NonZeroUsize;

use wiresum_packet::{Collector, Reassembly};

use super::csv::Csv;
use super::examined::{Examined, Failure};
use super::html::{self, Digest};
use super::json;
use super::nothing::Nothing;
use super::read::read_stream;

/// Captures, read one after the other on the thread of the caller.
pub struct Captures {
    digest: Digest,
    examined: Vec<Examined>,
    failures: Vec<Failure>,
}

impl Default for Captures {
    fn default() -> Captures {
        Captures {
            digest: Digest::new(),
            examined: Vec::new(),
            failures: Vec::new(),
        }
    }
}

impl Captures {
    /// Reads a capture to its end, and passes it to the collector as well. Returns whether the
    /// capture could be read; if not, the outputs have the error.
    ///
    /// # Errors
    /// The error of the collector.
    pub fn read(
        &mut self,
        name: &str,
        reader: impl Read + Send,
        collector: impl Collector + Send,
    ) -> anyhow::Result<bool> {
        self.digest.begin();
        match alone(name, reader, (&mut self.digest, collector))? {
            Ok(capture) => {
                self.examined.push(capture);
                Ok(true)
            }
            Err(failure) => {
                self.digest.abandon();
                self.failures.push(failure);
                Ok(false)
            }
        }
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
        tell(&name, reader, &mut csv)?;
    }
    Ok(())
}

/// Reads a capture for the collector alone. Returns whether it could be read to its end.
///
/// # Errors
/// The error of the collector.
pub fn tell(
    name: &str,
    reader: impl Read + Send,
    collector: impl Collector + Send,
) -> anyhow::Result<bool> {
    Ok(alone(name, reader, collector)?.is_ok())
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
