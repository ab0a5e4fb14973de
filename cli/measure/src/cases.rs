// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cases of a run: sizes, alignments, cache levels, mixes.

use std::fmt;

use crate::machine::Caches;
use crate::report::{Operation, Section};

/// All sections, in the order of a report.
pub const SECTIONS: [Section; 8] = [
    // First, because it times the first huge copy of the process.
    Section::Memory,
    Section::Sizes,
    Section::PageOffsets,
    Section::Mixes,
    Section::Latency,
    Section::Headers,
    Section::Batch,
    Section::PageEnd,
];

impl fmt::Display for Section {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Section::Memory => "memory",
            Section::Sizes => "sizes",
            Section::PageOffsets => "page_offsets",
            Section::Mixes => "mixes",
            Section::Latency => "latency",
            Section::Headers => "headers",
            Section::Batch => "batch",
            Section::PageEnd => "page_end",
        })
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Operation::Sum => "sum",
            Operation::Copy => "copy",
        })
    }
}

/// A mix of packet lengths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mix {
    /// 40, 576 and 1500 bytes, 7 : 4 : 1.
    Imix,
    Uniform1500,
    Uniform256,
    Uniform64,
    /// IPv4 headers.
    Headers,
    All1500,
    All9000,
    All65536,
}

impl Mix {
    pub const ALL: [Mix; 8] = [
        Mix::Imix,
        Mix::Uniform1500,
        Mix::Uniform256,
        Mix::Uniform64,
        Mix::Headers,
        Mix::All1500,
        Mix::All9000,
        Mix::All65536,
    ];

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Mix::Imix => "IMIX",
            Mix::Uniform1500 => "uniform 0-1500",
            Mix::Uniform256 => "uniform 64-256",
            Mix::Uniform64 => "uniform 1-64",
            Mix::Headers => "all 20",
            Mix::All1500 => "all 1500",
            Mix::All9000 => "all 9000",
            Mix::All65536 => "all 65536",
        }
    }

    pub(crate) fn longest(self) -> usize {
        match self {
            Mix::Imix | Mix::Uniform1500 | Mix::All1500 => 1500,
            Mix::Uniform256 => 256,
            Mix::Uniform64 => 64,
            Mix::Headers => 20,
            Mix::All9000 => 9000,
            Mix::All65536 => 65536,
        }
    }

    /// Whether a packet's length is not known before it comes.
    pub(crate) fn is_unforeseen(self) -> bool {
        matches!(
            self,
            Mix::Imix | Mix::Uniform1500 | Mix::Uniform256 | Mix::Uniform64
        )
    }

    /// The number of packets. Long packets are fewer, as a branch predictor has nothing to learn
    /// from packets of one length.
    pub(crate) fn packets(self) -> usize {
        match self {
            Mix::All9000 | Mix::All65536 => PACKETS * 1024 / self.longest(),
            _ => PACKETS,
        }
    }

    /// The lengths of n packets, shuffled. The lengths of IMIX have its exact proportions if 12
    /// divides n.
    pub(crate) fn lengths(self, n: usize, rng: &mut fastrand::Rng) -> Vec<usize> {
        let mut lengths: Vec<usize> = (0..n)
            .map(|at| match self {
                Mix::Imix => match at % 12 {
                    0..=6 => 40,
                    7..=10 => 576,
                    _ => 1500,
                },
                Mix::Uniform1500 => rng.usize(0..=1500),
                Mix::Uniform256 => rng.usize(64..=256),
                Mix::Uniform64 => rng.usize(1..=64),
                _ => self.longest(),
            })
            .collect();
        rng.shuffle(&mut lengths);
        lengths
    }
}

/// The memory that holds the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    L1,
    L2,
    L3,
    Dram,
}

