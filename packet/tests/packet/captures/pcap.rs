// SPDX-License-Identifier: MIT OR Apache-2.0
//! pcap files.

use super::reading::read;
use super::writing::{BOTH, Order};

#[test]
fn pcap_of_both_orders_and_both_precisions() {
    for order in BOTH {
        assert_eq!(
            read(&order.pcap(0xa1b2_c3d4, 1)),
            [
                "1 at 1000000000.999999000, Ethernet: one of 3",
                "2 at 1000000001.000001000, Ethernet: two of 7",
            ]
        );
        assert_eq!(
            read(&order.pcap(0xa1b2_3c4d, 101)),
            [
                "1 at 1000000000.000999999, raw IP: one of 3",
                "2 at 1000000001.000000001, raw IP: two of 7",
            ]
        );
    }
}

#[test]
fn pcap_that_tells_of_a_frame_check_sequence() {
    let file = Order::Little.pcap(0xa1b2_c3d4, 0x1400_0001);
    assert_eq!(
        read(&file)[0],
        "1 at 1000000000.999999000, Ethernet: one of 3"
    );
}

#[test]
fn pcap_whose_record_claims_more_than_was_on_the_wire() {
    let mut file = Order::Little.pcap(0xa1b2_c3d4, 1);
    file[36..40].copy_from_slice(&1_u32.to_le_bytes());
    assert_eq!(
        read(&file)[0],
        "1 at 1000000000.999999000, Ethernet: one of 3"
    );
}

#[test]
fn pcap_with_a_truncated_record() {
    let file = Order::Little.pcap(0xa1b2_c3d4, 1);
    let first = "1 at 1000000000.999999000, Ethernet: one of 3";
    for len in 44..file.len() {
        assert_eq!(
            read(&file[..len]),
            [first, "1 malformed: truncated record"],
            "{len}"
        );
    }
    assert_eq!(read(&file[..43]), [first]);
    assert_eq!(read(&file[..24]), [""; 0]);
}

#[test]
fn pcap_with_a_length_that_lies() {
    let mut file = Order::Big.pcap(0xa1b2_c3d4, 1);
    file[51..55].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff]);
    assert_eq!(
        read(&file),
        [
            "1 at 1000000000.999999000, Ethernet: one of 3",
            "1 malformed: record length over 16 MiB"
        ]
    );
}
