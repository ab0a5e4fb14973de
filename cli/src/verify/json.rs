// SPDX-License-Identifier: MIT OR Apache-2.0
//! The JSON of `verify --json`, as `cli/README.md` promises it.

use std::collections::BTreeMap;
use std::io::Write;

use serde::{Serialize, Serializer};
use wiresum_packet::{Protocol, Tally};

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
    packets: u64,
    captured_bytes: u64,
    malformed: u64,
    checksums: Object<Object<u64>>,
    quoted: Object<Object<u64>>,
    causes: BTreeMap<&'static str, BTreeMap<&'static str, u64>>,
    unverified: BTreeMap<&'static str, BTreeMap<&'static str, u64>>,
    not_entered: BTreeMap<String, u64>,
    malformed_by: BTreeMap<&'static str, u64>,
}

/// A JSON object that keeps the order of its members.
struct Object<V>(Vec<(&'static str, V)>);

impl<V: Serialize> Serialize for Object<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

impl<'a> From<&'a Failure> for Error<'a> {
    fn from(Failure { path, error }: &'a Failure) -> Error<'a> {
        Error {
            path,
            error: format!("{error:#}"),
        }
    }
}

impl<'a> File<'a> {
    fn new(path: &'a str, tally: &Tally) -> File<'a> {
        let mut causes = BTreeMap::<_, BTreeMap<_, _>>::new();
        for (protocol, cause, n) in tally.causes() {
            *causes
                .entry(protocol.key())
                .or_default()
                .entry(cause.key())
                .or_default() += n;
        }
        let mut unverified = BTreeMap::<_, BTreeMap<_, _>>::new();
        for (protocol, reason, n) in tally.reasons() {
            unverified
                .entry(protocol.key())
                .or_default()
                .insert(reason.key(), n);
        }
        File {
            path,
            packets: tally.packets,
            captured_bytes: tally.captured_bytes,
            malformed: tally.malformed().values().sum(),
            checksums: Object(
                Protocol::ALL
                    .map(|protocol| (protocol.key(), Object(tally.counts(protocol).each().into())))
                    .into(),
            ),
            quoted: Object(
                Protocol::ALL
                    .into_iter()
                    .map(|protocol| (protocol.key(), tally.quoted(protocol)))
                    .filter(|(_, counts)| counts.total() > 0)
                    .map(|(key, counts)| (key, Object(counts.each().into())))
                    .collect(),
            ),
            causes,
            unverified,
            not_entered: tally
                .obstacles()
                .map(|(obstacle, n)| (obstacle.to_string(), n))
                .collect(),
            malformed_by: tally.malformed().clone(),
        }
    }
}

/// The counts of one capture.
pub(super) fn counts(path: &str, tally: &Tally) -> serde_json::Result<String> {
    serde_json::to_string(&File::new(path, tally))
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
            .map(|Report { path, tally }| File::new(path, tally))
            .collect(),
        errors: failures.iter().map(Error::from).collect(),
    };
    serde_json::to_writer_pretty(&mut *out, &document)?;
    writeln!(out)?;
    Ok(())
}
