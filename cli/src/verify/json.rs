// SPDX-License-Identifier: MIT OR Apache-2.0
//! The JSON of `verify --json`, as `cli/README.md` promises it.

use std::io::Write;

use serde::Serialize;
use wiresum_packet::Tally;

use super::counted::Counted;
use super::report::{Failure, Report};

/// The version of the format. It goes up when a member is removed or changes its meaning.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    files: Vec<File<'a>>,
    errors: Vec<Error<'a>>,
}

/// A file that could not be read.
#[derive(Serialize)]
struct Error<'a> {
    path: &'a str,
    error: String,
}

#[derive(Serialize)]
struct File<'a> {
    path: &'a str,
    #[serde(flatten)]
    counted: &'a Counted,
}

impl<'a> From<&'a Failure> for Error<'a> {
    fn from(Failure { path, error }: &'a Failure) -> Error<'a> {
        Error {
            path,
            error: format!("{error:#}"),
        }
    }
}

/// The counts of one capture.
pub(super) fn counts(path: &str, tally: &Tally) -> serde_json::Result<String> {
    of(path, &Counted::from(tally))
}

/// The counts of one capture, which are counted already.
pub(super) fn of(path: &str, counted: &Counted) -> serde_json::Result<String> {
    serde_json::to_string(&File { path, counted })
}

pub(super) fn print(
    out: &mut impl Write,
    reports: &[Report],
    failures: &[Failure],
) -> anyhow::Result<()> {
    let document = Document {
        schema: SCHEMA,
        files: reports
            .iter()
            .map(|Report { path, counted }| File { path, counted })
            .collect(),
        errors: failures.iter().map(Error::from).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)?;
    Ok(())
}
