// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs the cases.

use std::ops::Range;
use std::time::Duration;

use anyhow::bail;

use crate::cases::{self, Case, Level, Mix, SECTIONS, Wanted};
use crate::ffi::{self, Copier, Headers, Memory, Pieces, Summer};
use crate::machine::{self, Caches, Machine};
use crate::measure::{self, Effort, Timings, reps, take_turns};
use crate::report::{Entry, Operation, Report, Role, Row, Section};
use crate::verify;

/// What a run is to measure.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// In ten seconds or so: fewer rounds, sizes and alignments.
    pub quick: bool,
    /// Only these kernels; all that the CPU supports if none is named.
    pub kernels: Vec<String>,
    /// Only these sizes; the usual ones if none is named.
    pub sizes: Vec<usize>,
    /// Only these sections; all if none is named.
    pub sections: Vec<Section>,
    /// Of the lengths, the order and the data.
    pub seed: u64,
}

/// Something to measure.
#[derive(Clone)]
pub struct Contender {
    pub name: String,
    pub role: Role,
    pub sum: Option<Summer>,
    pub copy: Option<Copier>,
    /// Its version, say; what is wrong with it is found out.
    pub note: String,
}

impl Contender {
    /// Something that a user would pick instead.
    #[must_use]
    pub fn rival(name: &str, sum: Summer, note: &str) -> Contender {
        Contender {
            name: name.to_owned(),
            role: Role::Rival,
            sum: Some(sum),
            copy: None,
            note: note.to_owned(),
        }
    }

    fn entry(&self) -> Entry {
        let mut entry = Entry {
            name: self.name.clone(),
            role: self.role,
            verified: None,
            note: self.note.clone(),
        };
        let mut mistakes = Vec::new();
        if let (Some(summer), true) = (self.sum, self.role != Role::Yardstick) {
            mistakes.extend(verify::sum(summer).err());
            entry.verified = Some(true);
        }
        if let Some(copier) = self.copy {
            let sums = self.role != Role::Yardstick;
            mistakes.extend(verify::copy(copier, sums).err());
            entry.verified = Some(true);
        }
        if let Some(mistake) = mistakes.into_iter().next() {
            entry.verified = Some(false);
            entry.note = match entry.note.as_str() {
                "" => mistake,
                note => format!("{note}; {mistake}"),
            };
        }
        entry
    }
}

/// All sums of a case share their data, all copies theirs.
struct Ground {
    caches: Caches,
    near: Memory,
    near_to: Memory,
    /// Beyond all caches; there if a case needs it.
    far: Option<(Memory, Memory)>,
}

/// What a sample in DRAM sums, each time another part.
const WINDOW: usize = 8 << 20;

fn far_size(caches: Caches, quick: bool) -> usize {
    let most = if quick { 512 << 20 } else { 1 << 30 };
    let wanted = (4 * caches.l3).max(128 << 20).next_multiple_of(WINDOW);
    let free = machine::free_memory().map_or(most, |free| free / 4);
    wanted.min(most).min(free / WINDOW * WINDOW).max(4 * WINDOW)
}

/// Kernels, the library, yardsticks, and whoever else was invited; wrong ones too, but for our own.
///
/// # Errors
/// If a kernel of ours is wrong, a name is not known, or there is no memory.
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
    let sections = match options.sections.as_slice() {
        [] => &SECTIONS[..],
        some => some,
    };
    let mut cases = cases::cases(&Wanted {
        sections,
        sizes: &options.sizes,
        quick: options.quick,
        caches,
        dram: (WINDOW, far),
        has_guard: Memory::has_guard(),
    });
    if options.quick {
        cases.retain(|case| {
            !matches!(
                case,
                Case::Size {
                    operation: Operation::Copy,
                    level: Level::Dram,
                    ..
                }
            )
        });
    }
    let mut rng = fastrand::Rng::with_seed(options.seed);
    let ground = &mut ground(&cases, caches, far, &mut rng)?;
    let ticks_per_second = measure::ticks_per_second();
    let mut rows = Vec::new();
    let mut ratios = Vec::new();
    for (done, &case) in cases.iter().enumerate() {
        progress(done, cases.len(), &words(case));
        let effort = effort(case, options.quick);
        let run = Run {
            all: &all,
            effort,
            ticks_per_second,
            rng: &mut rng,
            ground,
        };
        let (timed, ratio) = run.case(case);
        rows.extend(timed);
        ratios.extend(ratio);
    }
    progress(cases.len(), cases.len(), "");
    entries.retain(|entry| {
        entry.role != Role::Yardstick || rows.iter().any(|row| row.contender == entry.name)
    });
    machine.ticks_per_second = ticks_per_second;
    ratios.sort_by(f64::total_cmp);
    machine.cycles_per_tick = ratios.get(ratios.len() / 2).copied();
    machine.clock = clock(&machine);
    Ok(Report {
        format: 1,
        machine,
        contenders: entries,
        rows,
    })
}

