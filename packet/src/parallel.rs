// SPDX-License-Identifier: MIT OR Apache-2.0
//! Examines one capture on all cores, with the results in the order of the file.
//!
//! There is no reading thread. A free worker locks the capture and reads the next chunk, examines
//! the chunk while its bytes are still in the cache, and hands on the result when the chunk's turn
//! has come. So each worker has one chunk and one result, whichever stage is the slowest, and no
//! queue can grow.

use std::error::Error;
use std::fmt;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

use crate::capture::Chunk;
use crate::sink::{Told, count_plain, examine_fragment, walk_up_to_fragment};
use crate::{
    Capture, Field, Flows, Fragment, Frame, Needs, Obstacle, PlainFrame, Reassembly, Sink, Verdict,
};

/// A sink for a capture that is examined on several cores. Each worker feeds a part of its own,
/// which does the expensive half of the work. The collector takes the contents of the parts in the
/// order of the file.
///
/// A pair of collectors is a collector that feeds both.
pub trait Collector {
    /// The part that a worker feeds with the verdicts on whole frames, in their order. A clone of
    /// an empty part is another empty part.
    type Part: Sink + Clone + Send;

    /// Makes an empty part. A worker uses the same part for many chunks.
    fn part(&self) -> Self::Part;

    /// Takes the contents of a part, and leaves the part empty. The calls are in the order of the
    /// file.
    ///
    /// # Errors
    /// Any error that should end the reading of the capture, such as a pipe whose reader is gone.
    fn take(&mut self, part: &mut Self::Part) -> io::Result<()>;

    /// Returns whether the order of the verdicts matters, as it does for lines but not for counts.
    /// If the order does not matter, reassembled datagrams are told after all frames of their
    /// chunk, which saves a part for each fragment.
    fn is_ordered(&self) -> bool {
        true
    }
}

impl<A: Collector, B: Collector> Collector for (A, B) {
    type Part = (A::Part, B::Part);

    fn part(&self) -> Self::Part {
        (self.0.part(), self.1.part())
    }

    fn take(&mut self, part: &mut Self::Part) -> io::Result<()> {
        self.0.take(&mut part.0)?;
        self.1.take(&mut part.1)
    }

    fn is_ordered(&self) -> bool {
        self.0.is_ordered() || self.1.is_ordered()
    }
}

impl<C: Collector> Collector for &mut C {
    type Part = C::Part;

    fn part(&self) -> Self::Part {
        (**self).part()
    }

    fn take(&mut self, part: &mut Self::Part) -> io::Result<()> {
        (**self).take(part)
    }

    fn is_ordered(&self) -> bool {
        (**self).is_ordered()
    }
}

/// An optional collector: `None` ignores everything.
impl<C: Collector> Collector for Option<C> {
    type Part = Option<C::Part>;

    fn part(&self) -> Self::Part {
        self.as_ref().map(C::part)
    }

    fn take(&mut self, part: &mut Self::Part) -> io::Result<()> {
        match (self, part) {
            (Some(collector), Some(part)) => collector.take(part),
            _ => Ok(()),
        }
    }

    fn is_ordered(&self) -> bool {
        self.as_ref().is_some_and(C::is_ordered)
    }
}

/// Why a capture was not examined to its end.
#[derive(Debug)]
pub enum ExamineError {
    /// Reading the capture failed. The collector has everything that was read before.
    Capture(io::Error),
    /// The collector failed.
    Collector(io::Error),
}

impl fmt::Display for ExamineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ExamineError::Capture(error) | ExamineError::Collector(error)) = self;
        error.fmt(f)
    }
}

impl Error for ExamineError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        let (ExamineError::Capture(error) | ExamineError::Collector(error)) = self;
        error.source() // the message is the message of the error itself
    }
}

