// SPDX-License-Identifier: MIT OR Apache-2.0
//! The wrong checksums of captures as rows that a reader filters.

use std::hash::Hash;
use std::io;
use std::net::IpAddr;

use foldhash::{HashMap, HashMapExt};
use serde::{Deserialize, Serialize};
use wiresum_packet::{Collector, Field, Frame, Needs, Sink, Timestamp, Verdict};

use super::html::kind;
use super::row::Row;
use crate::flow::between;
use crate::input::shown;
use crate::time::rfc3339_of_unix;

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

/// The first wrong checksums that a filter finds, held in 48 bytes each.
pub struct Filtered {
    filter: Filter,
    room: usize,
    names: Vec<String>,
    /// Pieces of equal length: one that grew as a whole would need its room twice.
    rows: Vec<Vec<Listed>>,
    sorts: Pool<Sort>,
    addresses: Pool<IpAddr>,
    /// How many of the checksums that the filter finds are in no row.
    beyond: u64,
}

/// The rows of a piece.
const PIECE: usize = 1 << 16;

/// A row. What many rows share is in the pools of [`Filtered`]. Where [`Sort`] says that a member
/// is missing, it is 0.
#[derive(Clone, Copy)]
struct Listed {
    frame: u64,
    seconds: i64,
    nanoseconds: u32,
    sort: u32,
    source: u32,
    destination: u32,
    ports: (u16, u16),
    found: u32,
    expected: u32,
}

const _: () = assert!(size_of::<Listed>() == 48);

/// What rows share, and which members they have.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Sort {
    /// The place of the file among all files.
    file: usize,
    layer: u8,
    protocol: &'static str,
    status: &'static str,
    kind: &'static str,
    digits: usize,
    /// The ticks of the clock in a second, if there is a time.
    per_second: Option<u64>,
    has_source: bool,
    has_destination: bool,
    has_ports: bool,
    has_found: bool,
    has_expected: bool,
}

/// Values, each of which is held once.
struct Pool<T> {
    places: HashMap<T, u32>,
    all: Vec<T>,
}

impl<T: Copy + Eq + Hash> Pool<T> {
    fn new() -> Pool<T> {
        Pool {
            places: HashMap::new(),
            all: Vec::new(),
        }
    }

    /// The place of a value.
    fn place(&mut self, value: T) -> u32 {
        *self.places.entry(value).or_insert_with(|| {
            self.all.push(value);
            self.all.len() as u32 - 1
        })
    }
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
    fn finds_sort(&self, file: usize, protocol: &str, kind: &str) -> bool {
        self.file.is_none_or(|wanted| wanted == file)
            && (self.protocol.is_empty() || self.protocol == protocol)
            && (self.cause.is_empty() || self.cause == kind)
    }

    /// Whether an address is an end that the reader looks for. None if the filter takes all.
    fn hosts(&self) -> Option<impl Fn(IpAddr) -> bool> {
        let host = self.host.trim().to_ascii_lowercase();
        let finds = move |address: IpAddr| address.to_string().starts_with(&host);
        (!self.host.trim().is_empty()).then_some(finds)
    }

    fn finds(&self, file: usize, row: &Row, kind: &str) -> bool {
        let ends = [row.source, row.destination];
        self.finds_sort(file, row.protocol, kind)
            && self
                .hosts()
                .is_none_or(|finds| ends.into_iter().flatten().any(finds))
    }
}

impl Filtered {
    /// No rows yet, and room for so many rows that the filter finds.
    #[must_use]
    pub fn new(filter: Filter, room: usize) -> Filtered {
        Filtered {
            filter,
            room,
            names: Vec::new(),
            rows: Vec::new(),
            sorts: Pool::new(),
            addresses: Pool::new(),
            beyond: 0,
        }
    }

    /// Begins a file: all checksums after this are of that file.
    pub fn begin(&mut self, name: &str) {
        self.names.push(shown(name));
    }

    /// How many of the checksums that the filter finds are in no row.
    #[must_use]
    pub fn beyond(&self) -> u64 {
        self.beyond
    }

