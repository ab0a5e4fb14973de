// SPDX-License-Identifier: MIT OR Apache-2.0
//! The answer of `plan` as grids of text, which the terminal and the page both show.

use std::io::Write;
use std::ops::Range;

use anstyle::Style;
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use indicatif::{DecimalBytes, HumanCount};

use super::Answer;
use super::choose::{self, Plan};
use super::line::Unit;
use crate::input::shown;

const HEADING: Style = Style::new().bold();

/// A table, of which the columns `numbers` are numbers.
pub(super) struct Grid {
    pub(super) title: String,
    pub(super) numbers: Range<usize>,
    pub(super) columns: Vec<&'static str>,
    pub(super) rows: Vec<Vec<String>>,
}

pub(super) fn grids(answer: &Answer) -> Vec<Grid> {
    let mut grids = vec![lines(answer), crossings(answer)];
    if answer.traffic.is_some() {
        grids.push(shares(answer));
        if answer.by_cpu || answer.lines.iter().any(|line| line.cpu.is_some()) {
            grids.push(processor(answer));
        }
    }
    grids
}

fn lines(answer: &Answer) -> Grid {
    let row = |line: &super::Line| {
        let longest = line
            .longest
            .map_or_else(String::new, |n| HumanCount(n).to_string());
        let numbers = [line.batch, line.job, line.byte].map(number);
        let name = [line.name.clone()].into_iter();
        name.chain(numbers)
            .chain([longest, line.measured.clone()])
            .collect()
    };
    Grid {
        title: format!("The lines, in {}", answer.unit),
        numbers: 1..5,
        columns: vec![
            "line",
            "a batch",
            "a job",
            "a byte",
            "longest job",
            "measured on",
        ],
        rows: answer.lines.iter().map(row).collect(),
    }
}

fn crossings(answer: &Answer) -> Grid {
    let mut rows = Vec::new();
    for plan in &answer.plans {
        for range in &plan.ranges {
            rows.push(vec![
                name(answer, range.line),
                bytes_of(range),
                range
                    .meets
                    .map_or_else(String::new, |at| format!("{at:.2}")),
                HumanCount(plan.batch.into()).to_string(),
            ]);
        }
    }
    Grid {
        title: if answer.by_cpu {
            "The line that takes the CPU the least time, for each length".to_owned()
        } else {
            "The cheapest line for each length".to_owned()
        },
        numbers: 2..4,
        columns: vec!["line", "bytes", "the lines meet at", "jobs in a batch"],
        rows,
    }
}

fn shares(answer: &Answer) -> Grid {
    let mut rows = Vec::new();
    for plan in &answer.plans {
        rows.extend(shares_of(answer, plan));
    }
    Grid {
        title: format!("What the traffic costs: {}", traffic(answer)),
        numbers: 1..8,
        columns: vec![
            "line",
            "jobs in a batch",
            "sums",
            "% of sums",
            "bytes",
            "% of bytes",
            "cost",
            "if it took all",
        ],
        rows,
    }
}

fn shares_of(answer: &Answer, plan: &Plan) -> Vec<Vec<String>> {
    let traffic = answer.traffic.as_ref();
    let [jobs, bytes] = traffic.map_or([0, 0], |traffic| [traffic.count(), traffic.bytes()]);
    let row = |name: String, n: u64, of: u64, cost: String, alone: String| {
        vec![
            name,
            HumanCount(plan.batch.into()).to_string(),
            HumanCount(n).to_string(),
            percent(n, jobs),
            DecimalBytes(of).to_string(),
            percent(of, bytes),
            cost,
            alone,
        ]
    };
    let unit = answer.unit;
    let mut rows = Vec::new();
    for (line, (share, alone)) in plan.shares.iter().zip(&plan.alone).enumerate() {
        let alone = alone.map_or_else(|| "cannot".to_owned(), |cost| amount(cost, unit));
        let cost = amount(share.cost, unit);
        rows.push(row(
            name(answer, Some(line)),
            share.jobs,
            share.bytes,
            cost,
            alone,
        ));
    }
    let left = plan.left;
    if left.jobs > 0 {
        rows.push(row(
            name(answer, None),
            left.jobs,
            left.bytes,
            String::new(),
            String::new(),
        ));
    }
    let cost = amount(plan.cost(), unit);
    rows.push(row("all".to_owned(), jobs, bytes, cost, String::new()));
    rows
}

