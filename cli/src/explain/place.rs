// SPDX-License-Identifier: MIT OR Apache-2.0
//! The places where a packet may have changed, as far as its checksum shows.

use indicatif::HumanCount;
use wiresum_packet::Protocol;
use wiresum_packet::cause::{Evidence, How};

use super::arithmetic::{pseudo_header, word};

/// Sentences on the places where the packet may have changed.
pub(super) fn where_it_may_be(evidence: &Evidence<'_>, how: How) -> String {
    match how {
        How::Bit(bit, set) => candidates(evidence, bit, set),
        How::At(at, xor) => {
            let offset = at - evidence.field.covers.start;
            format!(
                " Byte {offset} of the packet ({}) is {:#04x} and was {:#04x}.",
                name(evidence, offset),
                evidence.data[at],
                evidence.data[at] ^ xor
            )
        }
        How::Plain | How::Byte { .. } => String::new(),
        How::Again { by, packets } => again(evidence, by, packets),
        How::Field("time to live", was, is) if was < is => format!(
            " What fits: the checksum is of a time to live of {was:#x}, and the header has \
             {is:#x}: the checksum took a step that the time to live did not take."
        ),
        other => format!(" What fits: {other}."),
    }
}

/// The amount by which the packets of a flow are wrong, and the sums that it may come from.
fn again(evidence: &Evidence<'_>, by: i32, packets: u64) -> String {
    let sign = if by < 0 { '-' } else { '+' };
    let amount = by.unsigned_abs();
    let mut text = format!(
        " This is packet {} in a row of its flow whose field is wrong by {sign}{amount:#06x}.",
        HumanCount(packets)
    );
    match (amount, by < 0) {
        (1, false) => text += " So the sum is too small by 1, which is one carry.",
        (1, true) => text += " So the sum is too large by 1, which is one carry.",
        (0x0100, false) => {
            text += " So the sum is too small by one carry of a little-endian machine, which adds \
                     words with their bytes exchanged.";
        }
        (0x0100, true) => {
            text += " So the sum is too large by one carry of a little-endian machine, which adds \
                     words with their bytes exchanged.";
        }
        _ => {
            let is = |sum: i64| sum % 0xffff == 0; // 0 in one's complement
            let by = i64::from(by);
            for (name, sum) in constant(evidence) {
                if is(sum - by) {
                    text += &format!(" That fits if the sum leaves out the {name}.");
                } else if is(sum + by) {
                    text += &format!(" That fits if the sum has the {name} twice.");
                }
            }
        }
    }
    text
}

/// The parts of a packet that stay the same within a flow and are not 0, each with its sum.
fn constant(evidence: &Evidence<'_>) -> Vec<(&'static str, i64)> {
    let field = evidence.field;
    let mut parts = Vec::new();
    if let Some(pseudo) = &field.pseudo {
        let sums: Vec<i64> = pseudo_header(pseudo, "")
            .iter()
            .map(|part| part.words.iter().map(|&word| i64::from(word)).sum())
            .collect();
        if let [source, destination, protocol, length] = sums[..] {
            parts.extend([
                ("source address", source),
                ("destination address", destination),
                ("addresses", source + destination),
                ("protocol", protocol),
                ("length of the pseudo-header", length),
            ]);
        }
    }
    if let Some((source, destination)) = field.ports {
        parts.push(("source port", source.into()));
        parts.push(("destination port", destination.into()));
    }
    parts.retain(|&(_, sum)| sum % 0xffff != 0);
    parts
}

/// The words that may hold a flipped bit: those in which the bit has its new value, `set`.
fn candidates(evidence: &Evidence<'_>, bit: u16, set: bool) -> String {
    let field = evidence.field;
    let own = field.bytes();
    let (mut places, mut words, mut count) = (Vec::<(&str, usize)>::new(), 0, 0);
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
                " Very likely the bit is in the {}, where no sender sets it.",
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
        own = " Or the bit is in the checksum itself.".to_owned();
    }
    let now = if set { "set" } else { "clear" };
    match count {
        0 if own.is_empty() => {
            format!(
                " The bit {bit:#06x} is {now} in none of the packet's words, but may be so in the \
                 pseudo-header."
            )
        }
        0 => format!(
            " The bit {bit:#06x} is {now} in none of the packet's words, so it is in the \
             checksum itself or in the pseudo-header."
        ),
        _ => format!(
            " The bit {bit:#06x} is {now} in {count} of the packet's {words} words. Any of them \
             may be the changed one: {}.{own}",
            list.join(", ")
        ),
    }
}

/// Whether no sender sets this bit of this word.
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

/// The name of the header field at an offset in the bytes that the checksum covers.
fn name(evidence: &Evidence<'_>, offset: usize) -> &'static str {
    let byte = |at: usize| {
        evidence
            .data
            .get(evidence.field.covers.start + at)
            .copied()
            .unwrap_or(0)
    };
    match (evidence.field.protocol, offset & !1) {
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
    }
}
