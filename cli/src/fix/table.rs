// SPDX-License-Identifier: MIT OR Apache-2.0
//! The report of `fix` for people: which checksums it repaired, which it left, and why.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use indicatif::HumanCount;
use wiresum_packet::Repairs;

use crate::args::FixOptions;
use crate::input::{name, shown};

const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const HEADING: Style = Style::new().bold();

pub(super) fn print(
    out: &mut impl Write,
    options: &FixOptions,
    repairs: &Repairs,
) -> anyhow::Result<()> {
    let title = match &options.out {
        _ if options.dry_run => format!("{} (nothing is written)", name(&options.input)),
        Some(target) => format!("{} > {}", name(&options.input), name(target)),
        None => name(&options.input),
    };
    let title = shown(&title);
    let plural = if repairs.packets == 1 { "" } else { "s" };
    let [packets, changed] = [repairs.packets, repairs.changed_packets].map(HumanCount);
    writeln!(
        out,
        "{HEADING}{title}{HEADING:#}: {packets} packet{plural}, {changed} changed"
    )?;
    for (how, n) in repairs.malformed() {
        writeln!(out, "  malformed: {how} ({})", HumanCount(*n))?;
    }

    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(["protocol", "what", "checksums", "why"]);
    let mut styles = vec![HEADING];
    let mut add = |protocol: &str, what: &str, n: u64, why: &str, style: Style| {
        table.add_row([protocol, what, &HumanCount(n).to_string(), why]);
        styles.push(style);
    };
    for (protocol, key, n) in repairs.repaired() {
        let why = match key {
            Repairs::FOLLOWS => "covers a repaired checksum",
            key => key,
        };
        add(protocol.key(), "repaired", n, why, GOOD);
    }
    for (protocol, why, n) in repairs.left() {
        add(protocol.key(), "left bad", n, why, BAD);
    }
    for (protocol, why, n) in repairs.unverified() {
        add(protocol.key(), "unverified", n, why, Style::new());
    }
    for (obstacle, n) in repairs.obstacles() {
        add(
            "frame",
            "not entered",
            n,
            &obstacle.to_string(),
            Style::new(),
        );
    }
    if repairs.flags > 0 {
        let why = "\"Csum NotReady\" cleared";
        add("flags", "changed", repairs.flags, why, Style::new());
    }
    if let Some(column) = table.column_mut(2) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    if styles.len() > 1 {
        for (line, style) in table.lines().zip(styles) {
            writeln!(out, " {style}{}{style:#}", line.trim_end())?;
        }
    }

    match repairs.bad() {
        0 if repairs.changed_packets == 0 => {
            writeln!(out, "{GOOD}There was nothing to repair.{GOOD:#}")
        }
        0 => writeln!(out, "{GOOD}Nothing is bad any more.{GOOD:#}"),
        n => writeln!(out, "{BAD}Still bad or illegal: {}.{BAD:#}", HumanCount(n)),
    }?;
    Ok(())
}
