// SPDX-License-Identifier: MIT OR Apache-2.0
//! Capture files: pcap and pcapng, from anything that can be read.
//!
//! `pcap-parser` reads the formats. What is added here is what a hostile or damaged file needs: a bound on memory, a way on
//! after a record that cannot be read, and a count of those, by what was wrong with them.

mod buffer;
mod pcap;
mod pcapng;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read};

use crate::LinkType;
use crate::origin::{Origin, Place};
use buffer::Buffer;
use pcap::Pcap;
use pcapng::PcapNg;

/// The longest record or block that is taken at its word. What tools write stays far below (libpcap's largest snapshot length
/// is 128 MiB for D-Bus, and 256 KiB for all that carries IP), so a longer one is a damaged length.
const MAX_RECORD: usize = 16 << 20;

/// A frame of a capture: the bytes that were captured, and what the file says of them.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Its number in the file, from 1, as Wireshark counts.
    pub number: u64,
    /// When it was captured; a pcapng Simple Packet Block does not say.
    pub time: Option<Timestamp>,
    /// What the frame begins with.
    pub link_type: LinkType,
    /// What was captured of it.
    pub data: &'a [u8],
    /// Its length on the wire: more than `data` has if the frame was snapped.
    pub original_len: usize,
    /// Where `data` comes from.
    pub origin: Origin<'a>,
}

impl Frame<'_> {
    /// Returns where the byte at an offset of `data` lies in the capture: what is patched to change it.
    #[must_use]
    pub fn place(&self, offset: usize) -> Place {
        let (pieces, position) = match self.origin {
            Origin::Record { position } => (&[][..], position),
            Origin::Datagram(pieces) => (pieces, None),
        };
        let pieces = &pieces[..pieces.partition_point(|piece| piece.start <= offset)];
        match pieces.last() {
            Some(piece) => piece.place.after(offset - piece.start),
            None => Place {
                frame: self.number,
                offset: 0,
                position,
            }
            .after(offset),
        }
    }
}

/// A time as a capture file holds it; made into seconds and nanoseconds only when somebody asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamp {
    ticks: u64,
    per_second: u64,
    offset_seconds: i64,
}

impl Timestamp {
    /// Returns the seconds since 1970-01-01 00:00 UTC, and the nanoseconds after those (below 1,000,000,000).
    #[must_use]
    pub fn unix(self) -> (i64, u32) {
        let per_second = self.per_second.max(1);
        let seconds = (self.ticks / per_second) as i64; // per_second is 1 for odd files only, and then this wraps
        let part = u128::from(self.ticks % per_second) * 1_000_000_000 / u128::from(per_second);
        (seconds.wrapping_add(self.offset_seconds), part as u32)
    }

    /// Returns how many times in a second the clock of the capture ticks: what the digits are worth.
    #[must_use]
    pub const fn per_second(self) -> u64 {
        self.per_second
    }
}

/// A capture being read.
///
/// Memory stays below 20 MiB plus a few bytes for each interface, of which at most 65,536 are kept, whatever the file says.
pub struct Capture<R> {
    buffer: Buffer<R>,
    format: Format,
    frames: u64,
    malformed: Malformed,
}

enum Format {
    Pcap(Pcap),
    PcapNg(PcapNg),
}

/// How many records could not be read, by what was wrong with them.
pub type Malformed = BTreeMap<&'static str, u64>;

/// A packet record, still in the buffer.
struct Record {
    position: usize,
    captured: usize,
    original: u32,
    link_type: LinkType,
    time: Option<Timestamp>,
}

impl<R: Read> Capture<R> {
    /// Begins to read a capture: pcap of either byte order, with micro- or nanoseconds, or pcapng.
    ///
    /// # Errors
    /// If it cannot be read, or is not such a file.
    pub fn open(reader: R) -> Result<Capture<R>, OpenError> {
        let mut buffer = Buffer::new(reader);
        buffer.fill(28).map_err(OpenError::Io)?; // the shorter file is refused below
        let format = if buffer
            .data()
            .starts_with(&pcapng::SECTION_HEADER.to_be_bytes())
        {
            Format::PcapNg(PcapNg::default())
        } else {
            Format::Pcap(Pcap::open(&mut buffer)?)
        };
        Ok(Capture {
            buffer,
            format,
            frames: 0,
            malformed: Malformed::new(),
        })
    }

    /// Returns the next frame, or `None` at the end. Records that cannot be read are counted and passed over; where nothing
    /// tells how long such a record is, the file ends with it.
    ///
    /// # Errors
    /// If the stream cannot be read.
    pub fn next_frame(&mut self) -> io::Result<Option<Frame<'_>>> {
        let (buffer, malformed) = (&mut self.buffer, &mut self.malformed);
        let record = match &mut self.format {
            Format::Pcap(pcap) => pcap.next_record(buffer, malformed)?,
            Format::PcapNg(pcapng) => pcapng.next_record(buffer, malformed)?,
        };
        let Some(record) = record else {
            return Ok(None);
        };
        self.frames += 1;
        Ok(Some(Frame {
            number: self.frames,
            time: record.time,
            link_type: record.link_type,
            data: self.buffer.at(record.position, record.captured),
            // A record that claims to hold more than there was on the wire holds what it holds.
            original_len: record.captured.max(record.original as usize),
            origin: Origin::Record {
                position: Some(self.buffer.file_offset(record.position)),
            },
        }))
    }

    /// Returns how many records could not be read so far, by what was wrong with them.
    #[must_use]
    pub fn malformed(&self) -> &Malformed {
        &self.malformed
    }
}

fn count(malformed: &mut Malformed, what: &'static str) {
    *malformed.entry(what).or_default() += 1;
}

/// Why a file is not read as a capture.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// It cannot be read.
    Io(io::Error),
    /// It is empty.
    Empty,
    /// It ends within its own header.
    CutShort,
    /// It is compressed, by the program named.
    Compressed(&'static str),
    /// It begins like no capture file that is known here.
    NotACapture,
}

impl OpenError {
    /// What a file is that does not begin as pcap or pcapng do.
    fn of(head: &[u8]) -> OpenError {
        match head {
            [] => OpenError::Empty,
            [0x1f, 0x8b, ..] => OpenError::Compressed("gzip"),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => OpenError::Compressed("zstd"),
            [0x04, 0x22, 0x4d, 0x18, ..] => OpenError::Compressed("lz4"),
            [0xfd, b'7', b'z', b'X', b'Z', ..] => OpenError::Compressed("xz"),
            _ => OpenError::NotACapture,
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Io(e) => e.fmt(f),
            OpenError::Empty => f.write_str("the file is empty"),
            OpenError::CutShort => f.write_str("the file ends within its own header"),
            OpenError::Compressed(by) => write!(f, "the file is compressed with {by}"),
            OpenError::NotACapture => f.write_str("not a pcap or pcapng capture"),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            OpenError::Io(e) => Some(e),
            _ => None,
        }
    }
}
