// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of the pipe: sinks receive the verdicts.

use std::net::IpAddr;

use crate::capture::{Captured, Timestamp};
use crate::plain::Plain;
use crate::walk::{Field, Found, Fragment, Obstacle, walk};
use crate::{Frame, Protocol, Status, Verdict, judge_frame};

/// Receives the verdicts: every output is a sink. A pair of sinks is a sink that feeds both.
///
/// A datagram that was put together from fragments comes as a frame of its own, after everything
/// about the frame that completes the datagram. Both frames have the same number, and the `data` of
/// the second are the payload of the datagram. [`Frame::place`] says where each byte of it lies. A
/// fragment whose datagram never came together comes at the end, with the number of the fragment's
/// frame.
///
/// ```
/// use wiresum_packet::{Field, Frame, LinkType, Sink, Verdict, examine};
///
/// /// Collects the offset of each checksum.
/// #[derive(Default)]
/// struct Offsets(Vec<usize>);
///
/// impl Sink for Offsets {
///     fn verdict(&mut self, _: &Frame<'_>, field: &Field, _: &Verdict) {
///         self.0.push(field.bytes().start);
///     }
/// }
///
/// let header = [
///     0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0xb8, 0x61, 192, 168, 0, 1, 192, 168, 0, 199,
/// ];
/// let mut offsets = Offsets::default();
/// examine(&Frame::new(LinkType(101), &header), &mut offsets);
/// assert_eq!(offsets.0[0], 10);
/// ```
pub trait Sink {
    /// A frame of the file begins.
    fn frame(&mut self, frame: &Frame<'_>) {
        let _ = frame;
    }

    /// A checksum field of the frame was judged. The outermost field comes first.
    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict);

    /// Returns which fields the sink needs to be told of one by one. Where it does not need all of
    /// them, [`Sink::count`] may stand in for the other methods, which takes less time.
    fn needs(&self) -> Needs {
        Needs::Fields
    }

    /// A frame of the file has exactly these checksum fields. Such a call replaces all other calls
    /// about the frame, if [`Sink::needs`] allows it.
    fn count(&mut self, frame: &PlainFrame<'_>) {
        let _ = frame;
    }

    /// An obstacle keeps the walk from finding further fields of the frame. For a fragment whose
    /// datagram was given up, the frame has its number, but neither its bytes nor its time.
    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        let _ = (frame, obstacle);
    }

    /// A header of the frame contradicts itself; `how` says in which way.
    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        let _ = (frame, how);
    }
}

/// Which checksum fields a sink needs to be told of one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Needs {
    /// None: the sink only counts.
    Counts,
    /// The fields of each frame that has a bad or an illegal one.
    Wrong,
    /// Every field.
    Fields,
}

/// A frame in which nothing is unusual, and its checksum fields, none of them in a quote. Each is
/// good, absent, or bad because of offload.
#[derive(Clone, Copy, Debug)]
pub struct PlainFrame<'a> {
    /// The number of captured bytes.
    pub len: usize,
    /// The time of capture, as in [`Frame::time`]. A sink that only counts does not get it.
    pub time: Option<Timestamp>,
    /// The fields, the outermost first.
    pub fields: &'a [(Protocol, Status)],
    /// The source address of all bad fields, if there are any. A sink that wants wrong fields is
    /// not told of such a frame here.
    pub sender: Option<IpAddr>,
}

/// Walks a frame, judges each field, and reports it to the sink. Each packet is judged alone: the
/// payload of a fragment is unverified, even if other frames hold the rest
/// ([`Reassembly::examine`](crate::Reassembly::examine) puts fragments together).
///
/// ```
/// use wiresum_packet::{Frame, LinkType, Protocol, Tally, examine};
///
/// let header = [
///     0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0xb8, 0x61, 192, 168, 0, 1, 192, 168, 0, 199,
/// ];
/// let mut tally = Tally::default();
/// examine(&Frame::new(LinkType(101), &header), &mut tally);
/// assert_eq!(tally.counts(Protocol::Ipv4).good, 1);
/// ```
pub fn examine(frame: &Frame<'_>, sink: &mut impl Sink) {
    if let Some(fragment) = examine_up_to_fragment(frame, sink) {
        examine_fragment(frame, &fragment, sink);
    }
}

/// Does the same as [`examine`], except that the walk leaves the payload of a fragment alone. The
/// fragment is returned instead, for [`Reassembly::push`](crate::Reassembly::push).
#[must_use]
pub fn examine_up_to_fragment(frame: &Frame<'_>, sink: &mut impl Sink) -> Option<Fragment> {
    if count_plain(&frame.captured(), || frame.time, sink) {
        return None;
    }
    walk_up_to_fragment(frame, sink)
}

