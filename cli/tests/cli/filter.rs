// SPDX-License-Identifier: MIT OR Apache-2.0
//! The rows of wrong checksums that the page in a browser filters.

use std::fs;

use serde_json::Value;
use wiresum_cli::verify::{Captures, Filter, Filtered};

use super::{folder, wiresum};

/// The wrong checksums of these captures that a filter finds.
fn filtered(names: &[&str], filter: Filter, room: usize) -> Filtered {
    let mut filtered = Filtered::new(filter, room);
    let mut captures = Captures::default();
    for name in names {
        let bytes = fs::read(folder().join(name)).expect("it is there");
        filtered.begin(name);
        let read = captures.read(name, &bytes[..], &mut filtered);
        assert!(read.expect("no collector fails"));
    }
    let output = wiresum(&["verify", "--json"]).args(names).output();
    let json = String::from_utf8(output.expect("it runs").stdout).expect("UTF-8");
    assert_eq!(captures.json().expect("it is written"), json);
    filtered
}

fn rows(filtered: &Filtered, filter: &Filter) -> Value {
    let json = filtered.json(filter, usize::MAX).expect("it is written");
    serde_json::from_str(&json).expect("JSON")
}

#[test]
fn rows_hold_what_the_csv_has() {
    let found = rows(
        &filtered(&["mixed.pcap"], Filter::default(), 1000),
        &Filter::default(),
    );
    let output = wiresum(&["verify", "--csv", "-", "mixed.pcap"]).output();
    let csv = String::from_utf8(output.expect("it runs").stdout).expect("UTF-8");
    let wrong: Vec<Vec<&str>> = csv
        .lines()
        .map(|line| line.split(',').collect())
        .filter(|row: &Vec<_>| ["bad", "illegal"].contains(&row[10]) && row[4] == "false")
        .collect();
    let found = found["rows"].as_array().expect("rows");
    assert_eq!(found.len(), wrong.len());
    assert!(wrong.len() > 1);
    for (row, cells) in found.iter().zip(wrong) {
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        assert_eq!(row["frame"].to_string(), cells[1]);
        assert_eq!(text("time"), cells[2]);
        assert_eq!(row["layer"].to_string(), cells[3]);
        assert_eq!(text("protocol"), cells[5]);
        assert!(text("between").contains(cells[6]) && text("between").contains(cells[8]));
        assert!(text("between").contains(cells[7]) && text("between").contains(cells[9]));
        assert_eq!(text("status"), cells[10]);
        assert_eq!(text("found"), cells[13]);
        assert_eq!(text("expected"), cells[14]);
    }
}

#[test]
fn a_filter_of_rows_finds_what_a_search_with_it_finds() {
    let names = ["mixed.pcap", "offload.pcap"];
    let all = filtered(&names, Filter::default(), 1000);
    let every = rows(&all, &Filter::default());
    let every = every["rows"].as_array().expect("rows");
    let host = every[0]["between"].as_str().expect("a text");
    let host = host.split([':', ' ']).next().expect("an address");
    let protocol = &every[0]["protocol"];
    let cause = &every[0]["kind"];
    for filter in [
        "{}".to_owned(),
        r#"{"file": 1}"#.to_owned(),
        format!(r#"{{"protocol": {protocol}}}"#),
        format!(r#"{{"cause": {cause}}}"#),
        format!(r#"{{"host": "{host}"}}"#),
        format!(r#"{{"host": "{host}", "cause": {cause}, "file": 0}}"#),
        r#"{"host": "203.0.113.99"}"#.to_owned(),
    ] {
        let wanted = || serde_json::from_str::<Filter>(&filter).expect("a filter");
        let held = rows(&all, &wanted());
        let searched = rows(&filtered(&names, wanted(), 1000), &Filter::default());
        assert_eq!(held, searched, "{filter}");
        let count = held["found"].as_u64().expect("a number");
        let is_none = filter.contains("203.0.113.99");
        assert_eq!(count == 0, is_none, "{filter}");
    }
}

#[test]
fn rows_without_room_are_counted() {
    let few = filtered(&["mixed.pcap"], Filter::default(), 1);
    let all = filtered(&["mixed.pcap"], Filter::default(), 1000);
    let total = rows(&all, &Filter::default())["found"].as_u64();
    assert_eq!(rows(&few, &Filter::default())["found"], 1);
    assert_eq!(Some(few.beyond() + 1), total);
    assert_eq!(all.beyond(), 0);
}
