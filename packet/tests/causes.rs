// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many of the 65,536 values of a checksum field each cause explains: the column `values` of
//! docs/causes.md.

mod common;

use std::collections::BTreeMap;

use common::frames;
use wiresum_packet::{Field, Frame, LinkType, Protocol, Sink, Status, Verdict, examine, judge};

/// Keeps the field of one protocol.
struct Find(Protocol, Option<Field>);

impl Sink for Find {
    fn verdict(&mut self, _: &Frame<'_>, field: &Field, _: &Verdict) {
        if field.protocol == self.0 {
            self.1 = Some(field.clone());
        }
    }
}

/// Puts every value into the field of a protocol in a case of `frames.txt`, and counts the causes.
/// Good values count as `good`.
fn causes_of_all_values(about: &str, protocol: Protocol) -> BTreeMap<&'static str, u32> {
    let cases = frames();
    let case = cases.iter().find(|case| case.about == about);
    let mut data = case.expect("a case of frames.txt").data.clone();
    let mut find = Find(protocol, None);
    examine(&Frame::new(LinkType::ETHERNET, &data), &mut find);
    let field = find.1.expect("a field of the protocol");
    let mut counts = BTreeMap::new();
    for value in 0..=u16::MAX {
        data[field.bytes()].copy_from_slice(&value.to_be_bytes());
        let name = match judge(&data, &field).status {
            Status::Bad(cause) => cause.label(),
            status => status.key(),
        };
        *counts.entry(name).or_default() += 1;
    }
    counts
}

#[test]
fn causes_of_all_values_of_a_tcp_field() {
    let expected = BTreeMap::from([
        ("good", 1),
        ("zeroed", 1),
        ("offload", 1),
        ("offload without length", 1),
        ("not-complemented", 1),
        ("byte-swapped", 1),
        ("no-pseudo-header", 1),
        // The other 2 of the 6 lengths are the right one: rounded up, and that of the IPv4 header.
        ("wrong-length", 4),
        ("one-bit", 32),
        // Of the 1,018 values, 32 are one bit, and 3 are wrong lengths.
        ("one-byte", 983),
        ("unknown", 64_510),
    ]);
    let counts = causes_of_all_values("TCP over IPv4", Protocol::Tcp);
    assert_eq!(counts, expected);
}

#[test]
fn causes_of_all_values_of_an_ipv4_field() {
    let expected = BTreeMap::from([
        ("good", 1),
        ("zeroed", 1),
        ("not-complemented", 1),
        ("byte-swapped", 1),
        ("header-changed", 32),
        ("one-bit", 24),
        ("one-byte", 965),
        ("unknown", 64_511),
    ]);
    let counts = causes_of_all_values("TCP over IPv4", Protocol::Ipv4);
    assert_eq!(counts, expected);
}
