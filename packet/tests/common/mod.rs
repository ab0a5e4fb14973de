// SPDX-License-Identifier: MIT OR Apache-2.0
//! What several tests need.
#![allow(dead_code, unreachable_pub)] // each test uses a part of it

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read};
use std::num::NonZeroUsize;

use wiresum_packet::capture::Decoder;
use wiresum_packet::fix::{Change, Output};
use wiresum_packet::{
    Addresses, Algorithm, Also, Capture, Cause, Compression, Field, Frame, LinkType, Obstacle,
    Origin, Protocol, Reassembly, Repairs, Sink, Status, Tally, Verdict, examine, fix,
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
    pcap_with(MICROSECONDS, u32::to_le_bytes, link_type, frames)
}

const MICROSECONDS: u32 = 0xa1b2_c3d4;
const NANOSECONDS: u32 = 0xa1b2_3c4d;
/// The format of a patched libpcap: the header of a record has eight more bytes.
const MODIFIED: u32 = 0xa1b2_cd34;

/// Returns a pcap file with this magic number, in the byte order of a function.
fn pcap_with<'a>(
    magic: u32,
    bytes: fn(u32) -> [u8; 4],
    link_type: LinkType,
    frames: impl IntoIterator<Item = (&'a [u8], usize)>,
) -> Vec<u8> {
    let minor_first = bytes(1)[0] == 1;
    let version = if minor_first {
        0x0004_0002
    } else {
        0x0002_0004
    };
    let header = [magic, version, 0, 0, 262_144, link_type.0];
    let mut file: Vec<u8> = header.into_iter().flat_map(bytes).collect();
    for (second, (frame, wire)) in frames.into_iter().enumerate() {
        let words = [second, 0, frame.len(), wire];
        file.extend(words.into_iter().flat_map(|word| bytes(word as u32)));
        if magic == MODIFIED {
            file.extend([0; 8]);
        }
        file.extend_from_slice(frame);
    }
    file
}

/// Returns a file of each format, in each byte order, with the Ethernet frames of these cases, and
/// a pcap of each other link type.
pub fn every_format(cases: &[Case]) -> Vec<Vec<u8>> {
    const BOTH: [fn(u32) -> [u8; 4]; 2] = [u32::to_le_bytes, u32::to_be_bytes];
    let of = |link_type: u32| {
        let cases = cases.iter().filter(move |case| case.link_type == link_type);
        cases.map(|case| (&case.data[..], case.frame().original_len))
    };
    let mut files = Vec::new();
    for bytes in BOTH {
        for magic in [MICROSECONDS, NANOSECONDS, MODIFIED] {
            files.push(pcap_with(magic, bytes, LinkType::ETHERNET, of(1)));
        }
        files.push(pcapng(bytes, 1, of(1)));
    }
    files.push(snoop(of(1)));
    for link_type in [0, 101, 108, 113, 276] {
        if of(link_type).next().is_some() {
            files.push(pcap(LinkType(link_type), of(link_type)));
        }
    }
    files
}

/// Returns a pcapng file: a section, an interface, packets.
fn pcapng<'a>(
    bytes: fn(u32) -> [u8; 4],
    link_type: u32,
    frames: impl IntoIterator<Item = (&'a [u8], usize)>,
) -> Vec<u8> {
    let is_big = bytes(1)[3] == 1;
    let link = if is_big { link_type << 16 } else { link_type };
    let version = if is_big { 1 << 16 } else { 1 };
    let mut words = vec![0x0a0d_0d0a, 28, 0x1a2b_3c4d, version, !0, !0, 28];
    words.extend([1, 20, link, 65535, 20]);
    let mut file: Vec<u8> = words.into_iter().flat_map(bytes).collect();
    for (frame, wire) in frames {
        let len = 32 + frame.len().next_multiple_of(4) as u32;
        let words = [6, len, 0, 0, 7, frame.len() as u32, wire as u32];
        file.extend(words.into_iter().flat_map(bytes));
        file.extend(frame);
        file.resize(file.len().next_multiple_of(4), 0);
        file.extend(bytes(len));
    }
    file
}

/// Returns Ethernet frames as a snoop file.
fn snoop<'a>(frames: impl IntoIterator<Item = (&'a [u8], usize)>) -> Vec<u8> {
    let mut file = b"snoop\0\0\0\0\0\0\x02\0\0\0\x04".to_vec();
    for (frame, wire) in frames {
        let padded = frame.len().next_multiple_of(4);
        for word in [wire, frame.len(), padded + 24, 0, 7, 0] {
            file.extend((word as u32).to_be_bytes());
        }
        file.extend(frame);
        file.resize(file.len() + padded - frame.len(), 0);
    }
    file
}

pub const COMPRESSIONS: [Compression; 4] = [
    Compression::Gzip,
    Compression::Zstd,
    Compression::Lz4,
    Compression::Xz,
];

