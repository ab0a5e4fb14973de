// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compiles the timed loops, and notes the compilers and the commit.

use std::env;
use std::path::PathBuf;
use std::process::Command;

/// The first line that a command prints; none if it fails.
fn first_line(command: &mut Command) -> Option<String> {
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().next().map(str::to_owned)
}

fn main() {
    println!("cargo::rerun-if-changed=loops.c");
    println!("cargo::rerun-if-changed=build.rs");
    let include = env::var_os("DEP_WIRESUM_INCLUDE").expect("wiresum-sys says where its header is");
    let mut build = cc::Build::new();
    build
        .file("loops.c")
        .include(PathBuf::from(include))
        .std("gnu11")
        .opt_level(2);
    build.compile("wiresum_bench");

    // wiresum-sys is built with the same crate, so by the same compiler.
    let compiler = first_line(Command::new(build.get_compiler().path()).arg("--version"));
    println!(
        "cargo::rustc-env=WIRESUM_BENCH_CC={}",
        compiler.as_deref().unwrap_or("unknown")
    );
    let rustc =
        first_line(Command::new(env::var_os("RUSTC").unwrap_or("rustc".into())).arg("--version"));
    println!(
        "cargo::rustc-env=WIRESUM_BENCH_RUSTC={}",
        rustc.as_deref().unwrap_or("unknown")
    );

    // Outside of a git checkout, as when built from a registry, there is no commit to name.
    let commit = first_line(Command::new("git").args([
        "describe",
        "--always",
        "--dirty",
        "--abbrev=12",
        "--exclude=*",
    ]));
    println!(
        "cargo::rustc-env=WIRESUM_BENCH_COMMIT={}",
        commit.as_deref().unwrap_or("none")
    );
    for file in ["HEAD", "index"] {
        if let Some(path) = first_line(Command::new("git").args(["rev-parse", "--git-path", file]))
        {
            println!("cargo::rerun-if-changed={path}");
        }
    }
}
