// SPDX-License-Identifier: MIT OR Apache-2.0
//! Capture files: pcap, pcapng and snoop, compressed or not, from any reader.
//!
//! `pcap-parser` parses the header of pcap and the interface blocks of pcapng. This module adds
//! what a hostile or damaged file needs: a bound on memory, a way to go on after a record that
//! cannot be read, and a count of such records by what is wrong with them. It parses the records of
//! pcap and the packet blocks of pcapng itself, which is faster; the tests compare the result with
//! the result of `pcap-parser`.

mod buffer;
mod compression;
mod frame;
mod header;
mod pcap;
mod pcapng;
mod section;
mod snoop;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read};

use crate::LinkType;
use crate::origin::Origin;
use buffer::Buffer;
use pcap::Pcap;
use pcapng::PcapNg;
use snoop::Snoop;

pub use compression::{Compression, Decoder};
pub(crate) use frame::Captured;
pub use frame::{Direction, Flags, Frame, Timestamp};
pub use header::{Beginning, Header};
pub(crate) use pcap::InMemory;
pub(crate) use section::Headers;

/// The longest record or block in bytes; a longer one has a damaged length. Tools write far shorter
/// records: libpcap's largest snapshot length is 128 MiB for D-Bus, and 256 KiB for all link types
/// that carry IP.
const MAX_RECORD: usize = 16 << 20;

/// A capture that is being read.
///
/// Whatever the file says, memory stays below 20 MiB, plus a few bytes for each interface, of which
/// at most 65,536 are kept, plus the memory of the decompressor, which is at most 130 MiB.
pub struct Capture<R: Read> {
    buffer: Buffer<Decoder<R>>,
    format: Format,
    frames: u64,
    malformed: Malformed,
    ended: bool,
    /// What [`Capture::limit`] keeps of a format without headers in between.
    headers: Headers,
}

/// The state of a format's reader.
trait Records {
    /// Reads up to the next packet record, and leaves the record in the buffer. Returns `None` at
    /// the end.
    fn next_record<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        malformed: &mut Malformed,
    ) -> io::Result<Option<Record>>;
}

/// Reads all records in a held buffer, and calls `each` with each one. Returns whether the file
/// ends with them.
fn read_all<R: Read>(
    format: &mut impl Records,
    buffer: &mut Buffer<R>,
    malformed: &mut Malformed,
    mut each: impl FnMut(Record),
) -> bool {
    loop {
        match format.next_record(buffer, malformed) {
            Ok(Some(record)) => each(record),
            Ok(None) => return true,
            Err(_) => return false, // the only error: a held buffer does not read the stream
        }
    }
}

enum Format {
    Pcap(Pcap),
    PcapNg(PcapNg),
    Snoop(Snoop),
}

/// How many records could not be read, by what was wrong with them.
pub type Malformed = BTreeMap<&'static str, u64>;

/// A packet record, still in the buffer.
#[derive(Clone, Copy)]
pub(crate) struct Record {
    position: usize,
    captured: usize,
    original: u32,
    link_type: LinkType,
    time: Option<Timestamp>,
    flags: Option<Flags>,
}

/// A stretch of a capture: whole records, and the bytes between them.
///
/// Chunks follow each other without a gap. A chunk can be examined on another thread than the one
/// that reads, and can be filled again.
#[derive(Default)]
pub struct Chunk {
    bytes: Vec<u8>,
    /// How many of `bytes` belong to the chunk.
    len: usize,
    /// The offset in the file at which the chunk begins.
    offset: u64,
    /// The number of its first frame.
    first: u64,
    /// How to read the record headers of a pcap, whose positions are kept. To read a header again
    /// takes less time than to store what it says.
    layout: Option<pcap::Layout>,
    positions: Vec<u32>,
    /// The records of the other formats.
    records: Vec<Record>,
}

