// SPDX-License-Identifier: MIT OR Apache-2.0
//! Measures what the Internet checksum costs two real TCP stacks. README.md has the results, and
//! says what is measured and how.

mod charts;
mod counts;
mod damage;
mod functions;
mod measure;
mod network;
mod offload;
mod page;
mod results;
mod samples;
mod stacks;
mod task;
mod traffic;
mod variants;
mod verify;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Parser, Subcommand};

use damage::Damage;
use network::Faults;
use stacks::Stack;
use traffic::Test;
use variants::{VARIANTS, Variant};

/// What the Internet checksum costs two real TCP stacks: the TCP benchmark of Freescale's white
/// paper, on lwIP and smoltcp.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
    /// Seed of payloads and faults.
    #[arg(long, global = true, env = "WIRESUM_SEED", default_value_t = 1)]
    seed: u64,
}

#[derive(Subcommand)]
enum Command {
    /// Verify, then measure all, and print the tables (the default)
    All(All),
    /// Count the instructions of all variants and tests with callgrind
    Count(Count),
    /// Measure some tests, and print the rates
    Measure(Measure),
    /// Verify only: payloads in all variants, damaged segments rejected, undetected ones
    /// against theory
    Verify,
    /// One run of one variant, for callgrind
    #[command(hide = true)]
    Once(Once),
    /// Write the tables of README.md from the records
    Page,
    /// One variant on a network with faults of your choice
    Network(Network),
}

#[derive(Args, Clone)]
struct All {
    /// Rounds of all tests and variants; the median of them counts
    #[arg(long, default_value_t = 31)]
    rounds: usize,
    /// Record the results in evidence/bench/results/tcp/CPU-FAMILY as well: on a tree without
    /// changes, and if the quartiles of all ratios are narrow
    #[arg(long)]
    record: bool,
}

#[derive(Args)]
struct Count {
    /// Record the counts in evidence/bench/results/tcp as well: on a tree without changes
    #[arg(long)]
    record: bool,
}

#[derive(Args)]
struct Measure {
    /// The tests; all of them if none is named
    #[arg(long, value_enum)]
    test: Vec<Test>,
    /// Rounds of all tests and variants; the median of them counts
    #[arg(long, default_value_t = 31)]
    rounds: usize,
}

#[derive(Args)]
struct Once {
    #[arg(long, value_parser = Variant::named)]
    variant: &'static Variant,
    #[arg(long, value_enum)]
    test: Test,
}

#[derive(Args)]
struct Network {
    /// The stack and its variant, as lwip/wiresum-copy
    #[arg(long, value_parser = Variant::named, default_value = "lwip/wiresum-copy")]
    variant: &'static Variant,
    #[arg(long, value_enum, default_value_t = Test::Bulk)]
    test: Test,
    /// Bytes to send, or exchanges
    #[arg(long)]
    amount: Option<u64>,
    /// Probability that a frame is damaged
    #[arg(long, default_value_t = 0.0, value_parser = probability)]
    corrupt: f64,
    /// How it is damaged
    #[arg(long, value_enum, default_value_t = Damage::Random)]
    damage: Damage,
    /// The first byte that may be damaged: 40 spares the headers
    #[arg(long, default_value_t = 0)]
    damage_from: usize,
    /// Probability that a frame is lost
    #[arg(long, default_value_t = 0.0, value_parser = probability)]
    drop: f64,
    /// Probability that a frame comes twice
    #[arg(long, default_value_t = 0.0, value_parser = probability)]
    duplicate: f64,
    /// Probability that a frame overtakes one of the eight before it
    #[arg(long, default_value_t = 0.0, value_parser = probability)]
    reorder: f64,
}

fn probability(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(value) if (0.0..=1.0).contains(&value) => Ok(value),
        _ => Err("a probability is a number from 0 to 1".into()),
    }
}

fn start_all(seed: u64) -> Vec<Box<dyn Stack>> {
    VARIANTS.iter().map(|variant| variant.start(seed)).collect()
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let seed = arguments.seed;
    match arguments.command.unwrap_or(Command::All(All {
        rounds: 31,
        record: false,
    })) {
        Command::All(options) => all(&options, seed),
        Command::Measure(options) => {
            let tests = match options.test.as_slice() {
                [] => &Test::ALL[..],
                some => some,
            };
            let stacks = &mut start_all(seed);
            measure::print(&measure::rates(stacks, tests, options.rounds, seed)?);
            Ok(())
        }
        Command::Verify => {
            let mut stacks = start_all(seed);
            verify::payloads(&mut stacks)?;
            verify::rejections(&mut stacks, 2 << 20)?;
            verify::against_theory(500_000, seed)?;
            verify::controls(&mut stacks)
        }
        Command::Once(once) => counts::once(once.variant, once.test, seed),
        Command::Count(options) => count(&options, seed),
        Command::Page => page::write(&records()),
        Command::Network(network) => over_network(&network, seed),
    }
}

