// SPDX-License-Identifier: MIT OR Apache-2.0
//! The machine, the build and the moment of a report.

use std::fs;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::ffi;
use crate::measure::{lowest_twentieth, median};

/// The sizes of the data caches in bytes, as the operating system or the CPU reports them. 0 is a
/// cache that is unknown or absent.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Caches {
    pub l1: usize,
    pub l2: usize,
    pub l3: usize,
}

/// The machine, the build and the moment of a report. A figure means nothing without them.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Machine {
    pub cpu: String,
    pub architecture: String,
    pub system: String,
    pub cores: usize,
    pub caches: Caches,
    /// The core that the measurement was pinned to, if it could be.
    pub pinned_to: Option<usize>,
    pub c_compiler: String,
    pub rust_compiler: String,
    pub version: String,
    pub commit: String,
    /// RFC 3339.
    pub date: String,
    /// The kernel that the library's public functions used.
    pub kernel_in_use: String,
    /// How the run takes time and makes cycles of it, in words.
    pub clock: String,
    pub ticks_per_second: f64,
    /// Cycles of the core in a tick, measured in this run; none where nothing reports them.
    pub cycles_per_tick: Option<f64>,
    pub seed: u64,
    /// Whether anything else used the core. None in reports that lack it.
    #[serde(default)]
    pub core: Option<Core>,
}

/// What a memcpy of 4 KiB, timed once a round, says of the core: it does the same work each time,
/// so another time means that something else used the core, as another program, another guest, or
/// the sibling of a core with two threads.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Core {
    /// Its best time in the run, which a twentieth of the rounds reach: in cycles of the core where
    /// these are known, else in nanoseconds. A round whose clock was interrupted seems faster.
    pub best: f64,
    pub rounds: usize,
    /// The rounds in which it took more than 1.15 times its best.
    pub slow_rounds: usize,
    /// The median of the rounds of a case, in parts of the best, of the slowest case.
    pub most: f64,
    /// Whether more than a tenth of the rounds were slow.
    pub shared: bool,
}

impl Core {
    /// Above so many times its best, a copy is slow.
    pub const SLOW: f64 = 1.15;

    /// The times of the rounds of each case, and the median of each case that has any, in parts of
    /// the best. None if there are no times at all.
    pub(crate) fn new(cases: &[Vec<f64>]) -> Option<(Core, Vec<Option<f64>>)> {
        let all: Vec<f64> = cases.iter().flatten().copied().collect();
        if all.is_empty() {
            return None;
        }
        let (rounds, best) = (all.len(), lowest_twentieth(&all));
        let slow = all.iter().filter(|&&time| time > Core::SLOW * best);
        let slow = slow.count();
        let of_case = |times: &Vec<f64>| (!times.is_empty()).then(|| median(times) / best);
        let of_cases: Vec<_> = cases.iter().map(of_case).collect();
        let core = Core {
            best,
            rounds,
            slow_rounds: slow,
            most: of_cases.iter().flatten().copied().fold(0.0, f64::max),
            shared: slow * 10 > rounds,
        };
        Some((core, of_cases))
    }
}

fn line_of(path: &str, key: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(key))?;
    Some(
        line.split_once([':', '='])?
            .1
            .trim()
            .trim_matches('"')
            .to_owned(),
    )
}

#[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
fn cpu() -> (String, Option<Caches>) {
    use raw_cpuid::{CacheType, CpuId};
    let cpuid = CpuId::new();
    let brand = cpuid.get_processor_brand_string();
    let mut name = brand.map_or_else(String::new, |brand| brand.as_str().trim().to_owned());
    if let Some(model) = cpuid.get_feature_info() {
        let (family, number) = (model.family_id(), model.model_id());
        name = format!("{name} (family {family}, model {number})");
    }
    let mut caches = Caches::default();
    for cache in cpuid.get_cache_parameters().into_iter().flatten() {
        let size = cache.associativity()
            * cache.physical_line_partitions()
            * cache.coherency_line_size()
            * cache.sets();
        match (cache.level(), cache.cache_type()) {
            (_, CacheType::Instruction | CacheType::Null | CacheType::Reserved) => {}
            (1, _) => caches.l1 = size,
            (2, _) => caches.l2 = size,
            (3, _) => caches.l3 = size,
            _ => {}
        }
    }
    (name, (caches.l1 > 0).then_some(caches))
}

#[cfg(not(any(target_arch = "x86", target_arch = "x86_64")))]
fn cpu() -> (String, Option<Caches>) {
    let name = ["model name", "cpu", "Model", "CPU part"]
        .into_iter()
        .find_map(|key| line_of("/proc/cpuinfo", key));
    (name.unwrap_or_else(|| "unknown".to_owned()), None)
}