/// Compresses a file.
pub fn compressed(by: Compression, mut file: &[u8]) -> Vec<u8> {
    let mut packed = Vec::new();
    by.compress(&mut file, &mut packed)
        .expect("a vector takes all");
    assert_eq!(Compression::of(&packed), Some(by));
    packed
}

/// Decompresses a file, up to the end or the damage. None if it holds more than a test can look at:
/// a few bytes may stand for gigabytes.
pub fn decompressed(file: &[u8]) -> Option<Vec<u8>> {
    const MOST: usize = 4 << 20;
    let mut plain = Vec::new();
    let mut decoder = Decoder::new(file)
        .expect("a slice does not fail")
        .take(MOST as u64 + 1);
    decoder.read_to_end(&mut plain).expect("damage is no error");
    (plain.len() <= MOST).then_some(plain)
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

/// Reads a file to its end, and checks each verdict with plain loops. A compressed file has the
/// frames of what it decompresses to.
pub fn examine_all(file: &[u8]) {
    let Some(plain) = decompressed(file) else {
        return;
    };
    let Ok(mut capture) = Capture::open(file) else {
        return;
    };
    // What a compressed file holds may be compressed once more, and is then no capture.
    let is_packed_once = Compression::of(file).is_some() && Compression::of(&plain).is_none();
    let mut same = is_packed_once.then(|| Capture::open(&plain[..]).expect("a capture as well"));
    let mut captured = 0;
    let mut reassembly = Reassembly::default();
    while let Some(frame) = capture.next_frame().expect("a slice does not fail") {
        captured += frame.data.len();
        reassembly.examine(&frame, &mut Reasonable);
        if let Some(same) = &mut same {
            let other = same.next_frame().expect("a slice does not fail");
            let other = other.expect("the plain file has as many frames");
            assert_eq!(frame.data, other.data);
            assert_eq!(
                (frame.number, frame.original_len, frame.time),
                (other.number, other.original_len, other.time)
            );
        }
    }
    if let Some(same) = &mut same {
        assert!(same.next_frame().expect("no failure").is_none());
    }
    reassembly.finish(&mut Reasonable);
    assert!(
        captured <= plain.len(),
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
    if field.algorithm == Algorithm::Fletcher {
        let covered = &frame.data[field.covers.clone()];
        let own = &frame.data[field.bytes()];
        let (mut bytes, mut weighted) = (0_u32, 0_u32);
        for &byte in covered {
            bytes = (bytes + u32::from(byte)) % 255;
            weighted = (weighted + bytes) % 255;
        }
        return bytes == 0 && weighted == 0 && !own.contains(&0);
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
    if field.algorithm == Algorithm::Cisco && bytes.len() % 2 == 1 {
        // CDP over Ethernet has no pseudo-header, and its last byte is a signed number
        let last = bytes.pop().expect("an odd number of bytes");
        let word = if last < 0x80 { 0 } else { 0xff00 - 1 };
        bytes.extend(u16::to_be_bytes(word + u16::from(last)));
    }
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

/// Repairs a file, and checks what must be true of the repair of any file. The repair of a
/// compressed file is the repair of what it decompresses to.
pub fn check_fix(file: &[u8], wanted: fn(&str) -> bool) {
    let Some(plain) = decompressed(file) else {
        return;
    };
    let Some((out, repairs)) = fixed(file, 1, wanted) else {
        return;
    };
    if Compression::of(file).is_some() {
        if Compression::of(&plain).is_none() {
            let (of_plain, _) = fixed(&plain, 1, wanted).expect("a capture as well");
            assert_eq!(out.changes, of_plain.changes);
            assert!(out.file == of_plain.file, "another file than the plain one");
            check_fix(&plain, wanted);
        }
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
    // A second repair changes nothing. If the first one took some packets out of a row, or from
    // between others that form a row now, the causes of these may be others now, and further
    // repairs come to an end.
    let in_a_row = Cause::SameDifference.key();
    let has_row = |repairs: &Repairs| {
        let mut all = repairs.repaired().chain(repairs.left());
        all.any(|(_, key, _)| key == in_a_row)
    };
    let wanted_alone = [
        Cause::OneBit,
        Cause::NoCarry,
        Cause::OneByte,
        Cause::Unknown,
    ]
    .map(|of| wanted(of.key()));
    let (mut again, second) = fixed(&out.file, 1, wanted).expect("still a capture");
    let parts_rows = wanted_alone.iter().any(|&of| of != wanted(in_a_row))
        && (has_row(&repairs) || has_row(&second));
    let most = if parts_rows { repairs.bad() } else { 0 };
    let mut file = out.file;
    for _ in 0..most {
        if again.changes.is_empty() {
            break;
        }
        file = again.file;
        again = fixed(&file, 1, wanted).expect("still a capture").0;
    }
    assert_eq!(again.changes, []);
    assert!(again.file == file);
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
