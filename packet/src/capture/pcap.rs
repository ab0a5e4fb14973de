// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pcap format: a header, then records that state their own length. Nothing else shows where a
//! record begins, so a damaged length ends the file.

use std::io::{self, Read};

use pcap_parser::nom::Err;
use pcap_parser::parse_pcap_header;

use super::buffer::Buffer;
use super::{
    Captured, Compression, Frame, MAX_RECORD, Malformed, OpenError, Record, Records, Timestamp,
    count, read_all, u32_of,
};
use crate::LinkType;

const RECORD_HEADER: usize = 16;

pub(super) struct Pcap {
    layout: Layout,
    /// The offset up to which the bytes show that no record follows, once they do.
    pub(super) end: Option<u64>,
}

/// What the header of the file says of its records.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    big_endian: bool,
    pub(super) header_len: usize,
    link_type: LinkType,
    per_second: u64,
}

impl Records for Pcap {
    #[inline]
    fn next_record<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        malformed: &mut Malformed,
    ) -> io::Result<Option<Record>> {
        if self.end.is_some() || buffer.is_at_limit()? {
            return Ok(None);
        }
        let layout = self.layout;
        if buffer.fill(layout.header_len)? {
            let len = layout.len(buffer.data());
            if len <= MAX_RECORD && buffer.fill(len)? {
                let record = layout.parsed(buffer.data(), buffer.position()); // it may have moved
                buffer.consume(len);
                return Ok(Some(record));
            }
        }
        let (damage, shown) = layout.damage(buffer.data());
        self.end = Some(buffer.offset(buffer.position() + shown));
        if let Some(damage) = damage {
            count(malformed, damage);
        }
        Ok(None)
    }
}

impl Pcap {
    pub(super) fn open<R: Read>(buffer: &mut Buffer<R>) -> Result<Pcap, OpenError> {
        let (layout, len) = Layout::of(buffer.data())?;
        buffer.consume(len);
        Ok(Pcap { layout, end: None })
    }

    pub(super) fn layout(&self) -> Layout {
        self.layout
    }

    /// Reads the positions of all records in a held buffer. Returns whether the file ends with
    /// them.
    pub(super) fn all_there<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        malformed: &mut Malformed,
        positions: &mut Vec<u32>,
    ) -> bool {
        let layout = self.layout;
        let (mut data, mut position) = (buffer.data(), buffer.position());
        let limit = buffer.limit_position();
        while self.end.is_none() && position < limit && data.len() >= layout.header_len {
            let len = layout.len(data);
            if len > data.len().min(MAX_RECORD) {
                break;
            }
            positions.push(position as u32);
            (data, position) = (&data[len..], position + len);
        }
        buffer.consume(position - buffer.position());
        // What is unusual, and the end.
        read_all(self, buffer, malformed, |record| {
            positions.push((record.position - layout.header_len) as u32);
        })
    }
}

impl Layout {
    /// Reads the header with which a file begins. Returns its length, too.
    pub(super) fn of(data: &[u8]) -> Result<(Layout, usize), OpenError> {
        let (header, len) = match parse_pcap_header(data) {
            Ok((rest, header)) => (header, data.len() - rest.len()),
            Err(Err::Incomplete(_)) if !data.is_empty() => return Err(OpenError::CutShort),
            Err(_) if data.is_empty() => return Err(OpenError::Empty),
            Err(_) => return Err(OpenError::NotACapture),
        };
        let layout = Layout {
            big_endian: header.is_bigendian(),
            header_len: match header.is_modified_format() {
                true => RECORD_HEADER + 8,
                false => RECORD_HEADER,
            },
            link_type: LinkType::from_pcap_header(header.network.0 as u32),
            per_second: if header.is_nanosecond_precision() {
                1_000_000_000
            } else {
                1_000_000
            },
        };
        Ok((layout, len))
    }

