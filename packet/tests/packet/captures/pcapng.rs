// SPDX-License-Identifier: MIT OR Apache-2.0
//! pcapng files.

use std::io::{self, Read};

use super::reading::{read, read_from};
use super::writing::{BOTH, Order};

#[test]
fn pcapng_of_both_orders() {
    for order in BOTH {
        let nanoseconds = [order.option(9, &[9]), order.option(0, &[])].concat();
        let binary = [order.option(9, &[0x80 | 10]), order.option(0, &[])].concat();
        let file = [
            order.section(),
            order.interface(1, 0, &[]),
            order.interface(113, 0, &nanoseconds),
            order.interface(101, 4, &binary),
            order.enhanced(0, 1_000_000_000_999_999, b"one", 3, &[]),
            order.block(5, b"statistics, which do not matter"),
            order.enhanced(
                1,
                1_000_000_001_000_000_001,
                b"two",
                7,
                &order.option(0, &[]),
            ),
            order.enhanced(
                2,
                5 * 1024 + 512,
                b"three",
                5,
                &order.option(1, b"a comment"),
            ),
            order.block(3, &[&order.u32(6)[..], b"simple"].concat()),
        ]
        .concat();
        assert_eq!(
            read(&file),
            [
                "1 at 1000000000.999999000, Ethernet: one of 3",
                "2 at 1000000001.000000001, Linux cooked v1: two of 7",
                "3 at 5.500000000, raw IP: three of 5",
                "4 at no time, Ethernet: simple of 6",
            ]
        );
    }
}

/// epb_flags is one of several options. Options that make no sense cost the flags, not the packet.
#[test]
fn pcapng_flags() {
    for order in BOTH {
        let flags = order.option(2, &order.u32(0x202));
        let packet = |options: &[&[u8]]| order.enhanced(0, 0, b"one", 3, &options.concat());
        let file = [
            order.pcapng(),
            packet(&[&flags]),
            packet(&[
                &order.option(1, b"a comment"),
                &flags,
                &order.option(0, &[]),
            ]),
            packet(&[&order.option(0, &[]), &flags]),
            packet(&[&order.option(2, b"three")]),
            packet(&[&order.u16(1), &order.u16(400), &flags]),
        ]
        .concat();
        let plain = "at 0.000000000, Ethernet: one of 3";
        assert_eq!(
            read(&file),
            [
                format!("1 {plain}, flags 0x202"),
                format!("2 {plain}, flags 0x202"),
                format!("3 {plain}"),
                format!("4 {plain}"),
                format!("5 {plain}"),
            ]
        );
    }
}

#[test]
fn pcapng_packet_blocks_of_old() {
    for order in BOTH {
        let mut body = order.u16(0).to_vec();
        body.extend(order.u16(0xffff));
        body.extend(order.words(&[0, 1_500_000, 3, 9]));
        body.extend(b"old\0");
        let file = [order.pcapng(), order.block(2, &body)].concat();
        assert_eq!(read(&file), ["1 at 1.500000000, Ethernet: old of 9"]);
    }
}

#[test]
fn pcapng_simple_packet_that_the_interface_snaps() {
    let order = Order::Little;
    let file = [
        order.section(),
        order.interface(1, 3, &[]),
        order.block(3, &[&order.u32(6)[..], b"sim"].concat()),
    ]
    .concat();
    assert_eq!(read(&file), ["1 at no time, Ethernet: sim of 6"]);
}

#[test]
fn pcapng_sections_of_different_orders() {
    let file = [
        Order::Little.pcapng(),
        Order::Little.enhanced(0, 0, b"one", 3, &[]),
        Order::Big.section(),
        Order::Big.interface(101, 0, &[]),
        Order::Big.enhanced(0, 0, b"two", 3, &[]),
    ]
    .concat();
    assert_eq!(
        read(&file),
        [
            "1 at 0.000000000, Ethernet: one of 3",
            "2 at 0.000000000, raw IP: two of 3",
        ]
    );
}

