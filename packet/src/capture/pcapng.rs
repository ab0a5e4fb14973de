// SPDX-License-Identifier: MIT OR Apache-2.0
//! The pcapng format (draft-ietf-opsawg-pcapng): blocks that tell their length twice, so that a damaged block costs itself.

use std::io::{self, Read};

use pcap_parser::pcapng::{
    EnhancedPacketBlock, InterfaceDescriptionBlock, parse_enhancedpacketblock_be,
    parse_enhancedpacketblock_le, parse_interfacedescriptionblock_be,
    parse_interfacedescriptionblock_le,
};

use super::buffer::Buffer;
use super::{MAX_RECORD, Malformed, Record, Timestamp, count};
use crate::LinkType;

/// The type of a Section Header Block: the same in both byte orders.
pub(super) const SECTION_HEADER: u32 = 0x0a0d_0d0a;
const INTERFACE_DESCRIPTION: u32 = 1;
const OBSOLETE_PACKET: u32 = 2;
const SIMPLE_PACKET: u32 = 3;
const ENHANCED_PACKET: u32 = 6;

const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;
const MAX_INTERFACES: usize = 1 << 16;

/// What is known while reading: the byte order and the interfaces of the section.
#[derive(Default)]
pub(super) struct PcapNg {
    big_endian: bool,
    /// By their numbers; none where the block was unreadable, so that the next ones keep theirs.
    interfaces: Vec<Option<Interface>>,
    ended: bool,
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

/// The option if_tsresol: a power of ten, or with the top bit set of two. (`pcap-parser` 0.17 refuses all of the latter.)
fn ticks_per_second(resolution: u8) -> u64 {
    let exponent = u32::from(resolution & 0x7f);
    let base: u64 = if resolution & 0x80 == 0 { 10 } else { 2 };
    base.checked_pow(exponent).unwrap_or(1)
}

impl PcapNg {
    pub(super) fn next_record<R: Read>(
        &mut self,
        buffer: &mut Buffer<R>,
        malformed: &mut Malformed,
    ) -> io::Result<Option<Record>> {
        while !self.ended {
            match self.next_block(buffer)? {
                Next::Packet(record) => return Ok(Some(record)),
                Next::Other => {}
                Next::Malformed(what) => count(malformed, what),
                Next::End(what) => {
                    self.ended = true;
                    if let Some(what) = what {
                        count(malformed, what);
                    }
                }
            }
        }
        Ok(None)
    }

    /// Reads one block, and consumes at least 12 bytes or ends.
    fn next_block<R: Read>(&mut self, buffer: &mut Buffer<R>) -> io::Result<Next> {
        if !buffer.fill(12)? {
            let clean = buffer.data().is_empty();
            return Ok(Next::End((!clean).then_some("truncated block")));
        }
        let head: [u8; 12] = buffer.data()[..12].try_into().expect("12 bytes");
        let [kind, len, magic] = [0, 4, 8].map(|at| {
            let bytes = [head[at], head[at + 1], head[at + 2], head[at + 3]];
            (u32::from_le_bytes(bytes), u32::from_be_bytes(bytes))
        });
        if kind.0 == SECTION_HEADER {
            self.big_endian = match magic {
                (BYTE_ORDER_MAGIC, _) => false,
                (_, BYTE_ORDER_MAGIC) => true,
                _ => return Ok(Next::End(Some("section of unknown byte order"))),
            };
            self.interfaces.clear();
        }
        let pick = |(le, be)| if self.big_endian { be } else { le };
        let (kind, len) = (pick(kind), pick(len) as usize);

        if len < 12 || len % 4 != 0 {
            return Ok(Next::End(Some("impossible block length"))); // nothing tells where the next one begins
        }
        if len > MAX_RECORD {
            let there = buffer.skip(len as u64)?;
            let what = "block length over 16 MiB";
            return Ok(if there {
                Next::Malformed(what)
            } else {
                Next::End(Some(what))
            });
        }
        if !buffer.fill(len)? {
            return Ok(Next::End(Some("truncated block")));
        }
        let position = buffer.position();
        let block = &buffer.data()[..len];
        let next = if block[4..8] == block[len - 4..] {
            self.block(kind, block, position)
        } else {
            Next::Malformed("block lengths that differ")
        };
        buffer.consume(len);
        Ok(next)
    }

    /// Takes one whole block, which begins at `position` in the buffer.
    fn block(&mut self, kind: u32, block: &[u8], position: usize) -> Next {
        match kind {
            INTERFACE_DESCRIPTION => {
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
            ENHANCED_PACKET => {
                let parsed = if self.big_endian {
                    parse_enhancedpacketblock_be(block)
                } else {
                    parse_enhancedpacketblock_le(block)
                };
                match parsed {
                    Ok((_, packet)) => self.enhanced(&packet, position),
                    Err(_) => Next::Malformed("unreadable packet block"),
                }
            }
            SIMPLE_PACKET => self.simple(block, position),
            OBSOLETE_PACKET => self.obsolete(block, position),
            _ => Next::Other, // statistics, names, secrets, comments: nothing to verify
        }
    }

    fn enhanced(&self, packet: &EnhancedPacketBlock<'_>, position: usize) -> Next {
        match self.interface(packet.if_id) {
            Some(interface) => Next::Packet(Record {
                position: position + 28,
                captured: packet.caplen as usize,
                original: packet.origlen,
                link_type: interface.link_type,
                time: Some(interface.time(packet.ts_high, packet.ts_low)),
            }),
            None => Next::Malformed("packet of an unknown interface"),
        }
    }

    /// A Simple Packet Block: of the first interface, which tells how much of it was captured.
    fn simple(&self, block: &[u8], position: usize) -> Next {
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
            position: position + 12,
            captured,
            original,
            link_type: interface.link_type,
            time: None,
        })
    }

    /// A Packet Block, written until 2009 or so; `pcap-parser` leaves it alone.
    fn obsolete(&self, block: &[u8], position: usize) -> Next {
        let word = |at| self.u32(block, at);
        let (Some(high), Some(low), Some(captured), Some(original)) =
            (word(12), word(16), word(20), word(24))
        else {
            return Next::Malformed("unreadable packet block");
        };
        let id = if self.big_endian {
            [block[8], block[9]]
        } else {
            [block[9], block[8]]
        };
        if captured as usize > block.len().saturating_sub(32) {
            return Next::Malformed("unreadable packet block");
        }
        match self.interface(u16::from_be_bytes(id).into()) {
            Some(interface) => Next::Packet(Record {
                position: position + 28,
                captured: captured as usize,
                original,
                link_type: interface.link_type,
                time: Some(interface.time(high, low)),
            }),
            None => Next::Malformed("packet of an unknown interface"),
        }
    }

    fn interface(&self, id: u32) -> Option<&Interface> {
        self.interfaces.get(id as usize)?.as_ref()
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

/// What a block turned out to be.
enum Next {
    Packet(Record),
    Other,
    /// Passed over, and counted as this.
    Malformed(&'static str),
    /// Nothing can follow; counted as this, unless the file simply ends here.
    End(Option<&'static str>),
}
