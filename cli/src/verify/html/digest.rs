// SPDX-License-Identifier: MIT OR Apache-2.0
//! The part of the verdicts that the page shows in addition to the tallies. Its memory does not
//! grow with the captures.

use std::collections::BTreeMap;
use std::io;
use std::net::IpAddr;

use wiresum_packet::{
    Addresses, Cause, Collector, Field, Frame, Needs, PlainFrame, Protocol, Sink, Timestamp,
    Verdict,
};

use super::senders::{Sender, Senders};
use super::timeline::Timeline;
use crate::explain;
use crate::flow::{between, ends};
use crate::time::rfc3339;
use crate::verify::examined::is_wrong;

/// The senders of wrong checksums that are counted at the same time.
pub(super) const SENDERS: usize = 4096;
/// The most packets that are explained: of each kind, of each file, and of all files.
pub(super) const EXAMPLES: [usize; 3] = [2, 12, 40];

/// The data of the page in addition to the tallies.
pub(in crate::verify) struct Digest {
    pub(super) files: Vec<Part>,
    pub(super) senders: Senders,
    examples: usize,
    /// The senders and the number of examples before the last file.
    before: (Senders, usize),
}

/// The data of one file, or of a chunk of it.
#[derive(Clone, Default)]
pub(in crate::verify) struct Part {
    pub(super) timeline: Timeline,
    pub(super) examples: Vec<Example>,
    room: Room,
    /// The sender of each wrong checksum, until it is counted.
    senders: Vec<Sender>,
}

/// A packet with a wrong checksum, explained.
#[derive(Clone)]
pub(in crate::verify) struct Example {
    pub(in crate::verify) frame: u64,
    pub(in crate::verify) time: Option<String>,
    pub(in crate::verify) protocol: Protocol,
    pub(in crate::verify) between: String,
    pub(in crate::verify) kind: &'static str,
    pub(in crate::verify) explanation: String,
}

/// A wrong checksum.
pub(in crate::verify) struct Wrong {
    pub(in crate::verify) protocol: Protocol,
    pub(in crate::verify) kind: &'static str,
    /// The source address, if there is a network header around the checksum.
    pub(in crate::verify) source: Option<IpAddr>,
}

/// The first wrong checksums of a file, or of a part of it: so many that the page of all parts
/// together lacks none.
#[derive(Clone, Default)]
pub(in crate::verify) struct Room {
    /// The number of examples of each kind.
    kinds: BTreeMap<(Protocol, &'static str), usize>,
    examples: usize,
}

impl Room {
    /// A room that takes no example.
    fn full() -> Room {
        Room {
            kinds: BTreeMap::new(),
            examples: EXAMPLES[1],
        }
    }

    /// Returns whether there is room for one more example of a kind, and takes the room.
    pub(in crate::verify) fn take(&mut self, protocol: Protocol, kind: &'static str) -> bool {
        if self.examples == EXAMPLES[1] {
            return false;
        }
        let already = self.kinds.entry((protocol, kind)).or_default();
        *already += 1;
        let has_room = *already <= EXAMPLES[0];
        self.examples += usize::from(has_room);
        has_room
    }
}

/// The kind of an illegal checksum without a cause.
pub(in crate::verify) const ILLEGAL: &str = "illegal";

/// The kind of a wrong checksum: its cause, or illegal. None if the checksum is not wrong.
pub(in crate::verify) fn kind(field: &Field, verdict: &Verdict) -> Option<&'static str> {
    is_wrong(field, verdict.status).then(|| verdict.cause().map_or(ILLEGAL, Cause::label))
}

impl Digest {
    pub(in crate::verify) fn new() -> Digest {
        Digest {
            files: Vec::new(),
            senders: Senders::new(SENDERS),
            examples: 0,
            before: (Senders::new(SENDERS), 0),
        }
    }

    /// Forgets the last file, which could not be read to its end.
    pub(in crate::verify) fn abandon(&mut self) {
        self.files.pop();
        (self.senders, self.examples) = self.before.clone();
    }

    /// Begins a file.
    pub(in crate::verify) fn begin(&mut self) {
        self.files.push(Part::default());
        self.before = (self.senders.clone(), self.examples);
    }

    /// The room that the last file has left. A chunk begins with it, because an explanation takes
    /// a thousand times as long as a count.
    fn room(&self) -> Room {
        match self.files.last() {
            Some(file) if self.examples < EXAMPLES[2] => file.room.clone(),
            Some(_) => Room::full(),
            None => Room::default(),
        }
    }
}

