// SPDX-License-Identifier: MIT OR Apache-2.0
//! `plan --html`: one page with the lines and their crossings over the lengths of the traffic. The
//! template draws them as SVG that stretches to the width of the page.

use askama::Template;

use super::Answer;
use super::table::{Grid, amount, grids, name, traffic};

#[derive(Template)]
#[template(path = "plan.html")]
struct Page {
    version: &'static str,
    headline: Vec<String>,
    chart: Chart,
    grids: Vec<Grid>,
}

/// The cost of a job over its length, both axes logarithmic, and below it the traffic.
struct Chart {
    says: String,
    lines: Vec<Curve>,
    /// The crossings of the first plan.
    crossings: Vec<Tick>,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
    bars: Vec<Bar>,
    /// The share of the highest bar.
    top: String,
}

struct Curve {
    name: String,
    color: usize,
    points: String,
}

struct Tick {
    /// The distance from the left or from the bottom, in percent.
    at: f64,
    /// The same from the left or from the top, in units of the plot.
    place: f64,
    text: String,
}

/// The sums of some lengths: as many as their share of all sums.
struct Bar {
    x: f64,
    width: f64,
    y: f64,
    height: f64,
    text: String,
}

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 200.0;
const COLORS: usize = 8;
const STEPS: u32 = 200;

pub(super) fn page(answer: &Answer) -> anyhow::Result<String> {
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        headline: headline(answer),
        chart: chart(answer),
        grids: grids(answer),
    };
    Ok(page.render()?)
}

/// A sentence for each range of the first plan, and one for the traffic.
fn headline(answer: &Answer) -> Vec<String> {
    let Some(plan) = answer.plans.first() else {
        return Vec::new();
    };
    let mut says: Vec<String> = Vec::new();
    for range in &plan.ranges {
        let line = name(answer, range.line);
        let verb = if range.line.is_some() {
            if answer.by_cpu {
                "takes the CPU the least time"
            } else {
                "is the cheapest"
            }
        } else {
            "takes a sum"
        };
        says.push(match range.to {
            Some(to) => format!("From {} to {to} bytes, {line} {verb}.", range.from),
            None => format!("At {} bytes and more, {line} {verb}.", range.from),
        });
    }
    if answer.traffic.is_some() {
        let cost = amount(plan.cost(), answer.unit);
        says.push(format!(
            "The traffic costs {cost} by this plan: {}.",
            traffic(answer)
        ));
        let has_cpu = answer.lines.iter().any(|line| line.cpu.is_some());
        if let Some(saved) = plan.cpu_saved().filter(|_| has_cpu) {
            says.push(format!(
                "The CPU spends {} of it, {} less than with software alone.",
                amount(plan.cpu(), answer.unit),
                amount(saved, answer.unit)
            ));
        }
    }
    says
}

/// The two ranges of the axes.
struct Axes {
    longest: f64,
    least: f64,
    most: f64,
}

impl Axes {
    fn new(answer: &Answer) -> Axes {
        let crossings = answer.plans.iter().flat_map(|plan| &plan.ranges);
        let crossings = crossings.map(|range| 4.0 * range.from as f64);
        let longest = answer
            .traffic
            .as_ref()
            .map_or(0, |traffic| traffic.ends().1);
        let longest = crossings.fold(longest as f64, f64::max).clamp(1500.0, 1e9);
        let mut axes = Axes {
            longest,
            least: 1.0,
            most: 10.0,
        };
        let pairs = answer
            .lines
            .iter()
            .flat_map(|line| axes.pairs(answer, line));
        let mut costs: Vec<f64> = pairs.map(|(_, cost)| cost).collect();
        costs.sort_by(f64::total_cmp);
        if let (Some(least), Some(most)) = (costs.first(), costs.last()) {
            axes.least = 10_f64.powf(least.log10().floor());
            axes.most = 10_f64.powf(most.log10().ceil().max(least.log10().floor() + 1.0));
        }
        axes
    }

    /// Lengths and costs of a line, as far as it goes.
    fn pairs(&self, answer: &Answer, line: &super::Line) -> Vec<(f64, f64)> {
        let batch = answer.plans.first().map_or(1, |plan| plan.batch);
        let power = |step| {
            self.longest
                .powf(f64::from(step) / f64::from(STEPS))
                .round()
        };
        let mut lengths: Vec<f64> = (0..=STEPS).map(power).collect();
        lengths.dedup();
        let lengths = lengths
            .into_iter()
            .filter(|&length| line.takes(length as u64));
        lengths
            .map(|length| (length, line.cost(length as u64, batch)))
            .filter(|&(_, cost)| cost > 0.0)
            .collect()
    }

