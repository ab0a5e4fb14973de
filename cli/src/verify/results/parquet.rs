// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Parquet files of a folder of results.

use std::fs::File;
use std::path::PathBuf;

use anyhow::Context;
use arrow_array::{Array, BooleanArray, RecordBatch, StringArray};
use arrow_schema::ArrowError;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::{
    ArrowPredicateFn, ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder,
    RowFilter,
};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::statistics::Statistics;

/// The column with the name of a capture in the folder.
const CAPTURE: &str = "capture";

/// A file of a table, whose footer is read once.
pub(super) struct Table {
    path: PathBuf,
    footer: ArrowReaderMetadata,
}

impl Table {
    pub(super) fn open(path: PathBuf) -> anyhow::Result<Table> {
        // The types are the types of Parquet, whatever Arrow types the writer had.
        let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
        let footer = File::open(&path).map_err(anyhow::Error::from);
        let footer = footer.and_then(|file| Ok(ArrowReaderMetadata::load(&file, options)?));
        let footer = footer.with_context(|| path.display().to_string())?;
        Ok(Table { path, footer })
    }

    /// Reads these columns, and hands on each batch of rows, of one capture or of all.
    pub(super) fn read(
        &self,
        columns: &[&str],
        capture: Option<&str>,
        rows: impl FnMut(&RecordBatch) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let read = self.read_rows(columns, capture, rows);
        read.with_context(|| self.path.display().to_string())
    }

    fn read_rows(
        &self,
        columns: &[&str],
        capture: Option<&str>,
        mut rows: impl FnMut(&RecordBatch) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        for name in columns.iter().chain(&[CAPTURE]) {
            if self.footer.schema().column_with_name(name).is_none() {
                anyhow::bail!(
                    "there is no column {name}; this version of wiresum did not write these results"
                );
            }
        }
        let all = self.footer.parquet_schema();
        let wanted = |columns: &[&str]| ProjectionMask::columns(all, columns.iter().copied());
        let groups = self.footer.metadata().row_groups().iter().enumerate();
        let groups = groups.filter(|(_, group)| capture.is_none_or(|name| may_have(group, name)));
        let groups: Vec<_> = groups.map(|(n, _)| n).collect();
        if groups.is_empty() {
            return Ok(());
        }
        let file = File::open(&self.path)?;
        let reader = ParquetRecordBatchReaderBuilder::new_with_metadata(file, self.footer.clone());
        let mut reader = reader
            .with_row_groups(groups)
            .with_projection(wanted(columns));
        if let Some(capture) = capture {
            let capture = capture.to_owned();
            let is_its = move |rows: RecordBatch| {
                let names = column::<StringArray>(&rows, CAPTURE);
                let names = names.map_err(|error| ArrowError::ComputeError(error.to_string()))?;
                Ok(BooleanArray::from_iter(
                    names
                        .iter()
                        .map(|name| Some(name == Some(capture.as_str()))),
                ))
            };
            let filter = ArrowPredicateFn::new(wanted(&[CAPTURE]), is_its);
            reader = reader.with_row_filter(RowFilter::new(vec![Box::new(filter)]));
        }
        for batch in reader.build()? {
            rows(&batch?)?;
        }
        Ok(())
    }
}

/// Whether a row group may have rows of a capture, by the least and the greatest name in it.
fn may_have(group: &RowGroupMetaData, capture: &str) -> bool {
    let mut columns = group.columns().iter();
    let column = columns.find(|column| column.column_path().string() == CAPTURE);
    let Some(Statistics::ByteArray(told)) = column.and_then(|column| column.statistics()) else {
        return true;
    };
    let capture = capture.as_bytes();
    let (least, most) = (told.min_bytes_opt(), told.max_bytes_opt());
    // A greatest name that was cut off is less than the whole one.
    least.is_none_or(|least| least <= capture)
        && (!told.max_is_exact() || most.is_none_or(|most| capture <= most))
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
