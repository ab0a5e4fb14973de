// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of the pipe.

use crate::walk::{Field, Found, Fragment, Obstacle, walk};
use crate::{Frame, Verdict, judge_frame};

/// What becomes of the verdicts: every output is one of these. A pair of sinks is a sink that feeds both.
///
/// What is told of a datagram that was put together from fragments comes with a frame of its own, behind all that is told of the frame that
/// completes it: it has that one's number, and its `data` are what the datagram carries. [`Frame::place`] tells where each byte of it lies.
/// What is told of a fragment whose datagram never came together is told at the end, with the number of the fragment's frame.
pub trait Sink {
    /// A frame of the file begins.
    fn frame(&mut self, frame: &Frame<'_>) {
        let _ = frame;
    }

    /// A checksum field of the frame was judged. Outermost first.
    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict);

    /// Something keeps further fields of the frame from being found.
    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        let _ = (frame, obstacle);
    }

    /// A header of the frame contradicts itself, and how.
    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        let _ = (frame, how);
    }
}

/// Walks a frame, judges each field, and tells the sink. Packets are judged alone: what a fragment carries is unverified, even if
/// others hold the rest ([`Reassembly::examine`](crate::Reassembly::examine) puts them together).
pub fn examine(frame: &Frame<'_>, sink: &mut impl Sink) {
    if let Some(fragment) = examine_up_to_fragment(frame, sink) {
        examine_fragment(frame, &fragment, sink);
    }
}

/// The same, but where a fragment stands nothing is said of what it carries: it is returned instead, for
/// [`Reassembly::push`](crate::Reassembly::push).
#[must_use]
pub fn examine_up_to_fragment(frame: &Frame<'_>, sink: &mut impl Sink) -> Option<Fragment> {
    sink.frame(frame);
    let mut fragment = None;
    walk(frame, |found| tell(frame, found, &mut fragment, sink));
    fragment
}

/// Walks what a fragment carries, the rest of which is in other frames; or a datagram that was put together. Returns the fragment that is
/// within that, if there is one.
pub(crate) fn examine_datagram(
    frame: &Frame<'_>,
    datagram: &Fragment,
    sink: &mut impl Sink,
) -> Option<Fragment> {
    let mut fragment = None;
    datagram.walk(frame.data, |found| tell(frame, found, &mut fragment, sink));
    fragment
}

/// Walks what a fragment carries, and what a fragment that is all within it carries.
pub(crate) fn examine_fragment(frame: &Frame<'_>, fragment: &Fragment, sink: &mut impl Sink) {
    let mut next = examine_datagram(frame, fragment, sink);
    while let Some(fragment) = next {
        next = examine_datagram(frame, &fragment, sink);
    }
}

/// Tells the sink what was found. The walk ends at a fragment, so there is one at most.
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

impl<A: Sink, B: Sink> Sink for (A, B) {
    fn frame(&mut self, frame: &Frame<'_>) {
        self.0.frame(frame);
        self.1.frame(frame);
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        self.0.verdict(frame, field, verdict);
        self.1.verdict(frame, field, verdict);
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

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        (**self).obstacle(frame, obstacle);
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        (**self).malformed(frame, how);
    }
}

/// A sink that may not be there.
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
