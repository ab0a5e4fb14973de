// SPDX-License-Identifier: MIT OR Apache-2.0
//! The program as its users meet it: the real binary, what it prints, and its exit status.
//!
//! `SNAPSHOTS=overwrite cargo test -p wiresum-cli` writes what it prints now into the expectations below; read the difference before
//! committing it.

#[path = "../../packet/tests/common/mod.rs"]
mod common;

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::cmd::{Command, cargo_bin};
use snapbox::str;
use wiresum_packet::LinkType;

/// The program, in a folder of captures, with nothing in its environment that matters.
fn wiresum(arguments: &[&str]) -> Command {
    Command::new(cargo_bin!("wiresum"))
        .current_dir(folder())
        .env_remove("WIRESUM_KERNEL")
        .env_remove("NO_COLOR")
        .env_remove("CLICOLOR_FORCE")
        .args(arguments)
}

/// The cases of `frames.txt` whose descriptions begin so, as a capture.
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

/// All kinds of verdicts, and a record that is cut short.
fn mixed() -> Vec<u8> {
    let mut file = capture(
        1,
        &[
            "TCP over IPv4",
            "TCP that holds the sum of the pseudo-header",
            "TCP that holds the sum of the pseudo-header without",
            "TCP with the last bit flipped",
            "UDP over IPv4 without",
            "UDP over IPv6 without",
            "IPv4 first fragment",
            "snapped behind the TCP",
            "IPv6 in IPv4",
            "IPv4 header length of 16",
            "ICMPv6",
        ],
    );
    file.truncate(file.len() - 1);
    file
}

/// A folder of captures, made afresh by each process; the tests of one process share it.
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
            write("bluetooth.pcap", &capture(147, &["an unknown link type"]));
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

// ------------------------------------------------------------------------------------------------------ verify