impl Level {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Level::L1 => "L1",
            Level::L2 => "L2",
            Level::L3 => "L3",
            Level::Dram => "DRAM",
        }
    }

    /// The smallest cache of which these bytes fill at most three quarters.
    pub(crate) fn of(bytes: usize, caches: Caches) -> Level {
        let fits = |cache: usize| bytes <= cache / 4 * 3;
        if fits(caches.l1) {
            Level::L1
        } else if fits(caches.l2) {
            Level::L2
        } else if fits(caches.l3) {
            Level::L3
        } else {
            Level::Dram
        }
    }
}

/// The packets of a mix: too many for a branch predictor to learn their lengths.
pub(crate) const PACKETS: usize = 1 << 15;

/// The bytes from a cache line to the data: none; an Ethernet header; an odd number.
pub(crate) const ALIGNMENTS: [usize; 3] = [0, 14, 1];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Case {
    Size {
        operation: Operation,
        size: usize,
        alignment: usize,
        level: Level,
    },
    PageOffsets {
        size: usize,
        level: Level,
    },
    Mix {
        operation: Operation,
        mix: Mix,
        alignment: usize,
        cold: bool,
    },
    Latency {
        size: usize,
    },
    Headers,
    Batch {
        mix: Mix,
        cold: bool,
    },
    PageEnd {
        operation: Operation,
    },
    Memory,
}

/// The sizes of buffers, if the options name none.
const SIZES: [usize; 12] = [
    20, 40, 64, 128, 256, 576, 1024, 1500, 4096, 9000, 16384, 65536,
];
const LATENCY_SIZES: [usize; 6] = [20, 40, 64, 128, 576, 1500];

/// The sizes of two buffers that fill half of the second and half of the third cache, where the
/// CPU has them.
fn sizes_of_caches(caches: Caches) -> Vec<usize> {
    let mut sizes = Vec::new();
    if caches.l2 > 2 * caches.l1 {
        sizes.push(caches.l2 / 2);
    }
    if caches.l3 > 2 * caches.l2 {
        // The guests of a cloud's host share its third cache, so the buffer takes a small part.
        sizes.push((caches.l3 / 2).min(8 * caches.l2));
    }
    sizes
}

/// The sizes that were asked for, or the usual ones.
fn sizes(wanted: &Wanted) -> Vec<usize> {
    let mut sizes = wanted.sizes.to_vec();
    if sizes.is_empty() {
        sizes.extend(SIZES);
        sizes.extend(sizes_of_caches(wanted.caches));
    }
    sizes
}

/// A copy has two buffers.
fn footprint(operation: Operation, size: usize) -> usize {
    match operation {
        Operation::Sum => size,
        Operation::Copy => 2 * size,
    }
}

pub(crate) struct Wanted<'a> {
    pub(crate) sections: &'a [Section],
    pub(crate) sizes: &'a [usize],
    pub(crate) quick: bool,
    pub(crate) caches: Caches,
    /// The bytes of a sum in DRAM, and of a copy in DRAM, in one call.
    pub(crate) dram: (usize, usize),
    pub(crate) has_guard: bool,
}

