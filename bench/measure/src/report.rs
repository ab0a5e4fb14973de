// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a run of the benchmark found. `wiresum bench --json` prints it as it is here.

use serde::{Deserialize, Serialize};

use crate::machine::Machine;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// 1: members are added to it, but none is taken away or changes its meaning.
    pub format: u32,
    pub machine: Machine,
    /// Everything that took part, or was to.
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
    /// What the machine can do: the load-only loops, memcpy, one load a packet.
    Yardstick,
    /// What a user would pick instead.
    Rival,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entry {
    pub name: String,
    pub role: Role,
    /// Whether it is right; none for a yardstick, which sums nothing, and for what did not run.
    pub verified: Option<bool>,
    /// What is wrong with it, or why it did not run, or its version.
    pub note: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Section {
    /// One buffer again and again.
    Sizes,
    /// At least 32768 packets of shuffled lengths.
    Mixes,
    /// Each call waits for the one before it.
    Latency,
    /// IPv4 headers of 20 bytes.
    Headers,
    /// Many packets in one call.
    Batch,
    /// The data ends where a page ends behind which nothing can be read.
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
    /// How far behind a cache line the data begins.
    pub alignment: usize,
    /// A call.
    pub min_ns: f64,
    pub median_ns: f64,
    /// The range of the middle half of the samples, in parts of the median.
    pub spread: f64,
    pub min_cycles: Option<f64>,
    pub median_cycles: Option<f64>,
    /// By the minimum.
    pub bytes_per_cycle: Option<f64>,
    /// How fast it is in parts of the case's limit: of the best load-only loop, memcpy, or one load a packet. By the minima and by the medians.
    pub of_limit: Option<f64>,
    pub of_limit_median: Option<f64>,
    /// What a call at the end of a page takes in parts of the same call elsewhere, at the worst length, which is `bytes`.
    pub page_end: Option<f64>,
}
