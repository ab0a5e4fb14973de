// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report as grids of text. Each kind of case has a grid, each contender a line, and each size
//! or mix a column. The table and the page both show the grids.

use wiresum_bench::{Operation, Report, Row, Section};

/// The rows of one grid, and how to make its columns and cells.
struct Block<'a> {
    title: String,
    rows: Vec<&'a Row>,
    column: fn(&Row) -> String,
    cell: fn(&Row) -> String,
}

/// A number of bytes in the largest unit of which it is a multiple.
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

/// Bytes per cycle if cycles are known, else GB/s.
fn speed(row: &Row) -> String {
    let speed = row.bytes_per_cycle.unwrap_or(row.bytes / row.min_ns);
    let digits = usize::from(speed < 9.95);
    format!("{speed:.digits$}{}", percent(row.of_limit))
}

/// Cycles per call if cycles are known, else nanoseconds.
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
        ("bytes per cycle", "cycles per call")
    } else {
        ("GB/s", "ns per call")
    };
    let pick = |wanted: &dyn Fn(&Row) -> bool| -> Vec<&Row> {
        report.rows.iter().filter(|row| wanted(row)).collect()
    };
    let mut alignments: Vec<usize> = report
        .rows
        .iter()
        .filter(|row| !matches!(row.section, Section::PageEnd | Section::Memory))
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
            blocks.push(Block {
                title: format!(
                    "{operation}, {place}, the mean over places of the destination in its page: \
                     {speed_unit}, % of the limit"
                ),
                rows: of(Section::PageOffsets),
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
        title: format!("latency, where each call waits for the previous one: {time_unit}"),
        rows: pick(&|row| row.section == Section::Latency),
        column: |row| bytes(row.bytes),
        cell: time,
    });
    blocks.push(Block {
        title: format!("IPv4 headers of 20 bytes: {time_unit} (in a batch: per header)"),
        rows: pick(&|row| row.section == Section::Headers),
        column: mix,
        cell: time,
    });
    for (warm, warmth) in [(true, "warm"), (false, "scattered in DRAM")] {
        blocks.push(Block {
            title: format!(
                "batch, {warmth}: {} per packet, % of the time to load one cache line per packet",
                time_unit.split(' ').next().unwrap_or("")
            ),
            rows: pick(&|row| row.section == Section::Batch && (row.level != "DRAM") == warm),
            column: mix,
            cell: time,
        });
    }
    blocks.push(Block {
        title: "before an unmapped page: the worst ratio to the usual time, and its length"
            .to_owned(),
        rows: pick(&|row| row.section == Section::PageEnd),
        column: |row| row.operation.to_string(),
        cell: |row| {
            let ratio = row.page_end;
            ratio.map_or_else(String::new, |ratio| format!("{ratio:.2} at {}", row.bytes))
        },
    });
    blocks.push(Block {
        title: format!(
            "apart from the steady state: {} per event; a copy is of 8 MiB",
            time_unit.split(' ').next().unwrap_or("")
        ),
        rows: pick(&|row| row.section == Section::Memory),
        column: |_| "once".to_owned(),
        cell: time,
    });
    blocks
}

/// A block as text. Each line has the name of a contender and a cell for each column.
pub(crate) struct Grid {
    pub(crate) title: String,
    pub(crate) columns: Vec<String>,
    pub(crate) lines: Vec<(String, Vec<String>)>,
}

/// The grids that have lines.
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