impl Collector for Digest {
    type Part = Part;

    fn part(&self) -> Part {
        Part {
            room: self.room(),
            ..Part::default()
        }
    }

    fn take(&mut self, part: &mut Part) -> io::Result<()> {
        let file = self.files.last_mut().expect("begin has been called");
        part.timeline.settle();
        file.timeline.add(&part.timeline);
        part.timeline.clear();
        for sender in part.senders.drain(..) {
            self.senders.count(sender);
        }
        for example in part.examples.drain(..) {
            if self.examples < EXAMPLES[2] && file.room.take(example.protocol, example.kind) {
                file.examples.push(example);
                self.examples += 1;
            }
        }
        part.room = self.room();
        Ok(())
    }
}

impl Part {
    /// Counts a checksum that is no copy.
    pub(in crate::verify) fn count(&mut self, time: Option<Timestamp>, wrong: Option<Wrong>) {
        self.timeline
            .count(time, wrong.as_ref().map(|wrong| wrong.kind));
        if let Some(Wrong {
            protocol,
            kind,
            source: Some(address),
        }) = wrong
        {
            self.senders.push(Sender {
                address,
                protocol,
                kind,
            });
        }
    }

    /// Adds an example, which the collector takes if there is room for it.
    pub(in crate::verify) fn add(&mut self, example: Example) {
        self.examples.push(example);
    }
}

impl Sink for Part {
    fn needs(&self) -> Needs {
        Needs::Wrong
    }

    fn count(&mut self, frame: &PlainFrame<'_>) {
        let n = frame.fields.len() as u64;
        self.timeline.count_right(frame.time, n);
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        if field.quoted {
            return;
        }
        let kind = kind(field, verdict);
        let wrong = kind.map(|kind| Wrong {
            protocol: field.protocol,
            kind,
            source: field.addresses.map(Addresses::source),
        });
        self.count(frame.time, wrong);
        if let Some(kind) = kind
            && self.room.take(field.protocol, kind)
        {
            self.add(Example::new(frame, field, verdict, kind));
        }
    }
}

impl Example {
    fn new(frame: &Frame<'_>, field: &Field, verdict: &Verdict, kind: &'static str) -> Example {
        Example {
            frame: frame.number,
            time: frame.time.and_then(rfc3339),
            protocol: field.protocol,
            between: between(field.addresses.map(ends), field.ports),
            kind,
            explanation: explain::checksum(frame, field, verdict),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example(frame: u64) -> Example {
        Example {
            frame,
            time: None,
            protocol: Protocol::Tcp,
            between: String::new(),
            kind: "offload",
            explanation: String::new(),
        }
    }

    /// Each chunk explains as many packets as its part has room for, and the page shows the first.
    #[test]
    fn no_chunk_explains_what_the_page_cannot_show() {
        let mut digest = Digest::new();
        for (file, explained) in [(0, [2, 0, 0]), (1, [2, 0, 0])] {
            digest.begin();
            let mut part = digest.part();
            for (chunk, expected) in explained.into_iter().enumerate() {
                let room = (0..5).filter(|_| part.room.take(Protocol::Tcp, "offload"));
                let found = room.count();
                assert_eq!(found, expected, "file {file}, chunk {chunk}");
                for frame in 0..found as u64 {
                    part.add(example(100 * chunk as u64 + frame));
                }
                digest.take(&mut part).unwrap();
            }
            let frames = digest.files[file].examples.iter().map(|each| each.frame);
            assert_eq!(frames.collect::<Vec<_>>(), [0, 1]);
        }
    }

    #[test]
    fn a_file_after_the_last_example_explains_nothing() {
        let mut digest = Digest::new();
        digest.examples = EXAMPLES[2];
        digest.begin();
        assert!(!digest.part().room.take(Protocol::Tcp, "offload"));
    }

    /// Of two chunks that are read at once, the first one in the file gives the examples.
    #[test]
    fn chunks_that_are_read_at_once_leave_the_first_examples() {
        let mut digest = Digest::new();
        digest.begin();
        let mut parts = [digest.part(), digest.part()];
        for (chunk, part) in parts.iter_mut().enumerate() {
            for frame in 0..2 {
                assert!(part.room.take(Protocol::Tcp, "offload"));
                part.add(example(100 * chunk as u64 + frame));
            }
        }
        for part in &mut parts {
            digest.take(part).unwrap();
        }
        let frames = digest.files[0].examples.iter().map(|each| each.frame);
        assert_eq!(frames.collect::<Vec<_>>(), [0, 1]);
    }
}
