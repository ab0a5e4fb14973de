// SPDX-License-Identifier: MIT OR Apache-2.0
//! Other values that the sender may have computed.

use wiresum::Sum;

use super::{Cause, Evidence, How, Prediction};
use crate::Protocol;
use crate::sums::pseudo_sum;
use crate::walk::{Addresses, Algorithm, Found, Pseudo, tunnel, walk};

type Say<'a> = &'a mut dyn FnMut(Prediction);

fn plain(value: u32, cause: Cause) -> Prediction {
    Prediction {
        value,
        cause,
        how: How::Plain,
    }
}

pub(super) fn negative_zero(evidence: &Evidence<'_>, say: Say<'_>) {
    if evidence.field.protocol == Protocol::Tcp && evidence.expected == 0 {
        say(plain(0xffff, Cause::NegativeZero));
    }
}

pub(super) fn zeroed(_: &Evidence<'_>, say: Say<'_>) {
    say(plain(0, Cause::Zeroed));
}

pub(super) fn offload(evidence: &Evidence<'_>, say: Say<'_>) {
    let (Some(pseudo), Some(_)) = (&evidence.field.pseudo, evidence.sum()) else {
        return;
    };
    let left = |len| pseudo_sum(pseudo, len).value().into();
    say(plain(left(pseudo.len), Cause::Offload));
    say(plain(left(0), Cause::OffloadWithoutLength));
}

pub(super) fn offload_within(evidence: &Evidence<'_>, say: Say<'_>) {
    let carries_packets = match evidence.field.protocol {
        Protocol::Ipv4 | Protocol::Tcp => false,
        Protocol::Udp => evidence.field.ports.is_some_and(tunnel::has_port),
        _ => true,
    };
    if !carries_packets {
        return;
    }
    let (Some(sum), Some((frame, start))) = (evidence.sum(), evidence.packet()) else {
        return;
    };
    let covers = &evidence.field.covers;
    let mut within = Vec::new();
    walk(&frame, |found| {
        if let Found::Field(field) = found
            && field.layer > 1
            && !field.quoted
            && covers.contains(&(start + field.offset))
        {
            within.push(field.clone());
        }
    });
    // The innermost field comes first, because an outer checksum depends on those within it.
    let mut finished = Vec::new();
    for field in within.into_iter().rev() {
        let Some(inner) = Evidence::new(frame.data, &field) else {
            continue;
        };
        let (Some(inner_sum), Some(pseudo)) = (inner.sum(), &field.pseudo) else {
            continue;
        };
        let left = |len| inner.found == u32::from(pseudo_sum(pseudo, len).value());
        let due = inner.stored(finish(inner_sum, field.covers.start, &finished));
        if left(pseudo.len) || left(0) {
            let change = Sum::from_value(due as u16) - Sum::from_value(inner.found as u16);
            finished.push((field.offset, change));
        }
    }
    if !finished.is_empty() && start <= covers.start {
        let sum = finish(sum, covers.start - start, &finished);
        say(plain(evidence.stored(sum), Cause::OffloadWithin));
    }
}

/// Returns the sum over bytes that begin at `start`, after the checksums within them have changed.
fn finish(sum: Sum, start: usize, changes: &[(usize, Sum)]) -> Sum {
    changes.iter().fold(sum, |sum, &(offset, change)| {
        sum.append(offset.abs_diff(start), change)
    })
}

pub(super) fn not_complemented(evidence: &Evidence<'_>, say: Say<'_>) {
    let value = match evidence.field.algorithm {
        Algorithm::Internet | Algorithm::Cisco => !evidence.expected & 0xffff,
        Algorithm::Crc32c => !evidence.expected,
        Algorithm::Fletcher => return, // it is no complement
    };
    say(plain(value, Cause::NotComplemented));
}

pub(super) fn byte_swapped(evidence: &Evidence<'_>, say: Say<'_>) {
    let value = match evidence.field.algorithm {
        Algorithm::Internet | Algorithm::Cisco | Algorithm::Fletcher => {
            u32::from((evidence.expected as u16).swap_bytes())
        }
        Algorithm::Crc32c => evidence.expected.swap_bytes(),
    };
    say(plain(value, Cause::ByteSwapped));
}

pub(super) fn no_pseudo_header(evidence: &Evidence<'_>, say: Say<'_>) {
    if let Some(body) = evidence.body() {
        say(plain(evidence.stored(body), Cause::NoPseudoHeader));
    }
}

pub(super) fn next_hop(evidence: &Evidence<'_>, say: Say<'_>) {
    let (Some(body), Some(pseudo)) = (evidence.body(), evidence.field.pseudo) else {
        return;
    };
    if let Some(addresses) = evidence.field.addresses
        && addresses != pseudo.addresses
    {
        let sum = body
            + pseudo_sum(
                &Pseudo {
                    addresses,
                    ..pseudo
                },
                pseudo.len,
            );
        say(plain(evidence.stored(sum), Cause::NextHop));
    }
}

