// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program as its users meet it: the real binary, its output and its exit status. Each command
//! has a module.
//!
//! `SNAPSHOTS=overwrite cargo test -p wiresum-cli` writes the program's output into the
//! expectations. Read the difference before you commit it.

#[path = "../../../packet/tests/common/mod.rs"]
mod common;

#[cfg(feature = "bench")]
mod bench;
mod explain;
mod filter;
mod fix;
mod json;
mod kernels;
mod outputs;
#[cfg(feature = "bench")]
mod plan;
mod program;
mod sum;
mod verify;

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::cmd::{Command, cargo_bin};
use wiresum_packet::LinkType;

/// The program, in a folder of captures, without the environment variables that it reads.
fn wiresum(arguments: &[&str]) -> Command {
    Command::new(cargo_bin!("wiresum"))
        .current_dir(folder())
        .env_remove("WIRESUM_KERNEL")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .args(arguments)
}

/// A capture with the cases of `frames.txt` whose descriptions begin with these texts.
fn capture(link_type: u32, beginnings: &[&str]) -> Vec<u8> {
    let cases = common::frames();
    let frames: Vec<_> = beginnings
        .iter()
        .map(|beginning| {
            let case = cases.iter().find(|case| case.about.starts_with(beginning));
            case.unwrap_or_else(|| panic!("frames.txt has no {beginning}"))
        })
        .collect();
    let frames = frames
        .iter()
        .map(|case| (&case.data[..], case.frame().original_len));
    common::pcap(LinkType(link_type), frames)
}

/// A capture with all kinds of verdicts and a truncated record.
fn mixed() -> Vec<u8> {
    let mut file = capture(
        1,
        &[
            "TCP over IPv4",
            "TCP that holds the sum of the pseudo-header",
            "TCP that holds the sum of the pseudo-header without the length",
            "TCP with the last bit flipped",
            "UDP over IPv4 without",
            "UDP over IPv6 without",
            "IPv4 first fragment",
            "snapped after the TCP",
            "IPv6 in IPv4",
            "IPv4 header length of 16",
            "ICMPv6",
        ],
    );
    file.truncate(file.len() - 1);
    file
}

/// A folder of captures, which each process makes once for all its tests.
fn folder() -> PathBuf {
    static FOLDER: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    FOLDER
        .get_or_init(|| {
            let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cli");
            fs::create_dir_all(&folder).expect("a scratch folder");
            let write = |name: &str, bytes: &[u8]| {
                fs::write(folder.join(name), bytes).expect("a scratch file");
            };
            write("mixed.pcap", &mixed());
            write("good.pcap", &capture(1, &["TCP over IPv4", "VLAN", "ICMP"]));
            write(
                "offload.pcap",
                &capture(
                    1,
                    &[
                        "TCP over IPv4",
                        "TCP that holds the sum of the pseudo-header",
                    ],
                ),
            );
            write(
                "opaque.pcap",
                &capture(
                    1,
                    &[
                        "TCP over IPv4",
                        "IPv4 later fragment",
                        "ESP over IPv4",
                        "ESP over IPv6",
                        "an EtherType that no standard names",
                        "ARP",
                    ],
                ),
            );
            write("bluetooth.pcap", &capture(147, &["an unknown link type"]));
            fs::create_dir_all(folder.join("no-captures")).expect("a scratch folder");
            write("no-captures/notes", b"This is no capture either.\n");
            write("empty.pcap", b"");
            write("nothing.pcap", &capture(1, &[]));
            write(
                "text.pcap",
                b"This is not a capture, whatever its name says.\n",
            );
            write(
                "packed.pcap.gz",
                b"\x1f\x8b\x08\0\0\0\0\0\0\x03 and so on, compressed",
            );
            write(
                "odd \"name\", <b>&.pcap",
                &capture(1, &["UDP over IPv6 without"]),
            );
            write("bytes", &[0x1c, 0x46]);
            folder
        })
        .clone()
}

/// A new folder with copies of these captures, for a test that writes files.
fn scratch(name: &str, captures: &[&str]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("scratch")
        .join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a scratch folder");
    for capture in captures {
        fs::copy(folder().join(capture), path.join(capture)).expect("a copy");
    }
    path
}

fn wiresum_in(folder: &Path, arguments: &[&str]) -> Command {
    wiresum(arguments).current_dir(folder)
}

/// The names in a folder, in their order.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<_> = names
        .map(|name| name.into_string().expect("a name"))
        .collect();
    names.sort();
    names
}

/// A terminal: its two ends. What holds the second end sees a terminal.
#[cfg(target_os = "linux")]
fn terminal() -> (fs::File, fs::File) {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let here = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&here).expect("the right to it");
    unlockpt(&here).expect("an open end");
    let name = ptsname(&here, Vec::new()).expect("its name");
    let name = name.into_string().expect("text");
    let there = fs::OpenOptions::new().read(true).write(true).open(name);
    (here.into(), there.expect("its other end"))
}
