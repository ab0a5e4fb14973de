// SPDX-License-Identifier: MIT OR Apache-2.0
//! The short way through plain frames counts what the walk finds.

use std::fs::{self, File};
use std::path::Path;

use crate::common::{Walked, check_short_way, frames};
use wiresum_packet::{
    Capture, Field, Frame, Needs, PlainFrame, Protocol, Sink, Tally, Verdict, examine,
};

/// A sink that wants no fields, and notes the calls that stand in for verdicts.
#[derive(Default)]
struct Counted(Vec<(Protocol, &'static str)>);

impl Sink for Counted {
    fn needs(&self) -> Needs {
        Needs::Counts
    }

    fn count(&mut self, frame: &PlainFrame<'_>) {
        let fields = frame
            .fields
            .iter()
            .map(|(protocol, status)| (*protocol, status.key()));
        self.0.extend(fields);
    }

    fn verdict(&mut self, _: &Frame<'_>, _: &Field, _: &Verdict) {}
}

/// Each frame, whole, snapped at each length, and with each byte changed in several ways.
#[test]
fn every_frame_and_its_faults() {
    for case in &frames() {
        let frame = case.frame();
        check_short_way(&frame);
        for len in 0..case.data.len() {
            check_short_way(&Frame {
                data: &case.data[..len],
                ..frame
            });
        }
        for at in 0..case.data.len().min(120) {
            for fault in [0x01, 0x40, 0x80, 0xff] {
                let mut data = case.data.clone();
                data[at] ^= fault;
                check_short_way(&Frame {
                    data: &data,
                    ..frame
                });
            }
        }
    }
}

/// Frames in which the length, the protocol, a port or the checksum has many values: one frame for
/// each list of checksums.
#[test]
fn every_value_of_the_fields_that_decide() {
    let cases = frames();
    let (mut tried, mut kinds) = (0, Vec::new());
    for case in &cases {
        let mut counted = Counted::default();
        examine(&case.frame(), &mut counted);
        if counted.0.is_empty() || kinds.contains(&counted.0) {
            continue;
        }
        kinds.push(counted.0);
        for at in (12..case.data.len().min(64) - 1).step_by(2) {
            let mut data = case.data.clone();
            for value in (0..=u16::MAX).step_by(if at > 24 { 61 } else { 197 }) {
                data[at..at + 2].copy_from_slice(&value.to_be_bytes());
                check_short_way(&Frame {
                    data: &data,
                    ..case.frame()
                });
                tried += 1;
            }
        }
    }
    assert!(tried > 100_000, "only {tried} frames");
}

/// The short way is taken for each status and protocol that it judges, and through tunnels.
#[test]
fn plain_frames_take_the_short_way() {
    let (mut counted, mut most) = (Counted::default(), 0);
    for case in &frames() {
        let before = counted.0.len();
        examine(&case.frame(), &mut counted);
        most = most.max(counted.0.len() - before);
    }
    assert!(most > 3, "no frame with a tunnel: {most} checksums at most");
    for of in [
        (Protocol::Ipv4, "good"),
        (Protocol::Tcp, "good"),
        (Protocol::Tcp, "bad"),
        (Protocol::Udp, "good"),
        (Protocol::Udp, "bad"),
        (Protocol::Udp, "absent"),
        (Protocol::Icmp, "good"),
        (Protocol::Icmpv6, "good"),
        (Protocol::Igmp, "good"),
        (Protocol::Eigrp, "good"),
        (Protocol::Sctp, "good"),
        (Protocol::Dccp, "good"),
        (Protocol::Gre, "good"),
    ] {
        assert!(counted.0.contains(&of), "{of:?} took the long way only");
    }
}

/// Every capture of the examples.
#[test]
fn every_example() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let (mut counted, mut walked) = (Tally::default(), Walked::default());
    for entry in fs::read_dir(folder).expect("the examples") {
        let path = entry.expect("an entry").path();
        let Ok(mut capture) = Capture::open(File::open(&path).expect("a file")) else {
            continue;
        };
        while let Some(frame) = capture.next_frame().expect("a whole file") {
            examine(&frame, &mut counted);
            examine(&frame, &mut walked);
            check_short_way(&frame);
        }
    }
    assert!(counted.packets > 500, "only {} frames", counted.packets);
    assert_eq!(counted, walked.0);
}

/// Every port of a UDP datagram without a checksum, whose data look like no tunnel, or like ESP.
#[test]
fn every_port() {
    const PORTS: usize = 34; // after Ethernet and an IPv4 header without options
    let cases = frames();
    let absent = cases.iter().find(|case| {
        let mut counted = Counted::default();
        examine(&case.frame(), &mut counted);
        counted.0 == [(Protocol::Ipv4, "good"), (Protocol::Udp, "absent")]
            && case.data[12..14] == [0x08, 0x00]
    });
    let case = absent.expect("a plain datagram without a checksum");
    let mut data = case.data.clone();
    data[PORTS + 8..].fill(0xff);
    for at in [PORTS, PORTS + 2] {
        for port in 0..=u16::MAX {
            data[at..at + 2].copy_from_slice(&port.to_be_bytes());
            check_short_way(&Frame {
                data: &data,
                ..case.frame()
            });
        }
        data[at..at + 2].copy_from_slice(&1071_u16.to_be_bytes());
    }
}
