// SPDX-License-Identifier: MIT OR Apache-2.0
//! The plain words: of what a verdict means, and of where a change may be.

use wiresum_packet::cause::{Evidence, How};
use wiresum_packet::{Algorithm, Cause, Field, Frame, Reason, Status, Verdict};

use super::place::where_it_may_be;

/// The verdict, in a sentence or a few.
pub(super) fn sentence(
    frame: &Frame<'_>,
    field: &Field,
    verdict: &Verdict,
    evidence: Option<&Evidence<'_>>,
    how: Option<How>,
) -> String {
    let mut words = match verdict.status {
        Status::Good if field.algorithm == Algorithm::Internet => {
            "Good: the field holds the complement of the sum. With it in its place all words sum to 0xffff, which is how a receiver checks \
             it."
                .to_owned()
        }
        Status::Good => "Good: the field holds the CRC of the packet.".to_owned(),
        Status::Absent => {
            "Absent: 0x0000 says that the sender computed no checksum, which it need not here.".to_owned()
        }
        Status::Illegal => "Illegal: 0x0000 says that the sender computed no checksum, which it has to here.".to_owned(),
        Status::Unverified(reason) => unverified(frame, field, reason),
        Status::Bad(cause) if matches!(how, Some(How::At(..))) => {
            format!("Bad: {}. A CRC tells which.", cause.about())
        }
        Status::Bad(cause) => format!("Bad: {}. {}", cause.about(), story(cause)),
    };
    if verdict.cause() == Some(Cause::UdpZero) {
        words += " But it came to 0, which UDP sends as 0xffff: so it may have been computed after all, and stored as it was.";
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
            "Unverified: the sum covers {} bytes, of which {} were captured.",
            field.covers.len(),
            field
                .covers
                .len()
                .min(frame.data.len().saturating_sub(field.covers.start))
        ),
        Reason::Fragment => {
            "Unverified: the sum covers a whole datagram, of which some fragments are not here."
                .to_owned()
        }
        Reason::Length => {
            "Unverified: the length in its header goes past the end of the packet.".to_owned()
        }
        other => format!("Unverified: {other}."),
    }
}

/// What is usually behind a cause.
fn story(cause: Cause) -> &'static str {
    match cause {
        Cause::Offload { with_length: true } => {
            "It holds the sum of the pseudo-header, to which the card adds the rest when the packet leaves. It was captured before that, \
             on the machine that sent it: nothing was wrong on the wire."
        }
        Cause::Offload { .. } => {
            "It holds the sum of the pseudo-header without a length, as a packet does that the card is also to cut into segments, each of a \
             length of its own. It was captured before that: nothing was wrong on the wire."
        }
        Cause::OffloadWithin => {
            "It was computed as if the checksum within was there already, and will be right once that is: nothing was wrong on the wire."
        }
        Cause::NegativeZero => {
            "Both are 0 in one's complement, so the sum comes out right, and receivers take it; no sender computes it so."
        }
        Cause::Zeroed => {
            "Either nobody computed it, or the packet was captured before the network card did, as with the IPv4 headers of many cards."
        }
        Cause::Rewritten => {
            "The header and what it carries are wrong by the same amount, and only the addresses are in both sums: a translator or an \
             anonymiser changed one, or something damaged it on the way."
        }
        Cause::NotComplemented => {
            "It holds the one's complement sum itself. A sender's software is wrong."
        }
        Cause::ByteSwapped => {
            "The sum is right, but was not stored in network byte order. A sender's software is wrong."
        }
        Cause::NoPseudoHeader => {
            "It is the checksum of the bytes of the packet alone. A sender's software is wrong."
        }
        Cause::NextHop => {
            "A source route or a routing header changes the destination on the way, and only the last one counts."
        }
        Cause::WrongLength => "A sender's software is wrong about the length that belongs there.",
        Cause::Padding => "A sender's software or a card took all of the frame for the packet.",
        Cause::Adler32 => "The sender follows RFC 2960.",
        Cause::HeaderChanged => {
            "A router that changes a header has to change its checksum with it (RFC 1624)."
        }
        Cause::OneBit => {
            "Of just any value 1 in 2,048 looks so, thus it very likely is what happened. It flipped on a link or in a memory where no CRC \
             guarded it."
        }
        Cause::OneByte => "Of just any value 1 in 64 looks so, thus it may be chance.",
        _ => "What the sender summed, or what changed since, cannot be told from the sum alone.",
    }
}
