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
use wiresum_packet::{Field, Frame, Sink, Timestamp, Verdict};

use super::row::{COLUMNS, Row};

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
}

impl Columns {
    /// No rows, of all columns.
    pub fn new() -> Columns {
        Columns::of(schema(), (0..COLUMNS.len()).collect())
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
                _ => self.offset.append_option(row.offset),
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
                _ => Arc::new(self.offset.finish()),
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
