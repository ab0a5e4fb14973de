// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of `--csv` as Arrow columns: `--parquet` writes them, and the Python package hands them
//! on. `cli/README.md` promises their names and types.

use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, StringDictionaryBuilder, TimestampNanosecondBuilder, UInt8Builder,
    UInt16Builder, UInt32Builder, UInt64Builder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{ArrowError, DataType, Field as Column, Schema, SchemaRef, TimeUnit};
use wiresum_packet::{Field, Frame, Sink, Timestamp, Verdict};

use super::row::{COLUMNS, Row};

/// The rows of a batch, at most.
const BATCH: usize = 16 << 10;

type Strings = StringDictionaryBuilder<Int32Type>;

/// The rows of a file that are in no batch yet.
pub struct Columns {
    schema: SchemaRef,
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
}

impl Columns {
    /// No rows.
    pub fn new() -> Columns {
        Columns {
            schema: Arc::new(schema()),
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
        }
    }

    /// The columns of each batch.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
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
        for row in rows.0.drain(..) {
            self.push(&row);
            if self.rows == BATCH {
                full(self.finish()?)?;
            }
        }
        Ok(())
    }

    fn push(&mut self, row: &Row) {
        let (from, to) = row.ports.unzip();
        self.rows += 1;
        self.file.append_value(&self.name);
        self.frame.append_value(row.frame);
        self.time.append_option(row.time.and_then(nanoseconds));
        self.layer.append_value(row.layer);
        self.quoted.append_value(row.quoted);
        self.protocol.append_value(row.protocol);
        self.source
            .append_option(row.source.map(|address| address.to_string()));
        self.source_port.append_option(from);
        self.destination
            .append_option(row.destination.map(|address| address.to_string()));
        self.destination_port.append_option(to);
        self.status.append_value(row.status);
        self.cause.append_option(row.cause);
        self.reason.append_option(row.reason);
        self.found.append_option(row.found);
        self.expected.append_option(row.expected);
        self.offset.append_option(row.offset);
    }

    /// Makes a batch of the rows that are in none yet, and leaves the builders empty.
    pub fn finish(&mut self) -> Result<RecordBatch, ArrowError> {
        self.rows = 0;
        let columns: [ArrayRef; COLUMNS.len()] = [
            Arc::new(self.file.finish()),
            Arc::new(self.frame.finish()),
            Arc::new(self.time.finish()),
            Arc::new(self.layer.finish()),
            Arc::new(self.quoted.finish()),
            Arc::new(self.protocol.finish()),
            Arc::new(self.source.finish()),
            Arc::new(self.source_port.finish()),
            Arc::new(self.destination.finish()),
            Arc::new(self.destination_port.finish()),
            Arc::new(self.status.finish()),
            Arc::new(self.cause.finish()),
            Arc::new(self.reason.finish()),
            Arc::new(self.found.finish()),
            Arc::new(self.expected.finish()),
            Arc::new(self.offset.finish()),
        ];
        RecordBatch::try_new(self.schema(), columns.into())
    }
}

impl Default for Columns {
    fn default() -> Columns {
        Columns::new()
    }
}

fn schema() -> Schema {
    let text = || DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
    let time = DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into()));
    let kinds = [
        (text(), false),
        (DataType::UInt64, false),
        (time, true),
        (DataType::UInt8, false),
        (DataType::Boolean, false),
        (text(), false),
        (text(), true),
        (DataType::UInt16, true),
        (text(), true),
        (DataType::UInt16, true),
        (text(), false),
        (text(), true),
        (text(), true),
        (DataType::UInt32, true),
        (DataType::UInt32, true),
        (DataType::UInt64, true),
    ];
    let columns = COLUMNS.into_iter().zip(kinds);
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
pub struct Rows(Vec<Row>);

impl Sink for Rows {
    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        self.0.push(Row::new(frame, field, verdict));
    }
}
