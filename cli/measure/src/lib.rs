// SPDX-License-Identifier: MIT OR Apache-2.0
//! How wiresum's benchmark measures. `wiresum bench` shows a report of this crate, and
//! `evidence/bench/rivals` adds contenders to it.
//!
//! A run verifies every contender before it times one. The same loop in C calls all contenders of a
//! case by turns, in one process, on one core. A sample is short; a report has the minimum, the
//! median and the spread of a contender's samples. A mix has 32768 shuffled lengths, so that no
//! branch predictor learns them.

mod buffers;
mod cases;
mod contenders;
mod ffi;
mod machine;
mod measure;
mod packets;
mod report;
mod run;
mod verify;

pub use cases::{Mix, SECTIONS};
pub use contenders::Contender;
pub use ffi::{Copier, CopyFunction, SumFunction, Summer};
pub use machine::{Caches, Core, Machine};
pub use report::{Entry, Operation, Report, Role, Row, Section};
pub use run::{Options, run};
pub use verify::{reference, value};
