// SPDX-License-Identifier: MIT OR Apache-2.0
//! The options of `plan`, and its help.

use std::ffi::OsString;
use std::path::PathBuf;

use wiresum_packet::Protocol;

use super::line::{Line, parse};
use super::traffic::{Traffic, mix};
use crate::values::{Jobs, protocol};

const PLAN: &str = "\
Say which way of summing is the cheapest for each length of your traffic

A line says what a sum costs by one way: so much for a job, and so much for each of its bytes. \
Software costs little for a job and much for a byte. An engine in hardware costs much for a job \
and little for a byte, and a batch of jobs shares the cost of one doorbell. Two lines meet at some \
length: one way is cheaper below it, and the other way is cheaper above it.

The traffic comes from captures: each checksum is a job, with the bytes that it covers and without \
the pseudo-header. An absent checksum is not a job, and neither is a checksum that is not a sum, \
such as CRC32c.";

const PLAN_EXAMPLES: &str = "\
Exit status:
  0  The plan is made.
  2  A file cannot be read, or the lines cannot be compared.

Examples:
  wiresum bench --json > cpu.json
  wiresum plan --bench cpu.json --line nic=350+0.15ns office.pcapng
  wiresum plan --lines engines.json --mix imix --batch 1,8,32
  wiresum plan --line software=720+23.99cycles --line engine=2604+0.15cycles";

const LINES: &str = "Lines (at least one)";

const TRAFFIC: &str = "Traffic";

/// Say which way of summing is the cheapest for each length of your traffic
#[derive(clap::Args)]
#[command(long_about = PLAN, after_help = PLAN_EXAMPLES)]
pub(crate) struct PlanOptions {
    /// The captures, and folders of captures; - is standard input
    ///
    /// Without any traffic, the command shows the lines and where they meet.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<OsString>,

    /// Count only the sums of this protocol, such as tcp
    #[arg(
        long, value_name = "NAME", value_parser = protocol(), hide_possible_values = true,
        requires = "files", help_heading = TRAFFIC
    )]
    pub(crate) field: Option<Protocol>,

    /// Plan for a histogram: a CSV file with the columns bytes and count; - is standard input
    #[arg(
        long, value_name = "FILE", conflicts_with_all = ["files", "mix"], help_heading = TRAFFIC
    )]
    pub(crate) lengths: Option<OsString>,

    /// Plan for a mix: imix, or lengths with their weights, such as 40:7,576:4,1500 or 0-1500
    #[arg(
        long, value_name = "MIX", conflicts_with = "files", help_heading = TRAFFIC,
        value_parser = mix
    )]
    pub(crate) mix: Option<Traffic>,

    /// Add a line: A for a job and B for each byte, in ns, cycles, or cycles@100MHz
    #[arg(
        long, value_name = "NAME=A+B", help_heading = LINES, value_parser = parse
    )]
    pub(crate) line: Vec<Line>,

    /// Add the lines of a JSON file, whose form the README of this program describes
    #[arg(long, value_name = "FILE", help_heading = LINES)]
    pub(crate) lines: Vec<PathBuf>,

    /// Add the line of a CPU, from a report of `wiresum bench --json`
    ///
    /// The line is fitted to the library's sums of up to 65536 bytes, and says how far it is off.
    #[arg(long, value_name = "FILE", help_heading = LINES)]
    pub(crate) bench: Vec<PathBuf>,

    /// Plan for jobs that come in batches of N, which share the cost of a batch
    ///
    /// Without this option, the command plans for single jobs, and also for batches of 32 if a line
    /// has a cost of a batch.
    #[arg(
        long, value_name = "N", value_delimiter = ',',
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(crate) batch: Vec<u32>,

    /// Choose the line with the least time of the CPU instead of the least elapsed time
    ///
    /// A line of a file says under `cpu` how much of its cost the CPU spends.
    #[arg(long)]
    pub(crate) cpu: bool,

    /// Print the plan as JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,

    /// Also write a page with the lines for a browser
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<OsString>,

    /// Replace the page if it exists
    #[arg(long, requires = "html")]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}
