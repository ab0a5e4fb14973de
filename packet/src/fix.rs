// SPDX-License-Identifier: MIT OR Apache-2.0
//! Repairs a capture: copies it, and corrects each checksum that is bad for a wanted cause. Every
//! other byte of the copy is as it was.
//!
//! The bytes are copied as they are, and checksum fields are changed in place. So no block, option
//! or padding can be lost. The fields of a packet are repaired from the innermost outwards, because
//! the outer ones cover the inner ones. A field that was right, but covers a repaired field,
//! follows the repair. The repair repeats until no wanted field is left. So a second repair changes
//! nothing.
//!
//! A datagram that came in fragments is repaired when its last missing fragment has come. By then
//! the fragment with the checksum has been written, so the output must be seekable.
//!
//! These fields are left as they are, and counted:
//!
//! - a field that cannot be computed, because not all bytes that it covers are in the capture,
//! - a field that is bad for a cause that the caller did not ask for,
//! - a field of a fragmented datagram that another checksum covers (that of a tunnel), or whose
//!   fragments are themselves fragmented.
//!
//! The fields of a packet that an ICMP error quotes are left and not counted, because they are a
//! copy of what some router received.
//!
//! In pcapng, the flag "Csum NotReady" of a packet is cleared if a checksum of TCP, UDP or SCTP is
//! repaired and none of them is left bad. The other flags stay: they tell what the network card was
//! to do or has found, which a repair does not change.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::num::NonZeroUsize;

use crate::capture::{Chunk, Malformed};
use crate::parallel::in_order;
use crate::walk::{Field, Obstacle};
use crate::{
    Again, Capture, ExamineError, Flags, Fragment, Frame, LinkType, Origin, Piece, Protocol,
    Reassembly, Sink, Status, Verdict, examine_up_to_fragment, judge,
};

/// A changed run of bytes in a capture: the 2 bytes of an Internet checksum, the 4 bytes of a
/// CRC32c or of a flags word, or fewer bytes of a checksum that lies in several fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The offset of the bytes in the file, as in [`Place::position`](crate::Place::position).
    pub position: u64,
    /// The number of bytes.
    len: u8,
    old: [u8; 4],
    new: [u8; 4],
}

impl Change {
    /// Makes a change of 1 to 4 bytes. Returns `None` if `old` and `new` do not both have one such
    /// length.
    #[must_use]
    pub fn new(position: u64, old: &[u8], new: &[u8]) -> Option<Change> {
        if !(1..=4).contains(&old.len()) || old.len() != new.len() {
            return None;
        }
        let mut change = Change {
            position,
            len: old.len() as u8,
            old: [0; 4],
            new: [0; 4],
        };
        change.old[..old.len()].copy_from_slice(old);
        change.new[..new.len()].copy_from_slice(new);
        Some(change)
    }

    /// Returns the old bytes.
    #[must_use]
    pub fn old(&self) -> &[u8] {
        &self.old[..usize::from(self.len)]
    }

    /// Returns the new bytes.
    #[must_use]
    pub fn new_bytes(&self) -> &[u8] {
        &self.new[..usize::from(self.len)]
    }
}

/// The output of a repair. Everything that implements [`Write`] and [`Seek`] is one.
pub trait Output {
    /// Takes the next bytes of the copy. The `changes` are already in them, in the order of their
    /// positions.
    ///
    /// # Errors
    /// Any error that should end the repair.
    fn write(&mut self, bytes: &[u8], changes: &[Change]) -> io::Result<()>;

    /// Changes bytes that were written before.
    ///
    /// # Errors
    /// Any error that should end the repair.
    fn patch(&mut self, change: &Change) -> io::Result<()>;
}

