// SPDX-License-Identifier: MIT OR Apache-2.0
//! What several tests need.
#![allow(dead_code, unreachable_pub)] // each test uses a part of it

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::num::NonZeroUsize;

use wiresum_packet::fix::{Change, Output};
use wiresum_packet::{
    Addresses, Algorithm, Also, Capture, Compression, Field, Frame, LinkType, Obstacle, Origin,
    Protocol, Reassembly, Repairs, Sink, Status, Tally, Verdict, examine, fix,
};

/// A case of `frames.txt`.
#[derive(Default)]
pub struct Case {
    pub about: String,
    pub link_type: u32,
    pub data: Vec<u8>,
    /// The length on the wire, if less was captured.
    pub wire: Option<usize>,
    pub verdicts: Vec<String>,
    /// The single fault, if the case has one: the offset of a byte, and its wrong value. Repaired,
    /// the frame is `data` again.
    pub broken: Option<(usize, u8)>,
    /// The verdicts on the broken frame, without their causes.
    pub broken_verdicts: Vec<String>,
}

impl Case {
    pub fn frame(&self) -> Frame<'_> {
        Frame {
            original_len: self.wire.unwrap_or(self.data.len()),
            ..Frame::new(LinkType(self.link_type), &self.data)
        }
    }
}

impl Case {
    /// Returns the frame with its single fault, if the case has one.
    pub fn broken_data(&self) -> Option<Vec<u8>> {
        let (at, byte) = self.broken?;
        let mut data = self.data.clone();
        data[at] = byte;
        Some(data)
    }
}

/// Returns a file of many chunks: the Ethernet frames of `frames.txt`, fragments among them,
/// repeated `times` times.
pub fn large(times: usize) -> Vec<u8> {
    let cases: Vec<_> = frames()
        .into_iter()
        .filter(|case| case.link_type == 1)
        .collect();
    let frames = cases
        .iter()
        .map(|case| (&case.data[..], case.frame().original_len));
    let some = frames.clone().count();
    pcap(LinkType::ETHERNET, frames.cycle().take(some * times))
}

/// Returns the cases of `frames.txt`.
pub fn frames() -> Vec<Case> {
    let mut cases = Vec::<Case>::new();
    for line in include_str!("../frames.txt").lines() {
        match line.trim_start().split_once(' ') {
            _ if line.is_empty() || line.starts_with('#') => {}
            Some((word, rest)) if line.starts_with("  ") => {
                let case = cases.last_mut().expect("a case has begun");
                match word {
                    "link" => case.link_type = rest.parse().expect("a number"),
                    "data" => case.data.extend(hex(rest)),
                    "wire" => case.wire = Some(rest.parse().expect("a number")),
                    "=" => case.verdicts.push(rest.to_owned()),
                    "broken" => {
                        let (at, byte) = rest.split_once(' ').expect("where, and what");
                        case.broken = Some((
                            at.parse().expect("a number"),
                            hex(byte).next().expect("a byte"),
                        ));
                    }
                    "!" => case.broken_verdicts.push(rest.to_owned()),
                    _ => panic!("frames.txt: {line}"),
                }
            }
            _ => cases.push(Case {
                about: line.to_owned(),
                ..Case::default()
            }),
        }
    }
    cases
}

fn hex(digits: &str) -> impl Iterator<Item = u8> {
    digits.as_bytes().chunks(2).map(|pair| {
        let pair = std::str::from_utf8(pair).expect("digits");
        u8::from_str_radix(pair, 16).expect("two digits")
    })
}

/// Returns a pcap file (little-endian, microseconds) of frames, each with its length on the wire.
/// One second passes between two frames.
pub fn pcap<'a>(
    link_type: LinkType,
    frames: impl IntoIterator<Item = (&'a [u8], usize)>,
) -> Vec<u8> {
    let mut file = Vec::new();
    for word in [0xa1b2_c3d4, 0x0004_0002, 0, 0, 262_144, link_type.0] {
        file.extend_from_slice(&u32::to_le_bytes(word));
    }
    for (second, (frame, wire)) in frames.into_iter().enumerate() {
        for word in [second, 0, frame.len(), wire] {
            file.extend_from_slice(&(word as u32).to_le_bytes());
        }
        file.extend_from_slice(frame);
    }
    file
}

/// SplitMix64 (Steele, Lea and Flood 2014). The environment variable WIRESUM_SEED repeats a seed.
pub struct Random(u64);

impl Random {
    pub fn from_environment() -> Random {
        const RFC: u64 = 1071;
        let seed = std::env::var("WIRESUM_SEED").map_or(RFC, |seed| seed.parse().expect("a seed"));
        println!("WIRESUM_SEED={seed}");
        Random(seed)
    }

    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ z >> 31) % n as u64) as usize
    }
}

/// Reads a file to its end, and checks each verdict with plain loops.
pub fn examine_all(file: &[u8]) {
    let Ok(mut capture) = Capture::open(file) else {
        return;
    };
    let mut captured = 0;
    let mut reassembly = Reassembly::default();
    while let Some(frame) = capture.next_frame().expect("a slice does not fail") {
        captured += frame.data.len();
        reassembly.examine(&frame, &mut Reasonable);
    }
    reassembly.finish(&mut Reasonable);
    assert!(
        captured <= file.len(),
        "the frames hold more bytes than the file"
    );
}

