// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run leaves behind: all numbers as JSON, the tables for people, with the machine, the versions and the commit.

use std::fmt::Write;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use serde::Serialize;

use crate::measure::Measured;
use crate::shares::Shares;
use crate::traffic::Test;
use crate::verify::{Rejection, Unseen};

#[derive(Serialize)]
pub struct Machine {
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
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

impl Machine {
    pub fn here() -> Machine {
        let cpuinfo = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let cpu = cpuinfo
            .lines()
            .find_map(|line| line.strip_prefix("model name"))
            .map_or("unknown", |rest| rest.trim_start_matches([' ', '\t', ':']));
        let commit =
            output_of("git", &["rev-parse", "--short", "HEAD"]).unwrap_or_else(|| "unknown".into());
        let changed = output_of("git", &["status", "--porcelain", "--untracked-files=no"])
            .is_some_and(|text| !text.is_empty());
        Machine {
            cpu: cpu.to_owned(),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            system: output_of("uname", &["-srm"]).unwrap_or_default(),
            kernel_of_wiresum: wiresum::kernel::in_use().name().to_owned(),
            lwip: env!("LWIP_VERSION"),
            smoltcp: "0.14.0",
            c_compiler: env!("C_COMPILER"),
            rust_compiler: env!("RUST_COMPILER"),
            commit: if changed {
                format!("{commit}, changed")
            } else {
                commit
            },
            unix_time: std::time::SystemTime::now()
                .duration_since(std::time::UNIX_EPOCH)
                .map_or(0, |time| time.as_secs()),
        }
    }
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
        crate::charts::all(
            folder,
            &self.measured,
            if self.shares_of_instructions.is_empty() {
                &self.shares_of_time
            } else {
                &self.shares_of_instructions
            },
            !self.shares_of_instructions.is_empty(),
        )
    }

    fn tables(&self) -> String {
        let mut text = String::from(
            "# A run of the TCP benchmark\n\nWritten by the run itself; [bench/tcp](../../tcp/README.md) says what is measured, and how.\n\n",
        );
        let m = &self.machine;
        let _ = writeln!(
            text,
            "{}, {} CPUs, {}; wiresum's kernel {}; lwIP {}, {}; smoltcp {}, {}; commit {}; medians of {} rounds, in brackets the quartiles; seed {}.\n",
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
        text.push_str("## Speed\n\n| test | stack | variant | rate | of stock | of off |\n|---|---|---|---:|---:|---:|\n");
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
                "instructions (callgrind; AVX2 kernels)",
                &self.shares_of_instructions,
            ),
        ] {
            if shares.is_empty() {
                continue;
            }
            let _ = write!(
                text,
                "\n## Shares by {title}\n\n| variant | test | checksum | copy | both in one | comparison of the payload | of |\n|---|---|---:|---:|---:|---:|---:|\n"
            );
            for row in shares {
                let _ = writeln!(
                    text,
                    "| {} | {} | {:.0} % | {:.0} % | {:.0} % | {:.0} % | {} |",
                    row.variant,
                    row.test.map_or("", Test::name),
                    100.0 * row.checksum,
                    100.0 * row.copy,
                    100.0 * row.fused,
                    100.0 * row.comparison,
                    row.of
                );
            }
        }
        text.push_str("\n## Damaged segments\n\n| variant | damage | frames | damaged | no 16-bit sum sees | rejected by checksum | by format | without a word |\n|---|---|---:|---:|---:|---:|---:|---:|\n");
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
        text.push_str("\n## Undetected errors against theory\n\n| damage | packets | undetected | expected | p |\n|---|---:|---:|---:|---:|\n");
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
