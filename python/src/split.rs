// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where one capture can be split, so that many processes read it at the same time, each its own
//! range of records.
//!
//! A range begins where a chain of plausible records begins, or where the range before it ended:
//! whoever puts the ranges together compares the two. What other frames may change, the verdicts on
//! fragments and on bad checksums without an exact cause, is in the *waiting* frames. No range
//! reports them; their places are noted, so that one reading takes them all in the order of the
//! file.

use std::cell::RefCell;
use std::io::{self, Cursor, Read};
use std::mem;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use wiresum_packet::{
    Capture, Cause, Chunk, Compression, Field, Frame, Obstacle, OpenError, Origin, Protocol, Sink,
    Status, Tally, Verdict, examine_up_to_fragment,
};

use crate::source::Shared;

/// The longest record that is read, as `wiresum_packet::capture` has it.
const MAX_RECORD: u64 = 16 << 20;
/// The bytes in which the beginning of a record is looked for, and those in which the first packet
/// of a pcapng is.
const WINDOW: u64 = 1 << 20;
/// The records in a row that must be plausible.
const CHAIN: usize = 8;
/// The longest packet that a plausible record holds, unless the header of the file says more.
const PLAUSIBLE: u32 = 256 << 10;
/// The bytes of all headers that a range may need. A capture that needs more is not split.
const MAX_HEADERS: usize = 1 << 20;

const SECTION_HEADER: [u8; 4] = 0x0a0d_0d0a_u32.to_be_bytes();
const SECTION_LEN: u32 = 28;
const INTERFACE_DESCRIPTION: u32 = 1;
const PACKETS: [u32; 3] = [2, 3, 6];
const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;
const BLOCK_HEADER: usize = 12;

/// What a reader has to know before it can read records at some place of a file.
#[derive(Clone)]
struct State {
    format: Format,
    big_endian: bool,
    /// The beginning of a file with this state: the header of a pcap, or a section of a pcapng with
    /// its interfaces.
    header: Vec<u8>,
}

#[derive(Clone, Copy)]
enum Format {
    Pcap { header_len: u64 },
    PcapNg,
}

impl State {
    /// The state after a header, or `None` if such captures are not split.
    fn of(header: &[u8]) -> Option<State> {
        const MICROSECONDS: u32 = 0xa1b2_c3d4;
        const NANOSECONDS: u32 = 0xa1b2_3c4d;
        const MODIFIED: u32 = 0xa1b2_cd34; // its record headers have 8 more bytes
        let magic: [u8; 4] = *header.first_chunk()?;
        if magic == SECTION_HEADER {
            let big_endian = byte_order(header.get(8..12)?)?;
            return Some(State::section(big_endian));
        }
        let (little, big) = (u32::from_le_bytes(magic), u32::from_be_bytes(magic));
        let (big_endian, header_len) = match (little, big) {
            (MICROSECONDS | NANOSECONDS, _) => (false, 16),
            (MODIFIED, _) => (false, 24),
            (_, MICROSECONDS | NANOSECONDS) => (true, 16),
            _ => return None,
        };
        Some(State {
            format: Format::Pcap { header_len },
            big_endian,
            header: header.get(..24)?.to_vec(),
        })
    }

    /// A section of a pcapng, without interfaces.
    fn section(big_endian: bool) -> State {
        let word = |word: u32| match big_endian {
            true => word.to_be_bytes(),
            false => word.to_le_bytes(),
        };
        let version = match big_endian {
            true => [0, 1, 0, 0],
            false => [1, 0, 0, 0],
        };
        let len = word(SECTION_LEN);
        let parts = [SECTION_HEADER, len, word(BYTE_ORDER_MAGIC), version];
        let mut header = parts.concat();
        header.extend([0xff; 8]); // the length of the section is not told
        header.extend(len);
        State {
            format: Format::PcapNg,
            big_endian,
            header,
        }
    }

    /// The state after the header of a range, which may hold interfaces.
    fn behind(header: &[u8]) -> Option<State> {
        let mut state = State::of(header)?;
        state.header = header.to_vec();
        Some(state)
    }

