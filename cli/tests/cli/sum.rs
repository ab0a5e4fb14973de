// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum sum`: sums, checksums, and files that cannot be read.

use snapbox::str;

use super::wiresum;

#[test]
fn prints_the_sum_or_the_checksum() {
    wiresum(&["sum", "bytes", "good.pcap"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
0x1c46  bytes
0x7434  good.pcap

"#]])
        .stderr_eq(str![""]);
    wiresum(&["sum", "--checksum", "bytes"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
0xe3b9  bytes

"#]]);
}

#[test]
fn reads_standard_input() {
    for arguments in [&["sum"][..], &["sum", "-"]] {
        // The example of RFC 1071 section 3, and one odd byte.
        wiresum(arguments)
            .stdin(&b"\x00\x01\xf2\x03\xf4\xf5\xf6\xf7\x80"[..])
            .assert()
            .code(0)
            .stdout_eq("0x5df3  -\n");
    }
    wiresum(&["sum"])
        .stdin(&b""[..])
        .assert()
        .code(0)
        .stdout_eq("0x0000  -\n");
}

/// A file of odd length that is longer than one read.
#[test]
fn joins_the_pieces_of_a_long_file() {
    let bytes = vec![0xff; (1 << 20) + 1];
    wiresum(&["sum"])
        .stdin(bytes)
        .assert()
        .code(0)
        .stdout_eq("0xff00  -\n");
}

#[test]
fn a_file_that_fails_does_not_stop_the_others() {
    wiresum(&["sum", "missing", "bytes"])
        .assert()
        .code(2)
        .stdout_eq(str![[r#"
0x1c46  bytes

"#]])
        .stderr_eq(str![[r#"
wiresum: missing: No such file or directory (os error 2)

"#]]);
}
