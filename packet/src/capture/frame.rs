// SPDX-License-Identifier: MIT OR Apache-2.0
//! A frame of a capture, and what the capturing system said about it.

use crate::LinkType;
use crate::origin::{Origin, Place};

/// A frame of a capture: the captured bytes, and what the file says about them.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// The number of the frame in the file, counted from 1, as in Wireshark.
    pub number: u64,
    /// The time of capture. A Simple Packet Block of pcapng has none.
    pub time: Option<Timestamp>,
    /// The link type of the frame, which names its first header.
    pub link_type: LinkType,
    /// The captured bytes.
    pub data: &'a [u8],
    /// The length on the wire in bytes. It exceeds the length of `data` if the frame was snapped.
    pub original_len: usize,
    /// The origin of `data`.
    pub origin: Origin<'a>,
    /// The flags that the capturing system set, if it set any. Only pcapng has flags.
    pub flags: Option<Flags>,
}

/// What the walk reads of a frame, without what only outputs need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Captured<'a> {
    /// As in [`Frame::link_type`].
    pub(crate) link_type: LinkType,
    /// As in [`Frame::data`].
    pub(crate) data: &'a [u8],
    /// As in [`Frame::original_len`].
    pub(crate) original_len: usize,
}

impl<'a> Frame<'a> {
    /// Returns what the walk reads of the frame.
    #[inline]
    pub(crate) fn captured(&self) -> Captured<'a> {
        Captured {
            link_type: self.link_type,
            data: self.data,
            original_len: self.original_len,
        }
    }

    /// Makes a frame with number 1, which is whole and in no file.
    ///
    /// ```
    /// use wiresum_packet::{Frame, LinkType};
    ///
    /// let frame = Frame::new(LinkType::ETHERNET, &[0; 60]);
    /// assert_eq!((frame.number, frame.original_len), (1, 60));
    /// ```
    #[must_use]
    pub const fn new(link_type: LinkType, data: &'a [u8]) -> Frame<'a> {
        Frame {
            number: 1,
            time: None,
            link_type,
            data,
            original_len: data.len(),
            origin: Origin::Record { position: None },
            flags: None,
        }
    }

    /// Returns where the byte at an offset of `data` lies in the capture. To change the byte, a
    /// program patches the capture there, and at each of [`Frame::places_again`].
    #[must_use]
    pub fn place(&self, offset: usize) -> Place {
        let (pieces, position) = match self.origin {
            Origin::Record { position } => (&[][..], position),
            Origin::Datagram { pieces, .. } => (pieces, None),
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

    /// Returns which way the packet went, if the capture says so: in the flags of pcapng, or in a
    /// Linux cooked header. What a loopback device receives was sent on the same machine.
    #[must_use]
    pub fn direction(&self) -> Option<Direction> {
        const LOOPBACK: [u8; 2] = 772_u16.to_be_bytes();
        const OUTGOING: u8 = 4;
        if !matches!(self.origin, Origin::Record { .. }) {
            return None; // a datagram is of several frames
        }
        match self.flags.map_or(0, |flags| flags.value & Flags::DIRECTION) {
            Flags::INBOUND => return Some(Direction::Received),
            Flags::OUTBOUND => return Some(Direction::Sent),
            _ => {}
        }
        let (device, kind) = match (self.link_type, self.data) {
            (LinkType::LINUX_SLL, &[0, kind, high, low, ..]) => ([high, low], kind),
            (LinkType::LINUX_SLL2, &[_, _, _, _, _, _, _, _, high, low, kind, ..]) => {
                ([high, low], kind)
            }
            _ => return None,
        };
        match kind {
            OUTGOING => Some(Direction::Sent),
            0..OUTGOING if device == LOOPBACK => Some(Direction::Sent),
            0..OUTGOING => Some(Direction::Received),
            _ => None,
        }
    }

    /// Returns the offset in `data` at which the run that contains `offset` ends. The result may
    /// exceed the length of `data`.
    pub(crate) fn piece_end(&self, offset: usize) -> usize {
        let pieces = match self.origin {
            Origin::Record { .. } => &[],
            Origin::Datagram { pieces, .. } => pieces,
        };
        let next = pieces.partition_point(|piece| piece.start <= offset);
        pieces.get(next).map_or(usize::MAX, |piece| piece.start)
    }

    /// Returns the other places of the byte at an offset of `data`, in fragments that came more
    /// than once.
    pub fn places_again(&self, offset: usize) -> impl Iterator<Item = Place> {
        let again = match self.origin {
            Origin::Record { .. } => &[],
            Origin::Datagram { again, .. } => again,
        };
        again
            .iter()
            .filter(move |again| again.range.contains(&offset))
            .map(move |again| again.place.after(offset - again.range.start))
    }
}

/// Which way a packet went at the machine that captured it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// The machine received the packet.
    Received,
    /// The machine sent the packet.
    Sent,
}

/// The flags word of a pcapng packet: its option epb_flags, or pack_flags (draft-ietf-opsawg-pcapng
/// section 4.3.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flags {
    /// The value of the word.
    pub value: u32,
    /// The offset of its four bytes in the file, as in [`Place::position`].
    pub position: u64,
    /// Whether the four bytes are in big-endian order.
    pub big_endian: bool,
}

