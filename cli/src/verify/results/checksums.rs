// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of a capture's checksums, as the page and the counts need them.

use std::collections::BTreeMap;
use std::net::IpAddr;

use anyhow::Context;
use arrow_array::{
    Array, BooleanArray, RecordBatch, StringArray, TimestampNanosecondArray, UInt16Array,
    UInt64Array,
};
use wiresum_packet::{Cause, Collector, Protocol, Senders, Timestamp};

use super::parquet::{Table, column};
use crate::flow::between;
use crate::time::rfc3339;
use crate::verify::counted::{Causes, Named};
use crate::verify::html::{Digest, Example, ILLEGAL, Wrong};

/// What the counts need.
const COUNTED: [&str; 5] = ["quoted", "protocol", "status", "cause_label", "source"];
/// What the page needs.
const SHOWN: [&str; 11] = [
    "quoted",
    "protocol",
    "status",
    "cause_label",
    "frame",
    "time",
    "source",
    "source_port",
    "destination",
    "destination_port",
    "explanation",
];

/// The words of [`Counts::each`](wiresum_packet::Counts::each) for wrong checksums.
const WRONG: [&str; 2] = ["bad", "illegal"];

const SECOND: i64 = 1_000_000_000;

/// The checksums of one capture.
pub(super) struct Checksums<'a> {
    /// The data of the page, if there is one.
    digest: Option<&'a mut Digest>,
    causes: Causes,
    senders: Senders,
    /// The examples, with their times in nanoseconds since 1970.
    examples: Vec<(Example, Option<i64>)>,
    /// The ticks of a second: a microsecond, if that suits all times of the capture.
    per_second: u64,
}

impl<'a> Checksums<'a> {
    pub(super) fn new(mut digest: Option<&'a mut Digest>) -> Checksums<'a> {
        if let Some(digest) = &mut digest {
            digest.begin();
        }
        Checksums {
            digest,
            causes: BTreeMap::new(),
            senders: Senders::default(),
            examples: Vec::new(),
            per_second: 1_000_000,
        }
    }

    /// Reads the rows that a file has of a capture.
    pub(super) fn read(&mut self, table: &Table, capture: &str) -> anyhow::Result<()> {
        let columns = match self.digest {
            Some(_) => &SHOWN[..],
            None => &COUNTED,
        };
        table.read(columns, Some(capture), |rows| {
            let judged = Judged::new(rows)?;
            let sources = column(rows, "source")?;
            for row in 0..rows.num_rows() {
                let Some(Kind { protocol, cause }) = judged.kind(row)? else {
                    continue;
                };
                if let Some(cause) = cause {
                    *self.causes.entry((protocol, cause)).or_default() += 1;
                }
                if let Some(source) = address(sources, row)? {
                    self.senders.count(source, cause, 1);
                }
            }
            self.show(rows, &judged)
        })
    }

    /// Counts the rows for the page.
    fn show(&mut self, rows: &RecordBatch, judged: &Judged<'_>) -> anyhow::Result<()> {
        let Some(digest) = &mut self.digest else {
            return Ok(());
        };
        let frames: &UInt64Array = column(rows, "frame")?;
        let times: &TimestampNanosecondArray = column(rows, "time")?;
        let explanations: &StringArray = column(rows, "explanation")?;
        let sources = Ends::new(rows, "source", "source_port")?;
        let destinations = Ends::new(rows, "destination", "destination_port")?;
        let mut part = digest.part();
        for row in (0..rows.num_rows()).filter(|&row| !judged.quoted.value(row)) {
            let time = times.is_valid(row).then(|| times.value(row));
            if time.is_some_and(|time| time % 1000 != 0) {
                self.per_second = SECOND as u64;
            }
            let kind = judged.kind(row)?;
            let source = kind.map_or(Ok(None), |_| sources.address(row))?;
            let wrong = kind.map(|kind| Wrong {
                protocol: kind.protocol,
                kind: kind.label(),
                source,
            });
            part.count(time.map(|time| timestamp(time, SECOND as u64)), wrong);
            if let Some(kind) = kind.filter(|_| explanations.is_valid(row)) {
                let ends = source.zip(destinations.address(row)?);
                let ports = sources.port(row).zip(destinations.port(row));
                let example = Example {
                    frame: frames.value(row),
                    time: None,
                    protocol: kind.protocol,
                    between: between(ends, ports),
                    kind: kind.label(),
                    explanation: explanations.value(row).to_owned(),
                };
                self.examples.push((example, time));
            }
        }
        Ok(digest.take(&mut part)?)
    }

    /// Ends the capture, and returns how many wrong checksums have each cause, and who sent them.
    pub(super) fn end(mut self) -> anyhow::Result<(Causes, Senders)> {
        if let Some(digest) = self.digest {
            // Each file holds a part or a date; a frame is in one of them.
            self.examples.sort_by_key(|(example, _)| example.frame);
            let mut part = digest.part();
            for (mut example, time) in self.examples {
                let time = time.map(|time| timestamp(time, self.per_second));
                example.time = time.and_then(rfc3339);
                part.add(example);
            }
            digest.take(&mut part)?;
        }
        Ok((self.causes, self.senders))
    }
}

fn timestamp(nanoseconds: i64, per_second: u64) -> Timestamp {
    let (seconds, rest) = (
        nanoseconds.div_euclid(SECOND),
        nanoseconds.rem_euclid(SECOND),
    );
    Timestamp::from_unix(seconds, rest as u32, per_second)
}

/// What a wrong checksum is, and why.
#[derive(Clone, Copy)]
struct Kind {
    protocol: Protocol,
    cause: Option<Cause>,
}

impl Kind {
    fn label(self) -> &'static str {
        self.cause.map_or(ILLEGAL, Cause::label)
    }
}

