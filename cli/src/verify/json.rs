// SPDX-License-Identifier: MIT OR Apache-2.0
//! The JSON of `verify --json`, as `cli/README.md` promises it.

use std::io::Write;

use serde::Serialize;
use serde_json::Value;
use wiresum_packet::Tally;

use super::Count;
use super::counted::Counted;
use super::examined::{Examined, Failure};
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
    let document = Document {
        schema: SCHEMA,
        files: examined
            .iter()
            .enumerate()
            .map(|(number, Examined { path, counted })| File {
                path,
                verdict: judge(counted, 1, 0),
                counted,
                unjudged: unjudged.map(|unjudged| unjudged.of(number)),
            })
            .collect(),
        errors: failures.iter().map(Error::from).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)?;
    Ok(())
}
