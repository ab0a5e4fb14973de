// SPDX-License-Identifier: MIT OR Apache-2.0
//! Puts fragments together: those of IPv4 (RFC 791 section 3.2) and IPv6 (RFC 8200 section 4.5),
//! also of packets in tunnels.
//!
//! A datagram is judged in the frame that brings its last missing byte, as in Wireshark. A datagram
//! that never comes together is unverified, and each of its frames except the first is counted by
//! the obstacle ([`Obstacle`]). Fragments that contradict each other are never mixed:
//!
//! - Bytes may come again if they are the same (a capture on two interfaces, or a retransmission in
//!   other pieces).
//! - A fragment begins a later datagram with the same identification (RFC 4963) in three cases: it
//!   has other bytes for a place that is already filled, it moves the end of the datagram, or it
//!   comes more than 120 seconds after the first fragment (RFC 1122 section 3.3.2). The earlier
//!   datagram is then given up. A receiver of IPv6 gives up both (RFC 5722); Wireshark takes the
//!   bytes of the lower offset.
//! - A datagram of more than 65,535 bytes (RFC 8200 section 4.5) is never put together.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::ops::Range;

use foldhash::{HashMap, HashMapExt};

use crate::origin::{Again, Origin, Piece, Place};
use crate::sink::{examine_datagram, examine_fragment, examine_up_to_fragment};
use crate::walk::{DatagramId, Fragment, Obstacle};
use crate::{Frame, LinkType, Sink, Timestamp};

/// The longest datagram in bytes: the largest value of a length field.
const MAX_DATAGRAM: usize = 65_535;

/// The longest time that a receiver waits for the rest of a datagram.
const MAX_SECONDS: u64 = 120;

/// Puts datagrams together, in the order in which their fragments are in the file.
///
/// It holds at most [`Reassembly::LIMIT`] bytes of fragments, its own bookkeeping included. When
/// there are more, it gives up the oldest datagram, which is then unverified.
#[derive(Debug)]
pub struct Reassembly {
    /// The incomplete datagrams, in the order in which they began.
    datagrams: BTreeMap<u64, Datagram>,
    by_id: HashMap<DatagramId, u64>,
    begun: u64,
    /// The memory that all of them take, in bytes.
    bytes: usize,
    limit: usize,
}

impl Default for Reassembly {
    fn default() -> Reassembly {
        Reassembly::with_limit(Reassembly::LIMIT)
    }
}

impl Reassembly {
    /// The default limit on memory, in bytes.
    pub const LIMIT: usize = 32 << 20;

    /// Makes a reassembly that holds at most this number of bytes.
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

    /// Walks a frame, judges its fields and those of the datagram that it completes, and tells the
    /// sink.
    pub fn examine(&mut self, frame: &Frame<'_>, sink: &mut impl Sink) {
        if let Some(fragment) = examine_up_to_fragment(frame, sink) {
            self.push(frame, &fragment, sink);
        }
    }

    /// Takes a fragment and the frame in which the walk found it. The calls must be in the order of
    /// the file. If the fragment completes its datagram, the sink is told of the datagram.
    pub fn push(&mut self, frame: &Frame<'_>, fragment: &Fragment, sink: &mut impl Sink) {
        let mut whole = self.insert(frame, fragment, sink);
        while let Some(datagram) = whole {
            let frame = datagram.frame();
            let within = examine_datagram(&frame, &datagram.fragment, sink);
            whole = within.and_then(|fragment| self.insert(&frame, &fragment, sink));
        }
        while self.bytes > self.limit
            && let Some((&oldest, _)) = self.datagrams.first_key_value()
        {
            self.give_up(oldest, Obstacle::Memory, sink);
        }
    }

    /// Gives up all incomplete datagrams. This belongs at the end of a file.
    pub fn finish(&mut self, sink: &mut impl Sink) {
        while let Some((&oldest, _)) = self.datagrams.first_key_value() {
            self.give_up(oldest, Obstacle::Fragment, sink);
        }
    }