impl<W: Write + Seek> Output for W {
    fn write(&mut self, bytes: &[u8], _: &[Change]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn patch(&mut self, change: &Change) -> io::Result<()> {
        self.seek(SeekFrom::Start(change.position))?;
        self.write_all(change.new_bytes())?;
        self.seek(SeekFrom::End(0))?;
        Ok(())
    }
}

/// What was repaired, and what was left.
#[derive(Clone, Debug, Default)]
pub struct Repairs {
    /// The number of frames in the capture.
    pub packets: u64,
    /// The number of frames in which something was changed. A fragmented datagram counts as one.
    pub changed_packets: u64,
    /// The number of flags words in which "Csum NotReady" was cleared.
    pub flags: u64,
    repaired: BTreeMap<(Protocol, &'static str), u64>,
    left: BTreeMap<(Protocol, &'static str), u64>,
    unverified: BTreeMap<(Protocol, &'static str), u64>,
    obstacles: BTreeMap<Obstacle, u64>,
    malformed: Malformed,
}

impl Repairs {
    /// The key under which [`Repairs::repaired`] counts a checksum that was right, but covers a
    /// repaired one.
    pub const FOLLOWS: &'static str = "follows";

    /// The key of a value that must not be sent, and has no other cause.
    pub const ILLEGAL: &'static str = "illegal";

    /// The key under which [`Repairs::left`] counts a bad checksum in a datagram whose fragments
    /// another checksum covers.
    pub const TUNNELED: &'static str = "tunneled fragments";

    /// Returns how many checksums were repaired, by protocol and by the cause for which they were
    /// bad.
    pub fn repaired(&self) -> impl Iterator<Item = (Protocol, &'static str, u64)> {
        each(&self.repaired)
    }

    /// Returns how many checksums are still bad or illegal, by protocol and cause.
    pub fn left(&self) -> impl Iterator<Item = (Protocol, &'static str, u64)> {
        each(&self.left)
    }

    /// Returns how many checksums could not be judged, and so were left, by protocol and reason.
    pub fn unverified(&self) -> impl Iterator<Item = (Protocol, &'static str, u64)> {
        each(&self.unverified)
    }

    /// Returns how many frames have checksum fields that could not be found, by the obstacle.
    pub fn obstacles(&self) -> impl Iterator<Item = (Obstacle, u64)> {
        self.obstacles.iter().map(|(&obstacle, &n)| (obstacle, n))
    }

    /// Returns how many records and frames are malformed, by what is wrong with them.
    #[must_use]
    pub fn malformed(&self) -> &Malformed {
        &self.malformed
    }

    /// Returns how many checksums are still bad or illegal.
    #[must_use]
    pub fn bad(&self) -> u64 {
        self.left.values().sum()
    }

    fn count(&mut self, one: &Judged) {
        let protocol = one.field.protocol;
        let (counts, key) = match (one.repaired, one.status) {
            _ if one.field.quoted => return,
            (Some((why, _)), _) => (&mut self.repaired, why),
            (None, Status::Unverified(reason)) => (&mut self.unverified, reason.key()),
            (None, status) => match key(status) {
                Some(key) => (&mut self.left, key),
                None => return,
            },
        };
        *counts.entry((protocol, key)).or_default() += 1;
    }

    fn add(&mut self, other: &mut Repairs) {
        self.packets += other.packets;
        self.changed_packets += other.changed_packets;
        self.flags += other.flags;
        add(&mut self.repaired, &other.repaired);
        add(&mut self.left, &other.left);
        add(&mut self.unverified, &other.unverified);
        add(&mut self.obstacles, &other.obstacles);
        add(&mut self.malformed, &other.malformed);
        *other = Repairs::default();
    }
}

fn each(
    counts: &BTreeMap<(Protocol, &'static str), u64>,
) -> impl Iterator<Item = (Protocol, &'static str, u64)> {
    counts
        .iter()
        .map(|(&(protocol, key), &n)| (protocol, key, n))
}

fn add<K: Ord + Clone>(sum: &mut BTreeMap<K, u64>, more: &BTreeMap<K, u64>) {
    for (key, n) in more {
        *sum.entry(key.clone()).or_default() += n;
    }
}

/// Copies a capture, from its first byte to its last, and repairs each checksum that is bad for a
/// wanted cause. `wanted` is called with the cause's key, or with [`Repairs::ILLEGAL`].
///
/// # Errors
/// If the capture cannot be read, if its compressed data are damaged, or if the copy cannot be
/// written.
pub fn fix<R: Read + Send>(
    mut capture: Capture<R>,
    workers: NonZeroUsize,
    wanted: impl Fn(&str) -> bool + Sync,
    out: &mut (impl Output + Send),
) -> Result<Repairs, ExamineError> {
    let mut repairs = Repairs::default();
    let mut reassembly = Reassembly::default();
    let mut datagrams = Datagrams::default();

    let results = (0..workers.get()).map(|_| Fixed::default()).collect();
    let work = |chunk: &mut Chunk, fixed: &mut Fixed| fixed.chunk(chunk, &wanted);
    in_order(&mut capture, results, work, |chunk, fixed| {
        repairs.add(&mut fixed.findings.repairs);
        fixed.changes.sort_unstable_by_key(|change| change.position);
        out.write(chunk.bytes(), &fixed.changes)?;
        fixed.changes.clear();
        datagrams.covered.append(&mut fixed.covered);
        for (index, fragment) in fixed.fragments.drain(..) {
            reassembly.push(&chunk.frame(index), &fragment, &mut datagrams);
            datagrams.fix(&wanted, out)?;
        }
        Ok(())
    })?;
    reassembly.finish(&mut datagrams);
    datagrams
        .fix(&wanted, out)
        .map_err(ExamineError::Collector)?;
    repairs.add(&mut datagrams.repairs);
    if let Some(damage) = capture.damage() {
        let what = format!("the compressed data are damaged: {damage}");
        let error = io::Error::new(io::ErrorKind::InvalidData, what);
        return Err(ExamineError::Capture(error));
    }
    add(&mut repairs.malformed, capture.malformed());
    copy_rest(capture, out)?;
    Ok(repairs)
}

/// Copies the bytes behind a record after which no record can be found.
fn copy_rest<R: Read>(capture: Capture<R>, out: &mut impl Output) -> Result<(), ExamineError> {
    let mut rest = capture.into_rest();
    let mut block = vec![0; 256 << 10];
    loop {
        match rest.read(&mut block) {
            Ok(0) => return Ok(()),
            Ok(read) => out
                .write(&block[..read], &[])
                .map_err(ExamineError::Collector)?,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
            Err(e) => return Err(ExamineError::Capture(e)),
        }
    }
}

/// What a worker made of a chunk.
#[derive(Default)]
struct Fixed {
    findings: Findings,
    changes: Vec<Change>,
    /// Each fragment, with the index of its frame in the chunk.
    fragments: Vec<(usize, Fragment)>,
    /// The numbers of the frames whose fragment another checksum covers.
    covered: BTreeSet<u64>,
}

impl Fixed {
    fn chunk(&mut self, chunk: &mut Chunk, wanted: &impl Fn(&str) -> bool) {
        for index in 0..chunk.len() {
            let frame = chunk.frame(index);
            let (number, flags) = (frame.number, frame.flags);
            self.findings.fields.clear();
            let fragment = examine_up_to_fragment(&frame, &mut self.findings);
            if self.findings.fields.iter().any(Judged::is_wrong) {
                self.frame(chunk, index, flags, wanted);
            }
            for one in &self.findings.fields {
                self.findings.repairs.count(one);
            }
            if let Some(fragment) = fragment {
                let start = fragment.area.start;
                let covers = |one: &Judged| {
                    one.field.covers.contains(&start) && one.status != Status::Absent
                };
                if self.findings.fields.iter().any(covers) {
                    self.covered.insert(number);
                }
                self.fragments.push((index, fragment));
            }
        }
    }

    /// Repairs a frame in which a field is wrong.
    fn frame(
        &mut self,
        chunk: &mut Chunk,
        index: usize,
        flags: Option<Flags>,
        wanted: &impl Fn(&str) -> bool,
    ) {
        let (data, position) = chunk.frame_mut(index);
        repair(data, flags, &mut self.findings.fields, wanted);
        let before = self.changes.len();
        let mut computed = false;
        for one in &self.findings.fields {
            let Some((_, old)) = one.repaired else {
                continue;
            };
            let bytes = one.field.bytes();
            let at = position + bytes.start as u64;
            let old = &old.to_be_bytes()[4 - bytes.len()..];
            self.changes.extend(Change::new(at, old, &data[bytes]));
            computed |= one.field.protocol.is_offloaded();
        }
        let left = |one: &Judged| one.is_wrong() && one.field.protocol.is_offloaded();
        if let Some(flags) = flags
            && computed
            && !self.findings.fields.iter().any(left)
            && flags.has(Flags::CHECKSUM_NOT_READY)
        {
            let value = flags.value & !Flags::CHECKSUM_NOT_READY;
            let in_order = |value: u32| match flags.big_endian {
                true => value.to_be_bytes(),
                false => value.to_le_bytes(),
            };
            let (old, new) = (in_order(flags.value), in_order(value));
            let at = (flags.position - chunk.offset()) as usize;
            chunk.bytes_mut()[at..at + 4].copy_from_slice(&new);
            self.changes.extend(Change::new(flags.position, &old, &new));
            self.findings.repairs.flags += 1;
        }
        self.findings.repairs.changed_packets += u64::from(self.changes.len() > before);
    }
}

/// A field, and what became of it.
struct Judged {
    field: Field,
    first: Status,
    /// The status after the repair.
    status: Status,
    /// The cause under which the field was repaired, and the value that it held before.
    repaired: Option<(&'static str, u32)>,
}

impl Judged {
    fn new(field: &Field, verdict: &Verdict) -> Judged {
        Judged {
            field: field.clone(),
            first: verdict.status,
            status: verdict.status,
            repaired: None,
        }
    }

    fn is_wrong(&self) -> bool {
        matches!(self.status, Status::Bad(_) | Status::Illegal) && !self.field.quoted
    }
}

/// Returns the key with which `wanted` is asked whether to repair.
fn key(status: Status) -> Option<&'static str> {
    match status {
        Status::Bad(cause) => Some(cause.key()),
        Status::Illegal => Some(Repairs::ILLEGAL),
        _ => None,
    }
}

/// Repairs the fields of a packet, which come in order from the outermost. Ends when no field is
/// wanted any more. Each field is repaired at most once for its own cause; after that it follows
/// the fields that it covers.
fn repair(
    data: &mut [u8],
    flags: Option<Flags>,
    fields: &mut [Judged],
    wanted: &impl Fn(&str) -> bool,
) {
    for _ in 0..=fields.len() {
        let mut changed = false;
        for one in fields.iter_mut().rev().filter(|one| !one.field.quoted) {
            let mut verdict = judge(data, &one.field);
            verdict.heed(flags, &one.field);
            one.status = verdict.status;
            let Some(now) = key(verdict.status) else {
                continue;
            };
            let why = match (one.repaired, one.first) {
                (Some((why, _)), _) => Some(why),
                (None, Status::Good) => Some(Repairs::FOLLOWS),
                // A field that covers a repaired one may look bad for another cause than before.
                (None, first) => key(first).into_iter().chain([now]).find(|key| wanted(key)),
            };
            let (Some(why), Some(found), Some(expected)) = (why, verdict.found, verdict.expected)
            else {
                continue;
            };
            let bytes = one.field.bytes();
            let new = &expected.to_be_bytes()[4 - bytes.len()..];
            data[bytes].copy_from_slice(new);
            let (_, old) = one.repaired.unwrap_or((why, found));
            one.repaired = Some((why, old));
            one.status = Status::Good;
            changed = true;
        }
        if !changed {
            return;
        }
    }
}

/// What was found in a frame.
#[derive(Default)]
struct Findings {
    fields: Vec<Judged>,
    repairs: Repairs,
}

impl Sink for Findings {
    fn frame(&mut self, _: &Frame<'_>) {
        self.repairs.packets += 1;
    }

    fn verdict(&mut self, _: &Frame<'_>, field: &Field, verdict: &Verdict) {
        self.fields.push(Judged::new(field, verdict));
    }

    fn obstacle(&mut self, _: &Frame<'_>, obstacle: Obstacle) {
        *self.repairs.obstacles.entry(obstacle).or_default() += 1;
    }

    fn malformed(&mut self, _: &Frame<'_>, how: &'static str) {
        *self.repairs.malformed.entry(how).or_default() += 1;
    }
}

/// What was found in datagrams that are whole, or that never came together.
#[derive(Default)]
struct Datagrams {
    found: Vec<Datagram>,
    repairs: Repairs,
    /// The numbers of the frames whose fragment another checksum covers, while they may still be
    /// needed.
    covered: BTreeSet<u64>,
}

struct Datagram {
    number: u64,
    data: Vec<u8>,
    pieces: Vec<Piece>,
    again: Vec<Again>,
    nested: bool,
    fields: Vec<Judged>,
}

impl Sink for Datagrams {
    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        let Origin::Datagram {
            pieces,
            again,
            nested,
        } = frame.origin
        else {
            return; // a reassembly tells of nothing else
        };
        let same = |datagram: &Datagram| {
            datagram.number == frame.number
                && datagram.pieces == pieces
                && datagram.again == again
                && datagram.data == frame.data
        };
        if !self.found.last().is_some_and(same) {
            self.found.push(Datagram {
                number: frame.number,
                data: frame.data.to_vec(),
                pieces: pieces.to_vec(),
                again: again.to_vec(),
                nested,
                fields: Vec::new(),
            });
        }
        if let Some(datagram) = self.found.last_mut() {
            datagram.fields.push(Judged::new(field, verdict));
        }
    }

    fn obstacle(&mut self, _: &Frame<'_>, obstacle: Obstacle) {
        *self.repairs.obstacles.entry(obstacle).or_default() += 1;
    }

    fn malformed(&mut self, _: &Frame<'_>, how: &'static str) {
        *self.repairs.malformed.entry(how).or_default() += 1;
    }
}

/// The number of frames to remember. A reassembly has room for fewer waiting frames than that.
const MAX_COVERED: usize = 1 << 18;

impl Datagrams {
    /// Repairs the datagrams found so far.
    fn fix(&mut self, wanted: &impl Fn(&str) -> bool, out: &mut impl Output) -> io::Result<()> {
        while self.covered.len() > MAX_COVERED {
            self.covered.pop_first();
        }
        for mut datagram in std::mem::take(&mut self.found) {
            let wrong = datagram.fields.iter().any(Judged::is_wrong);
            if wrong && self.is_tunneled(&datagram) {
                for one in datagram.fields.iter().filter(|one| one.is_wrong()) {
                    let key = (one.field.protocol, Repairs::TUNNELED);
                    *self.repairs.left.entry(key).or_default() += 1;
                }
                datagram.fields.retain(|one| !one.is_wrong());
            } else if wrong {
                let mut data = datagram.data.clone();
                repair(&mut data, None, &mut datagram.fields, wanted);
                self.repairs.changed_packets += u64::from(datagram.patch(&data, out)?);
            }
            for one in &datagram.fields {
                self.repairs.count(one);
            }
        }
        Ok(())
    }

    fn is_tunneled(&self, datagram: &Datagram) -> bool {
        let pieces = datagram.pieces.iter().map(|piece| piece.place);
        let mut places = pieces.chain(datagram.again.iter().map(|again| again.place));
        datagram.nested || places.any(|place| self.covered.contains(&place.frame))
    }
}

impl Datagram {
    /// Writes each repaired field to where it lies, byte by byte: a field may lie in several
    /// fragments, and these may be in the file more than once. Returns whether a byte was changed.
    fn patch(&self, repaired: &[u8], out: &mut impl Output) -> io::Result<bool> {
        let frame = Frame {
            origin: Origin::Datagram {
                pieces: &self.pieces,
                again: &self.again,
                nested: self.nested,
            },
            ..Frame::new(LinkType::RAW, &self.data)
        };
        let fields = self.fields.iter().filter(|one| one.repaired.is_some());
        let mut any = false;
        for at in fields.flat_map(|one| one.field.bytes()) {
            let (old, new) = (self.data[at], repaired[at]);
            for place in [frame.place(at)].into_iter().chain(frame.places_again(at)) {
                if let (Some(position), true) = (place.position, old != new)
                    && let Some(change) = Change::new(position, &[old], &[new])
                {
                    out.patch(&change)?;
                    any = true;
                }
            }
        }
        Ok(any)
    }
}
