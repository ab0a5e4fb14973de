// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum verify --json`: the whole object.

use snapbox::{file, str};

use super::wiresum;

#[test]
fn json_has_every_count() {
    wiresum(&[
        "verify",
        "--json",
        "mixed.pcap",
        "bluetooth.pcap",
        "missing.pcap",
    ])
    .assert()
    .code(2)
    .stdout_eq(file!["json/counts.json": Text])
    .stderr_eq(str![[r#"
wiresum: missing.pcap: No such file or directory (os error 2)

"#]]);
}