pub(super) fn wrong_length(evidence: &Evidence<'_>, say: Say<'_>) {
    let (Some(body), Some(pseudo)) = (evidence.body(), &evidence.field.pseudo) else {
        return;
    };
    let len = pseudo.len;
    let mut summed = |other: u32, what| {
        if other != len {
            say(Prediction {
                value: evidence.stored(body + pseudo_sum(pseudo, other)),
                cause: Cause::WrongLength,
                how: How::Length(other, what),
            });
        }
    };
    summed(0, "as if the length were not known yet");
    if let Some(header) = &evidence.field.network {
        summed(
            len + header.len() as u32,
            "the length with the network header",
        );
    }
    if let Some(header) = header_len(evidence) {
        summed(
            len.saturating_sub(header),
            "the length without the transport header",
        );
    }
    if len <= 0xffff {
        let swapped = (len as u16).swap_bytes();
        summed(swapped.into(), "the length with its bytes swapped");
    } else {
        summed(len & 0xffff, "the length cut to 16 bits");
    }
    summed(len + len % 2, "the length rounded up to whole words");
    if let Some(payload) = network_payload(evidence) {
        summed(payload, "the length in the network header");
    }
}

/// Returns the length of the transport header, for the protocols whose length is easy to read.
fn header_len(evidence: &Evidence<'_>) -> Option<u32> {
    let start = evidence.field.covers.start;
    match evidence.field.protocol {
        Protocol::Udp => Some(8),
        Protocol::Tcp => Some(u32::from(evidence.data.get(start + 12)? >> 4) * 4),
        _ => None,
    }
}

/// Returns the payload length that an IPv4 header claims.
fn network_payload(evidence: &Evidence<'_>) -> Option<u32> {
    let header = evidence.field.network.clone()?;
    let Some(Addresses::V4 { .. }) = evidence.field.addresses else {
        return None;
    };
    let [_, _, high, low, ..] = *evidence.data.get(header.clone())? else {
        return None;
    };
    u32::from(u16::from_be_bytes([high, low])).checked_sub(header.len() as u32)
}

pub(super) fn padding(evidence: &Evidence<'_>, say: Say<'_>) {
    const FRAME_CHECK_SEQUENCE: usize = 4;
    let covers = &evidence.field.covers;
    let (Some(sum), Some(trailer)) = (evidence.sum(), evidence.data.get(covers.end..)) else {
        return;
    };
    if evidence.field.protocol == Protocol::Ipv4 {
        return; // the bytes after a header are its payload
    }
    if evidence.field.algorithm == Algorithm::Cisco && covers.len() % 2 == 1 {
        return; // the last byte is not the first of a word that padding goes on with
    }
    let without = trailer.len().checked_sub(FRAME_CHECK_SEQUENCE);
    for len in [Some(trailer.len()), without].into_iter().flatten() {
        if len == 0 {
            continue;
        }
        let all = sum.append(covers.len(), Sum::of(&trailer[..len]));
        let mut summed = |sum, with_length| {
            let value = evidence.stored(sum);
            if value != evidence.expected {
                say(Prediction {
                    value,
                    cause: Cause::Padding,
                    how: How::Trailer(len, with_length),
                });
            }
        };
        summed(all, false);
        if let Some(pseudo) = &evidence.field.pseudo {
            let longer = pseudo_sum(pseudo, pseudo.len + len as u32);
            summed(all - pseudo_sum(pseudo, pseudo.len) + longer, true);
        }
    }
}

/// Predicts the checksum of a sender that drops each carry out of 16 bits. Such a sender adds the
/// words as they are or, on a little-endian machine, with their bytes exchanged.
pub(super) fn no_carry(evidence: &Evidence<'_>, say: Say<'_>) {
    let field = evidence.field;
    let own = field.bytes();
    let hole = field.hole.clone();
    let hole = hole.unwrap_or(field.covers.end..field.covers.end);
    let mut sums = (0_u16, 0_u16);
    let mut add = |bytes: &[u8]| {
        let mut add = |pair: [u8; 2]| {
            sums.0 = sums.0.wrapping_add(u16::from_be_bytes(pair));
            sums.1 = sums.1.wrapping_add(u16::from_le_bytes(pair));
        };
        let (pairs, rest) = bytes.as_chunks();
        for &pair in pairs {
            add(pair);
        }
        for &last in rest {
            add([last, 0]);
        }
    };
    // Each of these ranges begins with a whole word.
    for range in [
        field.covers.start..own.start,
        own.end..hole.start,
        hole.end..field.covers.end,
    ] {
        match evidence.data.get(range) {
            Some(bytes) => add(bytes),
            None => return,
        }
    }
    if let Some(pseudo) = &field.pseudo {
        match pseudo.addresses {
            Addresses::V4 {
                source,
                destination,
            } => {
                add(&source.octets());
                add(&destination.octets());
            }
            Addresses::V6 {
                source,
                destination,
            } => {
                add(&source.octets());
                add(&destination.octets());
            }
        }
        add(&[0, pseudo.protocol]);
        add(&pseudo.len.to_be_bytes());
    }
    say(plain((!sums.0).into(), Cause::NoCarry));
    say(plain((!sums.1).swap_bytes().into(), Cause::NoCarry));
}
