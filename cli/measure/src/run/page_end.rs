// SPDX-License-Identifier: MIT OR Apache-2.0
//! The end of a page: the data end where the memory does, after which lies a page that cannot be
//! read. The same call one page before is the measure. Of all lengths, the row of a contender is
//! the worst one.

use super::{Common, Measured, Run, names, rows, watch};
use crate::buffers::Buffers;
use crate::cases::Level;
use crate::ffi;
use crate::measure::{Timings, reps, take_turns};
use crate::report::{Operation, Row, Section};

fn lengths() -> impl Iterator<Item = usize> {
    (1..=130).chain([200, 256, 300, 576, 1023, 1024, 1025, 1500, 2000])
}

impl Run<'_> {
    pub(super) fn page_end(mut self, operation: Operation) -> Measured {
        let contenders = match operation {
            Operation::Sum => names(&self.summers()),
            Operation::Copy => names(&self.copiers()),
        };
        let mut worst: Vec<Option<Row>> = vec![None; contenders.len()];
        let (mut cycles_per_tick, mut watched) = (None, Vec::new());
        for len in lengths() {
            let timings = match operation {
                Operation::Sum => self.sums_at_page_end(len),
                Operation::Copy => self.copies_at_page_end(len),
            };
            cycles_per_tick = timings.cycles_per_tick;
            watched.extend(watch(self.ticks_per_second, &timings));
            let common = Common {
                section: Section::PageEnd,
                operation,
                mix: None,
                bytes: len as f64,
                level: Level::L1,
                alignment: (self.buffers.near.len() - len) % 64,
            };
            for (who, worst) in worst.iter_mut().enumerate() {
                let [there, here] = [timings.contenders[2 * who], timings.contenders[2 * who + 1]];
                let times = there.min / here.min;
                let is_worst = worst
                    .as_ref()
                    .and_then(|row| row.page_end)
                    .is_none_or(|most| times > most);
                if is_worst {
                    let one = Timings {
                        contenders: vec![there],
                        cycles_per_tick,
                        watch: Vec::new(),
                    };
                    let contender = &contenders[who..=who];
                    let mut row = rows(self.ticks_per_second, &common, contender, &one).remove(0);
                    row.page_end = Some(times);
                    row.of_limit = None;
                    row.of_limit_median = None;
                    *worst = Some(row);
                }
            }
        }
        Measured {
            rows: worst.into_iter().flatten().collect(),
            cycles_per_tick,
            watch: watched,
        }
    }

    fn rounds_at_page_end(&self) -> usize {
        self.effort.rounds.min(15)
    }

    /// Two timings a contender: at the end of the memory, and one page before.
    fn sums_at_page_end(&mut self, len: usize) -> Timings {
        let summers = self.summers();
        let sample = self.sample_ticks() / 4.0;
        let near = &self.buffers.near;
        let ends = [near.len(), near.len() - ffi::page()];
        let data = ends.map(|end| &near.as_slice()[end - len..end]);
        let reps: Vec<_> = summers
            .iter()
            .map(|(_, summer)| reps(sample, |reps| summer.time(data[1], reps)))
            .collect();
        take_turns(self.rounds_at_page_end(), 2 * summers.len(), |which, _| {
            let (who, at) = (which / 2, which % 2);
            vec![summers[who].1.time(data[at], reps[who]) as f64 / reps[who] as f64]
        })
    }

    /// Two timings a contender, as above. Source and destination end alike.
    fn copies_at_page_end(&mut self, len: usize) -> Timings {
        let copiers = self.copiers();
        let sample = self.sample_ticks() / 4.0;
        let rounds = self.rounds_at_page_end();
        let Buffers { near, near_to, .. } = &mut *self.buffers;
        let ends = [near.len(), near.len() - ffi::page()];
        let reps: Vec<_> = copiers
            .iter()
            .map(|(_, copier)| {
                let to = &mut near_to.bytes()[ends[1] - len..ends[1]];
                let from = &near.as_slice()[ends[1] - len..ends[1]];
                reps(sample, |reps| copier.time(to, from, reps))
            })
            .collect();
        take_turns(rounds, 2 * copiers.len(), |which, _| {
            let (who, end) = (which / 2, ends[which % 2]);
            let to = &mut near_to.bytes()[end - len..end];
            let from = &near.as_slice()[end - len..end];
            vec![copiers[who].1.time(to, from, reps[who]) as f64 / reps[who] as f64]
        })
    }
}
