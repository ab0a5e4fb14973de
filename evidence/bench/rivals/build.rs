// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compiles the rivals in C: the textbook loop at every level of optimization, and DPDK's function
//! from its headers, if they are installed. Links the code of the Linux kernel that
//! `evidence/bench/instructions/linux.py` has built, if it has.

use std::env;
use std::path::Path;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_dpdk, has_linux)");
    let arch = env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=c");
    for level in 0..=3 {
        let mut build = cc::Build::new();
        build
            .file("c/textbook.c")
            .define("NAME", format!("rival_textbook_o{level}").as_str());
        build.opt_level(level).compile(&format!("textbook{level}"));
    }
    if arch == "x86_64" {
        cc::Build::new()
            .file("c/masks.c")
            .opt_level(3)
            .compile("masks");
    }
    // The plain loop, vectorized by the compiler for this CPU.
    println!("cargo::rerun-if-changed=../instructions/plain.c");
    let mut build = cc::Build::new();
    build
        .file("../instructions/plain.c")
        .define("SUFFIX", "vectorized")
        .opt_level(3);
    build.flag_if_supported("-march=native").compile("plain");

    match pkg_config::Config::new()
        .cargo_metadata(false)
        .probe("libdpdk")
    {
        Ok(dpdk) => {
            let mut build = cc::Build::new();
            build
                .file("c/dpdk.c")
                .opt_level(3)
                .includes(&dpdk.include_paths)
                .warnings(false);
            // The flags of DPDK's own .pc file.
            build
                .flag("-include")
                .flag("rte_config.h")
                .flag_if_supported("-march=corei7");
            build.compile("dpdk");
            println!("cargo::rustc-cfg=has_dpdk");
            println!("cargo::rustc-env=RIVAL_DPDK={}", dpdk.version);
        }
        Err(_) => println!(
            "cargo::rustc-env=RIVAL_DPDK=libdpdk-dev is not installed: apt-get install libdpdk-dev"
        ),
    }

    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    let folder = root.join("build/linux").join(arch);
    let objects = [folder.join("linux.o"), folder.join("rival.o")];
    for object in &objects {
        println!("cargo::rerun-if-changed={}", object.display());
    }
    if objects.iter().all(|object| object.exists()) {
        let mut build = cc::Build::new();
        build.objects(&objects).compile("linux");
        println!("cargo::rustc-cfg=has_linux");
    }
}
