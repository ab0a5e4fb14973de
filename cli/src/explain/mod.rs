// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum explain`: how the verdict on a frame came about, as a colleague would write it on a whiteboard.

mod arithmetic;
mod model;
mod place;
mod sentence;
mod text;

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::RangeInclusive;

use anyhow::{Context, bail};
use wiresum_packet::{
    Capture, Field, Frame, Obstacle, Origin, Reassembly, Sink, Verdict, examine_up_to_fragment,
};

use crate::args::ExplainOptions;
use crate::input::{name, open};
use crate::outcome::Outcome;
use model::{Explained, Explanation};

pub(crate) fn run(options: &ExplainOptions) -> anyhow::Result<Outcome> {
    let path = name(&options.file);
    let mut explain = Explain::new(options);
    let frames = read(options, &mut explain).with_context(|| path.clone())?;
    let beyond = options.frames.iter().find(|range| *range.start() > frames);
    if let Some(range) = beyond {
        let are = match frames {
            0 => "no frames".to_owned(),
            1 => "one frame".to_owned(),
            n => format!("{n} frames"),
        };
        bail!("{path} has {are}; there is no frame {}", range.start());
    }
    let mut out = anstream::stdout().lock();
    if options.json {
        let all: Vec<_> = explain.explained.values().collect();
        serde_json::to_writer_pretty(&mut out, &all)?;
        writeln!(out)?;
    } else {
        text::print(&mut out, &path, explain.explained.values(), options)?;
    }
    out.flush()?;
    Ok(Outcome::Good)
}

/// The arithmetic of one checksum as text: what `verify --html` says of the first bad packets.
pub(crate) fn checksum(frame: &Frame<'_>, field: &Field, verdict: &Verdict) -> String {
    text::plain(&Explanation::new(frame, field, verdict))
}

/// Reads until all is known of the frames that are asked for; returns how many frames were read.
fn read(options: &ExplainOptions, explain: &mut Explain<'_>) -> anyhow::Result<u64> {
    let mut capture = Capture::open(open(&options.file)?)?;
    let mut reassembly = Reassembly::default();
    let last = options.frames.iter().map(|range| *range.end()).max();
    let last = last.unwrap_or(0);
    let mut frames = 0;
    while let Some(frame) = capture.next_frame()? {
        frames = frame.number;
        if let Some(fragment) = examine_up_to_fragment(&frame, explain) {
            explain.fragment(&frame, fragment.offset, fragment.datagram.id);
            reassembly.push(&frame, &fragment, explain);
        }
        if frames >= last && explain.waiting == 0 {
            return Ok(frames);
        }
    }
    reassembly.finish(explain);
    Ok(frames)
}

/// The sink that explains the frames that are asked for.
struct Explain<'a> {
    options: &'a ExplainOptions,
    explained: BTreeMap<u64, Explained>,
    /// How many of them hold a fragment of a datagram that is not told of yet.
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

    fn wants(&self, number: u64) -> bool {
        let asked = |range: &RangeInclusive<u64>| range.contains(&number);
        self.options.frames.iter().any(asked)
    }

    fn fragment(&mut self, frame: &Frame<'_>, offset: usize, id: u32) {
        if let Some(explained) = self.explained.get_mut(&frame.number) {
            explained.notes.push(format!(
                "It holds a fragment, from byte {offset} of the datagram with the identification {id:#x}."
            ));
            explained.waiting = true;
            self.waiting += 1;
        }
    }

    /// Those of the frames that are asked for which hold something of this one: itself, or its fragments.
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
            Obstacle::Fragment => "The next header is in a fragment that is not here.".to_owned(),
            other => format!("It is not walked any further: {other}."),
        };
        self.note(frame, &note);
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        self.note(frame, &format!("It is malformed: {how}."));
    }
}