    /// Adds a fragment to its datagram, and returns the datagram if it is whole.
    fn insert(
        &mut self,
        frame: &Frame<'_>,
        fragment: &Fragment,
        sink: &mut impl Sink,
    ) -> Option<Carried> {
        let arrived = Arrived { frame, fragment };
        if fragment.end() > MAX_DATAGRAM {
            if fragment.offset == 0 {
                arrived.alone().give_up(sink);
            }
            sink.obstacle(frame, Obstacle::Long);
            return None;
        }
        let id = fragment.datagram;
        let mut serial = self.by_id.get(&id).copied();
        if let Some(earlier) = serial {
            let datagram = &self.datagrams[&earlier];
            let why = match datagram.agrees(&arrived) {
                _ if !datagram.is_in_time(&arrived) => Some(Obstacle::Fragment),
                true => None,
                false => Some(Obstacle::Conflict),
            };
            if let Some(why) = why {
                self.give_up(earlier, why, sink);
                serial = None;
            }
        }
        let serial = serial.unwrap_or_else(|| {
            self.begun += 1;
            self.by_id.insert(id, self.begun);
            let datagram = Datagram::new(id, frame.time);
            self.bytes += datagram.cost();
            self.datagrams.insert(self.begun, datagram);
            self.begun
        });
        let datagram = self.datagrams.get_mut(&serial).expect("it is there");
        self.bytes -= datagram.cost();
        datagram.add(&arrived);
        self.bytes += datagram.cost();
        if datagram.total != Some(datagram.bytes.len()) {
            return None;
        }
        self.remove(serial)?.whole(frame)
    }

    fn remove(&mut self, serial: u64) -> Option<Datagram> {
        let datagram = self.datagrams.remove(&serial)?;
        self.by_id.remove(&datagram.id);
        self.bytes -= datagram.cost();
        Some(datagram)
    }

    /// Gives up a datagram, and tells the sink why.
    fn give_up(&mut self, serial: u64, why: Obstacle, sink: &mut impl Sink) {
        let Some(datagram) = self.remove(serial) else {
            return;
        };
        let mut frames = datagram.frames();
        if let Some(first) = datagram.first_alone() {
            first.give_up(sink);
            if why == Obstacle::Fragment {
                frames.remove(&first.number); // its checksum is unverified for that reason
            }
        }
        for number in frames {
            let frame = Frame {
                number,
                ..Frame::new(LinkType::RAW, &[])
            };
            sink.obstacle(&frame, why);
        }
    }
}

/// A fragment, and the frame in which the walk found it.
struct Arrived<'a> {
    frame: &'a Frame<'a>,
    fragment: &'a Fragment,
}

impl Arrived<'_> {
    /// Returns the bytes of the fragment.
    fn data(&self) -> &[u8] {
        let data = self.frame.data.get(self.fragment.area.clone());
        data.unwrap_or_default()
    }

    /// Returns where in the datagram the fragment belongs.
    fn range(&self) -> Range<usize> {
        self.fragment.offset..self.fragment.end()
    }

    /// Returns the bytes that belong at a range of the datagram.
    fn bytes(&self, range: &Range<usize>) -> &[u8] {
        let offset = self.fragment.offset;
        &self.data()[range.start - offset..range.end - offset]
    }

    /// Calls `each` with the runs of these bytes that lie together: the range of the run in the
    /// datagram, and the place of its first byte.
    fn runs(&self, range: Range<usize>, mut each: impl FnMut(Range<usize>, Place)) {
        let mut start = range.start;
        while start < range.end {
            let at = self.fragment.area.start + (start - self.fragment.offset);
            let len = self.frame.piece_end(at) - at;
            let end = range.end.min(start.saturating_add(len));
            each(start..end, self.frame.place(at));
            start = end;
        }
    }

    /// Returns the payload of this fragment alone.
    fn alone(&self) -> Carried {
        let data = self.data().to_vec();
        let offset = self.fragment.offset;
        let mut pieces = Vec::new();
        self.runs(offset..offset + data.len(), |run, place| {
            let start = run.start - offset;
            pieces.push(Piece { start, place });
        });
        Carried {
            fragment: self
                .fragment
                .of_bytes(offset, self.fragment.more, data.len()),
            number: self.frame.number,
            time: self.frame.time,
            link_type: self.frame.link_type,
            data,
            pieces,
            again: Vec::new(),
            nested: self.is_nested(),
        }
    }

    /// Returns whether the fragment lies in a datagram that was itself put together from fragments.
    fn is_nested(&self) -> bool {
        matches!(self.frame.origin, Origin::Datagram { .. })
    }
}