impl Chunk {
    /// Returns how many frames the chunk holds.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        match self.layout {
            Some(_) => self.positions.len(),
            None => self.records.len(),
        }
    }

    /// Returns whether the chunk holds no frame. It may still hold other bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    #[inline]
    fn record(&self, index: usize) -> Record {
        match &self.layout {
            Some(layout) => layout.record(&self.bytes, self.positions[index]),
            None => self.records[index],
        }
    }

    /// Returns the frame at an index, counted from 0.
    ///
    /// # Panics
    /// If `index` is not below [`Chunk::len`].
    #[inline]
    #[must_use]
    pub fn frame(&self, index: usize) -> Frame<'_> {
        let record = self.record(index);
        let data = &self.bytes[record.position..record.position + record.captured];
        record.frame(self.first + index as u64, data, self.offset)
    }

    /// Returns the part of the frame at an index that [`Chunk::frame`] would tell about its bytes.
    #[inline]
    pub(crate) fn captured(&self, index: usize) -> Captured<'_> {
        self.record(index).in_bytes(&self.bytes)
    }

    /// Returns the bytes of the frame at an index, to change them, and the offset in the file at
    /// which they begin.
    ///
    /// # Panics
    /// If `index` is not below [`Chunk::len`].
    #[must_use]
    pub fn frame_mut(&mut self, index: usize) -> (&mut [u8], u64) {
        let record = self.record(index);
        let range = record.position..record.position + record.captured;
        (&mut self.bytes[range], self.offset + record.position as u64)
    }

    /// Returns the frames in their order.
    #[inline]
    pub fn frames(&self) -> impl Iterator<Item = Frame<'_>> {
        (0..self.len()).map(|index| self.frame(index))
    }

    /// Returns the offset in the file at which the chunk begins, as in
    /// [`Place::position`](crate::Place::position).
    #[must_use]
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns all bytes of the chunk, as they are in the file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Returns all bytes of the chunk, to change the bytes of the frames.
    #[must_use]
    pub fn bytes_mut(&mut self) -> &mut [u8] {
        &mut self.bytes[..self.len]
    }
}

impl Record {
    /// Returns the length on the wire. A damaged record may tell less than its captured length.
    #[inline]
    fn original_len(&self) -> usize {
        self.captured.max(self.original as usize)
    }

    /// Returns what the walk reads of the record, which lies in these bytes.
    #[inline]
    fn in_bytes<'a>(&self, bytes: &'a [u8]) -> Captured<'a> {
        Captured {
            link_type: self.link_type,
            data: &bytes[self.position..self.position + self.captured],
            original_len: self.original_len(),
        }
    }

    /// Returns the frame of the record, in a buffer that begins at `offset` in the file.
    #[inline]
    fn frame<'a>(&self, number: u64, data: &'a [u8], offset: u64) -> Frame<'a> {
        Frame {
            number,
            time: self.time,
            link_type: self.link_type,
            data,
            original_len: self.original_len(),
            origin: Origin::Record {
                position: Some(offset + self.position as u64),
            },
            flags: self.flags,
        }
    }
}

impl<R: Read> Capture<R> {
    /// Opens a capture: pcap in either byte order, with microseconds or nanoseconds; pcapng; or
    /// snoop (RFC 1761). The file may be compressed with gzip, zstd, lz4 or xz. The first bytes of
    /// the file tell which format it is.
    ///
    /// # Errors
    /// If the file cannot be read, or is not in one of these formats.
    pub fn open(reader: R) -> Result<Capture<R>, OpenError> {
        let decoder = Decoder::new(reader).map_err(OpenError::Io)?;
        let mut buffer = Buffer::new(decoder);
        buffer.fill(28).map_err(OpenError::Io)?; // a shorter file is refused below
        let missing = buffer.data().len() < 28;
        let decoder = buffer.reader_mut();
        if let (true, Some(by)) = (missing, decoder.compression())
            && let Some(error) = decoder.damage.take()
        {
            return Err(match compression::is_memory(&error) {
                true => OpenError::Memory(by),
                false => OpenError::Compressed(by, error),
            });
        }
        let head = buffer.data();
        if head.starts_with(b"BZh") {
            return Err(OpenError::OtherCompression("bzip2"));
        }
        let format = if head.starts_with(&section::SECTION_HEADER.to_be_bytes()) {
            Format::PcapNg(PcapNg::default())
        } else if head.starts_with(snoop::MAGIC) {
            Format::Snoop(Snoop::open(&mut buffer)?)
        } else {
            Format::Pcap(Pcap::open(&mut buffer)?)
        };
        Ok(Capture {
            buffer,
            format,
            frames: 0,
            malformed: Malformed::new(),
            ended: false,
            headers: Headers::default(),
        })
    }

