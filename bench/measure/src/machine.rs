// SPDX-License-Identifier: MIT OR Apache-2.0
//! The machine, the build and the moment of a report.

use std::fs;
use std::time::SystemTime;

use serde::{Deserialize, Serialize};

use crate::ffi;

/// The sizes of the data caches in bytes, as the operating system or the CPU tells them. 0 is a
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
    /// Cycles of the core in a tick, measured in this run; none where nothing tells them.
    pub cycles_per_tick: Option<f64>,
    pub seed: u64,
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

/// The caches as Linux tells them.
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

/// The bytes of memory that are free, if the system tells.
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
        }
    }
}
