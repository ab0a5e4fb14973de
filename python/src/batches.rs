// SPDX-License-Identifier: MIT OR Apache-2.0
//! The class `Batches`: the checksums of a capture, or its packets, as a stream of Arrow batches.
//!
//! The checksums of a capture come from threads of their own, which work on all cores and wait
//! while two batches are not taken. Its packets are read when they are asked for. So memory is
//! bounded.

use std::io;
use std::num::NonZeroUsize;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use arrow_array::builder::{
    BinaryBuilder, TimestampNanosecondBuilder, UInt32Builder, UInt64Builder,
};
use arrow_array::ffi::FFI_ArrowSchema;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef, TimeUnit};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyTuple};
use wiresum_cli::verify::columns::{Columns, Rows, nanoseconds};
use wiresum_packet::{Capture, Chunk, Collector, Reassembly, examine_all};

use crate::capture::{Progress, threads};
use crate::import::refused;
use crate::source::{Meter, Reader, Shared, Source};
use crate::value::value;
use crate::wait::{PAUSE, interrupt_again, panicked, waiting};

/// An Arrow stream that any library can take by the Arrow PyCapsule interface:
/// pyarrow.table(batches), polars.DataFrame(batches), or the name of the variable in a query of
/// DuckDB.
///
/// Each taking reads the capture from its beginning.
#[pyclass(frozen, module = "wiresum")]
pub(crate) struct Batches {
    source: Arc<Source>,
    what: What,
    progress: Option<Py<PyAny>>,
}

#[derive(Clone, Copy)]
enum What {
    Checksums {
        reassemble: bool,
        workers: NonZeroUsize,
    },
    Packets,
}

/// read(capture, reassemble, jobs, progress)
#[pyfunction]
pub(crate) fn read(
    py: Python<'_>,
    source: &Shared,
    reassemble: bool,
    jobs: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Batches> {
    let workers = threads(jobs)?.threads();
    Batches::new(
        py,
        source,
        What::Checksums {
            reassemble,
            workers,
        },
        progress,
    )
}

/// packets(capture, progress)
#[pyfunction]
pub(crate) fn packets(
    py: Python<'_>,
    source: &Shared,
    progress: Option<Py<PyAny>>,
) -> PyResult<Batches> {
    Batches::new(py, source, What::Packets, progress)
}

impl Batches {
    /// Refuses now what is no capture, except where a file object can be read only once.
    fn new(
        py: Python<'_>,
        source: &Shared,
        what: What,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Batches> {
        let source = Arc::clone(&source.0);
        if source.can_open_again() {
            source.open(py)?;
        }
        Ok(Batches {
            source,
            what,
            progress,
        })
    }

    fn schema(&self) -> SchemaRef {
        match self.what {
            What::Checksums { .. } => Columns::new().schema(),
            What::Packets => packet_schema(),
        }
    }

    fn run(&self, py: Python<'_>) -> PyResult<Run> {
        let is_live = !self.source.can_open_again();
        let (capture, meter) = self.source.open(py)?;
        let feed = match self.what {
            What::Checksums {
                reassemble,
                workers,
            } => {
                let name = self.source.name(py).unwrap_or_default();
                Feed::Checksums(examine(capture, &name, reassemble, workers, is_live)?)
            }
            What::Packets => Feed::Packets(Some(Box::new(Packets {
                capture,
                chunk: Chunk::default(),
                next: 0,
                is_live,
            }))),
        };
        Ok(Run {
            schema: self.schema(),
            feed,
            source: Arc::clone(&self.source),
            meter,
            progress: Progress::new(self.progress.as_ref().map(|call| call.clone_ref(py))),
            ended: false,
        })
    }
}

#[pymethods]
impl Batches {
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.schema()).map_err(refused)?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }

    /// The types are what they are, whatever types are requested, as the interface allows.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema;
        let stream = FFI_ArrowArrayStream::new(Box::new(self.run(py)?));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The names of the columns.
    #[getter]
    fn columns(&self) -> Vec<String> {
        let schema = self.schema();
        schema
            .fields()
            .iter()
            .map(|field| field.name().clone())
            .collect()
    }

    /// Reads the capture from its beginning.
    fn start(&self, py: Python<'_>) -> PyResult<Cursor> {
        Ok(Cursor(Mutex::new(self.run(py)?)))
    }
}

/// Gives the rows of one batch after the other to Python.
#[pyclass(frozen)]
pub(crate) struct Cursor(Mutex<Run>);

