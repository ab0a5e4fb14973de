// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of `--csv` as Arrow columns: `--parquet` writes them, and the Python package hands them
//! on. `cli/README.md` promises their names and types.

use std::mem;
use std::net::IpAddr;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, StringDictionaryBuilder, TimestampNanosecondBuilder, UInt8Builder,
    UInt16Builder, UInt32Builder, UInt64Builder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchOptions};
use arrow_schema::{ArrowError, DataType, Field as Column, Schema, SchemaRef, TimeUnit};
use wiresum_packet::{Cause, Field, Frame, Sink, Timestamp, Verdict};

use super::html::{Room, kind};
use super::row::{COLUMNS, Row};
use crate::explain;

/// Further columns of folders of results, from which `wiresum report` makes the page of `verify
/// --html` without the captures.
pub const OF_RESULTS: [&str; 2] = ["cause_label", "explanation"];

/// The rows of a batch, at most.
const BATCH: usize = 16 << 10;

type Strings = StringDictionaryBuilder<Int32Type>;

/// The rows of a file that are in no batch yet.
pub struct Columns {
    schema: SchemaRef,
    /// The indices of the columns that are wanted. The builders of the others stay empty.
    wanted: Vec<usize>,
    name: String,
    rows: usize,
    file: Strings,
    frame: UInt64Builder,
    time: TimestampNanosecondBuilder,
    layer: UInt8Builder,
    quoted: BooleanBuilder,
    protocol: Strings,
    source: Strings,
    source_port: UInt16Builder,
    destination: Strings,
    destination_port: UInt16Builder,
    status: Strings,
    cause: Strings,
    reason: Strings,
    found: UInt32Builder,
    expected: UInt32Builder,
    offset: UInt64Builder,
    cause_label: Strings,
    explanation: Strings,
}

impl Columns {
    /// No rows, of the columns of `--csv`.
    pub fn new() -> Columns {
        let all: Vec<_> = (0..COLUMNS.len()).collect();
        let schema = schema().project(&all).expect("the schema has them");
        Columns::of(schema, all)
    }

    /// No rows, of the columns with these names, in this order.
    ///
    /// # Errors
    /// If there is no column with one of the names.
    pub fn only(names: &[String]) -> Result<Columns, ArrowError> {
        let schema = schema();
        let wanted = names.iter().map(|name| schema.index_of(name));
        let wanted = wanted.collect::<Result<Vec<_>, _>>()?;
        Ok(Columns::of(schema.project(&wanted)?, wanted))
    }

    fn of(schema: Schema, wanted: Vec<usize>) -> Columns {
        Columns {
            schema: Arc::new(schema),
            wanted,
            name: String::new(),
            rows: 0,
            file: Strings::new(),
            frame: UInt64Builder::new(),
            time: TimestampNanosecondBuilder::new().with_timezone("UTC"),
            layer: UInt8Builder::new(),
            quoted: BooleanBuilder::new(),
            protocol: Strings::new(),
            source: Strings::new(),
            source_port: UInt16Builder::new(),
            destination: Strings::new(),
            destination_port: UInt16Builder::new(),
            status: Strings::new(),
            cause: Strings::new(),
            reason: Strings::new(),
            found: UInt32Builder::new(),
            expected: UInt32Builder::new(),
            offset: UInt64Builder::new(),
            cause_label: Strings::new(),
            explanation: Strings::new(),
        }
    }

    /// The columns of each batch.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// A sink for the rows of a file or a part of it. The explanations, if they are wanted, are
    /// those that the page may show.
    pub fn rows(&self) -> Rows {
        let explains = self.schema.column_with_name(OF_RESULTS[1]).is_some();
        Rows {
            rows: Vec::new(),
            room: explains.then(Room::default),
        }
    }

    /// Begins a file: all rows after this are of that file.
    pub fn begin(&mut self, file: &str) {
        file.clone_into(&mut self.name);
    }

    /// Takes the rows of a chunk, and hands each batch that they fill to `full`.
    pub fn take<E: From<ArrowError>>(
        &mut self,
        rows: &mut Rows,
        mut full: impl FnMut(RecordBatch) -> Result<(), E>,
    ) -> Result<(), E> {
        for row in rows.rows.drain(..) {
            self.push(&row);
            if self.rows == BATCH {
                full(self.finish()?)?;
            }
        }
        Ok(())
    }

