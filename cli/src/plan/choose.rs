// SPDX-License-Identifier: MIT OR Apache-2.0
//! Chooses the cheapest line for each length, and adds up what traffic costs by it.

use super::line::Line;
use super::traffic::Traffic;

/// Lengths for which one line is the cheapest.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Range {
    /// The first length in bytes.
    pub(super) from: u64,
    /// The last length, or none if there is no last.
    pub(super) to: Option<u64>,
    /// The place of the line, or none if no line takes so long a job.
    pub(super) line: Option<usize>,
    /// The length, seldom a whole number, at which this line meets the one before.
    pub(super) meets: Option<f64>,
}

/// What one line takes of the traffic.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Share {
    pub(super) jobs: u64,
    pub(super) bytes: u64,
    pub(super) cost: f64,
    /// What of the cost is the CPU's.
    pub(super) cpu: f64,
}

/// The plan for jobs that come in batches of one size.
pub(super) struct Plan {
    pub(super) batch: u32,
    pub(super) ranges: Vec<Range>,
    /// What each line takes.
    pub(super) shares: Vec<Share>,
    /// The jobs that no line takes.
    pub(super) left: Share,
    /// What all jobs cost by each line alone, if it takes all of them.
    pub(super) alone: Vec<Option<f64>>,
    /// The same of the CPU.
    pub(super) cpu_alone: Vec<Option<f64>>,
    /// The least that the CPU spends without an engine, if such a line takes all jobs.
    pub(super) software: Option<f64>,
}

impl Plan {
    /// What the jobs cost that some line takes.
    pub(super) fn cost(&self) -> f64 {
        self.shares.iter().map(|share| share.cost).sum()
    }

    /// What of it the CPU spends.
    pub(super) fn cpu(&self) -> f64 {
        self.shares.iter().map(|share| share.cpu).sum()
    }

    /// What the CPU need not spend on these jobs, next to software alone.
    pub(super) fn cpu_saved(&self) -> Option<f64> {
        let all = self.left.jobs == 0;
        self.software
            .filter(|_| all)
            .map(|software| software - self.cpu())
    }
}

/// The plan that takes for each length the line with the least elapsed time, or with `by_cpu` the
/// line with the least time of the CPU.
pub(super) fn plan(lines: &[Line], traffic: Option<&Traffic>, batch: u32, by_cpu: bool) -> Plan {
    let of_cpu: Vec<Line> = lines.iter().map(Line::of_cpu).collect();
    let ranges = ranges(if by_cpu { &of_cpu } else { lines }, batch);
    let mut shares = vec![Share::default(); lines.len()];
    let mut left = Share::default();
    let mut alone = vec![Some(0.0); lines.len()];
    let mut cpu_alone = alone.clone();
    for (&bytes, &jobs) in traffic.iter().flat_map(|traffic| &traffic.jobs) {
        let after = ranges.partition_point(|range| range.from <= bytes);
        let line = ranges[after - 1].line;
        let share = line.map_or(&mut left, |line| &mut shares[line]);
        share.jobs += jobs;
        share.bytes += jobs * bytes;
        let cost =
            |lines: &[Line]| line.map_or(0.0, |line| jobs as f64 * lines[line].cost(bytes, batch));
        share.cost += cost(lines);
        share.cpu += cost(&of_cpu);
        for (lines, alone) in [(lines, &mut alone), (&of_cpu[..], &mut cpu_alone)] {
            for (line, alone) in lines.iter().zip(alone) {
                *alone = alone
                    .filter(|_| line.takes(bytes))
                    .map(|cost| cost + jobs as f64 * line.cost(bytes, batch));
            }
        }
    }
    let software = lines.iter().zip(&cpu_alone);
    let software = software.filter_map(|(line, alone)| alone.filter(|_| line.cpu.is_none()));
    Plan {
        batch,
        ranges,
        shares,
        left,
        alone,
        software: software.min_by(f64::total_cmp),
        cpu_alone,
    }
}

/// All lengths from 0 on, in ranges with one cheapest line each. Of equal lines the first is taken.
fn ranges(lines: &[Line], batch: u32) -> Vec<Range> {
    // The order of two lines can change only at the first whole length after the point where they
    // meet, or after the longest job of one.
    let mut begins = vec![0];
    for (n, line) in lines.iter().enumerate() {
        begins.extend(line.longest.and_then(|longest| longest.checked_add(1)));
        let others = lines[..n].iter();
        begins.extend(others.filter_map(|other| Some(meeting(other, line, batch)? as u64 + 1)));
    }
    begins.sort_unstable();
    begins.dedup();
    let mut ranges: Vec<Range> = Vec::new();
    for from in begins {
        let line = cheapest(lines, from, batch);
        let before = ranges.last_mut();
        if before.as_ref().is_some_and(|before| before.line == line) {
            continue;
        }
        let mut meets = None;
        if let Some(before) = before {
            before.to = Some(from - 1);
            if let (Some(below), Some(above)) = (before.line, line)
                && lines[below].takes(from)
            {
                meets = meeting(&lines[below], &lines[above], batch);
            }
        }
        ranges.push(Range {
            from,
            to: None,
            line,
            meets,
        });
    }
    ranges
}

/// The length at which two lines cost the same, if it is not negative.
fn meeting(a: &Line, b: &Line, batch: u32) -> Option<f64> {
    const MOST: f64 = (1_u64 << 53) as f64; // whole numbers up to here are exact
    let at = (b.fixed(batch) - a.fixed(batch)) / (a.byte - b.byte);
    (0.0..MOST).contains(&at).then_some(at)
}

