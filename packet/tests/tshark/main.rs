// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conformance: compares every verdict on every frame of real captures with tshark's, with all
//! validations of tshark on.
//!
//! The captures come from `examples/`, and from the folder that WIRESUM_CAPTURES names, or
//! `shared/captures` next to the workspace. The tests need tshark, so `cargo test` runs them only
//! by their name, as ./check does.

#[path = "../common/mod.rs"]
mod common;
mod compare;
mod differences;
mod theirs;

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use common::{Case, Random, check_fix, fixed, pcap};
use compare::compare_all;
use wiresum_packet::capture::Decoder;
use wiresum_packet::{Capture, LinkType};

#[test]
fn agrees_with_tshark_on_packets_alone() {
    let comparison = compare_all(&captures(), Fragments::Alone);
    comparison.write("differing-real.tsv");
    comparison.print();
}

#[test]
fn agrees_with_tshark_on_datagrams_put_together() {
    compare_all(&captures(), Fragments::Together).print();
}

/// The repaired captures: a checksum that is good after the repair is good for tshark too.
/// `check_fix` shows that only checksums and flags have changed, and that a second repair changes
/// nothing.
#[test]
fn agrees_with_tshark_on_repaired_captures() {
    let (mut paths, mut repaired) = (Vec::new(), 0);
    for (number, path) in captures().iter().enumerate() {
        let file = plain(path);
        check_fix(&file, |_| true);
        let Some((out, repairs)) = fixed(&file, 2, |_| true) else {
            continue; // not a capture; the other tests name it
        };
        repaired += repairs.repaired().map(|(.., n)| n).sum::<u64>();
        let path = scratch(&format!("repaired-{number}.cap"));
        fs::write(&path, out.file).expect("a scratch file");
        paths.push(path);
    }
    println!(
        "{repaired} checksums were repaired in {} captures",
        paths.len()
    );
    assert!(repaired > 0, "nothing was repaired");
    compare_all(&paths, Fragments::Together).print();
}

/// Returns the bytes of a file, decompressed.
fn plain(path: &Path) -> Vec<u8> {
    let file = File::open(path).expect("a file");
    let mut plain = Vec::new();
    let mut decoder = Decoder::new(file).expect("a file");
    decoder.read_to_end(&mut plain).expect("a file");
    plain
}

/// Whether fragments are put together. Hand-made and damaged frames are compared alone, because
/// their fragments share identifications without belonging to one datagram, which each side
/// resolves in its own way.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fragments {
    Alone,
    Together,
}

/// The frames of `frames.txt`.
#[test]
fn agrees_with_tshark_on_hand_made_frames() {
    let mut paths = Vec::new();
    for (link_type, frames) in by_link_type(common::frames()) {
        let path = scratch(&format!("hand-made-{}.pcap", link_type.0));
        let broken: Vec<_> = frames.iter().filter_map(Case::broken_data).collect();
        let frames = frames
            .iter()
            .map(|case| (&case.data[..], case.frame().original_len))
            .chain(broken.iter().map(|data| (&data[..], data.len())));
        fs::write(&path, pcap(link_type, frames)).expect("a scratch file");
        paths.push(path);
    }
    let comparison = compare_all(&paths, Fragments::Alone);
    comparison.write("differing-hand-made.tsv");
    comparison.print();
}

/// Frames that are damaged on purpose: the frames of `frames.txt` and `examples/`, with changed
/// bytes in their headers, and cut short on the wire and in the capture.
#[test]
fn agrees_with_tshark_on_damaged_frames() {
    const ETHERNET: usize = 40_000;
    const OTHERS: usize = 4_000; // of each other link type
    let mut random = Random::from_environment();
    let mut paths = Vec::new();
    let mut whole = by_link_type(common::frames());
    for case in example_frames() {
        whole
            .entry(LinkType(case.link_type))
            .or_default()
            .push(case);
    }
    for (link_type, whole) in whole {
        let path = scratch(&format!("damaged-{}.pcap", link_type.0));
        let frames = match link_type {
            LinkType::ETHERNET => ETHERNET,
            _ => OTHERS,
        };
        let mut frames: Vec<_> = (0..frames).map(|_| damaged(&mut random, &whole)).collect();
        if [LinkType::SUNATM, LinkType::PPP_WITH_DIR].contains(&link_type) {
            // tshark reads no frame after a shorter one
            frames.retain(|(frame, _)| frame.len() >= 4);
        }
        let frames = frames.iter().map(|(frame, wire)| (&frame[..], *wire));
        fs::write(&path, pcap(link_type, frames)).expect("a scratch file");
        paths.push(path);
    }
    compare_all(&paths, Fragments::Alone).print();
}

fn scratch(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

fn by_link_type(cases: Vec<Case>) -> BTreeMap<LinkType, Vec<Case>> {
    let mut sorted = BTreeMap::<_, Vec<_>>::new();
    for case in cases {
        let link_type = LinkType(case.link_type);
        sorted.entry(link_type).or_default().push(case);
    }
    sorted
}

/// Returns the frames of `examples/` below 1000 bytes.
fn example_frames() -> Vec<Case> {
    let mut frames = Vec::new();
    for path in captures_of(&workspace().join("examples")) {
        let mut capture = Capture::open(File::open(path).expect("a file")).expect("a capture");
        while let Some(frame) = capture.next_frame().expect("a frame") {
            if frame.data.len() < 1000 {
                frames.push(Case {
                    link_type: frame.link_type.0,
                    data: frame.data.to_vec(),
                    ..Case::default()
                });
            }
        }
    }
    frames
}

/// Returns one of the frames with some damage, and its length on the wire.
fn damaged(random: &mut Random, whole: &[Case]) -> (Vec<u8>, usize) {
    // Protocol numbers that the walk knows deserve more tries than chance gives them.
    const NUMBERS: [u8; 26] = [
        0, 1, 2, 4, 6, 17, 33, 41, 43, 44, 46, 47, 51, 58, 60, 88, 89, 103, 112, 113, 132, 135,
        136, 137, 139, 255,
    ];
    let mut frame = whole[random.below(whole.len())].data.clone();
    for _ in 0..random.below(4) {
        let at = random.below(frame.len().min(120));
        frame[at] = match random.below(3) {
            0 => frame[at] ^ 1 << random.below(8),
            1 => NUMBERS[random.below(NUMBERS.len())],
            _ => random.below(256) as u8,
        };
    }
    if random.below(4) == 0 {
        frame.truncate(random.below(frame.len() + 1));
    }
    let wire = frame.len();
    if random.below(4) == 0 {
        frame.truncate(random.below(frame.len() + 1));
    }
    (frame, wire)
}

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("a workspace")
}

fn captures() -> Vec<PathBuf> {
    let beside = env::var_os("WIRESUM_CAPTURES")
        .map_or_else(|| workspace().join("../shared/captures"), PathBuf::from);
    [workspace().join("examples"), beside]
        .iter()
        .flat_map(|folder| captures_of(folder))
        .collect()
}

/// Returns the captures of a folder, sorted by name.
fn captures_of(folder: &Path) -> Vec<PathBuf> {
    const ENDS: [&str; 5] = [".pcap", ".pcapng", ".gz", ".zst", ".snoop"];
    let is_capture = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        ENDS.iter().any(|end| name.ends_with(end))
    };
    let Ok(entries) = fs::read_dir(folder) else {
        println!("SKIPPED: {} is not there", folder.display());
        return Vec::new();
    };
    let mut captures: Vec<_> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(is_capture)
        .collect();
    captures.sort();
    captures
}
