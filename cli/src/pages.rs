// SPDX-License-Identifier: MIT OR Apache-2.0
//! The manual pages and the completions, from the same definition as the help.

use std::fs;
use std::io;
use std::path::Path;

use clap::{CommandFactory, ValueEnum};
use clap_complete::Shell;

use crate::args::Args;

/// Writes `man1/`, with a page for the program and one for each command, and `completions/`.
pub fn write(folder: &Path) -> io::Result<()> {
    let mut command = Args::command().disable_help_subcommand(true);
    let pages = folder.join("man1");
    fs::create_dir_all(&pages)?;
    clap_mangen::generate_to(command.clone(), &pages)?;
    for page in fs::read_dir(&pages)? {
        let path = page?.path();
        fs::write(&path, tidy(&fs::read_to_string(&path)?))?;
    }
    let completions = folder.join("completions");
    fs::create_dir_all(&completions)?;
    for shell in Shell::value_variants() {
        clap_complete::generate_to(*shell, &mut command, "wiresum", &completions)?;
    }
    Ok(())
}

/// A page whose lines stay as they are where the help breaks them by hand, and which has the
/// sections that the help has after the options.
fn tidy(page: &str) -> String {
    let mut tidy = String::new();
    let (mut is_shown, mut is_after) = (false, false);
    for line in page.lines() {
        let by_hand = line.starts_with("  ");
        if by_hand != is_shown {
            tidy += if by_hand {
                ".nf\n.in 0\n"
            } else {
                ".in\n.fi\n"
            };
            is_shown = by_hand;
        }
        is_after |= line == ".SH EXTRA";
        if let Some(rest) = line.strip_prefix(".TH ") {
            let name = rest.split(' ').next().unwrap_or_default();
            let version = env!("CARGO_PKG_VERSION");
            tidy += &format!(".TH {name} 1 \"\" \"wiresum {version}\" \"User Commands\"\n");
        } else if is_after && !by_hand && line.ends_with(':') {
            tidy += &format!(".SH \"{}\"\n", line.trim_end_matches(':').to_uppercase());
        } else if line != ".SH EXTRA" && !line.is_empty() {
            tidy += line;
            tidy.push('\n');
        } else if line.is_empty() {
            tidy += if is_after { "" } else { ".sp\n" };
        }
    }
    tidy
}
