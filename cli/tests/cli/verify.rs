// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum verify`: the table, the exit status, and errors.

use std::fs;

use snapbox::cmd::cargo_bin;
use snapbox::str;

use super::{capture, folder, scratch, wiresum, wiresum_in};

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
Real damage: 1 of 5 bad checksums looks like one flipped bit, sent by 192.0.2.1. 3 are checksum offload, and were right on the wire. --allow offload accepts 3 of them.

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
All 6 checksums are right.

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
All 6 checksums are right.

offload.pcap: 2 packets, 112 B captured
  protocol  good  bad  unverified  absent  illegal  why
  ipv4         2    0           0       0        0
  tcp          1    1           0       0        0  bad (offload): 1
Nothing was wrong on the wire: the one bad checksum is checksum offload, sent by 192.0.2.1. --allow offload accepts it.

bluetooth.pcap: 1 packet, 42 B captured
  not entered: link type 147 (USER0) (1)
Nothing could be judged: no checksum was found in 1 packet. Frames that were not entered: 1.

all 3 files: 6 packets, 315 B captured
  not entered: link type 147 (USER0) (1)
  protocol  good  bad  unverified  absent  illegal  why
  ipv4         5    0           0       0        0
  tcp          3    1           0       0        0  bad (offload): 1
  icmp         1    0           0       0        0
Nothing was wrong on the wire: the one bad checksum is checksum offload, sent by 192.0.2.1. --allow offload accepts it.

"#]])
        .stderr_eq(str![""]);
}

