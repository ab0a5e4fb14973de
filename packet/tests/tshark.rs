// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conformance: every verdict on every frame of real captures, beside tshark's, with all of its validations on.
//!
//! The captures are those of `examples/`, and those of the folder that WIRESUM_CAPTURES names, or of `shared/captures` beside the
//! workspace. Where tshark is not installed, the test says that it is skipped; WIRESUM_REQUIRE=tshark makes that a failure.

mod common;

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use common::{Case, Random, pcap};
use wiresum_packet::{
    Capture, Field, Frame, LinkType, Protocol, Reason, Reassembly, Sink, Status, Verdict, examine,
};

/// Where tshark 4.0 and wiresum differ for a reason: which fields those are, who is right and why. They are counted.
const DIFFERENCES: [(Applies, &str); 4] = [
    (
        |pair| pair.protocol == Protocol::Udp && pair.theirs.has(&["udplite"]),
        "tshark: it shows UDP-Lite in the field of UDP; wiresum does not judge UDP-Lite yet",
    ),
    (
        |pair| pair.protocol == Protocol::Icmpv6 && pair.theirs.has(&["ip", "icmpv6"]),
        "wiresum: there is no ICMPv6 over IPv4, and no pseudo-header for it; tshark makes one up",
    ),
    (
        |pair| pair.theirs.has(&["ip", "ipv6.*"]),
        "wiresum: IPv6 extension headers do not follow an IPv4 header; tshark takes them anyway",
    ),
    (
        |pair| {
            pair.ours
                .contains(&(Status::Unverified(Reason::Fragment), false))
                && pair.theirs.layers > 1
        },
        "wiresum: of a packet in a fragmented tunnel a part is not there; tshark judges what is there",
    ),
];

type Applies = fn(&Pair<'_>) -> bool;

/// What both say of the fields of one protocol in a frame.
struct Pair<'a> {
    protocol: Protocol,
    ours: &'a [(Status, bool)],
    theirs: &'a Theirs,
}

#[test]
fn agrees_with_tshark_on_packets_alone() {
    if required_or_there() {
        compare_all(&captures(), Fragments::Alone).print();
    }
}

#[test]
fn agrees_with_tshark_on_datagrams_put_together() {
    if required_or_there() {
        compare_all(&captures(), Fragments::Together).print();
    }
}

/// Whether fragments are put together. Hand-made and damaged frames are compared alone: there, fragments of one identification are not of
/// one datagram, and each side has its own way out of that.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fragments {
    Alone,
    Together,
}

/// The same over the frames of `frames.txt`.
#[test]
fn agrees_with_tshark_on_hand_made_frames() {
    if !required_or_there() {
        return;
    }
    let mut paths = Vec::new();
    for (link_type, frames) in by_link_type(common::frames()) {
        let path = scratch(&format!("hand-made-{}.pcap", link_type.0));
        let frames = frames
            .iter()
            .map(|case| (&case.data[..], case.frame().original_len));
        fs::write(&path, pcap(link_type, frames)).expect("a scratch file");
        paths.push(path);
    }
    compare_all(&paths, Fragments::Alone).print();
}

/// The same over frames that are damaged on purpose: those of `frames.txt` and `examples/`, with bytes of their headers changed, and cut
/// short on the wire and in the capture.
#[test]
fn agrees_with_tshark_on_damaged_frames() {
    const FRAMES: usize = 20_000; // of each link type
    if !required_or_there() {
        return;
    }
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
        let frames: Vec<_> = (0..FRAMES).map(|_| damaged(&mut random, &whole)).collect();
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
        if KNOWN_LINK_TYPES.contains(&link_type) {
            sorted.entry(link_type).or_default().push(case);
        }
    }
    sorted
}

/// Frames of `examples/` that are not too long.
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

