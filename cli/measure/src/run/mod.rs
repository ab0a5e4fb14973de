// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs the cases: verifies all contenders, allocates the buffers, and hands each case to its
//! section.

mod batch;
mod headers;
mod latency;
mod memory;
mod mixes;
mod page_end;
mod page_offsets;
mod sizes;

use std::time::Duration;

use anyhow::bail;

use crate::buffers::{Buffers, WINDOW, far_size, is_far_copy};
use crate::cases::{self, Case, Level, Mix, SECTIONS, Wanted};
use crate::contenders::{Contender, contenders};
use crate::ffi::{self, Copier, Memory, Summer};
use crate::machine::{Core, Machine};
use crate::measure::{self, Effort, Timings};
use crate::report::{Entry, Operation, Report, Role, Row, Section};

/// The choices of a run.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether the run takes fewer rounds, sizes and alignments: it then takes some ten seconds.
    pub quick: bool,
    /// The kernels to measure. If the list is empty, these are all that the CPU supports.
    pub kernels: Vec<String>,
    /// The sizes to measure. If the list is empty, these are the usual ones.
    pub sizes: Vec<usize>,
    /// The sections to run. If the list is empty, these are all.
    pub sections: Vec<Section>,
    /// The seed of lengths, of their order and of the data.
    pub seed: u64,
}

/// Measures the library, its kernels, the yardsticks and the rivals. A rival is measured even where
/// its sums are wrong, and the report says so. The arguments of `progress` are the number of cases
/// that are done, the number of all cases, and the name of the next one.
///
/// # Errors
/// If a contender that is no rival is wrong, a name is not known, or there is no memory.
pub fn run(
    options: &Options,
    rivals: Vec<Contender>,
    mut progress: impl FnMut(usize, usize, &str),
) -> anyhow::Result<Report> {
    let mut machine = Machine::new(options.seed);
    let mut all = contenders(&options.kernels)?;
    all.extend(rivals);
    progress(0, 1, "verifying");
    let mut entries: Vec<Entry> = all.iter().map(Contender::entry).collect();
    for entry in &entries {
        if entry.role != Role::Rival && entry.verified == Some(false) {
            bail!(
                "{} is wrong, so there is nothing to measure: {}",
                entry.name,
                entry.note
            );
        }
    }
    let caches = machine.caches;
    let far = far_size(caches, options.quick);
    let cases = cases_of(options, &machine, far);
    let mut rng = fastrand::Rng::with_seed(options.seed);
    let buffers = &mut Buffers::new(&cases, caches, far, &mut rng)?;
    let ticks_per_second = measure::ticks_per_second();
    let mut rows = Vec::new();
    let (mut clocks, mut watch) = (Vec::new(), Vec::new());
    for (done, &case) in cases.iter().enumerate() {
        progress(done, cases.len(), &words(case));
        let measured = Run {
            all: &all,
            effort: effort(case, options.quick),
            ticks_per_second,
            rng: &mut rng,
            buffers,
        }
        .case(case);
        rows.push(measured.rows);
        clocks.extend(measured.cycles_per_tick);
        watch.push(measured.watch);
    }
    progress(cases.len(), cases.len(), "");
    let mut core = None;
    if let Some((found, of_cases)) = Core::new(&watch) {
        for (rows, of_case) in rows.iter_mut().zip(of_cases) {
            for row in rows {
                row.core = of_case;
            }
        }
        core = Some(found);
    }
    let rows: Vec<Row> = rows.into_iter().flatten().collect();
    entries.retain(|entry| {
        entry.role != Role::Yardstick || rows.iter().any(|row| row.contender == entry.name)
    });
    machine.ticks_per_second = ticks_per_second;
    clocks.sort_by(f64::total_cmp);
    machine.cycles_per_tick = clocks.get(clocks.len() / 2).copied();
    machine.clock = clock(&machine);
    machine.core = core;
    Ok(Report {
        format: 1,
        machine,
        contenders: entries,
        rows,
    })
}

