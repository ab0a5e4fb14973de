// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arbitrary bytes cause no panic, no endless loop, and no verdict that contradicts plain loops.
//! The fuzz targets look further; this test runs always.

use crate::common::{
    COMPRESSIONS, Random, Reasonable, check_fix, compressed, decompressed, every_format,
    examine_all, frames,
};
use wiresum_packet::{Frame, examine};

/// Small files of each format, with all kinds of frames.
fn files() -> Vec<Vec<u8>> {
    every_format(&frames())
}

/// Damaged files of all formats, plain and compressed, are read to their end and repaired.
#[test]
fn damaged_files_of_every_format() {
    let mut random = Random::from_environment();
    let plain = files();
    let packed: Vec<_> = plain
        .iter()
        .flat_map(|file| COMPRESSIONS.map(|by| compressed(by, file)))
        .collect();
    for _ in 0..300 {
        for kind in [&plain, &packed] {
            let mut file = kind[random.below(kind.len())].clone();
            for _ in 0..random.below(6) {
                let at = random.below(file.len());
                file[at] = random.below(256) as u8;
            }
            file.truncate(file.len() - random.below(2) * random.below(file.len()));
            check_fix(&file, |_| true);
            examine_all(&file);
        }
    }
}

/// A file that is not damaged decompresses to what was compressed, and has the same frames.
#[test]
fn compressed_files_of_every_format() {
    for by in COMPRESSIONS {
        let mut smaller = 0;
        for plain in files() {
            let file = compressed(by, &plain);
            smaller += usize::from(2 * file.len() < plain.len());
            assert_eq!(decompressed(&file).as_ref(), Some(&plain), "{by}");
            examine_all(&file);
            check_fix(&file, |_| true);
        }
        assert!(smaller > 0, "{by}: no frames hold more bytes than the file");
    }
}

#[test]
fn every_prefix() {
    for file in files() {
        for len in 0..=file.len().min(2000) {
            examine_all(&file[..len]);
        }
    }
}

/// Returns the byte with each bit flipped, and the values at which parsers change their mind.
fn changed(was: u8) -> impl Iterator<Item = u8> {
    let flipped = (0..8).map(move |bit| was ^ 1 << bit);
    flipped.chain([0, 1, 0x7f, 0x80, 0xff])
}

/// Changes every byte of the files' own headers, and of the first few records.
#[test]
fn every_byte_of_a_file_changed() {
    for mut file in files() {
        file.truncate(600);
        for at in 0..file.len() {
            let was = file[at];
            for value in changed(was) {
                file[at] = value;
                examine_all(&file);
            }
            file[at] = was;
        }
    }
}

/// Changes every byte of each frame alone. This reaches deeper into each protocol than a file does.
#[test]
fn every_byte_of_every_frame_changed() {
    for case in &frames() {
        let mut data = case.data.clone();
        for at in 0..data.len() {
            let was = data[at];
            for value in changed(was) {
                data[at] = value;
                let frame = Frame {
                    data: &data,
                    ..case.frame()
                };
                examine(&frame, &mut Reasonable);
            }
            data[at] = was;
        }
    }
}

#[test]
fn many_bytes_at_random() {
    let mut random = Random::from_environment();
    let cases = frames();
    for _ in 0..50_000 {
        let case = &cases[random.below(cases.len())];
        let mut data = case.data.clone();
        for _ in 0..random.below(8) {
            let at = random.below(data.len());
            data[at] = random.below(256) as u8;
        }
        data.truncate(random.below(data.len() + 1));
        let original_len = data.len() + random.below(3) * random.below(70_000);
        examine(
            &Frame {
                data: &data,
                original_len,
                ..case.frame()
            },
            &mut Reasonable,
        );
    }
}