/// A tally that is told of every field, so that the walk finds all of them.
#[derive(Default)]
pub struct Walked(pub Tally);

impl Sink for Walked {
    fn frame(&mut self, frame: &Frame<'_>) {
        self.0.frame(frame);
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        self.0.verdict(frame, field, verdict);
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        Sink::obstacle(&mut self.0, frame, obstacle);
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        Sink::malformed(&mut self.0, frame, how);
    }
}

/// Panics if a sink that only counts, and so takes the short way through plain frames, counts
/// otherwise than the walk.
pub fn check_short_way(frame: &Frame<'_>) {
    let (mut counted, mut walked) = (Tally::default(), Walked::default());
    examine(frame, &mut counted);
    examine(frame, &mut walked);
    assert_eq!(counted, walked.0, "{frame:?}");
}

/// A sink that panics if a verdict contradicts the plain loops.
pub struct Reasonable;

impl Sink for Reasonable {
    fn frame(&mut self, frame: &Frame<'_>) {
        if matches!(frame.origin, Origin::Record { .. }) {
            check_short_way(frame);
        }
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        assert!(field.covers.contains(&field.offset), "{field:?}");
        assert!(
            field.covers.end <= frame.original_len.max(frame.data.len()),
            "{field:?}"
        );
        match verdict.status {
            Status::Good => assert!(plainly_right(frame, field), "{field:?}"),
            Status::Bad(_) => {
                let tcp_negative_zero =
                    verdict.found == Some(0xffff) && verdict.expected == Some(0);
                assert!(
                    tcp_negative_zero || !plainly_right(frame, field),
                    "{field:?}"
                );
                assert_ne!(verdict.found, verdict.expected, "{field:?}");
            }
            Status::Unverified(_) | Status::Absent | Status::Illegal => {}
        }
    }
}

/// Returns whether a field is right, by plain loops that call nothing of wiresum.
fn plainly_right(frame: &Frame<'_>, field: &Field) -> bool {
    if field.algorithm == Algorithm::Crc32c {
        let mut covered = frame.data[field.covers.clone()].to_vec();
        let at = field.offset - field.covers.start;
        let found: Vec<u8> = covered.splice(at..at + 4, [0; 4]).collect();
        return found == plain_crc32c(&covered).to_le_bytes();
    }
    let alone = |field: &Field| plain_sum(frame, field) == 0xffff;
    let mut other = field.clone();
    alone(field)
        || match field.also {
            None => false,
            Some(Also::WithoutPseudo) => {
                other.pseudo = None;
                alone(&other)
            }
            Some(Also::UpTo(end)) => {
                other.covers.end = end;
                if let Some(pseudo) = &mut other.pseudo {
                    pseudo.len = other.covers.len() as u32;
                }
                alone(&other)
            }
            Some(other) => panic!("{other:?} has no plain loop yet"),
        }
}

/// Computes the CRC32c of RFC 9260 appendix A, bit by bit.
fn plain_crc32c(bytes: &[u8]) -> u32 {
    let mut crc = !0_u32;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = crc >> 1 ^ if crc & 1 == 1 { 0x82f6_3b78 } else { 0 };
        }
    }
    !crc
}

/// Computes the sum of everything that a field covers, word by word.
pub fn plain_sum(frame: &Frame<'_>, field: &Field) -> u16 {
    let mut bytes = Vec::new();
    if let Some(pseudo) = field.pseudo {
        match pseudo.addresses {
            Addresses::V4 {
                source,
                destination,
            } => bytes.extend([source.octets(), destination.octets()].concat()),
            Addresses::V6 {
                source,
                destination,
            } => bytes.extend([source.octets(), destination.octets()].concat()),
        }
        bytes.extend(pseudo.len.to_be_bytes());
        bytes.extend([0, 0, 0, pseudo.protocol]);
    }
    let hole = field.hole.clone().unwrap_or_default();
    bytes.extend(
        field
            .covers
            .clone()
            .filter(|at| !hole.contains(at))
            .map(|at| frame.data[at]),
    );
    let mut sum = 0;
    for word in bytes.chunks(2) {
        sum += u32::from(word[0]) << 8 | u32::from(*word.get(1).unwrap_or(&0));
        sum = (sum & 0xffff) + (sum >> 16);
    }
    sum as u16
}

/// Returns everything that a sink is told of a frame, in words.
pub fn verdicts(frame: &Frame<'_>) -> Vec<String> {
    let mut words = Words::default();
    examine(frame, &mut words);
    words.0
}

#[derive(Default)]
pub struct Words(pub Vec<String>);

