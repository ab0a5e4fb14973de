// SPDX-License-Identifier: MIT OR Apache-2.0
//! Figures 9, 10 and 11 of the paper, from our measurements.

use std::path::Path;

use anyhow::{Result, anyhow};
use plotters::prelude::*;

use crate::functions::Shares;
use crate::measure::Measured;
use crate::traffic::Test;

const SIZE: (u32, u32) = (860, 380);
const COLORS: [RGBColor; 5] = [
    RGBColor(120, 120, 120),
    RGBColor(213, 94, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 114, 178),
    RGBColor(0, 158, 115),
];

struct Bars {
    name: String,
    /// A value for each test, with the quartiles where there are.
    values: Vec<(f64, Option<(f64, f64)>)>,
}

fn draw(path: &Path, title: &str, axis: &str, groups: &[&str], series: &[Bars]) -> Result<()> {
    let failed = |error: &dyn std::fmt::Display| anyhow!("{}: {error}", path.display());
    let top = series
        .iter()
        .flat_map(|bars| &bars.values)
        .map(|(value, quartiles)| quartiles.map_or(*value, |(_, upper)| upper))
        .fold(0.0, f64::max);
    let area = SVGBackend::new(path, SIZE).into_drawing_area();
    area.fill(&WHITE).map_err(|error| failed(&error))?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 17))
        .margin(10)
        .x_label_area_size(28)
        .y_label_area_size(58)
        .build_cartesian_2d(0.0..groups.len() as f64, 0.0..top * 1.08)
        .map_err(|error| failed(&error))?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_labels(0)
        .y_desc(axis)
        .light_line_style(TRANSPARENT)
        .label_style(("sans-serif", 13))
        .draw()
        .map_err(|error| failed(&error))?;
    let width = 0.8 / series.len() as f64;
    for (s, bars) in series.iter().enumerate() {
        let color = COLORS[s % COLORS.len()];
        let left = |group: usize| group as f64 + 0.1 + width * s as f64;
        chart
            .draw_series(bars.values.iter().enumerate().map(|(group, (value, _))| {
                Rectangle::new(
                    [(left(group), 0.0), (left(group) + width * 0.94, *value)],
                    color.filled(),
                )
            }))
            .map_err(|error| failed(&error))?
            .label(&bars.name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 12, y + 5)], color.filled()));
        chart
            .draw_series(
                bars.values
                    .iter()
                    .enumerate()
                    .filter_map(|(group, (_, quartiles))| {
                        let middle = left(group) + width * 0.47;
                        quartiles.map(|(lower, upper)| {
                            PathElement::new([(middle, lower), (middle, upper)], BLACK)
                        })
                    }),
            )
            .map_err(|error| failed(&error))?;
    }
    for (group, name) in groups.iter().enumerate() {
        let (x, y) = chart.backend_coord(&(group as f64 + 0.5, 0.0));
        let style =
            ("sans-serif", 14)
                .into_text_style(&area)
                .pos(plotters::style::text_anchor::Pos::new(
                    plotters::style::text_anchor::HPos::Center,
                    plotters::style::text_anchor::VPos::Top,
                ));
        area.draw(&Text::new((*name).to_owned(), (x, y + 6), style))
            .map_err(|error| failed(&error))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.85))
        .border_style(RGBColor(200, 200, 200))
        .label_font(("sans-serif", 13))
        .draw()
        .map_err(|error| failed(&error))?;
    area.present().map_err(|error| failed(&error))
}

const SHOWN: [(&str, &str, &[&str]); 2] = [
    (
        "lwip",
        "lwIP",
        &["stock", "stock-3", "scalar", "wiresum-copy", "off"],
    ),
    ("smoltcp", "smoltcp", &["own", "device", "off"]),
];

/// The speed of each test, in multiples of the stack's own and in Gbit/s.
pub fn figures_10_and_11(folder: &Path, measured: &[Measured]) -> Result<()> {
    for (file, stack, variants) in SHOWN {
        let find = |variant: &str, test: Test| {
            measured
                .iter()
                .find(|row| row.stack == stack && row.variant == variant && row.test == test)
                .expect("all were measured")
        };
        let names: Vec<&str> = Test::ALL.iter().map(|test| test.name()).collect();
        let normalized: Vec<Bars> = variants
            .iter()
            .map(|variant| Bars {
                name: (*variant).into(),
                values: Test::ALL
                    .iter()
                    .map(|test| {
                        let ratio = find(variant, *test).against_stock;
                        (
                            ratio.median,
                            Some((ratio.lower_quartile, ratio.upper_quartile)),
                        )
                    })
                    .collect(),
            })
            .collect();
        draw(
            &folder.join(format!("figure-10-{file}.svg")),
            &format!("Figure 10 on {stack}: speed relative to the stack as it comes"),
            "times",
            &names,
            &normalized,
        )?;
        let streams: Vec<Test> = Test::ALL
            .into_iter()
            .filter(|test| test.is_stream())
            .collect();
        let absolute: Vec<Bars> = variants
            .iter()
            .map(|variant| Bars {
                name: (*variant).into(),
                values: streams
                    .iter()
                    .map(|test| {
                        let rate = find(variant, *test).rate;
                        (
                            rate.median,
                            Some((rate.lower_quartile, rate.upper_quartile)),
                        )
                    })
                    .collect(),
            })
            .collect();
        draw(
            &folder.join(format!("figure-11-{file}.svg")),
            &format!("Figure 11 on {stack}: payload in Gbit/s of processor time"),
            "Gbit/s",
            &streams.iter().map(|test| test.name()).collect::<Vec<_>>(),
            &absolute,
        )?;
    }
    Ok(())
}

/// The shares that the checksum and the copy have of the stack as it comes. `of` names their whole.
pub fn figure_9(folder: &Path, shares: &[Shares], of: &str) -> Result<()> {
    for (file, stack, variants) in SHOWN {
        let baseline = format!("{}/{}", file, variants[0]);
        let bars = |name: &str, share: fn(&Shares) -> f64| Bars {
            name: name.into(),
            values: Test::ALL
                .iter()
                .map(|test| {
                    let row = shares
                        .iter()
                        .find(|row| row.variant == baseline && row.test == *test);
                    (row.map_or(0.0, |row| 100.0 * share(row)), None)
                })
                .collect(),
        };
        draw(
            &folder.join(format!("figure-9-{file}.svg")),
            &format!("Figure 9 on {stack} as it comes: share of {of}"),
            "%",
            &Test::ALL.map(Test::name),
            &[
                bars("checksum", |row| row.checksum),
                bars("copy", |row| row.copy),
            ],
        )?;
    }
    Ok(())
}
