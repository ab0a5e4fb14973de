// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds the C library: compiles every `.c` file of `src` and `kernels` with the same flags.

use std::env;
use std::fs;
use std::path::PathBuf;

fn main() {
    let here =
        PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR"));
    // Dependents that compile C find the folder of the headers in DEP_WIRESUM_INCLUDE.
    println!("cargo::metadata=include={}", here.join("include").display());
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=include");

    let mut build = cc::Build::new();
    build
        .include("include")
        .std("c11")
        .opt_level(3)
        .flag_if_supported("-fvisibility=hidden");
    if env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("none") {
        // Bare metal has the headers of the compiler, and none of a libc.
        build.flag_if_supported("-ffreestanding");
    }
    // A target of Rust without SSE2 is the kernel of an operating system. Its C code must not touch
    // the registers of the program that it interrupts, nor write below the stack pointer, where an
    // interrupt writes.
    let features = env::var("CARGO_CFG_TARGET_FEATURE").unwrap_or_default();
    if env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("x86_64")
        && !features.split(',').any(|feature| feature == "sse2")
    {
        for flag in ["-mno-sse", "-mno-mmx", "-mno-80387", "-mno-red-zone"] {
            build.flag_if_supported(flag);
        }
    }
    for folder in ["src", "kernels"] {
        println!("cargo::rerun-if-changed={folder}");
        let mut files: Vec<PathBuf> = fs::read_dir(folder)
            .unwrap_or_else(|error| panic!("{folder}: {error}"))
            .map(|entry| {
                entry
                    .unwrap_or_else(|error| panic!("{folder}: {error}"))
                    .path()
            })
            .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
            .collect();
        files.sort(); // every file system gives the same archive
        build.files(files);
    }
    // Miri cannot run C, and its target may have no C compiler.
    if env::var_os("CARGO_CFG_MIRI").is_none() {
        build.compile("wiresum");
    }
}