    fn word(&self, bytes: &[u8], at: usize) -> u32 {
        let word = [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        match self.big_endian {
            true => u32::from_be_bytes(word),
            false => u32::from_le_bytes(word),
        }
    }

    /// The place and the length of a frame's record. `position` is the position of its first
    /// captured byte, in a file in which `bytes` lie at `offset`.
    fn record(&self, frame: &Frame<'_>, position: u64, bytes: &[u8], offset: u64) -> (u64, u64) {
        match self.format {
            Format::Pcap { header_len } => {
                (position - header_len, header_len + frame.data.len() as u64)
            }
            Format::PcapNg => {
                // A Simple Packet Block has no time, and its data begin earlier.
                let before = if frame.time.is_some() { 28 } else { 12 };
                let start = position - before;
                let len = self.word(&bytes[(start - offset) as usize..], 4);
                (start, len.into())
            }
        }
    }
}

/// The byte order that the magic of a section shows.
fn byte_order(magic: &[u8]) -> Option<bool> {
    match *magic.first_chunk()? {
        bytes if u32::from_le_bytes(bytes) == BYTE_ORDER_MAGIC => Some(false),
        bytes if u32::from_be_bytes(bytes) == BYTE_ORDER_MAGIC => Some(true),
        _ => None,
    }
}

/// Follows the bytes of a file from a boundary of records to the first one at or after `until`.
/// It decides as the reader of `wiresum_packet` does where a record ends and whether one follows.
struct Walker {
    /// The states, each with the place of the block that brought it. The last one is current.
    states: Vec<(u64, State)>,
    until: u64,
    /// Whether the first packet is the end.
    up_to_packet: bool,
    /// The place of the next byte.
    at: u64,
    within: Within,
    /// Where the bytes end that belong to the range, once that is known.
    end: Option<u64>,
    /// Whether no record can follow.
    ended: bool,
    /// Whether the states take more memory than they may.
    too_many: bool,
}

enum Within {
    /// The header of a record or block.
    Header(Vec<u8>),
    /// A block that describes an interface, up to a length.
    Interface(Vec<u8>, usize),
    /// Anything else, up to the place where the next record begins.
    Rest(u64),
}

impl Walker {
    fn new(state: State, at: u64, until: u64) -> Walker {
        Walker {
            states: vec![(at, state)],
            until,
            up_to_packet: false,
            at,
            within: Within::Header(Vec::new()),
            end: None,
            ended: false,
            too_many: false,
        }
    }

    fn state(&self) -> &State {
        &self.states[self.states.len() - 1].1
    }

    /// The index of the state at a place.
    fn state_at(&self, place: u64) -> usize {
        self.states
            .partition_point(|&(from, _)| from <= place)
            .saturating_sub(1)
    }

    /// Takes the next bytes. Returns how many of them belong to the range.
    fn take(&mut self, mut bytes: &[u8]) -> usize {
        let from = self.at;
        while self.end.is_none() {
            if self.go_on() {
                continue;
            }
            let (at, room) = (self.at, bytes.len());
            if room == 0 {
                break;
            }
            let taken = match &mut self.within {
                Within::Header(header) if header.is_empty() && at >= self.until => {
                    self.end = Some(at);
                    0
                }
                Within::Header(header) => {
                    let taken = room.min(BLOCK_HEADER - header.len());
                    header.extend_from_slice(&bytes[..taken]);
                    taken
                }
                Within::Interface(block, len) => {
                    let taken = room.min(*len - block.len());
                    block.extend_from_slice(&bytes[..taken]);
                    taken
                }
                Within::Rest(next) => (*next - at).min(room as u64) as usize,
            };
            bytes = &bytes[taken..];
            self.at += taken as u64;
        }
        if let Some(end) = self.end {
            self.at += end.saturating_sub(self.at).min(bytes.len() as u64);
        }
        (self.at - from) as usize
    }

