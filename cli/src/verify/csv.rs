// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify --csv`: a row for each checksum (RFC 4180, except that lines end with LF).

use std::fmt::Display;
use std::io::{self, Write};

use wiresum_packet::{Collector, Field, Frame, Obstacle, Sink, Verdict};

use super::row::{COLUMNS, Row};
use super::unjudged::{MALFORMED, NOT_ENTERED};
use crate::time::rfc3339;

pub(super) struct Csv {
    out: Box<dyn Write + Send>,
    file: String,
    /// Whether the frames that were not entered and those that are malformed have rows.
    unjudged: bool,
}

impl Csv {
    /// Writes the names of the columns.
    pub(super) fn new(out: Box<dyn Write + Send>, unjudged: bool) -> io::Result<Csv> {
        let mut header = writer();
        header.write_record(COLUMNS)?;
        let file = String::new();
        let mut csv = Csv {
            out,
            file,
            unjudged,
        };
        csv.write(header)?;
        Ok(csv)
    }

    /// Begins a file: all rows after this are of that file.
    pub(super) fn begin(&mut self, file: &str) {
        // Spreadsheets compute a cell that begins so. The same file has a name that does not.
        let is_formula = file != "-" && file.starts_with(['=', '+', '-', '@', '\t', '\r']);
        self.file = [if is_formula { "./" } else { "" }, file].concat();
    }

    fn write(&mut self, rows: csv::Writer<Vec<u8>>) -> io::Result<()> {
        let rows = rows.into_inner().map_err(|failed| failed.into_error())?;
        self.out.write_all(&rows)?;
        self.out.flush() // a reader of a live capture sees the rows at once
    }
}

fn writer() -> csv::Writer<Vec<u8>> {
    csv::Writer::from_writer(Vec::new())
}

impl Collector for Csv {
    type Part = Rows;

    fn part(&self) -> Rows {
        Rows {
            file: self.file.clone(),
            unjudged: self.unjudged,
            writer: writer(),
            cell: String::new(),
            rows: 0,
            result: Ok(()),
        }
    }

    fn take(&mut self, part: &mut Rows) -> io::Result<()> {
        std::mem::replace(&mut part.result, Ok(()))?;
        if std::mem::take(&mut part.rows) == 0 {
            return Ok(());
        }
        self.write(std::mem::replace(&mut part.writer, writer()))
    }
}

/// The rows of one chunk of a capture.
pub(super) struct Rows {
    file: String,
    unjudged: bool,
    writer: csv::Writer<Vec<u8>>,
    rows: u64,
    /// A buffer that every cell reuses.
    cell: String,
    result: Result<(), csv::Error>,
}

impl Clone for Rows {
    /// An empty part of the same file. Parts are cloned only while they are empty.
    fn clone(&self) -> Rows {
        Rows {
            file: self.file.clone(),
            unjudged: self.unjudged,
            writer: writer(),
            rows: 0,
            cell: String::new(),
            result: Ok(()),
        }
    }
}

impl Sink for Rows {
    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        if self.result.is_ok() {
            self.rows += 1;
            self.result = self.write(&Row::new(frame, field, verdict));
        }
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        self.without_field(frame, NOT_ENTERED, obstacle);
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        self.without_field(frame, MALFORMED, how);
    }
}

impl Rows {
    /// A row of a frame in which no field was found, because something ended the walk.
    fn without_field(&mut self, frame: &Frame<'_>, status: &str, reason: impl Display) {
        if self.unjudged && self.result.is_ok() {
            self.rows += 1;
            self.result = self.write_without_field(frame, status, reason);
        }
    }

    fn write_without_field(
        &mut self,
        frame: &Frame<'_>,
        status: &str,
        reason: impl Display,
    ) -> Result<(), csv::Error> {
        self.writer.write_field(&self.file)?;
        self.value(frame.number)?;
        self.optional(frame.time.and_then(rfc3339))?;
        for column in &COLUMNS[3..] {
            match *column {
                "status" => self.value(status)?,
                "reason" => self.value(&reason)?,
                _ => self.writer.write_field("")?,
            }
        }
        self.writer.write_record(None::<&[u8]>)
    }

    fn write(&mut self, row: &Row) -> Result<(), csv::Error> {
        let (from, to) = row.ports.unzip();
        let hexadecimal = |value: u32| format!("{value:#0width$x}", width = row.digits + 2);
        self.writer.write_field(&self.file)?;
        self.value(row.frame)?;
        self.optional(row.time.and_then(rfc3339))?;
        self.value(row.layer)?;
        self.value(row.quoted)?;
        self.value(row.protocol)?;
        self.optional(row.source)?;
        self.optional(from)?;
        self.optional(row.destination)?;
        self.optional(to)?;
        self.value(row.status)?;
        self.optional(row.cause)?;
        self.optional(row.reason)?;
        self.optional(row.found.map(hexadecimal))?;
        self.optional(row.expected.map(hexadecimal))?;
        self.optional(row.offset)?;
        self.writer.write_record(None::<&[u8]>)
    }

    fn value(&mut self, value: impl Display) -> Result<(), csv::Error> {
        use std::fmt::Write as _;
        self.cell.clear();
        write!(self.cell, "{value}").expect("a String takes all");
        self.writer.write_field(&self.cell)
    }

    fn optional(&mut self, value: Option<impl Display>) -> Result<(), csv::Error> {
        match value {
            Some(value) => self.value(value),
            None => self.writer.write_field(""),
        }
    }
}
