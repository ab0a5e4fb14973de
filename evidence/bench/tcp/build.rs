// SPDX-License-Identifier: MIT OR Apache-2.0
//! Builds lwIP once a variant, side by side: all symbols of a build become local to it, except for
//! its `struct stack`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

const CRATE: &str = "lwip-0.4.0"; // as Cargo.toml pins it
const FRAMES: &str = "4096"; // src/network.rs has the same
const WINDOW: &str = "(64 * 1024)"; // src/stacks/smoltcp.rs has the same

/// The variant, and what its build defines (lwip/lwipopts.h).
const VARIANTS: [(&str, &str, Option<&str>); 8] = [
    ("stock1", "VARIANT_STOCK", Some("1")),
    ("stock2", "VARIANT_STOCK", Some("2")),
    ("stock3", "VARIANT_STOCK", Some("3")),
    ("stock2_copy", "VARIANT_STOCK_COPY", None),
    ("scalar", "VARIANT_SCALAR", None),
    ("wiresum", "VARIANT_WIRESUM", None),
    ("wiresum_copy", "VARIANT_WIRESUM_COPY", None),
    ("off", "VARIANT_OFF", None),
];

const SOURCES: [&str; 16] = [
    "core/init.c",
    "core/def.c",
    "core/inet_chksum.c",
    "core/ip.c",
    "core/ipv4/ip4.c",
    "core/ipv4/ip4_addr.c",
    "core/mem.c",
    "core/memp.c",
    "core/netif.c",
    "core/pbuf.c",
    "core/stats.c",
    "core/sys.c",
    "core/tcp.c",
    "core/tcp_in.c",
    "core/tcp_out.c",
    "core/timeouts.c",
];

fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}

/// The folder `src` of lwIP 2.2: the user's LWIP_DIR, or the folder of the crate in cargo's
/// registry.
fn lwip() -> PathBuf {
    println!("cargo::rerun-if-env-changed=LWIP_DIR");
    if let Some(given) = env::var_os("LWIP_DIR") {
        let folder = PathBuf::from(given).join("src");
        assert!(
            folder.join("core/tcp.c").exists(),
            "LWIP_DIR has no src/core/tcp.c: it has to name a source tree of lwIP 2.2"
        );
        return folder;
    }
    in_registry().unwrap_or_else(|| {
        let fetched = Command::new(variable("CARGO"))
            .args(["fetch", "--quiet", "--locked", "--manifest-path"])
            .arg(Path::new(&variable("CARGO_MANIFEST_DIR")).join("Cargo.toml"))
            .status();
        assert!(
            fetched.is_ok_and(|status| status.success()),
            "cargo fetch could not get {CRATE}, which holds lwIP's sources; or set LWIP_DIR to a \
             source tree of lwIP 2.2"
        );
        in_registry().unwrap_or_else(|| {
            panic!("cargo fetch got {CRATE}, but cargo's registry does not have it; set LWIP_DIR")
        })
    })
}

fn in_registry() -> Option<PathBuf> {
    let home = env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| env::home_dir().map(|home| home.join(".cargo")))?;
    std::fs::read_dir(home.join("registry/src"))
        .ok()?
        .filter_map(Result::ok)
        .map(|registry| registry.path().join(CRATE).join("src"))
        .find(|folder| folder.join("core/tcp.c").exists())
}

fn run(command: &mut Command) {
    let shown = format!("{command:?}");
    match command.status() {
        Ok(status) if status.success() => {}
        Ok(status) => panic!("{shown}: {status}"),
        Err(error) => panic!("{shown}: {error} (binutils are needed)"),
    }
}

fn first_line(command: &mut Command) -> String {
    let output = command
        .output()
        .map(|output| output.stdout)
        .unwrap_or_default();
    String::from_utf8_lossy(&output)
        .lines()
        .next()
        .unwrap_or("unknown")
        .to_owned()
}

/// The version in lwIP's own header.
fn version(lwip: &Path) -> String {
    let text = std::fs::read_to_string(lwip.join("include/lwip/init.h")).unwrap_or_default();
    let number = |name: &str| {
        let line = text
            .lines()
            .find(|line| line.contains(&format!("define LWIP_VERSION_{name} ")))?;
        line.split_whitespace().last()
    };
    ["MAJOR", "MINOR", "REVISION"]
        .map(|name| number(name).unwrap_or("?").to_owned())
        .join(".")
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=lwip");
    println!("cargo::rerun-if-changed=../../../c/include");
    let lwip = lwip();
    let out = PathBuf::from(variable("OUT_DIR"));
    let include = variable("DEP_WIRESUM_INCLUDE");

    let mut archive = cc::Build::new();
    for (name, define, value) in VARIANTS {
        let folder = out.join(name);
        std::fs::create_dir_all(&folder)
            .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let exported = format!("wiresum_bench_lwip_{name}");
        let objects = cc::Build::new()
            .files(SOURCES.iter().map(|source| lwip.join(source)))
            .file("lwip/port.c")
            .include("lwip")
            .include(lwip.join("include"))
            .include(&include)
            .std("gnu11")
            .opt_level(2)
            .warnings(false)
            .flag("-w") // lwIP's warnings are lwIP's
            .define(define, value)
            .define("STACK", exported.as_str())
            .define("FRAMES", FRAMES)
            .define("WINDOW", WINDOW)
            .out_dir(&folder)
            .compile_intermediates();
        let linked = out.join(format!("{name}.o"));
        run(Command::new("ld")
            .arg("-r")
            .arg("-o")
            .arg(&linked)
            .args(&objects));
        run(Command::new("objcopy")
            .arg(format!("--keep-global-symbol={exported}"))
            .arg(&linked));
        archive.object(&linked);
    }
    archive.compile("wiresum_bench_lwip");

    // The facts of this build for results.rs.
    let compiler = cc::Build::new().get_compiler();
    println!(
        "cargo::rustc-env=C_COMPILER={} -O2",
        first_line(compiler.to_command().arg("--version"))
    );
    println!(
        "cargo::rustc-env=RUST_COMPILER={}",
        first_line(Command::new(variable("RUSTC")).arg("--version"))
    );
    println!("cargo::rustc-env=LWIP_VERSION={}", version(&lwip));
}
