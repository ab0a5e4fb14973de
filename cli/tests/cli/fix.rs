// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum fix` and `wiresum undo`: repairs, restored captures, and refused arguments.

use std::fs;
use std::path::{Path, PathBuf};

use snapbox::cmd::Command;
use snapbox::str;

use super::{folder, wiresum};

/// A new folder with copies of these captures, for a test that writes files.
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
