// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compressed captures.

use std::io::{self, Read};

use wiresum_packet::{Capture, OpenError};

use super::reading::{read, read_chunks, read_from};
use super::writing::Order;
use crate::common::{self, COMPRESSIONS, compressed};

/// Each format, in one piece and in two pieces (members, frames, streams) one after the other.
#[test]
fn compressed_captures() {
    let file = Order::Little.pcap(0xa1b2_c3d4, 1);
    let expected = read(&file);
    for by in COMPRESSIONS {
        let one = compressed(by, &file);
        let two = [compressed(by, &file[..50]), compressed(by, &file[50..])].concat();
        for packed in [one, two] {
            assert_eq!(read_from(&file, &packed[..]), expected, "{by}");
            assert_eq!(read_chunks(&file, &packed[..]), expected, "{by}");
        }
    }
}

/// The frames before the damage are read, and a decompressed stream is bounded like a file.
#[test]
fn compressed_captures_that_are_damaged() {
    let mut file = Order::Little.pcap(0xa1b2_c3d4, 1);
    let mut random = common::Random::from_environment();
    for _ in 0..40_000 {
        file.extend(Order::Little.words(&[0, 0, 8, 8]));
        file.extend((0..8).map(|_| random.below(256) as u8));
    }
    for by in COMPRESSIONS {
        // because one lz4 block would hold all of the file
        let (head, tail) = file.split_at(file.len() / 2);
        let packed = [compressed(by, head), compressed(by, tail)].concat();
        let cut = &packed[..packed.len() * 3 / 4];
        let lines = read_from(&file, cut);
        assert!(lines.len() > 10_000, "{by}: {}", lines.len());
        assert_eq!(lines[0], "1 at 1000000000.999999000, Ethernet: one of 3");
        let malformed: Vec<_> = lines
            .iter()
            .filter(|line| line.contains("malformed"))
            .collect();
        assert!(
            malformed
                .iter()
                .any(|line| *line == "1 malformed: damaged compressed data"),
            "{by}: {malformed:?}"
        );
    }
}

/// A window that is too large is no damage of the data: `zstd --long=28` makes one. This frame of
/// zstd has a window of 256 MiB and one empty block.
#[test]
fn compressed_captures_that_need_too_much_memory() {
    const LONG: &[u8] = b"\x28\xb5\x2f\xfd\x00\x90\x01\x00\x00";
    assert_eq!(
        read(LONG),
        [
            "refused: the file is compressed with zstd and a window above 128 MiB (zstd --long=28 \
             and more); decompress it first"
        ]
    );
    let file = Order::Little.pcap(0xa1b2_c3d4, 1);
    let packed = [&compressed(common::COMPRESSIONS[1], &file), LONG].concat();
    let lines = read_from(&file, &packed[..]);
    let more = "1 malformed: compressed data that need more memory than is allowed".to_owned();
    assert!(lines.contains(&more), "{lines:?}");
    assert_eq!(lines.len(), read(&file).len() + 1);
}

/// A failure of the reader is no damage of the data.
#[test]
fn compressed_captures_whose_reader_fails() {
    struct Fail;
    impl Read for Fail {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    let file = Order::Little.pcap(0xa1b2_c3d4, 1);
    for by in COMPRESSIONS {
        let packed = compressed(by, &file);
        let failing = packed[..packed.len() / 2].chain(Fail);
        let error = match Capture::open(failing) {
            Ok(mut capture) => loop {
                match capture.next_frame() {
                    Ok(Some(_)) => {}
                    Ok(None) => panic!("{by}: no error"),
                    Err(error) => break error,
                }
            },
            Err(OpenError::Io(error)) => error,
            Err(error) => panic!("{by}: {error}"),
        };
        assert_eq!(error.to_string(), "unplugged", "{by}");
    }
}

/// Zeros, which compress a thousandfold, as one record that is too long: no byte of the record is
/// kept.
#[test]
fn a_compressed_bomb() {
    let head = &Order::Little.pcap(0xa1b2_c3d4, 1)[..24];
    let record = Order::Little.words(&[0, 0, 0x7fff_ffff, 0x7fff_ffff]);
    for by in COMPRESSIONS {
        let mut packed = Vec::new();
        let mut bomb = head.chain(&record[..]).chain(io::repeat(0).take(8 << 20));
        by.compress(&mut bomb, &mut packed)
            .expect("a vector takes all");
        let mut capture = Capture::open(&packed[..]).expect("a capture");
        assert!(capture.next_frame().expect("no failure").is_none());
        assert_eq!(
            capture.malformed().get("record length over 16 MiB"),
            Some(&1)
        );
    }
}
