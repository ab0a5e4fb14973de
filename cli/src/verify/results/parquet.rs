// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Parquet files of a folder of results.

use std::fs::File;
use std::path::Path;

use anyhow::Context;
use arrow_array::{Array, RecordBatch};
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{ArrowReaderOptions, ParquetRecordBatchReaderBuilder};

/// Reads these columns of a file, and hands on each batch of rows.
pub(super) fn read(
    path: &Path,
    columns: &[&str],
    rows: impl FnMut(&RecordBatch) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let read = read_rows(path, columns, rows);
    read.with_context(|| path.display().to_string())
}

fn read_rows(
    path: &Path,
    columns: &[&str],
    mut rows: impl FnMut(&RecordBatch) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    // The types are the types of Parquet, whatever Arrow types the writer had.
    let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
    let reader = ParquetRecordBatchReaderBuilder::try_new_with_options(File::open(path)?, options)?;
    for name in columns {
        if reader.schema().column_with_name(name).is_none() {
            anyhow::bail!(
                "there is no column {name}; this version of wiresum did not write these results"
            );
        }
    }
    let wanted = ProjectionMask::columns(reader.parquet_schema(), columns.iter().copied());
    for batch in reader.with_projection(wanted).build()? {
        rows(&batch?)?;
    }
    Ok(())
}

/// A column of a batch, by its name and type.
pub(super) fn column<'a, T: Array + 'static>(
    batch: &'a RecordBatch,
    name: &str,
) -> anyhow::Result<&'a T> {
    let column = batch.column_by_name(name);
    let column = column.and_then(|column| column.as_any().downcast_ref());
    column.with_context(|| format!("the column {name} has another type than `write` gives it"))
}
