// SPDX-License-Identifier: MIT OR Apache-2.0
//! Compiles the kernel's part of `verify --live --xdp`. Without the feature `xdp` no compiler is
//! called.

use std::env;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_XDP").is_none() {
        return;
    }
    println!("cargo:rerun-if-changed=bpf");
    println!("cargo:rerun-if-env-changed=CLANG");
    let variable = |name| env::var(name).expect("cargo sets it");
    let target = match &*variable("CARGO_CFG_TARGET_ENDIAN") {
        "big" => "bpfeb",
        _ => "bpfel",
    };
    // <linux/bpf.h> includes headers of the machine, for which Debian has a folder of their own.
    let headers = format!(
        "-I/usr/include/{}-linux-gnu",
        variable("CARGO_CFG_TARGET_ARCH")
    );
    let object = Path::new(&variable("OUT_DIR")).join("xdp_live.o");
    let clang = env::var("CLANG").unwrap_or_else(|_| "clang".to_owned());
    let compiled = Command::new(&clang)
        .args(["-O2", "-g", "-target", target, &headers])
        .args(["-c", "bpf/xdp_live.bpf.c", "-o"])
        .arg(object)
        .status();
    match compiled {
        Ok(status) if status.success() => {}
        Ok(status) => panic!(
            "{clang} cannot compile bpf/xdp_live.bpf.c ({status}); Debian has the headers in the \
             packages libbpf-dev and linux-libc-dev"
        ),
        Err(error) => {
            panic!("the feature xdp needs clang: {clang}: {error}; install it, or name it in CLANG")
        }
    }
}
