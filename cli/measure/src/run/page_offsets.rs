// SPDX-License-Identifier: MIT OR Apache-2.0
//! Page offsets: the destination of a copy begins at several places of its page, and the figures
//! are the means over them. The source begins where it does in the section "sizes".

use super::{Common, Measured, Run, names};
use crate::cases::{ALIGNMENTS, Level};
use crate::measure::{reps, take_turns};
use crate::report::{Operation, Section};

/// The places, from the beginning of a page: addresses whose low 12 bits agree are alike to many
/// CPUs, whatever the size of a page.
const PLACES: [usize; 8] = [256, 768, 1280, 1792, 2304, 2816, 3328, 3840];

impl Run<'_> {
    pub(super) fn page_offsets(self, size: usize, level: Level) -> Measured {
        let copiers = self.copiers();
        let rounds = self.effort.rounds;
        let sample = self.sample_ticks() / 4.0;
        let alignment = ALIGNMENTS[1];
        let data = &self.buffers.near.as_slice()[alignment..alignment + size];
        let to = self.buffers.near_to.bytes();
        let reps: Vec<_> = copiers
            .iter()
            .map(|(_, copier)| {
                let to = &mut to[PLACES[0]..PLACES[0] + size];
                reps(sample, |reps| copier.time(to, data, reps))
            })
            .collect();
        let timings = take_turns(rounds, copiers.len(), |contender, _| {
            let (copier, reps) = (copiers[contender].1, reps[contender]);
            PLACES
                .map(|place| {
                    let to = &mut to[place..place + size];
                    copier.time(to, data, reps) as f64 / reps as f64
                })
                .to_vec()
        });
        let common = Common {
            section: Section::PageOffsets,
            operation: Operation::Copy,
            mix: None,
            bytes: size as f64,
            level,
            alignment,
        };
        self.measured(&common, &names(&copiers), &timings)
    }
}
