// SPDX-License-Identifier: MIT OR Apache-2.0
//! Repairs a capture: copies it, and corrects each checksum that is bad for a wanted cause. Every
//! other byte of the copy is as it was.
//!
//! The bytes are copied as they are, and checksum fields are changed in place. So no block, option
//! or padding can be lost. The fields of a packet are repaired from the innermost outwards, because
//! the outer ones cover the inner ones. A field that was right, but covers a repaired field,
//! follows the repair. The repair repeats until no wanted field is left. So a second repair changes
//! nothing, with one exception: if the caller wants `one-bit`, `no-carry`, `one-byte` or `unknown`,
//! and not `same-difference`, or the other way round, then the repair takes packets out of the rows
//! that [`Flows`] judge. The packets that are left may have another cause after that.
//!
//! A datagram that came in fragments is repaired when its last missing fragment has come. By then
//! the fragment with the checksum has been written, so the output must be seekable.
//!
//! These fields are left as they are, and counted:
//!
//! - a field that cannot be computed, because not all bytes that it covers are in the capture,
//! - a field that is bad for a cause that the caller did not ask for,
//! - a field that a digest or a signature in the packet covers,
//! - a field of a fragmented datagram that another checksum covers (the checksum of a tunnel), or
//!   whose fragments are themselves fragmented.
//!
//! The fields of a packet that an ICMP error quotes, or of which another message holds a copy, are
//! left and not counted: the copy shows what some router received.
//!
//! In pcapng, the flag "Csum NotReady" of a packet is cleared if a checksum of TCP, UDP or SCTP is
//! repaired and none of them is left bad. The other flags stay: they tell what the network card was
//! to do or has found, which a repair does not change.

mod datagrams;
mod output;
mod repairs;

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::mem;
use std::num::NonZeroUsize;

use crate::capture::Chunk;
use crate::parallel::in_order;
use crate::walk::{Field, Obstacle};
use crate::{
    Capture, ExamineError, Flags, Flows, Fragment, Frame, Reassembly, Sink, Status, Verdict,
    examine_up_to_fragment, judge,
};
use datagrams::Datagrams;

pub use output::{Change, Output};
pub use repairs::Repairs;

/// Copies a capture, from its first byte to its last, and repairs each checksum that is bad for a
/// wanted cause. `wanted` is called with the cause's key, or with [`Repairs::ILLEGAL`].
///
/// ```
/// use std::io::Cursor;
/// use std::num::NonZeroUsize;
/// use wiresum_packet::{Capture, fix};
///
/// # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/office.pcapng");
/// # /*
/// let path = "office.pcapng";
/// # */
/// let capture = Capture::open(std::fs::File::open(path)?)?;
/// let mut copy = Cursor::new(Vec::new());
/// let repairs = fix(capture, NonZeroUsize::MIN, |_| true, &mut copy)?;
/// let repaired: u64 = repairs.repaired().map(|(.., n)| n).sum();
/// assert_eq!((repaired, repairs.bad()), (142, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    let mut flows = Flows::default();
    let mut reassembly = Reassembly::default();
    let mut datagrams = Datagrams::default();

    let results = (0..workers.get()).map(|_| Fixed::default()).collect();
    let work = |chunk: &mut Chunk, fixed: &mut Fixed| fixed.chunk(chunk, &wanted);
    in_order(&mut capture, results, work, |chunk, fixed| {
        for (index, later) in mem::take(&mut fixed.later) {
            match later {
                Later::Fields(mut fields) => {
                    for one in &mut fields {
                        flows.judge(&one.field, &mut one.first);
                        one.status = one.first.status;
                    }
                    fixed.frame(chunk, index, &mut fields, &wanted);
                }
                Later::Fragment(fragment) => {
                    let mut sink = flows.sink(&mut datagrams);
                    reassembly.push(&chunk.frame(index), &fragment, &mut sink);
                }
            }
        }
        repairs.add(&mut fixed.findings.repairs);
        fixed.changes.sort_unstable_by_key(|change| change.position);
        out.write(chunk.bytes(), &fixed.changes)?;
        fixed.changes.clear();
        datagrams.covered.append(&mut fixed.covered);
        datagrams.fix(&wanted, out)
    })?;
    reassembly.finish(&mut flows.sink(&mut datagrams));
    datagrams
        .fix(&wanted, out)
        .map_err(ExamineError::Collector)?;
    repairs.add(&mut datagrams.repairs);
    if let Some(damage) = capture.damage() {
        let what = format!("the compressed data are damaged: {damage}");
        let error = io::Error::new(io::ErrorKind::InvalidData, what);
        return Err(ExamineError::Capture(error));
    }
    repairs::add(&mut repairs.malformed, capture.malformed());
    copy_rest(capture, out)?;
    Ok(repairs)
}

