// SPDX-License-Identifier: MIT OR Apache-2.0
//! A capture in ranges: together they have the counts of one reading, wherever it is split.

use std::fs;
use std::path::Path;

use wiresum_packet::ranges::{Alone, Beginning, Header, Index, Run, index, runs};
use wiresum_packet::{Capture, Flows, Frame, LinkType, Reassembly, Tally};

use crate::common::{frames, pcap};

/// Calls a function with each frame of a capture, and adds what is malformed to the counts.
fn each(file: &[u8], tally: &mut Tally, mut then: impl FnMut(&Frame<'_>, &mut Tally)) -> u64 {
    let mut capture = Capture::open(file).expect("a capture");
    let mut frames = 0;
    while let Some(frame) = capture.next_frame().expect("bytes in memory") {
        frames += 1;
        then(&frame, tally);
    }
    tally.add_malformed(capture.malformed());
    frames
}

/// The counts of one reading.
fn whole(file: &[u8]) -> (u64, Tally) {
    let (mut tally, mut reassembly, mut flows) =
        (Tally::default(), Reassembly::default(), Flows::default());
    let frames = each(file, &mut tally, |frame, tally| {
        reassembly.examine(frame, &mut flows.sink(tally));
    });
    reassembly.finish(&mut flows.sink(&mut tally));
    (frames, tally)
}

/// The ranges of a capture, each of which begins where the one before it ended.
fn ranges(file: &[u8], step: u64) -> Vec<(Header, Index)> {
    let Beginning { start, first, .. } = Beginning::of(file).expect("a capture that can be split");
    let (mut at, mut header) = (start, first);
    let mut ranges = Vec::new();
    loop {
        let found = index(&file[at as usize..], &header, at, true, at + step);
        let found = found.expect("bytes in memory").expect("a known beginning");
        assert_eq!(found.begin, at);
        let next = found.header.as_deref().and_then(Header::of);
        let (end, ended) = (found.end, found.ended);
        ranges.push((header, found));
        if ended {
            return ranges;
        }
        assert!(end >= at + step, "{end} is before {at} + {step}");
        (at, header) = (end, next.expect("few headers"));
    }
}

/// The counts of all ranges, and of the frames that wait in them.
fn in_ranges(file: &[u8], step: u64) -> (u64, Tally) {
    let (mut tally, mut reassembly, mut flows) =
        (Tally::default(), Reassembly::default(), Flows::default());
    let mut frames = 0;
    for (header, found) in ranges(file, step) {
        let records = &file[found.begin as usize..found.end as usize];
        let mut waits = 0;
        let seen = each(
            &[header.bytes(), records].concat(),
            &mut tally,
            |frame, tally| {
                waits += u64::from(Alone::new(tally).examine(frame));
            },
        );
        assert_eq!(seen, found.frames);
        frames += seen;
        let mut waiting = 0;
        for (header, places) in &found.waiting {
            for Run {
                start, len, frames, ..
            } in runs(places)
            {
                waiting += frames;
                let records = &file[start as usize..(start + len) as usize];
                let mut none = Tally::default();
                let file = [header, records].concat();
                let seen = each(&file, &mut none, |frame, _| {
                    reassembly.examine(frame, &mut flows.sink(&mut tally));
                });
                assert_eq!(seen, frames);
            }
        }
        assert_eq!(waiting, waits);
    }
    reassembly.finish(&mut flows.sink(&mut tally));
    (frames, tally)
}

/// Captures of every kind that can be split.
fn captures() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let files = fs::read_dir(folder).expect("the examples");
    let files = files.map(|file| fs::read(file.expect("a file").path()).expect("its bytes"));
    let mut captures: Vec<_> = files.filter(|file| Beginning::of(file).is_some()).collect();
    assert!(captures.len() > 5);
    let cases = frames();
    let ethernet = cases.iter().map(|case| case.frame());
    let ethernet: Vec<_> = ethernet
        .filter(|frame| frame.link_type == LinkType::ETHERNET)
        .collect();
    assert!(ethernet.len() > 100);
    let frames = ethernet
        .iter()
        .map(|frame| (frame.data, frame.original_len));
    captures.push(pcap(LinkType::ETHERNET, frames));
    let mut odd = captures[0].clone();
    odd.truncate(odd.len() - 3); // the last record is cut off
    captures.push(odd);
    captures
}

#[test]
fn ranges_have_the_counts_of_one_reading() {
    for file in captures() {
        let expected = whole(&file);
        for step in [1, 500, 4001, 1 << 20] {
            let parts = file.len() as u64 / step;
            if parts < 400 {
                assert!(in_ranges(&file, step) == expected, "{step}");
            }
        }
    }
}

#[test]
fn a_range_that_begins_anywhere_finds_the_next_record() {
    for file in captures() {
        let most = Beginning::of(&file).expect("it can be split").most;
        let known: Vec<u64> = ranges(&file, 1).iter().map(|(_, it)| it.begin).collect();
        let end = file.len() as u64;
        let (mut right, mut tried) = (0, 0);
        for start in (100..end.saturating_sub(5000)).step_by(997) {
            tried += 1;
            let found = index(&file[start as usize..], &most, start, false, start + 1);
            let found = found.expect("bytes in memory");
            let next = known.iter().find(|&&begin| begin >= start);
            right += u32::from(found.map(|it| it.begin).as_ref() == next);
        }
        assert!(right * 10 >= tried * 9, "{right} of {tried}");
    }
}

#[test]
fn what_cannot_be_split() {
    assert!(Beginning::of(b"").is_none());
    assert!(Beginning::of(b"\x1f\x8b\x08\0 and so on, compressed").is_none());
    assert!(Beginning::of(b"snoop\0\0\0\0\0\0\x02\0\0\0\x04 and so on").is_none());
    assert!(Beginning::of(&[0xd4, 0xc3, 0xb2, 0xa1, 2, 0, 4, 0]).is_none());
    assert!(Header::of(b"hello, world; this is a text").is_none());
}

#[test]
fn a_record_without_an_end_ends_the_capture() {
    let mut file = pcap(LinkType::ETHERNET, [(&[0; 60][..], 60)]);
    let end = file.len() as u64;
    file.extend([0; 8]);
    file.extend([0xff; 8]); // captured and original length
    file.extend([0; 100]);
    let (_, found) = ranges(&file, 1 << 20).remove(0);
    assert_eq!((found.end, found.ended, found.frames), (end + 16, true, 1));
}
