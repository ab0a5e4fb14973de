// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packets of a mix: where they lie, and how they are timed.

use std::ops::Range;

use crate::buffers::{Buffers, warm_region};
use crate::cases::Mix;
use crate::ffi::Pieces;

/// The places of packets, as offsets into a memory with lengths.
pub(crate) struct Layout {
    places: Vec<(usize, usize)>,
    /// The distance from one set of places to the next, and how many sets there are.
    stride: usize,
    strides: usize,
}

impl Layout {
    /// Warm packets lie in a part of the first cache. Cold ones lie in the far memory, which has
    /// room for several sets of them.
    pub(crate) fn new(
        mix: Mix,
        alignment: usize,
        cold: bool,
        buffers: &Buffers,
        rng: &mut fastrand::Rng,
    ) -> Layout {
        if cold {
            Layout::cold(mix, alignment, buffers, rng)
        } else {
            Layout::warm(mix, alignment, buffers, rng)
        }
    }

    fn warm(mix: Mix, alignment: usize, buffers: &Buffers, rng: &mut fastrand::Rng) -> Layout {
        let lengths = mix.lengths(mix.packets(), rng);
        let region = warm_region(mix, buffers.caches);
        let places = lengths
            .into_iter()
            .map(|len| {
                let line = rng.usize(0..=(region - len - alignment) / 64);
                (line * 64 + alignment, len)
            })
            .collect();
        Layout {
            places,
            stride: 0,
            strides: 1,
        }
    }

    fn cold(mix: Mix, alignment: usize, buffers: &Buffers, rng: &mut fastrand::Rng) -> Layout {
        let far = buffers.far.as_ref();
        let far = far.expect("a cold case has its memory").0.len();
        // Two packets share neither a line nor the lines that a prefetcher fetches.
        let slot = (mix.longest() + alignment + 64)
            .next_multiple_of(64)
            .max(2048);
        let n = mix.packets().min(far / 2 / slot);
        let lengths = mix.lengths(n, rng);
        let mut slots: Vec<usize> = (0..n).collect();
        rng.shuffle(&mut slots);
        let places = lengths
            .into_iter()
            .zip(slots)
            .map(|(len, at)| (at * slot + alignment, len))
            .collect();
        Layout {
            places,
            stride: n * slot,
            strides: far / (n * slot),
        }
    }

    /// The places of one turn: another set each time, as far as there are several.
    pub(crate) fn at(&self, turn: usize) -> impl Iterator<Item = (usize, usize)> {
        let base = turn % self.strides * self.stride;
        self.places.iter().map(move |&(at, len)| (base + at, len))
    }

    pub(crate) fn packets(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn mean_length(&self) -> f64 {
        let total: f64 = self.places.iter().map(|&(_, len)| len as f64).sum();
        total / self.places.len() as f64
    }
}

const PARTS: usize = 16;

/// Times packets in `PARTS` parts, so that an interruption spoils one part only. Returns the ticks
/// a packet of each part.
pub(crate) fn in_parts(packets: &Pieces, mut time: impl FnMut(Range<usize>) -> u64) -> Vec<f64> {
    let part = packets.len().div_ceil(PARTS).max(1);
    (0..packets.len())
        .step_by(part)
        .map(|start| {
            let end = (start + part).min(packets.len());
            time(start..end) as f64 / (end - start) as f64
        })
        .collect()
}