/// One of the frames with some damage, and its length on the wire.
fn damaged(random: &mut Random, whole: &[Case]) -> (Vec<u8>, usize) {
    // Protocol numbers that the walk knows are worth more tries than chance gives them.
    const NUMBERS: [u8; 12] = [0, 1, 4, 6, 17, 41, 43, 44, 51, 58, 60, 255];
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

/// Compares all that is said of captures: on all processors, as each asks for a tshark of its own.
fn compare_all(paths: &[PathBuf], fragments: Fragments) -> Comparison {
    let next = AtomicUsize::new(0);
    let total = Mutex::new(Comparison::default());
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(path) = paths.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = compare(path, fragments);
                    let mut total = total.lock().expect("no worker panicked");
                    match result {
                        Ok(comparison) => total.add(comparison),
                        Err(why) => total.left_out.push(format!("{}: {why}", path.display())),
                    }
                }
            });
        }
    });
    total.into_inner().expect("no worker panicked")
}

#[derive(Default)]
struct Comparison {
    captures: usize,
    frames: usize,
    compared: usize,
    by_status: BTreeMap<&'static str, usize>,
    /// Fields that tshark does not mention: it stopped where the captured bytes, or those that make sense, end.
    silent: usize,
    /// Fields that only tshark has, within layers that the walk does not enter: quoted packets, tunnels.
    not_entered: usize,
    /// Fields left out by DIFFERENCES.
    differences: usize,
    left_out: Vec<String>,
    disagreements: Vec<String>,
}

impl Comparison {
    /// Prints the figures; panics if there is a disagreement.
    fn print(mut self) {
        self.left_out.sort();
        for line in &self.left_out {
            println!("left out: {line}");
        }
        println!(
            "{} captures, {} frames, {} statuses compared, {} disagreements",
            self.captures,
            self.frames,
            self.compared,
            self.disagreements.len()
        );
        println!("the same with both: {:?}", self.by_status);
        println!(
            "not compared: {} fields on which tshark is silent",
            self.silent
        );
        println!(
            "not compared: {} fields in layers not entered yet",
            self.not_entered
        );
        println!(
            "not compared: {} fields of known differences",
            self.differences
        );
        assert!(self.compared > 0, "nothing was compared");
        assert!(
            self.disagreements.is_empty(),
            "\n{}",
            self.disagreements.join("\n")
        );
    }

    fn add(&mut self, other: Comparison) {
        self.captures += 1;
        self.frames += other.frames;
        self.compared += other.compared;
        for (status, n) in other.by_status {
            *self.by_status.entry(status).or_default() += n;
        }
        self.silent += other.silent;
        self.not_entered += other.not_entered;
        self.differences += other.differences;
        self.disagreements.extend(other.disagreements);
    }
}

/// What was said of a frame: for each protocol the statuses, outermost first, and whether what they are of was captured in part
/// only; and the number of network headers.
#[derive(Default)]
struct Verdicts {
    statuses: BTreeMap<Protocol, Vec<(Status, bool)>>,
    layers: usize,
    note: Option<String>,
}

/// What was said of each frame.
#[derive(Default)]
struct Collect(BTreeMap<u64, Verdicts>);

impl Collect {
    fn of(&mut self, frame: &Frame<'_>) -> &mut Verdicts {
        self.0.entry(frame.number).or_default()
    }
}

impl Sink for Collect {
    fn frame(&mut self, frame: &Frame<'_>) {
        self.of(frame); // what only tshark speaks of is to be noticed
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        let snapped = field.covers.end > frame.data.len();
        let all = self.of(frame);
        all.statuses
            .entry(field.protocol)
            .or_default()
            .push((verdict.status, snapped));
        all.layers = all.layers.max(field.layer.into());
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: wiresum_packet::Obstacle) {
        self.of(frame).note = Some(obstacle.to_string());
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        self.of(frame).note = Some(format!("malformed: {how}"));
    }
}

