// SPDX-License-Identifier: MIT OR Apache-2.0
//! The machine and the circumstances of a run, as lines of a name and a text.

use wiresum_bench::Machine;

/// The lines, in the order in which they are shown.
pub(crate) fn about(machine: &Machine) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    let mib = |bytes: usize| {
        if bytes >= 1 << 20 {
            format!("{} MiB", bytes >> 20)
        } else {
            format!("{} KiB", bytes >> 10)
        }
    };
    let caches = machine.caches;
    let pinned = match machine.pinned_to {
        Some(core) => format!("pinned to core {core}"),
        None => "not pinned".to_owned(),
    };
    let mut line = |name: &'static str, what: &str| lines.push((name, what.to_owned()));
    line(
        "machine",
        &format!("{}, {} cores, {pinned}", machine.cpu, machine.cores),
    );
    line(
        "caches",
        &format!(
            "L1 {}, L2 {}, L3 {}",
            mib(caches.l1),
            mib(caches.l2),
            mib(caches.l3)
        ),
    );
    line("system", &machine.system);
    line(
        "compilers",
        &format!("{}; {}", machine.c_compiler, machine.rust_compiler),
    );
    line(
        "wiresum",
        &format!(
            "{}, commit {}, using {}",
            machine.version, machine.commit, machine.kernel_in_use
        ),
    );
    line("date", &format!("{}, seed {}", machine.date, machine.seed));
    line("clock", &machine.clock);
    line(
        "figures",
        "the minimum of all samples; % of the limit, which is the best load-only loop for sums, \
         memcpy for copies, and one load per packet for batches",
    );
    lines
}