pub(crate) fn cases(wanted: &Wanted) -> Vec<Case> {
    let mut cases = Vec::new();
    let quick = wanted.quick;
    let alignments = if quick {
        &ALIGNMENTS[..2]
    } else {
        &ALIGNMENTS[..]
    };
    let asked = wanted.sizes;
    for &section in &SECTIONS {
        if !wanted.sections.contains(&section) {
            continue;
        }
        match section {
            Section::Sizes => {
                for operation in [Operation::Sum, Operation::Copy] {
                    for size in sizes(wanted) {
                        let level = Level::of(footprint(operation, size), wanted.caches);
                        for &alignment in alignments {
                            cases.push(Case::Size {
                                operation,
                                size,
                                alignment,
                                level,
                            });
                        }
                    }
                    if asked.is_empty() {
                        let (sum, copy) = wanted.dram;
                        let (size, level) = match operation {
                            Operation::Sum => (sum, Level::Dram),
                            Operation::Copy => (copy, Level::Dram),
                        };
                        cases.push(Case::Size {
                            operation,
                            size,
                            alignment: 0,
                            level,
                        });
                    }
                }
            }
            Section::PageOffsets => {
                for size in sizes(wanted) {
                    let level = Level::of(footprint(Operation::Copy, size), wanted.caches);
                    cases.push(Case::PageOffsets { size, level });
                }
            }
            Section::Mixes => {
                for mix in Mix::ALL {
                    for cold in [false, true] {
                        for &alignment in if cold || quick {
                            &ALIGNMENTS[1..2]
                        } else {
                            &ALIGNMENTS
                        } {
                            cases.push(Case::Mix {
                                operation: Operation::Sum,
                                mix,
                                alignment,
                                cold,
                            });
                        }
                    }
                    cases.push(Case::Mix {
                        operation: Operation::Copy,
                        mix,
                        alignment: 14,
                        cold: false,
                    });
                }
            }
            Section::Latency => {
                let sizes = if asked.is_empty() {
                    &LATENCY_SIZES
                } else {
                    asked
                };
                cases.extend(sizes.iter().map(|&size| Case::Latency { size }));
            }
            Section::Headers => cases.push(Case::Headers),
            Section::Batch => {
                for mix in [Mix::Imix, Mix::Uniform1500, Mix::Uniform64] {
                    for cold in [false, true] {
                        cases.push(Case::Batch { mix, cold });
                    }
                }
            }
            Section::PageEnd if wanted.has_guard => {
                for operation in [Operation::Sum, Operation::Copy] {
                    cases.push(Case::PageEnd { operation });
                }
            }
            Section::Memory if wanted.has_guard => cases.push(Case::Memory),
            Section::PageEnd | Section::Memory => {}
        }
    }
    cases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn imix_has_its_proportions_in_no_order() {
        let lengths = Mix::Imix.lengths(12_000, &mut fastrand::Rng::with_seed(1));
        let count = |len| lengths.iter().filter(|&&found| found == len).count();
        assert_eq!([count(40), count(576), count(1500)], [7000, 4000, 1000]);
        assert_ne!(lengths[..12], lengths[12..24]);
    }

    #[test]
    fn uniform_mixes_reach_their_ends() {
        let rng = &mut fastrand::Rng::with_seed(1);
        let ends =
            |lengths: Vec<usize>| (lengths.iter().min().copied(), lengths.iter().max().copied());
        assert_eq!(
            ends(Mix::Uniform64.lengths(PACKETS, rng)),
            (Some(1), Some(64))
        );
        assert_eq!(
            ends(Mix::Uniform256.lengths(PACKETS, rng)),
            (Some(64), Some(256))
        );
        assert_eq!(
            ends(Mix::Uniform1500.lengths(PACKETS, rng)),
            (Some(0), Some(1500))
        );
    }

    #[test]
    fn a_mix_is_unforeseen_if_its_lengths_differ() {
        let rng = &mut fastrand::Rng::with_seed(1);
        for mix in Mix::ALL {
            let lengths = mix.lengths(1000, rng);
            let differ = lengths.iter().any(|&len| len != lengths[0]);
            assert_eq!(mix.is_unforeseen(), differ, "{}", mix.name());
        }
    }

    #[test]
    fn the_first_huge_copy_comes_before_all_other_cases() {
        let cases = cases(&Wanted {
            sections: &SECTIONS,
            sizes: &[],
            quick: false,
            caches: Caches::default(),
            dram: (1 << 20, 1 << 20),
            has_guard: true,
        });
        assert_eq!(cases[0], Case::Memory);
    }

    #[test]
    fn levels_follow_the_caches() {
        let caches = Caches {
            l1: 48 << 10,
            l2: 2 << 20,
            l3: 32 << 20,
        };
        let levels = [16 << 10, 64 << 10, 2 << 20, 64 << 20].map(|bytes| Level::of(bytes, caches));
        assert_eq!(levels, [Level::L1, Level::L2, Level::L3, Level::Dram]);
        assert_eq!(sizes_of_caches(caches), [1 << 20, 16 << 20]);
        assert_eq!(Level::of(1 << 20, Caches { l3: 0, ..caches }), Level::L2);
    }
}
