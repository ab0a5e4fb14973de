// SPDX-License-Identifier: MIT OR Apache-2.0
//! A line says what a sum costs by one way: so much for a job, and so much for each of its bytes.

use std::collections::HashSet;
use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use serde::{Deserialize, Serialize};
use wiresum_bench::{Operation, Report, Section};

/// What the numbers of a line count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Unit {
    #[serde(rename = "ns")]
    Nanoseconds,
    #[serde(rename = "cycles")]
    Cycles,
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Unit::Nanoseconds => "ns",
            Unit::Cycles => "cycles",
        })
    }
}

/// The cost of a job of n bytes, in a batch of N jobs, is `batch` / N + `job` + `byte` × n.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Line {
    pub(super) name: String,
    pub(super) unit: Unit,
    /// The clock of the cycles in Hz, if it is known.
    #[serde(default)]
    pub(super) clock_hz: Option<f64>,
    /// The cost of a batch, however many jobs it has.
    #[serde(default)]
    pub(super) batch: f64,
    pub(super) job: f64,
    pub(super) byte: f64,
    /// The most bytes of a job, if there is a limit.
    #[serde(default)]
    pub(super) longest: Option<u64>,
    /// The machine and the way in which the numbers were measured.
    #[serde(default)]
    pub(super) measured: String,
    /// What the line costs the CPU, if that is less than all of it.
    #[serde(default)]
    pub(super) cpu: Option<Cpu>,
}

/// The time in which the CPU itself works for an engine: `batch` / N + `job` + `byte` × n. The rest
/// of the line's cost it may spend on something else.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Cpu {
    #[serde(default)]
    pub(super) batch: f64,
    pub(super) job: f64,
    #[serde(default)]
    pub(super) byte: f64,
}

/// The contents of a file of lines.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Lines {
    format: u32,
    lines: Vec<Line>,
}

impl Line {
    /// The cost of a job that shares its batch with `batch` - 1 others.
    pub(super) fn cost(&self, bytes: u64, batch: u32) -> f64 {
        self.fixed(batch) + self.byte * bytes as f64
    }

    /// The cost of a job without bytes.
    pub(super) fn fixed(&self, batch: u32) -> f64 {
        self.batch / f64::from(batch) + self.job
    }

    /// The line of what the CPU alone spends.
    pub(super) fn of_cpu(&self) -> Line {
        let mut line = self.clone();
        if let Some(Cpu { batch, job, byte }) = self.cpu {
            (line.batch, line.job, line.byte) = (batch, job, byte);
        }
        line
    }

    pub(super) fn takes(&self, bytes: u64) -> bool {
        self.longest.is_none_or(|longest| bytes <= longest)
    }

    /// Refuses what no measurement can give.
    fn check(self) -> anyhow::Result<Line> {
        let name = &self.name;
        ensure!(!name.trim().is_empty(), "a line has no name");
        let numbers = [
            self.batch,
            self.job,
            self.byte,
            self.clock_hz.unwrap_or(1.0),
        ];
        ensure!(
            numbers.iter().all(|number| number.is_finite()),
            "the line {name} has a number that is not finite"
        );
        ensure!(
            self.batch >= 0.0 && self.job >= 0.0,
            "the line {name} has a negative cost for a job of no bytes"
        );
        ensure!(
            self.clock_hz.is_none_or(|hz| hz > 0.0),
            "the line {name} has a clock that does not tick"
        );
        if let Some(cpu) = self.cpu {
            ensure!(
                [cpu.batch, cpu.job, cpu.byte]
                    .iter()
                    .all(|cost| cost.is_finite() && *cost >= 0.0),
                "the line {name} has a cost of the CPU that is negative or not finite"
            );
        }
        if self.byte < 0.0 {
            // A line that was fitted to a few short jobs may fall a little.
            match self.longest {
                None => bail!("the line {name} falls without end; give it a longest job"),
                Some(longest) => ensure!(
                    self.job + self.byte * longest as f64 >= 0.0,
                    "the line {name} gives a negative cost for its longest job"
                ),
            }
        }
        Ok(self)
    }

    fn in_nanoseconds(&mut self) {
        if let (Unit::Cycles, Some(hz)) = (self.unit, self.clock_hz) {
            let ns = 1e9 / hz;
            self.batch *= ns;
            self.job *= ns;
            self.byte *= ns;
            if let Some(cpu) = &mut self.cpu {
                cpu.batch *= ns;
                cpu.job *= ns;
                cpu.byte *= ns;
            }
            self.unit = Unit::Nanoseconds;
        }
    }
}