/// An incomplete datagram.
#[derive(Debug)]
struct Datagram {
    id: DatagramId,
    /// The time of the fragment that came first.
    time: Option<Timestamp>,
    /// The bytes that have come, in the order in which they came.
    bytes: Vec<u8>,
    /// The runs in `bytes`, by the offset in the datagram at which they begin. No two runs overlap.
    parts: BTreeMap<usize, Part>,
    /// The length of the datagram, once its last fragment has come.
    total: Option<usize>,
    /// The beginning of the datagram, once it has come.
    first: Option<First>,
    /// The runs that came more than once.
    again: Vec<Again>,
    nested: bool,
    /// Whether a digest or a signature covers one of the fragments.
    authenticated: bool,
}

/// A run of bytes that lie together in one frame.
#[derive(Debug)]
struct Part {
    /// The offset in the datagram at which the run ends.
    end: usize,
    /// The offset in `Datagram::bytes` at which the run begins.
    at: usize,
    place: Place,
}

/// The first fragment of a datagram, or the part of it that no other fragment holds; and what the
/// sink is told of its frame.
#[derive(Debug)]
struct First {
    fragment: Fragment,
    number: u64,
    time: Option<Timestamp>,
    link_type: LinkType,
    nested: bool,
}

impl Datagram {
    fn new(id: DatagramId, time: Option<Timestamp>) -> Datagram {
        Datagram {
            id,
            time,
            bytes: Vec::new(),
            parts: BTreeMap::new(),
            total: None,
            first: None,
            again: Vec::new(),
            nested: false,
            authenticated: false,
        }
    }

    /// Returns the memory that the datagram takes, in bytes. A map takes more memory than its
    /// contents, because its nodes are not full.
    fn cost(&self) -> usize {
        const DATAGRAM: usize =
            2 * (size_of::<Datagram>() + size_of::<DatagramId>() + 2 * size_of::<u64>());
        const PART: usize = 2 * (size_of::<Part>() + size_of::<usize>());
        DATAGRAM
            + self.bytes.capacity()
            + self.parts.len() * PART
            + self.again.capacity() * size_of::<Again>()
    }

    /// Returns the parts that overlap a range, each with the offset at which it begins, in order.
    fn overlapped(&self, range: &Range<usize>) -> impl Iterator<Item = (usize, &Part)> {
        let before = self.parts.range(..range.start).next_back();
        let first = before.map_or(range.start, |(&start, _)| start);
        let start = range.start;
        self.parts
            .range(first..range.end)
            .filter(move |(_, part)| part.end > start)
            .map(|(&start, part)| (start, part))
    }

    /// Returns the numbers of the frames that hold the fragments.
    fn frames(&self) -> BTreeSet<u64> {
        let parts = self.parts.values().map(|part| part.place.frame);
        parts
            .chain(self.again.iter().map(|again| again.place.frame))
            .collect()
    }

    /// Returns whether a fragment comes early enough to belong to this datagram.
    fn is_in_time(&self, other: &Arrived<'_>) -> bool {
        match (self.time, other.frame.time) {
            (Some(first), Some(time)) => first.unix().0.abs_diff(time.unix().0) <= MAX_SECONDS,
            _ => true,
        }
    }

    /// Returns whether the end and the bytes of a fragment can belong to this datagram.
    fn agrees(&self, other: &Arrived<'_>) -> bool {
        let range = other.range();
        let far = self.parts.values().next_back().map_or(0, |part| part.end);
        let ends = match (self.total, other.fragment.more) {
            (Some(total), true) => range.end <= total,
            (Some(total), false) => range.end == total,
            (None, true) => true,
            (None, false) => range.end >= far,
        };
        ends && self.overlapped(&range).all(|(start, part)| {
            let both = start.max(range.start)..part.end.min(range.end);
            let at = part.at + (both.start - start);
            self.bytes[at..at + both.len()] == *other.bytes(&both)
        })
    }