    /// The first `most` rows that another filter finds among these rows, as JSON.
    ///
    /// # Errors
    /// None that is known.
    pub fn json(&self, filter: &Filter, most: usize) -> serde_json::Result<String> {
        let sorts: Vec<bool> = (self.sorts.all.iter())
            .map(|sort| filter.finds_sort(sort.file, sort.protocol, sort.kind))
            .collect();
        let hosts: Option<Vec<bool>> = filter
            .hosts()
            .map(|finds| self.addresses.all.iter().map(|&at| finds(at)).collect());
        let finds = |row: &&Listed| {
            let sort = &self.sorts.all[row.sort as usize];
            sorts[row.sort as usize]
                && hosts.as_ref().is_none_or(|of| {
                    sort.has_source && of[row.source as usize]
                        || sort.has_destination && of[row.destination as usize]
                })
        };
        let found = self.rows.iter().flatten().filter(finds);
        let line = |row: &Listed| {
            let sort = &self.sorts.all[row.sort as usize];
            let address = |has: bool, end: u32| has.then(|| self.addresses.all[end as usize]);
            let hexadecimal = |has: bool, value: u32| {
                has.then(|| format!("{value:#0width$x}", width = sort.digits + 2))
            };
            let source = address(sort.has_source, row.source);
            let destination = address(sort.has_destination, row.destination);
            let unix = (row.seconds, row.nanoseconds);
            Line {
                file: sort.file,
                path: &self.names[sort.file],
                frame: row.frame,
                time: sort
                    .per_second
                    .and_then(|ticks| rfc3339_of_unix(unix, ticks)),
                layer: sort.layer,
                protocol: sort.protocol,
                between: between(source.zip(destination), sort.has_ports.then_some(row.ports)),
                status: sort.status,
                kind: sort.kind,
                found: hexadecimal(sort.has_found, row.found),
                expected: hexadecimal(sort.has_expected, row.expected),
            }
        };
        serde_json::to_string(&Lines {
            found: found.clone().count() as u64,
            beyond: self.beyond,
            rows: found.take(most).map(line).collect(),
        })
    }

    fn push(&mut self, file: usize, row: &Row, kind: &'static str) {
        let sort = Sort {
            file,
            layer: row.layer,
            protocol: row.protocol,
            status: row.status,
            kind,
            digits: row.digits,
            per_second: row.time.map(Timestamp::per_second),
            has_source: row.source.is_some(),
            has_destination: row.destination.is_some(),
            has_ports: row.ports.is_some(),
            has_found: row.found.is_some(),
            has_expected: row.expected.is_some(),
        };
        let (seconds, nanoseconds) = row.time.map(Timestamp::unix).unwrap_or_default();
        let mut place = |address: Option<IpAddr>| address.map(|at| self.addresses.place(at));
        let listed = Listed {
            frame: row.frame,
            seconds,
            nanoseconds,
            sort: self.sorts.place(sort),
            source: place(row.source).unwrap_or_default(),
            destination: place(row.destination).unwrap_or_default(),
            ports: row.ports.unwrap_or_default(),
            found: row.found.unwrap_or_default(),
            expected: row.expected.unwrap_or_default(),
        };
        match self.rows.last_mut() {
            Some(piece) if piece.len() < PIECE => piece.push(listed),
            _ => self.rows.push(vec![listed]),
        }
    }

    /// How many rows there are.
    fn len(&self) -> usize {
        let last = self.rows.last().map_or(0, Vec::len);
        self.rows.len().saturating_sub(1) * PIECE + last
    }
}

impl Collector for Filtered {
    type Part = Part;

    fn part(&self) -> Part {
        Part::default()
    }

    fn take(&mut self, part: &mut Part) -> io::Result<()> {
        let file = self.names.len() - 1;
        for (row, kind) in part.0.drain(..) {
            if !self.filter.finds(file, &row, kind) {
                continue;
            }
            if self.len() < self.room {
                self.push(file, &row, kind);
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
    fn needs(&self) -> Needs {
        Needs::Wrong
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        if let Some(kind) = kind(field, verdict) {
            self.0.push((Row::new(frame, field, verdict), kind));
        }
    }
}
