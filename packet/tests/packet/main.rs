// SPDX-License-Identifier: MIT OR Apache-2.0
//! The tests of this crate in one program: linking is a good part of what a program costs.

mod captures;
mod causes;
#[path = "../common/mod.rs"]
mod common;
mod documents;
mod fix;
mod flows;
mod frames;
mod hostile;
mod parallel;
mod plain;
mod ranges;
mod reassembly;
