// SPDX-License-Identifier: MIT OR Apache-2.0
//! Latency: each call waits for the sum of the one before it.

use super::{Common, Measured, Run, names};
use crate::cases::Level;
use crate::measure::{reps, take_turns};
use crate::report::{Operation, Role, Section};

impl Run<'_> {
    pub(super) fn latency(self, size: usize) -> Measured {
        let mut summers = self.summers();
        summers.retain(|(one, _)| one.role != Role::Yardstick); // a loop of loads has no result
        let data = &self.buffers.near.as_slice()[..size];
        let sample = self.sample_ticks();
        let reps: Vec<_> = summers
            .iter()
            .map(|(_, summer)| reps(sample, |reps| summer.time_chain(data, reps)))
            .collect();
        let timings = take_turns(self.effort.rounds, summers.len(), |contender, _| {
            let reps = reps[contender];
            vec![summers[contender].1.time_chain(data, reps) as f64 / reps as f64]
        });
        let common = Common {
            section: Section::Latency,
            operation: Operation::Sum,
            mix: None,
            bytes: size as f64,
            level: Level::L1,
            alignment: 0,
        };
        self.measured(&common, &names(&summers), &timings)
    }
}
