// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum explain`: the arithmetic of the verdicts on a frame, as a colleague would write it
//! on a whiteboard.

mod arithmetic;
mod model;
mod offload;
mod place;
mod sentence;
mod text;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::ops::RangeInclusive;

use anyhow::{Context, bail};
use wiresum_packet::{
    Capture, Field, Flows, Frame, Obstacle, Origin, Reassembly, Sink, Verdict,
    examine_up_to_fragment,
};

use crate::args::ExplainOptions;
use crate::input::{name, open, shown};
use crate::outcome::Outcome;
use model::{Explained, Explanation};

pub(crate) fn run(options: &ExplainOptions) -> anyhow::Result<Outcome> {
    let path = name(&options.file);
    let reader = open(&options.file).with_context(|| path.clone())?;
    let explain = explain(options, reader)?;
    let mut out = anstream::stdout().lock();
    if options.json {
        let all: Vec<_> = explain.explained.values().collect();
        serde_json::to_writer_pretty(&mut out, &all)?;
        writeln!(out)?;
    } else {
        let title = |frame| format!("{}, frame {frame}", shown(&path));
        text::print(&mut out, title, explain.explained.values(), options)?;
    }
    out.flush()?;
    Ok(Outcome::Good)
}

/// The arithmetic of one checksum as text. `verify --html` shows it for the first bad packets.
pub(crate) fn checksum(frame: &Frame<'_>, field: &Field, verdict: &Verdict) -> String {
    text::plain(&Explanation::new(frame, field, verdict))
}

/// The explanation of one frame of a capture: the text that `explain` prints, without colors.
pub fn frame_of(capture: &str, reader: impl Read, number: u64) -> anyhow::Result<String> {
    let options = all_of(number, capture.into());
    let explain = explain(&options, reader)?;
    Ok(text::of_frames(explain.explained.values(), &options)?)
}

/// The explanation of one frame, which belongs to no capture: the text, and the JSON that `explain
/// --json` prints.
pub fn frame(frame: &Frame<'_>) -> anyhow::Result<(String, String)> {
    let options = all_of(frame.number, OsString::new());
    let mut explain = Explain::new(&options);
    let mut reassembly = Reassembly::default();
    let mut flows = Flows::default();
    explain.examine(frame, &mut reassembly, &mut flows);
    reassembly.finish(&mut flows.sink(&mut explain));
    let frames = || explain.explained.values();
    let json = serde_json::to_string(&frames().collect::<Vec<_>>())?;
    Ok((text::of_frames(frames(), &options)?, json))
}

/// The options that ask for all checksums of one frame.
fn all_of(frame: u64, file: OsString) -> ExplainOptions {
    ExplainOptions {
        file,
        frames: vec![frame..=frame],
        layer: None,
        field: None,
        json: false,
    }
}

/// Explains the frames asked for, which the capture must have.
fn explain(options: &ExplainOptions, reader: impl Read) -> anyhow::Result<Explain<'_>> {
    let path = name(&options.file);
    let mut explain = Explain::new(options);
    let frames = read(options, reader, &mut explain).with_context(|| path.clone())?;
    let beyond = options.frames.iter().find(|range| *range.start() > frames);
    if let Some(range) = beyond {
        let frames = match frames {
            0 => "no frames".to_owned(),
            1 => "one frame".to_owned(),
            n => format!("{n} frames"),
        };
        bail!("{path} has {frames}; there is no frame {}", range.start());
    }
    Ok(explain)
}

/// Reads until the explanations of all frames asked for are complete. Returns the number of frames
/// that were read.
fn read(
    options: &ExplainOptions,
    reader: impl Read,
    explain: &mut Explain<'_>,
) -> anyhow::Result<u64> {
    let mut capture = Capture::open(reader)?;
    let mut reassembly = Reassembly::default();
    let mut flows = Flows::default();
    let last = options.frames.iter().map(|range| *range.end()).max();
    let last = last.unwrap_or(0);
    let mut frames = 0;
    while let Some(frame) = capture.next_frame()? {
        frames = frame.number;
        explain.examine(&frame, &mut reassembly, &mut flows);
        if frames >= last && explain.waiting == 0 {
            return Ok(frames);
        }
    }
    reassembly.finish(&mut flows.sink(explain));
    Ok(frames)
}

