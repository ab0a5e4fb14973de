// SPDX-License-Identifier: MIT OR Apache-2.0
//! The positions of lines, ticks and words in a chart of speed over size. The template draws them.

use wiresum_bench::{Operation, Report, Role, Row, Section};

use super::grid::bytes;

pub(super) struct Chart {
    pub(super) title: String,
    /// One sentence for a reader who does not see the chart.
    pub(super) says: String,
    pub(super) series: Vec<Series>,
    pub(super) limit: String,
    pub(super) limit_name: &'static str,
    pub(super) x_ticks: Vec<Tick>,
    pub(super) y_ticks: Vec<Tick>,
    pub(super) unit: &'static str,
}

pub(super) struct Series {
    pub(super) name: String,
    pub(super) color: usize,
    /// Dots and dashes distinguish lines of one color.
    pub(super) dashes: &'static str,
    pub(super) points: String,
}

pub(super) struct Tick {
    /// The distance from the left or from the bottom, in percent.
    pub(super) at: String,
    /// The distance from the top, in units of the plot.
    pub(super) down: String,
    pub(super) text: String,
}

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 200.0;
const COLORS: usize = 8;
const DASHES: [&str; 4] = ["none", "7 3", "2 2", "9 2 2 2"];

/// The chart of one operation at one alignment: of the section `Sizes` or `PageOffsets`. None if
/// the report has fewer than two sizes.
pub(super) fn chart(
    report: &Report,
    section: Section,
    operation: Operation,
    alignment: usize,
) -> Option<Chart> {
    let rows: Vec<&Row> = report
        .rows
        .iter()
        .filter(|row| {
            row.section == section
                && row.operation == operation
                && row.alignment == alignment
                // A sum in DRAM takes a part of the buffer at a time, so its size says nothing.
                && (row.level != "DRAM" || operation == Operation::Copy)
        })
        .collect();
    let speed: fn(&Row) -> f64 = if report.machine.cycles_per_tick.is_some() {
        |row| row.bytes_per_cycle.unwrap_or(0.0)
    } else {
        |row| row.bytes / row.min_ns
    };
    let unit = match report.machine.cycles_per_tick {
        Some(_) => "bytes per cycle",
        None => "GB/s",
    };
    let axes = Axes::new(&rows, speed)?;
    let series = series(&rows, speed, &axes);
    let place = match alignment {
        0 => "aligned".to_owned(),
        offset => format!("at offset {offset}"),
    };
    let (title, limit_name) = match operation {
        Operation::Sum => (
            format!("Sum, {place}"),
            "the limit: the best load-only loop",
        ),
        Operation::Copy if section == Section::PageOffsets => (
            format!("Copy while summing, {place}, over places in a page"),
            "the limit: memcpy",
        ),
        Operation::Copy => (format!("Copy while summing, {place}"), "the limit: memcpy"),
    };
    Some(Chart {
        says: format!(
            "{title}: {unit} over the size, {} lines; the tables below have the same figures",
            series.len()
        ),
        title,
        series,
        limit: limit(&rows, speed, &axes),
        limit_name,
        x_ticks: axes.x_ticks(),
        y_ticks: axes.y_ticks(),
        unit,
    })
}

/// The ranges of the two axes: sizes, on a logarithmic axis, and speeds from 0.
struct Axes {
    sizes: Vec<f64>,
    least: f64,
    most: f64,
    top: f64,
}

impl Axes {
    /// None if the rows have fewer than two sizes.
    fn new(rows: &[&Row], speed: fn(&Row) -> f64) -> Option<Axes> {
        let mut sizes: Vec<f64> = rows.iter().map(|row| row.bytes).collect();
        sizes.sort_by(f64::total_cmp);
        sizes.dedup();
        let [least, .., most] = sizes[..] else {
            return None;
        };
        Some(Axes {
            least,
            most,
            sizes,
            top: nice(rows.iter().map(|row| speed(row)).fold(0.0, f64::max)),
        })
    }

    /// The position of a size from the left, from 0 to 1.
    fn x(&self, size: f64) -> f64 {
        (size / self.least).log2() / (self.most / self.least).log2()
    }

