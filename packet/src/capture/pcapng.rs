// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pcapng format (draft-ietf-opsawg-pcapng). Each block states its length twice, so a damaged
//! block is skipped alone.

use std::io::{self, Read};

use pcap_parser::pcapng::{
    InterfaceDescriptionBlock, parse_interfacedescriptionblock_be,
    parse_interfacedescriptionblock_le,
};

use super::buffer::Buffer;
use super::section::{Headers, SECTION_HEADER, byte_order};
use super::{Flags, MAX_RECORD, Malformed, Record, Records, Timestamp, count, u32_of};
use crate::LinkType;

const INTERFACE_DESCRIPTION: u32 = 1;
const OBSOLETE_PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const ENHANCED_PACKET: u32 = 6;

/// The bytes of a block that say its kind, its length and, in a section header, its byte order.
const HEADER: usize = 12;

/// The length in bytes of the header of a packet block, of either kind with a timestamp.
const PACKET_HEADER: usize = 28;

/// The length in bytes of the header of a packet block without a timestamp.
const SIMPLE_HEADER: usize = 12;

const MAX_INTERFACES: usize = 1 << 16;

/// The state of the section: its byte order and its interfaces.
#[derive(Default)]
pub(super) struct PcapNg {
    big_endian: bool,
    /// The interfaces by number. An unreadable block is `None`, so that the interfaces after it
    /// keep their numbers.
    interfaces: Vec<Option<Interface>>,
    /// The offset up to which the bytes show that no block follows, once they do.
    pub(super) end: Option<u64>,
    /// The headers of the packets, if they are kept.
    pub(super) headers: Option<Headers>,
}

#[derive(Clone, Copy)]
struct Interface {
    link_type: LinkType,
    snap_len: u32,
    per_second: u64,
    offset_seconds: i64,
}

impl Interface {
    fn of(block: &InterfaceDescriptionBlock<'_>) -> Interface {
        Interface {
            link_type: LinkType(block.linktype.0 as u32),
            snap_len: block.snaplen,
            per_second: ticks_per_second(block.if_tsresol),
            offset_seconds: block.if_tsoffset,
        }
    }

    fn time(&self, high: u32, low: u32) -> Timestamp {
        Timestamp {
            ticks: u64::from(high) << 32 | u64::from(low),
            per_second: self.per_second,
            offset_seconds: self.offset_seconds,
        }
    }
}

/// Returns how many bytes of its block lie before the data of a record.
pub(super) fn before_data(record: &Record) -> usize {
    match record.time {
        Some(_) => PACKET_HEADER,
        None => SIMPLE_HEADER,
    }
}

/// Returns the ticks per second of an option if_tsresol: a power of ten, or a power of two if the
/// top bit is set. (`pcap-parser` 0.17 refuses all powers of two.)
fn ticks_per_second(resolution: u8) -> u64 {
    let exponent = u32::from(resolution & 0x7f);
    let base: u64 = if resolution & 0x80 == 0 { 10 } else { 2 };
    base.checked_pow(exponent).unwrap_or(1)
}

impl Records for PcapNg {
    fn next_record<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        malformed: &mut Malformed,
    ) -> io::Result<Option<Record>> {
        while self.end.is_none() && !buffer.is_at_limit()? {
            match self.next_block(buffer)? {
                Next::Packet(record) => return Ok(Some(record)),
                Next::Other => {}
                Next::Malformed(what) => count(malformed, what),
                Next::End { what, shown } => {
                    let shown = shown.unwrap_or(buffer.data().len());
                    self.end = Some(buffer.offset(buffer.position() + shown));
                    if let Some(what) = what {
                        count(malformed, what);
                    }
                }
            }
        }
        Ok(None)
    }
}

impl PcapNg {
    /// Reads one block, and consumes at least 12 bytes or ends.
    fn next_block<R: Read>(&mut self, buffer: &mut Buffer<R>) -> io::Result<Next> {
        let end = |what, shown| Ok(Next::End { what, shown });
        if !buffer.fill(HEADER)? {
            let clean = buffer.data().is_empty();
            return end((!clean).then_some("truncated block"), None);
        }
        let at = Place {
            position: buffer.position(),
            offset: buffer.offset(buffer.position()),
        };
        let head: [u8; HEADER] = buffer.data()[..HEADER].try_into().expect("it was read");
        if head.starts_with(&SECTION_HEADER.to_be_bytes()) {
            let Some(big_endian) = byte_order([head[8], head[9], head[10], head[11]]) else {
                return end(Some("section of unknown byte order"), Some(HEADER));
            };
            self.big_endian = big_endian;
            self.interfaces.clear();
            if let Some(headers) = &mut self.headers {
                headers.section(at.offset, big_endian);
            }
        }
        let [kind, len] = [0, 4].map(|at| u32_of(self.big_endian, &head, at));
        let len = len as usize;

        if len < HEADER || !len.is_multiple_of(4) {
            // Nothing shows where the next block begins.
            return end(Some("impossible block length"), Some(HEADER));
        }
        if self.headers.as_ref().is_some_and(Headers::are_too_many) {
            return end(None, Some(HEADER));
        }
        if len > MAX_RECORD {
            buffer.skip(len as u64);
            return Ok(Next::Malformed("block length over 16 MiB"));
        }
        if !buffer.fill(len)? {
            return end(Some("truncated block"), None);
        }
        let at = Place {
            position: buffer.position(), // it may have moved
            ..at
        };
        let block = &buffer.data()[..len];
        let next = if block[4..8] == block[len - 4..] {
            self.block(kind, block, at)
        } else {
            Next::Malformed("block lengths that differ")
        };
        buffer.consume(len);
        Ok(next)
    }