/// Frames that the walk cannot enter are counted in every output, and change no exit status.
#[test]
fn counts_frames_that_are_not_entered() {
    let table = str![[r#"
opaque.pcap: 6 packets, 331 B captured
  not entered: encrypted ESP (2)
  not entered: EtherType 0x88b5 (1)
  not entered: fragment (1)
  protocol  good  bad  unverified  absent  illegal  why
  ipv4         3    0           0       0        0
  tcp          1    0           0       0        0
All 4 checksums are right. Frames that were not entered: 4.

"#]];
    for more in [&[][..], &["--no-reassemble"]] {
        wiresum(&[&["verify", "opaque.pcap"], more].concat())
            .assert()
            .code(0)
            .stdout_eq(table.clone())
            .stderr_eq(str![""]);
    }
    wiresum(&["verify", "--brief", "opaque.pcap"])
        .assert()
        .code(0)
        .stdout_eq("opaque.pcap: nothing is bad, checksums: 4, not entered: 4\n")
        .stderr_eq("");
    let json = wiresum(&["verify", "--json", "opaque.pcap"]).output();
    let json: serde_json::Value = serde_json::from_slice(&json.expect("it runs").stdout).expect("");
    assert_eq!(
        json["files"][0]["not_entered"],
        serde_json::json!({"EtherType 0x88b5": 1, "encrypted ESP": 2, "fragment": 1})
    );
    let html = wiresum(&["verify", "--html", "-", "opaque.pcap"]).output();
    let html = String::from_utf8(html.expect("it runs").stdout).expect("text");
    assert!(html.contains("Frames that were not entered: 4."), "{html}");
    assert!(html.contains("<td>encrypted ESP</td>"), "{html}");
    wiresum(&["fix", "--dry-run", "opaque.pcap"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
opaque.pcap (nothing is written): 6 packets, 0 changed
  protocol  what         checksums  why
  frame     not entered          1  EtherType 0x88b5
  frame     not entered          2  encrypted ESP
  frame     not entered          1  fragment
There was nothing to repair.

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
Nothing was wrong on the wire: the one bad checksum is checksum offload, sent by 192.0.2.1. It is allowed.

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
    for arguments in [&["verify", "-"][..], &["verify"]] {
        wiresum(arguments)
            .stdin(fs::read(folder().join("good.pcap")).expect("a capture"))
            .assert()
            .code(0)
            .stdout_eq(str![[r#"
-: 3 packets, 161 B captured
  protocol  good  bad  unverified  absent  illegal  why
  ipv4         3    0           0       0        0
  tcp          2    0           0       0        0
  icmp         1    0           0       0        0
All 6 checksums are right.

"#]])
            .stderr_eq(str![""]);
    }
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
        "no-captures",
        "nothing.pcap",
    ])
    .assert()
    .code(2)
    .stdout_eq(str![[r#"
nothing.pcap: 0 packets, 0 B captured
Nothing could be judged: there are no packets.

"#]])
    .stderr_eq(str![[r#"
wiresum: missing.pcap: No such file or directory (os error 2)
wiresum: empty.pcap: the file is empty
wiresum: text.pcap: not a pcap, pcapng or snoop capture; the command `file text.pcap` may tell what it is
wiresum: packed.pcap.gz: the file is compressed with gzip, but damaged: corrupt deflate stream
wiresum: no-captures: there is no capture in this folder

"#]]);
}

#[test]
fn a_folder_stands_for_its_captures() {
    let folder = scratch("folders", &["text.pcap", "empty.pcap", "packed.pcap.gz"]);
    fs::create_dir_all(folder.join("b/deeper")).expect("a folder");
    for (from, to) in [
        ("good.pcap", "b/deeper/a name without an extension"),
        ("offload.pcap", "a.txt"),
        ("nothing.pcap", "b/z.pcap"),
    ] {
        fs::copy(super::folder().join(from), folder.join(to)).expect("a copy");
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(".", folder.join("b/around")).expect("a link");
        let fifo = std::process::Command::new("mkfifo")
            .arg(folder.join("fifo"))
            .status();
        assert!(fifo.expect("mkfifo").success(), "nobody writes to it");
    }
    wiresum_in(&folder, &["verify", "--brief", "."])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
./a.txt: 1 bad or illegal (offload: 1), checksums: 4
./b/deeper/a name without an extension: nothing is bad, checksums: 6
./b/z.pcap: no checksum was found
all 3 files: 1 bad or illegal (offload: 1), checksums: 10

"#]])
        .stderr_eq("");
    // The other commands take files.
    for arguments in [
        &["sum", "."][..],
        &["explain", ".", "1"],
        &["fix", ".", "out"],
    ] {
        let output = wiresum_in(&folder, arguments).assert().code(2);
        let stderr = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(
            stderr.ends_with(".: this is a folder; name the files in it\n"),
            "{stderr}"
        );
    }
}

#[test]
fn prints_less_for_many_files() {
    let files = ["good.pcap", "mixed.pcap", "bluetooth.pcap"];
    wiresum(&[&["verify", "--brief"], &files[..]].concat())
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
good.pcap: nothing is bad, checksums: 6
mixed.pcap: 5 bad or illegal (offload: 2, illegal: 1, offload without length: 1, one-bit: 1), checksums: 17, unverified: 2, malformed: 2
bluetooth.pcap: no checksum was found, not entered: 1
all 3 files: 5 bad or illegal (offload: 2, illegal: 1, offload without length: 1, one-bit: 1), checksums: 23, unverified: 2, not entered: 1, malformed: 2

"#]])
        .stderr_eq("");
    wiresum(&["verify", "--only-bad", "good.pcap", "offload.pcap"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
offload.pcap: 2 packets, 112 B captured
  protocol  good  bad  unverified  absent  illegal  why
  ipv4         2    0           0       0        0
  tcp          1    1           0       0        0  bad (offload): 1
Nothing was wrong on the wire: the one bad checksum is checksum offload, sent by 192.0.2.1. --allow offload accepts it.

all 2 files: 5 packets, 273 B captured
  protocol  good  bad  unverified  absent  illegal  why
  ipv4         5    0           0       0        0
  tcp          3    1           0       0        0  bad (offload): 1
  icmp         1    0           0       0        0
Nothing was wrong on the wire: the one bad checksum is checksum offload, sent by 192.0.2.1. --allow offload accepts it.

"#]]);
    wiresum(&[
        "verify",
        "--only-bad",
        "--brief",
        "--allow=offload",
        "good.pcap",
        "offload.pcap",
    ])
    .assert()
    .code(0)
    .stdout_eq(str![[r#"
all 2 files: 1 bad, all of them allowed (offload: 1), checksums: 10

"#]]);
    for (file, status) in [("good.pcap", 0), ("mixed.pcap", 1)] {
        for quiet in ["-q", "--quiet"] {
            wiresum(&["verify", quiet, file])
                .assert()
                .code(status)
                .stdout_eq("")
                .stderr_eq("");
        }
    }
    wiresum(&["verify", "--quiet", "missing.pcap"])
        .assert()
        .code(2)
        .stdout_eq("")
        .stderr_eq("wiresum: missing.pcap: No such file or directory (os error 2)\n");
    wiresum(&["verify", "--brief", "--csv", "-", "good.pcap"])
        .assert()
        .code(2)
        .stdout_eq("");
}

/// A name cannot steer the terminal of its reader.
#[cfg(unix)]
#[test]
fn names_are_shown_escaped() {
    let folder = scratch("escapes", &[]);
    let name = "red\u{1b}[31m\r\u{202e}\u{9b}.pcap";
    fs::copy(super::folder().join("offload.pcap"), folder.join(name)).expect("a copy");
    let shown = r"red\u{1b}[31m\r\u{202e}\u{9b}.pcap";
    let missing = "missing\u{1b}[31m";
    for arguments in [
        &["verify", name][..],
        &["verify", "--brief", name],
        &["verify", "--list", name],
        &["verify", "--html", "-", name],
        &["fix", "--dry-run", name],
        &["explain", name, "2"],
        &["sum", name],
        &["verify", missing],
        &["fix", missing, "out"],
        &["explain", missing, "1"],
        &["sum", missing],
    ] {
        let output = wiresum_in(&folder, arguments).output().expect("it runs");
        let text = [output.stdout, output.stderr].concat();
        let text = String::from_utf8(text).expect("UTF-8");
        let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(!text.contains(steers), "{arguments:?}: {text:?}");
        assert!(
            text.contains(shown) || text.contains(r"missing\u{1b}[31m"),
            "{text}"
        );
    }
    // Programs get the name itself.
    let json = wiresum_in(&folder, &["verify", "--json", name]).output();
    let json = String::from_utf8(json.expect("it runs").stdout).expect("UTF-8");
    assert!(json.contains(r#""path": "red\u001b[31m\r"#), "{json}");
}

/// A file that becomes shorter is not the file that was read.
#[test]
fn notices_that_a_followed_capture_is_truncated() {
    use std::io::{BufRead, BufReader, Read};
    use std::process::{Command, Stdio};
    let folder = scratch("truncated", &["offload.pcap"]);
    let mut child = Command::new(cargo_bin!("wiresum"))
        .current_dir(&folder)
        .args(["verify", "--follow", "--list", "offload.pcap"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let line = lines.next().expect("a line").expect("text");
    assert!(line.starts_with("offload.pcap:2  "), "{line}");
    let len = fs::metadata(folder.join("offload.pcap"))
        .expect("a file")
        .len();
    fs::write(folder.join("offload.pcap"), [0; 30]).expect("to truncate");
    assert_eq!(child.wait().expect("its end").code(), Some(2));
    let mut errors = String::new();
    let mut stderr = child.stderr.take().expect("it is piped");
    stderr.read_to_string(&mut errors).expect("text");
    assert_eq!(
        errors,
        format!(
            "wiresum: offload.pcap: the file was truncated to 30 bytes after {len} had been read; \
             what follows is unknown\n"
        )
    );
}

/// The number of threads while a capture is followed.
#[cfg(target_os = "linux")]
#[test]
fn jobs_bound_the_threads() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Duration;
    let threads = |jobs: &str| {
        let mut child = Command::new(cargo_bin!("wiresum"))
            .current_dir(super::folder())
            .args([
                "verify",
                "--follow",
                "--list",
                "--jobs",
                jobs,
                "offload.pcap",
            ])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("it is piped"))
            .read_line(&mut line)
            .expect("a line");
        let count = || {
            let tasks = fs::read_dir(format!("/proc/{}/task", child.id()));
            tasks.expect("its threads").count()
        };
        // All threads have begun when their number stays the same for half a second.
        let (mut threads, mut same) = (count(), 0);
        while same < 10 {
            thread::sleep(Duration::from_millis(50));
            let now = count();
            same = if now == threads { same + 1 } else { 0 };
            threads = now;
        }
        child.kill().expect("it runs");
        child.wait().expect("its end");
        threads
    };
    let [one, seven] = ["1", "7"].map(threads);
    assert_eq!(seven - one, 6);
    let all = |jobs: &[&str]| {
        let arguments = [&["verify", "mixed.pcap", "good.pcap"], jobs].concat();
        let output = wiresum(&arguments).output().expect("it runs");
        (output.status, output.stdout)
    };
    assert_eq!(all(&["-j1"]), all(&[]));
    for wrong in ["0", "-1", "4097", "all"] {
        wiresum(&["verify", "good.pcap", &format!("--jobs={wrong}")])
            .assert()
            .code(2)
            .stdout_eq("")
            .stderr_eq(format!(
                "error: invalid value '{wrong}' for '--jobs <N>': give a number from 1 to 4096\n\n\
                 For more information, try '--help'.\n"
            ));
    }
}

/// A terminal is no capture, and cannot show one.
#[cfg(target_os = "linux")]
#[test]
fn terminals_are_refused() {
    use std::io::Read;
    use std::process::{Command, Stdio};
    let folder = scratch("terminals", &["good.pcap"]);
    for (arguments, error) in [
        (
            &["verify"][..],
            "wiresum: verify: there is no capture to read; name files or folders, or pipe a \
             capture into this command\n",
        ),
        (
            &["fix", "good.pcap", "-"],
            "wiresum: fix: -: a terminal cannot show a capture; name a file, or pipe it into \
             another program\n",
        ),
    ] {
        let (_here, there) = super::terminal();
        let mut child = Command::new(cargo_bin!("wiresum"))
            .current_dir(&folder)
            .args(arguments)
            .stdin(there.try_clone().expect("a copy"))
            .stdout(there)
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program");
        let mut errors = String::new();
        let mut stderr = child.stderr.take().expect("it is piped");
        stderr.read_to_string(&mut errors).expect("text");
        assert_eq!(errors, error);
        assert_eq!(child.wait().expect("its end").code(), Some(2));
    }
}
