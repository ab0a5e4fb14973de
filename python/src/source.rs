// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where a capture comes from: a path, bytes in memory, or a file object.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::vec;

use pyo3::exceptions::{PyIsADirectoryError, PyOSError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyType};
use wiresum_packet::{Capture, OpenError};

use crate::buffer::Data;
use crate::wait::waiting;

/// A capture, which several readings share.
#[pyclass(frozen, name = "Source")]
pub(crate) struct Shared(pub(crate) Arc<Source>);

#[pymethods]
impl Shared {
    #[new]
    fn new(capture: &Bound<'_, PyAny>) -> PyResult<Shared> {
        Ok(Shared(Arc::new(Source::of(capture)?)))
    }

    /// Stretches of a file, one after the other: each from a place up to another one.
    #[staticmethod]
    fn stretches(path: PathBuf, stretches: Vec<(u64, u64)>) -> Shared {
        Shared(Arc::new(Source::Stretches(path, stretches)))
    }
}

pub(crate) enum Source {
    /// A path, and whether it is a pipe that was opened already.
    Path(PathBuf, AtomicBool),
    Stretches(PathBuf, Vec<(u64, u64)>),
    Bytes(Arc<Data>),
    File(FileObject),
}

/// A Python object with the method `read`.
pub(crate) struct FileObject {
    object: Py<PyAny>,
    /// Where the capture begins. `None` if the object cannot seek.
    start: Option<u64>,
    /// Its method that reads: read1 of a buffered pipe, which gives what is there.
    method: &'static str,
    opened: AtomicBool,
}

/// What reads a capture.
pub(crate) type Reader = Metered<Box<dyn Read + Send>>;

impl Source {
    fn of(object: &Bound<'_, PyAny>) -> PyResult<Source> {
        if let Ok(path) = object.extract::<PathBuf>() {
            return Ok(Source::Path(path, AtomicBool::new(false)));
        }
        let no_bytes = match Data::of(object) {
            Ok(data) => return Ok(Source::Bytes(Arc::new(data))),
            Err(error) => error,
        };
        if object.hasattr("read")? {
            let seekable = || object.call_method0("seekable")?.is_truthy();
            let start = match seekable().unwrap_or(false) {
                true => Some(object.call_method0("tell")?.extract()?),
                false => None,
            };
            let method = match start.is_none() && object.hasattr("read1")? {
                true => "read1",
                false => "read",
            };
            return Ok(Source::File(FileObject {
                object: object.clone().unbind(),
                start,
                method,
                opened: AtomicBool::new(false),
            }));
        }
        if !no_bytes.is_instance_of::<PyTypeError>(object.py()) {
            return Err(no_bytes);
        }
        Err(PyTypeError::new_err(format!(
            "a capture is a path, a file object opened in binary mode, or the bytes of a file, \
             not {}",
            object.get_type().name()?
        )))
    }

    /// Whether the capture can be opened more than once.
    pub(crate) fn can_open_again(&self) -> bool {
        match self {
            Source::Path(path, _) => !is_pipe(path),
            Source::File(file) => file.start.is_some(),
            Source::Stretches(..) | Source::Bytes(_) => true,
        }
    }

    /// The name of the file, if it has one.
    pub(crate) fn name(&self, py: Python<'_>) -> Option<String> {
        match self {
            Source::Path(path, _) | Source::Stretches(path, _) => {
                Some(path.to_string_lossy().into_owned())
            }
            Source::Bytes(_) => None,
            Source::File(file) => file.object.getattr(py, "name").ok()?.extract(py).ok(),
        }
    }

