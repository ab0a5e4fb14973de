// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pcap format: a header, then records that tell their own length. Nothing else tells where a
//! record begins, so a damaged length ends the file.

use std::io::{self, Read};

use pcap_parser::nom::{Err, Needed};
use pcap_parser::{
    LegacyPcapBlock, parse_pcap_frame, parse_pcap_frame_be, parse_pcap_frame_modified,
    parse_pcap_header,
};

use super::buffer::Buffer;
use super::{MAX_RECORD, Malformed, OpenError, Record, Records, Timestamp, count};
use crate::LinkType;

const RECORD_HEADER: usize = 16;

pub(super) struct Pcap {
    parse: Parse,
    header_len: usize,
    link_type: LinkType,
    per_second: u64,
    ended: bool,
}

type Parse = for<'a> fn(
    &'a [u8],
) -> pcap_parser::nom::IResult<
    &'a [u8],
    LegacyPcapBlock<'a>,
    pcap_parser::PcapError<&'a [u8]>,
>;

impl Records for Pcap {
    fn next_record<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        malformed: &mut Malformed,
    ) -> io::Result<Option<Record>> {
        while !self.ended {
            let missing = match (self.parse)(buffer.data()) {
                Ok((_, block)) => {
                    let record = Record {
                        position: buffer.position() + self.header_len,
                        captured: block.data.len(),
                        original: block.origlen,
                        link_type: self.link_type,
                        time: Some(self.time(block.ts_sec, block.ts_usec)),
                        flags: None,
                    };
                    buffer.consume(self.header_len + record.captured);
                    return Ok(Some(record));
                }
                Err(Err::Incomplete(Needed::Size(missing))) => missing.get(),
                Err(_) => {
                    count(malformed, "unreadable record");
                    self.ended = true;
                    break;
                }
            };
            let needed = buffer.data().len().saturating_add(missing);
            if needed > MAX_RECORD {
                count(malformed, "record length over 16 MiB");
                self.ended = true;
            } else if !buffer.fill(needed)? {
                if !buffer.data().is_empty() {
                    count(malformed, "truncated record");
                }
                self.ended = true;
            }
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
        let (parse, header_len): (Parse, usize) = if header.is_modified_format() {
            (parse_pcap_frame_modified, RECORD_HEADER + 8)
        } else if header.is_bigendian() {
            (parse_pcap_frame_be, RECORD_HEADER)
        } else {
            (parse_pcap_frame, RECORD_HEADER)
        };
        Ok(Pcap {
            parse,
            header_len,
            link_type: LinkType::from_pcap_header(header.network.0 as u32),
            per_second: if header.is_nanosecond_precision() {
                1_000_000_000
            } else {
                1_000_000
            },
            ended: false,
        })
    }

    fn time(&self, seconds: u32, fraction: u32) -> Timestamp {
        Timestamp {
            ticks: u64::from(seconds) * self.per_second + u64::from(fraction),
            per_second: self.per_second,
            offset_seconds: 0,
        }
    }
}
