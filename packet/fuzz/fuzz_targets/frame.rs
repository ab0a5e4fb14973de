// SPDX-License-Identifier: MIT OR Apache-2.0
//! Arbitrary bytes as a frame, as in `capture`, but deeper. The first byte of the input picks the
//! link type, the second one how much was snapped.
//!
//! `python3 evidence/checks/fuzz.py --minutes 10 frame`
#![no_main]

#[path = "../../tests/common/mod.rs"]
mod common;

use libfuzzer_sys::fuzz_target;
use wiresum_packet::{Frame, LinkType, examine};

const LINK_TYPES: [LinkType; 8] = [
    LinkType::ETHERNET,
    LinkType::NULL,
    LinkType::RAW,
    LinkType::LOOP,
    LinkType::LINUX_SLL,
    LinkType::LINUX_SLL2,
    LinkType::IPV4,
    LinkType::IPV6,
];

fuzz_target!(|input: &[u8]| {
    let [pick, snapped, data @ ..] = input else {
        return;
    };
    let link_type = LINK_TYPES[usize::from(*pick) % LINK_TYPES.len()];
    let frame = Frame {
        original_len: data.len() + usize::from(*snapped) * usize::from(*pick),
        ..Frame::new(link_type, data)
    };
    examine(&frame, &mut common::Reasonable);
});