fn compare(path: &Path, fragments: Fragments) -> Result<Comparison, String> {
    let file = File::open(path).map_err(|e| e.to_string())?;
    let mut capture = match Capture::open(file) {
        Ok(capture) => capture,
        Err(e) => return Err(e.to_string()),
    };
    let theirs = tshark(path, fragments)?;
    let mut comparison = Comparison {
        captures: 1,
        ..Comparison::default()
    };
    let mut frames = 0;
    let mut ours = Collect::default();
    let mut reassembly = Reassembly::default();
    while let Some(frame) = capture.next_frame().map_err(|e| e.to_string())? {
        frames += 1;
        if !KNOWN_LINK_TYPES.contains(&frame.link_type) {
            return Err(frame.link_type.to_string());
        }
        match fragments {
            Fragments::Alone => examine(&frame, &mut ours),
            Fragments::Together => reassembly.examine(&frame, &mut ours),
        }
    }
    reassembly.finish(&mut ours);
    for (number, ours) in &ours.0 {
        match theirs.get(*number as usize - 1) {
            Some(theirs) => comparison.frame(path, *number, ours, theirs, fragments),
            None => comparison.disagreements.push(format!(
                "{}:{number}: tshark has no such frame",
                path.display(),
            )),
        }
    }
    if frames != theirs.len() {
        let line = format!(
            "{}: {frames} frames, tshark {}",
            path.display(),
            theirs.len()
        );
        comparison.disagreements.push(line);
    }
    comparison.frames = frames;
    Ok(comparison)
}

const KNOWN_LINK_TYPES: [LinkType; 10] = [
    LinkType::NULL,
    LinkType::ETHERNET,
    LinkType::RAW_DLT,
    LinkType::RAW_OPENBSD,
    LinkType::RAW,
    LinkType::LOOP,
    LinkType::LINUX_SLL,
    LinkType::IPV4,
    LinkType::IPV6,
    LinkType::LINUX_SLL2,
];

impl Comparison {
    fn frame(
        &mut self,
        path: &Path,
        number: u64,
        ours: &Verdicts,
        theirs: &Theirs,
        fragments: Fragments,
    ) {
        // Of a datagram that never came together tshark says nothing.
        let incomplete = |status| {
            fragments == Fragments::Together && status == Status::Unverified(Reason::Fragment)
        };
        for (protocol, _) in STATUS_FIELDS {
            let mine = ours.statuses.get(&protocol).map_or(&[][..], Vec::as_slice);
            let other = theirs
                .statuses
                .get(&protocol)
                .map_or(&[][..], Vec::as_slice);
            let common = mine.len().min(other.len());
            let equal = mine
                .iter()
                .zip(other)
                .all(|(&(mine, _), &other)| code(mine) == other);
            let (mine_only, theirs_only) = (mine.len() - common, other.len() - common);
            let snapped = mine[common..]
                .iter()
                .all(|&(status, snapped)| snapped || incomplete(status));
            let pair = Pair {
                protocol,
                ours: mine,
                theirs,
            };
            let agree = equal
                && (snapped || theirs.gave_up)
                && (theirs_only == 0 || theirs.layers > ours.layers);
            if agree {
                self.compared += common;
                for (status, _) in &mine[..common] {
                    *self.by_status.entry(status.key()).or_default() += 1;
                }
                self.silent += mine_only;
                self.not_entered += theirs_only;
            } else if DIFFERENCES.iter().any(|(applies, _)| applies(&pair)) {
                self.differences += mine.len().max(other.len());
            } else {
                self.disagreements.push(format!(
                    "{}:{number} {protocol}: wiresum {:?}{}, tshark {other:?} ({})",
                    path.display(),
                    mine,
                    ours.note
                        .as_ref()
                        .map(|note| format!(" ({note})"))
                        .unwrap_or_default(),
                    theirs.protocols
                ));
            }
        }
    }
}

/// Wireshark's proto_checksum_enum_e.
fn code(status: Status) -> u8 {
    match status {
        Status::Bad(_) => 0,
        Status::Good => 1,
        Status::Unverified(_) => 2,
        Status::Absent => 3,
        Status::Illegal => 4,
    }
}

