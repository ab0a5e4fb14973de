// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arbitrary bytes as a capture file: no panic, no endless loop, bounded memory, and only verdicts
//! that plain loops confirm.
//!
//! `python3 evidence/checks/fuzz.py --minutes 10 capture`
#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|file: &[u8]| common::examine_all(file));