/// The variants whose shares of time are sampled: as the stack comes, and with wiresum.
const SAMPLED: [&str; 4] = [
    "lwip/stock",
    "lwip/wiresum-copy",
    "smoltcp/own",
    "smoltcp/device",
];

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder of the records: of the counts, and of the times by CPU family.
fn records() -> PathBuf {
    here().join("../results/tcp")
}

/// A record names the commit that made it, so the tree must not differ from that commit.
fn ensure_clean() -> Result<()> {
    let changed = results::changed().context("git cannot say whether the tree has changes")?;
    ensure!(
        changed.is_empty(),
        "not recorded: the tree differs from the commit that the record would name. Commit these \
         first:\n{changed}"
    );
    Ok(())
}

fn scratch() -> Result<PathBuf> {
    let folder = here().join("target/callgrind");
    std::fs::create_dir_all(&folder)?;
    Ok(folder)
}

fn count(options: &Count, seed: u64) -> Result<()> {
    if options.record {
        ensure_clean()?;
    }
    let mut record = results::Counts::here(seed);
    record.counted = counts::all(seed, &scratch()?)?;
    println!("{}", counts::table(&record.counted));
    if options.record {
        record.write(&records())?;
        page::write(&records())?;
    }
    Ok(())
}

fn all(options: &All, seed: u64) -> Result<()> {
    if options.record {
        ensure_clean()?;
    }
    let machine = results::Machine::here();
    let mut counts = results::Counts::here(seed);
    let mut stacks = start_all(seed);
    verify::payloads(&mut stacks)?;
    let rejections = verify::rejections(&mut stacks, 4 << 20)?;
    let undetected = verify::against_theory(2_000_000, seed)?;
    let measured = measure::rates(&mut stacks, &Test::ALL, options.rounds, seed)?;
    let mut shares_of_time = Vec::new();
    for (variant, stack) in VARIANTS
        .iter()
        .zip(&mut stacks)
        .filter(|(variant, _)| SAMPLED.contains(&variant.name().as_str()))
    {
        for test in Test::ALL {
            eprintln!("sampling: {}, {}", variant.name(), test.name());
            let time = Duration::from_secs(1);
            shares_of_time.push(samples::sample(variant, stack.as_mut(), test, time)?);
        }
    }
    if counts::have_valgrind() {
        counts.counted = counts::all(seed, &scratch()?)?;
    } else {
        eprintln!("valgrind is missing, so no instructions are counted: apt-get install valgrind");
    }
    measure::print(&measured);
    verify::controls(&mut stacks)?;
    let folder = machine.family.clone();
    let results = results::Results {
        machine,
        rounds: options.rounds,
        seed,
        measured,
        shares_of_time,
        shares_of_instructions: counts.counted.iter().map(counts::Counted::shares).collect(),
        rejections,
        undetected,
    };
    let target = here().join("target/results");
    results.write(&target)?;
    println!("\nresults: {}", target.join("README.md").display());
    if options.record {
        let wide = measure::wide(&results.measured);
        if !wide.is_empty() {
            bail!(
                "not recorded: the quartiles of {} ratios are more than {:.0} % of the median \
                 apart. Record on a CPU that nothing else uses, other guests of the host \
                 included, or with more --rounds:\n{}",
                wide.len(),
                100.0 * measure::WIDEST,
                wide.join("\n")
            );
        }
        let folder = folder.context("the family of this CPU is not known: python3 is needed")?;
        results.write(&records().join(folder))?;
        if !counts.counted.is_empty() {
            counts.write(&records())?;
        }
        page::write(&records())?;
    }
    Ok(())
}

fn over_network(network: &Network, seed: u64) -> Result<()> {
    let faults = Faults {
        corrupt: network.corrupt,
        drop: network.drop,
        duplicate: network.duplicate,
        reorder: network.reorder,
        damage: network.damage,
        damage_from: network.damage_from,
    };
    let mut stack = network.variant.start(seed);
    let amount = network.amount.unwrap_or(network.test.amount());
    let row = verify::bad_network(
        network.variant,
        stack.as_mut(),
        network.test,
        amount,
        &faults,
    )?;
    println!("{}", serde_json::to_string_pretty(&row)?);
    println!(
        "{}",
        serde_json::to_string_pretty(&stack.world().network.borrow().counts)?
    );
    Ok(())
}
