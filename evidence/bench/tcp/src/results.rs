// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files of a run: all numbers as JSON, and tables for people, with the CPU, the versions and
//! the commit.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::counts::{self, Counted};
use crate::functions::Shares;
use crate::measure::Measured;
use crate::verify::{Rejection, Unseen};

#[derive(Serialize)]
pub struct Machine {
    /// The folder of the CPU's family, as evidence/bench/families.py names it.
    #[serde(skip)]
    pub family: Option<String>,
    pub cpu: String,
    pub cpus: usize,
    pub system: String,
    pub kernel_of_wiresum: String,
    pub lwip: &'static str,
    pub smoltcp: &'static str,
    pub c_compiler: &'static str,
    pub rust_compiler: &'static str,
    pub commit: String,
    pub unix_time: u64,
}

fn output_of(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program)
        .args(arguments)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.."))
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The files that differ from the commit, one a line.
pub fn changed() -> Option<String> {
    output_of("git", &["status", "--porcelain", "--untracked-files=no"])
}

fn commit() -> String {
    let commit = output_of("git", &["rev-parse", "--short", "HEAD"]);
    let commit = commit.unwrap_or_else(|| "unknown".into());
    if changed().is_some_and(|changed| changed.is_empty()) {
        commit
    } else {
        format!("{commit}, changed")
    }
}

impl Machine {
    pub fn here() -> Machine {
        let said = output_of("python3", &["-m", "evidence.bench.families"]);
        let lines: Vec<&str> = said.iter().flat_map(|said| said.lines()).collect();
        Machine {
            family: lines.first().map(|folder| (*folder).to_owned()),
            cpu: match lines[..] {
                [_, family, cpu] => format!("{family}: {cpu}"),
                _ => "unknown".to_owned(),
            },
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            system: output_of("uname", &["-srm"]).unwrap_or_default(),
            kernel_of_wiresum: wiresum::kernel::in_use().name().to_owned(),
            lwip: env!("LWIP_VERSION"),
            smoltcp: "0.14.0",
            c_compiler: env!("C_COMPILER"),
            rust_compiler: env!("RUST_COMPILER"),
            commit: commit(),
            unix_time: std::time::SystemTime::now()
                .duration_since(std::time::UNIX_EPOCH)
                .map_or(0, |time| time.as_secs()),
        }
    }
}

/// The record of the counts, which are the same on every CPU.
#[derive(Serialize)]
pub struct Counts {
    pub lwip: &'static str,
    pub smoltcp: &'static str,
    pub c_compiler: &'static str,
    pub rust_compiler: &'static str,
    pub c_library: String,
    pub valgrind: String,
    pub commit: String,
    pub seed: u64,
    pub counted: Vec<Counted>,
}

impl Counts {
    /// The facts of a record, without its counts: made before the program counts, so that the
    /// record names the commit that counted.
    pub fn here(seed: u64) -> Counts {
        Counts {
            lwip: env!("LWIP_VERSION"),
            smoltcp: "0.14.0",
            c_compiler: env!("C_COMPILER"),
            rust_compiler: env!("RUST_COMPILER"),
            c_library: output_of("getconf", &["GNU_LIBC_VERSION"]).unwrap_or_default(),
            valgrind: output_of("valgrind", &["--version"]).unwrap_or_default(),
            commit: commit(),
            seed,
            counted: Vec::new(),
        }
    }

    pub fn write(&self, folder: &Path) -> Result<()> {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        let json = serde_json::to_string_pretty(self)? + "\n";
        std::fs::write(folder.join("instructions.json"), json)?;
        let shares: Vec<Shares> = self.counted.iter().map(Counted::shares).collect();
        let text = format!(
            "# Instructions of the TCP benchmark\n\nWritten by `count --record`; \
             [evidence/bench/tcp](../../tcp/README.md) says what is counted, and how.\n\n\
             lwIP {}, {}; smoltcp {}, {}; {}; {}; commit {}; seed {}.\n\n{}\n\n\
             ## Shares of the instructions\n\n{}",
            self.lwip,
            self.c_compiler,
            self.smoltcp,
            self.rust_compiler,
            self.c_library,
            self.valgrind,
            self.commit,
            self.seed,
            counts::table(&self.counted),
            table_of_shares(&shares)
        );
        std::fs::write(folder.join("instructions.md"), text)?;
        Ok(())
    }
}

