// SPDX-License-Identifier: MIT OR Apache-2.0
//! Puts fragments together: of IPv4 (RFC 791 section 3.2) and of IPv6 (RFC 8200 section 4.5),
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

use std::collections::BTreeSet;
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

/// The number of datagrams whose memory is kept for later ones, and the longest of them in bytes:
/// most datagrams come together before the next one begins.
const MAX_SPARE: usize = 16;
const MAX_SPARE_BYTES: usize = 16 << 10;

/// Puts datagrams together, in the order in which their fragments are in the file.
///
/// It holds at most [`Reassembly::LIMIT`] bytes of fragments, its own bookkeeping included, and at
/// most 256 KiB for the datagrams to come. When there are more fragments, it gives up the oldest
/// datagram, which is then unverified.
#[derive(Debug)]
pub struct Reassembly {
    by_id: HashMap<DatagramId, usize>,
    /// The incomplete datagrams, by the numbers in `by_id`. Each one knows its neighbors in the
    /// order in which the datagrams began.
    datagrams: Vec<Option<Box<Datagram>>>,
    /// The numbers that are `None` in `datagrams`.
    free: Vec<usize>,
    oldest: Option<usize>,
    newest: Option<usize>,
    /// Datagrams that are gone, whose memory the next ones use.
    #[expect(
        clippy::vec_box,
        reason = "a datagram is large, so it moves as a pointer"
    )]
    spare: Vec<Box<Datagram>>,
    /// The memory that all incomplete datagrams take, in bytes.
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
            by_id: HashMap::new(),
            datagrams: Vec::new(),
            free: Vec::new(),
            oldest: None,
            newest: None,
            spare: Vec::new(),
            bytes: 0,
            limit: bytes,
        }
    }

    /// Walks a frame, judges its fields and the fields of the datagram that it completes, and
    /// reports to the sink.
    ///
    /// ```
    /// use wiresum_packet::{Frame, LinkType, Protocol, Reassembly, Tally};
    ///
    /// let header = [
    ///     0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0xb8, 0x61, 192, 168, 0, 1, 192, 168,
    ///     0, 199,
    /// ];
    /// let (mut reassembly, mut tally) = (Reassembly::default(), Tally::default());
    /// reassembly.examine(&Frame::new(LinkType(101), &header), &mut tally);
    /// reassembly.finish(&mut tally); // what is left of fragments is unverified
    /// assert_eq!(tally.counts(Protocol::Ipv4).good, 1);
    /// ```
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
            self.keep_memory(datagram.of);
        }
        while self.bytes > self.limit
            && let Some(oldest) = self.oldest
        {
            self.give_up(oldest, Obstacle::Memory, sink);
        }
    }

    /// Gives up all incomplete datagrams. This belongs at the end of a file.
    pub fn finish(&mut self, sink: &mut impl Sink) {
        while let Some(oldest) = self.oldest {
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
        let mut place = self.by_id.get(&id).copied();
        if let Some(earlier) = place
            && let Some(datagram) = &self.datagrams[earlier]
        {
            let why = match datagram.agrees(&arrived) {
                _ if !datagram.is_in_time(&arrived) => Some(Obstacle::Fragment),
                true => None,
                false => Some(Obstacle::Conflict),
            };
            if let Some(why) = why {
                self.give_up(earlier, why, sink);
                place = None;
            }
        }
        let place = place.unwrap_or_else(|| self.begin(id, frame.time));
        let datagram = self.datagrams[place].as_mut()?; // it is there
        self.bytes -= datagram.cost();
        datagram.add(&arrived);
        self.bytes += datagram.cost();
        if datagram.total != Some(datagram.bytes.len()) {
            return None;
        }
        self.remove(place)?.whole(frame)
    }

    /// Makes an empty datagram, the newest of all, and returns its place in `datagrams`.
    fn begin(&mut self, id: DatagramId, time: Option<Timestamp>) -> usize {
        let mut datagram = self.spare.pop().unwrap_or_default();
        datagram.begin(id, time);
        datagram.older = self.newest;
        self.bytes += datagram.cost();
        let place = self.free.pop().unwrap_or_else(|| {
            self.datagrams.push(None);
            self.datagrams.len() - 1
        });
        self.datagrams[place] = Some(datagram);
        self.join(self.newest, Some(place));
        self.newest = Some(place);
        self.by_id.insert(id, place);
        place
    }

    fn remove(&mut self, place: usize) -> Option<Box<Datagram>> {
        let datagram = self.datagrams[place].take()?;
        self.free.push(place);
        if let Some(id) = &datagram.id {
            self.by_id.remove(id);
        }
        self.bytes -= datagram.cost();
        self.join(datagram.older, datagram.newer);
        if self.newest == Some(place) {
            self.newest = datagram.older;
        }
        Some(datagram)
    }

    /// Makes two datagrams neighbors in the order in which they began. `None` is the end of the
    /// order.
    fn join(&mut self, older: Option<usize>, newer: Option<usize>) {
        match older.and_then(|place| self.datagrams[place].as_mut()) {
            Some(datagram) => datagram.newer = newer,
            None => self.oldest = newer,
        }
        if let Some(datagram) = newer.and_then(|place| self.datagrams[place].as_mut()) {
            datagram.older = older;
        }
    }

    /// Keeps the memory of a datagram that is gone for a later one.
    fn keep_memory(&mut self, datagram: Box<Datagram>) {
        if self.spare.len() < MAX_SPARE && datagram.heap() <= MAX_SPARE_BYTES {
            self.spare.push(datagram);
        }
    }

    /// Gives up a datagram, and reports to the sink why.
    fn give_up(&mut self, place: usize, why: Obstacle, sink: &mut impl Sink) {
        let Some(datagram) = self.remove(place) else {
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
        let data = self.data();
        let offset = self.fragment.offset;
        let mut of = Box::<Datagram>::default();
        of.bytes.extend_from_slice(data);
        self.runs(offset..offset + data.len(), |run, place| {
            let start = run.start - offset;
            of.pieces.push(Piece { start, place });
        });
        Carried {
            fragment: self
                .fragment
                .of_bytes(offset, self.fragment.more, data.len()),
            number: self.frame.number,
            time: self.frame.time,
            link_type: self.frame.link_type,
            nested: self.is_nested(),
            of,
        }
    }

    /// Returns whether the fragment lies in a datagram that was itself put together from fragments.
    fn is_nested(&self) -> bool {
        matches!(self.frame.origin, Origin::Datagram { .. })
    }
}

/// A datagram.
#[derive(Debug, Default)]
struct Datagram {
    /// `None` before the datagram begins.
    id: Option<DatagramId>,
    /// The places in `Reassembly::datagrams` of the datagrams that began before and after it.
    older: Option<usize>,
    newer: Option<usize>,
    /// The time of the fragment that came first.
    time: Option<Timestamp>,
    /// The bytes that have come, in the order in which they came. In a [`Carried`] they are in the
    /// order of the datagram.
    bytes: Vec<u8>,
    /// The runs in `bytes`, in the order of the datagram. No two runs overlap.
    parts: Vec<Part>,
    /// The length of the datagram, once its last fragment has come.
    total: Option<usize>,
    /// The beginning of the datagram, once it has come.
    first: Option<First>,
    /// The runs that came more than once.
    again: Vec<Again>,
    /// In a [`Carried`]: where `bytes` lie in the capture.
    pieces: Vec<Piece>,
    nested: bool,
    /// Whether a digest or a signature covers one of the fragments.
    authenticated: bool,
}

/// A run of bytes that lie together in one frame.
#[derive(Debug)]
struct Part {
    /// The offset in the datagram at which the run begins.
    start: usize,
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
    /// Makes the datagram empty, with the memory that it has.
    fn begin(&mut self, id: DatagramId, time: Option<Timestamp>) {
        let Datagram {
            mut bytes,
            mut parts,
            mut again,
            mut pieces,
            ..
        } = mem::take(self);
        bytes.clear();
        parts.clear();
        again.clear();
        pieces.clear();
        *self = Datagram {
            id: Some(id),
            time,
            bytes,
            parts,
            again,
            pieces,
            ..Datagram::default()
        };
    }

    /// Returns the memory that the datagram takes, in bytes.
    fn cost(&self) -> usize {
        // The entry of a map takes more memory than its contents, because a map is not full.
        const DATAGRAM: usize =
            size_of::<Datagram>() + 2 * (size_of::<DatagramId>() + 3 * size_of::<usize>());
        DATAGRAM + self.heap()
    }

    /// Returns the memory that its vectors take, in bytes.
    fn heap(&self) -> usize {
        self.bytes.capacity()
            + self.parts.capacity() * size_of::<Part>()
            + self.again.capacity() * size_of::<Again>()
            + self.pieces.capacity() * size_of::<Piece>()
    }

    /// Returns the parts that overlap a range, in order.
    fn overlapped(&self, range: &Range<usize>) -> &[Part] {
        let far = self.parts.last().map_or(0, |part| part.end);
        if far <= range.start {
            return &[]; // most fragments come in order
        }
        let first = self.parts.partition_point(|part| part.end <= range.start);
        let parts = &self.parts[first..];
        &parts[..parts.partition_point(|part| part.start < range.end)]
    }

    /// Returns the numbers of the frames that hold the fragments.
    fn frames(&self) -> BTreeSet<u64> {
        let parts = self.parts.iter().map(|part| part.place.frame);
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
        let far = self.parts.last().map_or(0, |part| part.end);
        let ends = match (self.total, other.fragment.more) {
            (Some(total), true) => range.end <= total,
            (Some(total), false) => range.end == total,
            (None, true) => true,
            (None, false) => range.end >= far,
        };
        ends && self.overlapped(&range).iter().all(|part| {
            let both = part.start.max(range.start)..part.end.min(range.end);
            let at = part.at + (both.start - part.start);
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
            .iter()
            .map(|part| part.start.max(range.start)..part.end.min(range.end))
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
        let mut index = match self.parts.last() {
            Some(last) if last.start > range.start => {
                self.parts.partition_point(|part| part.start < range.start)
            }
            _ => self.parts.len(),
        };
        arrived.runs(range.clone(), |Range { start, end }, place| {
            let part = Part {
                start,
                end,
                at,
                place,
            };
            self.parts.insert(index, part);
            index += 1;
            at += end - start;
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
    fn whole(mut self: Box<Self>, frame: &Frame<'_>) -> Option<Carried> {
        let mut first = self.first.take()?;
        first.fragment.authenticated = self.authenticated;
        let (len, nested) = (self.bytes.len(), self.nested);
        let carried = self.up_to(len, first);
        Some(Carried {
            fragment: carried.fragment.of_bytes(0, false, len),
            number: frame.number,
            time: frame.time,
            nested,
            ..carried
        })
    }

    /// Returns the first fragment of the datagram.
    fn first_alone(mut self: Box<Self>) -> Option<Carried> {
        let first = self.first.take()?;
        Some(self.up_to(first.fragment.end(), first))
    }

    /// Returns the payload up to an offset, as the first fragment of the datagram.
    fn up_to(mut self: Box<Self>, end: usize, first: First) -> Carried {
        let parts = &self.parts[..self.parts.partition_point(|part| part.start < end)];
        self.pieces.clear();
        self.pieces.extend(parts.iter().map(|part| Piece {
            start: part.start,
            place: part.place,
        }));
        if parts.iter().all(|part| part.start == part.at) {
            self.bytes.truncate(end);
        } else {
            let mut bytes = Vec::with_capacity(end);
            for part in parts {
                bytes.extend_from_slice(&self.bytes[part.at..part.at + (part.end - part.start)]);
            }
            self.bytes = bytes;
        }
        Carried {
            fragment: first.fragment,
            number: first.number,
            time: first.time,
            link_type: first.link_type,
            nested: first.nested,
            of: self,
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
    /// As in [`Origin::Datagram`].
    nested: bool,
    /// The datagram, whose bytes are in order, and where they lie in the capture.
    of: Box<Datagram>,
}

impl Carried {
    /// Returns the payload as a frame.
    fn frame(&self) -> Frame<'_> {
        Frame {
            number: self.number,
            time: self.time,
            origin: Origin::Datagram {
                pieces: &self.of.pieces,
                again: &self.of.again,
                nested: self.nested,
            },
            ..Frame::new(self.link_type, &self.of.bytes)
        }
    }

    /// Reports to the sink what can be said without the rest of the datagram.
    fn give_up(&self, sink: &mut impl Sink) {
        examine_fragment(&self.frame(), &self.fragment, sink);
    }
}
