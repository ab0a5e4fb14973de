// SPDX-License-Identifier: MIT OR Apache-2.0
//! How many of the 65,536 values of a checksum field each cause explains: the column `values` of
//! packet/causes.md.

use std::collections::BTreeMap;

use crate::common::frames;
use wiresum_packet::cause::{Evidence, HYPOTHESES};
use wiresum_packet::{
    Algorithm, Field, Frame, LinkType, Protocol, Sink, Status, Verdict, examine, judge,
};

/// Keeps the field of one protocol.
struct Find(Protocol, Option<Field>);

impl Sink for Find {
    fn verdict(&mut self, _: &Frame<'_>, field: &Field, _: &Verdict) {
        if field.protocol == self.0 {
            self.1 = Some(field.clone());
        }
    }
}

/// The bytes of a case of `frames.txt`, and its field of a protocol.
fn field_of(about: &str, protocol: Protocol) -> (Vec<u8>, Field) {
    let cases = frames();
    let case = cases.iter().find(|case| case.about == about);
    let data = case.expect("a case of frames.txt").data.clone();
    let mut find = Find(protocol, None);
    examine(&Frame::new(LinkType::ETHERNET, &data), &mut find);
    (data, find.1.expect("a field of the protocol"))
}

/// Puts every value into the field of a protocol in a case of `frames.txt`, and counts the causes.
/// Good values count as `good`.
fn causes_of_all_values(about: &str, protocol: Protocol) -> BTreeMap<&'static str, u32> {
    let (mut data, field) = field_of(about, protocol);
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
        // The other 2 of the 6 lengths are the right one: rounded up, and the length of the IPv4
        // header.
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
        ("header-changed", 33),
        ("one-bit", 23),
        ("one-byte", 965),
        ("unknown", 64_511),
    ]);
    let counts = causes_of_all_values("TCP over IPv4", Protocol::Ipv4);
    assert_eq!(counts, expected);
}

/// The odds that `explain` states come from the test that gave the verdict: as many of the
/// 65,535 wrong values fit a hypothesis as it says.
#[test]
fn hypotheses_know_how_many_values_fit() {
    for (protocol, expected) in [
        (
            Protocol::Tcp,
            [
                ("nothing stored", 1),
                ("left to the network card", 2),
                ("not complemented", 1),
                ("bytes in the wrong order", 1),
                ("without pseudo-header", 1),
                ("another length", 4),
                ("one bit flipped", 32),
                ("without the carries", 2),
                ("one byte changed", 1018),
            ]
            .to_vec(),
        ),
        (
            Protocol::Ipv4,
            [
                ("nothing stored", 1),
                ("not complemented", 1),
                ("bytes in the wrong order", 1),
                ("header changed", 33),
                ("one bit flipped", 32),
                // Its words have no carry if their bytes are exchanged.
                ("without the carries", 1),
                ("one byte changed", 1018),
            ]
            .to_vec(),
        ),
    ] {
        let (mut data, field) = field_of("TCP over IPv4", protocol);
        let mut fitting = BTreeMap::new();
        let mut said = BTreeMap::new();
        for value in 0..=u16::MAX {
            data[field.bytes()].copy_from_slice(&value.to_be_bytes());
            let evidence = Evidence::new(&data, &field).expect("it was captured");
            assert_eq!(evidence.wrong_values(), 65_535);
            if evidence.found == evidence.expected {
                continue;
            }
            for hypothesis in HYPOTHESES.iter().filter(|h| h.is_of(Algorithm::Internet)) {
                let predictions = hypothesis.predictions(&evidence);
                if predictions.iter().any(|p| p.value == evidence.found) {
                    *fitting.entry(hypothesis.what).or_insert(0) += 1;
                }
                if value == 0x1234 {
                    said.insert(hypothesis.what, hypothesis.values(&evidence));
                }
            }
        }
        said.retain(|_, &mut values| values > 0);
        let expected: BTreeMap<_, _> = expected.into_iter().collect();
        assert_eq!(fitting, expected, "{protocol}");
        assert_eq!(said, expected, "{protocol}");
    }
}
