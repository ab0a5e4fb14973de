// SPDX-License-Identifier: MIT OR Apache-2.0
//! The positions of bars, ticks and words in a chart over time. The template draws the bars as SVG,
//! which stretches to the width of the page, and the words as HTML, which does not.

use indicatif::HumanCount;

use super::timeline::{Bin, Nanoseconds, Timeline};
use crate::time::rfc3339_of_nanoseconds;

/// The number of colors. The last one is for all other kinds.
pub(super) const COLORS: usize = 8;
/// The size of the plot in units of its own, which the page stretches.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 200.0;
/// The least height of a bar, so that one checksum among a million is visible.
const VISIBLE: f64 = 3.0;
/// The most steps of the time axis.
const X_TICKS: Nanoseconds = 5;

pub(super) struct Chart {
    /// One sentence for a reader who does not see the chart.
    pub(super) says: String,
    pub(super) legend: Vec<Series>,
    /// The wrong checksums, stacked.
    pub(super) bars: Vec<Bar>,
    /// All checksums.
    pub(super) traffic: Vec<Bar>,
    pub(super) most: HumanCount,
    /// Positions from the bottom, in percent of the height.
    pub(super) y_ticks: Vec<Tick>,
    /// Positions from the left, in percent of the width.
    pub(super) x_ticks: Vec<Tick>,
    /// The bins with wrong checksums: the beginning of each, and the counts by kind.
    pub(super) rows: Vec<(String, String)>,
    pub(super) bin: String,
    pub(super) from: String,
    pub(super) to: String,
    pub(super) without_time: HumanCount,
    pub(super) outside: Option<Outside>,
}

/// The checksums whose times are too far away from all others.
pub(super) struct Outside {
    pub(super) all: HumanCount,
    pub(super) wrong: HumanCount,
    pub(super) from: String,
    pub(super) to: String,
}

pub(super) struct Series {
    pub(super) color: usize,
    pub(super) name: &'static str,
    pub(super) n: HumanCount,
}

pub(super) struct Bar {
    pub(super) color: usize,
    pub(super) x: String,
    pub(super) y: String,
    pub(super) width: String,
    pub(super) height: String,
    pub(super) tip: String,
}

pub(super) struct Tick {
    pub(super) at: String,
    /// The distance from the top, in units of the plot.
    pub(super) down: String,
    pub(super) text: String,
}

