// SPDX-License-Identifier: MIT OR Apache-2.0
//! Any bytes as a capture file to repair: only bytes of checksums change, and all of them are told; afterwards nothing is bad but what was
//! left; and a second repair changes nothing. The last byte picks which causes are repaired.
//!
//! `cargo +nightly fuzz run fix packet/fuzz/corpus/fix examples -- -max_total_time=600`
#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use libfuzzer_sys::fuzz_target;

const WANTED: [fn(&str) -> bool; 4] = [
    |_| true,
    |cause| cause == "offload",
    |cause| cause == "unknown",
    |cause| cause != "unknown",
];

fuzz_target!(|file: &[u8]| {
    let pick = file.last().copied().unwrap_or_default();
    common::check_fix(file, WANTED[usize::from(pick) % WANTED.len()]);
});
