// SPDX-License-Identifier: MIT OR Apache-2.0
//! A capture on several threads gives the same verdicts, in the same order, as on one thread.

use std::cell::Cell;
use std::collections::HashSet;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

use crate::common::{Words, compressed, every_format, frames, large};
use wiresum_packet::{
    Capture, Collector, Compression, ExamineError, Field, Flows, Frame, Memory, Obstacle,
    Reassembly, Sink, Tally, Verdict, examine_all, examine_in_memory,
};

/// Everything that the sink was told, each line with the number of its frame.
#[derive(Default)]
struct Log {
    lines: Vec<String>,
    /// The number of lines after which the collector fails.
    limit: Option<usize>,
}

#[derive(Clone, Default)]
struct Lines(Vec<String>);

impl Lines {
    fn say(&mut self, frame: &Frame<'_>, tell: impl FnOnce(&mut Words)) {
        let mut words = Words::default();
        tell(&mut words);
        let lines = words.0.iter();
        self.0
            .extend(lines.map(|line| format!("{}: {line}", frame.number)));
    }
}

impl Sink for Lines {
    fn frame(&mut self, frame: &Frame<'_>) {
        self.0.push(format!("{}", frame.number));
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        self.say(frame, |words| words.verdict(frame, field, verdict));
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        self.say(frame, |words| words.obstacle(frame, obstacle));
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        self.say(frame, |words| words.malformed(frame, how));
    }
}

impl Collector for Log {
    type Part = Lines;

    fn part(&self) -> Lines {
        Lines::default()
    }

    fn take(&mut self, part: &mut Lines) -> io::Result<()> {
        self.lines.append(&mut part.0);
        match self.limit {
            Some(limit) if self.lines.len() > limit => Err(io::ErrorKind::BrokenPipe.into()),
            _ => Ok(()),
        }
    }
}

fn workers(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).expect("one worker at least")
}

#[test]
fn any_number_of_threads_says_the_same() {
    let file = large(200);
    assert!(file.len() > 1 << 20, "the file has only a few chunks");
    for reassemble in [true, false] {
        let reassembly = || reassemble.then(Reassembly::default);
        // The expectation comes from a loop without threads and chunks.
        let (mut lines, mut alone) = (Lines::default(), reassembly());
        let mut flows = Flows::default();
        let mut expected = flows.sink(&mut lines);
        let mut capture = Capture::open(&file[..]).expect("a capture");
        while let Some(frame) = capture.next_frame().expect("a slice does not fail") {
            match &mut alone {
                Some(reassembly) => reassembly.examine(&frame, &mut expected),
                None => wiresum_packet::examine(&frame, &mut expected),
            }
        }
        if let Some(mut reassembly) = alone {
            reassembly.finish(&mut expected);
        }
        drop(expected);
        for n in [1, 2, 3, 8] {
            let mut capture = Capture::open(&file[..]).expect("a capture");
            let mut log = Log::default();
            examine_all(&mut capture, workers(n), reassembly(), &mut log).expect("no failure");
            assert!(
                log.lines == lines.0,
                "{n} workers, reassembly: {reassemble}"
            );
        }
        let mut log = Log::default();
        let memory = InMemory::new(&file);
        examine_in_memory(&memory, reassembly(), &mut log).expect("no failure");
        assert!(log.lines == lines.0, "in memory, reassembly: {reassemble}");
        assert_eq!(memory.checked.get(), file.len());
    }
}

/// A file in memory, which fails its check after a number of bytes.
struct InMemory<'a> {
    file: &'a [u8],
    until: usize,
    checked: Cell<usize>,
}

impl InMemory<'_> {
    fn new(file: &[u8]) -> InMemory<'_> {
        InMemory {
            file,
            until: usize::MAX,
            checked: Cell::new(0),
        }
    }
}

impl Memory for InMemory<'_> {
    fn bytes(&self) -> &[u8] {
        self.file
    }

    fn check(&self, examined: usize) -> io::Result<()> {
        assert!(self.checked.replace(examined) <= examined, "it goes on");
        match examined <= self.until {
            true => Ok(()),
            false => Err(io::ErrorKind::TimedOut.into()),
        }
    }

    fn prefetch(&self, start: usize) {
        assert!(start >= self.checked.get(), "no byte that was examined");
    }
}