impl Flags {
    /// Bits 0 and 1: the direction of the packet.
    const DIRECTION: u32 = 3;
    const INBOUND: u32 = 1;
    const OUTBOUND: u32 = 2;
    /// Bit 9: the checksum was not computed yet, but left to the network card (Linux's
    /// TP_STATUS_CSUMNOTREADY).
    pub const CHECKSUM_NOT_READY: u32 = 1 << 9;
    /// Bit 10: the network card found the checksum to be right (Linux's TP_STATUS_CSUM_VALID).
    pub const CHECKSUM_VALID: u32 = 1 << 10;
    /// Bit 11: the network card was to cut this segment into several (Linux's TP_STATUS_GSO_TCP).
    pub const SEGMENTATION_OFFLOAD: u32 = 1 << 11;

    /// Returns whether all these bits are set.
    #[must_use]
    pub const fn has(self, bits: u32) -> bool {
        self.value & bits == bits
    }
}

/// A time as a capture file holds it. It is converted into seconds and nanoseconds only on request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timestamp {
    pub(super) ticks: u64,
    pub(super) per_second: u64,
    pub(super) offset_seconds: i64,
}

impl Timestamp {
    /// Makes a time from the seconds since 1970-01-01 00:00 UTC and the nanoseconds after those.
    /// The clock of the capture has `per_second` ticks in a second.
    ///
    /// ```
    /// use wiresum_packet::Timestamp;
    ///
    /// let time = Timestamp::from_unix(1_767_225_600, 123_456_789, 1_000_000);
    /// assert_eq!(time.unix(), (1_767_225_600, 123_456_000)); // the clock has microseconds
    /// ```
    #[must_use]
    pub fn from_unix(seconds: i64, nanoseconds: u32, per_second: u64) -> Timestamp {
        let ticks = u128::from(nanoseconds) * u128::from(per_second) / 1_000_000_000;
        Timestamp {
            ticks: ticks as u64,
            per_second,
            offset_seconds: seconds,
        }
    }

    /// Returns the seconds since 1970-01-01 00:00 UTC, and the nanoseconds after those (below
    /// 1,000,000,000).
    #[must_use]
    pub fn unix(self) -> (i64, u32) {
        let per_second = self.per_second.max(1);
        // This wraps only where per_second is 1, as in odd files.
        let seconds = (self.ticks / per_second) as i64;
        let rest = self.ticks % per_second;
        // A division of 128 bits takes long, and only odd clocks need it.
        let part = match rest {
            0..0x4_0000_0000 => rest * 1_000_000_000 / per_second,
            _ => (u128::from(rest) * 1_000_000_000 / u128::from(per_second)) as u64,
        };
        (seconds.wrapping_add(self.offset_seconds), part as u32)
    }

    /// Returns the number of ticks in a second of the capture's clock: the resolution of the time.
    #[must_use]
    pub const fn per_second(self) -> u64 {
        self.per_second
    }
}
