// SPDX-License-Identifier: MIT OR Apache-2.0
//! Batch: many packets in one call, and one call a packet.

use super::{Common, LOOP, Measured, Run};
use crate::cases::{Level, Mix};
use crate::contenders::TOUCH;
use crate::ffi::{self, Summer};
use crate::measure::take_turns;
use crate::packets::{Layout, in_parts};
use crate::report::{Operation, Role, Section};

/// As IP lies after an Ethernet header.
const ALIGNMENT: usize = 14;

impl Run<'_> {
    pub(super) fn batch(self, mix: Mix, cold: bool) -> Measured {
        let layout = Layout::new(mix, ALIGNMENT, cold, self.buffers, self.rng);
        let memory = self.buffers.of(cold);
        let warm = memory.pieces(layout.at(0));
        let mut sums = vec![0; layout.packets()];
        let contenders = [
            (LOOP, Role::Library),
            ("wiresum_batch", Role::Library),
            (TOUCH, Role::Yardstick),
        ];
        let mut turn = 0;
        let timings = take_turns(self.effort.rounds, contenders.len(), |contender, _| {
            turn += 1;
            let elsewhere = cold.then(|| memory.pieces(layout.at(turn)));
            let packets = elsewhere.as_ref().unwrap_or(&warm);
            in_parts(packets, |part| match contender {
                0 => Summer::LIBRARY.time_packets(packets, part.start, part.end),
                1 => ffi::time_batch(packets, part.start, part.end, &mut sums),
                _ => Summer::touch().time_packets(packets, part.start, part.end),
            })
        });
        let common = Common {
            section: Section::Batch,
            operation: Operation::Sum,
            mix: Some(mix),
            bytes: layout.mean_length(),
            level: if cold { Level::Dram } else { Level::L1 },
            alignment: ALIGNMENT,
        };
        self.measured(&common, &contenders, &timings)
    }
}
