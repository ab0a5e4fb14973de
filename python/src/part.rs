// SPDX-License-Identifier: MIT OR Apache-2.0
//! The class `Part`: the checksums of a part of a capture, and their counts. A whole capture is a
//! part; so is a range of its records, without the waiting frames; and so are these frames alone.
//!
//! A part is read on one thread, because engines read many parts at once.

use std::collections::VecDeque;
use std::io::{self, Cursor, Read as _};
use std::sync::{Arc, Mutex, PoisonError};
use std::vec;

use arrow_array::builder::{Int64Builder, StringBuilder};
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray};
use arrow_schema::{ArrowError, Field};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use wiresum_cli::verify::columns::{Columns, Rows};
use wiresum_packet::capture::Malformed;
use wiresum_packet::ranges::{self, Alone, Run};
use wiresum_packet::{Capture, Chunk, Flows, Frame, OpenError, Origin, Reassembly, Tally};

use crate::column::Column;
use crate::import::refused;
use crate::source::{Meter, Reader, Shared, Source};

/// A reading of a part. `next()` gives its batches.
#[pyclass(frozen)]
pub(crate) struct Part(Mutex<Work>);

#[pymethods]
impl Part {
    /// A whole capture.
    #[staticmethod]
    fn whole(name: String, source: &Shared, columns: Option<Vec<String>>) -> PyResult<Part> {
        let stretch = Stretch {
            source: Arc::clone(&source.0),
            header: Vec::new(),
            frames: Numbers::Run(Run::default()),
        };
        Part::new(name, vec![stretch], Judge::together(), columns.as_deref())
    }

    /// A range of records, which begins at `start`, without the waiting frames. `header` is the
    /// header of the first record, and `before` the number of frames before it.
    #[staticmethod]
    fn range(
        name: String,
        source: &Shared,
        header: Vec<u8>,
        start: u64,
        before: u64,
        columns: Option<Vec<String>>,
    ) -> PyResult<Part> {
        let run = Run {
            start,
            before,
            ..Run::default()
        };
        let stretch = Stretch {
            source: Arc::clone(&source.0),
            header,
            frames: Numbers::Run(run),
        };
        Part::new(name, vec![stretch], Judge::Alone, columns.as_deref())
    }

