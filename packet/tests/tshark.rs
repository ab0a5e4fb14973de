// SPDX-License-Identifier: MIT OR Apache-2.0
//! Conformance: every verdict on every frame of real captures, beside tshark's, with all of its validations on.
//!
//! The captures are those of `examples/`, and those of the folder that WIRESUM_CAPTURES names, or of `shared/captures` beside the
//! workspace. They need tshark, so that `cargo test` runs them by their name only, as ./check does.

mod common;

use std::collections::BTreeMap;
use std::env;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use common::{Case, Random, check_fix, fixed, pcap};
use wiresum_packet::capture::Decoder;
use wiresum_packet::{
    Capture, Cause, Field, Frame, LinkType, Protocol, Reason, Reassembly, Sink, Status, Verdict,
    examine,
};

/// Where tshark 4.0 and wiresum differ for a reason: which fields those are, who is right and why. They are counted.
const DIFFERENCES: [(Applies, &str); 30] = [
    (
        |pair| pair.protocol == Protocol::Sctp && pair.has(Status::Unverified(Reason::Fragment)),
        "wiresum: of an SCTP packet in fragments the CRC covers what the others hold; tshark computes it of the first",
    ),
    (
        |pair| {
            pair.damaged
                && ["ipv6.hopopts", "ipv6.dstopts"]
                    .iter()
                    .any(|options| pair.theirs.protocols.ends_with(options))
                && pair.ours.len() > pair.theirs.of(pair.protocol).len()
        },
        "wiresum: an option that is longer than its header hides nothing of what follows the header; tshark ends there",
    ),
    (
        |pair| pair.protocol == Protocol::Sctp && pair.note == "link type 248 (SCTP)",
        "tshark: an SCTP packet that a frame begins with (link type 248) has a checksum; wiresum tells of checksums in IP packets only",
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
        |pair| pair.has(Status::Unverified(Reason::Fragment)) && pair.theirs.layers > 1,
        "wiresum: of a packet in a fragmented tunnel a part is not there; tshark judges what is there",
    ),
    (
        |pair| {
            pair.protocol == Protocol::Udp
                && pair.differ(|mine, other| mine == Status::Absent && other == ILLEGAL)
        },
        "wiresum: UDP tunnels over IPv6 need no checksum (RFC 6935); tshark calls it illegal but for a preference",
    ),
    (
        |pair| pair.has(Status::Unverified(Reason::Quote)),
        "wiresum: an error message quotes a part of the packet; tshark sums up that part",
    ),
    (
        |pair| {
            matches!(pair.protocol, Protocol::Icmp | Protocol::Icmpv6)
                && pair.quoted
                && pair.differ(|_, other| other == UNVERIFIED)
        },
        "wiresum: a quoted ICMP message that is there as a whole can be judged; tshark never does",
    ),
    (
        |pair| {
            NEW.contains(&pair.protocol)
                && pair.note.starts_with("malformed")
                && pair.theirs_have_one_more()
        },
        "wiresum: a packet whose length or header contradicts itself is none; tshark sums up what there is",
    ),
    (
        |pair| {
            matches!(
                pair.protocol,
                Protocol::Dccp | Protocol::Ospf | Protocol::Rsvp
            ) && pair.has(Status::Unverified(Reason::Length))
        },
        "wiresum: what a length or coverage past the end of the packet covers is not there; tshark sums up what is",
    ),
    (
        |pair| {
            pair.protocol == Protocol::Pim
                && (pair.has(Status::Good) || pair.has(Status::Unverified(Reason::Snapped)))
        },
        "wiresum: a Register summed as a whole is to be accepted (RFC 7761 section 4.9); tshark does not",
    ),
    (
        |pair| {
            pair.protocol == Protocol::Vrrp
                && pair.has(Status::Good)
                && pair.theirs.has(&["ip", "vrrp"])
        },
        "both: version 3 over IPv4 without a pseudo-header is sent by some; tshark has a preference for it, wiresum takes both",
    ),
    (
        |pair| {
            pair.protocol == Protocol::Ospf
                && pair.ours.is_empty()
                && pair.theirs.has(&["ip", "ospf"])
        },
        "wiresum: with cryptographic authentication there is no checksum (RFC 2328 section D.4.3); tshark computes one",
    ),
    (
        |pair| pair.protocol == Protocol::Rsvp && pair.differ(|mine, _| mine == Status::Absent),
        "wiresum: 0 says that no checksum was sent (RFC 2205 section 3.1.1); tshark calls it wrong",
    ),
    (
        |pair| pair.protocol == Protocol::Pgm && pair.has(Status::Absent),
        "both: tshark has no status for PGM without a checksum",
    ),
    (
        |pair| {
            pair.protocol == Protocol::Gre
                && pair.ours.is_empty()
                && pair.theirs.of(Protocol::Gre) == [UNVERIFIED]
        },
        "wiresum: without the checksum bit the field means nothing (RFC 1701); tshark shows it where the routing bit makes room for it",
    ),
    (
        |pair| {
            pair.theirs.has(&["mpls", "*"]) && pair.ours.len() > pair.theirs.of(pair.protocol).len()
        },
        "wiresum: nothing says what is behind MPLS labels, and it looks for IP in more places",
    ),
    (
        |pair| {
            pair.theirs.has(&["udp", "data"])
                && pair.ours.len() > pair.theirs.of(pair.protocol).len()
        },
        "wiresum: VXLAN on the port that Linux first gave it; tshark does not know that",
    ),
    (
        |pair| pair.theirs.has(&["wlan", "data"]),
        "wiresum: the first fragment of an 802.11 frame begins with IP; tshark leaves it if it has not the others",
    ),
    (
        |pair| pair.theirs.protocols == "data" || pair.theirs.has(&["clip", "ip"]),
        "wiresum: tshark knows nothing of SLIP's header, nor of logical link control on classical IP over ATM",
    ),
    (
        |pair| pair.theirs.both_udp(),
        "both: UDP and UDP-Lite in one frame, which tshark shows in one field",
    ),
    (
        |pair| pair.damaged && pair.protocol == Protocol::Igmp && !pair.igmp_is_known,
        "wiresum: whatever the type of an IGMP message, its checksum covers all of it; tshark has not the length or the checksum of types \
         that it does not know",
    ),
    (
        |pair| {
            pair.damaged
                && pair.protocol == Protocol::Pim
                && pair.ours.is_empty()
                && pair.theirs.all(UNVERIFIED)
        },
        "both: nothing is known of versions of PIM other than 2",
    ),
    (
        |pair| {
            pair.damaged
                && (pair.theirs.of(pair.protocol).is_empty() && NEW.contains(&pair.protocol)
                    || pair.has(Status::Unverified(Reason::Snapped))
                        && NEW.contains(&pair.protocol)
                    || pair.theirs.all(UNVERIFIED) && pair.theirs.layers > 1)
        },
        "wiresum: tshark does not judge what it cannot dissect further, sums up what was captured of EIGRP, and takes all that \
         is in a fragment for incomplete",
    ),
    (
        |pair| {
            pair.damaged
                && ["prism", "radiotap", "wlan", "ppi"]
                    .iter()
                    .any(|radio| pair.theirs.protocols.starts_with(radio))
        },
        "both: of a radio header that contradicts itself, and of 802.11 fragments and aggregates, each makes what it can",
    ),
    (
        |pair| pair.damaged && (pair.theirs.has(&["macsec"]) || pair.theirs.has(&["cfp"])),
        "wiresum: MACsec's integrity check value is no part of its data, and FabricPath need not have a frame check sequence; it shows \
         where the length of the IP packet is wrong",
    ),
    (
        |pair| {
            pair.damaged
                && pair.protocol == Protocol::Ospf
                && pair
                    .differ(|mine, other| mine == Status::Bad(Cause::Zeroed) && other == UNVERIFIED)
        },
        "both: of an authentication type that nobody knows, tshark takes 0 for no checksum",
    ),
    (
        |pair| pair.damaged && pair.protocol == Protocol::Ospf && pair.has(Status::Good),
        "wiresum: the sum ends where the packet's own length says (RFC 2328 section A.3.1); tshark's takes in what follows, whose sum is 0 if \
         it is undamaged",
    ),
    (
        |pair| {
            pair.damaged
                && (pair.theirs.has(&["igmp", "*"]) && pair.theirs.all(UNVERIFIED)
                    || pair.theirs.has(&["igmp", "pim"])
                    || pair.theirs.has(&["ppp", "bcp*"])
                    || ["nflog", "ipnet"]
                        .iter()
                        .any(|link| pair.theirs.protocols.starts_with(link)))
        },
        "both: PIM version 1 is shown as PIM by tshark, as IGMP by wiresum, and of a netfilter log, a Solaris or a bridging header that \
         contradicts itself each makes what it can",
    ),
];

