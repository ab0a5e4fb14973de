// SPDX-License-Identifier: MIT OR Apache-2.0
//! The outputs of `wiresum verify` for programs, and how they combine.

use std::fs;

use snapbox::str;

use super::{folder, wiresum};

#[test]
fn list_has_a_line_for_each_bad_checksum() {
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
fn csv_has_a_row_for_each_checksum() {
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

/// At the offset of each row of `--csv`, the capture has the found value, also for fragmented
/// datagrams.
#[test]
fn csv_offsets_point_at_the_fields() {
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
    assert_eq!(seen, 144); // the count of tshark in examples/README.md
}

#[test]
fn one_pass_makes_several_outputs() {
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
            .stderr_eq("wiresum: verify: [..] and [..] both go to standard output; give one of them a file\n");
    }
}

#[test]
fn outputs_refuse_to_overwrite_a_capture() {
    let good = fs::read(folder().join("good.pcap")).expect("a capture");
    for option in ["--csv", "--html", "--parquet"] {
        wiresum(&["verify", option, "./good.pcap", "mixed.pcap", "good.pcap"])
            .assert()
            .code(2)
            .stdout_eq("")
            .stderr_eq(
                "wiresum: verify: ./good.pcap is one of the captures; give the output another name\n",
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
fn parquet_tells_how_to_build_it() {
    wiresum(&["verify", "--parquet", "checksums.parquet", "good.pcap"])
        .assert()
        .code(2)
        .stdout_eq("")
        .stderr_eq(str![[r#"
wiresum: verify: this wiresum was built without --parquet; install one that has it with: cargo install wiresum-cli --features parquet (in the sources: cargo build --release --features parquet)

"#]]);
}