    /// Goes on to what follows, if what the walker is within is complete.
    fn go_on(&mut self) -> bool {
        match &mut self.within {
            Within::Header(header) if header.len() == BLOCK_HEADER => {
                let header = mem::take(header);
                self.header(header);
            }
            Within::Interface(block, len) if block.len() == *len => {
                let (block, start) = (mem::take(block), self.at - *len as u64);
                if block[4..8] == block[block.len() - 4..] {
                    let mut state = self.state().clone();
                    state.header.extend(block);
                    self.change(start, state);
                }
                self.within = Within::Header(Vec::new());
            }
            Within::Rest(next) if *next == self.at => self.within = Within::Header(Vec::new()),
            _ => return false,
        }
        true
    }

    /// Takes the header of a record or block, which ends here.
    fn header(&mut self, header: Vec<u8>) {
        let start = self.at - BLOCK_HEADER as u64;
        if let Format::Pcap { header_len } = self.state().format {
            let len = header_len + u64::from(self.state().word(&header, 8));
            if len > MAX_RECORD {
                self.no_record_follows(start + header_len);
            } else {
                self.within = Within::Rest(start + len);
            }
            return;
        }
        if header.starts_with(&SECTION_HEADER) {
            let Some(big_endian) = byte_order(&header[8..]) else {
                return self.no_record_follows(self.at);
            };
            self.change(start, State::section(big_endian));
            if self.too_many {
                return;
            }
        }
        let kind = self.state().word(&header, 0);
        let len = u64::from(self.state().word(&header, 4));
        if len < BLOCK_HEADER as u64 || !len.is_multiple_of(4) {
            self.no_record_follows(self.at);
        } else if self.up_to_packet && PACKETS.contains(&kind) {
            self.end = Some(start);
        } else if kind == INTERFACE_DESCRIPTION && len <= MAX_RECORD {
            self.within = Within::Interface(header, len as usize);
        } else {
            self.within = Within::Rest(start + len);
        }
    }

    fn change(&mut self, place: u64, state: State) {
        let headers = self.states.iter().map(|(_, state)| state.header.len());
        if headers.sum::<usize>() + state.header.len() > MAX_HEADERS {
            self.too_many = true;
            return self.no_record_follows(self.at);
        }
        self.states.push((place, state));
    }

    fn no_record_follows(&mut self, end: u64) {
        (self.end, self.ended) = (Some(end), true);
    }

    /// The file has ended.
    fn file_ends(&mut self) {
        if self.end.is_none() {
            self.no_record_follows(self.at);
        }
    }
}

/// Reads the bytes of a range, which the walker follows.
struct Watch<'a, R> {
    reader: R,
    walker: &'a RefCell<Walker>,
}

impl<R: Read> Read for Watch<'_, R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let mut walker = self.walker.borrow_mut();
        if walker.end.is_some_and(|end| end <= walker.at) || buf.is_empty() {
            return Ok(0);
        }
        let read = self.reader.read(buf)?;
        if read == 0 {
            walker.file_ends();
        }
        Ok(walker.take(&buf[..read]))
    }
}

/// Looks for a record in the beginning of a stretch of a file: the first place at which a chain of
/// plausible records begins. `offset` is the place of the first byte.
fn find(state: &State, window: &[u8], offset: u64, whole: bool) -> Option<usize> {
    let step = match state.format {
        Format::Pcap { .. } => 1,
        Format::PcapNg => 4, // the length of each block is a multiple of 4
    };
    let first = (offset.next_multiple_of(step as u64) - offset) as usize;
    (first..window.len())
        .step_by(step)
        .find(|&at| state.is_chain(window, at, whole))
}

impl State {
    fn is_chain(&self, window: &[u8], mut at: usize, whole: bool) -> bool {
        let mut seconds = None;
        for records in 0..CHAIN {
            let rest = &window[at..];
            if rest.is_empty() || (!whole && rest.len() < 24) {
                return records > 0;
            }
            let Some(len) = self.plausible(rest, &mut seconds) else {
                return false;
            };
            at += len;
            if at > window.len() {
                return !whole && records > 0;
            }
        }
        true
    }

