// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report for people, as tables in a terminal.

use std::io::{self, Write};

use comfy_table::{CellAlignment, Table, presets};
use wiresum_bench::{Report, Role};

use super::grid::{Grid, grids};
use super::machine::about;

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
        for line in table(&grid).lines() {
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

fn table(grid: &Grid) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header(std::iter::once(String::new()).chain(grid.columns.iter().cloned()));
    for (name, cells) in &grid.lines {
        table.add_row(std::iter::once(name.clone()).chain(cells.iter().cloned()));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}
