// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify --list`: a line for each bad or illegal checksum, printed when it is found. With
//! `--unjudged`, also a line for what was not judged.

use std::fmt::{Display, Write as _};
use std::io::{self, Write};

use wiresum_packet::{Collector, Field, Frame, Needs, Obstacle, Sink, Status, Verdict};

use super::examined::is_wrong;
use super::unjudged::{MALFORMED, NOT_ENTERED, is_unjudged};
use crate::flow::{between, ends};
use crate::input::shown;
use crate::progress::Progress;
use crate::time::rfc3339;

pub(super) struct List<'a, W> {
    out: &'a mut W,
    progress: &'a Progress,
    path: String,
    unjudged: bool,
}

impl<'a, W: Write> List<'a, W> {
    pub(super) fn new(
        out: &'a mut W,
        progress: &'a Progress,
        path: String,
        unjudged: bool,
    ) -> List<'a, W> {
        List {
            out,
            progress,
            path,
            unjudged,
        }
    }
}

impl<W: Write> Collector for List<'_, W> {
    type Part = Lines;

    fn part(&self) -> Lines {
        Lines {
            path: shown(&self.path),
            unjudged: self.unjudged,
            text: String::new(),
        }
    }

    fn take(&mut self, lines: &mut Lines) -> io::Result<()> {
        if lines.text.is_empty() {
            return Ok(());
        }
        let out = &mut self.out;
        self.progress.suspend(|| {
            out.write_all(lines.text.as_bytes())?;
            out.flush() // a reader of a live capture sees the lines at once
        })?;
        lines.text.clear();
        Ok(())
    }
}

/// The lines of one chunk of a capture.
#[derive(Clone)]
pub(super) struct Lines {
    path: String,
    unjudged: bool,
    text: String,
}

impl Sink for Lines {
    fn needs(&self) -> Needs {
        match self.unjudged {
            true => Needs::Fields,
            false => Needs::Wrong,
        }
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        if is_wrong(field, verdict.status) || self.unjudged && is_unjudged(field, verdict.status) {
            describe(&mut self.text, &self.path, frame, field, verdict)
                .expect("a String takes all");
        }
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        self.without_field(frame, NOT_ENTERED, obstacle);
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        self.without_field(frame, MALFORMED, how);
    }
}

impl Lines {
    fn without_field(&mut self, frame: &Frame<'_>, status: &str, reason: impl Display) {
        if self.unjudged {
            begin(&mut self.text, &self.path, frame).expect("a String takes all");
            writeln!(self.text, "{status} ({reason})").expect("a String takes all");
        }
    }
}

/// Writes the place and the time with which a line begins.
fn begin(line: &mut String, path: &str, frame: &Frame<'_>) -> std::fmt::Result {
    write!(line, "{path}:{}  ", frame.number)?;
    match frame.time.and_then(rfc3339) {
        Some(time) => write!(line, "{time}  "),
        None => write!(line, "no time  "),
    }
}

fn describe(
    line: &mut String,
    path: &str,
    frame: &Frame<'_>,
    field: &Field,
    verdict: &Verdict,
) -> std::fmt::Result {
    begin(line, path, frame)?;
    write!(line, "{}  layer {}  ", field.protocol, field.layer)?;
    line.push_str(&between(field.addresses.map(ends), field.ports));
    let width = "0x".len() + 2 * field.algorithm.width();
    if let Some(found) = verdict.found {
        write!(line, "  found {found:#0width$x}")?;
    }
    if let Some(expected) = verdict.expected {
        write!(line, "  expected {expected:#0width$x}")?;
    }
    match (verdict.cause(), verdict.status) {
        (Some(cause), status) => writeln!(line, "  {} ({})", status.key(), cause.label()),
        (_, Status::Unverified(reason)) => writeln!(line, "  {} ({reason})", verdict.status.key()),
        _ => writeln!(line, "  {}", verdict.status.key()),
    }
}