    /// The length of the record at the beginning of these bytes, if it is plausible.
    fn plausible(&self, bytes: &[u8], before: &mut Option<u32>) -> Option<usize> {
        const DAY: u32 = 24 * 60 * 60;
        if bytes.len() < 16 {
            return None;
        }
        let word = |at| self.word(bytes, at);
        let len = match self.format {
            Format::Pcap { header_len } => {
                let (seconds, captured, original) = (word(0), word(8), word(12));
                let most = self
                    .word(&self.header, 16)
                    .clamp(PLAUSIBLE, MAX_RECORD as u32);
                let follows = before.is_none_or(|before| before.abs_diff(seconds) <= DAY);
                *before = Some(seconds);
                let fits = (1..=most).contains(&captured) && captured <= original;
                if word(4) >= 1_000_000_000 || !fits || !follows {
                    return None;
                }
                header_len as usize + captured as usize
            }
            Format::PcapNg => {
                let (kind, len) = (word(0), word(4) as usize);
                let known = kind < 0x100 || bytes.starts_with(&SECTION_HEADER);
                let ends = len
                    .checked_sub(4)
                    .is_some_and(|at| bytes.get(at..len).is_none_or(|end| end == &bytes[4..8]));
                let fits = (12..=MAX_RECORD as usize).contains(&len) && len.is_multiple_of(4);
                if !known || kind == 0 || !fits || !ends {
                    return None;
                }
                len
            }
        };
        Some(len)
    }
}

/// Reports to a sink the frames that no other frame can change.
pub(crate) struct Alone<S> {
    pub(crate) sink: S,
    told: Vec<Told>,
    waits: bool,
}

enum Told {
    Frame,
    Verdict(Field, Verdict),
    Obstacle(Obstacle),
    Malformed(&'static str),
}

impl<S: Sink> Alone<S> {
    pub(crate) fn new(sink: S) -> Alone<S> {
        Alone {
            sink,
            told: Vec::new(),
            waits: false,
        }
    }

    /// Examines a frame. Returns whether it is a waiting one, of which the sink was told nothing.
    pub(crate) fn examine(&mut self, frame: &Frame<'_>) -> bool {
        let fragment = examine_up_to_fragment(frame, self);
        let waits = mem::take(&mut self.waits) || fragment.is_some();
        let told = self.told.drain(..).filter(|_| !waits);
        for told in told {
            match told {
                Told::Frame => self.sink.frame(frame),
                Told::Verdict(field, verdict) => self.sink.verdict(frame, &field, &verdict),
                Told::Obstacle(obstacle) => self.sink.obstacle(frame, obstacle),
                Told::Malformed(how) => self.sink.malformed(frame, how),
            }
        }
        waits
    }
}

impl<S: Sink> Sink for Alone<S> {
    fn frame(&mut self, _: &Frame<'_>) {
        self.told.push(Told::Frame);
    }

    fn verdict(&mut self, _: &Frame<'_>, field: &Field, verdict: &Verdict) {
        // The causes in whose place a flow may tell another one: `wiresum_packet::Flows`.
        self.waits |= matches!(
            verdict.status,
            Status::Bad(Cause::OneBit | Cause::NoCarry | Cause::OneByte | Cause::Unknown)
        );
        self.told.push(Told::Verdict(field.clone(), *verdict));
    }

    fn wants_fields(&self) -> bool {
        self.sink.wants_fields()
    }

    fn count(&mut self, len: usize, fields: &[(Protocol, Status)]) {
        self.sink.count(len, fields);
    }

    fn obstacle(&mut self, _: &Frame<'_>, obstacle: Obstacle) {
        self.told.push(Told::Obstacle(obstacle));
    }

    fn malformed(&mut self, _: &Frame<'_>, how: &'static str) {
        self.told.push(Told::Malformed(how));
    }
}

/// Records that lie together and have consecutive numbers.
#[derive(Clone, Copy, Default)]
pub(crate) struct Run {
    /// The place of the first record in the file.
    pub(crate) start: u64,
    /// The length of all records.
    pub(crate) len: u64,
    /// The number of frames before the first one.
    pub(crate) before: u64,
    pub(crate) frames: u64,
}

/// Runs as bytes: each as four numbers in LEB128, the first and the third as the difference from
/// where the run before ended.
#[derive(Default)]
struct Runs {
    bytes: Vec<u8>,
    written: Run,
    run: Run,
}

impl Runs {
    fn push(&mut self, (start, len): (u64, u64), before: u64) {
        let run = &mut self.run;
        if run.frames == 0 || run.start + run.len != start || run.before + run.frames != before {
            self.write();
            self.run = Run {
                start,
                before,
                ..Run::default()
            };
        }
        self.run.len += len;
        self.run.frames += 1;
    }

