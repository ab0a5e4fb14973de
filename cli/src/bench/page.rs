// SPDX-License-Identifier: MIT OR Apache-2.0
//! `bench --html`: one page with charts of speed over size. The template draws the charts as SVG
//! that stretches to the width of the page, with HTML text next to it, so that both follow the
//! color scheme of the reader.

use askama::Template;
use wiresum_bench::{Entry, Operation, Report, Section};

use super::chart::{Chart, chart};
use super::grid::{Grid, grids};
use super::machine::about;

#[derive(Template)]
#[template(path = "bench.html")]
struct Page<'a> {
    version: &'static str,
    about: Vec<(&'static str, String)>,
    entries: Vec<&'a Entry>,
    charts: Vec<Chart>,
    grids: Vec<Grid>,
}

pub(crate) fn page(report: &Report) -> anyhow::Result<String> {
    let mut charts = Vec::new();
    for operation in [Operation::Sum, Operation::Copy] {
        for alignment in [0, 14, 1] {
            charts.extend(chart(report, Section::Sizes, operation, alignment));
            charts.extend(chart(report, Section::PageOffsets, operation, alignment));
        }
    }
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        about: about(&report.machine),
        entries: report.contenders.iter().collect(),
        charts,
        grids: grids(report),
    };
    Ok(page.render()?)
}
