// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verdicts on hand-made frames: the frames of `frames.txt`, which `frames.py` makes, and those
//! that need no file.

use crate::common::{frames, verdicts};
use wiresum_packet::{Frame, LinkType};

#[test]
fn verdicts_on_hand_made_frames() {
    let frames = frames();
    assert!(frames.len() > 200, "only {} frames", frames.len());
    let wrong: Vec<_> = frames
        .iter()
        .map(|case| (&case.about, verdicts(&case.frame()), &case.verdicts))
        .filter(|(_, found, due)| found != *due)
        .collect();
    assert!(wrong.is_empty(), "case, found, due: {wrong:#?}");
}

/// Each case that has a good checksum, with a wrong byte in that checksum.
#[test]
fn verdicts_on_single_faults() {
    let (mut faults, mut wrong) = (0, Vec::new());
    for case in &frames() {
        let Some(data) = case.broken_data() else {
            continue;
        };
        faults += 1;
        let frame = Frame {
            data: &data,
            ..case.frame()
        };
        let without_cause = |verdict: String| match (verdict.find(" ("), verdict.find(')')) {
            (Some(from), Some(to)) if verdict.contains(" bad ") => {
                format!("{}{}", &verdict[..from], &verdict[to + 1..])
            }
            _ => verdict,
        };
        let found: Vec<_> = verdicts(&frame).into_iter().map(without_cause).collect();
        if found != case.broken_verdicts {
            wrong.push((case.about.clone(), found, case.broken_verdicts.clone()));
        }
    }
    assert!(wrong.is_empty(), "case, found, due: {wrong:#?}");
    assert!(faults > 150, "only {faults} single faults");
}

/// Snaps each frame at every length: no checksum of a snapped frame is bad, unless it is bad in the
/// whole frame.
#[test]
fn a_snapped_packet_is_never_bad() {
    for case in &frames() {
        for len in 0..case.data.len() {
            let frame = Frame {
                data: &case.data[..len],
                ..case.frame()
            };
            // The bytes after the packet, such as padding, may be the only evidence of the cause.
            let but_the_cause = |verdict: &str| {
                let words = verdict.split([' ', ',']);
                let words = words.filter(|word| !word.starts_with('('));
                words.collect::<String>()
            };
            for verdict in verdicts(&frame) {
                let known = case
                    .verdicts
                    .iter()
                    .any(|known| but_the_cause(known) == but_the_cause(&verdict));
                assert!(
                    known || !verdict.contains("bad"),
                    "{} to {len} bytes: {verdict}",
                    case.about
                );
            }
        }
    }
}

#[test]
fn nesting_is_bounded() {
    // IPv4 headers in one another, the innermost first. Each header names IPv4 as its payload, and
    // carries only the headers before it.
    let mut packet = Vec::new();
    for layers in 1..=40_u16 {
        let mut header = [
            0x45, 0, 0, 0, 0, 0, 0, 0, 64, 4, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2,
        ];
        header[2..4].copy_from_slice(&(layers * 20).to_be_bytes());
        let checksum = wiresum::ipv4::header(&header).to_wire();
        header[10..12].copy_from_slice(&checksum);
        packet.splice(0..0, header);
    }
    let found = verdicts(&Frame::new(LinkType::RAW, &packet));
    assert_eq!(found.len(), 33);
    assert_eq!(found[31], "layer 32 ipv4 good");
    assert_eq!(found[32], "obstacle: more than 32 layers");
}
