// SPDX-License-Identifier: MIT OR Apache-2.0
//! snoop files.

use super::reading::read;
use super::writing::Order;

/// Returns a snoop file of the same two frames.
pub(crate) fn snoop(datalink: u32) -> Vec<u8> {
    let big = Order::Big;
    let mut file = b"snoop\0\0\0".to_vec();
    file.extend(big.words(&[2, datalink]));
    file.extend(big.words(&[3, 3, 28, 0, 1_000_000_000, 999_999]));
    file.extend(b"one\0");
    file.extend(big.words(&[7, 3, 28, 5, 1_000_000_001, 1]));
    file.extend(b"two\0");
    file
}

#[test]
fn snoop_and_its_damages() {
    let first = "1 at 1000000000.999999000, Ethernet: one of 3";
    let whole = snoop(4);
    assert_eq!(
        read(&whole),
        [first, "2 at 1000000001.000001000, Ethernet: two of 7"]
    );
    assert_eq!(
        read(&snoop(26))[0],
        "1 at 1000000000.999999000, snoop datalink type 26: one of 3"
    );
    for len in 45..whole.len() {
        assert_eq!(
            read(&whole[..len]),
            [first, "1 malformed: truncated record"],
            "{len}"
        );
    }
    for (len, what) in [
        (26, "impossible record length"),
        (17 << 20, "record length over 16 MiB"),
    ] {
        let mut file = whole.clone();
        file[44 + 8..44 + 12].copy_from_slice(&u32::to_be_bytes(len));
        assert_eq!(
            read(&file),
            [first.to_owned(), format!("1 malformed: {what}")]
        );
    }
}
