// SPDX-License-Identifier: MIT OR Apache-2.0
//! The memory that cases are measured on. All sums of a case read the same data, and so do all
//! copies.

use crate::cases::{Case, Level, Mix};
use crate::ffi::{self, Memory};
use crate::machine::{self, Caches};
use crate::report::Operation;

pub(crate) struct Buffers {
    pub(crate) caches: Caches,
    pub(crate) near: Memory,
    pub(crate) near_to: Memory,
    /// Memory that no cache holds, and where copies of it go; there if a case needs it.
    pub(crate) far: Option<(Memory, Memory)>,
    /// Pages of the usual size, which a case puts fresh ones in the place of; there if one does.
    pub(crate) pages: Option<Memory>,
}

/// The bytes that a sample in DRAM sums: another window each time.
pub(crate) const WINDOW: usize = 8 << 20;

/// The bytes of a copy that counts as huge: from there on the library asks CPUID, once, how large
/// the caches are (`WIRESUM_ASK_CACHES_FROM` in `c/src/cpu_features.h`).
pub(crate) const HUGE: usize = 8 << 20;

/// The pages that are touched: more than a TLB holds.
pub(crate) const PAGES: usize = 8192;

/// Headers that lie one after the other, for the section of that name.
pub(crate) const HEADERS: usize = 512;

/// The bytes of the far memory: four times the last cache, as far as a quarter of the free memory
/// allows.
pub(crate) fn far_size(caches: Caches, quick: bool) -> usize {
    let most = if quick { 512 << 20 } else { 1 << 30 };
    let wanted = (4 * caches.l3).max(128 << 20).next_multiple_of(WINDOW);
    let free = machine::free_memory().map_or(most, |free| free / 4);
    wanted.min(most).min(free / WINDOW * WINDOW).max(4 * WINDOW)
}

/// The bytes in which the packets of a warm mix lie: half of the first cache, or room for the
/// longest packet where that is more.
pub(crate) fn warm_region(mix: Mix, caches: Caches) -> usize {
    (caches.l1 / 2).max(mix.longest() + 128)
}

impl Buffers {
    /// Random data for all of the cases.
    pub(crate) fn new(
        cases: &[Case],
        caches: Caches,
        far: usize,
        rng: &mut fastrand::Rng,
    ) -> anyhow::Result<Buffers> {
        let near = cases
            .iter()
            .filter(|case| !is_far(case))
            .map(|case| match *case {
                Case::Size { size, .. } | Case::PageOffsets { size, .. } => size,
                Case::Latency { size } => size,
                Case::Memory => HUGE,
                Case::Mix { mix, .. } | Case::Batch { mix, .. } => warm_region(mix, caches),
                Case::Headers => HEADERS * 20,
                Case::PageEnd { .. } => 4 * ffi::page(),
            });
        let near = near.max().unwrap_or(0) + 4 * ffi::page();
        let mut memory = |size| {
            let mut memory = Memory::new(size)?;
            rng.fill(memory.bytes());
            anyhow::Ok(memory)
        };
        let far_to = if cases.iter().any(is_far_copy) {
            far
        } else {
            0
        };
        Ok(Buffers {
            caches,
            near: memory(near)?,
            near_to: memory(near)?,
            far: if cases.iter().any(is_far) {
                Some((memory(far)?, memory(far_to)?))
            } else {
                None
            },
            pages: if cases.contains(&Case::Memory) {
                Some(memory((PAGES * ffi::page()).max(HUGE))?)
            } else {
                None
            },
        })
    }

    /// The memory of cold packets, or of warm ones.
    pub(crate) fn of(&self, cold: bool) -> &Memory {
        match &self.far {
            Some((far, _)) if cold => far,
            _ => &self.near,
        }
    }
}

fn is_far(case: &Case) -> bool {
    matches!(
        case,
        Case::Size {
            level: Level::Dram,
            ..
        } | Case::Mix { cold: true, .. }
            | Case::Batch { cold: true, .. }
    )
}

pub(crate) fn is_far_copy(case: &Case) -> bool {
    matches!(
        case,
        Case::Size {
            operation: Operation::Copy,
            level: Level::Dram,
            ..
        }
    )
}