/// The sink that explains the frames asked for.
struct Explain<'a> {
    options: &'a ExplainOptions,
    explained: BTreeMap<u64, Explained>,
    /// How many of them hold a fragment of a datagram that is not explained yet.
    waiting: usize,
}

impl<'a> Explain<'a> {
    fn new(options: &'a ExplainOptions) -> Explain<'a> {
        Explain {
            options,
            explained: BTreeMap::new(),
            waiting: 0,
        }
    }

    /// Judges a frame, and the datagram that it completes.
    fn examine(&mut self, frame: &Frame<'_>, reassembly: &mut Reassembly, flows: &mut Flows) {
        let fragment = examine_up_to_fragment(frame, &mut flows.sink(self));
        if let Some(fragment) = fragment {
            self.fragment(frame, fragment.offset, fragment.datagram.id);
            reassembly.push(frame, &fragment, &mut flows.sink(self));
        }
    }

    fn wants(&self, number: u64) -> bool {
        let asked = |range: &RangeInclusive<u64>| range.contains(&number);
        self.options.frames.iter().any(asked)
    }

    fn fragment(&mut self, frame: &Frame<'_>, offset: usize, id: u32) {
        if let Some(explained) = self.explained.get_mut(&frame.number) {
            explained.notes.push(format!(
                "The frame holds a fragment of the datagram with the identification {id:#x}, from \
                 byte {offset} on."
            ));
            explained.waiting = true;
            self.waiting += 1;
        }
    }

    /// The frames asked for that hold this frame: the frame itself, or the fragments of the
    /// datagram.
    fn asked(&mut self, frame: &Frame<'_>) -> Vec<u64> {
        let mut numbers = vec![frame.number];
        if let Origin::Datagram { pieces, .. } = frame.origin {
            numbers.extend(pieces.iter().map(|piece| piece.place.frame));
            numbers.sort_unstable();
            numbers.dedup();
            for number in &numbers {
                if let Some(explained) = self.explained.get_mut(number) {
                    self.waiting -= usize::from(std::mem::take(&mut explained.waiting));
                }
            }
        }
        numbers.retain(|number| self.wants(*number));
        numbers
    }

    fn note(&mut self, frame: &Frame<'_>, note: &str) {
        for number in self.asked(frame) {
            if let Some(explained) = self.explained.get_mut(&number) {
                explained.notes.push(note.to_owned());
            }
        }
    }
}

impl Sink for Explain<'_> {
    fn frame(&mut self, frame: &Frame<'_>) {
        if self.wants(frame.number) {
            self.explained.insert(frame.number, Explained::new(frame));
        }
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        let numbers = self.asked(frame);
        for number in &numbers {
            if let Some(explained) = self.explained.get_mut(number) {
                explained.layer(field);
            }
        }
        let options = self.options;
        if options.layer.is_some_and(|layer| layer != field.layer)
            || options.field.is_some_and(|of| of != field.protocol)
        {
            return;
        }
        for number in numbers {
            if let Some(explained) = self.explained.get_mut(&number) {
                let explanation = Explanation::new(frame, field, verdict);
                explained.checksums.push(explanation);
            }
        }
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        let note = match obstacle {
            Obstacle::Snapped => "The next header was not captured.".to_owned(),
            Obstacle::Fragment => "The next header is in a fragment that is missing.".to_owned(),
            other => format!("The walk over the frame ends here: {other}."),
        };
        self.note(frame, &note);
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        self.note(frame, &format!("The frame is malformed: {how}."));
    }
}
