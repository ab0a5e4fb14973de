// SPDX-License-Identifier: MIT OR Apache-2.0
//! The options of `bench`, and its help.

use std::path::PathBuf;

use wiresum_bench::{SECTIONS, Section};

const BENCH: &str = "\
Measure the kernels on this machine

Measures every kernel that this CPU supports: on sizes from 20 bytes to more than any cache holds, \
at three alignments, as copies to several places of a page, on mixes of packet lengths, by \
latency, on headers, in batches, and at the ends of pages. What new pages and CPUID add to first \
calls is a section of its own. In addition to the kernels, it measures the limits of the machine: \
a loop that only loads, and the C library's memcpy. Every kernel is verified before it is timed.

A run takes a minute or two on an idle machine. Each figure is the minimum of many short samples, \
so figures of a busy machine still compare. The line \"core\" says whether anything else used the \
core: every round compares the same memcpy of 4 KiB with its best of the run. A cycle is one of \
the core: a tick of the time stamp counter, times a ratio that each round measures anew.";

/// Measure the kernels on this machine
#[derive(clap::Args)]
#[command(long_about = BENCH)]
pub(crate) struct BenchOptions {
    /// Measure less, in about ten seconds
    #[arg(long)]
    pub(crate) quick: bool,

    /// Measure only these kernels, named as `wiresum kernels` lists them
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) kernel: Vec<String>,

    /// Measure only buffers of these sizes, in bytes
    #[arg(long, value_name = "BYTES", value_delimiter = ',', value_parser = size)]
    pub(crate) size: Vec<usize>,

    /// Measure only these sections: memory, sizes, page_offsets, mixes, latency, headers, batch,
    /// page_end
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = section)]
    pub(crate) section: Vec<BenchSection>,

    /// Print all numbers as JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,

    /// Also write a page with charts for a browser
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Replace the page if it exists
    #[arg(long, requires = "html")]
    pub(crate) force: bool,

    /// Measure nothing, and show the report of an earlier run with --json
    #[arg(
        long, value_name = "FILE",
        conflicts_with_all = ["quick", "kernel", "size", "section", "seed"]
    )]
    pub(crate) from: Option<PathBuf>,

    /// The seed of the random lengths and data
    #[arg(long, value_name = "NUMBER", default_value_t = 1071)]
    pub(crate) seed: u64,
}

#[derive(Clone, Copy)]
pub(crate) struct BenchSection(pub(crate) Section);

fn section(name: &str) -> Result<BenchSection, String> {
    let found = SECTIONS
        .into_iter()
        .find(|section| section.to_string() == name);
    found.map(BenchSection).ok_or_else(|| {
        let names: Vec<_> = SECTIONS.iter().map(ToString::to_string).collect();
        format!("the sections are {}", names.join(", "))
    })
}

/// A size to measure, of which the memory of most machines holds several copies.
fn size(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(size @ 1..=0x1000_0000) => Ok(size),
        Ok(_) => Err("a size is from 1 to 268435456 bytes".to_owned()),
        Err(_) => Err("give a number of bytes".to_owned()),
    }
}
