// SPDX-License-Identifier: MIT OR Apache-2.0
//! Work on other threads, while the thread of the caller heeds signals.

use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The time between two looks for ctrl-C.
pub(crate) const PAUSE: Duration = Duration::from_millis(20);
/// The time for which a stopped work may go on before it is left alone. A pipe may keep it waiting.
const PATIENCE: Duration = Duration::from_millis(50);

/// The exception for a thread that ended without a result.
pub(crate) fn panicked() -> PyErr {
    PyRuntimeError::new_err("a thread of wiresum panicked")
}

/// Does a work that may wait for another process, such as one that writes into a pipe. A signal
/// ends the waiting.
pub(crate) fn waiting<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    attend(py, work, || Ok(()), || {})
}

/// Does a work on another thread. Meanwhile this thread handles signals and calls `look`: an
/// exception of either is the result, after `stop` was called.
pub(crate) fn attend<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
    mut look: impl FnMut() -> PyResult<()>,
    stop: impl FnOnce(),
) -> PyResult<T> {
    let (done, ends) = mpsc::channel();
    let ends = Mutex::new(ends);
    let wait = |time| {
        let ends = ends.lock().unwrap_or_else(PoisonError::into_inner);
        ends.recv_timeout(time)
    };
    thread::Builder::new().spawn(move || {
        let _ = done.send(work()); // nobody waits any more after a signal
    })?;
    loop {
        match py.detach(|| wait(PAUSE)) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Err(panicked()),
        }
        if let Err(error) = py.check_signals().and_then(|()| look()) {
            stop();
            let _ = py.detach(|| wait(PATIENCE));
            return Err(error);
        }
    }
}

/// Calls a function. If ctrl-C ends it, Python is told of the signal again: a caller that is no
/// Python makes an exception of its own from what the function raises, and then looks for signals.
#[pyfunction]
#[pyo3(signature = (function, *arguments))]
pub(crate) fn heeding<'py>(
    function: &Bound<'py, PyAny>,
    arguments: &Bound<'py, PyTuple>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = function.py();
    function.call1(arguments).inspect_err(|error| {
        if error.is_instance_of::<PyKeyboardInterrupt>(py) {
            interrupt_again(py);
        }
    })
}

/// Passes ctrl-C to Python again. No Python may run before its caller has returned: it would get
/// the exception, and nobody would see it.
pub(crate) fn interrupt_again(py: Python<'_>) {
    let _ = py
        .import("_thread")
        .and_then(|it| it.call_method0("interrupt_main"));
}