/// What tshark has judged only since it was compared on these: the older ones are to agree on malformed packets as well.
const NEW: [Protocol; 12] = [
    Protocol::Igmp,
    Protocol::Eigrp,
    Protocol::Gre,
    Protocol::UdpLite,
    Protocol::Sctp,
    Protocol::Pgm,
    Protocol::Dccp,
    Protocol::Pim,
    Protocol::Ospf,
    Protocol::Rsvp,
    Protocol::Vrrp,
    Protocol::Hip,
];
const IGMP_TYPES: [u8; 5] = [0x11, 0x12, 0x16, 0x17, 0x22];
const UNVERIFIED: u8 = 2;
const ILLEGAL: u8 = 4;

type Applies = fn(&Pair<'_>) -> bool;

/// What both say of the fields of one protocol in a frame.
struct Pair<'a> {
    protocol: Protocol,
    ours: &'a [(Status, bool)],
    theirs: &'a Theirs,
    /// What the walk said beside the verdicts.
    note: &'a str,
    /// Whether something in the frame is quoted by an error message.
    quoted: bool,
    /// Whether the frame was damaged on purpose.
    damaged: bool,
    /// Whether all IGMP messages in the frame have a type that tshark knows.
    igmp_is_known: bool,
}

impl Pair<'_> {
    fn has(&self, status: Status) -> bool {
        self.ours.iter().any(|&(ours, _)| ours == status)
    }

    /// Whether both have the same number of fields, and differ only where this is so.
    fn differ(&self, so: impl Fn(Status, u8) -> bool) -> bool {
        let theirs = self.theirs.of(self.protocol);
        let same = |&(&(mine, _), &other): &(&(Status, bool), &u8)| code(mine) == other;
        let snapped = self
            .ours
            .iter()
            .skip(theirs.len())
            .all(|&(_, snapped)| snapped);
        theirs.len() <= self.ours.len()
            && snapped
            && self
                .ours
                .iter()
                .zip(theirs)
                .filter(|pair| !same(pair))
                .all(|(&(mine, _), &other)| so(mine, other))
    }

    fn theirs_have_one_more(&self) -> bool {
        self.theirs.of(self.protocol).len() == self.ours.len() + 1
    }
}