/// What tshark says of a frame.
struct Theirs {
    statuses: BTreeMap<Protocol, Vec<u8>>,
    layers: usize,
    protocols: String,
    /// Whether it stopped before the frame's end, as malformed.
    gave_up: bool,
}

impl Theirs {
    /// Whether these protocols follow each other in the frame. A star stands for the rest of a name.
    fn has(&self, protocols: &[&str]) -> bool {
        let all: Vec<_> = self.protocols.split(':').collect();
        let matches = |(name, pattern): (&&str, &&str)| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == pattern,
        };
        all.windows(protocols.len())
            .any(|some| some.iter().zip(protocols).all(matches))
    }
}

/// Where tshark shows its verdicts.
const STATUS_FIELDS: [(Protocol, &str); 5] = [
    (Protocol::Ipv4, "ip.checksum.status"),
    (Protocol::Tcp, "tcp.checksum.status"),
    (Protocol::Udp, "udp.checksum.status"),
    (Protocol::Icmp, "icmp.checksum.status"),
    (Protocol::Icmpv6, "icmpv6.checksum.status"),
];

fn tshark(path: &Path, fragments: Fragments) -> Result<Vec<Theirs>, String> {
    let mut command = Command::new("tshark");
    command.arg("-n").arg("-r").arg(path);
    for preference in [
        "ip.check_checksum:TRUE",
        "tcp.check_checksum:TRUE",
        "udp.check_checksum:TRUE",
        "udplite.check_checksum:TRUE",
        match fragments {
            Fragments::Alone => "ip.defragment:FALSE",
            Fragments::Together => "ip.defragment:TRUE",
        },
        match fragments {
            Fragments::Alone => "ipv6.defragment:FALSE",
            Fragments::Together => "ipv6.defragment:TRUE",
        },
        // As for IPv4, where it is the default: a length of 0 is segmentation offload.
        "ipv6.tso_support:TRUE",
    ] {
        command.arg("-o").arg(preference);
    }
    command.args([
        "-T",
        "fields",
        "-E",
        "occurrence=a",
        "-e",
        "frame.protocols",
        "-e",
        "_ws.malformed",
    ]);
    for (_, field) in STATUS_FIELDS {
        command.arg("-e").arg(field);
    }
    let output = command.output().map_err(|e| format!("tshark: {e}"))?;
    let text = String::from_utf8_lossy(&output.stdout);
    Ok(text.lines().map(line).collect())
}

fn line(line: &str) -> Theirs {
    let mut columns = line.split('\t');
    let protocols = columns.next().unwrap_or_default().to_owned();
    let gave_up = !columns.next().unwrap_or_default().is_empty();
    let layers = protocols
        .split(':')
        .filter(|name| matches!(*name, "ip" | "ipv6"))
        .count();
    let statuses = STATUS_FIELDS
        .into_iter()
        .zip(columns)
        .map(|((protocol, _), column)| {
            (
                protocol,
                column
                    .split(',')
                    .filter_map(|code| code.parse().ok())
                    .collect(),
            )
        })
        .collect();
    Theirs {
        statuses,
        layers,
        protocols,
        gave_up,
    }
}

/// Whether tshark is there to compare with. If it is not, that is said, and is a failure where WIRESUM_REQUIRE names it.
fn required_or_there() -> bool {
    if let Ok(output) = Command::new("tshark").arg("--version").output() {
        let text = String::from_utf8_lossy(&output.stdout);
        println!("{}", text.lines().next().unwrap_or_default());
        return true;
    }
    assert!(
        !env::var("WIRESUM_REQUIRE").is_ok_and(|list| list.split(',').any(|name| name == "tshark")),
        "WIRESUM_REQUIRE asks for tshark, which is not installed"
    );
    println!("SKIPPED: tshark not installed");
    false
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

/// The captures of a folder, by name.
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
