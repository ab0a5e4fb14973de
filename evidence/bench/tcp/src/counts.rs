// SPDX-License-Identifier: MIT OR Apache-2.0
//! Instructions: callgrind counts how many a test takes, and of which functions they are.
//!
//! A count is the same in every run and on every CPU that has AVX2. The length of the program's
//! path moves the stack, and with it a count by less than 1 in 100,000. callgrind runs the program
//! on a CPU of its own, a Haswell, which has AVX2 and no AVX-512: there the library takes its AVX2
//! kernel. The C library would copy long data with one `rep movsb`, which counts as an instruction
//! a byte, so a tunable makes it copy with vectors at every length.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Serialize;

use crate::functions::{LIBRARY, Part, Parts, Program, Shares, in_library, library};
use crate::traffic::{self, Run, Test};
use crate::variants::{VARIANTS, Variant};

/// The kernel that a record is of.
const KERNEL: &str = "x86_avx2";

/// One variant in one test.
#[derive(Clone, Debug, Serialize)]
pub struct Counted {
    pub variant: String,
    pub test: Test,
    pub instructions: Parts,
    /// Bytes of payload that arrived, or exchanges.
    pub amount: u64,
    pub frames: u64,
}

impl Counted {
    pub fn shares(&self) -> Shares {
        Shares::new(self.variant.clone(), self.test, &self.instructions)
    }

    /// Instructions a byte of payload, or an exchange.
    pub fn per_unit(&self) -> f64 {
        self.instructions.all as f64 / self.amount as f64
    }
}

pub fn have_valgrind() -> bool {
    Command::new("valgrind")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// For the program under callgrind: one run, and the facts about it that the caller needs.
pub fn once(variant: &Variant, test: Test, seed: u64) -> Result<()> {
    let mut stack = variant.start(seed);
    let amount = if test.is_stream() { 4 << 20 } else { 2_000 };
    let run = traffic::run(stack.as_mut(), test, amount, false)?;
    println!("kernel {}", wiresum::kernel::in_use().name());
    println!("frames {}", run.frames);
    println!("amount {}", amount_of(test, &run));
    for (offset, part) in library().1 {
        println!("library {offset:#x} {part:?}");
    }
    Ok(())
}

fn amount_of(test: Test, run: &Run) -> u64 {
    if test.is_stream() {
        run.payload
    } else {
        run.exchanges
    }
}

/// Counts all variants in all tests.
pub fn all(seed: u64, folder: &Path) -> Result<Vec<Counted>> {
    ensure!(
        have_valgrind(),
        "valgrind is missing: apt-get install valgrind"
    );
    let mut counted = Vec::new();
    for variant in &VARIANTS {
        for test in Test::ALL {
            eprintln!("counting: {}, {}", variant.name(), test.name());
            counted.push(count(variant, test, seed, folder)?);
        }
    }
    Ok(counted)
}

fn count(variant: &Variant, test: Test, seed: u64, folder: &Path) -> Result<Counted> {
    let out = folder.join(format!(
        "callgrind-{}-{}.out",
        variant.name().replace('/', "-"),
        test.name().replace(' ', "-")
    ));
    let program = std::env::current_exe()?;
    let output = Command::new("valgrind")
        .env_clear() // its length moves the stack
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .env(
            "GLIBC_TUNABLES",
            "glibc.cpu.x86_rep_movsb_threshold=1000000",
        )
        .args([
            "-q",
            "--tool=callgrind",
            "--dump-instr=yes",
            "--compress-strings=no",
            "--compress-pos=no",
            "--collect-atstart=no",
            "--toggle-collect=wiresum_bench_measured",
        ])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(&program)
        .args(["once", "--variant", &variant.name()])
        .args(["--seed", &seed.to_string()])
        .args(["--test", &test.key()])
        .output()
        .context("valgrind")?;
    ensure!(
        output.status.success(),
        "valgrind: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let fact = |name: &str| {
        said.lines()
            .find_map(|line| line.strip_prefix(name))
            .map(str::trim)
            .with_context(|| format!("the program under callgrind did not print \"{name}\""))
    };
    ensure!(
        fact("kernel")? == KERNEL,
        "the kernel under callgrind is {}, and counts are of {KERNEL}: count on a CPU with AVX2",
        fact("kernel")?
    );
    Ok(Counted {
        variant: variant.name(),
        test,
        instructions: parts(&std::fs::read_to_string(&out)?, &program, &said)?,
        amount: fact("amount")?.parse()?,
        frames: fact("frames")?.parse()?,
    })
}

/// Reads callgrind's file: the instructions at each address, by the part that the address is in.
fn parts(text: &str, program: &Path, said: &str) -> Result<Parts> {
    let mut functions = BTreeMap::new();
    for line in said.lines() {
        let library = line.strip_prefix("library 0x");
        if let Some((offset, name)) = library.and_then(|rest| rest.split_once(' ')) {
            let known = LIBRARY.iter().map(|(_, part)| *part);
            let part = known.into_iter().find(|part| format!("{part:?}") == name);
            let offset = u64::from_str_radix(offset, 16)?;
            functions.insert(offset, part.unwrap_or(Part::Other));
        }
    }
    let mut own = Program::load()?;
    let name = program.display().to_string();
    let mut parts = Parts::default();
    let (mut object, mut is_call) = (String::new(), false);
    for line in text.lines() {
        if let Some(of) = line.strip_prefix("ob=") {
            object = of.to_owned();
        } else if line.starts_with("calls=") {
            is_call = true; // the next line has the cost of the called function, counted there
        } else if line.starts_with("0x") {
            if std::mem::take(&mut is_call) {
                continue;
            }
            let mut words = line.split_whitespace();
            let (Some(address), Some(cost)) = (words.next(), words.nth(1)) else {
                continue;
            };
            let address = u64::from_str_radix(&address[2..], 16)?;
            let part = if object == name {
                own.part(address)
            } else if object.contains("libc.so") || object.contains("libc-") {
                in_library(&functions, address)
            } else {
                Part::Other
            };
            parts.add(part, cost.parse()?);
        }
    }
    ensure!(parts.all > 0, "callgrind counted nothing");
    Ok(parts)
}

/// The table of a record: instructions a byte of payload, or an exchange.
pub fn table(counted: &[Counted]) -> String {
    let mut lines = vec![
        "| instructions | bulk, a byte | mixed, a byte | jumbo 8000, a byte | jumbo 9000, a byte \
         | interactive, an exchange | connect, a connection |"
            .to_owned(),
        "|---|---:|---:|---:|---:|---:|---:|".to_owned(),
    ];
    let order = [
        Test::Bulk,
        Test::Mixed,
        Test::Jumbo8000,
        Test::Jumbo9000,
        Test::Interactive,
        Test::Connect,
    ];
    for variant in &VARIANTS {
        let cells = order.map(|test| {
            let row = counted
                .iter()
                .find(|row| row.variant == variant.name() && row.test == test)
                .map(Counted::per_unit);
            row.map_or(String::new(), |count| {
                if test.is_stream() {
                    format!("{count:.2}")
                } else {
                    format!("{count:.0}")
                }
            })
        });
        let (stack, about) = (variant.stack, variant.about);
        lines.push(format!(
            "| {stack} {}: {about} | {} |",
            variant.key,
            cells.join(" | ")
        ));
    }
    lines.join("\n")
}
