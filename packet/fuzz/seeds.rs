// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes the first inputs of the fuzz targets: small files of each format, plain and compressed,
//! with the frames of `packet/tests/frames.txt`.
//!
//! `cargo run -p wiresum-packet --example seeds -- build/fuzz/seeds`

#[path = "../tests/common/mod.rs"]
mod common;

use std::fs;
use std::io;
use std::path::PathBuf;

use common::{COMPRESSIONS, compressed, every_format};

/// The number of frames in a file.
const FRAMES: usize = 24;

fn main() -> io::Result<()> {
    let folder = std::env::args_os().nth(1).map(PathBuf::from);
    let folder = folder.expect("name the folder for the inputs");
    let write = |target: &str, number: usize, input: &[u8]| {
        let folder = folder.join(target);
        fs::create_dir_all(&folder)?;
        fs::write(folder.join(number.to_string()), input)
    };
    let cases = common::frames();
    for (number, case) in cases.iter().enumerate() {
        // The target `frame` takes a byte for the link type and one for what was snapped.
        let pick = [1, 0, 101, 108, 113, 276, 228, 229]
            .iter()
            .position(|&link_type| link_type == case.link_type);
        if let Some(pick) = pick {
            write(
                "frame",
                number,
                &[&[pick as u8, 0], &case.data[..]].concat(),
            )?;
        }
    }
    let files = cases.chunks(FRAMES).flat_map(every_format);
    for (number, plain) in files.enumerate() {
        for target in ["capture", "fix"] {
            let first = (COMPRESSIONS.len() + 1) * number;
            write(target, first, &plain)?;
            for (by, number) in COMPRESSIONS.into_iter().zip(first + 1..) {
                write(target, number, &compressed(by, &plain))?;
            }
        }
        // The target `compressed` takes a byte for the compression and the damage, two for the
        // place, and one for what is damaged.
        let pick = number % 16;
        let input = [&[pick as u8, 60, 0, 1], &plain[..]].concat();
        write("compressed", number, &input)?;
    }
    Ok(())
}
