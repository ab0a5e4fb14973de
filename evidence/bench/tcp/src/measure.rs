// SPDX-License-Identifier: MIT OR Apache-2.0
//! Throughput: all variants of a test run one after the other, round by round, in one process. A
//! rate is the median of the rounds. A ratio is the median of the ratios within a round, where both
//! variants ran within the same few milliseconds.

use std::io::IsTerminal;

use anyhow::{Context, Result};
use serde::Serialize;
use statrs::statistics::{Data, OrderStatistics};

use crate::stacks::Stack;
use crate::traffic::{self, Test};
use crate::variants::VARIANTS;

#[derive(Clone, Copy, Debug, Serialize)]
pub struct Spread {
    pub median: f64,
    pub lower_quartile: f64,
    pub upper_quartile: f64,
}

impl Spread {
    /// The distance of the quartiles, in parts of the median.
    pub fn width(&self) -> f64 {
        (self.upper_quartile - self.lower_quartile) / self.median
    }

    pub fn of(values: impl IntoIterator<Item = f64>) -> Spread {
        let mut data = Data::new(values.into_iter().collect::<Vec<f64>>());
        Spread {
            median: data.median(),
            lower_quartile: data.lower_quartile(),
            upper_quartile: data.upper_quartile(),
        }
    }
}

#[derive(Clone, Debug, Serialize)]
pub struct Measured {
    pub stack: String,
    pub variant: String,
    pub test: Test,
    /// Gbit/s of payload, or thousands of exchanges a second.
    pub rate: Spread,
    /// The rate in multiples of the rate of the stack as it comes.
    pub against_stock: Spread,
    /// The rate in multiples of the rate of the stack without checksums.
    pub against_off: Spread,
    pub frames: u64,
    pub mean_frame: f64,
}

/// Runs all variants of these tests `rounds` times.
pub fn rates(
    stacks: &mut [Box<dyn Stack>],
    tests: &[Test],
    rounds: usize,
    seed: u64,
) -> Result<Vec<Measured>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut rates = vec![vec![Vec::with_capacity(rounds); VARIANTS.len()]; tests.len()];
    let mut last = vec![vec![None; VARIANTS.len()]; tests.len()];
    let terminal = std::io::stderr().is_terminal();
    for round in 0..=rounds {
        for (t, &test) in tests.iter().enumerate() {
            // A new order each time, so that no variant always follows the same other.
            let mut order: Vec<usize> = (0..VARIANTS.len()).collect();
            random.shuffle(&mut order);
            for v in order {
                let run = traffic::run(stacks[v].as_mut(), test, test.amount(), false)
                    .with_context(|| format!("{}, {}", VARIANTS[v].name(), test.name()))?;
                let amount = if test.is_stream() {
                    run.payload as f64 * 8e-9
                } else {
                    run.exchanges as f64 * 1e-3
                };
                if round > 0 {
                    rates[t][v].push(amount / run.time.as_secs_f64()); // the first round warms up
                }
                last[t][v] = Some(run);
            }
        }
        if terminal {
            eprint!("\rmeasuring: round {round} of {rounds} ");
        } else if round % 5 == 0 {
            eprintln!("measuring: round {round} of {rounds}");
        }
    }
    if terminal {
        eprintln!();
    }
    let mut rows = Vec::new();
    for (t, &test) in tests.iter().enumerate() {
        for (v, variant) in VARIANTS.iter().enumerate() {
            let off = VARIANTS
                .iter()
                .position(|other| other.stack == variant.stack && other.is_off())
                .expect("each stack has it");
            let ratio = |to: usize| {
                Spread::of(
                    rates[t][v]
                        .iter()
                        .zip(&rates[t][to])
                        .map(|(ours, theirs)| ours / theirs),
                )
            };
            let run = last[t][v].expect("each ran");
            rows.push(Measured {
                stack: variant.stack.into(),
                variant: variant.key.into(),
                test,
                rate: Spread::of(rates[t][v].iter().copied()),
                against_stock: ratio(variant.baseline()),
                against_off: ratio(off),
                frames: run.frames,
                mean_frame: run.frame_bytes as f64 / run.frames as f64,
            });
        }
    }
    Ok(rows)
}

/// The widest quartiles of a ratio that a record may have, in parts of its median.
pub const WIDEST: f64 = 0.10;

/// The ratios whose quartiles are too wide for a record, in words, the widest first.
pub fn wide(rows: &[Measured]) -> Vec<String> {
    let mut wide: Vec<&Measured> = rows
        .iter()
        .filter(|row| row.against_stock.width() > WIDEST)
        .collect();
    wide.sort_by(|a, b| f64::total_cmp(&b.against_stock.width(), &a.against_stock.width()));
    let words = |row: &&Measured| {
        let ratio = row.against_stock;
        format!(
            "{} {}, {}: {:.2}, quartiles {:.2} to {:.2} ({:.0} %)",
            row.stack,
            row.variant,
            row.test.name(),
            ratio.median,
            ratio.lower_quartile,
            ratio.upper_quartile,
            100.0 * ratio.width()
        )
    };
    wide.iter().map(words).collect()
}

pub fn print(rows: &[Measured]) {
    println!();
    for variant in &VARIANTS {
        println!("{:<22} {}", variant.name(), variant.about);
    }
    println!();
    println!(
        "{:<12} {:<22} {:>9}                 {:>10}                 {:>9}",
        "test", "variant", "rate", "of stock", "of off"
    );
    for row in rows {
        println!(
            "{:<12} {:<22} {:>9.2} {:<10} {:>6.2}× ({:.2} to {:.2}) {:>8.2}×",
            row.test.name(),
            format!("{} {}", row.stack, row.variant),
            row.rate.median,
            row.test.unit(),
            row.against_stock.median,
            row.against_stock.lower_quartile,
            row.against_stock.upper_quartile,
            row.against_off.median,
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wide_quartiles_are_named_with_their_figures() {
        let row = |variant: &str, lower: f64, upper: f64| {
            let spread = Spread {
                median: 2.0,
                lower_quartile: lower,
                upper_quartile: upper,
            };
            Measured {
                stack: "lwIP".into(),
                variant: variant.into(),
                test: Test::Bulk,
                rate: spread,
                against_stock: spread,
                against_off: spread,
                frames: 1,
                mean_frame: 1.0,
            }
        };
        let rows = [
            row("quiet", 1.95, 2.05),
            row("wide", 1.8, 2.2),
            row("widest", 1.5, 2.5),
        ];
        assert_eq!(
            wide(&rows),
            [
                "lwIP widest, bulk: 2.00, quartiles 1.50 to 2.50 (50 %)",
                "lwIP wide, bulk: 2.00, quartiles 1.80 to 2.20 (20 %)"
            ]
        );
    }
}
