// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum plan`: says which way of summing is the cheapest for each length, and what that means
//! for a person's own traffic.

mod choose;
mod json;
mod line;
mod options;
mod page;
mod table;
mod traffic;

use std::io::Write;

use anyhow::Context;

use crate::input;
use crate::outcome::Outcome;
use crate::output;
use choose::{Plan, plan};
use line::{Line, Unit};
use traffic::Traffic;

pub(crate) use options::PlanOptions;

/// All that the outputs show.
struct Answer {
    unit: Unit,
    lines: Vec<Line>,
    traffic: Option<Traffic>,
    /// Each length has the line that takes the CPU the least time, not the one that ends first.
    by_cpu: bool,
    /// A plan for each number of jobs in a batch.
    plans: Vec<Plan>,
}

pub(crate) fn run(options: &PlanOptions) -> anyhow::Result<Outcome> {
    if let Some(path) = &options.html {
        output::check(path, options.force)?;
    }
    let mut lines = options.line.clone();
    for path in &options.lines {
        lines.extend(line::of_file(path).with_context(|| path.display().to_string())?);
    }
    for path in &options.bench {
        lines.push(line::of_bench(path).with_context(|| path.display().to_string())?);
    }
    let unit = line::in_one_unit(&mut lines)?;
    let traffic = traffic(options)?;
    let batches = match &options.batch[..] {
        [] if lines.iter().any(|line| line.batch > 0.0) => &[1, 32],
        [] => &[1][..],
        batches => batches,
    };
    let plans = batches
        .iter()
        .map(|&batch| plan(&lines, traffic.as_ref(), batch, options.cpu));
    let answer = Answer {
        plans: plans.collect(),
        by_cpu: options.cpu,
        unit,
        lines,
        traffic,
    };
    if let Some(path) = &options.html {
        let mut file = output::create(path, options.force)?;
        file.write_all(page::page(&answer)?.as_bytes())
            .with_context(|| input::name(path))?;
    }
    let mut out = anstream::stdout().lock();
    if options.json {
        serde_json::to_writer_pretty(&mut out, &json::answer(&answer))?;
        writeln!(out)?;
    } else {
        table::write(&mut out, &answer)?;
    }
    out.flush()?;
    Ok(Outcome::Good)
}

/// The traffic that the options name, if they name any.
fn traffic(options: &PlanOptions) -> anyhow::Result<Option<Traffic>> {
    let traffic = if let Some(mix) = &options.mix {
        mix.clone()
    } else if let Some(path) = &options.lengths {
        traffic::of_histogram(path).with_context(|| input::name(path))?
    } else if !options.files.is_empty() {
        traffic::of_captures(&options.files, options.field, options.jobs.threads())?
    } else {
        return Ok(None);
    };
    traffic.check().map(Some)
}