    /// Returns the file's compression format, if it is compressed.
    #[must_use]
    pub fn compression(&self) -> Option<Compression> {
        self.buffer.reader().compression()
    }

    /// Returns why the decompressed data ended early, if they did. [`Capture::malformed`] counts
    /// this too.
    #[must_use]
    pub fn damage(&self) -> Option<&io::Error> {
        self.buffer.reader().damage()
    }

    /// Returns the next frame, or `None` at the end. A record that cannot be read is counted and
    /// skipped. If the length of such a record is unknown, the capture ends there.
    ///
    /// ```
    /// use wiresum_packet::{Capture, LinkType};
    ///
    /// // The header of a pcap file with raw IP packets, and no packet.
    /// let mut file = 0xa1b2_c3d4_u32.to_le_bytes().to_vec();
    /// for word in [0x0004_0002_u32, 0, 0, 262_144, LinkType(101).0] {
    ///     file.extend(word.to_le_bytes());
    /// }
    /// // A packet: the time, the length that was captured, and the length on the wire.
    /// for word in [1_767_225_600_u32, 0, 4, 20] {
    ///     file.extend(word.to_le_bytes());
    /// }
    /// file.extend([0x45, 0, 0, 20]);
    ///
    /// let mut capture = Capture::open(&file[..])?;
    /// let frame = capture.next_frame()?.expect("a frame");
    /// assert_eq!((frame.data.len(), frame.original_len), (4, 20));
    /// assert!(capture.next_frame()?.is_none());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the stream cannot be read.
    pub fn next_frame(&mut self) -> io::Result<Option<Frame<'_>>> {
        let Some(record) = self.next_record()? else {
            return Ok(None);
        };
        self.frames += 1;
        let data = self.buffer.at(record.position, record.captured);
        Ok(Some(record.frame(self.frames, data, self.buffer.offset(0))))
    }

    /// Fills a chunk with the next frames: with all that can be read without waiting for more, and
    /// with at least one record or block. Returns false at the end; the chunk is then empty.
    ///
    /// # Errors
    /// If the stream cannot be read.
    pub fn next_chunk(&mut self, chunk: &mut Chunk) -> io::Result<bool> {
        chunk.layout = None;
        chunk.positions.clear();
        chunk.records.clear();
        chunk.len = 0;
        chunk.first = self.frames + 1;
        loop {
            self.buffer.hold();
            let (buffer, malformed) = (&mut self.buffer, &mut self.malformed);
            let ended = match &mut self.format {
                Format::Pcap(pcap) => {
                    chunk.layout = Some(pcap.layout());
                    pcap.all_there(buffer, malformed, &mut chunk.positions)
                }
                Format::PcapNg(pcapng) => read_all(pcapng, buffer, malformed, |record| {
                    chunk.records.push(record);
                }),
                Format::Snoop(snoop) => read_all(snoop, buffer, malformed, |record| {
                    chunk.records.push(record);
                }),
            };
            self.buffer.release();
            if ended {
                self.end();
            }
            if self.buffer.position() > 0 {
                (chunk.offset, chunk.len) = self.buffer.exchange(&mut chunk.bytes);
                self.frames += chunk.len() as u64;
                return Ok(true);
            }
            if ended {
                return Ok(false);
            }
            self.buffer.read_more()?;
        }
    }

    fn next_record(&mut self) -> io::Result<Option<Record>> {
        let (buffer, malformed) = (&mut self.buffer, &mut self.malformed);
        let record = match &mut self.format {
            Format::Pcap(pcap) => pcap.next_record(buffer, malformed),
            Format::PcapNg(pcapng) => pcapng.next_record(buffer, malformed),
            Format::Snoop(snoop) => snoop.next_record(buffer, malformed),
        }?;
        if record.is_none() {
            self.end();
        }
        Ok(record)
    }

    /// Notes that there are no more records.
    fn end(&mut self) {
        if !self.ended {
            self.ended = true;
            if let Some(error) = self.damage() {
                let how = match compression::is_memory(error) {
                    true => "compressed data that need more memory than is allowed",
                    false => "damaged compressed data",
                };
                count(&mut self.malformed, how);
            }
        }
    }

    /// Has the capture end before the first record or block that begins at or after an offset, and
    /// keeps the headers of its records. The capture begins with the header `first`.
    pub(crate) fn limit(&mut self, first: &Header, until: u64) {
        self.buffer.limit = until;
        let headers = Headers::after(first.bytes());
        match &mut self.format {
            Format::PcapNg(pcapng) => pcapng.headers = Some(headers),
            _ => self.headers = headers,
        }
    }

    /// Returns the headers of the records that were read, after [`Capture::limit`].
    pub(crate) fn headers(&self) -> &Headers {
        match &self.format {
            Format::PcapNg(pcapng) => pcapng.headers.as_ref().unwrap_or(&self.headers),
            _ => &self.headers,
        }
    }

    /// Returns the offset at which the records end that were read, and whether no other can follow.
    pub(crate) fn end_of_records(&self) -> (u64, bool) {
        let end = match &self.format {
            Format::Pcap(pcap) => pcap.end,
            Format::PcapNg(pcapng) => pcapng.end,
            Format::Snoop(_) => None,
        };
        let position = self.buffer.offset(self.buffer.position());
        (end.unwrap_or(position), end.is_some())
    }

    /// Returns the bytes that were not read yet: after the last frame, those in which no record
    /// could be found.
    pub fn into_rest(self) -> impl Read {
        self.buffer.into_rest()
    }

    /// Returns how many records could not be read so far, by what was wrong with them.
    #[must_use]
    pub fn malformed(&self) -> &Malformed {
        &self.malformed
    }
}