#[test]
fn agrees_with_tshark_on_packets_alone() {
    compare_all(&captures(), Fragments::Alone).print();
}

#[test]
fn agrees_with_tshark_on_datagrams_put_together() {
    compare_all(&captures(), Fragments::Together).print();
}

/// The captures, repaired: what is good now is so for tshark as well; but for checksums and flags they are as they were; and to repair them
/// again changes nothing.
#[test]
fn agrees_with_tshark_on_repaired_captures() {
    let (mut paths, mut repaired) = (Vec::new(), 0);
    for (number, path) in captures().iter().enumerate() {
        let file = plain(path);
        check_fix(&file, |_| true);
        let Some((out, repairs)) = fixed(&file, 2, |_| true) else {
            continue; // a capture that is none, which the other tests name
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

/// What is in a file, decompressed.
fn plain(path: &Path) -> Vec<u8> {
    let file = File::open(path).expect("a file");
    let mut plain = Vec::new();
    let mut decoder = Decoder::new(file).expect("a file");
    decoder.read_to_end(&mut plain).expect("a file");
    plain
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
    compare_all(&paths, Fragments::Alone).print();
}

/// The same over frames that are damaged on purpose: those of `frames.txt` and `examples/`, with bytes of their headers changed, and cut
/// short on the wire and in the capture.
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
            frames.retain(|(frame, _)| frame.len() >= 4); // at a shorter one tshark reads no further
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
    quoted: bool,
    igmp_unknown: bool,
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
        all.quoted |= field.quoted;
        let first = frame.data.get(field.covers.start);
        all.igmp_unknown |= field.protocol == Protocol::Igmp
            && !first.is_some_and(|kind| IGMP_TYPES.contains(kind));
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
        let judged = |protocol: &Protocol| *protocol != Protocol::Mobility; // tshark shows that checksum, and no more
        for protocol in Protocol::ALL.into_iter().filter(judged) {
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
                note: ours.note.as_deref().unwrap_or_default(),
                quoted: ours.quoted,
                damaged: path
                    .file_name()
                    .is_some_and(|name| name.to_string_lossy().starts_with("damaged")),
                igmp_is_known: !ours.igmp_unknown,
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
    fn all(&self, code: u8) -> bool {
        self.statuses
            .values()
            .flatten()
            .filter(|&&other| other == code)
            .count()
            > 0
    }

    fn both_udp(&self) -> bool {
        let has = |name| self.protocols.split(':').any(|other| other == name);
        has("udp") && has("udplite")
    }

    fn of(&self, protocol: Protocol) -> &[u8] {
        self.statuses.get(&protocol).map_or(&[], Vec::as_slice)
    }

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

/// Where tshark shows its verdicts. What shares IGMP's number has dissectors of its own.
const STATUS_FIELDS: [(Protocol, &str); 21] = [
    (Protocol::Ipv4, "ip.checksum.status"),
    (Protocol::Tcp, "tcp.checksum.status"),
    (Protocol::Udp, "udp.checksum.status"),
    (Protocol::Icmp, "icmp.checksum.status"),
    (Protocol::Icmpv6, "icmpv6.checksum.status"),
    (Protocol::Dccp, "dccp.checksum.status"),
    (Protocol::Sctp, "sctp.checksum.status"),
    (Protocol::Igmp, "igmp.checksum.status"),
    (Protocol::Igmp, "dvmrp.checksum.status"),
    (Protocol::Igmp, "igap.checksum.status"),
    (Protocol::Igmp, "mrdisc.checksum.status"),
    (Protocol::Igmp, "msnip.checksum.status"),
    (Protocol::Igmp, "rgmp.checksum.status"),
    (Protocol::Pim, "pim.cksum.status"),
    (Protocol::Vrrp, "vrrp.checksum.status"),
    (Protocol::Vrrp, "carp.checksum.status"),
    (Protocol::Eigrp, "eigrp.checksum.status"),
    (Protocol::Gre, "gre.checksum.status"),
    (Protocol::Hip, "hip.checksum.status"),
    (Protocol::Shim6, "shim6.checksum.status"),
    (Protocol::Pgm, "pgm.hdr.cksum.status"),
];

fn tshark(path: &Path, fragments: Fragments) -> Result<Vec<Theirs>, String> {
    let mut command = Command::new("tshark");
    command.arg("-n").arg("-r").arg(path);
    for preference in [
        "ip.check_checksum:TRUE",
        "tcp.check_checksum:TRUE",
        "udp.check_checksum:TRUE",
        "udplite.check_checksum:TRUE",
        "sctp.checksum:CRC-32c",
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
    if !output.status.success() && output.stdout.is_empty() {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(error.lines().last().unwrap_or("tshark fails").to_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut frames: Vec<_> = text.lines().map(line).collect();
    read_text(path, &mut frames)?;
    Ok(frames)
}

/// What tshark says in words only: a line behind the heading of the protocol in the frame.
const IN_WORDS: [(Protocol, &str, &str, &str); 2] = [
    (
        Protocol::Ospf,
        "ospf",
        "Open Shortest Path First",
        "Checksum: 0x",
    ),
    (
        Protocol::Rsvp,
        "rsvp",
        "Resource ReserVation Protocol",
        "Message Checksum: 0x",
    ),
];

fn read_text(path: &Path, frames: &mut [Theirs]) -> Result<(), String> {
    for (protocol, name, heading, start) in IN_WORDS {
        if !frames.iter().any(|frame| frame.has(&[name])) {
            continue;
        }
        let mut command = Command::new("tshark");
        command.arg("-n").arg("-r").arg(path).arg("-O").arg(name);
        let output = command.output().map_err(|e| format!("tshark: {e}"))?;
        let (mut number, mut due) = (0, false);
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            if let Some(rest) = line.strip_prefix("Frame ") {
                let digits = rest
                    .split(':')
                    .next()
                    .and_then(|digits| digits.parse().ok());
                number = digits.unwrap_or(number);
            }
            due |= line.starts_with(heading);
            if due && line.trim_start().starts_with(start) {
                let code = match line {
                    _ if line.contains("[correct]") => 1,
                    _ if line.contains("[incorrect") => 0,
                    _ => 2,
                };
                frames[number - 1]
                    .statuses
                    .entry(protocol)
                    .or_default()
                    .push(code);
                due = false; // what comes is the checksum of something else
            }
        }
    }
    Ok(())
}

fn line(line: &str) -> Theirs {
    let mut columns = line.split('\t');
    let protocols = columns.next().unwrap_or_default().to_owned();
    let gave_up = !columns.next().unwrap_or_default().is_empty();
    let layers = protocols
        .split(':')
        .filter(|name| matches!(*name, "ip" | "ipv6"))
        .count();
    let mut statuses = BTreeMap::<_, Vec<u8>>::new();
    for ((protocol, _), column) in STATUS_FIELDS.into_iter().zip(columns) {
        let codes = column.split(',').filter_map(|code| code.parse::<u8>().ok());
        // The field of PGM is shown twice, first with a byte of the checksum for its status.
        let odd = codes.clone().skip(1).step_by(2);
        let all = statuses.entry(protocol).or_default();
        match protocol {
            Protocol::Pgm => all.extend(odd),
            _ => all.extend(codes),
        }
    }
    // UDP-Lite is shown in the field of UDP.
    if protocols.split(':').any(|name| name == "udplite") {
        let udp = statuses.remove(&Protocol::Udp).unwrap_or_default();
        statuses.insert(Protocol::UdpLite, udp);
    }
    Theirs {
        statuses,
        layers,
        protocols,
        gave_up,
    }
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
