// SPDX-License-Identifier: MIT OR Apache-2.0
//! Memory: what is paid apart from the steady state that all other sections measure. The system
//! maps a page at its first access, a load waits where the TLB lacks its page, and the first huge
//! copy of a process asks CPUID how large the caches are.

use super::{Common, Measured, Run, rows, watch};
use crate::buffers::{HUGE, PAGES};
use crate::cases::Level;
use crate::ffi::{self, Access, Copier, Memory, Summer};
use crate::measure::{Timing, Timings, take_turns};
use crate::report::{Operation, Role, Section};

/// What is timed. A copy is of `HUGE` bytes.
#[derive(Clone, Copy)]
enum Event {
    First(Access),
    Copy { copier: Copier, to_new: bool },
    Lines { a_page: bool },
    Cpuid,
}

const LINE: usize = 64;

impl Run<'_> {
    pub(super) fn memory(self) -> Measured {
        let pages = self.buffers.pages.as_mut().expect("the case has its pages");
        let source = &self.buffers.near.as_slice()[..HUGE];
        let mut order: Vec<usize> = (0..PAGES).collect();
        self.rng.shuffle(&mut order);

        // Once: the steady copies come later.
        pages.time_access(Access::Store);
        Copier::memcpy().time(&mut pages.bytes()[..HUGE], source, 1);
        let ticks = Copier::LIBRARY.time(&mut pages.bytes()[..HUGE], source, 1) as f64;
        let first = Timing {
            min: ticks,
            median: ticks,
            spread: 0.0,
        };

        let copy = |copier, to_new| Event::Copy { copier, to_new };
        let page = ffi::page();
        let mut events = vec![
            (Event::First(Access::Load), "first load of a page", page),
            (Event::First(Access::Store), "first store to a page", page),
            (
                copy(Copier::LIBRARY, true),
                "wiresum_copy, to new pages",
                HUGE,
            ),
            (copy(Copier::memcpy(), true), "memcpy, to new pages", HUGE),
            (
                copy(Copier::LIBRARY, false),
                "wiresum_copy, to pages in use",
                HUGE,
            ),
            (
                copy(Copier::memcpy(), false),
                "memcpy, to pages in use",
                HUGE,
            ),
            (
                Event::Lines { a_page: true },
                "load, one line of each page",
                LINE,
            ),
            (
                Event::Lines { a_page: false },
                "load, lines side by side",
                LINE,
            ),
        ];
        if !pages.renew() {
            events.retain(|(event, ..)| !event.needs_new_pages());
        }
        if ffi::ticks_of_cpuid().is_some() {
            events.push((Event::Cpuid, "CPUID", 0));
        }
        let timings = take_turns(self.effort.rounds, events.len(), |which, _| {
            vec![events[which].0.ticks(pages, source, &order)]
        });

        let mut all: Vec<_> = events
            .iter()
            .zip(&timings.contenders)
            .map(|(&(_, name, bytes), &timing)| (name, bytes, timing))
            .collect();
        all.push(("wiresum_copy, first huge one", HUGE, first));
        let of = |(name, bytes, timing): (&str, usize, Timing)| {
            let is_copy = bytes == HUGE;
            let common = Common {
                section: Section::Memory,
                operation: if is_copy {
                    Operation::Copy
                } else {
                    Operation::Sum
                },
                mix: None,
                bytes: bytes as f64,
                level: Level::Dram,
                alignment: 0,
            };
            let role = if name.starts_with("wiresum") {
                Role::Library
            } else {
                Role::Yardstick
            };
            let one = Timings {
                contenders: vec![timing],
                cycles_per_tick: timings.cycles_per_tick,
                watch: Vec::new(),
            };
            let mut row = rows(self.ticks_per_second, &common, &[(name, role)], &one).remove(0);
            row.of_limit = None;
            row.of_limit_median = None;
            row
        };
        Measured {
            rows: all.into_iter().map(of).collect(),
            cycles_per_tick: timings.cycles_per_tick,
            watch: watch(self.ticks_per_second, &timings),
        }
    }
}

impl Event {
    fn needs_new_pages(self) -> bool {
        matches!(self, Event::First(_) | Event::Copy { to_new: true, .. })
    }

    /// The ticks of one event. All pages have been written to before an event that needs no new
    /// ones, and lines have been loaded before.
    fn ticks(self, pages: &mut Memory, source: &[u8], order: &[usize]) -> f64 {
        if self.needs_new_pages() {
            pages.renew();
        } else {
            pages.time_access(Access::Store);
        }
        match self {
            Event::First(access) => {
                let count = pages.len() / ffi::page();
                pages.time_access(access) as f64 / count as f64
            }
            Event::Copy { copier, .. } => copier.time(&mut pages.bytes()[..HUGE], source, 1) as f64,
            Event::Lines { a_page } => {
                let page = ffi::page();
                let place = |&at: &usize| match a_page {
                    // Another line of each page, so that the lines spread over a cache's sets.
                    true => at * page + at * LINE % page,
                    false => at * LINE,
                };
                let lines = pages.pieces(order.iter().map(|at| (place(at), LINE)));
                Summer::touch().time_packets(&lines, 0, lines.len());
                Summer::touch().time_packets(&lines, 0, lines.len()) as f64 / lines.len() as f64
            }
            Event::Cpuid => ffi::ticks_of_cpuid().unwrap_or(0) as f64,
        }
    }
}