/// Returns the number of four bytes.
#[inline]
fn u32_of(big_endian: bool, bytes: &[u8], at: usize) -> u32 {
    let word = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
    match big_endian {
        true => u32::from_be_bytes(word),
        false => u32::from_le_bytes(word),
    }
}

fn count(malformed: &mut Malformed, what: &'static str) {
    *malformed.entry(what).or_default() += 1;
}

/// Why a file cannot be opened as a capture.
#[derive(Debug)]
#[non_exhaustive]
pub enum OpenError {
    /// The file cannot be read.
    Io(io::Error),
    /// The file is empty.
    Empty,
    /// The file ends within its own header.
    CutShort,
    /// The file is compressed, but the compressed data are damaged.
    Compressed(Compression, io::Error),
    /// The file is compressed with a window that is larger than the decompressor may keep.
    Memory(Compression),
    /// The file is compressed in this format, which is not read.
    OtherCompression(&'static str),
    /// The file is a snoop file of another version than 2.
    SnoopVersion(u32),
    /// The file does not begin like any known capture format.
    NotACapture,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpenError::Io(e) => e.fmt(f),
            OpenError::Empty => f.write_str("the file is empty"),
            OpenError::CutShort => f.write_str("the file ends within its own header"),
            OpenError::Compressed(by, e) => {
                write!(f, "the file is compressed with {by}, but damaged: {e}")
            }
            OpenError::Memory(by) => {
                let window = match by {
                    Compression::Xz => "dictionary above 64 MiB",
                    _ => "window above 128 MiB (zstd --long=28 and more)",
                };
                write!(
                    f,
                    "the file is compressed with {by} and a {window}; decompress it first"
                )
            }
            OpenError::OtherCompression(by) => write!(
                f,
                "the file is compressed with {by}; decompress it first, or compress it with gzip, \
                 zstd, lz4 or xz"
            ),
            OpenError::SnoopVersion(n) => {
                write!(f, "a snoop capture of version {n}; only version 2 is known")
            }
            OpenError::NotACapture => f.write_str("not a pcap, pcapng or snoop capture"),
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            // The message contains the error itself.
            OpenError::Io(e) | OpenError::Compressed(_, e) => e.source(),
            _ => None,
        }
    }
}
