// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a reader has to know before it can read records at some place of a capture, and where the
//! records of a stretch of it may begin.

use super::pcap::Layout;
use super::pcapng;
use super::section::{Headers, SECTION_HEADER, byte_order, section};
use super::{Capture, Chunk, Compression, MAX_RECORD, u32_of};

/// The records in a row that must be plausible.
const CHAIN: usize = 8;
/// The longest packet that a plausible record holds, unless the header of the file says more.
const PLAUSIBLE: u32 = 256 << 10;

/// The beginning of a capture under which the records at some place can be read: the header of a
/// pcap, or a section of a pcapng with its interfaces.
#[derive(Clone)]
pub struct Header {
    format: Format,
    bytes: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Format {
    Pcap(Layout),
    PcapNg { big_endian: bool },
}

impl Header {
    /// Reads a header that [`Header::bytes`] gave. Returns `None` for all other bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Option<Header> {
        let mut header = Header::first(bytes)?;
        header.bytes = bytes.to_vec();
        Some(header)
    }

    /// Returns the header before the first record of a file, and the place of that record.
    fn at_beginning(file: &[u8]) -> Option<(Header, u64)> {
        let header = Header::first(file)?;
        let start = match header.format {
            Format::Pcap(_) => header.bytes.len() as u64,
            Format::PcapNg { .. } => 0,
        };
        Some((header, start))
    }

    fn first(file: &[u8]) -> Option<Header> {
        if file.starts_with(&SECTION_HEADER.to_be_bytes()) {
            let big_endian = byte_order(*file.get(8..)?.first_chunk()?)?;
            return Some(Header {
                format: Format::PcapNg { big_endian },
                bytes: section(big_endian),
            });
        }
        let (layout, len) = Layout::of(file).ok()?;
        Some(Header {
            format: Format::Pcap(layout),
            bytes: file[..len].to_vec(),
        })
    }

    /// Returns the bytes, which begin a file that has the records alone.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Looks for a record in the beginning of a stretch of a file: the first place at which a chain
    /// of plausible records begins. `offset` is the place of the first byte in the file, and
    /// `whole` says that the stretch ends with the file.
    pub(crate) fn find(&self, window: &[u8], offset: u64, whole: bool) -> Option<usize> {
        let step = match self.format {
            Format::Pcap(_) => 1,
            Format::PcapNg { .. } => 4, // the length of each block is a multiple of 4
        };
        let first = (offset.next_multiple_of(step as u64) - offset) as usize;
        (first..window.len())
            .step_by(step)
            .find(|&at| self.is_chain(window, at, whole))
    }

    fn is_chain(&self, window: &[u8], mut at: usize, whole: bool) -> bool {
        let mut seconds = None;
        for records in 0..CHAIN {
            let rest = &window[at..];
            if rest.is_empty() || (!whole && rest.len() < 24) {
                return records > 0;
            }
            let Some(len) = self.plausible(rest, &mut seconds) else {
                return false;
            };
            at += len;
            if at > window.len() {
                return !whole && records > 0;
            }
        }
        true
    }

    /// Returns the length of the record at the beginning of these bytes, if it is plausible.
    fn plausible(&self, bytes: &[u8], before: &mut Option<u32>) -> Option<usize> {
        const DAY: u32 = 24 * 60 * 60;
        if bytes.len() < 16 {
            return None;
        }
        match self.format {
            Format::Pcap(layout) => {
                let [seconds, fraction, captured, original] = layout.words(bytes);
                let most = layout.snap_len(&self.bytes);
                let most = most.clamp(PLAUSIBLE, MAX_RECORD as u32);
                let follows = before.is_none_or(|before| before.abs_diff(seconds) <= DAY);
                *before = Some(seconds);
                let fits = (1..=most).contains(&captured) && captured <= original;
                (fraction < 1_000_000_000 && fits && follows)
                    .then_some(layout.header_len + captured as usize)
            }
            Format::PcapNg { big_endian } => {
                let word = |at| u32_of(big_endian, bytes, at);
                let (kind, len) = (word(0), word(4) as usize);
                let known = (1..0x100).contains(&kind) || kind == SECTION_HEADER;
                let fits = (12..=MAX_RECORD).contains(&len) && len.is_multiple_of(4);
                let ends = |end: &[u8]| end == &bytes[4..8];
                (known && fits && bytes.get(len - 4..len).is_none_or(ends)).then_some(len)
            }
        }
    }
}

/// How the records of a capture begin.
pub struct Beginning {
    /// The place of the first record.
    pub start: u64,
    /// The header before it.
    pub first: Header,
    /// The header that most records have. In a pcapng it is another one, because interfaces are
    /// described after the beginning of a section.
    pub most: Header,
}

impl Beginning {
    /// Reads the beginning of a file. Returns `None` if such a capture cannot be read from the
    /// middle: it is compressed, a snoop file, or none at all.
    #[must_use]
    pub fn of(file: &[u8]) -> Option<Beginning> {
        if Compression::of(file).is_some() {
            return None;
        }
        let (first, start) = Header::at_beginning(file)?;
        let mut capture = Capture::open(file).ok()?;
        capture.limit(&first, u64::MAX);
        let _ = capture.next_frame(); // the interfaces of the first packet come before it
        let most = Header::of(&capture.headers().last()?)?;
        Some(Beginning { start, first, most })
    }
}

impl Chunk {
    /// Returns the index of the header of a frame, and the offset and the length of its record.
    pub(crate) fn record_of(&self, index: usize, headers: &Headers) -> (usize, u64, u64) {
        let record = self.record(index);
        let position = self.offset + record.position as u64;
        let header = headers.index_of(position);
        if let Some(Layout { header_len, .. }) = self.layout {
            let len = header_len + record.captured;
            return (header, position - header_len as u64, len as u64);
        }
        let before = pcapng::before_data(&record);
        let magic = headers.bytes(header)[8..].first_chunk();
        let big_endian = magic.and_then(|&magic| byte_order(magic));
        let len = u32_of(
            big_endian == Some(true),
            &self.bytes[record.position - before..],
            4,
        );
        (header, position - before as u64, len.into())
    }
}
