// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program `wiresum`. Its long help is its manual; what `--json` prints is described in `README.md` beside this folder.

mod args;
mod bench;
mod explain;
mod fix;
mod follow;
mod interrupt;
mod kernels;
mod progress;
mod sum;
mod verify;

use std::ffi::OsStr;
use std::fmt::Display;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::process::ExitCode;

use clap::Parser;
use wiresum_packet::OpenError;

use args::{Args, Command};

/// What a command found, and with it the exit status. A command that fails says so by an error, or by this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    /// All is well.
    Good = 0,
    /// Something in the data is bad.
    Bad = 1,
    /// The command, or a part of it, failed.
    Failed = 2,
}

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
            Command::Bench(options) => ("bench", bench::run(&options)),
        },
    };
    match outcome {
        Ok(outcome) => ExitCode::from(outcome as u8),
        Err(error) if is_broken_pipe(&error) => ExitCode::from(128 + 13), // as SIGPIPE would have ended it
        Err(error) => {
            complain(command, &error);
            ExitCode::from(Outcome::Failed as u8)
        }
    }
}

/// Tells a person what went wrong, and where, on standard error.
fn complain(place: impl Display, error: &anyhow::Error) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    anstream::eprintln!("{style}wiresum:{style:#} {place}: {error:#}");
}

/// Whether the reader of standard output, such as `head`, has had enough.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == ErrorKind::BrokenPipe)
}

/// Opens what a command line calls a file: `-` is standard input.
fn open(path: &OsStr) -> anyhow::Result<Box<dyn Read + Send>> {
    if path == "-" {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        anyhow::bail!("it is a folder; name the files in it");
    }
    Ok(Box::new(file))
}

/// A file name as it is shown.
fn name(path: &OsStr) -> String {
    path.to_string_lossy().into_owned()
}

/// Why a file is no capture, and what to do about it.
fn advise(path: &OsStr, error: OpenError) -> anyhow::Error {
    let path = name(path);
    match error {
        OpenError::NotACapture => anyhow::anyhow!("{error}; file {path} may tell what it is"),
        _ => error.into(),
    }
}
