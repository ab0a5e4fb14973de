// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program `wiresum`, as a library. Its long help is its manual. `cli/README.md` describes its
//! JSON, CSV, Parquet and undo records.
//!
//! The binary and `python -m wiresum` call [`run`]. The Python package takes the other public items
//! too, so that its rows, counts and texts are the same as from the program. They are no promise to
//! anyone else.

mod args;
#[cfg(feature = "bench")]
mod bench;
pub mod explain;
pub mod fix;
mod flow;
mod follow;
mod input;
mod interrupt;
mod kernels;
#[cfg(target_os = "linux")]
mod mapped;
mod outcome;
mod output;
#[cfg(feature = "pages")]
pub mod pages;
#[cfg(feature = "bench")]
mod plan;
mod progress;
mod sum;
mod time;
mod values;
pub mod verify;

use std::ffi::OsString;

use clap::Parser;

use args::{Args, Command};
use outcome::{Outcome, complain, is_broken_pipe};

pub use args::{FixOptions, UndoOptions};
pub use input::{advise, shown};
pub use values::Jobs;

/// Runs the program with these arguments, of which the first is its name, and returns its exit
/// status. It takes over the signals that a command needs to catch.
pub fn run(args: impl IntoIterator<Item = OsString>) -> u8 {
    let args = match Args::try_parse_from(args) {
        Ok(args) => args,
        Err(error) => {
            let _ = error.print(); // there is nowhere else to tell of a failure
            return error.exit_code() as u8;
        }
    };
    interrupt::take_over();
    let (command, outcome) = match kernels::choose() {
        Err(error) => (kernels::VARIABLE, Err(error)),
        Ok(()) => match args.command {
            Command::Verify(options) => ("verify", verify::run(&options)),
            Command::Report(options) => ("report", verify::report(&options)),
            Command::Explain(options) => ("explain", explain::run(&options)),
            Command::Fix(options) => ("fix", fix::run(&options)),
            Command::Undo(options) => ("undo", fix::undo::run(&options)),
            Command::Sum(options) => ("sum", sum::run(&options)),
            Command::Kernels => ("kernels", kernels::run()),
            #[cfg(feature = "bench")]
            Command::Bench(options) => ("bench", bench::run(&options)),
            #[cfg(feature = "bench")]
            Command::Plan(options) => ("plan", plan::run(&options)),
        },
    };
    match outcome {
        Ok(outcome) => outcome as u8,
        // The status of a program that SIGPIPE ended.
        Err(error) if is_broken_pipe(&error) => 128 + 13,
        Err(error) => {
            complain(command, &error);
            Outcome::Failed as u8
        }
    }
}
