// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verdict in plain sentences: its meaning, and the usual reason for its cause.

use wiresum_packet::cause::{Evidence, How};
use wiresum_packet::{Algorithm, Cause, Field, Frame, Reason, Status, Verdict};

use super::place::where_it_may_be;

/// The verdict, in one or more sentences.
pub(super) fn sentence(
    frame: &Frame<'_>,
    field: &Field,
    verdict: &Verdict,
    evidence: Option<&Evidence<'_>>,
    how: Option<How>,
) -> String {
    let mut words = match verdict.status {
        Status::Good if field.algorithm.is_sum() => {
            "Good: the field holds the complement of the sum. With the field in its place, all \
             words sum to 0xffff, and that is the test of a receiver."
                .to_owned()
        }
        Status::Good if field.algorithm == Algorithm::Fletcher => {
            "Good: with the field in its place, both sums come to 0 modulo 255, and that is the \
             test of a receiver."
                .to_owned()
        }
        Status::Good => "Good: the field holds the CRC of the packet.".to_owned(),
        Status::Absent => {
            "Absent: 0x0000 means that the sender computed no checksum, and the protocol allows \
             that here."
                .to_owned()
        }
        Status::Illegal => {
            "Illegal: 0x0000 means that the sender computed no checksum, and the protocol requires \
             one here."
                .to_owned()
        }
        Status::Unverified(reason) => unverified(frame, field, reason),
        Status::Bad(cause) if matches!(how, Some(How::At(..))) => {
            format!("Bad: {}. A CRC identifies the byte.", cause.about())
        }
        Status::Bad(cause) => format!("Bad: {}. {}", cause.about(), story(cause)),
    };
    if verdict.cause() == Some(Cause::UdpZero) {
        words += " But the checksum of this packet comes to 0, which UDP sends as 0xffff. So the \
                  sender may have computed the checksum and stored the 0.";
    }
    if verdict.cause() == Some(Cause::Rewritten)
        && let Some(delta) = evidence.and_then(Evidence::delta)
        && (delta.is_power_of_two() || (0xffff - delta).is_power_of_two())
    {
        words += " The amount is that of one bit, so damage is more likely than a translator.";
    }
    if let (Some(evidence), Some(how)) = (evidence, how) {
        words += &where_it_may_be(evidence, how);
    }
    words
}

fn unverified(frame: &Frame<'_>, field: &Field, reason: Reason) -> String {
    match reason {
        Reason::Snapped => format!(
            "Unverified: the checksum covers {} bytes, and {} of them were captured.",
            field.covers.len(),
            field
                .covers
                .len()
                .min(frame.data.len().saturating_sub(field.covers.start))
        ),
        Reason::Fragment => {
            "Unverified: the checksum covers a datagram, and some of its fragments are missing."
                .to_owned()
        }
        Reason::Length => {
            "Unverified: a length in the header goes past the end of the packet.".to_owned()
        }
        other => format!("Unverified: {other}."),
    }
}

/// The usual reason for a cause.
fn story(cause: Cause) -> &'static str {
    match cause {
        Cause::Offload => {
            "The field holds the sum of the pseudo-header. The network card adds the rest when the \
             packet leaves. The packet was captured before that, on the machine that sent it: \
             nothing was wrong on the wire."
        }
        Cause::OffloadWithoutLength => {
            "The field holds the sum of the pseudo-header without a length. A sender leaves this \
             sum in a packet that the network card also cuts into segments, each with a length \
             of its own. The packet was captured before that: nothing was wrong on the wire."
        }
        Cause::OffloadWithin => {
            "The sender computed this checksum as if the checksum inside the packet were finished. \
             The network card finishes the inner one, and then this one is right: nothing was \
             wrong on the wire."
        }
        Cause::NegativeZero => {
            "Both values are 0 in one's complement, so the sum of a receiver comes out right, and \
             receivers accept the packet. No sender computes 0xffff."
        }
        Cause::Zeroed => {
            "Either nobody computed the checksum, or the packet was captured before the network \
             card computed it. Many cards do so for IPv4 headers."
        }
        Cause::Rewritten => {
            "The header and its payload are wrong by the same amount, and only the addresses are \
             in both sums. So a translator or an anonymizer changed an address, or something \
             damaged it on the way."
        }
        Cause::NotComplemented => {
            "The field holds the one's complement sum itself. The sender's software is wrong."
        }
        Cause::ByteSwapped => {
            "The sum is right, but is not stored in network byte order. The sender's software is \
             wrong."
        }
        Cause::NoPseudoHeader => {
            "The field holds the checksum of the packet's bytes alone. The sender's software is \
             wrong."
        }
        Cause::NextHop => {
            "A source route or a routing header changes the destination on the way, and the \
             checksum covers the last destination."
        }
        Cause::WrongLength => "The sender's software took another length than the right one.",
        Cause::Padding => {
            "The sender's software or network card took the whole frame for the packet."
        }
        Cause::Adler32 => "The sender follows RFC 2960, whose checksum RFC 3309 replaced.",
        Cause::HeaderChanged => {
            "A router that changes a header also has to change its checksum (RFC 1624)."
        }
        Cause::OneBit => {
            "Only 1 of 2,048 random values is off by one bit, so this is very likely the cause. \
             The bit flipped on a link or in a memory that no CRC guarded."
        }
        Cause::OneByte => "1 of 64 random values is off by one byte, so this may be chance.",
        _ => "The sum alone does not tell what the sender summed, or what changed since.",
    }
}
