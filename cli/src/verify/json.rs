// SPDX-License-Identifier: MIT OR Apache-2.0
//! The JSON of `verify --json` and `verify --jsonl`, as `cli/README.md` promises it.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;
use serde_json::Value;
use wiresum_packet::Tally;

use super::Count;
use super::counted::Counted;
use super::examined::{Examined, Failure, sum_of};
use super::sentence::{Judgment, judge};
use super::unjudged::{Entry, Unjudged};

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
    verdict: Judgment,
    #[serde(flatten)]
    counted: &'a Counted,
    /// Only with `--unjudged`.
    #[serde(skip_serializing_if = "Option::is_none")]
    unjudged: Option<&'a [Entry]>,
}

impl<'a> File<'a> {
    fn new(Examined { path, counted }: &'a Examined, unjudged: Option<&'a [Entry]>) -> File<'a> {
        File {
            path,
            verdict: judge(counted, 1, 0),
            counted,
            unjudged,
        }
    }
}

/// A line of `--jsonl`.
#[derive(Serialize)]
#[serde(tag = "line", rename_all = "lowercase")]
enum Line<'a> {
    File(File<'a>),
    Error(Error<'a>),
    Summary(Summary<'a>),
}

/// The counts of all files that were read.
#[derive(Serialize)]
struct Summary<'a> {
    schema: u32,
    files: usize,
    errors: usize,
    verdict: Judgment,
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

/// The counts of one capture that are not 0, or that have no protocol, each with its name.
pub(super) fn rows(tally: &Tally) -> serde_json::Result<Vec<Count>> {
    let mut rows = Vec::new();
    let Value::Object(members) = serde_json::to_value(Counted::from(tally))? else {
        return Ok(rows);
    };
    let row = |what: &str, protocol: Option<&str>, name: Option<&str>, n: &Value| Count {
        what: what.to_owned(),
        protocol: protocol.map(str::to_owned),
        name: name.map(str::to_owned),
        n: n.as_u64().unwrap_or_default(),
    };
    for (what, value) in &members {
        let Value::Object(inner) = value else {
            rows.push(row(what, None, None, value));
            continue;
        };
        for (key, value) in inner {
            match value {
                Value::Object(named) => rows.extend(
                    named
                        .iter()
                        .map(|(name, n)| row(what, Some(key), Some(name), n))
                        .filter(|row| row.n > 0),
                ),
                n => rows.push(row(what, None, Some(key), n)),
            }
        }
    }
    Ok(rows)
}

/// The counts of one capture, which are counted already.
pub(super) fn of(path: &str, counted: &Counted) -> serde_json::Result<String> {
    serde_json::to_string(&File {
        path,
        verdict: judge(counted, 1, 0),
        counted,
        unjudged: None,
    })
}

pub(super) fn print(
    out: &mut impl Write,
    examined: &[Examined],
    failures: &[Failure],
    unjudged: Option<&Unjudged>,
) -> anyhow::Result<()> {
    let file = |(number, capture)| File::new(capture, unjudged.map(|all| all.of(number)));
    let document = Document {
        schema: SCHEMA,
        files: examined.iter().enumerate().map(file).collect(),
        errors: failures.iter().map(Error::from).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)?;
    Ok(())
}

/// The lines of `--jsonl`, in the order of the captures: a line is printed as soon as all captures
/// before it have theirs, whichever thread is done first.
#[derive(Default)]
pub(super) struct Lines(Mutex<(usize, BTreeMap<usize, String>)>);

impl Lines {
    /// Prints the line of the capture with this number, or keeps it for its turn.
    pub(super) fn put(
        &self,
        number: usize,
        result: &Result<Examined, Failure>,
        unjudged: Option<&[Entry]>,
    ) -> anyhow::Result<()> {
        let line = serde_json::to_string(&match result {
            Ok(capture) => Line::File(File::new(capture, unjudged)),
            Err(failure) => Line::Error(failure.into()),
        })?;
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (next, waiting) = &mut *state;
        waiting.insert(number, line);
        let mut out = io::stdout().lock();
        while let Some(line) = waiting.remove(next) {
            *next += 1;
            writeln!(out, "{line}")?;
        }
        Ok(out.flush()?)
    }

    /// Prints the last line.
    pub(super) fn summary(examined: &[Examined], failures: &[Failure]) -> anyhow::Result<()> {
        let counted = sum_of(examined);
        let summary = Line::Summary(Summary {
            schema: SCHEMA,
            files: examined.len(),
            errors: failures.len(),
            verdict: judge(&counted, examined.len(), failures.len()),
            counted: &counted,
        });
        writeln!(io::stdout(), "{}", serde_json::to_string(&summary)?)?;
        Ok(())
    }
}
