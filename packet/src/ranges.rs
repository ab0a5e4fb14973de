// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ranges of one capture, which many processes can read at the same time.
//!
//! A range begins where a chain of plausible records begins, or where the range before it ended:
//! whoever puts the ranges together compares the two. What other frames may change, the verdicts on
//! fragments and on bad checksums without an exact cause, is in the *waiting* frames. No range
//! reports them; their places are noted, so that one reading takes them all in the order of the
//! file.

use std::io::{self, Cursor, Read};
use std::mem;

pub use crate::capture::{Beginning, Header};
use crate::sink::Told;
use crate::{
    Capture, Chunk, Field, Flows, Frame, Needs, Obstacle, PlainFrame, Sink, Tally, Verdict,
    examine_up_to_fragment,
};

/// The bytes in which the beginning of a record is looked for, and the bytes of a file that
/// [`Beginning::of`] needs.
pub const WINDOW: u64 = 1 << 20;

/// Reports to a sink the frames that no other frame can change.
pub struct Alone<S> {
    sink: S,
    told: Vec<Told>,
    waits: bool,
}

impl<S: Sink> Alone<S> {
    /// Reports to this sink.
    pub fn new(sink: S) -> Alone<S> {
        Alone {
            sink,
            told: Vec::new(),
            waits: false,
        }
    }

    /// Examines a frame. Returns whether it is a waiting one, of which the sink was told nothing.
    pub fn examine(&mut self, frame: &Frame<'_>) -> bool {
        let fragment = examine_up_to_fragment(frame, self);
        let waits = mem::take(&mut self.waits) || fragment.is_some();
        for told in self.told.drain(..).filter(|_| !waits) {
            told.tell(frame, &mut self.sink);
        }
        waits
    }
}

impl<S: Sink> Sink for Alone<S> {
    fn frame(&mut self, _: &Frame<'_>) {
        self.told.push(Told::Frame);
    }

    fn verdict(&mut self, _: &Frame<'_>, field: &Field, verdict: &Verdict) {
        self.waits |= Flows::may_tell(field, verdict);
        self.told.push(Told::Verdict(field.clone(), *verdict));
    }

    fn needs(&self) -> Needs {
        self.sink.needs()
    }

    fn count(&mut self, frame: &PlainFrame<'_>) {
        self.sink.count(frame);
    }

    fn obstacle(&mut self, _: &Frame<'_>, obstacle: Obstacle) {
        self.told.push(Told::Obstacle(obstacle));
    }

    fn malformed(&mut self, _: &Frame<'_>, how: &'static str) {
        self.told.push(Told::Malformed(how));
    }
}

/// Records that lie together and have consecutive numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Run {
    /// The place of the first record in the file.
    pub start: u64,
    /// The length of all records.
    pub len: u64,
    /// The number of frames before the first one.
    pub before: u64,
    /// The number of frames.
    pub frames: u64,
}

/// Runs as bytes: each as four numbers in LEB128, the first and the third as the difference from
/// where the run before ended.
#[derive(Default)]
struct Runs {
    bytes: Vec<u8>,
    written: Run,
    run: Run,
}

impl Runs {
    fn push(&mut self, (start, len): (u64, u64), before: u64) {
        let run = &mut self.run;
        if run.frames == 0 || run.start + run.len != start || run.before + run.frames != before {
            self.write();
            self.run = Run {
                start,
                before,
                ..Run::default()
            };
        }
        self.run.len += len;
        self.run.frames += 1;
    }

    fn write(&mut self) {
        let (run, last) = (self.run, self.written);
        if run.frames == 0 {
            return;
        }
        let gap = run.start - (last.start + last.len);
        let passed = run.before - (last.before + last.frames);
        for mut number in [gap, run.len, passed, run.frames] {
            while number >= 0x80 {
                self.bytes.push(number as u8 | 0x80);
                number >>= 7;
            }
            self.bytes.push(number as u8);
        }
        self.written = run;
    }

