// SPDX-License-Identifier: MIT OR Apache-2.0
//! The machine and the circumstances of a run, as lines of a name and a text.

use wiresum_bench::{Core, Machine};

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
    if let Some(core) = machine.core {
        let unit = match machine.cycles_per_tick {
            Some(_) => "cycles",
            None => "ns",
        };
        line("core", &about_core(&core, unit));
    }
    line(
        "figures",
        "the minimum of all samples; % of the limit, which is the best load-only loop for sums, \
         memcpy for copies, and one load per packet for batches; in a mix, a load-only loop \
         without a branch counts too",
    );
    lines
}

/// Whether anything else used the core, and how that is known.
fn about_core(core: &Core, unit: &str) -> String {
    let (slow, rounds) = (core.slow_rounds, core.rounds);
    let known = format!(
        "in {slow} of {rounds} rounds a memcpy of 4 KiB took more than {} times its best of \
         {:.0} {unit}; in the slowest case, {:.2} times",
        Core::SLOW,
        core.best,
        core.most
    );
    if core.shared {
        format!(
            "SHARED: {known}. Another program, another guest or the sibling of this core ran, so \
             the figures are too slow"
        )
    } else {
        format!("not shared: {known}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shared_core_is_told() {
        let core = Core {
            best: 64.2,
            rounds: 1000,
            slow_rounds: 370,
            most: 1.387,
            shared: true,
        };
        assert_eq!(
            about_core(&core, "cycles"),
            "SHARED: in 370 of 1000 rounds a memcpy of 4 KiB took more than 1.15 times its best of \
             64 cycles; in the slowest case, 1.39 times. Another program, another guest or the \
             sibling of this core ran, so the figures are too slow"
        );
        let quiet = Core {
            slow_rounds: 3,
            most: 1.0,
            shared: false,
            ..core
        };
        assert_eq!(
            about_core(&quiet, "ns"),
            "not shared: in 3 of 1000 rounds a memcpy of 4 KiB took more than 1.15 times its best \
             of 64 ns; in the slowest case, 1.00 times"
        );
    }
}
