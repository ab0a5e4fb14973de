// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arbitrary bytes cause no panic, no endless loop, and no verdict that contradicts plain loops.
//! The fuzz targets look further; this test runs always.

mod common;

use common::{Random, Reasonable, check_fix, examine_all, frames, pcap};
use wiresum_packet::{Compression, Frame, LinkType, examine};

/// Small files of each format, with all kinds of frames.
fn files() -> Vec<Vec<u8>> {
    let cases = frames();
    let of = |link_type: u32| {
        let some = cases.iter().filter(move |case| case.link_type == link_type);
        pcap(
            LinkType(link_type),
            some.map(|case| (&case.data[..], case.frame().original_len)),
        )
    };
    let mut files: Vec<_> = [1, 0, 101, 108, 113, 276].into_iter().map(of).collect();
    // A pcapng file in each byte order: a section, an interface, packets.
    let words = |words: &[u32], big: bool| -> Vec<u8> {
        let bytes = |word: &u32| {
            if big {
                word.to_be_bytes()
            } else {
                word.to_le_bytes()
            }
        };
        words.iter().flat_map(bytes).collect()
    };
    for big in [false, true] {
        let link = if big { 0x0001_0000 } else { 1 };
        let mut file = words(&[0x0a0d_0d0a, 28, 0x1a2b_3c4d, 1, !0, !0, 28], big);
        file.extend(words(&[1, 20, link, 65535, 20], big));
        for case in cases.iter().filter(|case| case.link_type == 1).take(4) {
            let padded = case.data.len().next_multiple_of(4) as u32;
            let len = case.data.len() as u32;
            file.extend(words(&[6, padded + 32, 0, 0, 7, len, len], big));
            file.extend(&case.data);
            file.resize(file.len().next_multiple_of(4), 0);
            file.extend(words(&[padded + 32], big));
        }
        files.push(file);
    }
    files
}

/// Damaged files of all formats, plain and compressed, are read to their end and repaired.
#[test]
fn damaged_files_of_every_format() {
    let mut random = Random::from_environment();
    let mut plain = files();
    plain.push(snoop());
    let by = [
        Compression::Gzip,
        Compression::Zstd,
        Compression::Lz4,
        Compression::Xz,
    ];
    let packed: Vec<_> = plain
        .iter()
        .flat_map(|file| by.map(|by| compressed(by, file)))
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
            // A compressed file may hold more bytes than its own length.
            if Compression::of(&file).is_none() {
                examine_all(&file);
            }
        }
    }
}

fn compressed(by: Compression, mut file: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    by.compress(&mut file, &mut packed)
        .expect("a vector takes all");
    packed
}

/// Returns the Ethernet frames as a snoop file.
fn snoop() -> Vec<u8> {
    let mut file = b"snoop\0\0\0\0\0\0\x02\0\0\0\x04".to_vec();
    for case in frames().iter().filter(|case| case.link_type == 1) {
        let padded = case.data.len().next_multiple_of(4);
        let wire = case.wire.unwrap_or(case.data.len());
        for word in [wire, case.data.len(), padded + 24, 0, 7, 0] {
            file.extend((word as u32).to_be_bytes());
        }
        file.extend(&case.data);
        file.resize(file.len() + padded - case.data.len(), 0);
    }
    file
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