/// The cases that the options ask for.
fn cases_of(options: &Options, machine: &Machine, far: usize) -> Vec<Case> {
    let sections = match options.sections.as_slice() {
        [] => &SECTIONS[..],
        some => some,
    };
    let mut cases = cases::cases(&Wanted {
        sections,
        sizes: &options.sizes,
        quick: options.quick,
        caches: machine.caches,
        dram: (WINDOW, far),
        has_guard: Memory::has_guard(),
    });
    if options.quick {
        cases.retain(|case| !is_far_copy(case));
    }
    cases
}

/// How time is taken, in words.
fn clock(machine: &Machine) -> String {
    let mhz = machine.ticks_per_second / 1e6;
    match (ffi::ticks_are_tsc(), machine.cycles_per_tick) {
        (true, Some(ratio)) => format!(
            "time stamp counter at {mhz:.0} MHz; cycles are of the core, at {:.0} MHz in the \
             middle of the cases, by a chain of multiplications of 3 cycles each that is timed in \
             every round",
            mhz * ratio
        ),
        (true, None) => {
            format!("time stamp counter at {mhz:.0} MHz; the cycles of the core are not known")
        }
        (false, _) => {
            "the system's monotonic clock; the cycles of the core are not known".to_owned()
        }
    }
}

/// A case in words, for the line of progress.
fn words(case: Case) -> String {
    match case {
        Case::Size {
            operation,
            size,
            level,
            ..
        } => format!("{operation} of {size} bytes, {}", level.name()),
        Case::Mix {
            operation,
            mix,
            cold,
            ..
        } => {
            let where_ = if cold { "cold" } else { "warm" };
            format!("{operation} of {}, {where_}", mix.name())
        }
        Case::PageOffsets { size, level } => {
            format!(
                "copy of {size} bytes, {}, at all places of a page",
                level.name()
            )
        }
        Case::Latency { size } => format!("latency of {size} bytes"),
        Case::Headers => "headers".to_owned(),
        Case::Batch { mix, .. } => format!("batch of {}", mix.name()),
        Case::PageEnd { operation } => format!("{operation} at the end of a page"),
        Case::Memory => "new pages and CPUID".to_owned(),
    }
}

/// The rounds of a case: fewer where one takes long.
fn effort(case: Case, quick: bool) -> Effort {
    let long = matches!(
        case,
        Case::Mix { .. }
            | Case::Batch { .. }
            | Case::Size {
                level: Level::L3 | Level::Dram,
                ..
            }
    );
    let rounds = match (quick, is_far_copy(&case), long) {
        (false, ..) if case == Case::Memory => 21,
        (false, true, _) => 7,
        (false, _, true) => 21,
        (false, ..) => 101,
        (true, _, true) => 3,
        (true, ..) => 9,
    };
    Effort {
        rounds,
        sample: Duration::from_micros(20),
    }
}

/// The contender of the sections "headers" and "batch" that calls the library once a packet.
const LOOP: &str = "loop of wiresum_sum";

/// A case's rows, and what was timed with them.
struct Measured {
    rows: Vec<Row>,
    /// None where the cycles of the core are not known.
    cycles_per_tick: Option<f64>,
    /// The cycles, or else the nanoseconds, of a copy of 4 KiB in each round.
    watch: Vec<f64>,
}

/// The facts that all rows of a case have in common.
struct Common {
    section: Section,
    operation: Operation,
    mix: Option<Mix>,
    bytes: f64,
    level: Level,
    alignment: usize,
}

/// The contenders, the effort and the buffers of one case. Each section is a method.
struct Run<'a> {
    all: &'a [Contender],
    effort: Effort,
    ticks_per_second: f64,
    rng: &'a mut fastrand::Rng,
    buffers: &'a mut Buffers,
}