fn table_of_shares(shares: &[Shares]) -> String {
    let mut text = String::from(
        "| variant | test | checksum | copy | both in one | comparison of the payload | of |\n\
         |---|---|---:|---:|---:|---:|---:|\n",
    );
    for row in shares {
        let _ = writeln!(
            text,
            "| {} | {} | {:.0} % | {:.0} % | {:.0} % | {:.0} % | {} |",
            row.variant,
            row.test.name(),
            100.0 * row.checksum,
            100.0 * row.copy,
            100.0 * row.fused,
            100.0 * row.comparison,
            row.of
        );
    }
    text
}

#[derive(Serialize)]
pub struct Results {
    pub machine: Machine,
    pub rounds: usize,
    pub seed: u64,
    pub measured: Vec<Measured>,
    pub shares_of_time: Vec<Shares>,
    pub shares_of_instructions: Vec<Shares>,
    pub rejections: Vec<Rejection>,
    pub undetected: Vec<Unseen>,
}

impl Results {
    pub fn write(&self, folder: &Path) -> Result<()> {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        std::fs::write(
            folder.join("results.json"),
            serde_json::to_string_pretty(self)? + "\n",
        )?;
        std::fs::write(folder.join("README.md"), self.tables())?;
        crate::charts::figures_10_and_11(folder, &self.measured)?;
        let (shares, of) = if self.shares_of_instructions.is_empty() {
            (&self.shares_of_time, "time")
        } else {
            (&self.shares_of_instructions, "instructions")
        };
        crate::charts::figure_9(folder, shares, of)
    }

    fn tables(&self) -> String {
        let mut text = String::from(
            "# A run of the TCP benchmark\n\nWritten by `all --record`; \
             [evidence/bench/tcp](../../../tcp/README.md) says what is measured, and how.\n\n",
        );
        let m = &self.machine;
        let _ = writeln!(
            text,
            "{}, {} CPUs, {}; wiresum's kernel {}; lwIP {}, {}; smoltcp {}, {}; commit {}; \
             medians of {} rounds, in brackets the quartiles; seed {}.\n",
            m.cpu,
            m.cpus,
            m.system,
            m.kernel_of_wiresum,
            m.lwip,
            m.c_compiler,
            m.smoltcp,
            m.rust_compiler,
            m.commit,
            self.rounds,
            self.seed
        );
        text.push_str(
            "## Speed\n\n| test | stack | variant | rate | of stock | of off |\n\
             |---|---|---|---:|---:|---:|\n",
        );
        for row in &self.measured {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {:.2} {} | {:.2}× ({:.2} to {:.2}) | {:.2}× |",
                row.test.name(),
                row.stack,
                row.variant,
                row.rate.median,
                row.test.unit(),
                row.against_stock.median,
                row.against_stock.lower_quartile,
                row.against_stock.upper_quartile,
                row.against_off.median
            );
        }
        for (title, shares) in [
            ("samples of time", &self.shares_of_time),
            (
                "instructions (callgrind, AVX2 kernels)",
                &self.shares_of_instructions,
            ),
        ] {
            if !shares.is_empty() {
                let table = table_of_shares(shares);
                let _ = write!(text, "\n## Shares by {title}\n\n{table}");
            }
        }
        text.push_str(
            "\n## Damaged segments\n\n| variant | damage | frames | damaged \
             | no 16-bit sum sees | rejected by checksum | by format | without a word |\n\
             |---|---|---:|---:|---:|---:|---:|---:|\n",
        );
        for row in &self.rejections {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {} | {} | {} | {} |",
                row.variant,
                row.damage.name(),
                row.frames,
                row.damaged,
                row.undetectable,
                row.rejected_by_checksum,
                row.rejected_by_format,
                row.rejected_silently
            );
        }
        text.push_str(
            "\n## Undetected errors against theory\n\n\
             | damage | packets | undetected | expected | p |\n|---|---:|---:|---:|---:|\n",
        );
        for row in &self.undetected {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {:.1} | {:.2} |",
                row.damage.name(),
                row.packets,
                row.unseen,
                row.expected,
                row.p
            );
        }
        text
    }
}