impl Sink for Words {
    fn verdict(&mut self, _: &Frame<'_>, field: &Field, verdict: &Verdict) {
        let layer = if field.layer == 1 {
            String::new()
        } else {
            format!("layer {} ", field.layer)
        };
        let quoted = if field.quoted { "quoted " } else { "" };
        let width = 2 + 2 * field.algorithm.width();
        let mut words = format!("{layer}{quoted}{} {}", field.protocol, verdict.status.key());
        match verdict.status {
            Status::Unverified(reason) => words += &format!(" ({reason})"),
            _ => {
                if let Some(cause) = verdict.cause() {
                    words += &format!(" ({})", cause.label());
                }
            }
        }
        if !matches!(verdict.status, Status::Good | Status::Unverified(_)) {
            let found = verdict.found.expect("it was judged");
            words += &format!(", found {found:#0width$x}");
        }
        if let Some(expected) = verdict.expected {
            words += &format!(", expected {expected:#0width$x}");
        }
        self.0.push(words);
    }

    fn obstacle(&mut self, _: &Frame<'_>, obstacle: Obstacle) {
        self.0.push(format!("obstacle: {obstacle}"));
    }

    fn malformed(&mut self, _: &Frame<'_>, how: &'static str) {
        self.0.push(format!("malformed: {how}"));
    }
}

/// A repaired capture, and its changes in the order in which they were reported.
#[derive(Default)]
pub struct Fixed {
    pub file: Vec<u8>,
    pub changes: Vec<Change>,
}

impl Output for Fixed {
    fn write(&mut self, bytes: &[u8], changes: &[Change]) -> io::Result<()> {
        self.file.extend(bytes);
        self.changes.extend(changes);
        Ok(())
    }

    fn patch(&mut self, change: &Change) -> io::Result<()> {
        let at = change.position as usize;
        let bytes = &mut self.file[at..at + change.old().len()];
        assert_eq!(bytes, change.old(), "the change reports other old bytes");
        bytes.copy_from_slice(change.new_bytes());
        self.changes.push(*change);
        Ok(())
    }
}

/// Repairs a file on this number of threads, if the file is a capture.
pub fn fixed(file: &[u8], workers: usize, wanted: fn(&str) -> bool) -> Option<(Fixed, Repairs)> {
    let workers = NonZeroUsize::new(workers).expect("one at least");
    let capture = Capture::open(file).ok()?;
    let mut out = Fixed::default();
    let repairs = fix(capture, workers, wanted, &mut out).ok()?;
    Some((out, repairs))
}

/// Repairs a file that is not compressed, and checks what must be true of the repair of any file.
pub fn check_fix(file: &[u8], wanted: fn(&str) -> bool) {
    let Some((out, repairs)) = fixed(file, 1, wanted) else {
        return;
    };
    if Compression::of(file).is_some() {
        return;
    }
    // Only bytes of checksums and flags are changed, and every change is reported.
    let mut may_change = Places::default();
    examine_in_place(file, &mut may_change);
    let mut undone = out.file.clone();
    for change in out.changes.iter().rev() {
        let at = change.position as usize;
        let bytes = &mut undone[at..at + change.old().len()];
        assert_eq!(bytes, change.new_bytes());
        bytes.copy_from_slice(change.old());
        for position in change.position..change.position + change.old().len() as u64 {
            assert!(
                may_change.0.contains(&position),
                "the byte at {position} belongs to no checksum"
            );
        }
    }
    assert!(undone == file, "a change was not reported");
    // Each checksum that was not left is right.
    let mut bad = Bad::default();
    examine_in_place(&out.file, &mut bad);
    let mut left = BTreeMap::new();
    for (protocol, _, n) in repairs.left() {
        *left.entry(protocol).or_insert(0) += n;
    }
    assert_eq!(bad.0, left);
    // A second repair changes nothing.
    let (again, _) = fixed(&out.file, 1, wanted).expect("still a capture");
    assert_eq!(again.changes, []);
    assert!(again.file == out.file);
}

/// Examines a whole file, with its fragments put together.
pub fn examine_in_place(file: &[u8], sink: &mut impl Sink) {
    let mut capture = Capture::open(file).expect("a capture");
    let mut reassembly = Reassembly::default();
    while let Some(frame) = capture.next_frame().expect("a slice does not fail") {
        reassembly.examine(&frame, sink);
    }
    reassembly.finish(sink);
}

/// The offsets of all bytes of checksums and flags.
#[derive(Default)]
struct Places(BTreeSet<u64>);

impl Sink for Places {
    fn frame(&mut self, frame: &Frame<'_>) {
        if let Some(flags) = frame.flags {
            self.0.extend(flags.position..flags.position + 4);
        }
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, _: &Verdict) {
        for at in field.bytes() {
            self.0.extend(frame.place(at).position);
            self.0
                .extend(frame.places_again(at).filter_map(|place| place.position));
        }
    }
}

/// The number of bad or illegal checksums, without those in quotes.
#[derive(Default)]
pub struct Bad(pub BTreeMap<Protocol, u64>);

impl Sink for Bad {
    fn verdict(&mut self, _: &Frame<'_>, field: &Field, verdict: &Verdict) {
        if matches!(verdict.status, Status::Bad(_) | Status::Illegal) && !field.quoted {
            *self.0.entry(field.protocol).or_default() += 1;
        }
    }
}
