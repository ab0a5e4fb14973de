// SPDX-License-Identifier: MIT OR Apache-2.0
//! The module `wiresum._wiresum`: what of the Python package is not Python. `wiresum/__init__.py`
//! has its names, and `wiresum/_wiresum.pyi` their types.
//!
//! All unsafe code is in three files: `buffer.rs` (bytes of objects), `call.rs` (calls by
//! METH_FASTCALL) and `import.rs` (Arrow's C structures); one function of `column.rs` passes a
//! pointer on.
#![deny(
    unsafe_code,
    unsafe_op_in_unsafe_fn,
    clippy::undocumented_unsafe_blocks
)]

mod batches;
#[allow(unsafe_code)]
mod buffer;
#[allow(unsafe_code)]
mod call;
mod capture;
mod checksums;
mod column;
mod functions;
#[allow(unsafe_code)]
mod import;
mod judge;
mod packets;
mod part;
mod source;
mod split;
mod stream;
mod value;

use pyo3::prelude::*;
use wiresum::kernel;

/// The name, whether this CPU supports the kernel, and whether it is in use, of each kernel.
#[pyfunction]
fn kernels() -> Vec<(&'static str, bool, bool)> {
    let in_use = kernel::in_use();
    let all = kernel::all();
    all.map(|kernel| (kernel.name(), kernel.is_supported(), kernel == in_use))
        .collect()
}

/// Runs the command line with these arguments, of which the first is the name of the program, and
/// returns its exit status.
#[cfg(feature = "program")]
#[pyfunction]
fn run(py: Python<'_>, args: Vec<std::ffi::OsString>) -> u8 {
    py.detach(|| wiresum_cli::run(args))
}

#[pymodule(gil_used = false)]
fn _wiresum(module: &Bound<'_, PyModule>) -> PyResult<()> {
    functions::add(module)?;
    module.add_class::<stream::Stream>()?;
    module.add_class::<column::Column>()?;
    module.add_class::<batches::Batches>()?;
    module.add_class::<batches::Cursor>()?;
    module.add_class::<source::Shared>()?;
    module.add_function(wrap_pyfunction!(checksums::checksums, module)?)?;
    module.add_function(wrap_pyfunction!(batches::read, module)?)?;
    module.add_function(wrap_pyfunction!(batches::packets, module)?)?;
    module.add_function(wrap_pyfunction!(judge::verify_packets, module)?)?;
    module.add_class::<part::Part>()?;
    module.add_function(wrap_pyfunction!(part::count, module)?)?;
    module.add_function(wrap_pyfunction!(split::beginning, module)?)?;
    module.add_function(wrap_pyfunction!(split::index, module)?)?;
    module.add_function(wrap_pyfunction!(split::is_capture, module)?)?;
    module.add_function(wrap_pyfunction!(split::runs, module)?)?;
    module.add_function(wrap_pyfunction!(kernels, module)?)?;
    module.add_function(wrap_pyfunction!(capture::verify, module)?)?;
    module.add_function(wrap_pyfunction!(capture::fix, module)?)?;
    module.add_function(wrap_pyfunction!(capture::undo, module)?)?;
    module.add_function(wrap_pyfunction!(capture::heeding, module)?)?;
    module.add_function(wrap_pyfunction!(capture::explain, module)?)?;
    #[cfg(feature = "program")]
    module.add_function(wrap_pyfunction!(run, module)?)?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.as_any().delattr("__all__") // PyO3 makes it, without the functions of `functions.rs`
}
