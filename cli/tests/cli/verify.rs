// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum verify`: the table, the exit status, and errors.

use std::fs;

use snapbox::cmd::cargo_bin;
use snapbox::str;

use super::{capture, folder, wiresum};

#[test]
fn prints_a_table() {
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

/// `--follow` lists a bad packet when it arrives, and ends at ctrl-C as at the end of the file.
#[cfg(unix)]
#[test]
fn follows_a_growing_capture() {
    use std::io::{BufRead, BufReader, Write};
    use std::process::{Command, Stdio};

    let offload = ["TCP that holds the sum of the pseudo-header"];
    let file = capture(1, &[offload[0], offload[0]]);
    let path = folder().join("growing.pcap");
    // The first part ends within the header of the second record.
    let (first, rest) = file.split_at(24 + (file.len() - 24) / 2 + 7);
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

#[test]
fn good_checksums_exit_with_0() {
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
fn adds_up_several_files() {
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
fn allowed_causes_do_not_fail() {
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
  [possible values: offload, negative-zero, udp-zero, zeroed, rewritten, not-complemented, byte-swapped, no-pseudo-header, next-hop, wrong-length, padding, adler-32, header-changed, same-difference, one-bit, no-carry, one-byte, unknown]

For more information, try '--help'.

"#]]);
}

#[test]
fn reads_standard_input() {
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
wiresum: verify: - is named twice, but standard input can be read only once

"#]]);
}

#[test]
fn a_file_that_fails_does_not_stop_the_others() {
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
wiresum: text.pcap: not a pcap, pcapng or snoop capture; the command `file text.pcap` may tell what it is
wiresum: packed.pcap.gz: the file is compressed with gzip, but damaged: corrupt deflate stream
wiresum: .: this is a folder; name the files in it

"#]]);
}
