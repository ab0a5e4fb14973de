// SPDX-License-Identifier: MIT OR Apache-2.0
//! Headers: IPv4 headers of 20 bytes, verified where the call is, in a batch, and by a call each.

use super::{Common, LOOP, Measured, Run};
use crate::buffers::HEADERS;
use crate::cases::Level;
use crate::ffi::{self, Headers, Memory, Summer};
use crate::measure::take_turns;
use crate::report::{Operation, Role, Section};

impl Run<'_> {
    pub(super) fn headers(self) -> Measured {
        for header in self.buffers.near.bytes()[..HEADERS * 20].chunks_exact_mut(20) {
            header[0] = 0x45;
        }
        let mut sums = vec![0; HEADERS];
        let contenders = [
            ("wiresum_ipv4_header_ok", Role::Library),
            ("wiresum_batch_ipv4_headers", Role::Library),
            (LOOP, Role::Library),
        ];
        let packets = Memory::pieces(&self.buffers.near, (0..HEADERS).map(|at| (at * 20, 20)));
        let headers = &self.buffers.near.as_slice()[..HEADERS * 20];
        let rounds = self.effort.rounds.max(31);
        let timings = take_turns(rounds, contenders.len(), |contender, _| {
            let mut pass = || match contender {
                0 => ffi::time_headers(Headers::Inline, headers, &mut sums),
                1 => ffi::time_headers(Headers::Batch, headers, &mut sums),
                _ => Summer::LIBRARY.time_packets(&packets, 0, HEADERS),
            };
            let ticks = (0..8).map(|_| pass()).min().expect("eight passes");
            vec![ticks as f64 / HEADERS as f64]
        });
        let common = Common {
            section: Section::Headers,
            operation: Operation::Sum,
            mix: None,
            bytes: 20.0,
            level: Level::L1,
            alignment: 0,
        };
        self.measured(&common, &contenders, &timings)
    }
}