#[pymethods]
impl Cursor {
    fn next_rows<'py>(&self, py: Python<'py>) -> PyResult<Option<Vec<Bound<'py, PyTuple>>>> {
        let batch = match self.0.try_lock() {
            Ok(mut run) => run.next_batch(py)?,
            Err(_) => {
                return Err(PyRuntimeError::new_err(
                    "another thread takes rows of the same iterator; give each thread its own",
                ));
            }
        };
        let Some(batch) = batch else {
            return Ok(None);
        };
        let row = |index| {
            let values = batch
                .columns()
                .iter()
                .map(|column| value(py, &**column, index));
            PyTuple::new(py, values.collect::<PyResult<Vec<_>>>()?)
        };
        (0..batch.num_rows())
            .map(row)
            .collect::<PyResult<_>>()
            .map(Some)
    }
}

/// One reading of a capture.
struct Run {
    schema: SchemaRef,
    feed: Feed,
    source: Arc<Source>,
    meter: Arc<Meter>,
    progress: Progress,
    ended: bool,
}

impl Run {
    /// The next batch. Handles signals, and reports the progress, while it waits.
    fn next_batch(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        if self.ended {
            return Ok(None);
        }
        let batch = self.wait(py);
        self.ended = !matches!(batch, Ok(Some(_)));
        if let Ok(None) = batch {
            self.progress.tell(py, &self.meter, true)?;
        }
        batch
    }

    fn wait(&mut self, py: Python<'_>) -> PyResult<Option<RecordBatch>> {
        loop {
            py.check_signals()?;
            self.progress.tell(py, &self.meter, false)?;
            let feed = &mut self.feed;
            let next = match feed {
                Feed::Packets(packets) if packets.as_ref().is_some_and(|it| it.is_live) => {
                    let mut taken = packets.take();
                    let (next, back) = waiting(py, move || {
                        let next = taken.as_mut().map(|packets| packets.next());
                        (next.unwrap_or(Ok(None)), taken)
                    })?;
                    *packets = back;
                    Next::of(next)
                }
                _ => py.detach(|| feed.next()),
            };
            match next {
                Next::Batch(batch) => return Ok(Some(batch)),
                Next::Wait => {}
                Next::End => return Ok(None),
                Next::Panicked => return Err(panicked()),
                Next::Failed(error) => {
                    return Err(self.source.error(py, &self.meter, &error.to_string()));
                }
            }
        }
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        self.meter.stop(); // the threads that examine the capture end
    }
}

/// For the consumers of the Arrow stream, which know errors as text.
impl Iterator for Run {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = Python::try_attach(|py| {
            self.next_batch(py).map_err(|error| {
                let text = error.value(py).to_string().replace('\0', "\\0");
                if error.is_instance_of::<PyKeyboardInterrupt>(py) {
                    // The consumer raises an exception of its own; then Python raises this one.
                    interrupt_again(py);
                }
                ArrowError::ExternalError(text.into())
            })
        });
        let gone = || ArrowError::ExternalError("the interpreter has ended".into());
        batch.unwrap_or_else(|| Err(gone())).transpose()
    }
}

impl RecordBatchReader for Run {
    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }
}

enum Next {
    Batch(RecordBatch),
    Wait,
    End,
    Failed(io::Error),
    Panicked,
}

impl Next {
    fn of(sent: Sent) -> Next {
        match sent {
            Ok(Some(batch)) => Next::Batch(batch),
            Ok(None) => Next::End,
            Err(error) => Next::Failed(error),
        }
    }
}

/// What the thread that examines a capture sends: batches, and None at the end.
type Sent = io::Result<Option<RecordBatch>>;

enum Feed {
    Checksums(Mutex<Receiver<Sent>>),
    /// None while another thread reads them, and after ctrl-C has ended that.
    Packets(Option<Box<Packets>>),
}

impl Feed {
    fn next(&mut self) -> Next {
        let next = match self {
            Feed::Packets(packets) => packets.as_mut().map_or(Ok(None), |it| it.next()),
            Feed::Checksums(batches) => {
                let batches = batches.get_mut().unwrap_or_else(PoisonError::into_inner);
                match batches.recv_timeout(PAUSE) {
                    Ok(batch) => batch,
                    Err(RecvTimeoutError::Timeout) => return Next::Wait,
                    Err(RecvTimeoutError::Disconnected) => return Next::Panicked,
                }
            }
        };
        Next::of(next)
    }
}

/// The batches that may wait for the one who takes them.
const WAITING: usize = 2;

