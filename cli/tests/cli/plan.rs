// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum plan`: where lines meet, what traffic costs, and what is refused.

use std::fs;

use serde_json::Value;

use super::{scratch, wiresum};

/// The least-squares lines of the paper's table 2 from 1 to 100 bytes (Valerio-Regalado and
/// Avila-Ortega, LACCEI 2012), with five digits a coefficient.
const PAPER: &str = r#"{"format": 1, "lines": [
    {"name": "software", "unit": "cycles", "clock_hz": 100e6, "job": 709.06, "byte": 24.034,
     "measured": "the paper's table 2"},
    {"name": "engine", "unit": "cycles", "clock_hz": 100e6, "job": 2605.3, "byte": -0.11393,
     "longest": 100}
]}"#;

/// A file with these contents in a folder of its own, and its path.
fn file(name: &str, contents: impl AsRef<[u8]>) -> String {
    let path = scratch(&format!("plan {name}"), &[]).join(name);
    fs::write(&path, contents).expect("a scratch file");
    path.to_str().expect("text").to_owned()
}

fn json(arguments: &[&str]) -> Value {
    let output = wiresum(&[&["plan", "--json"], arguments].concat()).output();
    let output = output.expect("it runs");
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// The message of a command that fails.
fn refused(arguments: &[&str]) -> String {
    let output = wiresum(&[&["plan"], arguments].concat()).output();
    let output = output.expect("it runs");
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    String::from_utf8(output.stderr).expect("text")
}

#[test]
fn the_papers_lines_meet_at_79_bytes() {
    let lines = file("paper.json", PAPER);
    let found = json(&["--lines", &lines]);
    assert_eq!(found["unit"], "ns");
    let ranges = &found["plans"][0]["ranges"];
    assert_eq!(ranges[0]["line"], "software");
    assert_eq!(ranges[0]["to"], 78);
    assert_eq!(ranges[1]["line"], "engine");
    assert_eq!(ranges[1]["from"], 79);
    let meets = ranges[1]["meets"].as_f64().expect("a number");
    assert_eq!(format!("{meets:.2}"), "78.53");
    // The lines hold for jobs of at most 100 bytes.
    assert_eq!(ranges[1]["to"], 100);
    assert_eq!(ranges[2]["line"], "software");
}

#[test]
fn the_sums_of_a_capture_are_its_jobs() {
    // An IPv4 header of 20 bytes, and TCP of 20 bytes with 6 of data.
    let capture = file("plan.pcap", super::capture(1, &["TCP over IPv4"]));
    let line = ["--line", "cpu=10+1ns", "--line", "nic=34+0.2ns"];
    let found = json(&[&line[..], &[&capture]].concat());
    let traffic = &found["traffic"];
    assert_eq!(traffic["source"], capture.as_str());
    assert_eq!(traffic["jobs"], 2);
    assert_eq!(traffic["shortest"], 20);
    let longest = traffic["longest"].as_u64().expect("a number");
    let plan = &found["plans"][0];
    assert_eq!(plan["ranges"][1]["from"], 31);
    let shares = plan["shares"].as_array().expect("a list");
    let tcp = if longest > 30 {
        34.0 + 0.2 * longest as f64
    } else {
        10.0 + longest as f64
    };
    assert_eq!(plan["cost"].as_f64(), Some(30.0 + tcp));
    let jobs: u64 = shares
        .iter()
        .map(|share| share["jobs"].as_u64().unwrap())
        .sum();
    assert_eq!(jobs, 2);

    let found = json(&[&line[..], &["--field", "ipv4", &capture]].concat());
    assert_eq!(found["traffic"]["jobs"], 1);
    assert_eq!(found["traffic"]["bytes"], 20);
}

#[test]
fn a_histogram_and_a_mix_are_traffic_too() {
    let lengths = file("plan.csv", "bytes,count\n40,7\n576, 4\n1500,1\n9000,0\n");
    let cpu = ["--line", "cpu=10+1ns"];
    let of_file = json(&[&cpu[..], &["--lengths", &lengths]].concat());
    let of_mix = json(&[&cpu[..], &["--mix", "imix"]].concat());
    assert_eq!(of_file["plans"], of_mix["plans"]);
    assert_eq!(of_mix["plans"][0]["cost"], 12.0 * 10.0 + 4084.0);
}

#[test]
fn a_batch_shares_its_doorbell() {
    let lines = r#"{"format": 1, "lines": [
        {"name": "cpu", "unit": "ns", "job": 0, "byte": 2},
        {"name": "engine", "unit": "ns", "batch": 96, "job": 4, "byte": 1, "longest": 1000}]}"#;
    let lines = file("batch.json", lines);
    let found = json(&["--lines", &lines, "--mix", "2000"]);
    let plans = found["plans"].as_array().expect("a list");
    let from = |n: usize| (&plans[n]["batch"], &plans[n]["ranges"][1]["from"]);
    assert_eq!(from(0), (&1.into(), &101.into()));
    assert_eq!(from(1), (&32.into(), &8.into()));
    assert_eq!(plans[0]["shares"][1]["alone"], Value::Null);
}

