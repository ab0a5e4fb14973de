// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fragments put together: IPv4 (RFC 791 section 3.2), IPv6 (RFC 8200 section 4.5), also of packets in tunnels.
//!
//! A datagram is judged when its last missing byte arrives, in the frame that brings it, as Wireshark does. What never comes together is
//! unverified. Fragments that contradict each other are never mixed:
//!
//! - Bytes that came already may come again (a capture on two interfaces, a retransmission in other pieces) if they are the same.
//! - A fragment with other bytes where some are already, or that moves the end of the datagram, or that comes 120 seconds
//!   after the first one (RFC 1122 section 3.3.2), belongs to a later datagram with the same identification (RFC 4963). It begins that one,
//!   and the earlier one is given up. A receiver of IPv6 gives up both (RFC 5722); Wireshark takes the bytes of the lower offset.
//! - A datagram of more than 65,535 bytes (RFC 8200 section 4.5) is never put together.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::origin::{Again, Origin, Piece};
use crate::sink::{examine_datagram, examine_fragment, examine_up_to_fragment};
use crate::walk::{DatagramId, Fragment};
use crate::{Frame, LinkType, Sink, Timestamp};

/// No datagram is longer than its network header can say.
const MAX_DATAGRAM: usize = 65_535;

/// How long a receiver waits for the rest of a datagram, at most.
const MAX_SECONDS: u64 = 120;

/// Puts datagrams together, in the order in which their fragments are in the file.
///
/// It holds at most [`Reassembly::LIMIT`] bytes of fragments, its own bookkeeping included; where there are more, the oldest
/// datagram is given up, and is unverified.
#[derive(Debug)]
pub struct Reassembly {
    /// Those that are not whole yet, by when they began.
    datagrams: BTreeMap<u64, Datagram>,
    by_id: HashMap<DatagramId, u64>,
    begun: u64,
    /// What all of them take.
    bytes: usize,
    limit: usize,
}

/// A fragment that outlives its frame.
#[derive(Debug)]
pub struct HeldFragment {
    fragment: Fragment,
    /// Of the frame it is in.
    number: u64,
    time: Option<Timestamp>,
    link_type: LinkType,
    data: Vec<u8>,
    /// Where `data` lies.
    pieces: Vec<Piece>,
    /// Where else: see [`Origin::Datagram`], as for `nested`.
    again: Vec<Again>,
    nested: bool,
}

/// A datagram that is not whole yet.
#[derive(Debug)]
struct Datagram {
    /// When its first fragment came.
    time: Option<Timestamp>,
    /// What came of it, by where it belongs. No two overlap.
    parts: BTreeMap<usize, HeldFragment>,
    /// How much came of it.
    received: usize,
    /// How long it is, once its last fragment came.
    total: Option<usize>,
    /// What came more than once.
    again: Vec<Again>,
}

impl Default for Reassembly {
    fn default() -> Reassembly {
        Reassembly::with_limit(Reassembly::LIMIT)
    }
}

impl Reassembly {
    /// How many bytes are held at most.
    pub const LIMIT: usize = 32 << 20;

    /// A reassembly that holds at most so many bytes.
    #[must_use]
    pub fn with_limit(bytes: usize) -> Reassembly {
        Reassembly {
            datagrams: BTreeMap::new(),
            by_id: HashMap::new(),
            begun: 0,
            bytes: 0,
            limit: bytes,
        }
    }

    /// Walks a frame, judges each field, also of the datagram that it completes, and tells the sink.
    pub fn examine(&mut self, frame: &Frame<'_>, sink: &mut impl Sink) {
        if let Some(fragment) = examine_up_to_fragment(frame, sink) {
            self.push(fragment.hold(frame), sink);
        }
    }

    /// Takes a fragment, the next in the order of the file. If it completes its datagram, the sink is told of that.
    pub fn push(&mut self, fragment: HeldFragment, sink: &mut impl Sink) {
        let mut next = Some(fragment);
        while let Some(fragment) = next {
            next = self
                .insert(fragment, sink)
                .and_then(|whole| examine_whole(&whole, sink));
        }
        while self.bytes > self.limit
            && let Some((&oldest, _)) = self.datagrams.first_key_value()
        {
            self.give_up(oldest, sink);
        }
    }

    /// Gives up all that is not whole: at the end of a file.
    pub fn finish(&mut self, sink: &mut impl Sink) {
        while let Some((&oldest, _)) = self.datagrams.first_key_value() {
            self.give_up(oldest, sink);
        }
    }

