// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum bench`: what it measures, and what it refuses.

use std::fs;

use super::{folder, wiresum};

/// The report of a short run.
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
fn measures_the_sections_asked_for() {
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
    // Two sizes at two alignments, as a sum and as a copy.
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
    // More data takes longer, so the compiler did not remove the work.
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
fn shows_an_earlier_run() {
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
fn refuses_unknown_names_and_sizes() {
    for (arguments, why) in [
        (["--kernel", "abacus"], "there is no kernel \"abacus\""),
        (
            ["--section", "colors"],
            "the sections are memory, sizes, page_offsets, mixes",
        ),
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