/// Copies the bytes after a record after which no record can be found.
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

/// The result of repairing a chunk.
#[derive(Default)]
struct Fixed {
    findings: Findings,
    changes: Vec<Change>,
    /// What waits for the turn of the chunk, each with the index of its frame.
    later: Vec<(usize, Later)>,
    /// The numbers of the frames whose fragment another checksum covers.
    covered: BTreeSet<u64>,
}

enum Later {
    /// The fields of a frame, of whose cause the packets before may tell more.
    Fields(Vec<Judged>),
    Fragment(Fragment),
}

impl Fixed {
    fn chunk(&mut self, chunk: &mut Chunk, wanted: &impl Fn(&str) -> bool) {
        for index in 0..chunk.len() {
            let frame = chunk.frame(index);
            let number = frame.number;
            let fragment = examine_up_to_fragment(&frame, &mut self.findings);
            let mut fields = mem::take(&mut self.findings.fields);
            if let Some(fragment) = &fragment {
                let start = fragment.area.start;
                let covers = |one: &Judged| {
                    one.field.covers.contains(&start) && one.status != Status::Absent
                };
                if fields.iter().any(covers) {
                    self.covered.insert(number);
                }
            }
            let may_tell = |one: &Judged| Flows::may_tell(&one.field, &one.first);
            if fields.iter().any(may_tell) {
                self.later.push((index, Later::Fields(fields)));
            } else {
                self.frame(chunk, index, &mut fields, wanted);
                fields.clear();
                self.findings.fields = fields; // keeps the memory
            }
            if let Some(fragment) = fragment {
                self.later.push((index, Later::Fragment(fragment)));
            }
        }
    }

    /// Repairs a frame if a field is wrong, and counts the fields.
    fn frame(
        &mut self,
        chunk: &mut Chunk,
        index: usize,
        fields: &mut [Judged],
        wanted: &impl Fn(&str) -> bool,
    ) {
        if fields.iter().any(Judged::is_wrong) {
            self.repair(chunk, index, fields, wanted);
        }
        for one in fields {
            self.findings.repairs.count(one);
        }
    }

    fn repair(
        &mut self,
        chunk: &mut Chunk,
        index: usize,
        fields: &mut [Judged],
        wanted: &impl Fn(&str) -> bool,
    ) {
        let flags = chunk.frame(index).flags;
        let (data, position) = chunk.frame_mut(index);
        repair(data, flags, fields, wanted);
        let before = self.changes.len();
        let mut computed = false;
        for one in &*fields {
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
            && !fields.iter().any(left)
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
    first: Verdict,
    /// The status after the repair.
    status: Status,
    /// The cause under which the field was repaired, and the value that it held before.
    repaired: Option<(&'static str, u32)>,
}

impl Judged {
    fn new(field: &Field, verdict: &Verdict) -> Judged {
        Judged {
            field: field.clone(),
            first: *verdict,
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
        let may_change = |one: &&mut Judged| !one.field.quoted && !one.field.authenticated;
        for one in fields.iter_mut().rev().filter(may_change) {
            let mut verdict = judge(data, &one.field);
            verdict.heed(flags, &one.field);
            if matches!(one.first.status, Status::Bad(cause) if cause.is_of_flow())
                && Flows::may_tell(&one.field, &verdict)
            {
                verdict.status = one.first.status; // `judge` sees the packet alone
            }
            one.status = verdict.status;
            let Some(now) = key(verdict.status) else {
                continue;
            };
            let why = match (one.repaired, one.first.status) {
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

/// The findings in a frame.
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
