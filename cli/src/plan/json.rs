// SPDX-License-Identifier: MIT OR Apache-2.0
//! The answer of `plan` as JSON. `cli/README.md` describes the members.

use serde::Serialize;

use super::Answer;
use super::choose::{Plan, Range, Share};
use super::line::{Line, Unit};
use super::traffic::Traffic;

#[derive(Serialize)]
pub(super) struct Json<'a> {
    /// The version of the format: later versions may have more members.
    format: u32,
    unit: Unit,
    lines: &'a [Line],
    traffic: Option<Lengths<'a>>,
    by_cpu: bool,
    plans: Vec<PlanOf<'a>>,
}

#[derive(Serialize)]
struct Lengths<'a> {
    source: &'a str,
    jobs: u64,
    bytes: u64,
    shortest: u64,
    longest: u64,
}

#[derive(Serialize)]
struct PlanOf<'a> {
    batch: u32,
    ranges: Vec<RangeOf<'a>>,
    /// None without traffic, as all that follows.
    cost: Option<f64>,
    cpu: Option<f64>,
    cpu_saved: Option<f64>,
    shares: Option<Vec<ShareOf<'a>>>,
    left: Option<Sum>,
}

#[derive(Serialize)]
struct RangeOf<'a> {
    from: u64,
    to: Option<u64>,
    line: Option<&'a str>,
    meets: Option<f64>,
}

#[derive(Serialize)]
struct Sum {
    jobs: u64,
    bytes: u64,
}

#[derive(Serialize)]
struct ShareOf<'a> {
    line: &'a str,
    #[serde(flatten)]
    sum: Sum,
    cost: f64,
    alone: Option<f64>,
    cpu: f64,
    cpu_alone: Option<f64>,
}

pub(super) fn answer(answer: &Answer) -> Json<'_> {
    Json {
        format: 1,
        unit: answer.unit,
        lines: &answer.lines,
        traffic: answer.traffic.as_ref().map(lengths),
        by_cpu: answer.by_cpu,
        plans: answer
            .plans
            .iter()
            .map(|plan| plan_of(answer, plan))
            .collect(),
    }
}

fn lengths(traffic: &Traffic) -> Lengths<'_> {
    let (shortest, longest) = traffic.ends();
    Lengths {
        source: &traffic.source,
        jobs: traffic.count(),
        bytes: traffic.bytes(),
        shortest,
        longest,
    }
}

fn plan_of<'a>(answer: &'a Answer, plan: &Plan) -> PlanOf<'a> {
    let name = |line: usize| answer.lines[line].name.as_str();
    let range = |range: &Range| RangeOf {
        from: range.from,
        to: range.to,
        line: range.line.map(name),
        meets: range.meets,
    };
    let shares = plan.shares.iter().enumerate();
    let share = |(line, share): (usize, &Share)| ShareOf {
        line: name(line),
        sum: sum(share),
        cost: share.cost,
        alone: plan.alone[line],
        cpu: share.cpu,
        cpu_alone: plan.cpu_alone[line],
    };
    let has_traffic = answer.traffic.is_some();
    PlanOf {
        batch: plan.batch,
        ranges: plan.ranges.iter().map(range).collect(),
        cost: has_traffic.then(|| plan.cost()),
        cpu: has_traffic.then(|| plan.cpu()),
        cpu_saved: plan.cpu_saved().filter(|_| has_traffic),
        shares: has_traffic.then(|| shares.map(share).collect()),
        left: has_traffic.then(|| sum(&plan.left)),
    }
}

fn sum(share: &Share) -> Sum {
    Sum {
        jobs: share.jobs,
        bytes: share.bytes,
    }
}
