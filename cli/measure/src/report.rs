// SPDX-License-Identifier: MIT OR Apache-2.0
//! The result of a run. `wiresum bench --json` prints it as it is here.

use serde::{Deserialize, Serialize};

use crate::machine::Machine;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The version of the format, 1: later reports may have more members. No member goes, and none
    /// changes its meaning.
    pub format: u32,
    pub machine: Machine,
    /// All contenders, those included that could not be had.
    pub contenders: Vec<Entry>,
    pub rows: Vec<Row>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The library's public function.
    Library,
    /// One of its kernels.
    Kernel,
    /// The limits of the machine: the load-only loops, memcpy, one load a packet.
    Yardstick,
    /// A function that a user would pick instead.
    Rival,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub name: String,
    pub role: Role,
    /// Whether the contender is right; none if it sums nothing, as a yardstick, or did not run.
    pub verified: Option<bool>,
    /// Its version, its mistake, or the reason why it did not run.
    pub note: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// What the system and CPUID add to the first calls, apart from the steady state: each row is
    /// an event, such as the first load of a page.
    Memory,
    /// One buffer again and again.
    Sizes,
    /// Copies as in `Sizes`, as the mean over eight places of the destination in its page. In
    /// `Sizes`, source and destination begin near the same place of their pages: some CPUs then
    /// have loads wait for stores whose addresses agree in the low 12 bits.
    PageOffsets,
    /// At least 32768 packets of shuffled lengths.
    Mixes,
    /// Each call waits for the one before it.
    Latency,
    /// IPv4 headers of 20 bytes.
    Headers,
    /// Many packets in one call.
    Batch,
    /// The data ends where a page ends after which nothing can be read.
    PageEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Operation {
    Sum,
    Copy,
}

/// One contender in one case.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    pub section: Section,
    pub operation: Operation,
    pub contender: String,
    pub role: Role,
    /// The name of the mix, where it is one.
    pub mix: Option<String>,
    /// The length of the data, or the mean of it.
    pub bytes: f64,
    /// Where the data lies: L1, L2, L3, DRAM.
    pub level: String,
    /// How far after the start of a cache line the data begins.
    pub alignment: usize,
    /// Nanoseconds a call.
    pub min_ns: f64,
    pub median_ns: f64,
    /// The distance of the quartiles, in parts of the median.
    pub spread: f64,
    pub min_cycles: Option<f64>,
    pub median_cycles: Option<f64>,
    /// By the minimum.
    pub bytes_per_cycle: Option<f64>,
    /// The speed in parts of the case's limit, by the minima. The limit is the best load-only loop,
    /// memcpy, or one load a packet. The limit of a mix also is a load-only loop without a branch.
    pub of_limit: Option<f64>,
    /// The same by the medians.
    pub of_limit_median: Option<f64>,
    /// The time of a call at the end of a page, in parts of the same call's elsewhere, at the
    /// length where it is the most. That length is `bytes`.
    pub page_end: Option<f64>,
    /// The time of a memcpy of 4 KiB while the case was measured, in parts of its best in the run:
    /// more than 1 where something else used the core. None in reports that lack it.
    #[serde(default)]
    pub core: Option<f64>,
}