    /// The position of a length from the left, from 0 to 1.
    fn x(&self, length: f64) -> f64 {
        length.max(1.0).ln() / self.longest.ln()
    }

    /// The position of a cost from the top, from 0 to 1.
    fn y(&self, cost: f64) -> f64 {
        1.0 - (cost / self.least).ln() / (self.most / self.least).ln()
    }

    fn x_tick(&self, length: f64, text: String) -> Tick {
        Tick {
            at: 100.0 * self.x(length),
            place: WIDTH * self.x(length),
            text,
        }
    }
}

fn chart(answer: &Answer) -> Chart {
    let axes = Axes::new(answer);
    let curve = |(n, line): (usize, &super::Line)| {
        let points = axes.pairs(answer, line).into_iter().map(|(length, cost)| {
            format!("{:.1},{:.1}", WIDTH * axes.x(length), HEIGHT * axes.y(cost))
        });
        Curve {
            name: line.name.clone(),
            color: n % COLORS,
            points: points.collect::<Vec<_>>().join(" "),
        }
    };
    let ranges = answer.plans.first().map_or(&[][..], |plan| &plan.ranges);
    let crossing = |range: &super::choose::Range| {
        Some(axes.x_tick(range.meets?, format!("{} bytes", range.from)))
    };
    let bars = bars(answer, &axes);
    let top = bars.iter().map(|bar| bar.height).fold(0.0, f64::max);
    let decades = axes.least.log10().round() as i32..=axes.most.log10().round() as i32;
    let y_tick = |power| {
        let cost = 10_f64.powi(power);
        Tick {
            at: 100.0 * (1.0 - axes.y(cost)),
            place: HEIGHT * axes.y(cost),
            text: amount(cost, answer.unit).replace(".0", ""),
        }
    };
    Chart {
        says: format!(
            "The cost of a job over its length, {} lines; the tables below have the same figures",
            answer.lines.len()
        ),
        lines: answer.lines.iter().enumerate().map(curve).collect(),
        crossings: ranges.iter().filter_map(crossing).collect(),
        x_ticks: (0..31)
            .step_by(2)
            .map(|power| f64::from(1_u32 << power))
            .filter(|&length| length <= axes.longest)
            .map(|length| axes.x_tick(length, crate::bench::bytes(length)))
            .collect(),
        y_ticks: decades.map(y_tick).collect(),
        bars: bars
            .into_iter()
            .map(|bar| Bar {
                y: HEIGHT * (1.0 - bar.height / top),
                height: HEIGHT * bar.height / top,
                ..bar
            })
            .collect(),
        top: format!("{:.0} %", 100.0 * top),
    }
}

/// A bar for each quarter of a power of two that has sums; its height is their share of all sums.
fn bars(answer: &Answer, axes: &Axes) -> Vec<Bar> {
    let Some(traffic) = &answer.traffic else {
        return Vec::new();
    };
    let place = |bytes: u64| (4.0 * (bytes.max(1) as f64).log2()).floor() as i32;
    let mut bars: Vec<(i32, u64, u64, u64)> = Vec::new();
    for (&bytes, &jobs) in &traffic.jobs {
        match bars.last_mut() {
            Some((bin, _, last, sums)) if *bin == place(bytes) => {
                *last = bytes;
                *sums += jobs;
            }
            _ => bars.push((place(bytes), bytes, bytes, jobs)),
        }
    }
    let all = traffic.count() as f64;
    let edge = |bin: i32| axes.x(2_f64.powf(f64::from(bin) / 4.0)).min(1.0);
    bars.into_iter()
        .map(|(bin, first, last, sums)| {
            let share = sums as f64 / all;
            Bar {
                x: WIDTH * edge(bin),
                width: (WIDTH * (edge(bin + 1) - edge(bin))).max(2.0),
                y: 0.0,
                height: share,
                text: format!(
                    "{first} to {last} bytes: {:.1} % of the sums",
                    100.0 * share
                ),
            }
        })
        .collect()
}
