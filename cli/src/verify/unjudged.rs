// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify --unjudged`: what was not judged, frame by frame: unverified checksums, obstacles and
//! malformed frames.

use std::io;

use serde::Serialize;
use wiresum_packet::{Collector, Field, Frame, Obstacle, Sink, Status, Verdict};

/// The status of a frame that the walk could not enter to its end.
pub(super) const NOT_ENTERED: &str = "not entered";

/// The status of a frame that contradicts itself.
pub(super) const MALFORMED: &str = "malformed";

/// Whether a checksum is unverified. A quoted one is in no list, whatever its status.
pub(super) fn is_unjudged(field: &Field, status: Status) -> bool {
    matches!(status, Status::Unverified(_)) && !field.quoted
}

/// A frame, and what was not judged in it. `verify --json` prints it as it is.
#[derive(Clone, Serialize)]
pub(super) struct Entry {
    frame: u64,
    status: &'static str,
    reason: String,
    protocol: Option<&'static str>,
    layer: Option<u8>,
}

/// The entries of all files, for `--json`.
#[derive(Default)]
pub(super) struct Unjudged(Vec<Vec<Entry>>);

impl Unjudged {
    /// Begins a file: all entries after this are of that file.
    pub(super) fn begin(&mut self) {
        self.0.push(Vec::new());
    }

    /// Forgets the file that was begun last, because it could not be read.
    pub(super) fn abandon(&mut self) {
        self.0.pop();
    }

    /// The entries of the file with this number among those that were read.
    pub(super) fn of(&self, file: usize) -> &[Entry] {
        self.0.get(file).map_or(&[], Vec::as_slice)
    }

    /// The entries of the file that was begun last.
    pub(super) fn last(&self) -> &[Entry] {
        self.0.last().map_or(&[], Vec::as_slice)
    }
}

impl Collector for Unjudged {
    type Part = Entries;

    fn part(&self) -> Entries {
        Entries::default()
    }

    fn take(&mut self, part: &mut Entries) -> io::Result<()> {
        if let Some(file) = self.0.last_mut() {
            file.append(&mut part.0);
        }
        Ok(())
    }
}

/// The entries of one chunk of a capture.
#[derive(Clone, Default)]
pub(super) struct Entries(Vec<Entry>);

impl Entries {
    fn add(&mut self, frame: &Frame<'_>, status: &'static str, reason: String) {
        self.0.push(Entry {
            frame: frame.number,
            status,
            reason,
            protocol: None,
            layer: None,
        });
    }
}

impl Sink for Entries {
    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        if let Status::Unverified(reason) = verdict.status
            && is_unjudged(field, verdict.status)
        {
            self.0.push(Entry {
                frame: frame.number,
                status: verdict.status.key(),
                reason: reason.key().to_owned(),
                protocol: Some(field.protocol.key()),
                layer: Some(field.layer),
            });
        }
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        self.add(frame, NOT_ENTERED, obstacle.to_string());
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        self.add(frame, MALFORMED, how.to_owned());
    }
}