    /// Takes one whole block.
    fn block(&mut self, kind: u32, block: &[u8], at: Place) -> Next {
        match kind {
            INTERFACE_DESCRIPTION => {
                if let Some(headers) = &mut self.headers {
                    headers.interface(at.offset, block);
                }
                let parsed = if self.big_endian {
                    parse_interfacedescriptionblock_be(block)
                } else {
                    parse_interfacedescriptionblock_le(block)
                };
                match parsed {
                    _ if self.interfaces.len() == MAX_INTERFACES => {
                        Next::Malformed("more than 65536 interfaces")
                    }
                    Ok((_, interface)) => {
                        self.interfaces.push(Some(Interface::of(&interface)));
                        Next::Other
                    }
                    Err(_) => {
                        self.interfaces.push(None);
                        Next::Malformed("unreadable interface block")
                    }
                }
            }
            ENHANCED_PACKET => self.enhanced(block, at),
            SIMPLE_PACKET => self.simple(block, at),
            OBSOLETE_PACKET => self.obsolete(block, at),
            _ => Next::Other, // statistics, names, secrets, comments: nothing to verify
        }
    }

    /// Parses an Enhanced Packet Block. `pcap-parser` takes four times as long for such a block,
    /// and ten times as long for one with options, which it puts into a vector without their
    /// offsets.
    fn enhanced(&self, block: &[u8], at: Place) -> Next {
        match self.u32(block, 8) {
            Some(interface) => self.packet(block, interface, at),
            None => Next::Malformed("unreadable packet block"),
        }
    }

    /// Parses the part that both kinds of packet block with a timestamp have in common.
    fn packet(&self, block: &[u8], interface: u32, at: Place) -> Next {
        let word = |at| self.u32(block, at);
        let (Some(high), Some(low), Some(captured), Some(original)) =
            (word(12), word(16), word(20), word(24))
        else {
            return Next::Malformed("unreadable packet block");
        };
        // The shortest block ends with the data, their padding to a multiple of four, and the block
        // length.
        if captured as usize > block.len().saturating_sub(PACKET_HEADER + 4) {
            return Next::Malformed("unreadable packet block");
        }
        let Some(interface) = self.interface(interface) else {
            return Next::Malformed("packet of an unknown interface");
        };
        Next::Packet(Record {
            position: at.position + PACKET_HEADER,
            captured: captured as usize,
            original,
            link_type: interface.link_type,
            time: Some(interface.time(high, low)),
            flags: self.flags(block, captured as usize, at),
        })
    }

    /// Returns the option epb_flags of a packet block, which has the same code in both kinds.
    /// Options that make no sense are ignored, because the packet is there all the same.
    fn flags(&self, block: &[u8], captured: usize, at: Place) -> Option<Flags> {
        const END: u16 = 0;
        const FLAGS: u16 = 2;
        let mut option = PACKET_HEADER + captured.next_multiple_of(4);
        let end = block.len() - 4;
        while option + 4 <= end {
            let (code, len) = (self.u16(block, option)?, self.u16(block, option + 2)?);
            let value = option + 4;
            option = value + usize::from(len).next_multiple_of(4);
            match (code, len) {
                _ if option > end => return None,
                (END, _) => return None,
                (FLAGS, 4) => {
                    return Some(Flags {
                        value: self.u32(block, value)?,
                        position: at.offset + value as u64,
                        big_endian: self.big_endian,
                    });
                }
                _ => {}
            }
        }
        None
    }

    /// Parses a Simple Packet Block. It belongs to the first interface, whose snapshot length
    /// bounds the captured bytes.
    fn simple(&self, block: &[u8], at: Place) -> Next {
        let Some(interface) = self.interface(0) else {
            return Next::Malformed("packet of an unknown interface");
        };
        let Some(original) = self.u32(block, 8).filter(|_| block.len() >= 16) else {
            return Next::Malformed("unreadable packet block");
        };
        let snap_len = if interface.snap_len == 0 {
            u32::MAX
        } else {
            interface.snap_len
        };
        let captured = (original.min(snap_len) as usize).min(block.len() - 16);
        Next::Packet(Record {
            position: at.position + SIMPLE_HEADER,
            captured,
            original,
            link_type: interface.link_type,
            time: None,
            flags: None,
        })
    }

    /// Parses a Packet Block, which Enhanced Packet Blocks replaced. `pcap-parser` does not parse
    /// it.
    fn obsolete(&self, block: &[u8], at: Place) -> Next {
        match self.u16(block, 8) {
            Some(interface) => self.packet(block, interface.into(), at),
            None => Next::Malformed("unreadable packet block"),
        }
    }

    fn interface(&self, id: u32) -> Option<&Interface> {
        self.interfaces.get(id as usize)?.as_ref()
    }

    fn u16(&self, block: &[u8], at: usize) -> Option<u16> {
        let bytes = *block.get(at..)?.first_chunk()?;
        Some(if self.big_endian {
            u16::from_be_bytes(bytes)
        } else {
            u16::from_le_bytes(bytes)
        })
    }

    fn u32(&self, block: &[u8], at: usize) -> Option<u32> {
        let bytes = *block.get(at..)?.first_chunk()?;
        Some(if self.big_endian {
            u32::from_be_bytes(bytes)
        } else {
            u32::from_le_bytes(bytes)
        })
    }
}

/// Where a block begins.
#[derive(Clone, Copy)]
struct Place {
    /// The position in the buffer.
    position: usize,
    /// The offset in the file.
    offset: u64,
}

/// The result of reading a block.
enum Next {
    Packet(Record),
    Other,
    /// The block is skipped and counted under these words.
    Malformed(&'static str),
    /// No block can follow.
    End {
        /// The words say why, unless the file simply ends here.
        what: Option<&'static str>,
        /// How many bytes show it, or none if all that are left do.
        shown: Option<usize>,
    },
}
