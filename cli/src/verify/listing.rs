// SPDX-License-Identifier: MIT OR Apache-2.0
//! The wrong checksums of captures as rows that a reader filters.

use std::io;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use wiresum_packet::{Collector, Field, Frame, Sink, Verdict};

use super::html::kind;
use super::row::Row;
use crate::flow::between;
use crate::input::shown;
use crate::time::rfc3339;

/// The wrong checksums that a reader looks for. A member that is empty looks for all of them.
#[derive(Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Filter {
    /// The place of the file among all files, from 0.
    file: Option<usize>,
    /// The beginning of the source or of the destination address.
    host: String,
    protocol: String,
    /// The cause as the table shows it, or `illegal` for a value that has none.
    cause: String,
}

/// The first wrong checksums that a filter finds.
pub struct Listing {
    filter: Filter,
    room: usize,
    names: Vec<String>,
    rows: Vec<Listed>,
    /// How many of the checksums that the filter finds are in no row.
    beyond: u64,
}

/// A row with its kind, and the place of its file among all files.
#[derive(Clone, Copy)]
struct Listed {
    file: usize,
    row: Row,
    kind: &'static str,
}

/// A row as JSON.
#[derive(Serialize)]
struct Line<'a> {
    file: usize,
    path: &'a str,
    frame: u64,
    time: Option<String>,
    layer: u8,
    protocol: &'static str,
    between: String,
    status: &'static str,
    kind: &'static str,
    found: Option<String>,
    expected: Option<String>,
}

#[derive(Serialize)]
struct Lines<'a> {
    /// How many rows the filter finds.
    found: u64,
    /// How many more it might find in the captures: they had no room.
    beyond: u64,
    rows: Vec<Line<'a>>,
}

impl Filter {
    fn finds(&self, listed: &Listed) -> bool {
        let host = &self.host.trim().to_ascii_lowercase();
        let mut ends = [listed.row.source, listed.row.destination].into_iter();
        self.file.is_none_or(|file| file == listed.file)
            && (self.protocol.is_empty() || self.protocol == listed.row.protocol)
            && (self.cause.is_empty() || self.cause == listed.kind)
            && (host.is_empty() || ends.any(|end| begins(end, host)))
    }
}

fn begins(address: Option<IpAddr>, with: &str) -> bool {
    address.is_some_and(|address| address.to_string().starts_with(with))
}

impl Listing {
    /// A listing with room for so many rows that the filter finds.
    #[must_use]
    pub fn new(filter: Filter, room: usize) -> Listing {
        Listing {
            filter,
            room,
            names: Vec::new(),
            rows: Vec::new(),
            beyond: 0,
        }
    }

    /// Begins a file: all checksums after this are of that file.
    pub fn begin(&mut self, name: &str) {
        self.names.push(shown(name));
    }

    /// How many of the checksums that the listing looks for are in no row.
    #[must_use]
    pub fn beyond(&self) -> u64 {
        self.beyond
    }

    /// The first `most` rows that another filter finds among those of the listing, as JSON.
    ///
    /// # Errors
    /// None that is known.
    pub fn json(&self, filter: &Filter, most: usize) -> serde_json::Result<String> {
        let found = self.rows.iter().filter(|listed| filter.finds(listed));
        let line = |&Listed { file, row, kind }: &Listed| {
            let hexadecimal = |value: u32| format!("{value:#0width$x}", width = row.digits + 2);
            Line {
                file,
                path: &self.names[file],
                frame: row.frame,
                time: row.time.and_then(rfc3339),
                layer: row.layer,
                protocol: row.protocol,
                between: between(row.source.zip(row.destination), row.ports),
                status: row.status,
                kind,
                found: row.found.map(hexadecimal),
                expected: row.expected.map(hexadecimal),
            }
        };
        serde_json::to_string(&Lines {
            found: found.clone().count() as u64,
            beyond: self.beyond,
            rows: found.take(most).map(line).collect(),
        })
    }
}

impl Collector for Listing {
    type Part = Part;

    fn part(&self) -> Part {
        Part::default()
    }

    fn take(&mut self, part: &mut Part) -> io::Result<()> {
        let file = self.names.len() - 1;
        for (row, kind) in part.0.drain(..) {
            let listed = Listed { file, row, kind };
            if !self.filter.finds(&listed) {
                continue;
            }
            if self.rows.len() < self.room {
                self.rows.push(listed);
            } else {
                self.beyond += 1;
            }
        }
        Ok(())
    }
}

/// The rows of one chunk of a capture.
#[derive(Clone, Default)]
pub struct Part(Vec<(Row, &'static str)>);

impl Sink for Part {
    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        if let Some(kind) = kind(field, verdict) {
            self.0.push((Row::new(frame, field, verdict), kind));
        }
    }
}
