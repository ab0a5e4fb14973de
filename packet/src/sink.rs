// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of the pipe.

use crate::walk::{Field, Found, Obstacle, walk};
use crate::{Frame, Verdict, judge};

/// What becomes of the verdicts: every output is one of these. A pair of sinks is a sink that feeds both.
pub trait Sink {
    /// A frame begins; all that follows is of it.
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

/// Walks a frame, judges each field, and tells the sink.
pub fn examine(frame: &Frame<'_>, sink: &mut impl Sink) {
    sink.frame(frame);
    walk(frame, |found| match found {
        Found::Field(field) => sink.verdict(frame, &field, &judge(frame.data, &field)),
        Found::Obstacle(obstacle) => sink.obstacle(frame, obstacle),
        Found::Malformed(how) => sink.malformed(frame, how),
    });
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
