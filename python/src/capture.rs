// SPDX-License-Identifier: MIT OR Apache-2.0
//! Captures as a whole: their counts, their repair, and the explanation of a frame.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use wiresum_cli::{FixOptions, Jobs, UndoOptions};
use wiresum_packet::{Cause, Frame, LinkType, Reassembly, Repairs, Tally, examine_all};

use crate::buffer::Data;
use crate::source::{Meter, Shared, Source, capture_error};
use crate::wait::{attend, waiting};

/// The time between two calls of `progress`.
const BETWEEN_CALLS: Duration = Duration::from_millis(100);
/// Computes something over `len` bytes. Other threads run Python meanwhile if that takes long.
pub(crate) fn without_gil<T: Send>(
    py: Python<'_>,
    len: usize,
    compute: impl Send + FnOnce() -> T,
) -> T {
    match len > crate::call::LONG {
        true => py.detach(compute),
        false => compute(),
    }
}

/// The number of threads that `jobs` asks for.
pub(crate) fn threads(jobs: Option<usize>) -> PyResult<Jobs> {
    let Some(number) = jobs else {
        return Ok(Jobs::at_most(None));
    };
    match NonZeroUsize::new(number) {
        Some(number) if number.get() <= Jobs::MOST => Ok(Jobs::at_most(Some(number))),
        _ => Err(PyValueError::new_err(format!(
            "jobs is at least 1 and at most {}; leave it out for all CPUs",
            Jobs::MOST
        ))),
    }
}

/// The caller's function that is told how far a capture was read.
pub(crate) struct Progress {
    call: Option<Py<PyAny>>,
    last: Option<(Instant, u64)>,
}

impl Progress {
    pub(crate) fn new(call: Option<Py<PyAny>>) -> Progress {
        Progress { call, last: None }
    }

    /// Reports how far a capture was read, if that is news and the last news are not too recent.
    pub(crate) fn tell(&mut self, py: Python<'_>, meter: &Meter, last: bool) -> PyResult<()> {
        let Some(call) = &self.call else {
            return Ok(());
        };
        let read = meter.read();
        let is_news = self
            .last
            .is_none_or(|(at, before)| before != read && (last || at.elapsed() >= BETWEEN_CALLS));
        if is_news {
            self.last = Some((Instant::now(), read));
            call.call1(py, (read, meter.total))?;
        }
        Ok(())
    }
}

/// Does a work on another thread. Meanwhile this thread calls `progress`, and handles signals: an
/// exception of either stops the reading of the capture, and is the result.
fn supervise<T: Send + 'static>(
    py: Python<'_>,
    meter: &Meter,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let mut progress = Progress::new(progress);
    let look = || progress.tell(py, meter, false);
    let result = attend(py, work, look, || meter.stop())?;
    if meter.raised_nothing() {
        progress.tell(py, meter, true)?;
    }
    Ok(result)
}

/// The counts of a capture, as JSON.
#[pyfunction]
pub(crate) fn verify(
    py: Python<'_>,
    source: &Shared,
    reassemble: bool,
    jobs: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let workers = threads(jobs)?.threads();
    let source = &source.0;
    let (mut capture, meter) = source.open(py)?;
    let examined = supervise(py, &meter, progress, move || {
        let mut tally = Tally::default();
        let reassembly = reassemble.then(Reassembly::default);
        examine_all(&mut capture, workers, reassembly, &mut tally).map(|()| {
            tally.add_malformed(capture.malformed());
            tally
        })
    })?;
    let tally = examined.map_err(|error| source.error(py, &meter, &error.to_string()))?;
    let name = source.name(py).unwrap_or_default();
    wiresum_cli::verify::counts(&name, &tally)
        .map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// Repairs a capture, and returns the counts as JSON.
#[pyfunction]
#[allow(clippy::too_many_arguments)] // each is an argument of the function in Python
pub(crate) fn fix(
    py: Python<'_>,
    source: &Shared,
    out: Option<PathBuf>,
    only: Vec<String>,
    undo: Option<PathBuf>,
    force: bool,
    in_place: bool,
    jobs: Option<usize>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    for cause in &only {
        if Cause::from_key(cause).is_none() && cause != Repairs::ILLEGAL {
            let all = Cause::ALL.map(Cause::key).join(", ");
            return Err(PyValueError::new_err(format!(
                "{cause:?} is no cause; the causes are {all} and {}",
                Repairs::ILLEGAL
            )));
        }
    }
    let source = &source.0;
    let options = FixOptions {
        input: match &**source {
            Source::Path(path, _) => path.into(),
            _ => OsString::from("-"),
        },
        out: out.map(Into::into),
        only,
        dry_run: false,
        in_place,
        undo: undo.map(Into::into),
        force,
        json: true,
        jobs: threads(jobs)?,
    };
    wiresum_cli::fix::check(&options)
        .map_err(|error| PyValueError::new_err(in_python(format!("{error:#}"))))?;
    let (reader, meter) = source.metered(py)?;
    let repaired = supervise(py, &meter, progress, move || {
        let repairs = wiresum_cli::fix::repair(&options, reader, |_| Ok(()))?;
        anyhow::Ok(wiresum_cli::fix::counts(&options, &repairs)?)
    })?;
    repaired.map_err(|error| source.error(py, &meter, &in_python(format!("{error:#}"))))
}

/// A text of the program with its options as arguments of this package.
fn in_python(text: String) -> String {
    text.replace("--in-place", "in_place=True")
        .replace("--force", "force=True")
}

/// Restores a repaired capture from the record of its changes, in its place if there is no `out`.
#[pyfunction]
pub(crate) fn undo(
    py: Python<'_>,
    record: PathBuf,
    capture: PathBuf,
    out: Option<PathBuf>,
    force: bool,
) -> PyResult<()> {
    let name = capture.to_string_lossy().into_owned();
    let options = UndoOptions {
        record: record.into(),
        capture: capture.into(),
        out: out.map(Into::into),
        force,
    };
    let undone = waiting(py, move || wiresum_cli::fix::undo::undo(&options))?;
    undone.map_err(|error| {
        let text = in_python(format!("{error:#}"));
        capture_error(py, &text, Some(name), 0)
    })
}

/// The explanation of a frame: the text, and the JSON.
#[pyfunction]
pub(crate) fn explain(
    frame: &Bound<'_, PyAny>,
    link_type: u32,
    original_length: Option<usize>,
) -> PyResult<(String, String)> {
    let data = Data::of(frame)?;
    let data = data.as_slice();
    let mut frame = Frame::new(LinkType(link_type), data);
    frame.original_len = original_length.unwrap_or(0).max(data.len());
    wiresum_cli::explain::frame(&frame).map_err(|error| PyRuntimeError::new_err(error.to_string()))
}
