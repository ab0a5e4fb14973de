// SPDX-License-Identifier: MIT OR Apache-2.0
//! A capture that this target compresses, so that each decompressor gets past its first bytes. The
//! first byte of the input picks the compression and the damage, and the next three say where and
//! what. The rest is the capture. Without damage, it decompresses to what it was.
//!
//! `python3 evidence/checks/fuzz.py --minutes 10 compressed`
#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use libfuzzer_sys::fuzz_target;

use common::{COMPRESSIONS, compressed};

fuzz_target!(|input: &[u8]| {
    let [pick, low, high, byte, plain @ ..] = input else {
        return;
    };
    let by = COMPRESSIONS[usize::from(pick & 3)];
    let place = usize::from(u16::from_le_bytes([*low, *high]));
    let mut file = match pick >> 2 & 3 {
        // two members, frames or streams
        0 => {
            let (head, tail) = plain.split_at(place % (plain.len() + 1));
            [compressed(by, head), compressed(by, tail)].concat()
        }
        _ => compressed(by, plain),
    };
    let place = place % file.len();
    match pick >> 2 & 3 {
        2 => file[place] ^= byte,
        3 => file.truncate(place),
        _ => {
            if let Some(same) = common::decompressed(&file) {
                assert!(same == plain, "{by} changes the file");
            }
        }
    }
    common::examine_all(&file);
});
