// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum fix` and `wiresum undo`: repairs, restored captures, and refused arguments.

use std::fs;

use snapbox::str;

use super::{names, scratch, wiresum_in};

#[test]
fn reports_its_repairs() {
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
  "not_entered": {},
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
There was nothing to repair.

"#]]);
}

#[test]
fn undo_restores_the_original() {
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
wiresum: undo: good.pcap: the undo record is for another capture: byte 162 is 0x50 here and 0xbb there

"#]]);
    assert!(!folder.join("restored.pcap").exists());
    wiresum_in(&folder, &["undo", "record", "mixed.pcap"])
        .assert()
        .code(0);
    assert!(fs::read(folder.join("mixed.pcap")).expect("a file") == original);
    // The record applies to the repaired capture, and not to the restored one.
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
wiresum: undo: cut: line 3 is not a line of an undo record

"#]]);
    // The same with compressed files, which their names tell, and through pipes.
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

/// A command that fails replaces no file and leaves no new one.
#[test]
fn refuses_to_overwrite_and_leaves_nothing_behind() {
    let folder = scratch("refuses", &["mixed.pcap", "good.pcap", "text.pcap"]);
    let there = || names(&folder);
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
        &[
            "fix",
            "--force",
            "mixed.pcap",
            "other.pcap",
            "--undo",
            "good.pcap",
        ],
        &["fix", "-", "--in-place"],
        &["fix", "mixed.pcap", "other.pcap.bz2"],
        &["fix", "mixed.pcap", "other.tgz"],
        &["fix", "mixed.pcap", "other.pcap.Z"],
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

/// Errors name the files of the command line.
#[test]
fn errors_name_the_files_of_the_user() {
    let folder = scratch("names", &["mixed.pcap"]);
    wiresum_in(&folder, &["fix", "mixed.pcap", "no/such/folder.pcap"])
        .assert()
        .code(2)
        .stderr_eq(str![[r#"
wiresum: fix: no/such/folder.pcap: cannot write in the folder no/such: No such file or directory (os error 2)

"#]]);
    wiresum_in(
        &folder,
        &["fix", "mixed.pcap", "a.pcap", "--undo", "no/record"],
    )
    .assert()
    .code(2)
    .stderr_eq(str![[r#"
wiresum: fix: no/record: cannot write in the folder no: No such file or directory (os error 2)

"#]]);
    wiresum_in(&folder, &["fix", "mixed.pcap", "b.pcap.bz2"])
        .assert()
        .code(2)
        .stderr_eq(str![[r#"
wiresum: fix: b.pcap.bz2: the extension bz2 names a format that wiresum does not write; gz, zst, lz4 and xz compress, and pcap and pcapng do not

"#]]);
    assert_eq!(names(&folder), ["mixed.pcap"]);
}

#[test]
fn a_dry_run_in_place_writes_nothing() {
    let folder = scratch("dry", &["mixed.pcap"]);
    let original = fs::read(folder.join("mixed.pcap")).expect("a file");
    let report = |arguments| {
        let assert = wiresum_in(&folder, arguments).assert().code(0);
        assert.get_output().stdout.clone()
    };
    assert_eq!(
        report(&["fix", "--dry-run", "--in-place", "mixed.pcap"]),
        report(&["fix", "--dry-run", "mixed.pcap"]),
    );
    assert_eq!(names(&folder), ["mixed.pcap"]);
    assert!(fs::read(folder.join("mixed.pcap")).expect("a file") == original);
}

/// The exit status 2 means that OUT is as it was, even if only the report failed. A reader who does
/// not want the report still gets OUT.
#[cfg(target_os = "linux")]
#[test]
fn out_is_written_if_and_only_if_the_report_is() {
    use snapbox::cmd::{Command, cargo_bin};
    let folder = scratch("full", &["mixed.pcap"]);
    let shell = |script: &str| {
        let program = cargo_bin!("wiresum").display();
        Command::new("sh")
            .args(["-c", &script.replace("wiresum", &format!("'{program}'"))])
            .current_dir(&folder)
            .assert()
    };
    for json in ["", "--json"] {
        shell(&format!(
            "wiresum fix {json} mixed.pcap full.pcap --undo record > /dev/full"
        ))
        .code(2)
        .stderr_eq(str![[r#"
wiresum: fix: the report cannot be written, so nothing is: No space left on device (os error 28)

"#]]);
        assert_eq!(names(&folder), ["mixed.pcap"]);
    }
    // The shell sleeps, so that the reader is gone when the program writes.
    shell("(sleep 0.2; wiresum fix mixed.pcap piped.pcap; echo status $? >&2) | true")
        .success()
        .stderr_eq("status 141\n");
    assert_eq!(names(&folder), ["mixed.pcap", "piped.pcap"]);
    wiresum_in(&folder, &["fix", "mixed.pcap", "fixed.pcap"])
        .assert()
        .code(0);
    let [piped, fixed] = ["piped.pcap", "fixed.pcap"].map(|name| fs::read(folder.join(name)));
    assert!(piped.expect("a file") == fixed.expect("a file"));
}

/// No signal leaves a part of an output, or a temporary file. SIGKILL cannot be caught, so on Linux
/// the files have no names.
#[cfg(unix)]
#[test]
fn a_signal_leaves_no_file_behind() {
    use std::io::Write;
    use std::process::{Command, Stdio};
    let folder = scratch("signals", &[]);
    let capture = super::common::large(100);
    let signals = ["INT", "TERM", "HUP", "KILL"];
    let signals = &signals[..if cfg!(target_os = "linux") { 4 } else { 3 }];
    for signal in signals {
        for out in ["out.pcap", "out.pcap.gz"] {
            let program = snapbox::cmd::cargo_bin!("wiresum");
            // nohup, which may have started the tests, lets all its children ignore SIGHUP.
            let mut command = if cfg!(target_os = "linux") {
                let mut env = Command::new("env");
                env.arg("--default-signal").arg(program);
                env
            } else {
                Command::new(program)
            };
            let mut child = command
                .current_dir(&folder)
                .env("TMPDIR", &folder)
                .args(["fix", "-", out, "--undo", "record"])
                .stdin(Stdio::piped())
                .spawn()
                .expect("the program");
            let mut pipe = child.stdin.take().expect("it is piped");
            // A pipe holds 64 KiB, so the program has read more than a MiB, and waits for the rest.
            assert!(capture.len() > 1 << 20);
            pipe.write_all(&capture).expect("the program reads it");
            let kill = Command::new("kill")
                .args([format!("-{signal}"), child.id().to_string()])
                .status();
            assert!(kill.expect("kill").success());
            assert!(!child.wait().expect("its end").success());
            assert_eq!(names(&folder), [""; 0], "after SIG{signal} with {out}");
        }
    }
}
