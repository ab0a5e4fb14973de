// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pcap format: a header, then records that tell their own length and nothing else, so that a damaged length ends the file.

use std::io::{self, Read};

use pcap_parser::nom::Err;
use pcap_parser::parse_pcap_header;

use super::buffer::Buffer;
use super::{MAX_RECORD, Malformed, OpenError, Record, Timestamp, count};
use crate::LinkType;

const RECORD_HEADER: usize = 16;

pub(super) struct Pcap {
    big_endian: bool,
    /// Of a record.
    header_len: usize,
    link_type: LinkType,
    per_second: u64,
    ended: bool,
}

impl Pcap {
    pub(super) fn open<R: Read>(buffer: &mut Buffer<R>) -> Result<Pcap, OpenError> {
        let (header, len) = match parse_pcap_header(buffer.data()) {
            Ok((rest, header)) => (header, buffer.data().len() - rest.len()),
            Err(Err::Incomplete(_)) if !buffer.data().is_empty() => {
                return Err(OpenError::CutShort);
            }
            Err(_) if buffer.data().is_empty() => return Err(OpenError::Empty),
            Err(_) => return Err(OpenError::NotACapture),
        };
        buffer.consume(len);
        let more = if header.is_modified_format() { 8 } else { 0 }; // an interface and a protocol, of Linux long ago
        Ok(Pcap {
            big_endian: header.is_bigendian(),
            header_len: RECORD_HEADER + more,
            link_type: LinkType::from_pcap_header(header.network.0 as u32),
            per_second: if header.is_nanosecond_precision() {
                1_000_000_000
            } else {
                1_000_000
            },
            ended: false,
        })
    }

    /// Reads a record here, as `pcap-parser` takes three times as long for one.
    #[inline]
    pub(super) fn next_record<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        malformed: &mut Malformed,
    ) -> io::Result<Option<Record>> {
        if self.ended {
            return Ok(None);
        }
        let end = if !buffer.fill(self.header_len)? {
            (!buffer.data().is_empty()).then_some("truncated record")
        } else {
            let header = buffer.data();
            let [seconds, fraction, captured, original] =
                [0, 4, 8, 12].map(|at| self.word(header, at));
            let len = self.header_len.saturating_add(captured as usize);
            if len > MAX_RECORD {
                Some("record length over 16 MiB")
            } else if !buffer.fill(len)? {
                Some("truncated record")
            } else {
                let record = Record {
                    position: buffer.position() + self.header_len,
                    captured: captured as usize,
                    original,
                    link_type: self.link_type,
                    time: Some(Timestamp {
                        ticks: u64::from(seconds) * self.per_second + u64::from(fraction),
                        per_second: self.per_second,
                        offset_seconds: 0,
                    }),
                    flags: None,
                };
                buffer.consume(len);
                return Ok(Some(record));
            }
        };
        self.ended = true;
        if let Some(what) = end {
            count(malformed, what);
        }
        Ok(None)
    }

    fn word(&self, header: &[u8], at: usize) -> u32 {
        let bytes = *header[at..].first_chunk().expect("4 bytes");
        match self.big_endian {
            true => u32::from_be_bytes(bytes),
            false => u32::from_le_bytes(bytes),
        }
    }
}
