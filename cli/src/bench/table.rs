// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report as tables: a block for each kind of case, a line for each contender, a column for each size or mix.

use std::io::{self, Write};

use comfy_table::{CellAlignment, Table, presets};
use wiresum_bench::{Machine, Operation, Report, Role, Row, Section};

pub(crate) fn write(out: &mut impl Write, report: &Report) -> io::Result<()> {
    for (name, what) in about(&report.machine) {
        writeln!(out, "{name:10}{what}")?;
    }
    for entry in &report.contenders {
        if entry.role == Role::Rival || entry.verified == Some(false) {
            let verified = match entry.verified {
                Some(true) => "right",
                Some(false) => "WRONG",
                None => "did not run",
            };
            writeln!(
                out,
                "  {}: {verified}{}{}",
                entry.name,
                if entry.note.is_empty() { "" } else { "; " },
                entry.note
            )?;
        }
    }
    for grid in grids(report) {
        writeln!(
            out,
            "
{}",
            grid.title
        )?;
        for line in grid.table().lines() {
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

/// What no number goes without.
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
        "the minimum of all samples; % of the limit, which is the best load-only loop, memcpy for copies, one load a packet for batches",
    );
    lines
}

struct Block<'a> {
    title: String,
    rows: Vec<&'a Row>,
    column: fn(&Row) -> String,
    cell: fn(&Row) -> String,
}

/// Bytes, in the largest unit that they are a whole number of.
pub(crate) fn bytes(n: f64) -> String {
    let n = n.round() as u64;
    match n {
        n if n >= 1 << 20 && n % (1 << 20) == 0 => format!("{} MiB", n >> 20),
        n if n >= 1 << 11 && n % (1 << 10) == 0 => format!("{} KiB", n >> 10),
        n => n.to_string(),
    }
}

fn percent(part: Option<f64>) -> String {
    part.map_or_else(String::new, |part| format!(" {:3.0}%", part * 100.0))
}

/// Bytes a cycle where cycles are known, else GB/s.
fn speed(row: &Row) -> String {
    let speed = row.bytes_per_cycle.unwrap_or(row.bytes / row.min_ns);
    let digits = usize::from(speed < 9.95);
    format!("{speed:.digits$}{}", percent(row.of_limit))
}

/// Cycles a call where they are known, else nanoseconds.
fn time(row: &Row) -> String {
    let time = row.min_cycles.unwrap_or(row.min_ns);
    let digits = usize::from(time < 99.5);
    format!("{time:.digits$}{}", percent(row.of_limit))
}

fn size(row: &Row) -> String {
    format!("{} {}", bytes(row.bytes), row.level)
}

fn mix(row: &Row) -> String {
    row.mix.clone().unwrap_or_else(|| "20 bytes".to_owned())
}

fn blocks(report: &Report) -> Vec<Block<'_>> {
    let cycles = report.machine.cycles_per_tick.is_some();
    let (speed_unit, time_unit) = if cycles {
        ("bytes a cycle", "cycles a call")
    } else {
        ("GB/s", "ns a call")
    };
    let pick = |wanted: &dyn Fn(&Row) -> bool| -> Vec<&Row> {
        report.rows.iter().filter(|row| wanted(row)).collect()
    };
    let mut alignments: Vec<usize> = report
        .rows
        .iter()
        .filter(|row| row.section != Section::PageEnd)
        .map(|row| row.alignment)
        .collect();
    alignments.sort_unstable_by_key(|alignment| (alignment % 2, *alignment));
    alignments.dedup();
    let mut blocks = Vec::new();
    for operation in [Operation::Sum, Operation::Copy] {
        for &alignment in &alignments {
            let of = |section| {
                pick(&move |row| {
                    row.section == section
                        && row.operation == operation
                        && row.alignment == alignment
                })
            };
            let place = match alignment {
                0 => "aligned".to_owned(),
                offset => format!("at offset {offset}"),
            };
            blocks.push(Block {
                title: format!("{operation}, {place}: {speed_unit}, % of the limit"),
                rows: of(Section::Sizes),
                column: size,
                cell: speed,
            });
            for warm in [true, false] {
                let rows = of(Section::Mixes)
                    .into_iter()
                    .filter(|row| (row.level != "DRAM") == warm)
                    .collect();
                let warmth = if warm { "warm" } else { "cold" };
                blocks.push(Block {
                    title: format!(
                        "{operation} of a mix, {place}, {warmth}: {time_unit}, % of the limit"
                    ),
                    rows,
                    column: mix,
                    cell: time,
                });
            }
        }
    }
    blocks.push(Block {
        title: format!("latency, each call waits for the one before it: {time_unit}"),
        rows: pick(&|row| row.section == Section::Latency),
        column: |row| bytes(row.bytes),
        cell: time,
    });
    blocks.push(Block {
        title: format!("IPv4 headers of 20 bytes: {time_unit} (a batch: a header)"),
        rows: pick(&|row| row.section == Section::Headers),
        column: mix,
        cell: time,
    });
    for (warm, warmth) in [(true, "warm"), (false, "scattered in DRAM")] {
        blocks.push(Block {
            title: format!(
                "batch, {warmth}: {} a packet, % of touching one line a packet",
                time_unit.split(' ').next().unwrap_or("")
            ),
            rows: pick(&|row| row.section == Section::Batch && (row.level != "DRAM") == warm),
            column: mix,
            cell: time,
        });
    }
    blocks.push(Block {
        title: "at the end of a page behind which nothing can be read: times the usual, at the worst length".to_owned(),
        rows: pick(&|row| row.section == Section::PageEnd),
        column: |row| row.operation.to_string(),
        cell: |row| row.page_end.map_or_else(String::new, |times| format!("{times:.2} at {}", row.bytes)),
    });
    blocks
}

/// A block as text: its columns, and its lines, each a contender and a cell for each column.
pub(crate) struct Grid {
    pub(crate) title: String,
    pub(crate) columns: Vec<String>,
    pub(crate) lines: Vec<(String, Vec<String>)>,
}

/// All blocks with something in them.
pub(crate) fn grids(report: &Report) -> Vec<Grid> {
    blocks(report).iter().filter_map(Block::grid).collect()
}

impl Block<'_> {
    fn grid(&self) -> Option<Grid> {
        let mut columns: Vec<String> = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        for row in &self.rows {
            let column = (self.column)(row);
            if !columns.contains(&column) {
                columns.push(column);
            }
            if !names.contains(&row.contender.as_str()) {
                names.push(&row.contender);
            }
        }
        let cell = |name: &str, column: &String| {
            let mut rows = self.rows.iter();
            let row = rows.find(|row| row.contender == name && (self.column)(row) == *column);
            row.map_or_else(String::new, |row| (self.cell)(row))
        };
        let lines: Vec<_> = names
            .into_iter()
            .map(|name| {
                (
                    name.to_owned(),
                    columns.iter().map(|column| cell(name, column)).collect(),
                )
            })
            .collect();
        (!lines.is_empty()).then(|| Grid {
            title: self.title.clone(),
            columns,
            lines,
        })
    }
}

impl Grid {
    fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        table.set_header(std::iter::once(String::new()).chain(self.columns.iter().cloned()));
        for (name, cells) in &self.lines {
            table.add_row(std::iter::once(name.clone()).chain(cells.iter().cloned()));
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }
}
