// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify --brief`: a line for each file, and one for all.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::io::Write;

use anstyle::Style;
use indicatif::HumanCount;

use super::counted::Counted;
use super::examined::{Examined, judge};
use super::table::{BAD, GOOD, HEADING, all, shown_of};
use crate::args::Shown;
use crate::input::shown;
use crate::outcome::Outcome;

pub(super) fn print(
    out: &mut impl Write,
    examined: &[Examined],
    options: &Shown,
) -> anyhow::Result<()> {
    for Examined { path, counted } in shown_of(examined, options) {
        line(out, &shown(path), counted, options)?;
    }
    if let Some((title, total)) = all(examined) {
        line(out, &title, &total, options)?;
    }
    Ok(())
}

fn line(
    out: &mut impl Write,
    title: &str,
    counted: &Counted,
    options: &Shown,
) -> anyhow::Result<()> {
    let total = counted.total();
    let wrong = total.bad + total.illegal;
    let (style, verdict) = match judge(counted, &options.allow) {
        Outcome::Good if total.total() == 0 => (Style::new(), "no checksum was found".to_owned()),
        Outcome::Good if wrong == 0 => (GOOD, "nothing is bad".to_owned()),
        Outcome::Good => (
            GOOD,
            format!("{} bad, all of them allowed", HumanCount(wrong)),
        ),
        _ => (BAD, format!("{} bad or illegal", HumanCount(wrong))),
    };
    write!(
        out,
        "{HEADING}{title}{HEADING:#}: {style}{verdict}{style:#}"
    )?;
    let causes = causes(counted);
    if !causes.is_empty() {
        write!(out, " ({})", causes.join(", "))?;
    }
    for (n, what) in [
        (total.total(), "checksums"),
        (total.unverified, "unverified"),
        (counted.not_entered(), "not entered"),
        (counted.malformed(), "malformed"),
    ] {
        if n > 0 {
            write!(out, ", {what}: {}", HumanCount(n))?;
        }
    }
    Ok(writeln!(out)?)
}

/// The causes of all protocols together, each with its count, the most frequent first.
fn causes(counted: &Counted) -> Vec<String> {
    let mut counts = BTreeMap::<&str, u64>::new();
    let total = counted.total();
    let mut unexplained = total.bad + total.illegal;
    for (_, cause, n) in counted.causes() {
        *counts.entry(cause.label()).or_default() += n;
        unexplained -= n;
    }
    if unexplained > 0 {
        counts.insert("illegal", unexplained);
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, n)| Reverse(n));
    counts
        .into_iter()
        .map(|(why, n)| format!("{why}: {}", HumanCount(n)))
        .collect()
}
