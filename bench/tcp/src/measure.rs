// SPDX-License-Identifier: MIT OR Apache-2.0
//! Throughput: all variants of a test run one after the other, round by round, in one process. Medians of the rounds count, and ratios
//! are medians of the ratios within a round, where both ran within the same few milliseconds.

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
    /// The rate in comparison with that of the stack as it comes.
    pub against_stock: Spread,
    /// … and with that of the stack without checksums.
    pub against_off: Spread,
    pub frames: u64,
    pub mean_frame: f64,
}

/// Runs everything `rounds` times.
pub fn all(stacks: &mut [Box<dyn Stack>], rounds: usize, seed: u64) -> Result<Vec<Measured>> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut rates = vec![vec![Vec::with_capacity(rounds); VARIANTS.len()]; Test::ALL.len()];
    let mut last = vec![vec![None; VARIANTS.len()]; Test::ALL.len()];
    let terminal = std::io::stderr().is_terminal();
    for round in 0..=rounds {
        for (t, test) in Test::ALL.into_iter().enumerate() {
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
    for (t, test) in Test::ALL.into_iter().enumerate() {
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
