// SPDX-License-Identifier: MIT OR Apache-2.0
//! Samples, and the statistics of them. All contenders of a case take turns, round after round, so
//! that a disturbance of the machine meets all of them alike.

use std::time::{Duration, Instant};

use statrs::statistics::{Data, Max, Min, OrderStatistics};

use crate::ffi;

/// The amount of measuring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// Samples of each contender.
    pub(crate) rounds: usize,
    /// The time that a sample takes: short, so that most samples see no interruption.
    pub(crate) sample: Duration,
}

/// The statistics of one contender's samples, in ticks a call.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Timing {
    pub(crate) min: f64,
    pub(crate) median: f64,
    /// The distance of the quartiles, in parts of the median.
    pub(crate) spread: f64,
}

/// The timings of a case, and what was timed with its contenders.
pub(crate) struct Timings {
    pub(crate) contenders: Vec<Timing>,
    /// The cycles of the core in a tick.
    pub(crate) cycles_per_tick: Option<f64>,
    /// The time of a copy of 4 KiB in each round: in cycles by the round's own clock, as the core
    /// may change its frequency during a case; in ticks where the cycles are not known. A round in
    /// which the frequency changes around the copy has none.
    pub(crate) watch: Vec<f64>,
}

/// Runs `sample(contender, round)` for all contenders by turns, after one round that does not
/// count.
///
/// A sample has one or more parts, each in ticks a call. A part is the same work in every round.
/// The statistics of a contender are the means over its parts, so that an interruption spoils one
/// part only.
///
/// Every round has an order of its own, so that no contender always follows the same other one. A
/// core that has not used 512-bit registers for a while takes some microseconds to use them at full
/// speed, and each contender leaves something else in the caches.
pub(crate) fn take_turns(
    rounds: usize,
    contenders: usize,
    mut sample: impl FnMut(usize, usize) -> Vec<f64>,
) -> Timings {
    let mut samples: Vec<Vec<Vec<f64>>> = vec![Vec::new(); contenders];
    let (mut cycles, mut watch) = (Vec::new(), Vec::new());
    let mut order: Vec<usize> = (0..contenders).collect();
    let mut rng = fastrand::Rng::with_seed(ORDER_SEED);
    for round in 0..=rounds {
        rng.shuffle(&mut order);
        for &contender in &order {
            let parts = sample(contender, round);
            if round == 0 {
                samples[contender] = vec![Vec::new(); parts.len()];
                continue;
            }
            for (part, ticks) in samples[contender].iter_mut().zip(parts) {
                part.push(ticks);
            }
        }
        let clock = ffi::ticks_of_48_cycles(CLOCK_REPS) as f64;
        let copy = ffi::ticks_of_watch(WATCH_REPS) as f64 / WATCH_REPS as f64;
        let after = ffi::ticks_of_48_cycles(CLOCK_REPS) as f64;
        if clock == 0.0 {
            watch.push(copy);
        } else if (clock - after).abs() <= SAME_CLOCK * after {
            watch.push(copy * 2.0 * (48 * CLOCK_REPS) as f64 / (clock + after));
        }
        cycles.extend([clock, after]);
    }
    let fastest = Data::new(cycles).min();
    Timings {
        contenders: samples.into_iter().map(timing).collect(),
        cycles_per_tick: (fastest > 0.0).then(|| (48 * CLOCK_REPS) as f64 / fastest),
        watch,
    }
}

/// The seed of the orders, which are the same in every run.
const ORDER_SEED: u64 = 1071;

/// Repetitions that take some ten microseconds.
const CLOCK_REPS: usize = 500;

/// Two times of the clock that differ by so small a part are of the same frequency.
const SAME_CLOCK: f64 = 0.02;

/// Copies that take some two microseconds.
const WATCH_REPS: usize = 64;

pub(crate) fn median(samples: &[f64]) -> f64 {
    Data::new(samples.to_vec()).median()
}

/// The twentieth part of the samples are not above this.
pub(crate) fn lowest_twentieth(samples: &[f64]) -> f64 {
    Data::new(samples.to_vec()).percentile(5)
}

fn timing(parts: Vec<Vec<f64>>) -> Timing {
    let n = parts.len() as f64;
    let mut sum = [0.0; 4];
    for part in parts {
        let mut data = Data::new(part);
        debug_assert!(data.max() >= data.min());
        let of_part = [
            data.min(),
            data.median(),
            data.lower_quartile(),
            data.upper_quartile(),
        ];
        for (sum, of_part) in sum.iter_mut().zip(of_part) {
            *sum += of_part / n;
        }
    }
    let [min, median, lower, upper] = sum;
    Timing {
        min,
        median,
        spread: (upper - lower) / median,
    }
}

/// The ticks of a second.
pub(crate) fn ticks_per_second() -> f64 {
    let (start, ticks) = (Instant::now(), ffi::ticks());
    while start.elapsed() < Duration::from_millis(20) {}
    let ticks = ffi::ticks() - ticks;
    ticks as f64 / start.elapsed().as_secs_f64()
}

/// The number of calls that take `sample_ticks`. `time(reps)` returns the ticks of `reps` calls.
pub(crate) fn reps(sample_ticks: f64, mut time: impl FnMut(usize) -> u64) -> usize {
    let mut reps = 1;
    loop {
        let ticks = time(reps).min(time(reps)) as f64;
        if ticks >= sample_ticks / 4.0 || reps >= 1 << 24 {
            return ((reps as f64 * sample_ticks / ticks.max(1.0)) as usize).clamp(1, 1 << 24);
        }
        reps *= 4;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statistics_are_of_parts() {
        // Two parts of 10 and 20 ticks; one sample of each is spoilt, in different rounds.
        let parts = vec![
            vec![10.0, 999.0, 10.0, 10.0, 10.0],
            vec![20.0, 20.0, 20.0, 20.0, 777.0],
        ];
        let timing = timing(parts);
        assert_eq!((timing.min, timing.median), (15.0, 15.0));
    }

    #[test]
    fn all_take_turns_and_the_first_round_does_not_count() {
        let mut order = Vec::new();
        let timings = take_turns(3, 2, |contender, round| {
            order.push((round, contender));
            vec![if round == 0 {
                0.0
            } else {
                (contender * 10 + round) as f64
            }]
        });
        order.sort_unstable();
        let once_a_round: Vec<_> = (0..=3).flat_map(|round| [(round, 0), (round, 1)]).collect();
        assert_eq!(order, once_a_round);
        let found: Vec<_> = timings
            .contenders
            .iter()
            .map(|timing| (timing.min, timing.median))
            .collect();
        assert_eq!(found, [(1.0, 2.0), (11.0, 12.0)]);
        assert!(timings.watch.len() <= 4, "once a round");
        assert!(timings.watch.iter().all(|&ticks| ticks > 0.0));
    }

    #[test]
    fn each_comes_after_each_other() {
        let (mut before, mut pairs) = (None, std::collections::HashSet::new());
        take_turns(200, 5, |contender, _| {
            pairs.extend(before.replace(contender).map(|before| (before, contender)));
            vec![1.0]
        });
        for pair in (0..5).flat_map(|a| (0..5).map(move |b| (a, b))) {
            assert!(pair.0 == pair.1 || pairs.contains(&pair), "{pair:?}");
        }
    }
}