    fn push(
        &mut self,
        Judged {
            row,
            label,
            explanation,
        }: &Judged,
    ) {
        let (from, to) = row.ports.unzip();
        self.rows += 1;
        for &column in &self.wanted {
            match column {
                0 => self.file.append_value(&self.name),
                1 => self.frame.append_value(row.frame),
                2 => self.time.append_option(row.time.and_then(nanoseconds)),
                3 => self.layer.append_value(row.layer),
                4 => self.quoted.append_value(row.quoted),
                5 => self.protocol.append_value(row.protocol),
                6 => self.source.append_option(row.source.map(text)),
                7 => self.source_port.append_option(from),
                8 => self.destination.append_option(row.destination.map(text)),
                9 => self.destination_port.append_option(to),
                10 => self.status.append_value(row.status),
                11 => self.cause.append_option(row.cause),
                12 => self.reason.append_option(row.reason),
                13 => self.found.append_option(row.found),
                14 => self.expected.append_option(row.expected),
                15 => self.offset.append_option(row.offset),
                16 => self.cause_label.append_option(*label),
                _ => self.explanation.append_option(explanation.as_ref()),
            }
        }
    }

    /// Makes a batch of the rows that are in none yet, and leaves the builders empty.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        let options = RecordBatchOptions::new().with_row_count(Some(mem::take(&mut self.rows)));
        let columns = self.wanted.iter().map(|&column| -> ArrayRef {
            match column {
                0 => Arc::new(self.file.finish()),
                1 => Arc::new(self.frame.finish()),
                2 => Arc::new(self.time.finish()),
                3 => Arc::new(self.layer.finish()),
                4 => Arc::new(self.quoted.finish()),
                5 => Arc::new(self.protocol.finish()),
                6 => Arc::new(self.source.finish()),
                7 => Arc::new(self.source_port.finish()),
                8 => Arc::new(self.destination.finish()),
                9 => Arc::new(self.destination_port.finish()),
                10 => Arc::new(self.status.finish()),
                11 => Arc::new(self.cause.finish()),
                12 => Arc::new(self.reason.finish()),
                13 => Arc::new(self.found.finish()),
                14 => Arc::new(self.expected.finish()),
                15 => Arc::new(self.offset.finish()),
                16 => Arc::new(self.cause_label.finish()),
                _ => Arc::new(self.explanation.finish()),
            }
        });
        let columns = columns.collect();
        RecordBatch::try_new_with_options(Arc::clone(&self.schema), columns, &options)
    }
}

fn text(address: IpAddr) -> String {
    address.to_string()
}

impl Default for Columns {
    fn default() -> Columns {
        Columns::new()
    }
}

fn schema() -> Schema {
    let strings = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let time = DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into()));
    let kinds = [
        (strings(), false),
        (DataType::UInt64, false),
        (time, true),
        (DataType::UInt8, false),
        (DataType::Boolean, false),
        (strings(), false),
        (strings(), true),
        (DataType::UInt16, true),
        (strings(), true),
        (DataType::UInt16, true),
        (strings(), false),
        (strings(), true),
        (strings(), true),
        (DataType::UInt32, true),
        (DataType::UInt32, true),
        (DataType::UInt64, true),
        (strings(), true),
        (strings(), true),
    ];
    let columns = COLUMNS.into_iter().chain(OF_RESULTS).zip(kinds);
    Schema::new(
        columns
            .map(|(name, (kind, nullable))| Column::new(name, kind, nullable))
            .collect::<Vec<_>>(),
    )
}

/// Nanoseconds since 1970. None if they do not fit in 64 bits: before 1677 and after 2262.
pub fn nanoseconds(time: Timestamp) -> Option<i64> {
    let (seconds, nanoseconds) = time.unix();
    seconds
        .checked_mul(1_000_000_000)?
        .checked_add(i64::from(nanoseconds))
}

/// The rows of one chunk of a capture.
#[derive(Clone, Default)]
pub struct Rows {
    rows: Vec<Judged>,
    /// None if no row is explained.
    room: Option<Room>,
}

#[derive(Clone)]
struct Judged {
    row: Row,
    /// The cause, with what distinguishes causes that share a key.
    label: Option<&'static str>,
    explanation: Option<String>,
}

impl Sink for Rows {
    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        let room = self.room.as_mut().zip(kind(field, verdict));
        let is_first = room.is_some_and(|(room, kind)| room.take(field.protocol, kind));
        self.rows.push(Judged {
            row: Row::new(frame, field, verdict),
            label: verdict.cause().map(Cause::label),
            explanation: is_first.then(|| explain::checksum(frame, field, verdict)),
        });
    }
}
