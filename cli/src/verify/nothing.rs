// SPDX-License-Identifier: MIT OR Apache-2.0
//! The collector of outputs that need no more than the tally.

use std::io;

use wiresum_packet::{Collector, Field, Frame, Needs, Sink, Verdict};

/// Takes verdicts and keeps nothing.
#[derive(Clone)]
pub(super) struct Nothing;

impl Sink for Nothing {
    fn needs(&self) -> Needs {
        Needs::Counts
    }

    fn verdict(&mut self, _: &Frame<'_>, _: &Field, _: &Verdict) {}
}

impl Collector for Nothing {
    type Part = Nothing;

    fn part(&self) -> Nothing {
        Nothing
    }

    fn take(&mut self, _: &mut Nothing) -> io::Result<()> {
        Ok(())
    }

    fn is_ordered(&self) -> bool {
        false
    }
}
