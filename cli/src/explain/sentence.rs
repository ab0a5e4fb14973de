// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verdict in plain sentences: its meaning, and the usual reason for its cause.

use indicatif::HumanCount;
use wiresum_packet::cause::{Evidence, How, IN_A_ROW, Prediction};
use wiresum_packet::{Algorithm, Cause, Field, Frame, Protocol, Reason, Status, Verdict, Zero};

use super::offload;
use super::place::where_it_may_be;

/// The hypothesis that predicts the value of the field.
#[derive(Clone, Copy)]
pub(super) struct Fit {
    pub(super) prediction: Prediction,
    /// How many of the wrong values of the field fit the hypothesis.
    pub(super) values: u64,
}

/// The verdict, in one or more sentences.
pub(super) fn sentence(
    frame: &Frame<'_>,
    field: &Field,
    verdict: &Verdict,
    evidence: Option<&Evidence<'_>>,
    fit: Option<Fit>,
) -> String {
    let how = fit.map(|fit| fit.prediction.how);
    let mut words = match verdict.status {
        Status::Good if evidence.is_some_and(|it| it.found != it.expected) => {
            "Good: 0xffff and 0x0000 are both 0 in one's complement. With the field in its place, \
             all words sum to 0xffff, and that is the test of a receiver."
                .to_owned()
        }
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
        Status::Absent if field.zero == Zero::Unused => {
            "Absent: the field holds no checksum of this packet. A digest has taken its place, or \
             the bytes that it covered are gone."
                .to_owned()
        }
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
        Status::Bad(Cause::Offload) => offload::story(frame, field),
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
        words += " The amount is the value of one bit, so damage is more likely than a translator.";
    }
    if let (Some(evidence), Some(how)) = (evidence, how) {
        words += &where_it_may_be(evidence, how);
    }
    if let (Some(evidence), Some(fit)) = (evidence, fit)
        && verdict.cause() == Some(fit.prediction.cause)
    {
        words += &odds(evidence, fit);
    }
    if let (Status::Bad(Cause::OneBit | Cause::OneByte | Cause::Unknown), 2..) =
        (verdict.status, verdict.streak)
    {
        words += &format!(
            " The packet of this flow before it is wrong by the same amount. Where {IN_A_ROW} \
             packets in a row are, with {IN_A_ROW} checksums, the cause is {}.",
            Cause::SameDifference
        );
    }
    words
}

/// What is special about a checksum that is good in the second way of computing it. Without a
/// pseudo-header it is VRRP's, and with more bytes it is PIM's.
pub(super) fn second_way(field: &Field) -> &'static str {
    match field.protocol {
        Protocol::Pim => {
            " The sum covers the whole Register. By the standard it covers only the first 8 bytes, \
             but receivers accept both (RFC 7761 section 4.9)."
        }
        _ => {
            " The sum covers no pseudo-header. By the standard it covers one (RFC 9568 section \
             5.2.8), but some senders leave it out."
        }
    }
}

/// How often a wrong checksum fits by chance.
fn odds(evidence: &Evidence<'_>, fit: Fit) -> String {
    match fit.prediction.how {
        How::Again { .. } => {
            // A packet with a random bit flipped has one of 32 differences.
            let (bits, values) = (32_u64, evidence.wrong_values());
            let others = IN_A_ROW as u32 - 1;
            format!(
                " {IN_A_ROW} packets in which a random bit flipped would agree like this in 1 of \
                 {} cases, and {IN_A_ROW} random wrong checksums in 1 of {}.",
                HumanCount(bits.pow(others)),
                HumanCount(values.pow(others)),
            )
        }
        _ if fit.prediction.cause == Cause::NegativeZero => String::new(), // it is certain
        _ => {
            let cases = evidence.wrong_values() as f64 / fit.values as f64;
            format!(
                " A random wrong checksum would look like this in 1 of {} cases.",
                HumanCount(cases.round() as u64)
            )
        }
    }
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
        Reason::Addresses => {
            "Unverified: the pseudo-header may hold other addresses than the packet shows, \
             and with these the sum is not right."
                .to_owned()
        }
        other => format!("Unverified: {other}."),
    }
}

/// The usual reason for a cause.
fn story(cause: Cause) -> &'static str {
    match cause {
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
        Cause::SameDifference => {
            "The sender leaves a word out of the sum or adds one too many, or a translator or an \
             anonymizer changes a word on the way and not this checksum. If the amount is \
             the value of one bit, a memory that always fails in this bit does so too."
        }
        Cause::SameCarry => {
            "The sender, or a translator that updates the checksum, loses a carry or adds one too \
             many (RFC 1071 section 2, RFC 1624). The packets in which no carry arises come out \
             right."
        }
        Cause::OneBit => {
            "If this is the only such packet of its flow, a bit flipped on a link or in a memory \
             that no CRC guarded. If the packets after it are wrong by the same amount, the \
             sender makes a mistake."
        }
        Cause::NoCarry => {
            "Each carry out of 16 bits has to be added at the low end (RFC 1071 section 2). The \
             sender's software is wrong."
        }
        Cause::OneByte => "This may be chance.",
        _ => "The sum alone does not tell what the sender summed, or what changed since.",
    }
}
