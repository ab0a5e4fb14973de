// SPDX-License-Identifier: MIT OR Apache-2.0
//! The outputs of `wiresum verify` for programs, and how they combine.

use std::fs;

use snapbox::str;
use wiresum_packet::LinkType;

use super::{capture, common, folder, names, scratch, wiresum, wiresum_in};

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

#[test]
fn a_field_of_the_link_layer_has_no_addresses() {
    fs::write(folder().join("cdp.pcap"), capture(1, &["CDP zeroed"])).expect("a file");
    wiresum(&["verify", "--csv", "-", "cdp.pcap"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
file,frame,time,layer,quoted,protocol,source,source_port,destination,destination_port,status,cause,reason,found,expected,offset
cdp.pcap,1,1970-01-01T00:00:00.000000Z,0,false,cdp,,,,,bad,zeroed,,0x0000,0x9f86,64

"#]]);
    wiresum(&["verify", "--list", "cdp.pcap"])
        .assert()
        .code(1)
        .stdout_eq(str![[r#"
cdp.pcap:1  1970-01-01T00:00:00.000000Z  cdp  layer 0  no addresses  found 0x0000  expected 0x9f86  bad (zeroed)

"#]]);
    let output = wiresum(&["explain", "--json", "cdp.pcap", "1"]).output();
    let json: serde_json::Value =
        serde_json::from_slice(&output.expect("it ran").stdout).expect("JSON");
    let field = &json[0]["checksums"][0];
    assert_eq!(field["protocol"], "cdp");
    for name in ["source", "destination", "ports"] {
        let value = field.get(name);
        assert_eq!(value, Some(&serde_json::Value::Null), "{name}: {json:#}");
    }
    let output = wiresum(&["explain", "cdp.pcap", "1"]).output();
    let text = String::from_utf8(output.expect("it ran").stdout).expect("text");
    assert!(text.contains("cdp in layer 0, no addresses: bad"), "{text}");
    assert!(text.contains("as a signed number"), "{text}");
    assert!(!text.contains("00 makes it a word"), "{text}");
    fs::write(
        folder().join("isis.pcap"),
        capture(1, &["IS-IS link state"]),
    )
    .expect("a file");
    let output = wiresum(&["explain", "isis.pcap", "1"]).output();
    let text = String::from_utf8(output.expect("it ran").stdout).expect("text");
    assert!(
        text.contains("isis in layer 0, no addresses: good"),
        "{text}"
    );
    assert!(
        text.contains("Fletcher's checksum has two sums modulo 255"),
        "{text}"
    );
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
    let folder = scratch("combined", &[]);
    let path = |name: &str| folder.join(name).into_os_string();
    let [csv, html] = ["c.csv", "c.html"].map(|name| path(name).into_string().expect("UTF-8"));
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
        "--force",
        "--json",
        "mixed.pcap",
    ])
    .assert()
    .code(1)
    .stdout_eq(json);
    for arguments in [
        ["--list", "--json"],
        ["--csv=-", "--json"],
        ["--csv=-", "--jsonl"],
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

/// A shell expands `--csv *.pcap` to an output and its captures.
#[test]
fn outputs_replace_no_file_unasked_and_no_capture_ever() {
    let folder = scratch("outputs", &["mixed.pcap", "good.pcap"]);
    let read = |name: &str| fs::read(folder.join(name)).expect("a file");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("a file");
    let mut gzipped = Vec::new();
    wiresum_packet::Compression::Gzip
        .compress(&mut &read("good.pcap")[..], &mut gzipped)
        .expect("a vector takes all");
    write("gzipped.csv", &gzipped);
    write("notes", b"what somebody wrote");
    let all = names(&folder);
    let options: &[&str] = match cfg!(feature = "parquet") {
        true => &["--csv", "--html", "--parquet"],
        false => &["--csv", "--html"],
    };
    for option in options {
        for name in ["good.pcap", "gzipped.csv"] {
            let before = read(name);
            for force in [&[][..], &["--force"]] {
                let arguments = [&["verify", option, name, "mixed.pcap"], force].concat();
                wiresum_in(&folder, &arguments)
                    .assert()
                    .code(2)
                    .stdout_eq("")
                    .stderr_eq(format!(
                        "wiresum: verify: {name} is a capture; give the output another name\n"
                    ));
                assert_eq!(read(name), before, "{arguments:?}");
            }
        }
        write("notes", b"what somebody wrote");
        wiresum_in(&folder, &["verify", option, "notes", "mixed.pcap"])
            .assert()
            .code(2)
            .stdout_eq("")
            .stderr_eq("wiresum: verify: notes exists; --force replaces it\n");
        assert_eq!(read("notes"), b"what somebody wrote");
        wiresum_in(
            &folder,
            &["verify", option, "notes", "mixed.pcap", "--force"],
        )
        .assert()
        .code(1);
        assert_ne!(read("notes"), b"what somebody wrote");
    }
    for arguments in [
        &["verify", "--csv", "new", "--html", "./new", "mixed.pcap"][..],
        &[
            "verify",
            "--csv",
            "new",
            "--html",
            "good.pcap",
            "mixed.pcap",
        ],
    ] {
        for force in [&[][..], &["--force"]] {
            wiresum_in(&folder, &[arguments, force].concat())
                .assert()
                .code(2);
            assert_eq!(names(&folder), all, "nothing is created");
        }
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
wiresum: verify: this wiresum was built without --parquet; in its sources this installs one that has it: cargo install --path cli --features parquet

"#]]);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn report_tells_how_to_build_it() {
    wiresum(&["report", "results"])
        .assert()
        .code(2)
        .stdout_eq("")
        .stderr_eq(str![[r#"
wiresum: report: this wiresum was built without report; in its sources this installs one that has it: cargo install --path cli --features parquet

"#]]);
}

/// One damaged time does not make all others one bar.
#[test]
fn a_damaged_time_is_outside_the_chart() {
    let folder = scratch("times", &[]);
    let mut file = capture(1, &["TCP that holds the sum of the pseudo-header"; 20]);
    let record = (file.len() - 24) / 20;
    let seconds = 24 + 5 * record;
    file[seconds..seconds + 4].copy_from_slice(&u32::MAX.to_le_bytes()); // in 2106
    fs::write(folder.join("times.pcap"), file).expect("a file");
    let output = wiresum_in(&folder, &["verify", "--html", "-", "times.pcap"]).output();
    let page = String::from_utf8(output.expect("it runs").stdout).expect("UTF-8");
    let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
    for part in [
        "From 1970-01-01 00:00:00.000 to 1970-01-01 00:00:19.058, UTC. A bar is 134 ms wide.",
        "Checksums in frames whose times are far away from all others are not shown: 2, 1 of them \
         bad or illegal, from 2106-02-07 06:28:15 to 2106-02-07 06:28:15.",
    ] {
        assert!(words.contains(part), "{part}");
    }
    assert_eq!(page.matches("1 offload</title>").count(), 19);
}

/// Every output shows the cause that the packets before show.
#[test]
fn the_page_praises_no_capture_in_which_nothing_was_verified() {
    let folder = scratch("tones", &["good.pcap"]);
    let good = fs::read(folder.join("good.pcap")).expect("it is there");
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("a file");
    write("damaged.pcap", &[&good[..24], &[0xff; 64]].concat());
    write("empty.pcap", &good[..24]);
    write("text.pcap", b"this is no capture, and long enough to tell");
    for (names, tone, sentence) in [
        (
            &["text.pcap"][..],
            "unsure",
            "Nothing could be judged: no capture could be read.",
        ),
        (
            &["damaged.pcap"],
            "unsure",
            "Nothing could be judged: the capture is damaged, and no packet could be read.",
        ),
        (
            &["empty.pcap"],
            "unsure",
            "Nothing could be judged: there are no packets.",
        ),
        (&["good.pcap"], "good", "All 6 checksums are right."),
        (
            &["good.pcap", "text.pcap"],
            "unsure",
            "All 6 checksums are right. Files that could not be read: 1.",
        ),
    ] {
        let words = [&["verify", "--html", "-"][..], names].concat();
        let output = wiresum_in(&folder, &words).output().expect("it runs");
        let html = String::from_utf8(output.stdout).expect("UTF-8");
        let line = format!("<p class=\"headline {tone}\">{sentence}</p>");
        assert!(html.contains(&line), "{names:?}: {line} is not in the page");
        let title = match names {
            [name] => format!("<h1><bdi>{name}</bdi></h1>"),
            _ => "<h1><bdi>2 files</bdi></h1>".to_owned(),
        };
        assert!(
            html.contains(&title),
            "{names:?}: {title} is not in the page"
        );
    }
}

#[test]
fn a_spreadsheet_takes_no_file_name_for_a_formula() {
    let names = ["=1+1.pcap", "+1.pcap", "@a.pcap"];
    let folder = scratch("formulas", &["mixed.pcap"]);
    for name in names {
        fs::copy(folder.join("mixed.pcap"), folder.join(name)).expect("a copy");
        let output = wiresum_in(&folder, &["verify", "--csv", "-", name]).output();
        let csv = String::from_utf8(output.expect("it runs").stdout).expect("UTF-8");
        for row in csv.lines().skip(1) {
            assert!(row.starts_with(&format!("./{name},")), "{row}");
        }
        assert!(csv.lines().count() > 1);
    }
}

#[test]
fn all_outputs_agree_on_the_causes_of_a_flow() {
    let cases = common::frames();
    let nth = |mistake: &str| {
        ["first", "second", "third"].map(|nth| {
            let about = mistake.replace("NTH", nth);
            let case = cases.iter().find(|case| case.about == about);
            case.unwrap_or_else(|| panic!("frames.txt has no {about}"))
        })
    };
    let port = nth("the source port, 1000, left out of the NTH packet");
    let carry = nth("a carry of a little-endian machine lost in the NTH packet");
    let frames = port.iter().chain(&carry).chain(&carry[..1]);
    let frames = frames.map(|case| (&case.data[..], case.data.len()));
    let file = common::pcap(LinkType::ETHERNET, frames);
    let name = "flows.pcap";
    fs::write(folder().join(name), file).expect("a scratch file");
    let run = |arguments: &[&str]| {
        let output = wiresum(arguments).output().expect("it runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let json = |arguments: &[&str]| -> serde_json::Value {
        serde_json::from_str(&run(arguments)).expect("JSON")
    };

    let causes = [
        "unknown",
        "unknown",
        "same-difference",
        "one-bit",
        "one-bit",
        "same-difference",
        "same-difference", // a copy of a packet in the row
    ];
    let counts = serde_json::json!({"one-bit": 2, "same-difference": 3, "unknown": 2});
    let verified = json(&["verify", "--json", name]);
    assert_eq!(verified["files"][0]["causes"]["tcp"], counts);
    let repaired = json(&["fix", "--dry-run", "--json", name]);
    assert_eq!(repaired["repaired"]["tcp"], counts);
    let some = ["fix", "--dry-run", "--json", "--only", "same-difference"];
    let some = json(&[&some[..], &[name]].concat());
    assert_eq!(
        some["repaired"]["tcp"],
        serde_json::json!({"same-difference": 3})
    );
    let left = serde_json::json!({"one-bit": 2, "unknown": 2});
    assert_eq!(some["left"]["tcp"], left);

    let csv = run(&["verify", "--csv", "-", name]);
    let mut rows = csv::Reader::from_reader(csv.as_bytes());
    let rows = rows.records().map(|row| row.expect("a row"));
    let in_csv: Vec<_> = rows
        .filter(|row| &row[5] == "tcp")
        .map(|row| row[11].to_owned())
        .collect();
    assert_eq!(in_csv, causes);
    let labels = [
        "unknown",
        "unknown",
        "same-difference",
        "one-bit",
        "one-bit",
    ];
    let labels = [&labels[..], &["same-difference, a carry"; 2]].concat();
    let list = run(&["verify", "--list", name]);
    let in_list: Vec<_> = list
        .lines()
        .map(|line| {
            line.split_once("bad (")
                .expect("a cause")
                .1
                .trim_end_matches(')')
        })
        .collect();
    assert_eq!(in_list, labels);
    for (frame, label) in (1..).zip(&labels) {
        let frame = u64::to_string(&frame);
        let explained = json(&["explain", "--json", "--field", "tcp", name, &frame]);
        let checksum = &explained[0]["checksums"][0];
        assert_eq!(checksum["why"], **label, "frame {frame}");
        let tried = checksum["tried"].as_array().expect("a list");
        let last = tried.last().expect("a hypothesis");
        assert_eq!(last["fits"], *label != "unknown", "frame {frame}");
    }
    let table = run(&["verify", name]);
    let html = run(&["verify", "--html", "-", name]);
    for count in [
        "bad (unknown): 2",
        "bad (one-bit): 2",
        "bad (same-difference): 1",
        "bad (same-difference, a carry): 2",
    ] {
        assert!(table.contains(count), "{count} is not in {table}");
        assert!(html.contains(count), "{count} is not in the page");
    }
}

/// Every frame that was not judged is in the list, in the rows and in the JSON, as often as it is
/// counted.
#[test]
fn unjudged_lists_every_frame_that_was_not_judged() {
    let output = |arguments: &[&str]| {
        let output = wiresum(&[&["verify", "--unjudged"], arguments].concat()).output();
        String::from_utf8(output.expect("it runs").stdout).expect("UTF-8")
    };
    let files = ["mixed.pcap", "opaque.pcap"];
    let list = output(&["--list", files[0], files[1]]);
    let csv = output(&["--csv", "-", files[0], files[1]]);
    let json = output(&["--json", files[0], files[1]]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert!(
        list.contains(
            "mixed.pcap:8  1970-01-01T00:00:07.000000Z  tcp  layer 1  192.0.2.1:1000 > \
             192.0.2.2:80  found 0xbb22  unverified (snapped)\n"
        ),
        "{list}"
    );
    for line in [
        "mixed.pcap:10  1970-01-01T00:00:09.000000Z  malformed (IPv4 header length below 20)\n",
        "opaque.pcap:3  1970-01-01T00:00:02.000000Z  not entered (encrypted ESP)\n",
    ] {
        assert!(list.contains(line), "{line}: {list}");
    }
    let row = "opaque.pcap,3,1970-01-01T00:00:02.000000Z,,,,,,,,not entered,,encrypted ESP,,,\n";
    assert!(csv.contains(row), "{csv}");

    let mut listed = 0;
    for file in json["files"].as_array().expect("files") {
        let path = file["path"].as_str().expect("a name");
        let entries = file["unjudged"].as_array().expect("a list");
        let all = |what: &serde_json::Value| -> u64 {
            let counts = what.as_object().expect("counts").values();
            counts.map(|n| n.as_u64().expect("a number")).sum()
        };
        let reasons = file["unverified"].as_object().expect("protocols").values();
        let records = file["malformed_by"].as_object().expect("errors").iter();
        let frames: u64 = records
            .filter(|(how, _)| !how.contains("record"))
            .map(|(_, n)| n.as_u64().expect("a number"))
            .sum();
        for (status, counted) in [
            ("unverified", reasons.map(all).sum()),
            ("not entered", all(&file["not_entered"])),
            ("malformed", frames),
        ] {
            let of_status = entries.iter().filter(|entry| entry["status"] == status);
            let of_status: Vec<_> = of_status.collect();
            assert_eq!(of_status.len() as u64, counted, "{path}: {status}: {file}");
            for entry in of_status {
                let place = format!("{path}:{}  ", entry["frame"]);
                let reason = format!("  {status} ({})", entry["reason"].as_str().expect("words"));
                let is_it = |line: &&str| line.starts_with(&place) && line.ends_with(&reason);
                assert_eq!(
                    list.lines().filter(is_it).count(),
                    1,
                    "{place}{reason}: {list}"
                );
                let start = format!("{path},{},", entry["frame"]);
                let middle = format!(",{status},,{},", entry["reason"].as_str().expect("words"));
                let is_it = |row: &&str| row.starts_with(&start) && row.contains(&middle);
                assert_eq!(
                    csv.lines().filter(is_it).count(),
                    1,
                    "{start}{middle}: {csv}"
                );
                listed += 1;
            }
        }
    }
    assert!(listed > 5, "only {listed} are listed");
    let without = wiresum(&["verify", "--json", "opaque.pcap"]).output();
    let without = String::from_utf8(without.expect("it runs").stdout).expect("UTF-8");
    assert!(!without.contains("unjudged"), "{without}");
}

#[test]
fn unjudged_needs_an_output_that_lists() {
    wiresum(&["verify", "--unjudged", "good.pcap"])
        .assert()
        .code(2)
        .stdout_eq("")
        .stderr_eq(
            "wiresum: verify: --unjudged adds to --list, --csv, --json and --jsonl; give one of them\n",
        );
}

/// A capture of which nothing can be verified is no success, if a program wants to know.
#[test]
fn require_verified_fails_where_nothing_was_verified() {
    let folder = scratch("require_verified", &["good.pcap"]);
    fs::write(folder.join("arp.pcap"), capture(1, &["ARP"])).expect("a scratch file");
    for (arguments, code, error) in [
        (&["arp.pcap"][..], 0, ""),
        (&["--require-verified", "good.pcap"], 0, ""),
        (
            &["--require-verified", "good.pcap", "arp.pcap"],
            1,
            "wiresum: arp.pcap: no checksum could be verified\n",
        ),
    ] {
        wiresum_in(&folder, &[&["verify", "--quiet"], arguments].concat())
            .assert()
            .code(code)
            .stdout_eq("")
            .stderr_eq(error);
    }
}
