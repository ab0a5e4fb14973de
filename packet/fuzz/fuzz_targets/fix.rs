// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arbitrary bytes as a capture file to repair. Only bytes of checksums and flags change, and every
//! change is reported. Afterwards each bad checksum is one that was left, and a second repair
//! changes nothing. The last byte of the input picks the causes to repair.
//!
//! `python3 evidence/checks/fuzz.py --minutes 10 fix`
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
