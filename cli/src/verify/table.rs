// SPDX-License-Identifier: MIT OR Apache-2.0
//! The table of `verify` for people.

use std::io::Write;

use anstyle::{AnsiColor, Style};
use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use indicatif::{HumanBytes, HumanCount};
use wiresum_packet::{Cause, Counts, Protocol};

use super::counted::Counted;
use super::examined::{Examined, allowed, judge, sum_of};
use super::sentence::{self, Judgment, Tone};
use super::why;
use crate::args::Shown;
use crate::input::shown;
use crate::outcome::Outcome;

pub(super) const GOOD: Style = AnsiColor::Green.on_default();
pub(super) const BAD: Style = AnsiColor::Red.on_default().bold();
const HARMLESS: Style = AnsiColor::Yellow.on_default().bold();
pub(super) const HEADING: Style = Style::new().bold();

pub(super) fn print(
    out: &mut impl Write,
    examined: &[Examined],
    options: &Shown,
) -> anyhow::Result<()> {
    for Examined { path, counted } in shown_of(examined, options) {
        section(out, &shown(path), counted, &options.allow)?;
        if examined.len() > 1 {
            writeln!(out)?;
        }
    }
    if let Some((title, total)) = all(examined) {
        section(out, &title, &total, &options.allow)?;
    }
    Ok(())
}

/// The captures that the options ask for.
pub(super) fn shown_of<'a>(
    examined: &'a [Examined],
    options: &'a Shown,
) -> impl Iterator<Item = &'a Examined> {
    let is_bad = |capture: &Examined| judge(&capture.counted, &options.allow) != Outcome::Good;
    examined
        .iter()
        .filter(move |capture| !options.only_bad || is_bad(capture))
}

/// The counts of all files together, with their title. None for one file.
pub(super) fn all(examined: &[Examined]) -> Option<(String, Counted)> {
    let title = || format!("all {} files", examined.len());
    (examined.len() > 1).then(|| (title(), sum_of(examined)))
}

/// Prints a heading, the table of a file or of all files, and the verdict.
fn section(
    out: &mut impl Write,
    title: &str,
    counted: &Counted,
    allow: &[Cause],
) -> anyhow::Result<()> {
    let (packets, bytes) = (
        HumanCount(counted.packets),
        HumanBytes(counted.captured_bytes),
    );
    let plural = if counted.packets == 1 { "" } else { "s" };
    write!(
        out,
        "{HEADING}{title}{HEADING:#}: {packets} packet{plural}, "
    )?;
    writeln!(out, "{bytes} captured")?;
    for (how, n) in counted.malformed_by() {
        writeln!(out, "  malformed: {how} ({})", HumanCount(n))?;
    }
    for (obstacle, n) in why::obstacles(counted) {
        writeln!(out, "  not entered: {obstacle} ({})", HumanCount(n))?;
    }

    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled);
    let statuses = Counts::default().each().map(|(status, _)| status);
    table.set_header(["protocol"].into_iter().chain(statuses).chain(["why"]));
    let mut styles = vec![HEADING];
    for protocol in Protocol::ALL {
        let counts = counted.counts(protocol);
        if counts.total() > 0 {
            table.add_row(row(
                protocol.key(),
                counts,
                &why::of_protocol(counted, protocol),
            ));
            styles.push(style(counts));
        }
    }
    let quoted = counted.quoted();
    if quoted.total() > 0 {
        table.add_row(row("quoted", quoted, why::QUOTED));
        styles.push(Style::new());
    }
    for column in 1..=statuses.len() {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    if styles.len() > 1 {
        for (line, style) in table.lines().zip(styles) {
            writeln!(out, " {style}{}{style:#}", line.trim_end())?;
        }
    }
    verdict(out, counted, allow)
}

fn row(of: &str, counts: Counts, why: &str) -> Vec<String> {
    let numbers = counts.each().map(|(_, n)| HumanCount(n).to_string());
    [of.to_owned()]
        .into_iter()
        .chain(numbers)
        .chain([why.to_owned()])
        .collect()
}

fn style(counts: Counts) -> Style {
    if counts.bad + counts.illegal > 0 {
        BAD
    } else {
        Style::new()
    }
}

/// Prints the verdict, and what the option --allow does or would do with it.
fn verdict(out: &mut impl Write, counted: &Counted, allow: &[Cause]) -> anyhow::Result<()> {
    let judgment = sentence::judge(counted, 1, 0);
    let Judgment {
        tone,
        sentence,
        bad,
        ..
    } = &judgment;
    let is_allowed = judge(counted, allow) == Outcome::Good;
    let style = match tone {
        Tone::Unsure => Style::new(),
        Tone::Harmless if !is_allowed => HARMLESS,
        Tone::Bad if !is_allowed => BAD,
        _ => GOOD,
    };
    write!(out, "{style}{sentence}{style:#}")?;
    let offload = allowed(counted, &[Cause::Offload]);
    if matches!(tone, Tone::Harmless | Tone::Bad) {
        if is_allowed {
            let allowed = if *bad == 1 {
                "It is"
            } else {
                "All of them are"
            };
            write!(out, " {allowed} allowed.")?;
        } else if offload > 0 && !allow.iter().any(|cause| cause.key() == "offload") {
            let accepted = match (offload, *bad) {
                (1, 1) => "it".to_owned(),
                (n, bad) if n == bad => "them".to_owned(),
                (n, _) => format!("{} of them", HumanCount(n)),
            };
            write!(out, " --allow offload accepts {accepted}.")?;
        }
    }
    writeln!(out)?;
    Ok(())
}
