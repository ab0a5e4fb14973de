// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program `wiresum`. Its long help is its manual. `cli/README.md` describes its JSON, CSV,
//! Parquet and undo records.

mod args;
#[cfg(feature = "bench")]
mod bench;
mod explain;
mod fix;
mod flow;
mod follow;
mod input;
mod interrupt;
mod kernels;
mod outcome;
mod output;
mod progress;
mod sum;
mod time;
mod verify;

use std::process::ExitCode;

use clap::Parser;

use args::{Args, Command};
use outcome::{Outcome, complain, is_broken_pipe};

fn main() -> ExitCode {
    let args = Args::parse();
    let (command, outcome) = match kernels::choose() {
        Err(error) => (kernels::VARIABLE, Err(error)),
        Ok(()) => match args.command {
            Command::Verify(options) => ("verify", verify::run(&options)),
            Command::Explain(options) => ("explain", explain::run(&options)),
            Command::Fix(options) => ("fix", fix::run(&options)),
            Command::Undo(options) => ("undo", fix::undo::run(&options)),
            Command::Sum(options) => ("sum", sum::run(&options)),
            Command::Kernels => ("kernels", kernels::run()),
            #[cfg(feature = "bench")]
            Command::Bench(options) => ("bench", bench::run(&options)),
        },
    };
    match outcome {
        Ok(outcome) => ExitCode::from(outcome as u8),
        // The status of a program that SIGPIPE ended.
        Err(error) if is_broken_pipe(&error) => ExitCode::from(128 + 13),
        Err(error) => {
            complain(command, &error);
            ExitCode::from(Outcome::Failed as u8)
        }
    }
}
