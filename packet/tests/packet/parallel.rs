// SPDX-License-Identifier: MIT OR Apache-2.0
//! A capture on several threads gives the same verdicts, in the same order, as on one thread.

use std::collections::HashSet;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

use crate::common::{Words, large};
use wiresum_packet::{
    Capture, Collector, ExamineError, Field, Flows, Frame, Obstacle, Reassembly, Sink, Verdict,
    examine_all,
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
    }
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