/// Reads a line as `--line` takes it: `NAME=A+B`, a unit, and for cycles a clock.
pub(crate) fn parse(text: &str) -> Result<Line, String> {
    const HOW: &str = "give NAME=A+B with ns, cycles or cycles@100MHz at the end: nic=350+0.15ns";
    let read = || {
        let (name, costs) = text.split_once('=')?;
        let (costs, clock) = match costs.split_once('@') {
            None => (costs, None),
            Some((costs, clock)) => (costs, Some(frequency(clock.trim())?)),
        };
        let costs = costs.trim();
        let (costs, unit) = if let Some(costs) = costs.strip_suffix("cycles") {
            (costs, Unit::Cycles)
        } else {
            (costs.strip_suffix("ns")?, Unit::Nanoseconds)
        };
        if unit == Unit::Nanoseconds && clock.is_some() {
            return None;
        }
        let (job, byte) = costs.rsplit_once('+')?;
        Some(Line {
            name: name.trim().to_owned(),
            unit,
            clock_hz: clock,
            batch: 0.0,
            job: job.trim().parse().ok()?,
            byte: byte.trim().parse().ok()?,
            longest: None,
            measured: "the command line".to_owned(),
            cpu: None,
        })
    };
    let line = read().ok_or_else(|| HOW.to_owned())?;
    line.check().map_err(|error| error.to_string())
}

/// A frequency such as 100MHz, in Hz.
fn frequency(text: &str) -> Option<f64> {
    let units = [("GHz", 1e9), ("MHz", 1e6), ("kHz", 1e3), ("Hz", 1.0)];
    let (number, hz) = units
        .into_iter()
        .find_map(|(unit, hz)| Some((text.strip_suffix(unit)?, hz)))?;
    Some(number.trim().parse::<f64>().ok()? * hz)
}

/// The lines of a JSON file, whose form `cli/README.md` describes.
pub(super) fn of_file(path: &Path) -> anyhow::Result<Vec<Line>> {
    let file: Lines = serde_json::from_reader(BufReader::new(File::open(path)?))?;
    ensure!(
        file.format == 1,
        "the lines have the format {}, and this version reads only the format 1",
        file.format
    );
    ensure!(!file.lines.is_empty(), "the file has no line");
    file.lines.into_iter().map(Line::check).collect()
}

/// The contender that is `wiresum_sum` as a program calls it.
const LIBRARY: &str = "wiresum";

/// The longest buffer that the line of a CPU is fitted to: no packet is longer.
const LONGEST_MEASURED: f64 = 65_536.0;

/// The line of a CPU: the library's sums in a report of `wiresum bench --json`, at the alignment of
/// data after an Ethernet header.
pub(super) fn of_bench(path: &Path) -> anyhow::Result<Line> {
    let report = crate::bench::read(path)?;
    let points = points(&report);
    ensure!(
        points.len() >= 2,
        "the report has the library's sum at {} sizes of at most 65536 bytes, and a line needs \
         two; run `wiresum bench --json --section sizes`",
        points.len()
    );
    let (job, byte) = fit(&points);
    let error = |&(bytes, ns): &(f64, f64)| ((job + byte * bytes) / ns - 1.0).abs();
    let (worst, _) = points
        .iter()
        .max_by(|a, b| error(a).total_cmp(&error(b)))
        .context("no point is left")?;
    let most = points.iter().map(error).fold(0.0, f64::max);
    let machine = &report.machine;
    Line {
        name: "wiresum".to_owned(),
        unit: Unit::Nanoseconds,
        clock_hz: None,
        batch: 0.0,
        job,
        byte,
        longest: None,
        measured: format!(
            "{}, {}; the line is off by {:.0} % at most, at {worst} bytes",
            machine.cpu,
            machine.kernel_in_use,
            100.0 * most,
        ),
        cpu: None,
    }
    .check()
}

/// The sizes in bytes and the nanoseconds of a call.
fn points(report: &Report) -> Vec<(f64, f64)> {
    const BEHIND_ETHERNET: usize = 14;
    let sums = || {
        report.rows.iter().filter(|row| {
            row.section == Section::Sizes
                && row.operation == Operation::Sum
                && row.contender == LIBRARY
                && row.bytes <= LONGEST_MEASURED
        })
    };
    let at = |alignment| {
        let rows = sums().filter(move |row| row.alignment == alignment);
        rows.map(|row| (row.bytes, row.min_ns)).collect::<Vec<_>>()
    };
    match at(BEHIND_ETHERNET) {
        points if points.is_empty() => at(0),
        points => points,
    }
}