    fn write(&mut self) {
        let (run, last) = (self.run, self.written);
        if run.frames == 0 {
            return;
        }
        let gap = run.start - (last.start + last.len);
        let passed = run.before - (last.before + last.frames);
        for mut number in [gap, run.len, passed, run.frames] {
            while number >= 0x80 {
                self.bytes.push(number as u8 | 0x80);
                number >>= 7;
            }
            self.bytes.push(number as u8);
        }
        self.written = run;
    }

    fn finish(mut self) -> Vec<u8> {
        self.write();
        self.bytes
    }
}

/// The runs that bytes hold.
pub(crate) fn decode(bytes: &[u8]) -> impl Iterator<Item = Run> {
    let mut bytes = bytes.iter();
    let mut last = Run::default();
    std::iter::from_fn(move || {
        let mut number = || {
            let mut number = 0;
            for shift in (0..64).step_by(7) {
                let byte = bytes.next()?;
                number |= u64::from(byte & 0x7f) << shift;
                if byte & 0x80 == 0 {
                    break;
                }
            }
            Some(number)
        };
        let [gap, len, passed, frames] = [number()?, number()?, number()?, number()?];
        last = Run {
            start: last.start + last.len + gap,
            len,
            before: last.before + last.frames + passed,
            frames,
        };
        Some(last)
    })
}

/// is_capture(source): whether a file begins as a capture does, compressed or not.
#[pyfunction]
pub(crate) fn is_capture(py: Python<'_>, source: &Shared) -> PyResult<bool> {
    let (reader, meter) = source.0.metered(py)?;
    match py.detach(|| Capture::open(reader).map(drop)) {
        Ok(()) | Err(OpenError::CutShort | OpenError::SnoopVersion(_)) => Ok(true),
        Err(OpenError::Io(error)) => Err(source.0.error(py, &meter, &error.to_string())),
        Err(_) => Ok(false),
    }
}

/// runs(bytes): the place of the first byte of each run, and of the byte after its last one.
#[pyfunction]
pub(crate) fn runs(runs: &[u8]) -> Vec<(u64, u64)> {
    decode(runs)
        .map(|run| (run.start, run.start + run.len))
        .collect()
}

/// beginning(source): how the records of a capture begin, or None if such a capture is not split.
///
/// The place of the first record; the header before it; and the header that most records have. In a
/// pcapng it is another one, because interfaces are described after the beginning of a section.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn beginning<'py>(
    py: Python<'py>,
    source: &Shared,
) -> PyResult<Option<(u64, Bound<'py, PyBytes>, Bound<'py, PyBytes>)>> {
    let (reader, meter) = source.0.metered(py)?;
    let head = py.detach(|| {
        let mut head = Vec::new();
        reader.take(WINDOW).read_to_end(&mut head).map(|_| head)
    });
    let head = head.map_err(|error| source.0.error(py, &meter, &error.to_string()))?;
    if Compression::of(&head).is_some() {
        return Ok(None);
    }
    let Some(state) = State::of(&head) else {
        return Ok(None);
    };
    let start = match state.format {
        Format::Pcap { .. } => state.header.len() as u64,
        Format::PcapNg => 0,
    };
    let mut walker = Walker::new(state, start, u64::MAX);
    walker.up_to_packet = true;
    walker.take(&head[start as usize..]);
    let (first, most) = (&walker.states[0].1.header, &walker.state().header);
    Ok(Some((
        start,
        PyBytes::new(py, first),
        PyBytes::new(py, most),
    )))
}

/// What a range of a capture is.
struct Index {
    begin: u64,
    end: u64,
    ended: bool,
    frames: u64,
    /// The header after the range. `None` if there are too many headers.
    header: Option<Vec<u8>>,
    /// The waiting frames, and the header of each stretch of them.
    waiting: Vec<(Vec<u8>, Vec<u8>)>,
}