/// The columns that tell whether checksums are wrong, and why.
struct Judged<'a> {
    quoted: &'a BooleanArray,
    protocol: &'a StringArray,
    status: &'a StringArray,
    label: &'a StringArray,
}

impl<'a> Judged<'a> {
    fn new(rows: &'a RecordBatch) -> anyhow::Result<Judged<'a>> {
        Ok(Judged {
            quoted: column(rows, "quoted")?,
            protocol: column(rows, "protocol")?,
            status: column(rows, "status")?,
            label: column(rows, "cause_label")?,
        })
    }

    /// None if the checksum is not wrong, or a copy.
    fn kind(&self, row: usize) -> anyhow::Result<Option<Kind>> {
        if self.quoted.value(row) || !WRONG.contains(&self.status.value(row)) {
            return Ok(None);
        }
        let protocol = self.protocol.value(row);
        let protocol = Protocol::from_key(protocol)
            .with_context(|| format!("{protocol:?} is no protocol that is known"))?;
        let cause = self.label.is_valid(row).then(|| {
            let label = self.label.value(row);
            Cause::with_label(label).with_context(|| format!("{label:?} is no cause that is known"))
        });
        let cause = cause.transpose()?;
        Ok(Some(Kind { protocol, cause }))
    }
}

fn address(addresses: &StringArray, row: usize) -> anyhow::Result<Option<IpAddr>> {
    if addresses.is_null(row) {
        return Ok(None);
    }
    let address = addresses.value(row);
    let parsed = address.parse();
    parsed
        .map(Some)
        .with_context(|| format!("{address:?} is no address"))
}

/// The columns of the senders, or of the receivers.
struct Ends<'a> {
    addresses: &'a StringArray,
    ports: &'a UInt16Array,
}

impl<'a> Ends<'a> {
    fn new(rows: &'a RecordBatch, address: &str, port: &str) -> anyhow::Result<Ends<'a>> {
        Ok(Ends {
            addresses: column(rows, address)?,
            ports: column(rows, port)?,
        })
    }

    fn address(&self, row: usize) -> anyhow::Result<Option<IpAddr>> {
        address(self.addresses, row)
    }

    fn port(&self, row: usize) -> Option<u16> {
        self.ports.is_valid(row).then(|| self.ports.value(row))
    }
}