fn clock(machine: &Machine) -> String {
    let mhz = machine.ticks_per_second / 1e6;
    match (ffi::ticks_are_tsc(), machine.cycles_per_tick) {
        (true, Some(ratio)) => format!(
            "time stamp counter at {mhz:.0} MHz; cycles are of the core, at {:.0} MHz in the middle of the cases, by a chain of \
             multiplications of 3 cycles each that is timed in every round",
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
            format!(
                "{operation} of {}, {}",
                mix.name(),
                if cold { "cold" } else { "warm" }
            )
        }
        Case::Latency { size } => format!("latency of {size} bytes"),
        Case::Headers => "headers".to_owned(),
        Case::Batch { mix, .. } => format!("batch of {}", mix.name()),
        Case::PageEnd { operation } => format!("{operation} at the end of a page"),
    }
}

/// How much: what takes long in itself is done less often.
fn effort(case: Case, quick: bool) -> Effort {
    let far_copy = matches!(
        case,
        Case::Size {
            operation: Operation::Copy,
            level: Level::Dram,
            ..
        }
    );
    let long = matches!(case, Case::Mix { .. } | Case::Batch { .. })
        || matches!(
            case,
            Case::Size {
                level: Level::L3 | Level::Dram,
                ..
            }
        );
    let rounds = match (quick, far_copy, long) {
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

/// The library, its kernels, the yardsticks.
fn contenders(names: &[String]) -> anyhow::Result<Vec<Contender>> {
    let kernels = ffi::kernels();
    let known: Vec<_> = kernels.iter().map(|&(name, ..)| name).collect();
    if let Some(name) = names.iter().find(|name| !known.contains(&name.as_str())) {
        bail!(
            "there is no kernel \"{name}\" that this CPU supports; there are {}",
            known.join(", ")
        );
    }
    let mut all = vec![
        Contender {
            name: "wiresum".to_owned(),
            role: Role::Library,
            sum: Some(Summer::LIBRARY),
            copy: Some(Copier::LIBRARY),
            note: format!(
                "the public functions, which use {} and fold",
                ffi::kernel_in_use()
            ),
        },
        Contender {
            name: "wiresum_partial".to_owned(),
            role: Role::Library,
            sum: Some(Summer::partial()),
            copy: None,
            note: "the public function that leaves folding to its caller, as Linux' csum_partial, the vectorized loops and kernels do"
                .to_owned(),
        },
    ];
    for (name, sum, copy) in kernels {
        if names.is_empty() || names.iter().any(|asked| asked == name) {
            all.push(Contender {
                name: name.to_owned(),
                role: Role::Kernel,
                sum: Some(sum),
                copy: Some(copy),
                note: String::new(),
            });
        }
    }
    let yardstick = |name: &str, sum, copy, note: &str| Contender {
        name: name.to_owned(),
        role: Role::Yardstick,
        sum,
        copy,
        note: note.to_owned(),
    };
    for (name, load) in Summer::loads() {
        all.push(yardstick(
            name,
            Some(load),
            None,
            "loads every aligned vector that holds a byte of the data, and does no more",
        ));
    }
    all.push(yardstick(
        "memcpy",
        None,
        Some(Copier::memcpy()),
        "of the C library",
    ));
    all.push(yardstick(
        TOUCH,
        None,
        None,
        "loads the first byte of every packet",
    ));
    Ok(all)
}

const TOUCH: &str = "touch one line";
const LOOP: &str = "loop of wiresum_sum";
const BATCH: &str = "wiresum_batch";
const HEADER_INLINE: &str = "wiresum_ipv4_header_ok";
const HEADER_BATCH: &str = "wiresum_batch_ipv4_headers";

fn ground(
    cases: &[Case],
    caches: Caches,
    far: usize,
    rng: &mut fastrand::Rng,
) -> anyhow::Result<Ground> {
    let is_far = |case: &Case| {
        matches!(
            case,
            Case::Size {
                level: Level::Dram,
                ..
            } | Case::Mix { cold: true, .. }
                | Case::Batch { cold: true, .. }
        )
    };
    let near = cases
        .iter()
        .filter(|case| !is_far(case))
        .map(|case| match *case {
            Case::Size { size, .. } | Case::Latency { size } => size,
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
    let far_copy = cases.iter().any(|case| {
        is_far(case)
            && matches!(
                case,
                Case::Size {
                    operation: Operation::Copy,
                    ..
                }
            )
    });
    Ok(Ground {
        caches,
        near: memory(near)?,
        near_to: memory(near)?,
        far: if cases.iter().any(is_far) {
            Some((memory(far)?, memory(if far_copy { far } else { 0 })?))
        } else {
            None
        },
    })
}

/// The memory in which the packets of a warm mix lie: a part of the first cache, if the longest of them fits.
fn warm_region(mix: Mix, caches: Caches) -> usize {
    (caches.l1 / 2).max(mix.longest() + 128)
}

const HEADERS: usize = 512;

struct Run<'a> {
    all: &'a [Contender],
    effort: Effort,
    ticks_per_second: f64,
    rng: &'a mut fastrand::Rng,
    ground: &'a mut Ground,
}

/// What all rows of a case have in common.
struct Common {
    section: Section,
    operation: Operation,
    mix: Option<Mix>,
    bytes: f64,
    level: &'static str,
    alignment: usize,
}

impl<'a> Run<'a> {
    fn sample_ticks(&self) -> f64 {
        self.effort.sample.as_secs_f64() * self.ticks_per_second
    }

    fn summers(&self) -> Vec<(&'a Contender, Summer)> {
        self.all
            .iter()
            .filter_map(|one| Some((one, one.sum?)))
            .collect()
    }

    fn copiers(&self) -> Vec<(&'a Contender, Copier)> {
        self.all
            .iter()
            .filter_map(|one| Some((one, one.copy?)))
            .collect()
    }

    fn case(self, case: Case) -> (Vec<Row>, Option<f64>) {
        match case {
            Case::Size {
                operation: Operation::Sum,
                size,
                alignment,
                level,
            } => self.sizes(size, alignment, level),
            Case::Size {
                operation: Operation::Copy,
                size,
                alignment,
                level,
            } => self.copies(size, alignment, level),
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
        }
    }

    fn sizes(self, size: usize, alignment: usize, level: Level) -> (Vec<Row>, Option<f64>) {
        let summers = self.summers();
        let rounds = self.effort.rounds;
        let timings = if level == Level::Dram {
            let far = &self
                .ground
                .far
                .as_ref()
                .expect("a case in DRAM has its memory")
                .0;
            let data = far.as_slice();
            let mut windows = (0..data.len() / size).cycle();
            take_turns(rounds, summers.len(), |contender, _| {
                let at = windows.next().expect("it goes on for ever") * size;
                vec![summers[contender].1.time(&data[at..at + size], 1) as f64]
            })
        } else {
            let data = &self.ground.near.as_slice()[alignment..alignment + size];
            let sample = self.sample_ticks();
            let reps: Vec<_> = summers
                .iter()
                .map(|(_, summer)| reps(sample, |reps| summer.time(data, reps)))
                .collect();
            take_turns(rounds, summers.len(), |contender, _| {
                let reps = reps[contender];
                vec![summers[contender].1.time(data, reps) as f64 / reps as f64]
            })
        };
        let common = Common {
            section: Section::Sizes,
            operation: Operation::Sum,
            mix: None,
            bytes: size as f64,
            level: level.name(),
            alignment,
        };
        self.found(&common, &summers, &timings)
    }

    /// The destination is aligned: it is the user's own, the source is what came.
    fn copies(self, size: usize, alignment: usize, level: Level) -> (Vec<Row>, Option<f64>) {
        let copiers = self.copiers();
        let rounds = self.effort.rounds;
        let sample = self.sample_ticks();
        let (from, to) = match (level, &mut self.ground.far) {
            (Level::Dram, Some((from, to))) => (from, to),
            _ => (&mut self.ground.near, &mut self.ground.near_to),
        };
        let data = &from.as_slice()[alignment..alignment + size];
        let to = &mut to.bytes()[..size];
        let reps: Vec<_> = copiers
            .iter()
            .map(|(_, copier)| {
                if level == Level::Dram {
                    1
                } else {
                    reps(sample, |reps| copier.time(to, data, reps))
                }
            })
            .collect();
        let timings = take_turns(rounds, copiers.len(), |contender, _| {
            let reps = reps[contender];
            vec![copiers[contender].1.time(to, data, reps) as f64 / reps as f64]
        });
        let common = Common {
            section: Section::Sizes,
            operation: Operation::Copy,
            mix: None,
            bytes: size as f64,
            level: level.name(),
            alignment,
        };
        self.found(&common, &copiers, &timings)
    }

    fn latency(self, size: usize) -> (Vec<Row>, Option<f64>) {
        let mut summers = self.summers();
        summers.retain(|(one, _)| one.role != Role::Yardstick); // a loop of loads waits for nothing
        let data = &self.ground.near.as_slice()[..size];
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
            level: Level::L1.name(),
            alignment: 0,
        };
        self.found(&common, &summers, &timings)
    }

    /// Where the packets of a mix lie, as offsets, and how many such places there are for other packets, each so far behind the one before.
    fn lay_out(&mut self, mix: Mix, alignment: usize, cold: bool) -> Layout {
        let caches = self.ground.caches;
        if !cold {
            let lengths = mix.lengths(mix.packets(), self.rng);
            let region = warm_region(mix, caches);
            let places = lengths
                .into_iter()
                .map(|len| {
                    (
                        self.rng.usize(0..=(region - len - alignment) / 64) * 64 + alignment,
                        len,
                    )
                })
                .collect();
            return Layout {
                places,
                stride: 0,
                strides: 1,
            };
        }
        let far = self
            .ground
            .far
            .as_ref()
            .expect("a cold case has its memory")
            .0
            .len();
        // Two packets share neither a line nor what a prefetcher fetches.
        let slot = (mix.longest() + alignment + 64)
            .next_multiple_of(64)
            .max(2048);
        let n = mix.packets().min(far / 2 / slot);
        let lengths = mix.lengths(n, self.rng);
        let mut slots: Vec<usize> = (0..n).collect();
        self.rng.shuffle(&mut slots);
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

    fn mix(
        mut self,
        operation: Operation,
        mix: Mix,
        alignment: usize,
        cold: bool,
    ) -> (Vec<Row>, Option<f64>) {
        let layout = self.lay_out(mix, alignment, cold);
        let summers = self.summers();
        let copiers = self.copiers();
        let rounds = self.effort.rounds;
        let mut turn = 0;
        let (near, near_to) = (&self.ground.near, &mut self.ground.near_to);
        let memory = match &self.ground.far {
            Some((far, _)) if cold => far,
            _ => near,
        };
        let warm = memory.pieces(layout.at(0));
        let (timings, names): (_, Vec<_>) = match operation {
            Operation::Sum => (
                take_turns(rounds, summers.len(), |contender, _| {
                    turn += 1;
                    let elsewhere = (cold).then(|| memory.pieces(layout.at(turn)));
                    let packets = elsewhere.as_ref().unwrap_or(&warm);
                    in_parts(packets, |part| {
                        summers[contender]
                            .1
                            .time_packets(packets, part.start, part.end)
                    })
                }),
                summers
                    .iter()
                    .map(|(one, _)| (one.name.as_str(), one.role))
                    .collect(),
            ),
            Operation::Copy => (
                take_turns(rounds, copiers.len(), |contender, _| {
                    in_parts(&warm, |part| {
                        copiers[contender]
                            .1
                            .time_packets(near_to, &warm, part.start, part.end)
                    })
                }),
                copiers
                    .iter()
                    .map(|(one, _)| (one.name.as_str(), one.role))
                    .collect(),
            ),
        };
        let common = Common {
            section: Section::Mixes,
            operation,
            mix: Some(mix),
            bytes: layout.mean(),
            level: if cold {
                Level::Dram
            } else {
                Level::of(warm_region(mix, self.ground.caches), self.ground.caches)
            }
            .name(),
            alignment,
        };
        (
            self.rows(&common, &names, &timings),
            timings.cycles_per_tick,
        )
    }

    fn batch(mut self, mix: Mix, cold: bool) -> (Vec<Row>, Option<f64>) {
        let layout = self.lay_out(mix, 14, cold);
        let memory = match &self.ground.far {
            Some((far, _)) if cold => far,
            _ => &self.ground.near,
        };
        let warm = memory.pieces(layout.at(0));
        let mut sums = vec![0; layout.places.len()];
        let names = [
            (LOOP, Role::Library),
            (BATCH, Role::Library),
            (TOUCH, Role::Yardstick),
        ];
        let mut turn = 0;
        let timings = take_turns(self.effort.rounds, names.len(), |contender, _| {
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
            bytes: layout.mean(),
            level: if cold { Level::Dram } else { Level::L1 }.name(),
            alignment: 14,
        };
        (
            self.rows(&common, &names, &timings),
            timings.cycles_per_tick,
        )
    }

    fn headers(self) -> (Vec<Row>, Option<f64>) {
        for header in self.ground.near.bytes()[..HEADERS * 20].chunks_exact_mut(20) {
            header[0] = 0x45;
        }
        let mut sums = vec![0; HEADERS];
        let names = [
            (HEADER_INLINE, Role::Library),
            (HEADER_BATCH, Role::Library),
            (LOOP, Role::Library),
        ];
        let packets = Memory::pieces(&self.ground.near, (0..HEADERS).map(|at| (at * 20, 20)));
        let headers = &self.ground.near.as_slice()[..HEADERS * 20];
        let timings = take_turns(self.effort.rounds.max(31), names.len(), |contender, _| {
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
            level: Level::L1.name(),
            alignment: 0,
        };
        (
            self.rows(&common, &names, &timings),
            timings.cycles_per_tick,
        )
    }

    /// At the end of the memory, behind which lies a page that cannot be read, and at the same place of the page before.
    fn page_end(self, operation: Operation) -> (Vec<Row>, Option<f64>) {
        let lengths = || (1..=130).chain([200, 256, 300, 576, 1023, 1024, 1025, 1500, 2000]);
        let page = ffi::page();
        let count = match operation {
            Operation::Sum => self.summers().len(),
            Operation::Copy => self.copiers().len(),
        };
        let mut worst: Vec<Option<Row>> = vec![None; count];
        let mut ratio = None;
        let all = self.all;
        let Ground { near, near_to, .. } = &mut *self.ground;
        let size = near.len();
        let sample = self.effort.sample.as_secs_f64() * self.ticks_per_second / 4.0;
        let rounds = self.effort.rounds.min(15);
        for len in lengths() {
            let ends = [size, size - page];
            let timings = match operation {
                Operation::Sum => {
                    let summers: Vec<_> = all.iter().filter_map(|one| one.sum).collect();
                    let data = ends.map(|end| &near.as_slice()[end - len..end]);
                    let reps: Vec<_> = summers
                        .iter()
                        .map(|summer| reps(sample, |reps| summer.time(data[1], reps)))
                        .collect();
                    take_turns(rounds, 2 * count, |which, _| {
                        let (who, at) = (which / 2, which % 2);
                        vec![summers[who].time(data[at], reps[who]) as f64 / reps[who] as f64]
                    })
                }
                Operation::Copy => {
                    let copiers: Vec<_> = all.iter().filter_map(|one| one.copy).collect();
                    let reps: Vec<_> = copiers
                        .iter()
                        .map(|copier| {
                            reps(sample, |reps| {
                                let end = size - page;
                                copier.time(
                                    &mut near_to.bytes()[end - len..end],
                                    &near.as_slice()[end - len..end],
                                    reps,
                                )
                            })
                        })
                        .collect();
                    take_turns(rounds, 2 * count, |which, _| {
                        let (who, end) = (which / 2, ends[which % 2]);
                        let (to, from) = (
                            &mut near_to.bytes()[end - len..end],
                            &near.as_slice()[end - len..end],
                        );
                        vec![copiers[who].time(to, from, reps[who]) as f64 / reps[who] as f64]
                    })
                }
            };
            ratio = timings.cycles_per_tick;
            let common = Common {
                section: Section::PageEnd,
                operation,
                mix: None,
                bytes: len as f64,
                level: Level::L1.name(),
                alignment: (size - len) % 64,
            };
            let names: Vec<_> = all
                .iter()
                .filter(|one| match operation {
                    Operation::Sum => one.sum.is_some(),
                    Operation::Copy => one.copy.is_some(),
                })
                .map(|one| (one.name.as_str(), one.role))
                .collect();
            for (who, worst) in worst.iter_mut().enumerate() {
                let [there, here] = [timings.contenders[2 * who], timings.contenders[2 * who + 1]];
                let times = there.min / here.min;
                if worst
                    .as_ref()
                    .and_then(|row| row.page_end)
                    .is_none_or(|most| times > most)
                {
                    let one = Timings {
                        contenders: vec![there],
                        cycles_per_tick: ratio,
                    };
                    let mut row =
                        rows(self.ticks_per_second, &common, &names[who..=who], &one).remove(0);
                    row.page_end = Some(times);
                    row.of_limit = None;
                    row.of_limit_median = None;
                    *worst = Some(row);
                }
            }
        }
        (worst.into_iter().flatten().collect(), ratio)
    }

    /// The rows of contenders that were timed, and how many cycles a tick is.
    fn found<F>(
        &self,
        common: &Common,
        contenders: &[(&Contender, F)],
        timings: &Timings,
    ) -> (Vec<Row>, Option<f64>) {
        let names: Vec<_> = contenders
            .iter()
            .map(|(one, _)| (one.name.as_str(), one.role))
            .collect();
        (self.rows(common, &names, timings), timings.cycles_per_tick)
    }

    fn rows(&self, common: &Common, names: &[(&str, Role)], timings: &Timings) -> Vec<Row> {
        rows(self.ticks_per_second, common, names, timings)
    }
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
                level: common.level.to_owned(),
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
            }
        })
        .collect()
}

/// Where packets lie.
struct Layout {
    places: Vec<(usize, usize)>,
    /// How far behind one set of places the next one is, and how many there are.
    stride: usize,
    strides: usize,
}

impl Layout {
    fn at(&self, turn: usize) -> impl Iterator<Item = (usize, usize)> {
        let base = turn % self.strides * self.stride;
        self.places.iter().map(move |&(at, len)| (base + at, len))
    }

    fn mean(&self) -> f64 {
        self.places.iter().map(|&(_, len)| len as f64).sum::<f64>() / self.places.len() as f64
    }
}

/// Times packets in so many parts, so that an interruption spoils one of them only. Ticks a packet of each part.
fn in_parts(packets: &Pieces, mut time: impl FnMut(Range<usize>) -> u64) -> Vec<f64> {
    let part = packets.len().div_ceil(PARTS).max(1);
    (0..packets.len())
        .step_by(part)
        .map(|start| {
            let end = (start + part).min(packets.len());
            time(start..end) as f64 / (end - start) as f64
        })
        .collect()
}

const PARTS: usize = 16;
