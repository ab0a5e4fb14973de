// SPDX-License-Identifier: MIT OR Apache-2.0
//! The documents have a row for each protocol and for each cause.

use wiresum_packet::{Cause, Protocol};

/// Returns the names in code font with which the given column of the table rows begins.
fn names(page: &str, column: usize) -> Vec<&str> {
    page.lines()
        .filter(|line| line.starts_with('|'))
        .filter_map(|line| line.split('|').nth(column)?.trim().strip_prefix('`'))
        .filter_map(|cell| cell.split('`').next())
        .collect()
}

#[test]
fn the_readme_has_a_row_for_each_protocol() {
    let rows = names(include_str!("../../README.md"), 1);
    assert_eq!(rows, Protocol::ALL.map(Protocol::key));
}

#[test]
fn the_page_of_causes_has_each_cause() {
    let page = include_str!("../../causes.md");
    let mut rows = [names(page, 1), names(page, 2)].concat();
    rows.push("udp-zero"); // a paragraph, because its field is illegal and not bad
    assert!(page.contains("`udp-zero` is the cause"));
    for cause in Cause::KEYS {
        assert!(
            rows.contains(&cause),
            "packet/causes.md has no row for {cause}"
        );
    }
    for row in rows {
        assert!(Cause::from_key(row).is_some(), "{row} is no cause");
    }
}