/// Examines all frames that a capture still has, on at most `workers` threads, and reports to the
/// collector. The verdicts have the causes that [`Flows`] tell. With a reassembly, fragments are
/// put together; without one, each fragment is judged alone.
///
/// ```
/// use std::num::NonZeroUsize;
/// use wiresum_packet::{Capture, Protocol, Reassembly, Tally, examine_all};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/office.pcapng");
/// # /*
/// let path = "office.pcapng";
/// # */
/// let mut capture = Capture::open(std::fs::File::open(path)?)?;
/// let workers = std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
/// let mut tally = Tally::default();
/// examine_all(&mut capture, workers, Some(Reassembly::default()), &mut tally)?;
/// assert_eq!(tally.counts(Protocol::Tcp).bad, 122);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the capture cannot be read, or the collector fails.
pub fn examine_all<R: Read + Send, C: Collector + Send>(
    capture: &mut Capture<R>,
    workers: NonZeroUsize,
    mut reassembly: Option<Reassembly>,
    collector: &mut C,
) -> Result<(), ExamineError> {
    let mut flows = Flows::default();
    let (ordered, reassemble) = (collector.is_ordered(), reassembly.is_some());
    let examined = || Examined::new(collector.part(), ordered);
    let results = (0..workers.get()).map(|_| examined()).collect();
    let work = |chunk: &mut Chunk, examined: &mut Examined<C::Part>| {
        examined.chunk(chunk, reassemble);
    };
    in_order(capture, results, work, |chunk, examined| {
        for Piece { part, later, .. } in &mut examined.pieces[..examined.used] {
            for (index, later) in later.drain(..) {
                let frame = chunk.frame(index);
                let mut sink = flows.sink(part);
                match (later, &mut reassembly) {
                    (Later::Told(told), _) => told.tell(&frame, &mut sink),
                    (Later::Fragment(fragment), Some(reassembly)) => {
                        reassembly.push(&frame, &fragment, &mut sink);
                    }
                    (Later::Fragment(_), None) => {} // it was judged alone
                }
            }
            collector.take(part)?;
        }
        Ok(())
    })?;
    let Some(mut reassembly) = reassembly else {
        return Ok(());
    };
    let mut rest = collector.part();
    reassembly.finish(&mut flows.sink(&mut rest));
    collector.take(&mut rest).map_err(ExamineError::Collector)
}

/// The result of examining a chunk. Fragments, and verdicts of which [`Flows`] may tell more, wait
/// for the turn of the chunk. If the order matters, everything after them does so too, up to the
/// end of the piece.
struct Examined<P> {
    empty: P,
    ordered: bool,
    /// Pieces are used again for the next chunk. The first `used` ones are of this chunk.
    pieces: Vec<Piece<P>>,
    used: usize,
}

/// What a part was told, and what it will be told after that, each with the index of its frame.
struct Piece<P> {
    part: P,
    later: Vec<(usize, Later)>,
    /// The last frame of which something must wait, whether or not the order matters.
    last_to_wait: usize,
}

/// What a sink will be told, or a reassembly.
enum Later {
    Told(Told),
    Fragment(Fragment),
}

/// A piece ends where this number of frames in a row have nothing that must wait. A piece costs
/// about as much as so many frames that wait.
const QUIET: usize = 16;

impl<P: Sink + Clone> Examined<P> {
    fn new(empty: P, ordered: bool) -> Examined<P> {
        let first = Piece::new(empty.clone());
        Examined {
            empty,
            ordered,
            pieces: vec![first],
            used: 1,
        }
    }

    /// Examines the frames of the next chunk.
    fn chunk(&mut self, chunk: &Chunk, reassemble: bool) {
        self.used = 1;
        let mut index = 0;
        while index < chunk.len() {
            let mut sorter = Sorter {
                piece: &mut self.pieces[self.used - 1],
                index,
                ordered: self.ordered,
                all_waits: false,
            };
            index = sorter.frames(chunk, reassemble);
            if index < chunk.len() {
                self.used += 1;
                if self.pieces.len() < self.used {
                    self.pieces.push(Piece::new(self.empty.clone()));
                }
            }
        }
    }
}

impl<P> Piece<P> {
    fn new(part: P) -> Piece<P> {
        Piece {
            part,
            later: Vec::new(),
            last_to_wait: 0,
        }
    }
}

/// Reports to a part what no other frame can change, and lets the rest wait.
struct Sorter<'a, P> {
    piece: &'a mut Piece<P>,
    index: usize,
    ordered: bool,
    all_waits: bool,
}

impl<P: Sink> Sorter<'_, P> {
    /// Examines frames up to the end of the piece, and returns the index of the next frame.
    fn frames(&mut self, chunk: &Chunk, reassemble: bool) -> usize {
        while self.index < chunk.len()
            && !(self.all_waits && self.piece.last_to_wait + QUIET < self.index)
        {
            let index = self.index;
            if !count_plain(&chunk.captured(index), || chunk.frame(index).time, self) {
                self.walk(&chunk.frame(self.index), reassemble);
            }
            self.index += 1;
        }
        self.index
    }

    fn walk(&mut self, frame: &Frame<'_>, reassemble: bool) {
        match walk_up_to_fragment(frame, self) {
            Some(fragment) if reassemble => self.must_wait(Later::Fragment(fragment)),
            Some(fragment) => examine_fragment(frame, &fragment, self),
            None => {}
        }
    }

    fn wait(&mut self, told: Told) {
        self.piece.later.push((self.index, Later::Told(told)));
    }

    fn must_wait(&mut self, later: Later) {
        self.piece.later.push((self.index, later));
        self.piece.last_to_wait = self.index;
        self.all_waits = self.ordered;
    }
}