    /// Returns the longest packet that the header of a file announces.
    pub(super) fn snap_len(&self, header: &[u8]) -> u32 {
        u32_of(self.big_endian, header, 16)
    }

    /// Returns the record whose header is at a position of a chunk.
    #[inline]
    pub(super) fn record(&self, bytes: &[u8], position: u32) -> Record {
        let position = position as usize;
        self.parsed(&bytes[position..], position)
    }

    /// Returns the length of the record with its header, with which `data` begin.
    #[inline]
    fn len(&self, data: &[u8]) -> usize {
        let captured = self.parsed(data, 0).captured;
        captured.saturating_add(self.header_len)
    }

    /// Returns the record whose header `data` begin with, at a position of the buffer.
    #[inline]
    fn parsed(&self, data: &[u8], position: usize) -> Record {
        let [seconds, fraction, captured, original] = self.words(data);
        Record {
            position: position + self.header_len,
            captured: captured as usize,
            original,
            link_type: self.link_type,
            time: Some(self.time(seconds, fraction)),
            flags: None,
        }
    }

    /// Returns why no record can be read of these bytes, with which the file ends, if they are
    /// any. Returns how many of them show that, too.
    fn damage(&self, data: &[u8]) -> (Option<&'static str>, usize) {
        if data.len() >= self.header_len && self.len(data) > MAX_RECORD {
            return (Some("record length over 16 MiB"), self.header_len);
        }
        ((!data.is_empty()).then_some("truncated record"), data.len())
    }

    /// Returns the seconds, the fraction, the captured and the original length of a record.
    #[inline]
    pub(super) fn words(&self, data: &[u8]) -> [u32; 4] {
        let header: &[u8; RECORD_HEADER] = data.first_chunk().expect("it was read");
        [0, 4, 8, 12].map(|at| u32_of(self.big_endian, header, at))
    }

    fn time(&self, seconds: u32, fraction: u32) -> Timestamp {
        Timestamp {
            ticks: u64::from(seconds) * self.per_second + u64::from(fraction),
            per_second: self.per_second,
            offset_seconds: 0,
        }
    }
}

/// The records of a pcap that lies in memory.
pub(crate) struct InMemory<'a> {
    file: &'a [u8],
    layout: Layout,
    position: usize,
    /// How many records were read.
    frames: u64,
}

impl<'a> InMemory<'a> {
    /// Returns the records of a file, if it is a pcap.
    pub(crate) fn of(file: &'a [u8]) -> Option<InMemory<'a>> {
        let (layout, position) = Layout::of(file).ok()?;
        Compression::of(file).is_none().then_some(InMemory {
            file,
            layout,
            position,
            frames: 0,
        })
    }

    /// Returns where the next record begins.
    #[inline]
    pub(crate) fn position(&self) -> usize {
        self.position
    }

    /// Reads the next record. Returns `None` where no record can be read.
    #[inline]
    pub(crate) fn next(&mut self) -> Option<Record> {
        let rest = &self.file[self.position..];
        if rest.len() < self.layout.header_len {
            return None;
        }
        let record = self.layout.parsed(rest, self.position);
        let len = record.captured + self.layout.header_len;
        if len > rest.len().min(MAX_RECORD) {
            return None;
        }
        self.position += len;
        self.frames += 1;
        Some(record)
    }

    /// Returns what the walk reads of a record.
    #[inline]
    pub(crate) fn captured(&self, record: &Record) -> Captured<'a> {
        record.in_bytes(self.file)
    }

    /// Returns the frame of the record that was read last.
    pub(crate) fn frame(&self, record: &Record) -> Frame<'a> {
        record.frame(self.frames, self.captured(record).data, 0)
    }

    /// Returns why no other record can be read.
    pub(crate) fn malformed(&self) -> Malformed {
        let (damage, _) = self.layout.damage(&self.file[self.position..]);
        damage.map(|damage| (damage, 1)).into_iter().collect()
    }
}
