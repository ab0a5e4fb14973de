// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum explain`: a bad packet of every cause, and packets of real captures.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::cmd::Command;
use snapbox::{file, str};
use wiresum_packet::{Cause, LinkType};

use super::{common, wiresum};

fn explain(folder: &Path, arguments: &[&str]) -> Command {
    wiresum(&["explain"]).current_dir(folder).args(arguments)
}

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples")
}

/// For each cause, the beginning of the description of a case in `frames.txt`.
const CAUSES: [(&str, &str); 24] = [
    ("offload", "TCP that holds the sum of the pseudo-header"),
    ("negative-zero", "TCP with 0xffff for 0x0000"),
    ("udp-zero", "UDP over IPv6 with 0x0000 for the 0xffff"),
    ("zeroed", "zeroed"),
    ("rewritten", "source address rewritten"),
    ("not-complemented", "not complemented"),
    ("byte-swapped", "byte-swapped"),
    ("no-pseudo-header", "without the pseudo-header"),
    ("next-hop", "IPv6 routing header, one segment left, summed"),
    ("wrong-length", "the length of the IPv4 packet"),
    ("padding", "padding summed after an odd length"),
    ("header-changed", "time to live one less"),
    ("one-bit", "TCP with the last bit flipped"),
    ("one-byte", "one byte, the first of its word"),
    ("unknown", "anything"),
    ("adler-32", "SCTP with Adler-32"),
    ("one-bit", "SCTP with one bit flipped"),
    ("no-carry", "three carries left out"),
    ("unknown", "the source port, 1000, left out of the first"),
    ("unknown", "the source port, 1000, left out of the second"),
    (
        "same-difference",
        "the source port, 1000, left out of the third",
    ),
    (
        "one-bit",
        "a carry of a little-endian machine lost in the first",
    ),
    (
        "one-bit",
        "a carry of a little-endian machine lost in the second",
    ),
    (
        "same-difference",
        "a carry of a little-endian machine lost in the third",
    ),
];

/// The folder of `causes.pcap`, which has the frames of these cases in their order.
fn causes() -> &'static Path {
    static FOLDER: std::sync::OnceLock<PathBuf> = std::sync::OnceLock::new();
    FOLDER.get_or_init(|| {
        let cases = common::frames();
        let named = |(_, about): &(&str, &str)| {
            let case = cases.iter().find(|case| case.about.starts_with(about));
            case.unwrap_or_else(|| panic!("frames.txt has no {about}"))
        };
        let cases: Vec<_> = CAUSES.iter().map(named).collect();
        let frames = cases
            .iter()
            .map(|case| (&case.data[..], case.frame().original_len));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("explain");
        fs::create_dir_all(&folder).expect("a scratch folder");
        let file = common::pcap(LinkType::ETHERNET, frames);
        fs::write(folder.join("causes.pcap"), file).expect("a scratch file");
        folder
    })
}

#[test]
fn explains_every_cause() {
    explain(causes(), &["causes.pcap", "1-99"])
        .assert()
        .code(0)
        .stdout_eq(file!["explain/causes.txt"])
        .stderr_eq(str![""]);
    let text = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/explain/causes.txt"),
    );
    let text = text.expect("the expectation");
    for cause in Cause::KEYS {
        let shown = text.contains(&format!("bad ({cause})"))
            || text.contains(&format!("illegal ({cause})"));
        assert!(shown, "no example of {cause}");
    }
}

#[test]
fn explains_a_packet_before_its_offload() {
    explain(&examples(), &["office.pcapng", "22"])
        .assert()
        .code(0)
        .stdout_eq(file!["explain/office.txt"])
        .stderr_eq(str![""]);
}

#[test]
fn explains_a_datagram_by_any_of_its_fragments() {
    explain(&examples(), &["fragments.pcap", "7", "--field", "icmp"])
        .assert()
        .code(0)
        .stdout_eq(file!["explain/fragments.txt"])
        .stderr_eq(str![""]);
}

#[test]
fn prints_json() {
    explain(
        &examples(),
        &[
            "corrupted.pcap",
            "44",
            "--layer",
            "1",
            "--field",
            "ipv4",
            "--json",
        ],
    )
    .assert()
    .code(0)
    .stdout_eq(file!["explain/corrupted.json"])
    .stderr_eq(str![""]);
}