/// The caches as Linux reports them.
fn caches_of_system() -> Option<Caches> {
    let mut caches = Caches::default();
    for index in 0..8 {
        let of = |what| {
            fs::read_to_string(format!(
                "/sys/devices/system/cpu/cpu0/cache/index{index}/{what}"
            ))
            .ok()
            .map(|text| text.trim().to_owned())
        };
        let (Some(kind), Some(level), Some(size)) = (of("type"), of("level"), of("size")) else {
            continue;
        };
        let Some(kib) = size
            .strip_suffix('K')
            .and_then(|kib| kib.parse::<usize>().ok())
        else {
            continue;
        };
        match (level.as_str(), kind.as_str()) {
            (_, "Instruction") => {}
            ("1", _) => caches.l1 = kib << 10,
            ("2", _) => caches.l2 = kib << 10,
            ("3", _) => caches.l3 = kib << 10,
            _ => {}
        }
    }
    (caches.l1 > 0).then_some(caches)
}

/// Keeps this thread on the core that it is on.
#[cfg(target_os = "linux")]
fn pin() -> Option<usize> {
    use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};
    let core = sched_getcpu();
    let mut only = CpuSet::new();
    only.set(core);
    sched_setaffinity(None, &only).ok().map(|()| core)
}

#[cfg(not(target_os = "linux"))]
fn pin() -> Option<usize> {
    None
}

/// The bytes of memory that are free, if the system reports them.
pub(crate) fn free_memory() -> Option<usize> {
    let line = line_of("/proc/meminfo", "MemAvailable")?;
    let kib: usize = line.split_whitespace().next()?.parse().ok()?;
    Some(kib << 10)
}

impl Machine {
    /// Asks the machine what it is, and stays on this core from here on.
    pub(crate) fn new(seed: u64) -> Machine {
        let (cpu, caches) = cpu();
        let kernel_of_system = fs::read_to_string("/proc/sys/kernel/osrelease");
        let system = line_of("/etc/os-release", "PRETTY_NAME=");
        let system = system.unwrap_or_else(|| std::env::consts::OS.to_owned());
        // Before the thread is pinned to one core.
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let pinned_to = pin();
        let commit = match env!("WIRESUM_BENCH_COMMIT") {
            "none" => "not from a checkout",
            commit => commit,
        };
        Machine {
            cpu,
            architecture: std::env::consts::ARCH.to_owned(),
            system: match kernel_of_system {
                Ok(release) => format!("{system}, kernel {}", release.trim()),
                Err(_) => system,
            },
            cores,
            // The system first: a hypervisor may leave caches out of CPUID.
            caches: caches_of_system().or(caches).unwrap_or(Caches {
                l1: 32 << 10,
                l2: 256 << 10,
                l3: 8 << 20,
            }),
            pinned_to,
            c_compiler: env!("WIRESUM_BENCH_CC").to_owned(),
            rust_compiler: env!("WIRESUM_BENCH_RUSTC").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: commit.to_owned(),
            date: humantime::format_rfc3339_seconds(SystemTime::now()).to_string(),
            kernel_in_use: ffi::kernel_in_use().to_owned(),
            clock: String::new(),
            ticks_per_second: 0.0,
            cycles_per_tick: None,
            seed,
            core: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_core_is_shared_if_a_tenth_of_the_rounds_are_slow() {
        // Two cases of twenty rounds. An interruption spoils four of forty, a tenth, and one that
        // met the clock makes a copy seem faster than any is.
        let mut quiet = vec![vec![64.0; 20], vec![64.0; 20]];
        quiet[0][7] = 9.0;
        quiet[1][..4].fill(999.0);
        let (core, of_cases) = Core::new(&quiet).expect("times");
        assert_eq!((core.best, core.rounds, core.slow_rounds), (64.0, 40, 4));
        assert_eq!((core.most, core.shared), (1.0, false));
        assert_eq!(of_cases, [Some(1.0), Some(1.0)]);
        quiet[1][4] = 74.0; // 1.156 times 64
        let (core, _) = Core::new(&quiet).expect("times");
        assert_eq!((core.slow_rounds, core.shared), (5, true));
        quiet[1][4] = 73.0; // 1.141 times
        let (core, _) = Core::new(&quiet).expect("times");
        assert_eq!((core.slow_rounds, core.shared), (4, false));

        // A sibling that is busy for one case of two.
        let busy = [vec![64.0; 20], vec![96.0; 20]];
        let (core, of_cases) = Core::new(&busy).expect("times");
        assert_eq!((core.slow_rounds, core.shared), (20, true));
        assert_eq!((core.most, of_cases), (1.5, vec![Some(1.0), Some(1.5)]));

        // A case in which the frequency never held still.
        let (core, of_cases) = Core::new(&[vec![64.0; 20], Vec::new()]).expect("times");
        assert_eq!((core.rounds, of_cases), (20, vec![Some(1.0), None]));

        assert_eq!(Core::new(&[]), None);
        assert_eq!(Core::new(&[Vec::new()]), None);
    }
}