    /// Adds the new bytes of a fragment that agrees with the datagram.
    fn add(&mut self, arrived: &Arrived<'_>) {
        let range = arrived.range();
        if !arrived.fragment.more {
            self.total = Some(range.end);
        }
        self.nested |= arrived.is_nested();
        self.authenticated |= arrived.fragment.authenticated;
        let there: Vec<_> = self
            .overlapped(&range)
            .map(|(start, part)| start.max(range.start)..part.end.min(range.end))
            .collect();
        let mut start = range.start;
        for there in there {
            self.keep(arrived, start..there.start);
            start = there.end;
            arrived.runs(there, |range, place| {
                self.again.push(Again { range, place });
            });
        }
        self.keep(arrived, start..range.end);
    }

    /// Adds the bytes of a fragment at a range of which the datagram has no byte.
    fn keep(&mut self, arrived: &Arrived<'_>, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let mut at = self.bytes.len();
        self.bytes.extend_from_slice(arrived.bytes(&range));
        arrived.runs(range.clone(), |run, place| {
            let end = run.end;
            self.parts.insert(run.start, Part { end, at, place });
            at += run.len();
        });
        if range.start == 0 {
            let more = arrived.fragment.more || range.end < arrived.fragment.end();
            self.first = Some(First {
                fragment: arrived.fragment.of_bytes(0, more, range.len()),
                number: arrived.frame.number,
                time: arrived.frame.time,
                link_type: arrived.frame.link_type,
                nested: arrived.is_nested(),
            });
        }
    }

    /// Returns the whole datagram, which `frame` completes.
    fn whole(mut self, frame: &Frame<'_>) -> Option<Carried> {
        let mut first = self.first.take()?;
        first.fragment.authenticated = self.authenticated;
        let len = self.bytes.len();
        let carried = self.up_to(len, &first);
        Some(Carried {
            fragment: first.fragment.of_bytes(0, false, len),
            number: frame.number,
            time: frame.time,
            nested: self.nested,
            ..carried
        })
    }

    /// Returns the first fragment of the datagram.
    fn first_alone(mut self) -> Option<Carried> {
        let first = self.first.take()?;
        Some(self.up_to(first.fragment.end(), &first))
    }

    /// Returns the payload up to an offset, as the first fragment of the datagram.
    fn up_to(&mut self, end: usize, first: &First) -> Carried {
        let parts = self.parts.range(..end);
        let pieces = parts.clone().map(|(&start, part)| Piece {
            start,
            place: part.place,
        });
        let in_order = parts.clone().all(|(&start, part)| start == part.at);
        let data = if in_order {
            let mut bytes = mem::take(&mut self.bytes);
            bytes.truncate(end);
            bytes
        } else {
            let mut data = Vec::with_capacity(end);
            for (start, part) in parts {
                data.extend_from_slice(&self.bytes[part.at..part.at + (part.end - start)]);
            }
            data
        };
        Carried {
            fragment: first.fragment.clone(),
            number: first.number,
            time: first.time,
            link_type: first.link_type,
            data,
            pieces: pieces.collect(),
            again: mem::take(&mut self.again),
            nested: first.nested,
        }
    }
}

/// The payload of a datagram, or of its first fragment.
struct Carried {
    fragment: Fragment,
    /// The number of the frame with which the payload is told.
    number: u64,
    time: Option<Timestamp>,
    link_type: LinkType,
    data: Vec<u8>,
    /// Where `data` lies in the capture.
    pieces: Vec<Piece>,
    /// Copies of these bytes. For this and for `nested` see [`Origin::Datagram`].
    again: Vec<Again>,
    nested: bool,
}

impl Carried {
    /// Returns the payload as a frame.
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

    /// Tells the sink what can be said without the rest of the datagram.
    fn give_up(&self, sink: &mut impl Sink) {
        examine_fragment(&self.frame(), &self.fragment, sink);
    }
}