/// The chart of a timeline. None if no wrong checksum has a time. `order` has the kinds of all
/// charts, the most frequent first, so that a kind has one color in all charts.
pub(super) fn of(timeline: &Timeline, order: &[&'static str]) -> Option<Chart> {
    let kinds = timeline.kinds();
    let color = |kind: usize| {
        let rank = order.iter().position(|&name| name == kinds[kind]);
        rank.unwrap_or(COLORS).min(COLORS - 1)
    };
    let view = timeline.view()?;
    let height = |bin: &Bin| bin.wrong.iter().sum::<u64>();
    let highest = view.bins.iter().map(height).max()?;
    if highest == 0 {
        return None;
    }
    let mut totals = vec![0; kinds.len()];
    for bin in &view.bins {
        for (total, n) in totals.iter_mut().zip(&bin.wrong) {
            *total += n;
        }
    }
    let mut stacked: Vec<usize> = (0..kinds.len()).collect();
    stacked.sort_by_key(|&kind| order.iter().position(|&name| name == kinds[kind]));

    let count = view.bins.len();
    let step = WIDTH / count as f64;
    let width = number(step * if count > 1 { 0.86 } else { 0.1 });
    let left = |n: usize| number((n as f64 + if count > 1 { 0.07 } else { 0.45 }) * step);
    let y_step = nice(highest);
    let y_top = highest.div_ceil(y_step) * y_step;
    let most = view.bins.iter().map(|bin| bin.all).max()?;
    let (mut bars, mut traffic, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for (n, bin) in view.bins.iter().enumerate() {
        let start = view.start + n as Nanoseconds * view.width;
        let when = words(start, view.width);
        let mut top = HEIGHT;
        let mut said = Vec::new();
        for &kind in &stacked {
            let Some(&n_wrong) = bin.wrong.get(kind).filter(|&&n| n > 0) else {
                continue;
            };
            let tall = (n_wrong as f64 / y_top as f64 * HEIGHT).max(VISIBLE);
            top = (top - tall).max(0.0);
            said.push(format!("{}: {}", kinds[kind], HumanCount(n_wrong)));
            bars.push(Bar {
                color: color(kind),
                x: left(n),
                y: number(top),
                width: width.clone(),
                height: number(tall),
                tip: format!("{when}: {} {}", HumanCount(n_wrong), kinds[kind]),
            });
        }
        if !said.is_empty() {
            rows.push((when.clone(), said.join(", ")));
        }
        if bin.all > 0 {
            let tall = (bin.all as f64 / most as f64 * HEIGHT).max(VISIBLE);
            traffic.push(Bar {
                color: 0,
                x: left(n),
                y: number(HEIGHT - tall),
                width: width.clone(),
                height: number(tall),
                tip: format!("{when}: {} checksums", HumanCount(bin.all)),
            });
        }
    }
    let start = view.start;
    let end = start + count as Nanoseconds * view.width;
    let (from, to) = (words(start, view.width), words(end, view.width));
    let legend: Vec<_> = stacked
        .iter()
        .filter(|&&kind| totals[kind] > 0)
        .map(|&kind| Series {
            color: color(kind),
            name: kinds[kind],
            n: HumanCount(totals[kind]),
        })
        .collect();
    let named: Vec<_> = legend
        .iter()
        .map(|series| format!("{} {}", series.n, series.name))
        .collect();
    Some(Chart {
        says: format!(
            "Wrong checksums from {from} to {to}: {}. At most {} in one bar.",
            named.join(", "),
            HumanCount(highest)
        ),
        legend,
        bars,
        traffic,
        most: HumanCount(most),
        y_ticks: (0..=y_top / y_step)
            .map(|n| Tick {
                at: number(n as f64 * y_step as f64 / y_top as f64 * 100.0),
                down: number(HEIGHT - n as f64 * y_step as f64 / y_top as f64 * HEIGHT),
                text: HumanCount(n * y_step).to_string(),
            })
            .collect(),
        x_ticks: x_ticks(start, end),
        rows,
        bin: duration(view.width),
        from,
        to,
        without_time: HumanCount(timeline.without_time),
        outside: view.outside.map(|outside| Outside {
            all: HumanCount(outside.count.all),
            wrong: HumanCount(height(&outside.count)),
            from: words(outside.from, SECOND),
            to: words(outside.to, SECOND),
        }),
    })
}

fn number(n: f64) -> String {
    format!("{n:.2}")
}

/// A step of the axis: 1, 2 or 5 times a power of ten, so that at most four steps reach the
/// highest.
fn nice(highest: u64) -> u64 {
    let mut power = 1_u64;
    loop {
        for digit in [1, 2, 5] {
            let step = power.saturating_mul(digit);
            if highest.div_ceil(step) <= 4 {
                return step;
            }
        }
        power = power.saturating_mul(10);
    }
}

const SECOND: Nanoseconds = 1_000_000_000;

/// Steps that people know from clocks and calendars.
const STEPS: [Nanoseconds; 19] = [
    SECOND,
    2 * SECOND,
    5 * SECOND,
    10 * SECOND,
    15 * SECOND,
    30 * SECOND,
    MINUTE,
    2 * MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    15 * MINUTE,
    30 * MINUTE,
    HOUR,
    2 * HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    2 * DAY,
];
const MINUTE: Nanoseconds = 60 * SECOND;
const HOUR: Nanoseconds = 60 * MINUTE;
const DAY: Nanoseconds = 24 * HOUR;

fn x_ticks(start: Nanoseconds, end: Nanoseconds) -> Vec<Tick> {
    let span = end - start;
    let powers_of = |unit: Nanoseconds| {
        (0..30).flat_map(move |exponent| {
            [1, 2, 5].map(|digit| unit * digit * (10 as Nanoseconds).pow(exponent))
        })
    };
    let below_a_second = powers_of(1).take_while(|&step| step < SECOND);
    let mut steps = below_a_second.chain(STEPS).chain(powers_of(5 * DAY));
    let step = steps
        .find(|&step| span / step <= X_TICKS)
        .unwrap_or(span.max(1));
    let first = start.div_euclid(step) + i128::from(start.rem_euclid(step) > 0);
    (0..)
        .map(|n| (first + n) * step)
        .take_while(|&at| at <= end)
        .map(|at| Tick {
            at: number((at - start) as f64 / span as f64 * 100.0),
            down: String::new(),
            text: clock(at, step),
        })
        .collect()
}

/// The part of a time that differs between two ticks of this step.
fn clock(at: Nanoseconds, step: Nanoseconds) -> String {
    let Some(text) = rfc3339_of_nanoseconds(at) else {
        return format!("{} s", at / SECOND);
    };
    match step {
        DAY.. => text[..10].to_owned(),
        MINUTE.. => text[11..16].to_owned(),
        SECOND.. => text[11..19].to_owned(),
        _ => {
            let digits = (0..9)
                .find(|&digits| step % (10 as Nanoseconds).pow(9 - digits) == 0)
                .unwrap_or(9);
            format!("{} s", &text[17..20 + digits as usize])
        }
    }
}

/// A time with as many digits as bins of this width need.
fn words(at: Nanoseconds, width: Nanoseconds) -> String {
    let Some(text) = rfc3339_of_nanoseconds(at) else {
        return format!("{} s after 1970-01-01", at / SECOND);
    };
    let digits = match width {
        SECOND.. => 0,
        1_000_000.. => 3,
        1_000.. => 6,
        _ => 9,
    };
    let end = if digits == 0 { 19 } else { 20 + digits };
    format!("{} {}", &text[..10], &text[11..end])
}

/// A duration with three digits, such as 1.05 s.
fn duration(width: Nanoseconds) -> String {
    let units = [
        (DAY, "days"),
        (HOUR, "h"),
        (MINUTE, "min"),
        (SECOND, "s"),
        (1_000_000, "ms"),
        (1_000, "µs"),
    ];
    let (unit, name) = units
        .into_iter()
        .find(|&(unit, _)| width >= unit)
        .unwrap_or((1, "ns"));
    let n = width as f64 / unit as f64;
    let digits = if n < 10.0 { 2 } else { usize::from(n < 100.0) };
    if width % unit == 0 {
        format!("{n:.0} {name}")
    } else {
        format!("{n:.digits$} {name}")
    }
}
