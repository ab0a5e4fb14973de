// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes the manual pages and the completions of the program into a folder.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    let (Some(folder), None) = (words.next(), words.next()) else {
        eprintln!("usage: cargo run -p wiresum-cli --features pages --example pages -- FOLDER");
        return ExitCode::from(2);
    };
    match wiresum_cli::pages::write(Path::new(&folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("pages: {}: {error}", folder.display());
            ExitCode::from(2)
        }
    }
}
