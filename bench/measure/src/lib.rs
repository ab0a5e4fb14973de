// SPDX-License-Identifier: MIT OR Apache-2.0
//! How wiresum's benchmark measures. `wiresum bench` is a view of this crate, and `bench/rivals` adds contenders to it.
//!
//! Everything that is timed is verified first. The contenders of a case are called by the same loop in C, in one process, pinned to one
//! core, by turns; a sample is short, and its minimum, median and spread are told. Mixes have 32768 shuffled lengths, so that the branch
//! predictor cannot learn them.

mod cases;
mod ffi;
mod machine;
mod measure;
mod report;
mod run;
mod verify;

pub use cases::{Mix, SECTIONS};
pub use ffi::{Copier, CopyFunction, SumFunction, Summer};
pub use machine::{Caches, Machine};
pub use report::{Entry, Operation, Report, Role, Row, Section};
pub use run::{Contender, Options, run};
pub use verify::{reference, value};