    /// Puts a fragment with the others of its datagram, and returns that if it is whole.
    fn insert(&mut self, fragment: HeldFragment, sink: &mut impl Sink) -> Option<HeldFragment> {
        if fragment.data.is_empty() || fragment.fragment.end() > MAX_DATAGRAM {
            fragment.give_up(sink);
            return None;
        }
        let (number, time) = (fragment.number, fragment.time);
        let id = fragment.fragment.datagram;
        let mut serial = self.by_id.get(&id).copied();
        if let Some(earlier) = serial
            && !self.datagrams[&earlier].agrees(&fragment)
        {
            self.give_up(earlier, sink);
            serial = None;
        }
        let serial = serial.unwrap_or_else(|| {
            self.begun += 1;
            self.by_id.insert(id, self.begun);
            self.datagrams.insert(self.begun, Datagram::new(time));
            self.bytes += Datagram::COST;
            self.begun
        });
        let datagram = self.datagrams.get_mut(&serial).expect("it is there");
        self.bytes += datagram.add(fragment);
        if datagram.total != Some(datagram.received) {
            return None;
        }
        self.remove(serial)?.whole(number, time)
    }

    fn remove(&mut self, serial: u64) -> Option<Datagram> {
        let datagram = self.datagrams.remove(&serial)?;
        if let Some(part) = datagram.parts.values().next() {
            self.by_id.remove(&part.fragment.datagram);
        }
        self.bytes -= datagram.cost();
        Some(datagram)
    }

    fn give_up(&mut self, serial: u64, sink: &mut impl Sink) {
        let datagram = self.remove(serial);
        let Some(mut datagram) = datagram else {
            return;
        };
        if let Some(mut first) = datagram.parts.remove(&0) {
            first.again = datagram.again;
            first.give_up(sink);
        }
    }
}

/// Judges what a datagram carries. Returns the fragment of another one that it carries, if it does.
fn examine_whole(whole: &HeldFragment, sink: &mut impl Sink) -> Option<HeldFragment> {
    let frame = whole.frame();
    let fragment = examine_datagram(&frame, &whole.fragment, sink)?;
    Some(fragment.hold(&frame))
}

impl Fragment {
    /// Returns the fragment with its bytes, which it was found with in this frame.
    #[must_use]
    pub fn hold(&self, frame: &Frame<'_>) -> HeldFragment {
        let data = frame.data.get(self.area.clone()).unwrap_or_default();
        HeldFragment {
            fragment: self.of_bytes(self.offset, self.more, data.len()),
            number: frame.number,
            time: frame.time,
            link_type: frame.link_type,
            data: data.to_vec(),
            pieces: match frame.origin {
                Origin::Record { .. } => vec![Piece {
                    start: 0,
                    place: frame.place(self.area.start),
                }],
                Origin::Datagram { pieces, .. } => cut(pieces, &self.area),
            },
            again: Vec::new(),
            nested: matches!(frame.origin, Origin::Datagram { .. }),
        }
    }
}

impl HeldFragment {
    /// Its bytes, as a frame.
    fn frame(&self) -> Frame<'_> {
        Frame {
            number: self.number,
            time: self.time,
            origin: Origin::Datagram {
                pieces: &self.pieces,
                again: &self.again,
                nested: self.nested,
            },
            ..Frame::new(self.link_type, &self.data)
        }
    }

    /// Says of it what can be said without the others.
    fn give_up(&self, sink: &mut impl Sink) {
        examine_fragment(&self.frame(), &self.fragment, sink);
    }

    /// What it takes of memory: the parts of a map take more than their size, as its nodes are not full.
    fn cost(&self) -> usize {
        self.data.len() + self.pieces.len() * size_of::<Piece>() + 2 * size_of::<HeldFragment>()
    }

    /// The bytes that belong at a range of the datagram.
    fn bytes(&self, range: Range<usize>) -> &[u8] {
        &self.data[range.start - self.fragment.offset..range.end - self.fragment.offset]
    }

    /// Where the bytes that belong at a range of the datagram lie, if they came already.
    fn again(&self, range: Range<usize>) -> impl Iterator<Item = Again> {
        let within = range.start - self.fragment.offset..range.end - self.fragment.offset;
        let pieces = cut(&self.pieces, &within);
        let ends: Vec<_> = pieces.iter().skip(1).map(|piece| piece.start).collect();
        let ends = ends.into_iter().chain([range.len()]);
        pieces.into_iter().zip(ends).map(move |(piece, end)| Again {
            range: range.start + piece.start..range.start + end,
            place: piece.place,
        })
    }

    /// A part of it, which belongs in the datagram where `range` says.
    fn part(&self, range: Range<usize>) -> HeldFragment {
        let start = range.start - self.fragment.offset;
        let within = start..start + range.len();
        HeldFragment {
            fragment: self.fragment.of_bytes(range.start, true, range.len()),
            pieces: cut(&self.pieces, &within),
            data: self.bytes(range).to_vec(),
            again: Vec::new(),
            ..*self
        }
    }
}

