// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compares the verdicts of wiresum and of tshark on each frame.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use wiresum_packet::{
    Capture, Field, Frame, Obstacle, Protocol, Reason, Reassembly, Sink, Status, Verdict, examine,
};

use crate::differences::{DIFFERENCES, IGMP_TYPES, Pair};
use crate::theirs::{Theirs, tshark};
use crate::{Fragments, scratch};

/// Compares captures, one tshark a processor at a time.
pub(crate) fn compare_all(paths: &[PathBuf], fragments: Fragments) -> Comparison {
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

/// The result of a comparison.
#[derive(Default)]
pub(crate) struct Comparison {
    captures: usize,
    frames: usize,
    compared: usize,
    by_status: BTreeMap<&'static str, usize>,
    /// Fields on which tshark is silent, because it stopped at the end of the captured bytes or at
    /// malformed ones.
    silent: usize,
    /// Fields that only tshark has, in layers that the walk does not enter: quoted packets,
    /// tunnels.
    not_entered: usize,
    /// Fields to which one of DIFFERENCES applies.
    differences: usize,
    /// The same, by frame and protocol: a line each for second_reader.py.
    differing: String,
    left_out: Vec<String>,
    disagreements: Vec<String>,
}

impl Comparison {
    /// Writes the fields of known differences to a file in the folder of scratch files.
    pub(crate) fn write(&self, name: &str) {
        fs::write(scratch(name), &self.differing).expect("a scratch file");
    }

    /// Prints the figures, and panics if there is a disagreement.
    pub(crate) fn print(mut self) {
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
            "not compared: {} fields in layers that the walk does not enter",
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
        self.differing += &other.differing;
        self.disagreements.extend(other.disagreements);
    }
}

/// The verdicts on a frame. Each protocol has its statuses, outermost first, and whether the
/// covered bytes were captured only in part. `layers` is the number of network headers.
#[derive(Default)]
struct Verdicts {
    link_type: u32,
    wire: usize,
    data: Vec<u8>,
    statuses: BTreeMap<Protocol, Vec<(Status, bool)>>,
    layers: usize,
    note: Option<String>,
    quoted: bool,
    igmp_unknown: bool,
    odd_route: bool,
}

/// The verdicts by frame.
#[derive(Default)]
struct Collect(BTreeMap<u64, Verdicts>);

impl Collect {
    fn of(&mut self, frame: &Frame<'_>) -> &mut Verdicts {
        self.0.entry(frame.number).or_default()
    }
}

impl Sink for Collect {
    fn frame(&mut self, frame: &Frame<'_>) {
        let all = self.of(frame);
        if all.data.is_empty() {
            // Not a datagram of the frame, which comes later.
            all.link_type = frame.link_type.0;
            all.wire = frame.original_len;
            all.data = frame.data.to_vec();
        }
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
        all.odd_route |= field.protocol == Protocol::Ipv4
            && frame
                .data
                .get(field.covers.start + 20..field.covers.end)
                .is_some_and(has_odd_route);
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        self.of(frame).note = Some(obstacle.to_string());
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        self.of(frame).note = Some(format!("malformed: {how}"));
    }
}

/// Returns whether the options of an IPv4 header hold what may be a source route (RFC 791 section
/// 3.1) that is not made of whole addresses after its three bytes.
fn has_odd_route(options: &[u8]) -> bool {
    const HEAD: u8 = 3;
    options
        .windows(2)
        .any(|bytes| matches!(*bytes, [131 | 137, len] if len % 4 != HEAD))
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
        // tshark says nothing of a datagram that never came together.
        let incomplete = |status| {
            fragments == Fragments::Together && status == Status::Unverified(Reason::Fragment)
        };
        // tshark shows this checksum without judging it
        let judged = |protocol: &Protocol| *protocol != Protocol::Mobility;
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
                odd_route: ours.odd_route,
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
            } else if let Some((_, why)) = DIFFERENCES.iter().find(|(applies, _)| applies(&pair)) {
                self.differences += mine.len().max(other.len());
                let mine: Vec<_> = mine.iter().map(|&(status, _)| code(status)).collect();
                self.differing += &format!(
                    "{}\t{}\t{}\t{}\t{mine:?}\t{other:?}\t{why}\n",
                    ours.link_type,
                    ours.wire,
                    hex(&ours.data),
                    protocol.key(),
                );
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

fn hex(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        write!(text, "{byte:02x}").expect("a string takes everything");
    }
    text
}

/// Returns the number of a status in Wireshark's proto_checksum_enum_e.
pub(crate) fn code(status: Status) -> u8 {
    match status {
        Status::Bad(_) => 0,
        Status::Good => 1,
        Status::Unverified(_) => 2,
        Status::Absent => 3,
        Status::Illegal => 4,
    }
}