impl<'a> Run<'a> {
    fn case(self, case: Case) -> Measured {
        match case {
            Case::Size {
                operation: Operation::Sum,
                size,
                alignment,
                level,
            } => self.sums(size, alignment, level),
            Case::Size {
                operation: Operation::Copy,
                size,
                alignment,
                level,
            } => self.copies(size, alignment, level),
            Case::PageOffsets { size, level } => self.page_offsets(size, level),
            Case::Latency { size } => self.latency(size),
            Case::Mix {
                operation,
                mix,
                alignment,
                cold,
            } => self.mix(operation, mix, alignment, cold),
            Case::Headers => self.headers(),
            Case::Batch { mix, cold } => self.batch(mix, cold),
            Case::PageEnd { operation } => self.page_end(operation),
            Case::Memory => self.memory(),
        }
    }

    fn sample_ticks(&self) -> f64 {
        self.effort.sample.as_secs_f64() * self.ticks_per_second
    }

    fn summers(&self) -> Vec<(&'a Contender, Summer)> {
        let all = self.all.iter();
        all.filter_map(|one| Some((one, one.sum?))).collect()
    }

    fn copiers(&self) -> Vec<(&'a Contender, Copier)> {
        let all = self.all.iter();
        all.filter_map(|one| Some((one, one.copy?))).collect()
    }

    /// The rows of contenders, in the order of their timings.
    fn measured(
        &self,
        common: &Common,
        contenders: &[(&str, Role)],
        timings: &Timings,
    ) -> Measured {
        Measured {
            rows: rows(self.ticks_per_second, common, contenders, timings),
            cycles_per_tick: timings.cycles_per_tick,
            watch: watch(self.ticks_per_second, timings),
        }
    }
}

/// The names and the roles of contenders.
fn names<'a, F>(contenders: &[(&'a Contender, F)]) -> Vec<(&'a str, Role)> {
    let all = contenders.iter();
    all.map(|(one, _)| (one.name.as_str(), one.role)).collect()
}

/// The times of the copy of 4 KiB: in cycles, or else in nanoseconds.
fn watch(ticks_per_second: f64, timings: &Timings) -> Vec<f64> {
    let unit = match timings.cycles_per_tick {
        Some(_) => 1.0,
        None => 1e9 / ticks_per_second,
    };
    timings.watch.iter().map(|time| time * unit).collect()
}

fn rows(
    ticks_per_second: f64,
    common: &Common,
    names: &[(&str, Role)],
    timings: &Timings,
) -> Vec<Row> {
    let limits = || {
        let all = names.iter().zip(&timings.contenders);
        all.filter(|((_, role), _)| *role == Role::Yardstick)
            .map(|(_, timing)| timing)
    };
    let limit = limits().map(|timing| timing.min).min_by(f64::total_cmp);
    let limit_median = limits().map(|timing| timing.median).min_by(f64::total_cmp);
    let ns = |ticks: f64| ticks / ticks_per_second * 1e9;
    names
        .iter()
        .zip(&timings.contenders)
        .map(|(&(name, role), timing)| {
            let cycles = |ticks: f64| timings.cycles_per_tick.map(|ratio| ticks * ratio);
            Row {
                section: common.section,
                operation: common.operation,
                contender: name.to_owned(),
                role,
                mix: common.mix.map(|mix| mix.name().to_owned()),
                bytes: common.bytes,
                level: common.level.name().to_owned(),
                alignment: common.alignment,
                min_ns: ns(timing.min),
                median_ns: ns(timing.median),
                spread: timing.spread,
                min_cycles: cycles(timing.min),
                median_cycles: cycles(timing.median),
                bytes_per_cycle: cycles(timing.min).map(|cycles| common.bytes / cycles),
                of_limit: limit.map(|limit| limit / timing.min),
                of_limit_median: limit_median.map(|limit| limit / timing.median),
                page_end: None,
                core: None,
            }
        })
        .collect()
}