/// What of the cost the CPU spends, and what it saves next to software alone.
fn processor(answer: &Answer) -> Grid {
    let unit = answer.unit;
    let mut rows = Vec::new();
    for plan in &answer.plans {
        let mut row = |name: String, cpu: f64, alone: String, saved: String| {
            let batch = HumanCount(plan.batch.into()).to_string();
            rows.push(vec![name, batch, amount(cpu, unit), alone, saved]);
        };
        for (line, (share, alone)) in plan.shares.iter().zip(&plan.cpu_alone).enumerate() {
            let alone = alone.map_or_else(|| "cannot".to_owned(), |cpu| amount(cpu, unit));
            row(name(answer, Some(line)), share.cpu, alone, String::new());
        }
        let saved = plan.cpu_saved();
        let saved = saved.map_or_else(String::new, |saved| amount(saved, unit));
        row("all".to_owned(), plan.cpu(), String::new(), saved);
    }
    Grid {
        title: "What of it the CPU spends".to_owned(),
        numbers: 1..5,
        columns: vec![
            "line",
            "jobs in a batch",
            "CPU",
            "if it took all",
            "saved next to software",
        ],
        rows,
    }
}

/// The traffic in one line.
pub(super) fn traffic(answer: &Answer) -> String {
    let Some(traffic) = &answer.traffic else {
        return String::new();
    };
    let (shortest, longest) = traffic.ends();
    format!(
        "{}, {} sums of {} to {} bytes",
        traffic.source,
        HumanCount(traffic.count()),
        HumanCount(shortest),
        HumanCount(longest)
    )
}

pub(super) fn name(answer: &Answer, line: Option<usize>) -> String {
    line.map_or_else(
        || "no line".to_owned(),
        |line| answer.lines[line].name.clone(),
    )
}

fn bytes_of(range: &choose::Range) -> String {
    let from = HumanCount(range.from);
    match range.to {
        None => format!("{from} and more"),
        Some(to) if to == range.from => from.to_string(),
        Some(to) => format!("{from} to {}", HumanCount(to)),
    }
}

fn percent(part: u64, of: u64) -> String {
    format!("{:.1}", 100.0 * part as f64 / of.max(1) as f64)
}

/// A number with four significant digits, or all digits in front of the point.
fn number(n: f64) -> String {
    if n == 0.0 {
        return "0".to_owned();
    }
    let before = n.abs().log10().floor() as i32;
    let digits = usize::try_from((3 - before).clamp(0, 9)).unwrap_or(0);
    format!("{n:.digits$}")
}

/// A cost in the unit in which it has one to three digits in front of the point.
pub(super) fn amount(cost: f64, unit: Unit) -> String {
    let steps = match unit {
        Unit::Nanoseconds => [" ns", " µs", " ms", " s", "000 s"],
        Unit::Cycles => [" cycles", "k cycles", "M cycles", "G cycles", "T cycles"],
    };
    let mut cost = cost;
    let mut step = 0;
    while cost.abs() >= 999.95 && step + 1 < steps.len() {
        cost /= 1000.0;
        step += 1;
    }
    format!("{cost:.1}{}", steps[step])
}

pub(super) fn write(out: &mut impl Write, answer: &Answer) -> anyhow::Result<()> {
    for (n, grid) in grids(answer).iter().enumerate() {
        if n > 0 {
            writeln!(out)?;
        }
        writeln!(out, "{HEADING}{}{HEADING:#}", shown(&grid.title))?;
        for line in table(grid).lines() {
            writeln!(out, " {}", line.trim_end())?;
        }
    }
    Ok(())
}

fn table(grid: &Grid) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(&grid.columns);
    for row in &grid.rows {
        table.add_row(row.iter().map(|cell| shown(cell)));
    }
    for n in grid.numbers.clone() {
        if let Some(column) = table.column_mut(n) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_four_digits() {
        for (n, text) in [
            (0.0, "0"),
            (23.9863, "23.99"),
            (2604.21, "2604"),
            (0.014_92, "0.01492"),
            (-0.0938, "-0.09380"),
            (123_456.7, "123457"),
        ] {
            assert_eq!(number(n), text);
        }
    }

    #[test]
    fn amounts_have_a_fitting_unit() {
        for (cost, unit, text) in [
            (0.0, Unit::Nanoseconds, "0.0 ns"),
            (999.96, Unit::Nanoseconds, "1.0 µs"),
            (7.1e9, Unit::Nanoseconds, "7.1 s"),
            (2604.0, Unit::Cycles, "2.6k cycles"),
        ] {
            assert_eq!(amount(cost, unit), text);
        }
    }
}