impl<P: Sink> Sink for Sorter<'_, P> {
    fn frame(&mut self, frame: &Frame<'_>) {
        match self.all_waits {
            true => self.wait(Told::Frame),
            false => self.piece.part.frame(frame),
        }
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        if Flows::may_tell(field, verdict) {
            self.must_wait(Later::Told(Told::Verdict(field.clone(), *verdict)));
        } else if self.all_waits {
            self.wait(Told::Verdict(field.clone(), *verdict));
        } else {
            self.piece.part.verdict(frame, field, verdict);
        }
    }

    fn needs(&self) -> Needs {
        match self.all_waits {
            true => Needs::Fields,
            false => self.piece.part.needs(),
        }
    }

    fn count(&mut self, frame: &PlainFrame<'_>) {
        self.piece.part.count(frame);
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        match self.all_waits {
            true => self.wait(Told::Obstacle(obstacle)),
            false => self.piece.part.obstacle(frame, obstacle),
        }
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        match self.all_waits {
            true => self.wait(Told::Malformed(how)),
            false => self.piece.part.malformed(frame, how),
        }
    }
}

/// Reads the chunks of a capture, calls `work` on each chunk, on one thread for each of the
/// `results`, and calls `take` with each chunk and its result, in the order of the file.
pub(crate) fn in_order<R: Read + Send, T: Send>(
    capture: &mut Capture<R>,
    results: Vec<T>,
    work: impl Fn(&mut Chunk, &mut T) + Sync,
    take: impl FnMut(&mut Chunk, &mut T) -> io::Result<()> + Send,
) -> Result<(), ExamineError> {
    let source = Mutex::new(Source {
        capture,
        chunks: 0,
        result: Ok(()),
        ended: false,
    });
    let line = Line {
        turn: Mutex::new(Turn {
            chunk: 0,
            take,
            result: Ok(()),
            over: false,
        }),
        changed: Condvar::new(),
    };
    let run = |mut result: T| {
        let _guard = EndWhenPanicking(&line);
        let mut chunk = Chunk::default();
        loop {
            // A `while let` would hold the lock until the end of its body.
            let next = lock(&source).next(&mut chunk);
            let Some(number) = next else {
                break;
            };
            work(&mut chunk, &mut result);
            if !line.take(number, &mut chunk, &mut result) {
                break;
            }
        }
    };
    thread::scope(|scope| {
        let run = &run;
        let mut results = results.into_iter();
        let mine = results.next();
        for result in results {
            scope.spawn(move || run(result));
        }
        mine.map(run);
    });
    let turn = line.turn.into_inner();
    let source = source.into_inner();
    let taken = turn.unwrap_or_else(PoisonError::into_inner).result;
    let read = source.unwrap_or_else(PoisonError::into_inner).result;
    taken.map_err(ExamineError::Collector)?;
    read.map_err(ExamineError::Capture)
}

/// The capture, and the number of the next chunk. The reading lock protects both.
struct Source<'a, R: Read> {
    capture: &'a mut Capture<R>,
    chunks: u64,
    result: io::Result<()>,
    ended: bool,
}

impl<R: Read> Source<'_, R> {
    /// Reads the next chunk, and returns its number.
    fn next(&mut self, chunk: &mut Chunk) -> Option<u64> {
        if self.ended {
            return None;
        }
        match self.capture.next_chunk(chunk) {
            Ok(true) => {
                self.chunks += 1;
                return Some(self.chunks - 1);
            }
            Ok(false) => {}
            // The chunks that were read before are still taken.
            Err(error) => self.result = Err(error),
        }
        self.ended = true;
        None
    }
}

/// The line in which workers wait until it is their chunk's turn.
struct Line<F> {
    turn: Mutex<Turn<F>>,
    changed: Condvar,
}

struct Turn<F> {
    /// The number of the chunk whose turn it is.
    chunk: u64,
    take: F,
    result: io::Result<()>,
    /// Whether the line has ended, so that `take` is not called again.
    over: bool,
}

impl<F> Line<F> {
    /// Waits for the turn of a chunk, and calls `take`. Returns false if `take` is not called any
    /// more.
    fn take<T>(&self, number: u64, chunk: &mut Chunk, result: &mut T) -> bool
    where
        F: FnMut(&mut Chunk, &mut T) -> io::Result<()>,
    {
        let others = |turn: &mut Turn<F>| turn.chunk != number && !turn.over;
        let turn = self.changed.wait_while(lock(&self.turn), others);
        let mut turn = turn.unwrap_or_else(PoisonError::into_inner);
        if turn.over {
            return false;
        }
        turn.result = (turn.take)(chunk, result);
        turn.over = turn.result.is_err();
        turn.chunk += 1;
        self.changed.notify_all();
        !turn.over
    }
}

/// If a worker panics, the other workers stop waiting and end; the panic goes on after that.
struct EndWhenPanicking<'a, F>(&'a Line<F>);

impl<F> Drop for EndWhenPanicking<'_, F> {
    fn drop(&mut self) {
        if thread::panicking() {
            lock(&self.0.turn).over = true;
            self.0.changed.notify_all();
        }
    }
}

/// Locks a mutex. A mutex is poisoned only while a panic ends the program, so poison is ignored.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