/// index(source, header, start, known, until): the records from the first one at or after `start`
/// to the first one at or after `until`. If `known`, one begins at `start`. The bytes of `source`
/// are the bytes of the file from `start` on. None if no record is found.
///
/// The result is where the records begin and end; whether the capture ends there; the number of
/// frames; the header of the next record; and, for each stretch of waiting frames with the same
/// header, that header and the runs, in which frames are counted from the first of the range.
#[pyfunction]
#[allow(clippy::type_complexity)]
pub(crate) fn index<'py>(
    py: Python<'py>,
    source: &Shared,
    header: Vec<u8>,
    start: u64,
    known: bool,
    until: u64,
) -> PyResult<
    Option<(
        u64,
        u64,
        bool,
        u64,
        Option<Bound<'py, PyBytes>>,
        Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>,
    )>,
> {
    let Some(state) = State::behind(&header) else {
        return Err(PyValueError::new_err("the header belongs to no capture"));
    };
    let (reader, meter) = source.0.metered(py)?;
    let index = py.detach(|| examine_range(reader, &state, start, known, until));
    let index = index.map_err(|error| source.0.error(py, &meter, &error.to_string()))?;
    let bytes = |bytes: &Vec<u8>| PyBytes::new(py, bytes);
    Ok(index.map(|index| {
        let waiting = index.waiting.iter();
        (
            index.begin,
            index.end,
            index.ended,
            index.frames,
            index.header.as_ref().map(bytes),
            waiting
                .map(|(header, runs)| (bytes(header), bytes(runs)))
                .collect(),
        )
    }))
}

fn examine_range(
    mut reader: impl Read,
    state: &State,
    start: u64,
    known: bool,
    until: u64,
) -> io::Result<Option<Index>> {
    let mut window = Vec::new();
    let mut begin = start;
    if !known {
        reader.by_ref().take(WINDOW).read_to_end(&mut window)?;
        let whole = (window.len() as u64) < WINDOW;
        let Some(at) = find(state, &window, start, whole) else {
            return Ok(None);
        };
        window.drain(..at);
        begin += at as u64;
    }
    examine_records(Cursor::new(window).chain(reader), state, begin, until).map(Some)
}

fn examine_records(reader: impl Read, state: &State, begin: u64, until: u64) -> io::Result<Index> {
    let walker = RefCell::new(Walker::new(state.clone(), begin, until));
    let watch = Watch {
        reader,
        walker: &walker,
    };
    let before = state.header.len() as u64; // what lies before the records in this reading
    let mut capture = Capture::open(state.header.chain(watch)).map_err(io::Error::other)?;
    let mut alone = Alone::new(None::<Tally>);
    let mut chunk = Chunk::default();
    let mut frames = 0;
    let mut waiting: Vec<(usize, Runs)> = Vec::new();
    while capture.next_chunk(&mut chunk)? {
        for frame in chunk.frames() {
            frames += 1;
            let Origin::Record {
                position: Some(position),
            } = frame.origin
            else {
                continue;
            };
            if !alone.examine(&frame) {
                continue;
            }
            let walker = walker.borrow();
            let current = walker.state_at(begin + (position - before));
            let state = &walker.states[current].1;
            let (start, len) = state.record(&frame, position, chunk.bytes(), chunk.offset());
            if waiting.last().is_none_or(|&(last, _)| last != current) {
                waiting.push((current, Runs::default()));
            }
            if let Some((_, runs)) = waiting.last_mut() {
                runs.push((begin + (start - before), len), frames - 1);
            }
        }
    }
    let mut walker = walker.into_inner();
    let end = walker.end.unwrap_or(walker.at);
    let header = walker.state().header.clone();
    let waiting = waiting.into_iter().map(|(current, runs)| {
        let header = mem::take(&mut walker.states[current].1.header);
        (header, runs.finish())
    });
    let waiting = waiting.collect();
    Ok(Index {
        begin,
        end: end.min(walker.at),
        ended: walker.ended,
        frames,
        header: (!walker.too_many).then_some(header),
        waiting,
    })
}