/// Counts in memory what a reader counts: in a whole pcap, in one that is cut, and in one with a
/// wrong length. Other files are refused.
#[test]
fn counts_in_memory_are_the_same() {
    let cases = frames();
    let in_memory = |file: &[u8]| {
        let mut tally = Tally::default();
        let reassembly = Some(Reassembly::default());
        let malformed = examine_in_memory(&InMemory::new(file), reassembly, &mut tally);
        malformed.expect("no failure").map(|malformed| {
            tally.add_malformed(&malformed);
            tally
        })
    };
    let read = |file: &[u8]| {
        let mut capture = Capture::open(file).expect("a capture");
        let mut tally = Tally::default();
        let reassembly = Some(Reassembly::default());
        examine_all(&mut capture, workers(1), reassembly, &mut tally).expect("no failure");
        tally.add_malformed(capture.malformed());
        tally
    };
    let mut refused = 0;
    for file in every_format(&cases) {
        let Some(tally) = in_memory(&file) else {
            refused += usize::from(Capture::open(&file[..]).is_ok());
            continue;
        };
        assert_eq!(tally, read(&file));
        for len in (24..file.len().min(3000)).step_by(13) {
            assert_eq!(
                in_memory(&file[..len]),
                Some(read(&file[..len])),
                "{len} bytes"
            );
        }
        let mut damaged = file.clone();
        damaged[32..36].fill(0x7f);
        assert_eq!(in_memory(&damaged), Some(read(&damaged)));
    }
    assert_eq!(refused, 3, "pcapng in two byte orders, and snoop");
    assert!(in_memory(&compressed(Compression::Gzip, &large(1))).is_none());
    assert!(in_memory(b"").is_none());
}

#[test]
fn a_file_that_changes_in_memory_ends_it() {
    let file = large(200);
    let memory = InMemory {
        until: 1 << 20,
        ..InMemory::new(&file)
    };
    let mut log = Log::default();
    let Err(ExamineError::Capture(error)) = examine_in_memory(&memory, None, &mut log) else {
        panic!("no failure");
    };
    assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    assert!(log.lines.is_empty(), "no stretch passed its check");
}

#[test]
fn a_collector_that_fails_ends_it() {
    let file = large(200);
    for n in [1, 4] {
        let mut capture = Capture::open(&file[..]).expect("a capture");
        let mut log = Log {
            limit: Some(100),
            ..Log::default()
        };
        let result = examine_all(&mut capture, workers(n), None, &mut log);
        let Err(ExamineError::Collector(error)) = result else {
            panic!("{result:?}");
        };
        assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
    }
}

/// The frames read before the failure are taken nevertheless.
#[test]
fn a_reader_that_fails_ends_it() {
    struct Fail;
    impl Read for Fail {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    let file = large(200);
    let half = &file[..file.len() / 2];
    for n in [1, 4] {
        let mut capture = Capture::open(half.chain(Fail)).expect("a capture");
        let mut log = Log::default();
        let result = examine_all(&mut capture, workers(n), None, &mut log);
        assert!(matches!(result, Err(ExamineError::Capture(e)) if e.to_string() == "unplugged"));
        let mut whole = Capture::open(half).expect("a capture");
        let (mut expected, mut flows) = (Lines::default(), Flows::default());
        while let Some(frame) = whole.next_frame().expect("a slice does not fail") {
            wiresum_packet::examine(&frame, &mut flows.sink(&mut expected));
        }
        assert!(log.lines == expected.0, "{n} workers");
    }
}

/// Two workers examine at the same time: a worker that has a chunk does not keep the other from
/// reading the next chunk.
#[test]
fn workers_work_side_by_side() {
    #[derive(Clone, Default)]
    struct Meeting(Arc<(Mutex<HashSet<ThreadId>>, Condvar)>);
    impl Sink for Meeting {
        fn frame(&mut self, _: &Frame<'_>) {
            let (here, changed) = &*self.0;
            let mut here = here.lock().expect("no panic");
            if here.insert(thread::current().id()) {
                changed.notify_all();
                // The first worker waits in the middle of its chunk for the other worker.
                let alone = |here: &mut HashSet<ThreadId>| here.len() < 2;
                drop(changed.wait_timeout_while(here, Duration::from_secs(30), alone));
            }
        }

        fn verdict(&mut self, _: &Frame<'_>, _: &Field, _: &Verdict) {}
    }
    impl Collector for Meeting {
        type Part = Meeting;

        fn part(&self) -> Meeting {
            self.clone()
        }

        fn take(&mut self, _: &mut Meeting) -> io::Result<()> {
            let (here, _) = &*self.0;
            let met = here.lock().expect("no panic").len() == 2;
            assert!(met, "a chunk was examined before a second worker began");
            Ok(())
        }
    }
    let file = large(200);
    let mut capture = Capture::open(&file[..]).expect("a capture");
    examine_all(&mut capture, workers(2), None, &mut Meeting::default()).expect("it is read");
}

/// A sink that panics does not leave the other threads waiting.
#[test]
fn a_panic_gets_out() {
    #[derive(Clone)]
    struct Panics;
    impl Sink for Panics {
        fn verdict(&mut self, frame: &Frame<'_>, _: &Field, _: &Verdict) {
            assert!(frame.number < 5000, "on purpose");
        }
    }
    impl Collector for Panics {
        type Part = Panics;

        fn part(&self) -> Panics {
            Panics
        }

        fn take(&mut self, _: &mut Panics) -> io::Result<()> {
            Ok(())
        }
    }
    let file = large(200);
    for n in [1, 4] {
        let result = catch_unwind(AssertUnwindSafe(|| {
            let mut capture = Capture::open(&file[..]).expect("a capture");
            examine_all(&mut capture, workers(n), None, &mut Panics)
        }));
        assert!(result.is_err(), "{n} workers");
    }
}