/// What `wiresum_engine_calibrate()` writes in the simulation of rtl/tests/engine_driver, at a
/// latency of memory of 24 cycles.
const CALIBRATED: &str = r#"{"format": 1, "lines": [
  {"name": "software", "unit": "cycles", "clock_hz": 100000000,
   "batch": 0.000000, "job": 40.031250, "byte": 0.500000,
   "measured": "the simulation, jobs of 64 to 16384 bytes"},
  {"name": "engine", "unit": "cycles", "clock_hz": 100000000,
   "batch": 68.903226, "job": 3.096774, "byte": 0.125000,
   "cpu": {"batch": 3.000000, "job": 1.000000, "byte": 0.000000},
   "measured": "the simulation, jobs of 64 to 16384 bytes, alone and in batches of 32"}
]}
"#;

#[test]
fn an_engine_saves_time_of_the_cpu() {
    let lines = file("calibrated.json", CALIBRATED);
    let arguments = ["--lines", &lines, "--mix", "64:3,1500", "--batch", "1"];
    let plan = &json(&arguments)["plans"][0];
    assert_eq!(plan["ranges"][1]["from"], 86);
    // Cycles of 10 ns: three short sums in software, and one by the engine, which takes four of them.
    let number = |value: &Value| (value.as_f64().expect("a number") * 1e4).round() / 1e4;
    assert_eq!(number(&plan["shares"][1]["cpu"]), 40.0);
    assert_eq!(number(&plan["cpu"]), 3.0 * 720.3125 + 40.0);
    assert_eq!(number(&plan["cpu_saved"]), 7900.3125 - 40.0);

    let found = json(&[&arguments[..], &["--cpu"]].concat());
    assert_eq!(found["by_cpu"], true);
    let plan = &found["plans"][0];
    assert_eq!(plan["ranges"][0]["line"], "engine");
    assert_eq!(plan["ranges"].as_array().map(Vec::len), Some(1));
    assert_eq!(number(&plan["cpu"]), 160.0);
    assert_eq!(number(&plan["shares"][0]["cpu_alone"]), 10061.25);
    assert_eq!(number(&plan["cpu_saved"]), 9901.25);

    let page = scratch("plan cpu", &[]).join("plan.html");
    let page = page.to_str().expect("text");
    let arguments = [&["plan", "--cpu", "--html", page], &arguments[..]].concat();
    let output = wiresum(&arguments).output().expect("it runs").stdout;
    let output = String::from_utf8(output).expect("text");
    let row = output.lines().last().expect("a row");
    assert_eq!(
        row.split_whitespace().collect::<Vec<_>>(),
        ["all", "1", "160.0", "ns", "9.9", "µs"]
    );
    let html = fs::read_to_string(page).expect("a page");
    assert!(
        html.contains("The CPU spends 160.0 ns of it, 9.9 µs less than with software alone."),
        "{html}"
    );
}

#[test]
fn a_report_of_bench_is_a_line() {
    let report = wiresum(&[
        "bench",
        "--quick",
        "--json",
        "--section",
        "sizes",
        "--size",
        "20,1500",
    ]);
    let report = report.output().expect("it runs").stdout;
    let report = file("bench.json", report);
    let found = json(&["--bench", &report]);
    let line = &found["lines"][0];
    assert_eq!(line["name"], "wiresum");
    assert!(line["byte"].as_f64().expect("a number") > 0.0, "{line}");
    let measured = line["measured"].as_str().expect("text");
    // A line through the two points of one contender is exact.
    assert!(
        measured.contains("the line is off by 0 % at most"),
        "{measured}"
    );
}

