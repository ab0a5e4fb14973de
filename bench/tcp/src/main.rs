// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the Internet checksum costs two real TCP stacks. README.md has the results, and says what is measured and how.

mod charts;
mod damage;
mod measure;
mod network;
mod offload;
mod results;
mod shares;
mod stacks;
mod task;
mod traffic;
mod variants;
mod verify;

use std::path::Path;
use std::time::Duration;

use anyhow::Result;
use clap::{Args, Parser, Subcommand};

use damage::Damage;
use network::Faults;
use stacks::Stack;
use traffic::Test;
use variants::{VARIANTS, Variant};

/// What the Internet checksum costs two real TCP stacks: the TCP benchmark of Freescale's white paper on lwIP and smoltcp.
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
    /// Verify only: payloads in all variants, damaged segments rejected, undetected ones against theory
    Verify,
    /// One run of one variant, for callgrind
    #[command(hide = true)]
    Once(Once),
    /// One variant on a network with faults of your choice
    Network(Network),
}

#[derive(Args, Clone)]
struct All {
    /// Rounds of all tests and variants; the median of them counts
    #[arg(long, default_value_t = 31)]
    rounds: usize,
    /// Write the results into bench/results/tcp, not into bench/tcp/target/results
    #[arg(long)]
    record: bool,
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
        Command::Verify => {
            let mut stacks = start_all(seed);
            verify::payloads(&mut stacks)?;
            verify::rejections(&mut stacks, 2 << 20)?;
            verify::against_theory(500_000, seed)?;
            verify::controls(&mut stacks)
        }
        Command::Once(once) => shares::once(once.variant, once.test, seed),
        Command::Network(network) => over_network(&network, seed),
    }
}

/// The variants whose shares are shown: as it comes, and with wiresum.
const PROFILED: [&str; 4] = [
    "lwip/stock",
    "lwip/wiresum-copy",
    "smoltcp/own",
    "smoltcp/device",
];

fn all(options: &All, seed: u64) -> Result<()> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(if options.record {
        "../results/tcp"
    } else {
        "target/results"
    });
    let mut stacks = start_all(seed);
    verify::payloads(&mut stacks)?;
    let rejections = verify::rejections(&mut stacks, 4 << 20)?;
    let undetected = verify::against_theory(2_000_000, seed)?;
    let measured = measure::all(&mut stacks, options.rounds, seed)?;
    let mut shares_of_time = Vec::new();
    let mut shares_of_instructions = Vec::new();
    let valgrind = shares::have_valgrind();
    if !valgrind {
        eprintln!("valgrind is missing, so shares are of time only: apt-get install valgrind");
    }
    let scratch = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/callgrind");
    std::fs::create_dir_all(&scratch)?;
    for (variant, stack) in VARIANTS
        .iter()
        .zip(&mut stacks)
        .filter(|(variant, _)| PROFILED.contains(&variant.name().as_str()))
    {
        for test in Test::ALL {
            eprintln!("shares: {}, {}", variant.name(), test.name());
            shares_of_time.push(shares::sample(
                variant,
                stack.as_mut(),
                test,
                Duration::from_secs(1),
            )?);
            if valgrind {
                shares_of_instructions.push(shares::count(variant, test, seed, &scratch)?);
            }
        }
    }
    measure::print(&measured);
    let machine = results::Machine::here();
    results::Results {
        machine,
        rounds: options.rounds,
        seed,
        measured,
        shares_of_time,
        shares_of_instructions,
        rejections,
        undetected,
    }
    .write(&folder)?;
    println!("\nresults: {}", folder.join("README.md").display());
    verify::controls(&mut stacks)
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
