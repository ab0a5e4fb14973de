// SPDX-License-Identifier: MIT OR Apache-2.0
//! The lines of `verify --list`: one for each bad or illegal checksum, as it is found.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::{Duration, UNIX_EPOCH};

use wiresum_packet::{Addresses, Collector, Field, Frame, Sink, Status, Timestamp, Verdict};

use super::is_wrong;
use crate::progress::Progress;

pub(super) struct List<'a, W> {
    out: &'a mut W,
    progress: &'a Progress,
    path: String,
}

impl<'a, W: Write> List<'a, W> {
    pub(super) fn new(out: &'a mut W, progress: &'a Progress, path: String) -> List<'a, W> {
        List {
            out,
            progress,
            path,
        }
    }
}

impl<W: Write> Collector for List<'_, W> {
    type Part = Lines;

    fn part(&self) -> Lines {
        Lines {
            path: self.path.clone(),
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
            out.flush() // who looks on, at a live capture say, sees them at once
        })?;
        lines.text.clear();
        Ok(())
    }
}

/// Lines that are not printed yet.
#[derive(Clone)]
pub(super) struct Lines {
    path: String,
    text: String,
}

impl Sink for Lines {
    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        if is_wrong(field, verdict.status) {
            describe(&mut self.text, &self.path, frame, field, verdict)
                .expect("a String takes all");
        }
    }
}

fn describe(
    line: &mut String,
    path: &str,
    frame: &Frame<'_>,
    field: &Field,
    verdict: &Verdict,
) -> std::fmt::Result {
    write!(line, "{path}:{}  ", frame.number)?;
    match frame.time.and_then(rfc3339) {
        Some(time) => write!(line, "{time}  ")?,
        None => write!(line, "no time  ")?,
    }
    write!(line, "{}  layer {}  ", field.protocol, field.layer)?;
    addresses(line, field)?;
    let width = "0x".len() + 2 * field.algorithm.width();
    if let Some(found) = verdict.found {
        write!(line, "  found {found:#0width$x}")?;
    }
    if let Some(expected) = verdict.expected {
        write!(line, "  expected {expected:#0width$x}")?;
    }
    match verdict.status {
        Status::Bad(cause) => writeln!(line, "  bad ({})", cause.label()),
        status => writeln!(line, "  {}", status.key()),
    }
}

fn addresses(line: &mut String, field: &Field) -> std::fmt::Result {
    match (field.addresses, field.ports) {
        (
            Addresses::V4 {
                source,
                destination,
            },
            None,
        ) => write!(line, "{source} > {destination}"),
        (
            Addresses::V6 {
                source,
                destination,
            },
            None,
        ) => write!(line, "{source} > {destination}"),
        (
            Addresses::V4 {
                source,
                destination,
            },
            Some((from, to)),
        ) => {
            write!(line, "{source}:{from} > {destination}:{to}")
        }
        (
            Addresses::V6 {
                source,
                destination,
            },
            Some((from, to)),
        ) => {
            write!(line, "[{source}]:{from} > [{destination}]:{to}")
        }
    }
}

/// As 2026-11-21T08:53:00.123456Z, with as many digits as the capture has; none for times that no capture has, before 1970 and after 9999.
fn rfc3339(time: Timestamp) -> Option<String> {
    const YEAR_10000: u64 = 253_402_300_800;
    let (seconds, nanoseconds) = time.unix();
    let seconds = u64::try_from(seconds)
        .ok()
        .filter(|&seconds| seconds < YEAR_10000)?;
    let at = UNIX_EPOCH + Duration::new(seconds, nanoseconds);
    Some(if time.per_second() > 1_000_000 {
        humantime::format_rfc3339_nanos(at).to_string()
    } else {
        humantime::format_rfc3339_micros(at).to_string()
    })
}