/// Counts the fields of a plain frame, if the sink wants no more. Returns whether it did; if not,
/// the sink was told nothing.
#[inline]
pub(crate) fn count_plain(
    captured: &Captured<'_>,
    time: impl FnOnce() -> Option<Timestamp>,
    sink: &mut impl Sink,
) -> bool {
    let needs = sink.needs();
    if needs == Needs::Fields {
        return false;
    }
    let mut plain = Plain::new();
    let found = plain.find(captured).is_some();
    if !found || needs == Needs::Wrong && plain.sender().is_some() {
        return false;
    }
    sink.count(&PlainFrame {
        len: captured.data.len(),
        time: (needs == Needs::Wrong).then(time).flatten(),
        fields: plain.fields(),
        sender: plain.sender(),
    });
    true
}

/// Does the same as [`examine_up_to_fragment`], and always walks.
pub(crate) fn walk_up_to_fragment(frame: &Frame<'_>, sink: &mut impl Sink) -> Option<Fragment> {
    sink.frame(frame);
    let mut fragment = None;
    walk(frame, |found| tell(frame, found, &mut fragment, sink));
    fragment
}

/// Walks the payload of a fragment, or of a datagram that was put together. Returns the fragment
/// within that payload, if there is one.
pub(crate) fn examine_datagram(
    frame: &Frame<'_>,
    datagram: &Fragment,
    sink: &mut impl Sink,
) -> Option<Fragment> {
    let mut fragment = None;
    datagram.walk(frame.data, |found| tell(frame, found, &mut fragment, sink));
    fragment
}

/// Walks the payload of a fragment, and of each fragment that lies wholly within that payload.
pub(crate) fn examine_fragment(frame: &Frame<'_>, fragment: &Fragment, sink: &mut impl Sink) {
    let mut next = examine_datagram(frame, fragment, sink);
    while let Some(fragment) = next {
        next = examine_datagram(frame, &fragment, sink);
    }
}

/// Reports to the sink what the walk found. The walk ends at a fragment, so there is at most one.
fn tell(
    frame: &Frame<'_>,
    found: Found<'_>,
    fragment: &mut Option<Fragment>,
    sink: &mut impl Sink,
) {
    match found {
        Found::Field(field) => sink.verdict(frame, field, &judge_frame(frame, field)),
        Found::Fragment(found) => *fragment = Some(found),
        Found::Obstacle(obstacle) => sink.obstacle(frame, obstacle),
        Found::Malformed(how) => sink.malformed(frame, how),
    }
}

/// What a sink is told of a frame, to tell it later.
pub(crate) enum Told {
    Frame,
    Verdict(Field, Verdict),
    Obstacle(Obstacle),
    Malformed(&'static str),
}

impl Told {
    pub(crate) fn tell(&self, frame: &Frame<'_>, sink: &mut impl Sink) {
        match self {
            Told::Frame => sink.frame(frame),
            Told::Verdict(field, verdict) => sink.verdict(frame, field, verdict),
            Told::Obstacle(obstacle) => sink.obstacle(frame, *obstacle),
            Told::Malformed(how) => sink.malformed(frame, how),
        }
    }
}

impl<A: Sink, B: Sink> Sink for (A, B) {
    fn frame(&mut self, frame: &Frame<'_>) {
        self.0.frame(frame);
        self.1.frame(frame);
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        self.0.verdict(frame, field, verdict);
        self.1.verdict(frame, field, verdict);
    }

    fn needs(&self) -> Needs {
        self.0.needs().max(self.1.needs())
    }

    fn count(&mut self, frame: &PlainFrame<'_>) {
        self.0.count(frame);
        self.1.count(frame);
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        self.0.obstacle(frame, obstacle);
        self.1.obstacle(frame, obstacle);
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        self.0.malformed(frame, how);
        self.1.malformed(frame, how);
    }
}

impl<S: Sink> Sink for &mut S {
    fn frame(&mut self, frame: &Frame<'_>) {
        (**self).frame(frame);
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        (**self).verdict(frame, field, verdict);
    }

    fn needs(&self) -> Needs {
        (**self).needs()
    }

    fn count(&mut self, frame: &PlainFrame<'_>) {
        (**self).count(frame);
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        (**self).obstacle(frame, obstacle);
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        (**self).malformed(frame, how);
    }
}

/// An optional sink: `None` ignores everything.
impl<S: Sink> Sink for Option<S> {
    fn frame(&mut self, frame: &Frame<'_>) {
        if let Some(sink) = self {
            sink.frame(frame);
        }
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        if let Some(sink) = self {
            sink.verdict(frame, field, verdict);
        }
    }

    fn needs(&self) -> Needs {
        self.as_ref().map_or(Needs::Counts, S::needs)
    }

    fn count(&mut self, frame: &PlainFrame<'_>) {
        if let Some(sink) = self {
            sink.count(frame);
        }
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        if let Some(sink) = self {
            sink.obstacle(frame, obstacle);
        }
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        if let Some(sink) = self {
            sink.malformed(frame, how);
        }
    }
}
