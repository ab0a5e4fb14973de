// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests whole packets with hostile bytes: vectors of `spec/vectors.json` with bytes that changed,
//! and bytes that no packet has. Nothing panics, a refusal writes nothing, what was filled in is
//! good, and the walk in C gives the same results as the walk in Rust.

use std::collections::HashSet;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use wiresum::packet::{self, Judgment, Refusal};

/// Returns the short packets of the vectors.
fn packets() -> Vec<Vec<u8>> {
    let vectors: serde_json::Value = serde_json::from_str(include_str!("../../spec/vectors.json"))
        .expect("vectors.json is JSON");
    let mut packets = Vec::new();
    for vector in vectors["packet"].as_array().expect("a list") {
        let parts = vector["packet"].as_array().expect("a list of parts");
        let mut bytes = Vec::new();
        for part in parts {
            let Some(hex) = part["hex"].as_str() else {
                bytes.clear(); // a jumbogram
                break;
            };
            for at in (0..hex.len()).step_by(2) {
                bytes.push(u8::from_str_radix(&hex[at..at + 2], 16).expect("hexadecimal digits"));
            }
        }
        packets.extend((!bytes.is_empty()).then_some(bytes));
    }
    assert!(packets.len() > 100, "the vectors have many short packets");
    packets
}

/// Makes a packet of the vectors, in which up to three bytes have changed and the end may be cut.
fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let packets = packets();
    let changes = vec((any::<Index>(), prop_oneof![0u8..8, any::<u8>()]), 0..4);
    (
        any::<Index>(),
        changes,
        prop_oneof![3 => Just(None), 1 => any::<Index>().prop_map(Some)],
    )
        .prop_map(move |(which, changes, cut)| {
            let mut packet = which.get(&packets).clone();
            for (at, byte) in changes {
                let at = at.index(packet.len().min(80));
                packet[at] = byte;
            }
            if let Some(cut) = cut {
                packet.truncate(cut.index(packet.len()));
            }
            packet
        })
}

/// Makes bytes that begin as an IPv4 or IPv6 packet does.
fn noise() -> impl Strategy<Value = Vec<u8>> {
    let first = prop_oneof![0x45u8..0x48, Just(0x60), any::<u8>()];
    (first, vec(any::<u8>(), 0..120)).prop_map(|(first, mut bytes)| {
        if let Some(byte) = bytes.first_mut() {
            *byte = first;
        }
        bytes
    })
}

/// Returns the number in C of a result in Rust.
#[cfg(all(feature = "c", not(miri)))]
fn number(result: Result<Judgment, Refusal>) -> i32 {
    match result {
        Ok(Judgment::Good) => 0,
        Ok(Judgment::Bad) => 1,
        Ok(Judgment::BadHeader) => 2,
        Ok(Judgment::Absent) => 3,
        Ok(Judgment::Illegal) => 4,
        Err(Refusal::Fragment) => 5,
        Err(Refusal::Unknown) => 6,
        Err(Refusal::Routed) => 7,
        Err(Refusal::Short) => 8,
        Err(Refusal::Malformed) => 9,
    }
}

fn laws(bytes: &[u8]) -> Result<(), TestCaseError> {
    let judgment = packet::verify(bytes);
    let mut filled = bytes.to_vec();
    let fill = packet::fill(&mut filled);
    match fill {
        Ok(()) => {
            prop_assert_eq!(packet::verify(&filled), Ok(Judgment::Good));
            let changed = bytes.iter().zip(&filled).filter(|(a, b)| a != b).count();
            prop_assert!(changed <= 4, "{} bytes changed", changed);
        }
        Err(refusal) => {
            prop_assert_eq!(&filled, bytes);
            let refused = match judgment {
                Err(same) => same == refusal,
                Ok(Judgment::Illegal) => refusal == Refusal::Malformed,
                Ok(judgment) => judgment == Judgment::BadHeader,
            };
            prop_assert!(refused, "{:?} and {:?}", judgment, refusal);
        }
    }

    #[cfg(all(feature = "c", not(miri)))]
    {
        let mut in_c = bytes.to_vec();
        // SAFETY: the vector has so many bytes.
        let (verified, filled_in) = unsafe {
            (
                wiresum_sys::wiresum_packet_verify(in_c.as_ptr().cast(), in_c.len()),
                wiresum_sys::wiresum_packet_fill(in_c.as_mut_ptr().cast(), in_c.len()),
            )
        };
        prop_assert_eq!(verified, number(judgment));
        prop_assert_eq!(filled_in, number(fill.map(|()| Judgment::Good)));
        prop_assert_eq!(in_c, filled);
    }
    Ok(())
}

fn config() -> ProptestConfig {
    ProptestConfig {
        cases: if cfg!(miri) { 8 } else { 20_000 },
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn damaged_packets_keep_the_laws(bytes in damaged()) {
        laws(&bytes)?;
    }

    #[test]
    fn noise_keeps_the_laws(bytes in noise()) {
        laws(&bytes)?;
    }
}

#[test]
fn every_beginning_of_every_packet_keeps_the_laws() {
    for packet in packets() {
        for end in 0..=packet.len() {
            laws(&packet[..end]).unwrap_or_else(|error| panic!("{packet:02x?}, {end}: {error}"));
        }
    }
}

#[test]
fn results_and_errors_are_sentences() {
    let texts = [
        Judgment::Good.to_string(),
        Judgment::Bad.to_string(),
        Judgment::BadHeader.to_string(),
        Judgment::Absent.to_string(),
        Judgment::Illegal.to_string(),
        Refusal::Fragment.to_string(),
        Refusal::Unknown.to_string(),
        Refusal::Routed.to_string(),
        Refusal::Short.to_string(),
        Refusal::Malformed.to_string(),
    ];
    #[cfg(all(feature = "c", not(miri)))]
    for (number, text) in (0..).zip(&texts) {
        // SAFETY: C returns a constant string for every number.
        let in_c = unsafe { std::ffi::CStr::from_ptr(wiresum_sys::wiresum_packet_text(number)) };
        assert_eq!(in_c.to_str(), Ok(text.as_str()));
    }
    assert_eq!(texts[1], "the checksum of the payload is wrong");
    assert_eq!(texts[8], "the data end before the packet does");
    let different: HashSet<_> = texts.iter().collect();
    assert_eq!(different.len(), texts.len());
    assert_eq!(
        packet::finish(&mut [0; 8], 4, 4).unwrap_err().to_string(),
        "a checksum field at 4 + 4 is not inside of the frame, which has 8 bytes"
    );
    assert_eq!(
        packet::finish(&mut [0; 8], 0, 3).unwrap_err().to_string(),
        "a checksum field at 0 + 3 is at an odd offset of the frame, which has 8 bytes"
    );
    for (start, offset, why) in [
        (0, 5, "at an odd offset"),
        (7, 2, "not inside"),
        (8, 0, "not inside"),
    ] {
        let text = packet::finish(&mut [0; 8], start, offset)
            .unwrap_err()
            .to_string();
        assert!(text.contains(why), "{text}");
    }
    let mut stream = wiresum::Stream::new();
    assert_eq!(
        stream.push_range([b"abc"], 1, 4).unwrap_err().to_string(),
        "the chain ends 2 bytes before the range does"
    );
}