/// A damaged block is skipped, and only that block.
#[test]
fn pcapng_blocks_that_are_damaged() {
    let order = Order::Little;
    let next = order.enhanced(0, 0, b"next", 4, &[]);
    let read_with = |damaged: Vec<u8>| read(&[order.pcapng(), damaged, next.clone()].concat());
    let good = "1 at 0.000000000, Ethernet: next of 4";

    assert_eq!(
        read_with(order.enhanced(7, 0, b"lost", 4, &[])),
        [good, "1 malformed: packet of an unknown interface"]
    );
    let mut differing = order.enhanced(0, 0, b"lost", 4, &[]);
    *differing.last_mut().expect("a byte") = 1;
    assert_eq!(
        read_with(differing),
        [good, "1 malformed: block lengths that differ"]
    );
    let mut overlong = order.enhanced(0, 0, b"lost", 4, &[]);
    overlong[20] = 200; // the captured length
    assert_eq!(
        read_with(overlong),
        [good, "1 malformed: unreadable packet block"]
    );
    assert_eq!(
        read_with(order.block(6, b"tiny")),
        [good, "1 malformed: unreadable packet block"]
    );
    assert_eq!(
        read_with(order.block(3, b"")),
        [good, "1 malformed: unreadable packet block"]
    );
    assert_eq!(
        read_with(order.block(2, b"tiny")),
        [good, "1 malformed: unreadable packet block"]
    );
    // An unreadable interface keeps its number, so that the next interface does not get that
    // number.
    let interfaces = [order.block(1, b"tiny"), order.interface(101, 0, &[])].concat();
    assert_eq!(
        read_with([interfaces, order.enhanced(2, 0, b"raw", 3, &[])].concat()),
        [
            "1 at 0.000000000, raw IP: raw of 3",
            "2 at 0.000000000, Ethernet: next of 4",
            "1 malformed: unreadable interface block"
        ]
    );
}

#[test]
fn pcapng_lengths_that_lie() {
    let order = Order::Little;
    let first = order.enhanced(0, 0, b"one", 3, &[]);
    let good = "1 at 0.000000000, Ethernet: one of 3";
    let read_with = |words: &[u32]| {
        read(
            &[
                order.pcapng(),
                first.clone(),
                order.words(words),
                vec![0; 64],
            ]
            .concat(),
        )
    };
    assert_eq!(
        read_with(&[6, 8, 0, 0]),
        [good, "1 malformed: impossible block length"]
    );
    assert_eq!(
        read_with(&[6, 0, 0, 0]),
        [good, "1 malformed: impossible block length"]
    );
    assert_eq!(
        read_with(&[6, 33, 0, 0]),
        [good, "1 malformed: impossible block length"]
    );
    assert_eq!(
        read_with(&[6, 4096, 0, 0]),
        [good, "1 malformed: truncated block"]
    );
    assert_eq!(
        read_with(&[6, 0xffff_fffc, 0, 0]),
        [good, "1 malformed: block length over 16 MiB"]
    );
    assert_eq!(
        read_with(&[0x0a0d_0d0a, 28, 0, 0]),
        [good, "1 malformed: section of unknown byte order"]
    );
}

/// A block that is too long to keep is skipped without being kept.
#[test]
fn pcapng_block_over_the_bound() {
    let order = Order::Little;
    let len = 17 << 20;
    let head = [order.pcapng(), order.words(&[0xbad, len])].concat();
    let next = [order.words(&[len]), order.enhanced(0, 0, b"next", 4, &[])].concat();
    let gap = u64::from(len) - 12;
    let file = head.chain(io::repeat(0).take(gap)).chain(&next[..]);
    let bytes = [&head[..], &vec![0; gap as usize], &next].concat();
    assert_eq!(
        read_from(&bytes, file),
        [
            "1 at 0.000000000, Ethernet: next of 4",
            "1 malformed: block length over 16 MiB"
        ]
    );
}