#[test]
fn the_table_and_the_page_show_the_plan() {
    let page = scratch("plan page", &[]).join("plan.html");
    let page = page.to_str().expect("text");
    let lines = ["--line", "cpu=12+0.02ns", "--line", "<nic>=20+0.005ns"];
    let arguments = [&["plan"], &lines[..], &["--mix", "imix", "--html", page]].concat();
    wiresum(&arguments)
        .assert()
        .success()
        .stdout_eq(snapbox::str![[r#"
The lines, in ns
  line   a batch  a job    a byte  longest job  measured on
  cpu          0  12.00   0.02000               the command line
  <nic>        0  20.00  0.005000               the command line

The cheapest line for each length
  line   bytes         the lines meet at  jobs in a batch
  cpu    0 to 533                                       1
  <nic>  534 and more             533.33                1

What the traffic costs: the mix imix, 12 sums of 40 to 1,500 bytes
  line   jobs in a batch  sums  % of sums    bytes  % of bytes      cost  if it took all
  cpu                  1     7       58.3    280 B         6.9   89.6 ns        225.7 ns
  <nic>                1     5       41.7  3.80 kB        93.1  119.0 ns        260.4 ns
  all                  1    12      100.0  4.08 kB       100.0  208.6 ns

"#]]);
    let html = fs::read_to_string(page).expect("a page");
    assert!(
        html.contains("At 534 bytes and more, &#60;nic&#62; is the cheapest."),
        "{html}"
    );
    assert_eq!(html.matches("<polyline").count(), 2);
    assert_eq!(html.matches("<rect").count(), 3);
    assert!(!html.contains("NaN") && !html.contains("inf"), "{html}");

    let error = refused(&arguments[1..]);
    assert!(error.contains("exists; --force replaces it"), "{error}");
    let arguments = [&arguments[..], &["--force"]].concat();
    wiresum(&arguments).assert().success();
}

#[test]
fn what_cannot_be_planned_is_refused() {
    let empty = file("empty.csv", "bytes,count\n");
    let words = file("words.csv", "bytes,count\nten,1\n");
    let huge = file("huge.csv", "bytes,count\n4294967296,4294967296\n");
    let other = file("other.json", r#"{"format": 2, "lines": []}"#);
    let none = file("none.json", r#"{"format": 1, "lines": []}"#);
    let falls = PAPER.replace(",\n     \"longest\": 100", "");
    let falls = file("falls.json", falls);
    let negative = CALIBRATED.replace("\"job\": 1.0", "\"job\": -1.0");
    let negative = file("negative.json", negative);
    let unknown = PAPER.replace("byte", "bytes");
    let unknown = file("unknown.json", unknown);
    let cpu = ["--line", "cpu=1+1ns"];
    let with = |more: &[&str]| refused(&[&cpu[..], more].concat());
    for (error, part) in [
        (refused(&[]), "there is no line"),
        (with(&cpu), "two lines have the name cpu"),
        (
            with(&["--line", "e=1+1cycles"]),
            "a clock that is not known",
        ),
        (with(&["--line", "e"]), "give NAME=A+B"),
        (with(&["--lines", &other]), "have the format 2"),
        (with(&["--lines", &none]), "has no line"),
        (with(&["--lines", &falls]), "falls without end"),
        (with(&["--lines", &negative]), "a cost of the CPU"),
        (with(&["--lines", &unknown]), "unknown field"),
        (with(&["--bench", &none]), "missing field"),
        (with(&["--lengths", &empty]), "no sum to plan for"),
        (with(&["--lengths", &words]), "line: 2"),
        (with(&["--lengths", &huge]), "more than 2^64 bytes"),
        (with(&["--mix", "40:"]), "no part of a mix"),
        (with(&["nowhere.pcap"]), "nowhere.pcap"),
    ] {
        assert!(error.contains(part), "{part}: {error}");
    }
}
