// SPDX-License-Identifier: MIT OR Apache-2.0
//! Hypotheses that the packet changed on the way, and the checksum did not.
//!
//! A sum shows by how much all words together have changed. For one flipped bit, the sum shows the
//! value of the bit and whether it is set. For one changed byte, the sum shows whether the byte is
//! the first or the second of its word. It does not tell which word has changed.

use wiresum::{Checksum, Sum};

use super::{Cause, Evidence, How, Prediction};
use crate::Protocol;
use crate::sums::{expected, found};
use crate::walk::{Addresses, Algorithm, Found, walk};

type Say<'a> = &'a mut dyn FnMut(Prediction);

/// The addresses of IPv4 are in two sums: the sum of the header, and the sum of the
/// pseudo-header. If an address changed, both sums are wrong by the same amount.
pub(super) fn rewritten(evidence: &Evidence<'_>, say: Say<'_>) {
    let delta = match (evidence.field.protocol, evidence.field.addresses) {
        (Protocol::Ipv4, _) => transport_delta(evidence),
        (_, Some(Addresses::V4 { .. })) if evidence.field.pseudo.is_some() => {
            header_delta(evidence)
        }
        _ => None,
    };
    let Some(delta) = delta.filter(|delta| delta.value() % 0xffff != 0) else {
        return;
    };
    let value = Sum::from_value(evidence.expected as u16) + delta;
    say(Prediction {
        value: value.value().into(),
        cause: Cause::Rewritten,
        how: How::Plain,
    });
}

/// Returns by how much the IPv4 header of this field's packet is wrong. The sum of a right header
/// is 0xFFFF, which is a zero of one's complement.
fn header_delta(evidence: &Evidence<'_>) -> Option<Sum> {
    let header = evidence.data.get(evidence.field.network.clone()?)?;
    Some(Sum::of(header))
}

/// Returns by how much the first checksum with a pseudo-header in an IPv4 packet is wrong.
fn transport_delta(evidence: &Evidence<'_>) -> Option<Sum> {
    let (frame, _) = evidence.packet()?;
    let [_, _, high, low, ..] = *frame.data else {
        return None;
    };
    if usize::from(u16::from_be_bytes([high, low])) > frame.data.len() {
        return None; // the packet was not captured whole
    }
    let mut delta = None;
    walk(&frame, |carried| {
        if let Found::Field(field) = carried
            && delta.is_none()
            && field.layer == 1
            && field.pseudo.is_some()
            && field.algorithm == Algorithm::Internet
            && let Some(found) = found(frame.data, field)
            && let Some(expected) = expected(frame.data, field)
        {
            delta = Some(Sum::from_value(found as u16) - Sum::from_value(expected as u16));
        }
    });
    delta
}

/// The Differentiated Services code points of IANA's registry, among them the code points of RFC
/// 2597, RFC 3246, RFC 5865 and RFC 8622.
const CODE_POINTS: [u8; 23] = [
    0, 1, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 44, 46, 48, 56,
];

/// The usual initial values of the time to live.
const INITIAL_TTLS: [u8; 4] = [32, 64, 128, 255];

/// Predicts the checksum of an IPv4 header from before one of its fields was changed: a field that
/// changes on the way or is set late, with each value that it may have had.
pub(super) fn header(evidence: &Evidence<'_>, say: Say<'_>) {
    if evidence.field.protocol != Protocol::Ipv4 {
        return;
    }
    let Some(header) = evidence
        .data
        .get(evidence.field.covers.clone())
        .and_then(|header| header.first_chunk::<20>())
    else {
        return;
    };
    let word = |at: usize| u16::from_be_bytes([header[at], header[at + 1]]);
    let checksum = Checksum::from_value(evidence.expected as u16);
    let mut had = |at: usize, word_was: u16, how: How| {
        if word_was != word(at) {
            say(Prediction {
                value: checksum.update16(word(at), word_was).value().into(),
                cause: Cause::HeaderChanged,
                how,
            });
        }
    };
    let of_byte = |name, was: u8, is: u8| How::Field(name, was.into(), is.into());

    let (ttl, protocol) = (header[8], header[9]);
    let mut before = |was: u8| {
        let word = u16::from_be_bytes([was, protocol]);
        had(8, word, of_byte("time to live", was, ttl));
    };
    // A router updates the checksum and the time to live; one that does half leaves either step.
    for was in [ttl.checked_add(1), ttl.checked_sub(1)] {
        was.into_iter().for_each(&mut before);
    }
    for was in INITIAL_TTLS {
        if was > ttl.saturating_add(1) {
            before(was);
        }
    }
    let (version, service) = (header[0], header[1]);
    let (dscp, ecn) = (service >> 2, service & 3);
    for was in (0..4).filter(|&was| was != ecn) {
        let word = u16::from_be_bytes([version, service & !3 | was]);
        had(0, word, of_byte("ECN", was, ecn));
    }
    for was in CODE_POINTS.into_iter().filter(|&was| was != dscp) {
        let word = u16::from_be_bytes([version, was << 2 | ecn]);
        had(0, word, of_byte("DSCP", was, dscp));
    }
    for (at, name) in [(2, "total length"), (4, "identification")] {
        for was in [0, word(at).swap_bytes()] {
            had(at, was, How::Field(name, was, word(at)));
        }
    }
    const DO_NOT_FRAGMENT: u16 = 0x4000;
    let was = word(6) ^ DO_NOT_FRAGMENT;
    had(
        6,
        was,
        How::Field("don't-fragment bit", was >> 14 & 1, word(6) >> 14 & 1),
    );
}

pub(super) fn one_bit(evidence: &Evidence<'_>, say: Say<'_>) {
    if let Some((bit, set)) = evidence.delta().and_then(bit) {
        say(Prediction {
            value: evidence.found,
            cause: Cause::OneBit,
            how: How::Bit(bit, set),
        });
    }
}

pub(super) fn one_bit_values(evidence: &Evidence<'_>) -> u64 {
    evidence.count(|delta| bit(delta).is_some())
}

/// The bit that makes this difference, and whether it is set now.
fn bit(delta: u16) -> Option<(u16, bool)> {
    match (delta, 0xffff - delta) {
        (bit, _) if bit.is_power_of_two() => Some((bit, true)),
        (_, bit) if bit.is_power_of_two() => Some((bit, false)),
        _ => None,
    }
}

pub(super) fn one_byte(evidence: &Evidence<'_>, say: Say<'_>) {
    if let Some((high, by)) = evidence.delta().and_then(byte) {
        say(Prediction {
            value: evidence.found,
            cause: Cause::OneByte,
            how: How::Byte { high, by },
        });
    }
}

pub(super) fn one_byte_values(evidence: &Evidence<'_>) -> u64 {
    evidence.count(|delta| byte(delta).is_some())
}

/// Whether the byte that makes this difference is the first of its word, and by how much it has
/// changed.
fn byte(delta: u16) -> Option<(bool, i16)> {
    let grown = |delta: u16| match delta.to_be_bytes() {
        [0, 0] => None,
        [by, 0] => Some((true, i16::from(by))),
        [0, by] => Some((false, i16::from(by))),
        _ => None,
    };
    let shrunk = |(high, by): (bool, i16)| (high, -by);
    grown(delta).or_else(|| grown(0xffff - delta).map(shrunk))
}