#[test]
fn tells_that_the_options_leave_nothing() {
    explain(causes(), &["causes.pcap", "1", "--field", "gre"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
causes.pcap, frame 1: 56 bytes, Ethernet, 1970-01-01T00:00:00.000000Z
  Layers: Ethernet > ipv4 > tcp.
  The frame has no checksum of that layer and protocol.

"#]])
        .stderr_eq(str![""]);
}

#[test]
fn errors_tell_what_to_change() {
    explain(causes(), &["causes.pcap", "25"])
        .assert()
        .code(2)
        .stdout_eq(str![""])
        .stderr_eq(str![[r#"
wiresum: explain: causes.pcap has 24 frames; there is no frame 25

"#]]);
    explain(causes(), &["causes.pcap", "7-3"])
        .assert()
        .code(2)
        .stderr_eq(str![[r#"
error: invalid value '7-3' for '<N>...': the range ends before it begins; give the lower number first

For more information, try '--help'.

"#]]);
    explain(causes(), &["causes.pcap", "first"])
        .assert()
        .code(2)
        .stderr_eq(str![[r#"
error: invalid value 'first' for '<N>...': give a number such as 7, or a range such as 7-9

For more information, try '--help'.

"#]]);
    explain(causes(), &["nowhere.pcap", "1"])
        .assert()
        .code(2)
        .stderr_eq(str![[r#"
wiresum: explain: nowhere.pcap: No such file or directory (os error 2)

"#]]);
}

/// The sum of the rows that `explain` shows leads to the expected value of the verdict, in all
/// example captures.
#[test]
fn shows_the_sums_that_were_judged() {
    let mut checked = 0;
    for entry in fs::read_dir(examples()).expect("a folder") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_string_lossy();
        if !name.ends_with(".pcap") && !name.ends_with(".pcapng") {
            continue;
        }
        let output = explain(&examples(), &[&*name, "1-99999", "--json"]).output();
        let output = output.expect("it ran");
        assert!(output.status.success(), "{name}");
        let frames: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        for frame in frames.as_array().expect("a list") {
            for checksum in frame["checksums"].as_array().expect("a list") {
                let (Some(sum), Some(expected)) =
                    (checksum["sum"].as_u64(), checksum["expected"].as_u64())
                else {
                    continue;
                };
                let mut folded = sum;
                while folded > 0xffff {
                    folded = (folded & 0xffff) + (folded >> 16);
                }
                let complement = 0xffff - folded;
                let udp = checksum["protocol"] == "udp" && complement == 0;
                assert_eq!(
                    if udp { 0xffff } else { complement },
                    expected,
                    "{name}: {frame}"
                );
                checked += 1;
            }
        }
    }
    assert!(checked > 3000, "only {checked} sums");
}

/// A sender and a receiver both leave the sum of the pseudo-header in a packet. The length, the
/// time to live and what the capture says of the direction tell them apart.
#[test]
fn tells_a_packet_merged_on_receipt_from_one_that_was_sent() {
    const COOKED: &[u8] = &[0, 0, 0, 1, 0, 6, 2, 0, 0, 0, 0, 1, 0, 0, 8, 0];
    const SENT: &str = "the network card was to finish the checksum. ";
    const MERGED: &str = "the packet was merged on receipt. ";
    const LEFT: &str = "the checksum was left to the network card. ";
    let sent = |device: u8| {
        let mut header = COOKED.to_vec();
        (header[1], header[2], header[3]) = (4, device, device);
        header
    };
    let loopback = [&[0, 0, 3, 4], &COOKED[4..]].concat();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("coalesced");
    fs::create_dir_all(&folder).expect("a scratch folder");
    for (link, header, ttl, len, about, words) in [
        (
            LinkType::RAW,
            &[][..],
            57,
            2960,
            MERGED,
            "With a time to live of 57",
        ),
        (
            LinkType::RAW,
            &[],
            57,
            400,
            LEFT,
            "or the router is the machine",
        ),
        (
            LinkType::RAW,
            &[],
            64,
            400,
            SENT,
            "on the machine that sent it",
        ),
        (LinkType::RAW, &[], 64, 2960, LEFT, "If it was received"),
        (
            LinkType::LINUX_SLL,
            COOKED,
            64,
            2960,
            MERGED,
            "says that the packet was received",
        ),
        (
            LinkType::LINUX_SLL,
            COOKED,
            64,
            400,
            LEFT,
            "from a guest or a container",
        ),
        (
            LinkType::LINUX_SLL,
            &sent(1),
            57,
            2960,
            SENT,
            "says that the packet was sent here",
        ),
        (
            LinkType::LINUX_SLL,
            &loopback,
            64,
            400,
            SENT,
            "says that the packet was sent here",
        ),
    ] {
        let frame = [header, &left_to_the_card(ttl, len)].concat();
        let file = common::pcap(link, [(&frame[..], frame.len())]);
        fs::write(folder.join("one.pcap"), file).expect("a scratch file");
        let output = explain(&folder, &["--json", "--field", "tcp", "one.pcap", "1"]).output();
        let json: serde_json::Value =
            serde_json::from_slice(&output.expect("it runs").stdout).expect("JSON");
        let checksum = &json[0]["checksums"][0];
        assert_eq!(checksum["why"], "offload", "{checksum}");
        let verdict = checksum["verdict"].as_str().expect("a sentence");
        assert!(verdict.starts_with(&format!("Bad: {about}")), "{verdict}");
        assert!(verdict.contains(words), "{verdict}");
        assert!(
            verdict.contains("nothing was wrong on the wire."),
            "{verdict}"
        );
    }
}

/// An IPv4 packet of TCP whose checksum field holds the sum of the pseudo-header.
fn left_to_the_card(ttl: u8, len: u16) -> Vec<u8> {
    let (source, destination) = ([192, 0, 2, 1], [192, 0, 2, 2]);
    let words = [0xc000, 0x0201, 0xc000, 0x0202, 6, u32::from(len) - 20];
    let sum: u32 = words.iter().sum();
    let seed = ((sum & 0xffff) + (sum >> 16)) as u16;
    let mut packet = vec![0x45, 0];
    packet.extend(len.to_be_bytes());
    packet.extend([0, 1, 0, 0, ttl, 6, 0, 0]);
    packet.extend([source, destination].concat());
    packet.extend([0, 80, 0x80, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0x50, 0x10, 4, 0]);
    packet.extend(seed.to_be_bytes());
    packet.resize(len.into(), 7);
    packet
}

/// The sum that is shown is the one that was accepted: a checksum that is good in the second way of
/// computing it, and one that holds the other zero.
#[test]
fn shows_the_sum_that_was_accepted() {
    let cases = common::frames();
    let of = |about: &str| {
        let case = cases.iter().find(|case| case.about == about);
        let case = case.unwrap_or_else(|| panic!("frames.txt has no {about}"));
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("accepted");
        fs::create_dir_all(&folder).expect("a scratch folder");
        let name = format!("{}.pcap", about.len());
        let file = common::pcap(
            LinkType(case.link_type),
            [(&case.data[..], case.frame().original_len)],
        );
        fs::write(folder.join(&name), file).expect("a scratch file");
        let output = explain(&folder, &["--json", &name, "1"]).output();
        let json: serde_json::Value =
            serde_json::from_slice(&output.expect("it runs").stdout).expect("JSON");
        let checksums = json[0]["checksums"].as_array().expect("checksums").clone();
        let is_it = |checksum: &&serde_json::Value| checksum["protocol"] != "ipv4";
        checksums.iter().find(is_it).expect("a checksum").clone()
    };
    for (about, words) in [
        (
            "PIM Register summed as a whole, which receivers accept",
            "The sum covers the whole Register.",
        ),
        (
            "VRRP version 3 over IPv4 without a pseudo-header, which receivers accept",
            "The sum covers no pseudo-header.",
        ),
    ] {
        let checksum = of(about);
        assert_eq!(checksum["status"], "good", "{about}");
        assert_eq!(checksum["expected"], checksum["found"], "{about}");
        let verdict = checksum["verdict"].as_str().expect("a sentence");
        assert!(verdict.contains(words), "{verdict}");
    }
    let checksum = of("IGMP with 0xffff for 0x0000, which receivers accept");
    assert_eq!(checksum["status"], "good");
    let verdict = checksum["verdict"].as_str().expect("a sentence");
    assert!(verdict.contains("both 0 in one's complement"), "{verdict}");
}

/// The layers name a tunnel that has no checksum of its own, and one that has one only once.
#[test]
fn layers_name_the_tunnels() {
    let cases = common::frames();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tunnels");
    fs::create_dir_all(&folder).expect("a scratch folder");
    for (about, layers) in [
        ("GRE", "Ethernet > ipv4 > GRE > ipv4 > tcp"),
        ("VXLAN", "Ethernet > ipv4 > udp > VXLAN > ipv4 > tcp"),
        ("GTP-U", "Ethernet > ipv4 > udp > GTP-U > ipv4 > tcp"),
        (
            "CAPWAP that carries 802.11",
            "Ethernet > ipv4 > udp > CAPWAP > ipv4 > tcp",
        ),
        ("IPv6 in IPv4", "Ethernet > ipv4 > ipv6 > udp"),
    ] {
        let case = cases.iter().find(|case| case.about.starts_with(about));
        let case = case.unwrap_or_else(|| panic!("frames.txt has no {about}"));
        let file = common::pcap(
            LinkType(case.link_type),
            [(&case.data[..], case.frame().original_len)],
        );
        fs::write(folder.join("one.pcap"), file).expect("a scratch file");
        let output = explain(&folder, &["one.pcap", "1"]).output();
        let text = String::from_utf8(output.expect("it runs").stdout).expect("UTF-8");
        assert!(
            text.contains(&format!("Layers: {layers}.")),
            "{about}: {text}"
        );
    }
}
