// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify --parquet`: the rows of `--csv` as Apache Parquet. A row group is written when it is
//! full, so that memory is bounded.

use std::fs::File;
use std::io;

use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use wiresum_packet::Collector;

use super::columns::{Columns, Rows};

/// The rows that are compressed and written at a time. They take about 20 MiB of memory, and groups
/// of this size let a reader skip the rows that it does not need.
const ROW_GROUP: usize = 256 << 10;

pub(super) struct Parquet {
    writer: ArrowWriter<File>,
    columns: Columns,
}

impl Parquet {
    pub(super) fn new(out: File) -> io::Result<Parquet> {
        let columns = Columns::new();
        let properties = WriterProperties::builder()
            .set_compression(Compression::SNAPPY)
            .set_max_row_group_row_count(Some(ROW_GROUP))
            .set_created_by(concat!("wiresum ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        Ok(Parquet {
            writer: ArrowWriter::try_new(out, columns.schema(), Some(properties))?,
            columns,
        })
    }

    /// Begins a file: all rows after this are of that file.
    pub(super) fn begin(&mut self, file: &str) {
        self.columns.begin(file);
    }

    pub(super) fn finish(&mut self) -> io::Result<()> {
        let rest = self.columns.finish().map_err(ParquetError::from)?;
        self.writer.write(&rest)?;
        self.writer.finish()?;
        Ok(())
    }
}

impl Collector for Parquet {
    type Part = Rows;

    fn part(&self) -> Rows {
        Rows::default()
    }

    fn take(&mut self, part: &mut Rows) -> io::Result<()> {
        let Parquet { writer, columns } = self;
        Ok(columns.take(part, |batch| writer.write(&batch))?)
    }
}