    /// The position of a speed from the top, from 0 to 1.
    fn y(&self, speed: f64) -> f64 {
        1.0 - speed / self.top
    }

    /// Pairs of size and speed, as the points of a polyline.
    fn points(&self, pairs: &[(f64, f64)]) -> String {
        let points = pairs.iter().map(|&(size, speed)| {
            format!("{:.1},{:.1}", self.x(size) * WIDTH, self.y(speed) * HEIGHT)
        });
        points.collect::<Vec<_>>().join(" ")
    }

    fn x_ticks(&self) -> Vec<Tick> {
        ticks_of_sizes(self.least, self.most)
            .map(|size| Tick {
                at: format!("{:.2}", 100.0 * self.x(size)),
                down: String::new(),
                text: bytes(size),
            })
            .collect()
    }

    fn y_ticks(&self) -> Vec<Tick> {
        (0..=4)
            .map(|n| self.top * f64::from(n) / 4.0)
            .map(|speed| Tick {
                at: format!("{:.2}", 100.0 * (1.0 - self.y(speed))),
                down: format!("{:.1}", self.y(speed) * HEIGHT),
                text: format!("{speed:.4}")
                    .trim_end_matches('0')
                    .trim_end_matches('.')
                    .to_owned(),
            })
            .collect()
    }
}

/// A line for each contender, in the order of the report.
fn series(rows: &[&Row], speed: fn(&Row) -> f64, axes: &Axes) -> Vec<Series> {
    let mut names: Vec<&str> = Vec::new();
    for row in rows.iter().filter(|row| row.role != Role::Yardstick) {
        if !names.contains(&row.contender.as_str()) {
            names.push(&row.contender);
        }
    }
    let line = |(n, name): (usize, &str)| {
        let mut pairs: Vec<_> = rows
            .iter()
            .filter(|row| row.contender == name)
            .map(|row| (row.bytes, speed(row)))
            .collect();
        pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
        Series {
            name: name.to_owned(),
            color: n % COLORS,
            dashes: DASHES[n / COLORS % DASHES.len()],
            points: axes.points(&pairs),
        }
    };
    names.into_iter().enumerate().map(line).collect()
}

/// The points of the limit: the fastest yardstick at each size.
fn limit(rows: &[&Row], speed: fn(&Row) -> f64, axes: &Axes) -> String {
    let fastest = |&size: &f64| {
        let yardsticks = rows
            .iter()
            .filter(|row| row.role == Role::Yardstick && row.bytes == size);
        let speed = yardsticks.map(|row| speed(row)).max_by(f64::total_cmp)?;
        Some((size, speed))
    };
    let pairs: Vec<_> = axes.sizes.iter().filter_map(fastest).collect();
    axes.points(&pairs)
}

/// The powers of four within the range.
fn ticks_of_sizes(least: f64, most: f64) -> impl Iterator<Item = f64> {
    (0..40)
        .map(|power| f64::from(2_u32).powi(power))
        .filter(move |size| (least..=most).contains(size) && size.log2() % 2.0 == 0.0)
}

/// The top of the axis: the least number that is not below `most` and whose quarters have few
/// digits.
fn nice(most: f64) -> f64 {
    let unit = 10_f64.powf(most.max(1e-6).log10().floor());
    [1.0, 1.2, 1.6, 2.0, 2.4, 3.2, 4.0, 6.0, 8.0, 10.0]
        .into_iter()
        .map(|steps| steps * unit)
        .find(|&top| top >= most)
        .unwrap_or(most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tops_are_round_and_not_too_low() {
        for (most, top) in [
            (123.0, 160.0),
            (58.0, 60.0),
            (9.1, 10.0),
            (0.33, 0.4),
            (100.0, 100.0),
        ] {
            assert!((nice(most) - top).abs() < 1e-9, "{most}: {}", nice(most));
        }
    }

    #[test]
    fn sizes_have_ticks_of_powers_of_four() {
        assert_eq!(
            ticks_of_sizes(20.0, 4096.0).collect::<Vec<_>>(),
            [64.0, 256.0, 1024.0, 4096.0]
        );
    }
}