    fn finish(mut self) -> Vec<u8> {
        self.write();
        self.bytes
    }
}

/// Returns the runs that the bytes of an [`Index`] hold.
pub fn runs(bytes: &[u8]) -> impl Iterator<Item = Run> {
    let mut bytes = bytes.iter();
    let mut last = Run::default();
    std::iter::from_fn(move || {
        let mut number = || {
            let mut number = 0;
            for shift in (0..64).step_by(7) {
                let byte = bytes.next()?;
                number |= u64::from(byte & 0x7f) << shift;
                if byte & 0x80 == 0 {
                    break;
                }
            }
            Some(number)
        };
        let [gap, len, passed, frames] = [number()?, number()?, number()?, number()?];
        last = Run {
            start: last.start + last.len + gap,
            len,
            before: last.before + last.frames + passed,
            frames,
        };
        Some(last)
    })
}

/// What a range of a capture is.
#[derive(Debug, PartialEq, Eq)]
pub struct Index {
    /// The place of the first record.
    pub begin: u64,
    /// The place after the last one.
    pub end: u64,
    /// Whether the capture ends there.
    pub ended: bool,
    /// The number of frames.
    pub frames: u64,
    /// The header of the next record. `None` if there are too many headers.
    pub header: Option<Vec<u8>>,
    /// For each stretch of waiting frames with the same header, that header and the [`runs`], in
    /// which frames are counted from the first one of the range.
    pub waiting: Vec<(Vec<u8>, Vec<u8>)>,
}

/// Finds out what a range is: the records from the first one at or after `start` to the first one
/// at or after `until`. If `known`, one begins at `start`. The reader has the bytes of the file
/// from `start` on, and `header` is the header of its first record. Returns `None` if no record is
/// found.
///
/// # Errors
/// If the reader fails.
pub fn index(
    mut reader: impl Read,
    header: &Header,
    start: u64,
    known: bool,
    until: u64,
) -> io::Result<Option<Index>> {
    let mut window = Vec::new();
    let mut begin = start;
    if !known {
        reader.by_ref().take(WINDOW).read_to_end(&mut window)?;
        let whole = (window.len() as u64) < WINDOW;
        let Some(at) = header.find(&window, start, whole) else {
            return Ok(None);
        };
        window.drain(..at);
        begin += at as u64;
    }
    examine_records(Cursor::new(window).chain(reader), header, begin, until).map(Some)
}

fn examine_records(
    reader: impl Read,
    header: &Header,
    begin: u64,
    until: u64,
) -> io::Result<Index> {
    let before = header.bytes().len() as u64; // what lies before the records in this reading
    let place = |offset: u64| begin + (offset - before);
    let mut capture = Capture::open(header.bytes().chain(reader)).map_err(io::Error::other)?;
    capture.limit(header, before.saturating_add(until.saturating_sub(begin)));
    let mut alone = Alone::new(None::<Tally>);
    let mut chunk = Chunk::default();
    let mut frames = 0;
    let mut waiting: Vec<(usize, Runs)> = Vec::new();
    while capture.next_chunk(&mut chunk)? {
        for (index, frame) in chunk.frames().enumerate() {
            frames += 1;
            if !alone.examine(&frame) {
                continue;
            }
            let (header, start, len) = chunk.record_of(index, capture.headers());
            if waiting.last().is_none_or(|&(last, _)| last != header) {
                waiting.push((header, Runs::default()));
            }
            if let Some((_, runs)) = waiting.last_mut() {
                runs.push((place(start), len), frames - 1);
            }
        }
    }
    let (end, ended) = capture.end_of_records();
    let headers = capture.headers();
    let waiting = waiting.into_iter();
    Ok(Index {
        begin,
        end: place(end),
        ended,
        frames,
        header: headers.last(),
        waiting: waiting
            .map(|(header, runs)| (headers.bytes(header).to_vec(), runs.finish()))
            .collect(),
    })
}
