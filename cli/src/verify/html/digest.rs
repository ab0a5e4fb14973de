// SPDX-License-Identifier: MIT OR Apache-2.0
//! The part of the verdicts that the page shows beside the tallies. Its memory does not grow with
//! the captures.

use std::collections::BTreeMap;
use std::io;

use wiresum_packet::{Cause, Collector, Field, Frame, Protocol, Sink, Verdict};

use super::senders::{Sender, Senders};
use super::timeline::Timeline;
use crate::explain;
use crate::flow::between;
use crate::time::rfc3339;
use crate::verify::report::is_wrong;

/// The senders of wrong checksums that are counted at the same time.
pub(super) const SENDERS: usize = 4096;
/// The most packets that are explained: of each kind, of each file, and of all files.
pub(super) const EXAMPLES: [usize; 3] = [2, 12, 40];

/// The data of the page beside the tallies.
pub(in crate::verify) struct Digest {
    pub(super) files: Vec<Part>,
    pub(super) senders: Senders,
    examples: usize,
}

/// The data of one file, or of a chunk of it.
#[derive(Clone, Default)]
pub(in crate::verify) struct Part {
    pub(super) timeline: Timeline,
    pub(super) examples: Vec<Example>,
    /// The number of examples of each kind.
    kinds: BTreeMap<(Protocol, &'static str), usize>,
    /// The sender of each wrong checksum, until it is counted.
    senders: Vec<Sender>,
}

/// A packet with a wrong checksum, explained.
#[derive(Clone)]
pub(super) struct Example {
    pub(super) frame: u64,
    pub(super) time: Option<String>,
    pub(super) protocol: Protocol,
    pub(super) between: String,
    pub(super) kind: &'static str,
    pub(super) explanation: String,
}

/// The kind of an illegal checksum without a cause.
pub(super) const ILLEGAL: &str = "illegal";

/// The kind of a wrong checksum: its cause, or illegal. None if the checksum is not wrong.
fn kind(field: &Field, verdict: &Verdict) -> Option<&'static str> {
    is_wrong(field, verdict.status).then(|| verdict.cause().map_or(ILLEGAL, Cause::label))
}

impl Digest {
    pub(in crate::verify) fn new() -> Digest {
        Digest {
            files: Vec::new(),
            senders: Senders::new(SENDERS),
            examples: 0,
        }
    }

    /// Forgets the last file, which could not be read to its end.
    pub(in crate::verify) fn abandon(&mut self) {
        self.files.pop();
    }

    /// Begins a file.
    pub(in crate::verify) fn begin(&mut self) {
        self.files.push(Part::default());
    }
}

impl Collector for Digest {
    type Part = Part;

    fn part(&self) -> Part {
        Part::default()
    }

    fn take(&mut self, part: &mut Part) -> io::Result<()> {
        let file = self.files.last_mut().expect("begin has been called");
        file.timeline.add(&part.timeline);
        part.timeline.clear();
        for sender in part.senders.drain(..) {
            self.senders.count(sender);
        }
        part.kinds.clear();
        for example in part.examples.drain(..) {
            if self.examples < EXAMPLES[2] && file.has_room(example.protocol, example.kind) {
                file.examples.push(example);
                self.examples += 1;
            }
        }
        Ok(())
    }
}

impl Part {
    /// Counts an example of a kind. Returns whether there is room for it.
    fn has_room(&mut self, protocol: Protocol, kind: &'static str) -> bool {
        if self.examples.len() == EXAMPLES[1] {
            return false;
        }
        let already = self.kinds.entry((protocol, kind)).or_default();
        *already += 1;
        *already <= EXAMPLES[0]
    }
}

impl Sink for Part {
    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        if field.quoted {
            return;
        }
        let kind = kind(field, verdict);
        self.timeline.count(frame.time, kind);
        let Some(kind) = kind else { return };
        if let Some(addresses) = field.addresses {
            self.senders.push(Sender {
                address: addresses.source(),
                protocol: field.protocol,
                kind,
            });
        }
        if self.has_room(field.protocol, kind) {
            self.examples
                .push(Example::new(frame, field, verdict, kind));
        }
    }
}

impl Example {
    fn new(frame: &Frame<'_>, field: &Field, verdict: &Verdict, kind: &'static str) -> Example {
        Example {
            frame: frame.number,
            time: frame.time.and_then(rfc3339),
            protocol: field.protocol,
            between: between(field.addresses, field.ports),
            kind,
            explanation: explain::checksum(frame, field, verdict),
        }
    }
}
