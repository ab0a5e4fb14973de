// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify --parquet`: the rows of `--csv` as Apache Parquet. A row group is written when it is
//! full, so that memory is bounded.

use std::fs::File;
use std::io;
use std::sync::Arc;

use arrow_array::builder::{
    BooleanBuilder, StringDictionaryBuilder, TimestampNanosecondBuilder, UInt8Builder,
    UInt16Builder, UInt32Builder, UInt64Builder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field as Column, Schema, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use wiresum_packet::{Collector, Field, Frame, Sink, Timestamp, Verdict};

use super::row::{COLUMNS, Row};

/// The rows that the writer takes at a time.
const BATCH: usize = 16 << 10;
/// The rows that are compressed and written at a time. They take about 20 MiB of memory, and groups
/// of this size let a reader skip the rows that it does not need.
const ROW_GROUP: usize = 256 << 10;

type Strings = StringDictionaryBuilder<Int32Type>;

pub(super) struct Parquet {
    writer: ArrowWriter<File>,
    schema: Arc<Schema>,
    file: String,
    columns: Columns,
}

/// The rows that the writer has not taken yet.
struct Columns {
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
    fn new() -> Columns {
        Columns {
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

    fn push(&mut self, file: &str, row: &Row) {
        let (from, to) = row.ports.unzip();
        self.rows += 1;
        self.file.append_value(file);
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

    /// Takes the columns, in the order of [`COLUMNS`], and leaves the builders empty.
    fn finish(&mut self) -> Vec<ArrayRef> {
        self.rows = 0;
        vec![
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
        ]
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
fn nanoseconds(time: Timestamp) -> Option<i64> {
    let (seconds, nanoseconds) = time.unix();
    seconds
        .checked_mul(1_000_000_000)?
        .checked_add(i64::from(nanoseconds))
}

impl Parquet {
    pub(super) fn new(out: File) -> io::Result<Parquet> {
        let schema = Arc::new(schema());
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(ROW_GROUP))
            .set_created_by(concat!("wiresum ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        Ok(Parquet {
            writer: ArrowWriter::try_new(out, Arc::clone(&schema), Some(properties))?,
            schema,
            file: String::new(),
            columns: Columns::new(),
        })
    }

    /// Begins a file: all rows after this are of that file.
    pub(super) fn begin(&mut self, file: &str) {
        file.clone_into(&mut self.file);
    }

    pub(super) fn finish(&mut self) -> io::Result<()> {
        self.hand_over()?;
        self.writer.finish()?;
        Ok(())
    }

    fn hand_over(&mut self) -> Result<(), ParquetError> {
        let columns = self.columns.finish();
        let batch = RecordBatch::try_new(Arc::clone(&self.schema), columns)?;
        self.writer.write(&batch)
    }
}

impl Collector for Parquet {
    type Part = Rows;

    fn part(&self) -> Rows {
        Rows::default()
    }

    fn take(&mut self, part: &mut Rows) -> io::Result<()> {
        for row in part.0.drain(..) {
            self.columns.push(&self.file, &row);
            if self.columns.rows == BATCH {
                self.hand_over()?;
            }
        }
        Ok(())
    }
}

/// The rows of one chunk of a capture.
#[derive(Clone, Default)]
pub(super) struct Rows(Vec<Row>);

impl Sink for Rows {
    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        self.0.push(Row::new(frame, field, verdict));
    }
}
