// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum bench`: shows the measurements of the crate `wiresum-bench` as tables, as a page or as
//! JSON.

mod chart;
mod grid;
mod machine;
mod options;
mod page;
mod table;

use std::fs::File;
use std::io::{self, BufReader, IsTerminal, Write};

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use wiresum_bench::{Options, Report};

use crate::outcome::Outcome;
use crate::output;

pub(crate) use grid::bytes;
pub(crate) use options::BenchOptions;

pub(crate) fn run(options: &BenchOptions) -> anyhow::Result<Outcome> {
    if let Some(path) = &options.html {
        output::check(path.as_ref(), options.force)?; // before the minutes that measuring takes
    }
    let report = match &options.from {
        Some(path) => read(path).with_context(|| path.display().to_string())?,
        None => measure(options)?,
    };
    if let Some(path) = &options.html {
        let mut file = output::create(path.as_ref(), options.force)?;
        file.write_all(page::page(&report)?.as_bytes())
            .with_context(|| path.display().to_string())?;
    }
    let mut out = anstream::stdout().lock();
    if options.json {
        serde_json::to_writer_pretty(&mut out, &report)?;
        writeln!(out)?;
    } else {
        table::write(&mut out, &report)?;
    }
    out.flush()?;
    Ok(Outcome::Good)
}

/// Reads the report of an earlier run with `--json`.
pub(crate) fn read(path: &std::path::Path) -> anyhow::Result<Report> {
    let report: Report = serde_json::from_reader(BufReader::new(File::open(path)?))?;
    anyhow::ensure!(
        report.format == 1,
        "the report has the format {}, and this version reads only the format 1",
        report.format
    );
    Ok(report)
}

fn measure(options: &BenchOptions) -> anyhow::Result<Report> {
    let bar = if io::stderr().is_terminal() {
        ProgressBar::new(1)
    } else {
        ProgressBar::hidden()
    };
    let style = ProgressStyle::with_template("{bar:40} {pos}/{len} {msg}, {eta} left");
    bar.set_style(style.expect("a valid template"));
    let report = wiresum_bench::run(
        &Options {
            quick: options.quick,
            kernels: options.kernel.clone(),
            sizes: options.size.clone(),
            sections: options.section.iter().map(|section| section.0).collect(),
            seed: options.seed,
        },
        Vec::new(),
        |done, of, what| {
            bar.set_length(of as u64);
            bar.set_position(done as u64);
            bar.set_message(what.to_owned());
        },
    )?;
    bar.finish_and_clear();
    Ok(report)
}