impl Datagram {
    /// What one takes of memory beside its parts.
    const COST: usize =
        2 * (size_of::<Datagram>() + size_of::<DatagramId>() + 2 * size_of::<u64>());

    fn new(time: Option<Timestamp>) -> Datagram {
        Datagram {
            time,
            parts: BTreeMap::new(),
            received: 0,
            total: None,
            again: Vec::new(),
        }
    }

    fn cost(&self) -> usize {
        let parts = self.parts.values().map(HeldFragment::cost);
        Datagram::COST + parts.sum::<usize>() + self.again.len() * size_of::<Again>()
    }

    /// The parts that a range overlaps, in order.
    fn overlapped(&self, range: &Range<usize>) -> impl Iterator<Item = &HeldFragment> {
        let before = self.parts.range(..range.start).next_back();
        let first = before.map_or(range.start, |(&start, _)| start);
        let start = range.start;
        self.parts
            .range(first..range.end)
            .map(|(_, part)| part)
            .filter(move |part| part.fragment.end() > start)
    }

    /// Whether a fragment can be of this datagram.
    fn agrees(&self, other: &HeldFragment) -> bool {
        let range = other.fragment.offset..other.fragment.end();
        let far = self
            .parts
            .values()
            .next_back()
            .map_or(0, |part| part.fragment.end());
        let ends = match (self.total, other.fragment.more) {
            (Some(total), true) => range.end <= total,
            (Some(total), false) => range.end == total,
            (None, true) => true,
            (None, false) => range.end >= far,
        };
        let in_time = match (self.time, other.time) {
            (Some(first), Some(time)) => first.unix().0.abs_diff(time.unix().0) <= MAX_SECONDS,
            _ => true,
        };
        ends && in_time
            && self.overlapped(&range).all(|part| {
                let start = part.fragment.offset.max(range.start);
                let end = part.fragment.end().min(range.end);
                part.bytes(start..end) == other.bytes(start..end)
            })
    }

    /// Adds what is new in a fragment, which agrees; returns what it takes of memory.
    fn add(&mut self, fragment: HeldFragment) -> usize {
        let range = fragment.fragment.offset..fragment.fragment.end();
        if !fragment.fragment.more {
            self.total = Some(range.end);
        }
        let mut gaps = Vec::new();
        let mut start = range.start;
        let mut again = Vec::new();
        for part in self.overlapped(&range) {
            gaps.push(start..part.fragment.offset.max(start));
            start = part.fragment.end();
            again.extend(
                fragment.again(part.fragment.offset.max(range.start)..start.min(range.end)),
            );
        }
        let cost = again.len() * size_of::<Again>();
        self.again.append(&mut again);
        gaps.push(start..range.end.max(start));
        if gaps == [range] {
            return self.keep(fragment);
        }
        gaps.retain(|gap| !gap.is_empty());
        let new: Vec<_> = gaps.into_iter().map(|gap| fragment.part(gap)).collect();
        let parts = new.into_iter().map(|part| self.keep(part));
        cost + parts.sum::<usize>()
    }

    fn keep(&mut self, part: HeldFragment) -> usize {
        let cost = part.cost();
        self.received += part.data.len();
        self.parts.insert(part.fragment.offset, part);
        cost
    }

    /// All parts together, as the only fragment of the datagram. It is whole in the frame of this number.
    fn whole(self, number: u64, time: Option<Timestamp>) -> Option<HeldFragment> {
        let mut data = Vec::with_capacity(self.received);
        let mut pieces = Vec::with_capacity(self.parts.len());
        for part in self.parts.values() {
            pieces.extend(part.pieces.iter().map(|piece| Piece {
                start: data.len() + piece.start,
                ..*piece
            }));
            data.extend_from_slice(&part.data);
        }
        let nested = self.parts.values().any(|part| part.nested);
        let first = self.parts.into_values().next()?;
        Some(HeldFragment {
            fragment: first.fragment.of_bytes(0, false, data.len()),
            number,
            time,
            link_type: first.link_type,
            data,
            pieces,
            again: self.again,
            nested,
        })
    }
}

/// The pieces of a range of what these are the pieces of.
fn cut(pieces: &[Piece], range: &Range<usize>) -> Vec<Piece> {
    let ends = pieces.iter().skip(1).map(|piece| piece.start);
    pieces
        .iter()
        .zip(ends.chain([usize::MAX]))
        .filter(|(piece, end)| piece.start < range.end && *end > range.start)
        .map(|(piece, _)| {
            let start = piece.start.max(range.start);
            Piece {
                start: start - range.start,
                place: piece.place.after(start - piece.start),
            }
        })
        .collect()
}