    /// Opens the source at its beginning.
    fn reader(&self, py: Python<'_>) -> PyResult<(Box<dyn Read + Send>, Arc<Meter>)> {
        let meter = |total| {
            Arc::new(Meter {
                read: AtomicU64::new(0),
                total,
                stopped: AtomicBool::new(false),
                raised: Mutex::new(None),
            })
        };
        match self {
            Source::Path(path, _) | Source::Stretches(path, _) => {
                if let Source::Path(_, opened) = self
                    && is_pipe(path)
                    && opened.swap(true, Ordering::Relaxed)
                {
                    return Err(PyValueError::new_err(format!(
                        "{} is a pipe, and was read already; read it once, or save it in a file",
                        path.display()
                    )));
                }
                let open = {
                    let path = path.clone();
                    move || {
                        let file = File::open(path)?;
                        let metadata = file.metadata()?;
                        io::Result::Ok((file, metadata))
                    }
                };
                let opened = match is_pipe(path) {
                    true => waiting(py, open)?,
                    false => py.detach(open),
                };
                let (file, metadata) = opened.map_err(|error| match error.raw_os_error() {
                    Some(code) => {
                        let text = error.to_string();
                        let text = text
                            .split(" (os error")
                            .next()
                            .unwrap_or_default()
                            .to_owned();
                        PyOSError::new_err((code, text, path.clone()))
                    }
                    None => error.into(),
                })?;
                if metadata.is_dir() {
                    let path = path.display();
                    return Err(PyIsADirectoryError::new_err(format!(
                        "{path} is a folder; name the files in it"
                    )));
                }
                let total = metadata.is_file().then_some(metadata.len());
                let Source::Stretches(_, stretches) = self else {
                    return Ok((Box::new(file), meter(total)));
                };
                let total = stretches.iter().map(|(start, end)| end - start).sum();
                let stretches = Stretches {
                    file,
                    rest: stretches.clone().into_iter(),
                    left: 0,
                };
                Ok((Box::new(stretches), meter(Some(total))))
            }
            Source::Bytes(data) => {
                let meter = meter(Some(data.len() as u64));
                let data = Arc::clone(data);
                Ok((Box::new(InMemory { data, at: 0 }), meter))
            }
            Source::File(file) => {
                let again = file.opened.swap(true, Ordering::Relaxed);
                match file.start {
                    Some(start) => drop(file.object.call_method1(py, "seek", (start,))?),
                    None if again => {
                        return Err(PyValueError::new_err(
                            "the file object cannot seek, and was read already; give a path, or \
                             the bytes of the file",
                        ));
                    }
                    None => {}
                }
                let meter = meter(None);
                let object = file.object.clone_ref(py);
                let object = InPython {
                    object,
                    method: file.method,
                    meter: Arc::clone(&meter),
                };
                Ok((Box::new(object), meter))
            }
        }
    }

    /// Opens the capture at its beginning.
    pub(crate) fn open(&self, py: Python<'_>) -> PyResult<(Capture<Reader>, Arc<Meter>)> {
        let (reader, meter) = self.metered(py)?;
        let opened = match self {
            Source::Path(path, _) if is_pipe(path) => waiting(py, || Capture::open(reader))?,
            _ => py.detach(|| Capture::open(reader)),
        };
        match opened {
            Ok(capture) => Ok((capture, meter)),
            Err(error) => Err(self.error(py, &meter, &self.advice(error))),
        }
    }

    /// Opens the bytes of the capture at their beginning.
    pub(crate) fn metered(&self, py: Python<'_>) -> PyResult<(Reader, Arc<Meter>)> {
        let (reader, meter) = self.reader(py)?;
        let metered = Metered {
            reader,
            meter: Arc::clone(&meter),
        };
        Ok((metered, meter))
    }

    /// Why the source is no capture, in the words of the program.
    pub(crate) fn advice(&self, error: OpenError) -> String {
        let error = match self {
            Source::Path(path, _) => wiresum_cli::advise(path.as_os_str(), error),
            _ => error.into(),
        };
        format!("{error:#}")
    }

