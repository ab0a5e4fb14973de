// SPDX-License-Identifier: MIT OR Apache-2.0
//! Capture files, written by hand: what a reader gets from each format for the same two frames, and
//! from damaged files.

mod compressed;
mod pcap;
mod pcap_parser_agrees;
mod pcapng;
mod reading;
mod snoop;
mod writing;

use std::io::{self, Read};

use crate::common;
use reading::read;
use wiresum_packet::{Capture, Compression, LinkType, OpenError};

#[test]
fn what_is_no_capture() {
    let refused = |file: &[u8]| read(file).concat();
    assert_eq!(refused(b""), "refused: the file is empty");
    assert_eq!(
        refused(b"\xd4\xc3\xb2\xa1\x02\x00"),
        "refused: the file ends within its own header"
    );
    assert_eq!(
        refused(b"hello, world; this is a text"),
        "refused: not a pcap, pcapng or snoop capture"
    );
    assert_eq!(
        refused(b"snoop\0\0\0\0\0\0\x01\0\0\0\x04 and so on, compressed"),
        "refused: a snoop capture of version 1; only version 2 is known"
    );
    assert_eq!(
        refused(b"BZh91AY&SY and so on, in another format of compression"),
        "refused: the file is compressed with bzip2; decompress it first, or compress it with \
         gzip, zstd, lz4 or xz"
    );
    assert!(matches!(
        Capture::open(&b"\x1f\x8b\x08\x00 and so on, not compressed"[..]),
        Err(OpenError::Compressed(Compression::Gzip, _))
    ));
}

#[test]
fn a_reader_that_fails_is_an_error() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is on fire"))
        }
    }
    let file = common::pcap(LinkType::RAW, [(&b"frame"[..], 5)]);
    let mut capture = Capture::open((&file[..]).chain(Fails)).expect("a capture");
    assert!(capture.next_frame().expect("a frame").is_some());
    assert_eq!(
        capture.next_frame().expect_err("an error").to_string(),
        "the disk is on fire"
    );
    assert!(matches!(Capture::open(Fails), Err(OpenError::Io(_))));
}

/// A frame says where in the file its bytes lie, also after blocks of other kinds, and where the
/// buffer has moved on.
#[test]
fn a_frame_knows_its_place_in_the_file() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    for name in ["office.pcapng", "tso.pcap", "big-tcp.pcap"] {
        let mut file = std::fs::read(folder.join(name)).expect("an example");
        if name.ends_with(".pcap") {
            // the records again and again, so that the file exceeds one read
            file.extend(file[24..].repeat(9));
        }
        let mut capture = Capture::open(&file[..]).expect("a capture");
        let mut frames = 0;
        while let Some(frame) = capture.next_frame().expect("a frame") {
            let place = frame.place(3);
            let position = place.position.expect("it is from a file") as usize;
            assert_eq!(file[position..][..frame.data.len() - 3], frame.data[3..]);
            assert_eq!((place.frame, place.offset), (frame.number, 3));
            frames += 1;
        }
        assert!(frames > 30, "{name} has {frames} frames");
    }
}