#[test]
fn verify_prints_a_table() {
    wiresum(&["verify", "mixed.pcap"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
mixed.pcap: 10 packets, 582 B captured
  malformed: IPv4 header length below 20 (1)
  malformed: truncated record (1)
  protocol  good  bad  unverified  absent  illegal  why
  ipv4         8    0           0       0        0
  tcp          1    3           1       0        0  bad (offload): 1, bad (offload without length): 1, bad (one-bit): 1, unverified (snapped): 1
  udp          0    1           1       1        1  bad (offload): 1, unverified (fragment): 1
5 bad or illegal; --allow offload accepts 3 of them.

"#]])
        .stderr_eq(str![""]);
}

/// A capture that grows: what is bad comes out as it comes in, and ctrl-C ends it as the end of the file would.
#[cfg(unix)]
#[test]
fn verify_follows_a_capture() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    let offload = ["TCP that holds the sum of the pseudo-header"];
    let file = capture(1, &[offload[0], offload[0]]);
    let path = folder().join("growing.pcap");
    let (first, rest) = file.split_at(24 + (file.len() - 24) / 2 + 7); // in the midst of the second record's header
    fs::write(&path, first).expect("a scratch file");
    let mut child = Command::new(cargo_bin!("wiresum"))
        .current_dir(folder())
        .args(["verify", "--follow", "--list", "growing.pcap"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let mut next = || lines.next().expect("a line").expect("text");
    assert!(next().starts_with("growing.pcap:1  "));
    let mut growing = fs::OpenOptions::new()
        .append(true)
        .open(&path)
        .expect("the file");
    growing.write_all(rest).expect("to append");
    assert!(next().starts_with("growing.pcap:2  "));
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill").success());
    assert_eq!(child.wait().expect("its end").code(), Some(1));
    assert!(lines.next().is_none());
}

// --------------------------------------------------------------------------------------------------- fix, undo

/// A folder of its own for each test that writes, with these captures.
fn scratch(name: &str, captures: &[&str]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("fix")
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

#[test]
fn fix_tells_what_it_did() {
    let folder = scratch("tells", &["mixed.pcap"]);
    wiresum_in(&folder, &["fix", "mixed.pcap", "fixed.pcap"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
mixed.pcap > fixed.pcap: 10 packets, 5 changed
  malformed: IPv4 header length below 20 (1)
  malformed: truncated record (1)
  protocol  what        checksums  why
  tcp       repaired            2  offload
  tcp       repaired            1  one-bit
  udp       repaired            1  illegal
  udp       repaired            1  offload
  tcp       unverified          1  snapped
  udp       unverified          1  fragment
Nothing is bad any more.

"#]])
        .stderr_eq(str![""]);
    wiresum_in(
        &folder,
        &[
            "fix",
            "--only",
            "offload",
            "--json",
            "mixed.pcap",
            "some.pcap",
        ],
    )
    .assert()
    .code(1)
    .stdout_eq(str![[r#"
{
  "schema": 1,
  "input": "mixed.pcap",
  "output": "some.pcap",
  "packets": 10,
  "changed_packets": 3,
  "changed_flags": 0,
  "repaired": {
    "tcp": {
      "offload": 2
    },
    "udp": {
      "offload": 1
    }
  },
  "left": {
    "tcp": {
      "one-bit": 1
    },
    "udp": {
      "illegal": 1
    }
  },
  "unverified": {
    "tcp": {
      "snapped": 1
    },
    "udp": {
      "fragment": 1
    }
  },
  "malformed_by": {
    "IPv4 header length below 20": 1,
    "truncated record": 1
  }
}

"#]])
    .stderr_eq(str![""]);
    wiresum_in(&folder, &["verify", "--allow", "offload", "fixed.pcap"])
        .assert()
        .code(0);
    wiresum_in(&folder, &["fix", "--dry-run", "fixed.pcap"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
fixed.pcap (nothing is written): 10 packets, 0 changed
  malformed: IPv4 header length below 20 (1)
  malformed: truncated record (1)
  protocol  what        checksums  why
  tcp       unverified          1  snapped
  udp       unverified          1  fragment
Nothing was to repair.

"#]]);
}

#[test]
fn fix_and_undo_restore() {
    let folder = scratch("undo", &["mixed.pcap", "good.pcap"]);
    let original = fs::read(folder.join("mixed.pcap")).expect("a file");
    wiresum_in(
        &folder,
        &["fix", "--in-place", "--undo", "record", "mixed.pcap"],
    )
    .assert()
    .code(0);
    assert!(fs::read(folder.join("mixed.pcap")).expect("a file") != original);
    wiresum_in(&folder, &["undo", "record", "good.pcap", "restored.pcap"])
        .assert()
        .code(2)
        .stderr_eq(str![[r#"
wiresum: undo: good.pcap: it is not the capture that this undo record was made for: byte 162 is 0x50, not 0xbb

"#]]);
    assert!(!folder.join("restored.pcap").exists());
    wiresum_in(&folder, &["undo", "record", "mixed.pcap"])
        .assert()
        .code(0);
    assert!(fs::read(folder.join("mixed.pcap")).expect("a file") == original);
    // The restored one is not what the record is to be applied to.
    wiresum_in(&folder, &["undo", "record", "mixed.pcap"])
        .assert()
        .code(2);
    fs::write(
        folder.join("cut"),
        &fs::read(folder.join("record")).expect("a file")[..40],
    )
    .expect("a file");
    wiresum_in(&folder, &["undo", "cut", "mixed.pcap"])
        .assert()
        .code(2)
        .stderr_eq(str![[r#"
wiresum: undo: cut: line 3 is no line of an undo record

"#]]);
    // Compressed, by the names; and through pipes.
    wiresum_in(
        &folder,
        &["fix", "mixed.pcap", "a.pcap.gz", "--undo", "a.undo"],
    )
    .assert()
    .code(0);
    wiresum_in(&folder, &["fix", "a.pcap.gz", "b.pcap.zst"])
        .assert()
        .code(0);
    wiresum_in(&folder, &["verify", "b.pcap.zst"])
        .assert()
        .code(0);
    wiresum_in(&folder, &["undo", "a.undo", "a.pcap.gz", "c.pcap"])
        .assert()
        .code(0);
    assert!(fs::read(folder.join("c.pcap")).expect("a file") == original);
    let piped = wiresum_in(&folder, &["fix", "-", "-"])
        .stdin(&original[..])
        .assert()
        .code(0);
    wiresum_in(&folder, &["fix", "mixed.pcap", "d.pcap"])
        .assert()
        .code(0);
    assert!(fs::read(folder.join("d.pcap")).expect("a file") == piped.get_output().stdout);
}

/// Nothing is written over that was not meant to be, and nothing is left behind by what fails.
#[test]
fn fix_refuses() {
    let folder = scratch("refuses", &["mixed.pcap", "good.pcap", "text.pcap"]);
    let there = || {
        let mut names: Vec<_> = fs::read_dir(&folder)
            .expect("a folder")
            .map(|entry| {
                entry
                    .expect("an entry")
                    .file_name()
                    .into_string()
                    .expect("a name")
            })
            .collect();
        names.sort();
        names
    };
    let before = there();
    for arguments in [
        &["fix", "mixed.pcap", "good.pcap"][..],
        &["fix", "mixed.pcap", "mixed.pcap"],
        &["fix", "mixed.pcap"],
        &["fix", "mixed.pcap", "other.pcap", "--in-place"],
        &["fix", "text.pcap", "other.pcap"],
        &["fix", "missing.pcap", "other.pcap"],
        &["fix", "mixed.pcap", "no/such/folder.pcap"],
        &["fix", "mixed.pcap", "other.pcap", "--undo", "good.pcap"],
        &[
            "fix",
            "--force",
            "mixed.pcap",
            "other.pcap",
            "--undo",
            "mixed.pcap",
        ],
        &["fix", "-", "--in-place"],
        &["fix", "--only", "rain", "mixed.pcap", "other.pcap"],
        &["undo", "text.pcap", "mixed.pcap"],
    ] {
        wiresum_in(&folder, arguments).assert().code(2);
        assert_eq!(there(), before, "{arguments:?}");
    }
    wiresum_in(&folder, &["fix", "--force", "mixed.pcap", "good.pcap"])
        .assert()
        .code(0);
    assert_eq!(there(), before);
}

#[test]
fn verify_of_what_is_good() {
    wiresum(&["verify", "good.pcap"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
good.pcap: 3 packets, 161 B captured
  protocol  good  bad  unverified  absent  illegal  why
  ipv4         3    0           0       0        0
  tcp          2    0           0       0        0
  icmp         1    0           0       0        0
Nothing is bad.

"#]])
        .stderr_eq(str![""]);
}

#[test]
fn verify_of_several_adds_up() {
    wiresum(&["verify", "good.pcap", "offload.pcap", "bluetooth.pcap"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
good.pcap: 3 packets, 161 B captured
  protocol  good  bad  unverified  absent  illegal  why
  ipv4         3    0           0       0        0
  tcp          2    0           0       0        0
  icmp         1    0           0       0        0
Nothing is bad.

offload.pcap: 2 packets, 112 B captured
  protocol  good  bad  unverified  absent  illegal  why
  ipv4         2    0           0       0        0
  tcp          1    1           0       0        0  bad (offload): 1
1 bad or illegal; --allow offload accepts 1 of them.

bluetooth.pcap: 1 packet, 42 B captured
  protocol  good  bad  unverified  absent  illegal  why
  frame        -    -           1       -        -  unverified (link type 147 (USER0)): 1
No checksum was found.

all 3 files: 6 packets, 315 B captured
  protocol  good  bad  unverified  absent  illegal  why
  ipv4         5    0           0       0        0
  tcp          3    1           0       0        0  bad (offload): 1
  icmp         1    0           0       0        0
  frame        -    -           1       -        -  unverified (link type 147 (USER0)): 1
1 bad or illegal; --allow offload accepts 1 of them.

"#]])
        .stderr_eq(str![""]);
}

#[test]
fn verify_of_what_is_allowed() {
    wiresum(&["verify", "--allow", "offload", "offload.pcap"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
offload.pcap: 2 packets, 112 B captured
  protocol  good  bad  unverified  absent  illegal  why
  ipv4         2    0           0       0        0
  tcp          1    1           0       0        0  bad (offload): 1
1 bad, all of them allowed.

"#]])
        .stderr_eq(str![""]);
    wiresum(&["verify", "--allow", "offload", "mixed.pcap"])
        .assert()
        .code(1);
    wiresum(&["verify", "--allow", "corruption", "mixed.pcap"])
        .assert()
        .code(2)
        .stdout_eq(str![""])
        .stderr_eq(str![[r#"
error: invalid value 'corruption' for '--allow <CAUSE>'
  [possible values: offload, negative-zero, udp-zero, zeroed, rewritten, not-complemented, byte-swapped, no-pseudo-header, next-hop, wrong-length, padding, adler-32, header-changed, one-bit, one-byte, unknown]

For more information, try '--help'.

"#]]);
}

#[test]
fn verify_lists_what_is_bad() {
    wiresum(&["verify", "--list", "mixed.pcap"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
mixed.pcap:2  1970-01-01T00:00:01.000000Z  tcp  layer 1  192.0.2.1:1000 > 192.0.2.2:80  found 0x8420  expected 0xbb22  bad (offload)
mixed.pcap:3  1970-01-01T00:00:02.000000Z  tcp  layer 1  192.0.2.1:1000 > 192.0.2.2:80  found 0x840a  expected 0xbb22  bad (offload without length)
mixed.pcap:4  1970-01-01T00:00:03.000000Z  tcp  layer 1  192.0.2.1:1000 > 192.0.2.2:80  found 0xbb22  expected 0xbb23  bad (one-bit)
mixed.pcap:6  1970-01-01T00:00:05.000000Z  udp  layer 1  [2001:db8::1]:5000 > [2001:db8::2]:53  found 0x0000  expected 0x90d1  illegal
mixed.pcap:9  1970-01-01T00:00:08.000000Z  udp  layer 2  [2001:db8::1]:5000 > [2001:db8::2]:53  found 0x5b93  expected 0x90d1  bad (offload)

"#]])
        .stderr_eq(str![""]);
}

#[test]
fn verify_writes_csv() {
    wiresum(&[
        "verify",
        "--csv",
        "-",
        "mixed.pcap",
        "odd \"name\", <b>&.pcap",
        "missing.pcap",
    ])
    .assert()
    .code(2)
    .stdout_eq(str![[r#"
file,frame,time,layer,quoted,protocol,source,source_port,destination,destination_port,status,cause,reason,found,expected,offset
mixed.pcap,1,1970-01-01T00:00:00.000000Z,1,false,ipv4,192.0.2.1,,192.0.2.2,,good,,,0xe496,,64
mixed.pcap,1,1970-01-01T00:00:00.000000Z,1,false,tcp,192.0.2.1,1000,192.0.2.2,80,good,,,0xbb22,,90
mixed.pcap,2,1970-01-01T00:00:01.000000Z,1,false,ipv4,192.0.2.1,,192.0.2.2,,good,,,0xe496,,136
mixed.pcap,2,1970-01-01T00:00:01.000000Z,1,false,tcp,192.0.2.1,1000,192.0.2.2,80,bad,offload,,0x8420,0xbb22,162
mixed.pcap,3,1970-01-01T00:00:02.000000Z,1,false,ipv4,192.0.2.1,,192.0.2.2,,good,,,0xe496,,208
mixed.pcap,3,1970-01-01T00:00:02.000000Z,1,false,tcp,192.0.2.1,1000,192.0.2.2,80,bad,offload,,0x840a,0xbb22,234
mixed.pcap,4,1970-01-01T00:00:03.000000Z,1,false,ipv4,192.0.2.1,,192.0.2.2,,good,,,0xe496,,280
mixed.pcap,4,1970-01-01T00:00:03.000000Z,1,false,tcp,192.0.2.1,1000,192.0.2.2,80,bad,one-bit,,0xbb22,0xbb23,306
mixed.pcap,5,1970-01-01T00:00:04.000000Z,1,false,ipv4,192.0.2.1,,192.0.2.2,,good,,,0xe494,,352
mixed.pcap,5,1970-01-01T00:00:04.000000Z,1,false,udp,192.0.2.1,5000,192.0.2.2,53,absent,,,0x0000,,368
mixed.pcap,6,1970-01-01T00:00:05.000000Z,1,false,udp,2001:db8::1,5000,2001:db8::2,53,illegal,,,0x0000,0x90d1,451
mixed.pcap,7,1970-01-01T00:00:06.000000Z,1,false,ipv4,192.0.2.1,,192.0.2.2,,good,,,0xc494,,498
mixed.pcap,8,1970-01-01T00:00:07.000000Z,1,false,ipv4,192.0.2.1,,192.0.2.2,,good,,,0xe496,,561
mixed.pcap,8,1970-01-01T00:00:07.000000Z,1,false,tcp,192.0.2.1,1000,192.0.2.2,80,unverified,,snapped,0xbb22,,587
mixed.pcap,9,1970-01-01T00:00:08.000000Z,1,false,ipv4,192.0.2.1,,192.0.2.2,,good,,,0xe454,,631
mixed.pcap,9,1970-01-01T00:00:08.000000Z,2,false,udp,2001:db8::1,5000,2001:db8::2,53,bad,offload,,0x5b93,0x90d1,687
mixed.pcap,7,1970-01-01T00:00:06.000000Z,1,false,udp,192.0.2.1,5000,192.0.2.2,53,unverified,,fragment,0x6842,,514
"odd ""name"", <b>&.pcap",1,1970-01-01T00:00:00.000000Z,1,false,udp,2001:db8::1,5000,2001:db8::2,53,illegal,,,0x0000,0x90d1,100

"#]])
    .stderr_eq(str![[r#"
wiresum: missing.pcap: No such file or directory (os error 2)

"#]]);
}

/// Where `--csv` says that a field is, its bytes are in the file: also of a datagram that was put together.
#[test]
fn csv_says_where_fields_are() {
    let capture = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/fragments.pcap");
    let output = wiresum(&["verify", "--csv", "-", capture])
        .output()
        .expect("it runs");
    let file = fs::read(capture).expect("an example");
    let mut rows = csv::Reader::from_reader(&output.stdout[..]);
    let mut seen = 0;
    for row in rows.records() {
        let row = row.expect("a row");
        let [found, offset] = [13, 15].map(|column| row.get(column).expect("a cell"));
        let offset: usize = offset.parse().expect("a number");
        let there = format!("0x{:02x}{:02x}", file[offset], file[offset + 1]);
        assert_eq!(found, there, "{row:?}");
        seen += 1;
    }
    assert_eq!(seen, 144); // as tshark counts: examples/README.md
}

#[test]
fn outputs_combine() {
    let scratch = |name: &str| {
        folder()
            .join(name)
            .into_os_string()
            .into_string()
            .expect("UTF-8")
    };
    let [csv, html] = ["combined.csv", "combined.html"].map(scratch);
    let alone = |option: &str| {
        wiresum(&["verify", option, "-", "mixed.pcap"])
            .output()
            .expect("it runs")
            .stdout
    };
    wiresum(&["verify", "--csv", &csv, "--html", &html, "mixed.pcap"])
        .assert()
        .code(1)
        .stdout_eq(
            wiresum(&["verify", "mixed.pcap"])
                .output()
                .expect("it runs")
                .stdout,
        );
    assert_eq!(fs::read(&csv).expect("it was written"), alone("--csv"));
    assert_eq!(fs::read(&html).expect("it was written"), alone("--html"));
    let json = wiresum(&["verify", "--json", "mixed.pcap"])
        .output()
        .expect("it runs")
        .stdout;
    wiresum(&[
        "verify",
        "--csv",
        &csv,
        "--html",
        &html,
        "--json",
        "mixed.pcap",
    ])
    .assert()
    .code(1)
    .stdout_eq(json);
    for arguments in [
        ["--list", "--json"],
        ["--csv=-", "--json"],
        ["--csv=-", "--list"],
        ["--html=-", "--csv=-"],
    ] {
        wiresum(&[&["verify", "mixed.pcap"][..], &arguments].concat())
            .assert()
            .code(2)
            .stdout_eq("")
            .stderr_eq("wiresum: verify: [..] and [..] both go to standard output\n");
    }
}

#[test]
fn outputs_do_not_write_over_a_capture() {
    let good = fs::read(folder().join("good.pcap")).expect("a capture");
    for option in ["--csv", "--html", "--parquet"] {
        wiresum(&["verify", option, "./good.pcap", "mixed.pcap", "good.pcap"])
            .assert()
            .code(2)
            .stdout_eq("")
            .stderr_eq(
                "wiresum: verify: ./good.pcap is one of the captures: it is not written over\n",
            );
        assert_eq!(
            fs::read(folder().join("good.pcap")).expect("a capture"),
            good
        );
        wiresum(&["verify", option, "missing/folder", "good.pcap"])
            .assert()
            .code(2)
            .stdout_eq("");
    }
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_says_how_to_build_it() {
    wiresum(&["verify", "--parquet", "checksums.parquet", "good.pcap"])
        .assert()
        .code(2)
        .stdout_eq("")
        .stderr_eq(str![[r#"
wiresum: verify: this wiresum was built without --parquet; build it with: cargo build --release --features parquet

"#]]);
}

#[test]
fn verify_speaks_json() {
    wiresum(&[
        "verify",
        "--json",
        "mixed.pcap",
        "bluetooth.pcap",
        "missing.pcap",
    ])
    .assert()
    .code(2)
    .stdout_eq(str![[r#"
{
  "schema": 1,
  "files": [
    {
      "path": "mixed.pcap",
      "packets": 10,
      "captured_bytes": 582,
      "malformed": 2,
      "checksums": {
        "ipv4": {
          "good": 8,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "tcp": {
          "good": 1,
          "bad": 3,
          "unverified": 1,
          "absent": 0,
          "illegal": 0
        },
        "udp": {
          "good": 0,
          "bad": 1,
          "unverified": 1,
          "absent": 1,
          "illegal": 1
        },
        "icmp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "icmpv6": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "udplite": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "dccp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "sctp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "igmp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "pim": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "ospf": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "vrrp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "eigrp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "rsvp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "gre": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "mobility": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "hip": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "shim6": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "pgm": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        }
      },
      "quoted": {},
      "causes": {
        "tcp": {
          "offload": 2,
          "one-bit": 1
        },
        "udp": {
          "offload": 1
        }
      },
      "unverified": {
        "tcp": {
          "snapped": 1
        },
        "udp": {
          "fragment": 1
        }
      },
      "malformed_by": {
        "IPv4 header length below 20": 1,
        "truncated record": 1
      }
    },
    {
      "path": "bluetooth.pcap",
      "packets": 1,
      "captured_bytes": 42,
      "malformed": 0,
      "checksums": {
        "ipv4": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "tcp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "udp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "icmp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "icmpv6": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "udplite": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "dccp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "sctp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "igmp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "pim": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "ospf": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "vrrp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "eigrp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "rsvp": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "gre": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "mobility": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "hip": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "shim6": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        },
        "pgm": {
          "good": 0,
          "bad": 0,
          "unverified": 0,
          "absent": 0,
          "illegal": 0
        }
      },
      "quoted": {},
      "causes": {},
      "unverified": {
        "frame": {
          "link type 147 (USER0)": 1
        }
      },
      "malformed_by": {}
    }
  ],
  "errors": [
    {
      "path": "missing.pcap",
      "error": "No such file or directory (os error 2)"
    }
  ]
}

"#]])
    .stderr_eq(str![[r#"
wiresum: missing.pcap: No such file or directory (os error 2)

"#]]);
}

#[test]
fn verify_reads_standard_input() {
    wiresum(&["verify", "-"])
        .stdin(fs::read(folder().join("good.pcap")).expect("a capture"))
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
-: 3 packets, 161 B captured
  protocol  good  bad  unverified  absent  illegal  why
  ipv4         3    0           0       0        0
  tcp          2    0           0       0        0
  icmp         1    0           0       0        0
Nothing is bad.

"#]])
        .stderr_eq(str![""]);
    wiresum(&["verify", "-", "-"])
        .assert()
        .code(2)
        .stdout_eq(str![""])
        .stderr_eq(str![[r#"
wiresum: verify: - stands twice on the command line, but standard input can be read only once

"#]]);
}

#[test]
fn verify_judges_the_others_when_a_file_fails() {
    wiresum(&[
        "verify",
        "missing.pcap",
        "empty.pcap",
        "text.pcap",
        "packed.pcap.gz",
        ".",
        "nothing.pcap",
    ])
    .assert()
    .code(2)
    .stdout_eq(str![[r#"
nothing.pcap: 0 packets, 0 B captured
No checksum was found.

"#]])
    .stderr_eq(str![[r#"
wiresum: missing.pcap: No such file or directory (os error 2)
wiresum: empty.pcap: the file is empty
wiresum: text.pcap: not a pcap, pcapng or snoop capture; file text.pcap may tell what it is
wiresum: packed.pcap.gz: the file is compressed with gzip, but damaged: corrupt deflate stream
wiresum: .: it is a folder; name the files in it

"#]]);
}

// --------------------------------------------------------------------------------------------------------- sum

#[test]
fn sum_prints_sums() {
    wiresum(&["sum", "bytes", "good.pcap"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
0x1c46  bytes
0x7434  good.pcap

"#]])
        .stderr_eq(str![""]);
    wiresum(&["sum", "--checksum", "bytes"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
0xe3b9  bytes

"#]]);
}

#[test]
fn sum_reads_standard_input() {
    for arguments in [&["sum"][..], &["sum", "-"]] {
        // RFC 1071 section 3, and an odd byte more
        wiresum(arguments)
            .stdin(&b"\x00\x01\xf2\x03\xf4\xf5\xf6\xf7\x80"[..])
            .assert()
            .code(0)
            .stdout_eq("0x5df3  -\n");
    }
    wiresum(&["sum"])
        .stdin(&b""[..])
        .assert()
        .code(0)
        .stdout_eq("0x0000  -\n");
}

/// Longer than what is read at a time, and odd: the pieces join as one.
#[test]
fn sum_of_a_long_file() {
    let bytes = vec![0xff; (1 << 20) + 1];
    wiresum(&["sum"])
        .stdin(bytes)
        .assert()
        .code(0)
        .stdout_eq("0xff00  -\n");
}

#[test]
fn sum_of_the_others_when_a_file_fails() {
    wiresum(&["sum", "missing", "bytes"])
        .assert()
        .code(2)
        .stdout_eq(str![[r#"
0x1c46  bytes

"#]])
        .stderr_eq(str![[r#"
wiresum: missing: No such file or directory (os error 2)

"#]]);
}

// ------------------------------------------------------------------------------------------------------- bench

/// Measures little, but of every section.
fn small_bench(arguments: &[&str]) -> serde_json::Value {
    let mut words = vec!["bench", "--quick", "--json", "--size", "20,1500"];
    words.extend(arguments);
    let output = wiresum(&words).output().expect("it runs");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn bench_measures_what_it_is_asked_for() {
    let report = small_bench(&[
        "--section",
        "sizes,latency,headers,page_end",
        "--kernel",
        "portable",
    ]);
    assert_eq!(report["format"], 1);
    let machine = &report["machine"];
    for member in [
        "cpu",
        "system",
        "c_compiler",
        "rust_compiler",
        "version",
        "commit",
        "date",
        "clock",
    ] {
        assert!(
            machine[member]
                .as_str()
                .is_some_and(|text| !text.is_empty()),
            "{member}: {machine}"
        );
    }
    let contenders = report["contenders"].as_array().expect("a list");
    for entry in contenders {
        let summed = entry["role"] != "yardstick";
        assert!(!summed || entry["verified"] == true, "{entry}");
    }
    let rows = report["rows"].as_array().expect("a list");
    for row in rows {
        for number in ["min_ns", "median_ns"] {
            assert!(
                row[number].as_f64().is_some_and(|ns| ns > 0.05 && ns < 1e8),
                "{row}"
            );
        }
        assert!(row["min_ns"].as_f64() <= row["median_ns"].as_f64(), "{row}");
    }
    let of = |section: &str, contender: &str| {
        let matching = rows
            .iter()
            .filter(|row| row["section"] == section && row["contender"] == contender);
        matching.count()
    };
    // Two sizes, at two alignments; as a sum and as a copy.
    assert_eq!(
        [
            of("sizes", "portable"),
            of("sizes", "wiresum"),
            of("sizes", "memcpy")
        ],
        [8, 8, 4]
    );
    assert_eq!(
        [
            of("sizes", "x86_sse2"),
            of("sizes", "arm_neon"),
            of("mixes", "portable")
        ],
        [0; 3]
    );
    assert_eq!(
        [
            of("latency", "portable"),
            of("headers", "wiresum_batch_ipv4_headers")
        ],
        [2, 1]
    );
    assert_eq!(of("page_end", "portable"), if cfg!(unix) { 2 } else { 0 });
    // More data takes longer: nothing was optimized away.
    let ns = |bytes: f64| {
        let row = rows.iter().find(|row| {
            row["section"] == "sizes" && row["contender"] == "portable" && row["bytes"] == bytes
        });
        row.and_then(|row| row["min_ns"].as_f64())
            .expect("a number")
    };
    assert!(ns(1500.0) > 5.0 * ns(20.0));
}

#[test]
fn bench_shows_an_earlier_run() {
    let report = small_bench(&["--section", "sizes", "--kernel", "portable"]);
    let folder = folder();
    let path = folder.join("report.json");
    fs::write(&path, report.to_string()).expect("a file");
    let path = path.to_str().expect("a path");
    let table = wiresum(&["bench", "--from", path])
        .output()
        .expect("it runs");
    let text = String::from_utf8(table.stdout).expect("UTF-8");
    assert!(
        text.contains("sum, aligned") && text.contains("portable") && text.contains("1500 L1"),
        "{text}"
    );
    let again = wiresum(&["bench", "--json", "--from", path])
        .output()
        .expect("it runs");
    let again: serde_json::Value = serde_json::from_slice(&again.stdout).expect("JSON");
    assert_eq!(again["contenders"], report["contenders"]);
    let rows = |report: &serde_json::Value| report["rows"].as_array().map(Vec::len);
    assert_eq!(rows(&again), rows(&report));
}

#[test]
fn bench_refuses_what_it_does_not_know() {
    for (arguments, why) in [
        (["--kernel", "abacus"], "there is no kernel \"abacus\""),
        (["--section", "colours"], "there are sizes, mixes"),
        (["--size", "0"], "from 1 to"),
        (["--from", "nowhere.json"], "nowhere.json"),
    ] {
        let output = wiresum(&["bench", arguments[0], arguments[1]])
            .output()
            .expect("it runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.code() == Some(2) && said.contains(why),
            "{said}"
        );
    }
}

// ----------------------------------------------------------------------------------------------------- kernels

#[test]
fn kernels_are_listed() {
    let output = wiresum(&["kernels"]).output().expect("it runs");
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<_> = text.lines().collect();
    let names: Vec<_> = wiresum::kernel::all().map(|kernel| kernel.name()).collect();
    assert_eq!(lines.len(), names.len());
    for (line, name) in lines.iter().zip(&names) {
        assert!(line.starts_with(name), "{line}");
        assert!(line.contains("supported"), "{line}");
    }
    assert_eq!(
        lines.iter().filter(|line| line.ends_with("in use")).count(),
        1,
        "{text}"
    );
}

#[test]
fn every_kernel_can_be_forced() {
    for kernel in wiresum::kernel::all() {
        let forced = |arguments| wiresum(arguments).env("WIRESUM_KERNEL", kernel.name());
        if kernel.is_supported() {
            let output = forced(&["kernels"]).output().expect("it runs");
            let text = String::from_utf8(output.stdout).expect("text");
            let in_use: Vec<_> = text
                .lines()
                .filter(|line| line.ends_with("in use"))
                .collect();
            assert!(
                matches!(in_use[..], [line] if line.starts_with(kernel.name())),
                "{text}"
            );
            forced(&["sum", "bytes"])
                .assert()
                .code(0)
                .stdout_eq("0x1c46  bytes\n");
            println!("kernel {} ran", kernel.name());
        } else {
            forced(&["sum", "bytes"]).assert().code(2);
            println!("kernel {} unsupported", kernel.name());
        }
    }
}

#[test]
fn a_wrong_kernel_is_an_error_of_every_command() {
    for arguments in [
        &["kernels"][..],
        &["sum", "bytes"],
        &["verify", "good.pcap"],
    ] {
        for name in ["abacus", ""] {
            let output = wiresum(arguments)
                .env("WIRESUM_KERNEL", name)
                .output()
                .expect("it runs");
            let text = String::from_utf8(output.stderr).expect("text");
            assert_eq!(output.status.code(), Some(2), "{text}");
            assert!(output.stdout.is_empty(), "{arguments:?} printed something");
            assert!(
                text.contains(&format!("there is no kernel \"{name}\"")),
                "{text}"
            );
            assert!(
                text.contains("portable"),
                "it lists those that there are: {text}"
            );
        }
    }
}

// ------------------------------------------------------------------------------------------------- the program

#[test]
fn help_is_there() {
    wiresum(&["--help"]).assert().code(0).stdout_eq(str![[r#"
The Internet checksum (RFC 1071): judges and repairs captures, sums files

Usage: wiresum <COMMAND>

Commands:
  verify   Judge every checksum of packet captures, and say why the bad ones are bad
  explain  Show how the verdicts on a frame came about: words, sums, and the causes tried
  fix      Write a capture in which every checksum that can be computed is right
  undo     Restore a capture that was repaired
  sum      Print the sum of files
  kernels  List the kernels, the best first
  bench    Measure the kernels on this machine
  help     Print this message or the help of the given subcommand(s)

Options:
  -h, --help     Print help
  -V, --version  Print version

Environment:
  WIRESUM_KERNEL  Sums with the kernel of that name, one of those that `wiresum kernels` lists.
                  A name that is unknown, or that this CPU does not support, is an error.
  NO_COLOR        Set to anything, keeps colours off; they are on only on a terminal anyway.

"#]]);
    wiresum(&["verify", "--help"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
Judge every checksum of packet captures, and say why the bad ones are bad

Reads pcap, pcapng and snoop, in either byte order, also compressed with gzip, zstd, lz4 or xz: how
a file begins tells which. Every checksum of every frame is judged: of IPv4 headers, TCP, UDP,
UDP-Lite, DCCP, SCTP, ICMP, ICMPv6, IGMP, PIM, OSPF, VRRP, EIGRP, RSVP, GRE, the mobility header of
IPv6, HIP, Shim6 and PGM; also inside tunnels (IP in IP, GRE, VXLAN, Geneve, GTP-U, Teredo, L2TP,
PPPoE, MPLS and others), and of datagrams that are put together from fragments. For each file, a
table tells how many are

  good        right
  bad         wrong, and why, if that can be told: "offload" means that the packet was captured on
              the machine that sent it, before the network card finished the checksum, so that
              nothing was wrong on the wire
  unverified  not to be judged: the packet is "snapped" (not captured whole), or a "fragment"
              whose datagram never came together, or a "length" in its header goes past its end,
              or it is a frame of a link type that is not known here
  absent      not computed by the sender, as UDP over IPv4, tunnels over IPv6, RSVP and PGM allow
  illegal     a value that must not be sent: 0x0000 in UDP over IPv6, and in UDP-Lite

with the meaning that Wireshark gives these words. A packet that an ICMP error quotes is a copy,
changed on its way and seldom whole: its checksums are "quoted", counted apart, and never make a
file fail. What cannot be read, such as a truncated last
record, is counted as malformed and passed over; that is not a failure.

Usage: wiresum verify [OPTIONS] [FILE]...

Arguments:
  [FILE]...
          The captures; - is standard input

Options:
      --follow
          Wait at the end of the capture for more, as it is still being written, until ctrl-C
          
          Of one capture only. With --list or --csv, lines come out as packets come in; the other outputs are written after ctrl-C, and the exit status is as always. A second ctrl-C ends the program at once.

      --no-reassemble
          Judge packets alone: fragments are not put together
          
          What a fragment carries is then unverified. Without this option, a datagram is judged in the frame that brings its last missing fragment, and is unverified only if that never comes.

      --allow <CAUSE>
          Do not fail because of checksums that are bad for this cause
          
          They are still counted and listed, but alone they leave the exit status at 0.

          Possible values:
          - offload:          the network card was to finish the checksum
          - negative-zero:    0xffff was stored where 0x0000 is due
          - udp-zero:         0x0000 was stored where UDP sends 0xffff
          - zeroed:           no checksum was stored
          - rewritten:        an address was changed, and no checksum with it
          - not-complemented: the sum was stored without being complemented
          - byte-swapped:     the checksum was stored in the wrong byte order
          - no-pseudo-header: the pseudo-header was left out of the sum
          - next-hop:         the next hop was summed instead of the final destination
          - wrong-length:     the pseudo-header was summed with another length
          - padding:          the bytes behind the packet were summed as well
          - adler-32:         it is the Adler-32 checksum that SCTP used before its CRC32c
          - header-changed:   a field of the header was changed, and the checksum was not
          - one-bit:          it is wrong as if one bit had flipped
          - one-byte:         it is wrong as if one byte had changed
          - unknown:          none of the known causes explains it

  -h, --help
          Print help (see a summary with '-h')

Live capture:
      --live <INTERFACE>
          Capture on a network interface, and verify as it goes, until ctrl-C; any is all interfaces
          
          A line a second on standard error tells how it goes, and the outputs come as for a file. Needs a build with the feature live, and the right to capture.

      --count <N>
          End after so many packets

      --snaplen <BYTES>
          Capture so many bytes of each packet at most; what is longer is unverified
          
          [default: 262144]

      --filter <EXPRESSION>
          Capture only what matches, in the language of pcap-filter(7): "tcp port 80"

Outputs, at most one of them to standard output:
      --json
          Print the numbers as JSON, for programs
          
          The schema is stable, and described in the README of this program: members are added to it, but none is taken away or changes its meaning.

      --list
          Print a line for each bad or illegal checksum, instead of the table
          
          File and frame number, time, protocol, layer (1 is the outermost network header), addresses and ports, the checksum found and the one expected, the cause.

      --csv <FILE>
          Write a row for each checksum, good or bad, as CSV; - is standard output
          
          The columns are described in the README of this program, and stable as the schema of the JSON is.

      --parquet <FILE>
          Write the same rows as Apache Parquet
          
          Needs a build with the feature parquet.

      --html <FILE>
          Write a page for a browser: totals, causes over time, who sends what is bad, the first bad packets explained; - is standard output
          
          It is one file, and loads nothing from elsewhere.

Exit status:
  0  Nothing is bad or illegal, but for what is allowed.
  1  Something is.
  2  The command failed: a file cannot be read, or is no capture. The others are judged anyway.

Examples:
  wiresum verify office.pcapng
  wiresum verify --list --allow offload *.pcap
  wiresum verify --html report.html --csv checksums.csv office.pcapng
  wiresum verify --list --follow growing.pcapng
  tcpdump -c 1000 -w - | wiresum verify --json - | jq '.files[0].checksums.tcp.bad'

"#]]);
    wiresum(&[]).assert().code(2);
    wiresum(&["verify"]).assert().code(2);
}

#[test]
fn version_is_that_of_the_workspace() {
    let version = concat!("wiresum ", env!("CARGO_PKG_VERSION"), "\n");
    wiresum(&["--version"]).assert().code(0).stdout_eq(version);
}

#[test]
fn colours_are_for_terminals() {
    let output = wiresum(&["verify", "mixed.pcap"])
        .output()
        .expect("it runs");
    assert!(!output.stdout.contains(&0x1b));
    let forced = |command: Command| {
        command
            .env("CLICOLOR_FORCE", "1")
            .output()
            .expect("it runs")
    };
    let output = forced(wiresum(&["verify", "mixed.pcap"]));
    assert!(
        output.stdout.contains(&0x1b),
        "the test above sees something"
    );
}

/// `wiresum … | head` must end without a word.
#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_error() {
    for command in [
        "kernels",
        "sum bytes",
        "verify mixed.pcap",
        "verify --list mixed.pcap",
        "verify --csv - mixed.pcap",
        "verify --html - mixed.pcap",
    ] {
        let program = cargo_bin!("wiresum").display();
        // The shell sleeps, so that nobody reads when the program writes.
        let script = format!("(sleep 0.2; '{program}' {command}; echo status $? >&2) | true");
        Command::new("sh")
            .args(["-c", &script])
            .current_dir(folder())
            .assert()
            .success()
            .stdout_eq("")
            .stderr_eq("status 141\n");
    }
}
