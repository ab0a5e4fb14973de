// SPDX-License-Identifier: MIT OR Apache-2.0
//! The plain words: of what a verdict means, and of where a change may be.

use wiresum_packet::cause::{Evidence, How};
use wiresum_packet::{Algorithm, Cause, Field, Frame, Protocol, Reason, Status, Verdict};

use super::model::word;

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
        Cause::Offload => {
            "It holds the sum of the pseudo-header, to which the card adds the rest when the packet leaves. It was captured before that, \
             on the machine that sent it: nothing was wrong on the wire."
        }
        Cause::OffloadWithoutLength => {
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

/// Where a change may be that a sum tells of.
fn where_it_may_be(evidence: &Evidence<'_>, how: How) -> String {
    match how {
        How::Bit(bit, set) => candidates(evidence, bit, set),
        How::At(at, xor) => {
            let offset = at - evidence.field.covers.start;
            format!(
                " It is byte {offset} of the packet ({}): {:#04x} there was {:#04x} once.",
                name(evidence, offset),
                evidence.data[at],
                evidence.data[at] ^ xor
            )
        }
        How::Plain | How::Byte { .. } => String::new(),
        other => format!(" What fits: {other}."),
    }
}

/// The words in which a bit is now as it was left.
fn candidates(evidence: &Evidence<'_>, bit: u16, set: bool) -> String {
    let field = evidence.field;
    let own = field.bytes();
    let (mut places, mut words, mut count) = (Vec::<(String, usize)>::new(), 0, 0);
    for start in field.covers.clone().step_by(2) {
        if own.contains(&start)
            || field
                .hole
                .as_ref()
                .is_some_and(|hole| hole.contains(&start))
        {
            continue;
        }
        words += 1;
        let now = word(&evidence.data[start..field.covers.end.min(start + 2)]);
        if (now & bit != 0) != set {
            continue;
        }
        count += 1;
        let offset = start - field.covers.start;
        if set && cannot_be(evidence, offset, now, bit) {
            return format!(
                " Very likely it is in the {}, which cannot have that bit set.",
                name(evidence, offset)
            );
        }
        let name = name(evidence, offset);
        match places.iter_mut().find(|(known, _)| *known == name) {
            Some((_, n)) => *n += 1,
            None => places.push((name, 1)),
        }
    }
    let list: Vec<_> = places
        .iter()
        .map(|(name, n)| match n {
            1 => format!("the {name}"),
            n => format!("{n} words of the {name}"),
        })
        .collect();
    let mut own = String::new();
    if (evidence.found ^ evidence.expected) == u32::from(bit) {
        own = " Or it is in the checksum itself.".to_owned();
    }
    let now = if set { "set" } else { "clear" };
    match count {
        0 if own.is_empty() => {
            " Not one of its words has that bit so, but those of the pseudo-header may.".to_owned()
        }
        0 => " No word has that bit so: it is in the checksum itself, or in the pseudo-header."
            .to_owned(),
        _ => format!(
            " The bit {bit:#06x} is {now} in {count} of its {words} words, any of which may be the one: {}.{own}",
            list.join(", ")
        ),
    }
}

/// Whether a bit of a word is one that no sender sets.
fn cannot_be(evidence: &Evidence<'_>, offset: usize, now: u16, bit: u16) -> bool {
    const TCP_RESERVED: u16 = 0x0e00;
    const TCP_URGENT: u8 = 0x20;
    match (evidence.field.protocol, offset) {
        (Protocol::Tcp, 12) => bit & TCP_RESERVED != 0,
        (Protocol::Tcp, 18) => {
            let flags = evidence.data[evidence.field.covers.start + 13];
            flags & TCP_URGENT == 0 && now == bit
        }
        _ => false,
    }
}

/// What the word at an even offset of what is covered belongs to.
fn name(evidence: &Evidence<'_>, offset: usize) -> String {
    let byte = |at: usize| {
        evidence
            .data
            .get(evidence.field.covers.start + at)
            .copied()
            .unwrap_or(0)
    };
    let known = match (evidence.field.protocol, offset & !1) {
        (Protocol::Ipv4, 0) => "version, length and DSCP",
        (Protocol::Ipv4, 2) => "total length",
        (Protocol::Ipv4, 4) => "identification",
        (Protocol::Ipv4, 6) => "fragment offset and flags",
        (Protocol::Ipv4, 8) => "time to live and protocol",
        (Protocol::Ipv4, 12 | 14) => "source address",
        (Protocol::Ipv4, 16 | 18) => "destination address",
        (Protocol::Ipv4, _) => "options",
        (
            Protocol::Tcp | Protocol::Udp | Protocol::UdpLite | Protocol::Dccp | Protocol::Sctp,
            0,
        ) => "source port",
        (
            Protocol::Tcp | Protocol::Udp | Protocol::UdpLite | Protocol::Dccp | Protocol::Sctp,
            2,
        ) => "destination port",
        (Protocol::Udp, 4) => "length",
        (Protocol::Tcp, 4 | 6) => "sequence number",
        (Protocol::Tcp, 8 | 10) => "acknowledgment number",
        (Protocol::Tcp, 12) => "header length and flags",
        (Protocol::Tcp, 14) => "window",
        (Protocol::Tcp, 18) => "urgent pointer",
        (Protocol::Tcp, at) if at < usize::from(byte(12) >> 4) * 4 => "options",
        (Protocol::Sctp, 4 | 6) => "verification tag",
        (Protocol::Icmp | Protocol::Icmpv6 | Protocol::Igmp, 0) => "type and code",
        (Protocol::Icmp | Protocol::Icmpv6, 4 | 6) => "rest of the header",
        _ => "payload",
    };
    known.to_owned()
}