    /// The exception that ended a reading: the error of the file object, or a CaptureError.
    pub(crate) fn error(&self, py: Python<'_>, meter: &Meter, what: &str) -> PyErr {
        if let Some(raised) = meter.raised() {
            return raised;
        }
        let (name, offset) = (self.name(py), meter.read());
        let message = match &name {
            Some(name) if !what.starts_with(&**name) => format!("{name}: {what}"),
            _ => what.to_owned(),
        };
        capture_error(py, &message, name, offset)
    }
}

/// Whether a path leads to a pipe or a device, which is read once and may wait for its writer.
fn is_pipe(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|it| !it.is_file() && !it.is_dir())
}

/// A CaptureError.
pub(crate) fn capture_error(
    py: Python<'_>,
    message: &str,
    file: Option<String>,
    offset: u64,
) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let class = CLASS.import(py, "wiresum._errors", "CaptureError");
    match class.and_then(|class| class.call1((message, file, offset))) {
        Ok(error) => PyErr::from_value(error),
        Err(error) => error,
    }
}

/// How far a capture was read. Several threads look at it.
pub(crate) struct Meter {
    read: AtomicU64,
    pub(crate) total: Option<u64>,
    stopped: AtomicBool,
    /// What a file object raised.
    raised: Mutex<Option<PyErr>>,
}

impl Meter {
    pub(crate) fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Ends the reading, with an error, before the next block.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn raised_nothing(&self) -> bool {
        self.raised
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_none()
    }

    pub(crate) fn raised(&self) -> Option<PyErr> {
        self.raised
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }
}

pub(crate) struct Metered<R> {
    reader: R,
    meter: Arc<Meter>,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.meter.stopped.load(Ordering::Relaxed) {
            return Err(io::Error::other("the reading was stopped"));
        }
        let read = self.reader.read(buf)?;
        self.meter.read.fetch_add(read as u64, Ordering::Relaxed);
        Ok(read)
    }
}

/// Stretches of a file.
struct Stretches {
    file: File,
    rest: vec::IntoIter<(u64, u64)>,
    /// The number of bytes that the current stretch still has.
    left: u64,
}

impl Read for Stretches {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while self.left == 0 {
            let Some((start, end)) = self.rest.next() else {
                return Ok(0);
            };
            self.file.seek(SeekFrom::Start(start))?;
            self.left = end.saturating_sub(start);
        }
        let read = self.file.by_ref().take(self.left).read(buf)?;
        self.left -= read as u64;
        if read == 0 {
            self.left = 0; // the file became shorter
        }
        Ok(read)
    }
}

struct InMemory {
    data: Arc<Data>,
    at: usize,
}

impl Read for InMemory {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = (&self.data.as_slice()[self.at..]).read(buf)?;
        self.at += read;
        Ok(read)
    }
}

struct InPython {
    object: Py<PyAny>,
    method: &'static str,
    meter: Arc<Meter>,
}

impl Read for InPython {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = Python::try_attach(|py| {
            let read = self
                .object
                .bind(py)
                .call_method1(self.method, (buf.len(),))?;
            let Ok(bytes) = read.cast::<PyBytes>() else {
                return Err(PyTypeError::new_err(format!(
                    "read() of the file object returned {}, not bytes; open the file in binary \
                     mode, \"rb\"",
                    read.get_type().name()?
                )));
            };
            let bytes = bytes.as_bytes();
            let Some(room) = buf.get_mut(..bytes.len()) else {
                return Err(PyRuntimeError::new_err(format!(
                    "read() of the file object returned {} bytes, and was asked for {}",
                    bytes.len(),
                    buf.len()
                )));
            };
            room.copy_from_slice(bytes);
            Ok(bytes.len())
        });
        match read {
            Some(Ok(read)) => Ok(read),
            Some(Err(error)) => {
                let said = error.to_string();
                let mut raised = self
                    .meter
                    .raised
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                *raised = Some(error);
                Err(io::Error::other(said))
            }
            None => Err(io::Error::other("the interpreter has ended")),
        }
    }
}