fn cheapest(lines: &[Line], bytes: u64, batch: u32) -> Option<usize> {
    let costs = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.takes(bytes));
    costs
        .map(|(n, line)| (n, line.cost(bytes, batch)))
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(n, _)| n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::line::{Cpu, parse};

    fn lines(texts: &[&str]) -> Vec<Line> {
        texts.iter().map(|text| parse(text).unwrap()).collect()
    }

    /// Where each line begins to be the cheapest.
    fn begins(ranges: &[Range]) -> Vec<(u64, Option<usize>)> {
        ranges
            .iter()
            .map(|range| (range.from, range.line))
            .collect()
    }

    #[test]
    fn each_length_has_the_line_that_costs_least() {
        let mut random = 1071_u64;
        let mut next = |most: u64| {
            random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (random >> 33) % most
        };
        for _ in 0..500 {
            let mut lines: Vec<Line> = (0..=next(5))
                .map(|n| parse(&format!("{n}={}+{}ns", next(300), next(20))).unwrap())
                .collect();
            for line in &mut lines {
                line.batch = next(3) as f64 * 100.0;
                line.longest = [None, Some(next(200))][next(2) as usize];
            }
            let batch = [1, 32][next(2) as usize];
            let ranges = ranges(&lines, batch);
            assert!(ranges.windows(2).all(|pair| pair[0].line != pair[1].line));
            let mut from = 0;
            for range in &ranges {
                assert_eq!(range.from, from);
                from = range.to.map_or(u64::MAX, |to| to + 1);
                for bytes in range.from..=range.to.unwrap_or(range.from + 400).min(1000) {
                    let takers = || lines.iter().filter(|line| line.takes(bytes));
                    let costs = takers().map(|line| line.cost(bytes, batch));
                    let least = costs.min_by(f64::total_cmp);
                    let chosen = range.line.map(|line| lines[line].cost(bytes, batch));
                    assert_eq!(chosen, least, "{bytes} bytes of {lines:?}");
                    assert!(range.line.is_none_or(|line| lines[line].takes(bytes)));
                }
            }
            assert_eq!(ranges.last().unwrap().to, None);
        }
    }

    #[test]
    fn the_first_line_keeps_a_length_at_which_both_cost_the_same() {
        let lines = lines(&["software=0+2ns", "engine=100+1ns"]);
        let ranges = ranges(&lines, 1);
        assert_eq!(begins(&ranges), [(0, Some(0)), (101, Some(1))]);
        assert_eq!(ranges[1].meets, Some(100.0));
    }

    #[test]
    fn a_batch_shares_the_cost_of_its_doorbell() {
        let mut lines = lines(&["software=0+2ns", "engine=4+1ns"]);
        lines[1].batch = 96.0;
        assert_eq!(begins(&ranges(&lines, 1)), [(0, Some(0)), (101, Some(1))]);
        assert_eq!(begins(&ranges(&lines, 32)), [(0, Some(0)), (8, Some(1))]);
    }

    #[test]
    fn shares_and_costs_add_up() {
        let mut lines = lines(&["software=0+2ns", "engine=100+1ns"]);
        lines[1].longest = Some(2000);
        let traffic = Traffic {
            source: String::new(),
            jobs: [(50, 3), (100, 1), (200, 2), (3000, 1)].into(),
        };
        let found = plan(&lines, Some(&traffic), 1, false);
        let share = |jobs, bytes, cost| Share {
            jobs,
            bytes,
            cost,
            cpu: cost,
        };
        assert_eq!(found.shares, [share(5, 3250, 6500.0), share(2, 400, 600.0)]);
        assert_eq!(found.left, Share::default());
        assert_eq!(found.alone, [Some(7300.0), None]);
        assert_eq!(found.cost(), 7100.0);

        let found = plan(&lines[1..], Some(&traffic), 1, false);
        assert_eq!(found.left, share(1, 3000, 0.0));
    }

    #[test]
    fn an_engine_that_is_slower_may_save_time_of_the_cpu() {
        let mut lines = lines(&["software=0+2ns", "engine=1000+4ns"]);
        lines[1].cpu = Some(Cpu {
            batch: 32.0,
            job: 99.0,
            byte: 0.0,
        });
        let traffic = Traffic {
            source: String::new(),
            jobs: [(50, 4), (1000, 2)].into(),
        };
        let found = plan(&lines, Some(&traffic), 32, false);
        assert_eq!(begins(&found.ranges), [(0, Some(0))]);
        assert_eq!((found.cost(), found.cpu()), (4400.0, 4400.0));
        assert_eq!(found.cpu_alone, [Some(4400.0), Some(600.0)]);
        assert_eq!(found.cpu_saved(), Some(0.0));

        let found = plan(&lines, Some(&traffic), 32, true);
        assert_eq!(begins(&found.ranges), [(0, Some(0)), (51, Some(1))]);
        assert_eq!(found.ranges[1].meets, Some(50.0));
        assert_eq!((found.cost(), found.cpu()), (400.0 + 10000.0, 600.0));
        assert_eq!(found.cpu_saved(), Some(3800.0));

        // Without a line of software there is nothing to compare with.
        let found = plan(&lines[1..], Some(&traffic), 32, true);
        assert_eq!(found.cpu_saved(), None);
    }
}