/// The line with the least sum of squared relative errors. Without the weights, the longest buffers
/// alone would decide. A line that would begin below 0 begins at 0.
fn fit(points: &[(f64, f64)]) -> (f64, f64) {
    let mut sums = [0.0; 5];
    for &(x, y) in points {
        let weight = 1.0 / (y * y);
        let terms = [1.0, x, x * x, y, x * y];
        sums.iter_mut()
            .zip(terms)
            .for_each(|(sum, term)| *sum += weight * term);
    }
    let [w, x, xx, y, xy] = sums;
    let byte = (w * xy - x * y) / (w * xx - x * x);
    let job = (y - byte * x) / w;
    if job < 0.0 {
        (0.0, xy / xx)
    } else {
        (job, byte)
    }
}

/// Brings all lines to one unit: to nanoseconds, or to cycles if no clock is known.
pub(super) fn in_one_unit(lines: &mut [Line]) -> anyhow::Result<Unit> {
    ensure!(
        !lines.is_empty(),
        "there is no line; give --bench, --lines or --line, such as --line nic=350+0.15ns"
    );
    let mut names = HashSet::new();
    for line in &*lines {
        ensure!(
            names.insert(&line.name),
            "two lines have the name {}",
            line.name
        );
    }
    let has_time = |line: &Line| line.unit == Unit::Nanoseconds || line.clock_hz.is_some();
    if !lines.iter().any(has_time) {
        return Ok(Unit::Cycles);
    }
    if let Some(line) = lines.iter().find(|line| !has_time(line)) {
        bail!(
            "the line {} is in cycles of a clock that is not known, and another line is in time; \
             give its clock: cycles@100MHz, or clock_hz in a file",
            line.name
        );
    }
    lines.iter_mut().for_each(Line::in_nanoseconds);
    Ok(Unit::Nanoseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_in_each_unit() {
        let read = |text| parse(text).map(|line| (line.name, line.job, line.byte, line.clock_hz));
        let nic = ("nic".to_owned(), 350.0, 0.15, None);
        assert_eq!(read("nic=350+0.15ns"), Ok(nic.clone()));
        assert_eq!(read(" nic = 3.5e+2 + 0.15 ns"), Ok(nic));
        let engine = ("engine".to_owned(), 40.0, 0.125, Some(1e8));
        assert_eq!(read("engine=40+0.125cycles@100MHz"), Ok(engine));
        assert_eq!(read("e=4+1cycles"), Ok(("e".to_owned(), 4.0, 1.0, None)));
    }

    #[test]
    fn what_is_no_line_is_refused() {
        for text in [
            "",
            "350+0.15ns",
            "nic=350ns",
            "nic=350+0.15",
            "nic=a+bns",
            "nic=350+0.15ns@1GHz",
            "nic=350+0.15cycles@1",
            "=1+1ns",
            "nic=-1+1ns",
            "nic=1+-1ns",
            "nic=1+1cycles@0Hz",
            "nic=inf+1ns",
            "nic=NaN+1ns",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_line_through_points_is_found_again() {
        let points = [20.0, 64.0, 1500.0, 9000.0].map(|n: f64| (n, 12.5 + 0.02 * n));
        let (job, byte) = fit(&points);
        assert!(
            (job - 12.5).abs() < 1e-9 && (byte - 0.02).abs() < 1e-12,
            "{job} {byte}"
        );
        let (job, byte) = fit(&[(10.0, 1.0), (20.0, 3.0)]);
        assert!(job == 0.0 && (0.1..0.15).contains(&byte), "{job} {byte}");
    }

    #[test]
    fn cycles_of_a_known_clock_become_time() {
        let mut lines = [parse("a=100+1cycles@100MHz"), parse("b=5+1ns")].map(Result::unwrap);
        assert_eq!(in_one_unit(&mut lines).unwrap(), Unit::Nanoseconds);
        assert_eq!((lines[0].job, lines[0].byte), (1000.0, 10.0));
        let mut lines = [parse("a=100+1cycles"), parse("b=5+1ns")].map(Result::unwrap);
        let error = in_one_unit(&mut lines).unwrap_err().to_string();
        assert!(error.contains("the line a "), "{error}");
        let mut lines = [parse("a=100+1cycles"), parse("b=5+1cycles")].map(Result::unwrap);
        assert_eq!(in_one_unit(&mut lines).unwrap(), Unit::Cycles);
        assert_eq!(lines[0].job, 100.0);
    }
}