/// Examines a capture on threads of its own, which end when nobody takes batches any more.
fn examine(
    mut capture: Capture<Reader>,
    name: &str,
    reassemble: bool,
    workers: NonZeroUsize,
    is_live: bool,
) -> io::Result<Mutex<Receiver<Sent>>> {
    let (batches, takes) = mpsc::sync_channel(WAITING);
    let mut columns = Columns::new();
    columns.begin(name);
    thread::Builder::new().spawn(move || {
        let mut sender = Sender {
            batches,
            columns,
            is_live,
        };
        let reassembly = reassemble.then(Reassembly::default);
        let examined = examine_all(&mut capture, workers, reassembly, &mut sender);
        let Sender {
            batches,
            mut columns,
            ..
        } = sender;
        let last = columns.finish().map_err(io::Error::other);
        let rows = last.as_ref().map_or(1, RecordBatch::num_rows);
        // Nobody may be there to take these.
        if rows > 0 {
            let _ = batches.send(last.map(Some));
        }
        let ended = examined.map_err(|error| io::Error::other(error.to_string()));
        let _ = batches.send(ended.map(|()| None));
    })?;
    Ok(Mutex::new(takes))
}

struct Sender {
    batches: SyncSender<Sent>,
    columns: Columns,
    /// Whether rows are sent as soon as they are there, because the next may take long to come.
    is_live: bool,
}

impl Collector for Sender {
    type Part = Rows;

    fn part(&self) -> Rows {
        Rows::default()
    }

    fn take(&mut self, part: &mut Rows) -> io::Result<()> {
        let Sender {
            batches,
            columns,
            is_live,
        } = self;
        let send = |batch| batches.send(Ok(Some(batch))).map_err(Taken::from);
        let mut taken = columns.take(part, send);
        if *is_live && taken.is_ok() {
            taken = match columns.finish() {
                Ok(rows) if rows.num_rows() == 0 => Ok(()),
                Ok(rows) => send(rows),
                Err(error) => Err(error.into()),
            };
        }
        taken.map_err(|error| match error {
            Taken::Arrow(error) => io::Error::other(error),
            Taken::Gone => io::ErrorKind::BrokenPipe.into(),
        })
    }
}

/// Why a batch could not be handed on.
enum Taken {
    Arrow(ArrowError),
    Gone,
}

impl From<ArrowError> for Taken {
    fn from(error: ArrowError) -> Taken {
        Taken::Arrow(error)
    }
}

impl<T> From<mpsc::SendError<T>> for Taken {
    fn from(_: mpsc::SendError<T>) -> Taken {
        Taken::Gone
    }
}

/// The packets of a batch, at most, and the bytes after which a batch ends.
const PACKETS: usize = 64 << 10;
const BYTES: usize = 4 << 20;

struct Packets {
    capture: Capture<Reader>,
    chunk: Chunk,
    /// The index in the chunk of the next frame.
    next: usize,
    /// Whether packets are given as soon as they are there.
    is_live: bool,
}

impl Packets {
    fn next(&mut self) -> io::Result<Option<RecordBatch>> {
        let mut frame = UInt64Builder::new();
        let mut time = TimestampNanosecondBuilder::new().with_timezone("UTC");
        let mut link_type = UInt32Builder::new();
        let mut captured = UInt32Builder::new();
        let mut original = UInt32Builder::new();
        let mut flags = UInt32Builder::new();
        let mut data = BinaryBuilder::new();
        while data.values_slice().len() < BYTES && frame.values_slice().len() < PACKETS {
            if self.next == self.chunk.len() {
                if self.is_live && !frame.values_slice().is_empty() {
                    break;
                }
                self.next = 0;
                if !self.capture.next_chunk(&mut self.chunk)? {
                    break;
                }
                continue;
            }
            let packet = self.chunk.frame(self.next);
            self.next += 1;
            frame.append_value(packet.number);
            time.append_option(packet.time.and_then(nanoseconds));
            link_type.append_value(packet.link_type.0);
            captured.append_value(packet.data.len() as u32); // a record has 16 MiB at most
            original.append_value(u32::try_from(packet.original_len).unwrap_or(u32::MAX));
            flags.append_option(packet.flags.map(|flags| flags.value));
            data.append_value(packet.data);
        }
        if frame.values_slice().is_empty() {
            return Ok(None);
        }
        let columns: Vec<ArrayRef> = vec![
            Arc::new(frame.finish()),
            Arc::new(time.finish()),
            Arc::new(link_type.finish()),
            Arc::new(captured.finish()),
            Arc::new(original.finish()),
            Arc::new(flags.finish()),
            Arc::new(data.finish()),
        ];
        let batch = RecordBatch::try_new(packet_schema(), columns);
        batch.map(Some).map_err(io::Error::other)
    }
}

fn packet_schema() -> SchemaRef {
    let time = DataType::Timestamp(TimeUnit::Nanosecond, Some("UTC".into()));
    Arc::new(Schema::new(vec![
        Field::new("frame", DataType::UInt64, false),
        Field::new("time", time, true),
        Field::new("link_type", DataType::UInt32, false),
        Field::new("captured_length", DataType::UInt32, false),
        Field::new("original_length", DataType::UInt32, false),
        Field::new("flags", DataType::UInt32, true),
        Field::new("data", DataType::Binary, false),
    ]))
}
