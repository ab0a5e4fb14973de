// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times the stages of `wiresum verify` on a capture, on one thread: `stages CAPTURE [ROUNDS]`.
//!
//! Each program of [`STAGES`] does what the program before it does, and one thing more. All of
//! them run in each round, and the least time of each counts. What a stage takes is the
//! difference between its program and the one before. The output is JSON: for each stage its name
//! and the CPU seconds of its program.

use std::error::Error;
use std::fs::{self, File};
use std::hint::black_box;
use std::io::Read;
use std::num::NonZeroUsize;

use wiresum::Sum;
use wiresum_packet::{
    Capture, Chunk, Field, Found, Frame, Obstacle, Reassembly, Sink, Tally, Verdict, examine,
    examine_all, judge_frame, walk,
};

type Failure = Box<dyn Error>;
type Stage = (&'static str, fn(&str) -> Result<(), Failure>);

const STAGES: [Stage; 8] = [
    ("read", read),
    ("frames", |path| frames(path, |_| ())),
    ("walk", |path| {
        fields(path, |_, field| {
            black_box(field);
        })
    }),
    ("sum", |path| fields(path, sum)),
    ("judge", |path| {
        fields(path, |frame, field| {
            black_box(judge_frame(frame, field));
        })
    }),
    ("tally", |path| {
        let mut tally = EachField::default();
        frames(path, |frame| examine(frame, &mut tally))?;
        black_box(&tally.0);
        Ok(())
    }),
    ("short way", |path| {
        let mut tally = Tally::default();
        frames(path, |frame| examine(frame, &mut tally))?;
        black_box(&tally);
        Ok(())
    }),
    ("order, fragments", whole),
];

fn main() -> Result<(), Failure> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("a capture is missing")?;
    let rounds: usize = words.next().map_or(Ok(5), |word| word.parse())?;
    let mut least = [u64::MAX; STAGES.len()];
    for _ in 0..rounds {
        for (least, (_, run)) in least.iter_mut().zip(STAGES) {
            let start = nanoseconds()?;
            run(&path)?;
            *least = (*least).min(nanoseconds()? - start);
        }
    }
    let rows = STAGES.iter().zip(least);
    let rows = rows.map(|((name, _), least)| format!("[\"{name}\", {:.4}]", least as f64 / 1e9));
    println!("[{}]", rows.collect::<Vec<_>>().join(", "));
    Ok(())
}

/// Returns the nanoseconds that this thread has run.
fn nanoseconds() -> Result<u64, Failure> {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat")?;
    let first = statistics.split(' ').next().ok_or("no statistics")?;
    Ok(first.parse()?)
}

/// Reads the file in blocks of the size that a capture reads.
fn read(path: &str) -> Result<(), Failure> {
    let (mut file, mut block) = (File::open(path)?, vec![0; 256 << 10]);
    while file.read(&mut block)? > 0 {
        black_box(&block);
    }
    Ok(())
}

/// Finds the frames.
fn frames(path: &str, mut each: impl FnMut(&Frame<'_>)) -> Result<(), Failure> {
    let mut capture = Capture::open(File::open(path)?)?;
    let mut chunk = Chunk::default();
    while capture.next_chunk(&mut chunk)? {
        for frame in chunk.frames() {
            each(black_box(&frame));
        }
    }
    Ok(())
}

/// Walks the frames, with the payload of each fragment alone.
fn fields(path: &str, mut each: impl FnMut(&Frame<'_>, &Field)) -> Result<(), Failure> {
    frames(path, |frame| {
        let mut fragment = None;
        let mut found = |found: Found<'_>| match found {
            Found::Field(field) => each(frame, field),
            Found::Fragment(found) => fragment = Some(found),
            _ => {}
        };
        walk(frame, &mut found);
    })
}

/// Sums what a field covers.
fn sum(frame: &Frame<'_>, field: &Field) {
    if let Some(covered) = frame.data.get(field.covers.clone()) {
        black_box(Sum::of(covered));
    }
}

/// A tally that is told of every field.
#[derive(Default)]
struct EachField(Tally);

impl Sink for EachField {
    fn frame(&mut self, frame: &Frame<'_>) {
        self.0.frame(frame);
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        self.0.verdict(frame, field, verdict);
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        self.0.obstacle(frame, obstacle);
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        Sink::malformed(&mut self.0, frame, how);
    }
}

/// Does what `wiresum verify` does, on one thread.
fn whole(path: &str) -> Result<(), Failure> {
    let mut capture = Capture::open(File::open(path)?)?;
    let mut tally = Tally::default();
    let reassembly = Some(Reassembly::default());
    examine_all(&mut capture, NonZeroUsize::MIN, reassembly, &mut tally)?;
    black_box(&tally);
    Ok(())
}
