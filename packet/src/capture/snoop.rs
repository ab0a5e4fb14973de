// SPDX-License-Identifier: MIT OR Apache-2.0
//! The snoop format (RFC 1761), which Solaris writes: a header, then records that tell their own
//! length. All numbers are big-endian.

use std::io::{self, Read};

use super::buffer::Buffer;
use super::{MAX_RECORD, Malformed, OpenError, Record, Records, Timestamp, count};
use crate::LinkType;

/// The first bytes of a file.
pub(super) const MAGIC: &[u8] = b"snoop\0\0\0";
const HEADER: usize = 16;
const RECORD_HEADER: usize = 24;

pub(super) struct Snoop {
    link_type: LinkType,
    ended: bool,
}

impl Records for Snoop {
    fn next_record<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        malformed: &mut Malformed,
    ) -> io::Result<Option<Record>> {
        if self.ended {
            return Ok(None);
        }
        let end = if !buffer.fill(RECORD_HEADER)? {
            (!buffer.data().is_empty()).then_some("truncated record")
        } else {
            let header = buffer.data();
            let [original, captured, len, _drops, seconds, microseconds] =
                [0, 4, 8, 12, 16, 20].map(|at| word(header, at));
            let (captured, len) = (captured as usize, len as usize);
            if len > MAX_RECORD {
                Some("record length over 16 MiB")
            } else if len < RECORD_HEADER || captured > len - RECORD_HEADER {
                Some("impossible record length")
            } else if !buffer.fill(len)? {
                Some("truncated record")
            } else {
                let record = Record {
                    position: buffer.position() + RECORD_HEADER,
                    captured,
                    original,
                    link_type: self.link_type,
                    time: Some(Timestamp {
                        ticks: u64::from(seconds) * 1_000_000 + u64::from(microseconds),
                        per_second: 1_000_000,
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
}

impl Snoop {
    /// Opens a file whose first bytes are MAGIC.
    pub(super) fn open<R: Read>(buffer: &mut Buffer<R>) -> Result<Snoop, OpenError> {
        if buffer.data().len() < HEADER {
            return Err(OpenError::CutShort);
        }
        let [version, datalink] = [8, 12].map(|at| word(buffer.data(), at));
        if version != 2 {
            return Err(OpenError::SnoopVersion(version));
        }
        buffer.consume(HEADER);
        Ok(Snoop {
            link_type: LinkType::from_snoop(datalink),
            ended: false,
        })
    }
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}