    /// The waiting frames of all ranges: for each stretch of them, a source that has their records
    /// alone, the header, the runs, and the number of frames before the range.
    #[staticmethod]
    #[allow(clippy::type_complexity)]
    fn waiting(
        name: String,
        stretches: Vec<(PyRef<'_, Shared>, Vec<u8>, Vec<u8>, u64)>,
        columns: Option<Vec<String>>,
    ) -> PyResult<Part> {
        let stretches = stretches.into_iter().map(|(source, header, runs, before)| {
            let runs = ranges::runs(&runs).map(|run| Run {
                before: before + run.before,
                ..run
            });
            Stretch {
                source: Arc::clone(&source.0),
                header,
                frames: Numbers::Runs(runs.collect()),
            }
        });
        Part::new(
            name,
            stretches.collect(),
            Judge::together(),
            columns.as_deref(),
        )
    }

    /// The next batch, or None at the end.
    fn next(&self, py: Python<'_>) -> PyResult<Option<Column>> {
        let Ok(mut work) = self.0.try_lock() else {
            return Err(PyRuntimeError::new_err("another thread reads this part"));
        };
        loop {
            if let Some(batch) = work.ready.pop_front() {
                return Ok(Some(Column::new(Arc::new(StructArray::from(batch)))));
            }
            if work.ended {
                return work.raised.take().map_or(Ok(None), Err);
            }
            py.check_signals()?;
            work.go_on(py)?;
        }
    }

    /// The counts as JSON. None if the part was not read to its end.
    fn counts(&self) -> PyResult<Option<String>> {
        let work = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if !work.ended || work.error.is_some() {
            return Ok(None);
        }
        wiresum_cli::verify::counts(&work.name, &work.tally)
            .map(Some)
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    /// Why the part was not read to its end, in the words of the program.
    #[getter]
    fn error(&self) -> Option<String> {
        let work = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        work.error.clone()
    }

    /// Why the capture does not come to its end: the error, or damage of its compressed data. The
    /// counts have what came before such damage.
    #[getter]
    fn problem(&self) -> Option<String> {
        let work = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let damage = work.damage.as_ref();
        let damage = damage.map(|what| format!("the compressed data are damaged: {what}"));
        work.error.clone().or(damage)
    }
}

/// The index of a part, and the exception that ended its reading or the words of the program.
type Problem = (usize, Py<PyAny>);

/// The counts of parts as the rows of one table, and the problems of parts.
#[pyfunction]
pub(crate) fn count(py: Python<'_>, parts: Vec<Py<Part>>) -> PyResult<(Column, Vec<Problem>)> {
    let mut file = StringBuilder::new();
    let mut what = StringBuilder::new();
    let mut protocol = StringBuilder::new();
    let mut name = StringBuilder::new();
    let mut n = Int64Builder::new();
    let mut problems = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let part = part.get();
        let read = loop {
            match part.next(py) {
                Ok(None) => break Ok(()),
                Ok(Some(_)) => {}
                Err(error) => break Err(error),
            }
        };
        if let Err(error) = read {
            if !error.is_instance_of::<PyOSError>(py) {
                return Err(error);
            }
            problems.push((index, error.into_value(py).into_any()));
            continue;
        }
        if let Some(words) = part.problem() {
            problems.push((index, words.into_pyobject(py)?.into_any().unbind()));
        }
        let work = part.0.lock().unwrap_or_else(PoisonError::into_inner);
        if work.error.is_some() {
            continue;
        }
        let counts = wiresum_cli::verify::count_rows(&work.tally);
        for count in counts.map_err(|error| PyRuntimeError::new_err(error.to_string()))? {
            file.append_value(&work.name);
            what.append_value(count.what);
            protocol.append_option(count.protocol);
            name.append_option(count.name);
            n.append_value(i64::try_from(count.n).unwrap_or(i64::MAX));
        }
    }
    let columns: [(&str, bool, ArrayRef); 5] = [
        ("file", false, Arc::new(file.finish())),
        ("what", false, Arc::new(what.finish())),
        ("protocol", true, Arc::new(protocol.finish())),
        ("name", true, Arc::new(name.finish())),
        ("n", false, Arc::new(n.finish())),
    ];
    let columns = columns.map(|(name, nullable, array)| {
        let field = Field::new(name, array.data_type().clone(), nullable);
        (Arc::new(field), array)
    });
    let rows = StructArray::from(columns.to_vec());
    Ok((Column::new(Arc::new(rows)), problems))
}

/// Records of a capture that have the same header.
struct Stretch {
    source: Arc<Source>,
    /// Empty for a whole capture, which has its own.
    header: Vec<u8>,
    frames: Numbers,
}

/// The numbers and the places of frames.
enum Numbers {
    /// All from a place on.
    Run(Run),
    Runs(VecDeque<Run>),
}

struct Work {
    name: String,
    stretches: vec::IntoIter<Stretch>,
    open: Option<Open>,
    judge: Judge,
    columns: Columns,
    /// None if only the counts are wanted.
    rows: Option<Rows>,
    tally: Tally,
    ready: VecDeque<RecordBatch>,
    ended: bool,
    error: Option<String>,
    damage: Option<String>,
    /// What a file object raised. It comes after the rows of what was read before.
    raised: Option<PyErr>,
}

/// What a frame is judged with.
enum Judge {
    /// Nothing: what other frames may change is left out.
    Alone,
    /// All frames before it.
    Together(Box<(Reassembly, Flows)>),
}

impl Judge {
    fn together() -> Judge {
        Judge::Together(Box::default())
    }
}

/// A stretch that is being read.
struct Open {
    meter: Arc<Meter>,
    capture: Capture<io::Chain<Cursor<Vec<u8>>, Reader>>,
    chunk: Chunk,
    places: Places,
    /// What a reading of the header alone counts as malformed.
    malformed: Malformed,
}

/// Says the number of a frame, and its place in the file.
struct Places {
    frames: Numbers,
    /// The place in this reading at which the current run begins.
    start: u64,
    /// How many frames of the current run were seen.
    seen: u64,
}

impl Places {
    /// The frame as a reading of the whole file would tell it.
    fn of<'a>(&mut self, frame: &Frame<'a>) -> Frame<'a> {
        let run = match &mut self.frames {
            Numbers::Run(run) => *run,
            Numbers::Runs(runs) => {
                while let Some(run) = runs.front().filter(|run| run.frames == self.seen) {
                    self.start += run.len;
                    self.seen = 0;
                    runs.pop_front();
                }
                runs.front().copied().unwrap_or_default()
            }
        };
        self.seen += 1;
        let position = match frame.origin {
            Origin::Record { position } => position,
            Origin::Datagram { .. } => None,
        };
        Frame {
            number: run.before + self.seen,
            origin: Origin::Record {
                position: position.map(|position| position - self.start + run.start),
            },
            ..*frame
        }
    }
}

