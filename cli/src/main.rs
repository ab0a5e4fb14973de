// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program `wiresum`.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(wiresum_cli::run(std::env::args_os()))
}
