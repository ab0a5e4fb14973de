// SPDX-License-Identifier: MIT OR Apache-2.0
//! Mixes: packets of shuffled lengths, in the first cache or in DRAM.

use super::{Common, Measured, Run, names};
use crate::buffers::warm_region;
use crate::cases::{Level, Mix};
use crate::ffi::Summer;
use crate::measure::take_turns;
use crate::packets::{Layout, in_parts};
use crate::report::{Operation, Role, Section};

impl Run<'_> {
    pub(super) fn mix(
        self,
        operation: Operation,
        mix: Mix,
        alignment: usize,
        cold: bool,
    ) -> Measured {
        let layout = Layout::new(mix, alignment, cold, self.buffers, self.rng);
        let all = self.summers().into_iter();
        let mut summers: Vec<_> = all
            .map(|(one, summer)| ((one.name.as_str(), one.role), summer))
            .collect();
        if mix.is_unforeseen() {
            let unbranched = Summer::unbranched_loads(mix.longest()).into_iter();
            summers.extend(unbranched.map(|(name, load)| ((name, Role::Yardstick), load)));
        }
        let copiers = self.copiers();
        let rounds = self.effort.rounds;
        let memory = match &self.buffers.far {
            Some((far, _)) if cold => far,
            _ => &self.buffers.near,
        };
        let near_to = &mut self.buffers.near_to;
        let warm = memory.pieces(layout.at(0));
        let mut turn = 0;
        let (timings, contenders) = match operation {
            Operation::Sum => (
                take_turns(rounds, summers.len(), |contender, _| {
                    turn += 1;
                    let elsewhere = cold.then(|| memory.pieces(layout.at(turn)));
                    let packets = elsewhere.as_ref().unwrap_or(&warm);
                    let summer = summers[contender].1;
                    in_parts(packets, |part| {
                        summer.time_packets(packets, part.start, part.end)
                    })
                }),
                summers.iter().map(|&(named, _)| named).collect(),
            ),
            Operation::Copy => (
                take_turns(rounds, copiers.len(), |contender, _| {
                    let copier = copiers[contender].1;
                    in_parts(&warm, |part| {
                        copier.time_packets(near_to, &warm, part.start, part.end)
                    })
                }),
                names(&copiers),
            ),
        };
        let caches = self.buffers.caches;
        let common = Common {
            section: Section::Mixes,
            operation,
            mix: Some(mix),
            bytes: layout.mean_length(),
            level: if cold {
                Level::Dram
            } else {
                Level::of(warm_region(mix, caches), caches)
            },
            alignment,
        };
        self.measured(&common, &contenders, &timings)
    }
}