impl Part {
    /// A part that makes these columns, or none at all.
    fn new(
        name: String,
        stretches: Vec<Stretch>,
        judge: Judge,
        columns: Option<&[String]>,
    ) -> PyResult<Part> {
        let are_wanted = columns.is_some();
        let mut columns = Columns::only(columns.unwrap_or_default()).map_err(refused)?;
        columns.begin(&name);
        let rows = are_wanted.then(|| columns.rows());
        Ok(Part(Mutex::new(Work {
            name,
            stretches: stretches.into_iter(),
            open: None,
            judge,
            columns,
            rows,
            tally: Tally::default(),
            ready: VecDeque::new(),
            ended: false,
            error: None,
            damage: None,
            raised: None,
        })))
    }
}

impl Work {
    /// Opens the next stretch, or reads on in the one that is open, or ends.
    fn go_on(&mut self, py: Python<'_>) -> PyResult<()> {
        let Some(mut open) = self.open.take() else {
            let Some(stretch) = self.stretches.next() else {
                return py.detach(|| self.end()).map_err(refused);
            };
            return self.begin(py, stretch);
        };
        match py.detach(|| self.read(&mut open)) {
            Ok(true) => self.open = Some(open),
            Ok(false) => {
                self.damage = open.capture.damage().map(ToString::to_string);
                let mut malformed = open.capture.malformed().clone();
                for (how, n) in &open.malformed {
                    if let Some(count) = malformed.get_mut(how) {
                        *count -= n;
                    }
                }
                malformed.retain(|_, n| *n > 0);
                self.tally.add_malformed(&malformed);
            }
            Err(error) => self.fail(open.meter.raised(), error.to_string())?,
        }
        Ok(())
    }

    fn begin(&mut self, py: Python<'_>, stretch: Stretch) -> PyResult<()> {
        let Stretch {
            source,
            header,
            frames,
        } = stretch;
        let (reader, meter) = source.metered(py)?;
        let before = header.len() as u64;
        let opened = py.detach(|| {
            let mut malformed = Malformed::new();
            if !header.is_empty() {
                let mut alone = Capture::open(&header[..])?;
                while alone.next_frame().map_err(OpenError::Io)?.is_some() {}
                malformed.clone_from(alone.malformed());
            }
            let capture = Capture::open(Cursor::new(header).chain(reader))?;
            Ok::<_, OpenError>((capture, malformed))
        });
        match opened {
            Ok((capture, malformed)) => {
                self.open = Some(Open {
                    meter,
                    capture,
                    chunk: Chunk::default(),
                    places: Places {
                        frames,
                        start: before,
                        seen: 0,
                    },
                    malformed,
                });
                Ok(())
            }
            Err(error) => self.fail(meter.raised(), source.advice(error)),
        }
    }

    /// Examines the next frames of a stretch. Returns whether there are more.
    fn read(&mut self, open: &mut Open) -> io::Result<bool> {
        if !open.capture.next_chunk(&mut open.chunk)? {
            return Ok(false);
        }
        let frames = open.chunk.frames().map(|frame| open.places.of(&frame));
        let mut sink = (&mut self.tally, &mut self.rows);
        match &mut self.judge {
            Judge::Alone => {
                let mut alone = Alone::new(sink);
                frames.for_each(|frame| _ = alone.examine(&frame));
            }
            Judge::Together(with) => {
                let (reassembly, flows) = &mut **with;
                let mut sink = flows.sink(&mut sink);
                frames.for_each(|frame| reassembly.examine(&frame, &mut sink));
            }
        }
        self.hand_on().map_err(io::Error::other)?;
        Ok(true)
    }

    /// Makes batches of the rows that fill them.
    fn hand_on(&mut self) -> Result<(), ArrowError> {
        let Work {
            columns,
            rows,
            ready,
            ..
        } = self;
        let Some(rows) = rows else { return Ok(()) };
        columns.take(rows, |batch| {
            ready.push_back(batch);
            Ok(())
        })
    }

    fn end(&mut self) -> Result<(), ArrowError> {
        self.ended = true;
        if self.error.is_none()
            && let Judge::Together(with) = &mut self.judge
        {
            let (reassembly, flows) = &mut **with;
            let mut sink = (&mut self.tally, &mut self.rows);
            reassembly.finish(&mut flows.sink(&mut sink));
        }
        self.hand_on()?;
        let last = self.columns.finish()?;
        if last.num_rows() > 0 {
            self.ready.push_back(last);
        }
        Ok(())
    }

    /// Ends the part early, with what a file object raised, or with the words of the program.
    fn fail(&mut self, raised: Option<PyErr>, error: String) -> PyResult<()> {
        self.error = Some(error);
        self.raised = raised;
        self.stretches = Vec::new().into_iter();
        self.end().map_err(refused)
    }
}
