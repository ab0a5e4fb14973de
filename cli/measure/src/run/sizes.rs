// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sizes: one buffer again and again.

use super::{Common, Measured, Run, names};
use crate::cases::Level;
use crate::measure::{reps, take_turns};
use crate::report::{Operation, Section};

impl Run<'_> {
    pub(super) fn sums(self, size: usize, alignment: usize, level: Level) -> Measured {
        let summers = self.summers();
        let rounds = self.effort.rounds;
        let timings = if level == Level::Dram {
            let far = self.buffers.far.as_ref();
            let data = far.expect("a case in DRAM has its memory").0.as_slice();
            let mut windows = (0..data.len() / size).cycle();
            take_turns(rounds, summers.len(), |contender, _| {
                let at = windows.next().expect("the windows have no end") * size;
                vec![summers[contender].1.time(&data[at..at + size], 1) as f64]
            })
        } else {
            let data = &self.buffers.near.as_slice()[alignment..alignment + size];
            let sample = self.sample_ticks();
            let reps: Vec<_> = summers
                .iter()
                .map(|(_, summer)| reps(sample, |reps| summer.time(data, reps)))
                .collect();
            take_turns(rounds, summers.len(), |contender, _| {
                let reps = reps[contender];
                vec![summers[contender].1.time(data, reps) as f64 / reps as f64]
            })
        };
        let common = Common {
            section: Section::Sizes,
            operation: Operation::Sum,
            mix: None,
            bytes: size as f64,
            level,
            alignment,
        };
        self.measured(&common, &names(&summers), &timings)
    }

    /// The destination is aligned, as a user's own buffer is. The source is where it arrived. Both
    /// begin near the start of a page; `page_offsets` measures other places.
    pub(super) fn copies(self, size: usize, alignment: usize, level: Level) -> Measured {
        let copiers = self.copiers();
        let rounds = self.effort.rounds;
        let sample = self.sample_ticks();
        let (from, to) = match (level, &mut self.buffers.far) {
            (Level::Dram, Some((from, to))) => (from, to),
            _ => (&mut self.buffers.near, &mut self.buffers.near_to),
        };
        let data = &from.as_slice()[alignment..alignment + size];
        let to = &mut to.bytes()[..size];
        let reps: Vec<_> = copiers
            .iter()
            .map(|(_, copier)| {
                if level == Level::Dram {
                    1
                } else {
                    reps(sample, |reps| copier.time(to, data, reps))
                }
            })
            .collect();
        let timings = take_turns(rounds, copiers.len(), |contender, _| {
            let reps = reps[contender];
            vec![copiers[contender].1.time(to, data, reps) as f64 / reps as f64]
        });
        let common = Common {
            section: Section::Sizes,
            operation: Operation::Copy,
            mix: None,
            bytes: size as f64,
            level,
            alignment,
        };
        self.measured(&common, &names(&copiers), &timings)
    }
}
