// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pcap format: a header, then records that tell their own length. Nothing else tells where a
//! record begins, so a damaged length ends the file.

use std::io::{self, Read};

use pcap_parser::nom::Err;
use pcap_parser::parse_pcap_header;

use super::buffer::Buffer;
use super::{MAX_RECORD, Malformed, OpenError, Record, Records, Timestamp, count, read_all};
use crate::LinkType;

const RECORD_HEADER: usize = 16;

pub(super) struct Pcap {
    big_endian: bool,
    header_len: usize,
    link_type: LinkType,
    per_second: u64,
    ended: bool,
}

impl Records for Pcap {
    /// Does the same as the general function, with all that does not change in registers.
    fn all_there<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        malformed: &mut Malformed,
        records: &mut Vec<Record>,
    ) -> bool {
        let (mut data, mut position) = (buffer.data(), buffer.position());
        while !self.ended && data.len() >= self.header_len {
            let record = self.record(data, position);
            let len = record.captured.saturating_add(self.header_len);
            if len > data.len().min(MAX_RECORD) {
                break;
            }
            records.push(record);
            (data, position) = (&data[len..], position + len);
        }
        buffer.consume(position - buffer.position());
        read_all(self, buffer, malformed, records) // what is unusual, and the end
    }

    #[inline]
    fn next_record<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        malformed: &mut Malformed,
    ) -> io::Result<Option<Record>> {
        if self.ended {
            return Ok(None);
        }
        let damage = if buffer.fill(self.header_len)? {
            let captured = self.record(buffer.data(), buffer.position()).captured;
            let len = captured.saturating_add(self.header_len);
            if len > MAX_RECORD {
                Some("record length over 16 MiB")
            } else if buffer.fill(len)? {
                let record = self.record(buffer.data(), buffer.position()); // it may have moved
                buffer.consume(len);
                return Ok(Some(record));
            } else {
                Some("truncated record")
            }
        } else {
            (!buffer.data().is_empty()).then_some("truncated record")
        };
        self.ended = true;
        if let Some(damage) = damage {
            count(malformed, damage);
        }
        Ok(None)
    }
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
        Ok(Pcap {
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
            ended: false,
        })
    }

    /// Returns the record whose header `data` begin with, at a position of the buffer.
    #[inline]
    fn record(&self, data: &[u8], position: usize) -> Record {
        let header: &[u8; RECORD_HEADER] = data.first_chunk().expect("it was read");
        let [seconds, fraction, captured, original] = [0, 4, 8, 12].map(|at| {
            let word = [header[at], header[at + 1], header[at + 2], header[at + 3]];
            match self.big_endian {
                true => u32::from_be_bytes(word),
                false => u32::from_le_bytes(word),
            }
        });
        Record {
            position: position + self.header_len,
            captured: captured as usize,
            original,
            link_type: self.link_type,
            time: Some(self.time(seconds, fraction)),
            flags: None,
        }
    }

    fn time(&self, seconds: u32, fraction: u32) -> Timestamp {
        Timestamp {
            ticks: u64::from(seconds) * self.per_second + u64::from(fraction),
            per_second: self.per_second,
            offset_seconds: 0,
        }
    }
}
