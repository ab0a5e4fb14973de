// SPDX-License-Identifier: MIT OR Apache-2.0
//! Frames in hexadecimal, as people paste them: the dumps of Wireshark, tcpdump, xxd, hexdump and
//! od, also quoted in mail; bytes without offsets; one long number.

use std::num::ParseIntError;

use wiresum_packet::LinkType;

/// Makes a capture in the format pcapng, whose frames have no time. A frame begins at offset 0, or
/// after an empty line. If the first frame begins as an IP packet, all frames are IP packets; if
/// not, they are Ethernet frames.
pub(crate) fn capture(text: &str) -> Result<Vec<u8>, String> {
    let mut frames: Vec<Vec<u8>> = Vec::new();
    let mut is_open = false;
    for (number, line) in text.lines().enumerate() {
        let Some(found) = bytes_of(line) else {
            is_open &= !line.trim().is_empty();
            continue;
        };
        let is_new = found.offset.map_or(!is_open, |offset| offset == 0);
        if is_new || frames.is_empty() {
            frames.push(Vec::new());
        }
        is_open = true;
        let Some(frame) = frames.last_mut() else {
            continue;
        };
        if found.offset.is_none() && is_length(line, frame.len()) {
            continue; // with which hexdump and od end
        }
        let offset = found.offset.unwrap_or(frame.len());
        if offset > frame.len() {
            return Err(format!(
                "Line {} begins at offset {offset:#x}, but only {:#x} bytes come before it. Paste \
                 the dump from its first line on.",
                number + 1,
                frame.len()
            ));
        }
        frame.truncate(offset); // the column of text may look like bytes
        frame.extend(found.bytes);
        if frame.len() > MAX_FRAME {
            return Err(format!(
                "Line {} is more than {MAX_FRAME} bytes after the beginning of its frame.",
                number + 1
            ));
        }
    }
    frames.retain(|frame| !frame.is_empty());
    let Some(first) = frames.first() else {
        return Err(
            "There are no bytes in hexadecimal. Paste lines such as: 0000  45 00 00 3c 1c 46"
                .to_owned(),
        );
    };
    let link_type = match first[..] {
        [first, _, high, low, ..]
            if (0x45..=0x4f).contains(&first)
                && usize::from(u16::from_be_bytes([high, low])) >= 20 =>
        {
            LinkType::RAW
        }
        [0x60..=0x6f, ..] if first.len() >= 40 => LinkType::RAW,
        _ => LinkType::ETHERNET,
    };
    Ok(pcapng(link_type, &frames))
}

/// The most bytes of a frame, which is the longest record that the reader of captures accepts.
const MAX_FRAME: usize = 8 << 20;

/// The bytes of a line.
struct Found {
    offset: Option<usize>,
    bytes: Vec<u8>,
}

/// The bytes of a line, if it has any.
fn bytes_of(line: &str) -> Option<Found> {
    // A mail quotes with >, and some viewers frame a dump with |.
    let line = line.trim_start_matches(|c: char| c.is_whitespace() || c == '>' || c == '|');
    let (first, rest) = line.split_at(line.find(char::is_whitespace).unwrap_or(line.len()));
    let offset = offset(first, rest);
    let columns = if offset.is_some() { rest } else { line };
    let mut bytes = Vec::new();
    for (gap, word) in words(columns) {
        // The column of text follows a gap. Some dumps have a gap after eight bytes, too.
        let is_text = offset.is_some() && gap >= 2 && !matches!(bytes.len(), 0 | 8);
        let digits = word.trim_end_matches([',', ';']);
        let digits = digits.strip_prefix("0x").unwrap_or(digits);
        match (is_text, hexadecimal(digits)) {
            (false, Some(more)) => bytes.extend(more),
            _ if offset.is_some() => break,
            _ => return None, // a line of prose, or a heading of tcpdump
        }
    }
    (!bytes.is_empty()).then_some(Found { offset, bytes })
}

/// Whether a line is nothing but the length of the frame before it.
fn is_length(line: &str, len: usize) -> bool {
    let digits = line.trim_start_matches(['>', ' ']).trim_end();
    (6..=8).contains(&digits.len()) && usize::from_str_radix(digits, 16) == Ok(len)
}

/// The offset with which a line begins. A long number alone is data.
fn offset(first: &str, rest: &str) -> Option<usize> {
    let digits = first.strip_prefix("0x").unwrap_or(first);
    let (digits, colon) = match digits.strip_suffix(':') {
        Some(digits) => (digits, true),
        None => (digits, false),
    };
    let is_offset = match digits.len() {
        1..=3 => colon,
        4 => colon || rest.starts_with("  ") || rest.starts_with('\t') || is_pairs(rest),
        5..=8 => colon || is_pairs(rest),
        _ => false,
    };
    let parsed: Result<usize, ParseIntError> = usize::from_str_radix(digits, 16);
    parsed.ok().filter(|_| is_offset)
}

/// Whether the next word has two digits, as bytes do and words of a dump do not.
fn is_pairs(rest: &str) -> bool {
    rest.split_whitespace()
        .next()
        .is_some_and(|word| word.len() == 2)
}

/// The words of a line, each with the number of spaces before it. A tab counts as two.
fn words(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let word = rest.trim_start();
        let blank = &rest[..rest.len() - word.len()];
        let gap = blank.chars().map(|c| if c == '\t' { 2 } else { 1 }).sum();
        let end = word.find(char::is_whitespace).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        rest = after;
        (!word.is_empty()).then_some((gap, word))
    })
}

/// The bytes of a word: pairs of digits, which colons or hyphens may separate.
fn hexadecimal(word: &str) -> Option<Vec<u8>> {
    let pairs: Vec<&[u8]> = if word.contains([':', '-']) {
        word.split([':', '-']).map(str::as_bytes).collect()
    } else {
        word.as_bytes().chunks(2).collect()
    };
    let digit = |digit: u8| char::from(digit).to_digit(16);
    let byte = |pair: &[u8]| match *pair {
        [high, low] => Some((digit(high)? << 4 | digit(low)?) as u8),
        _ => None,
    };
    pairs.into_iter().map(byte).collect()
}

/// A capture with one interface, and a Simple Packet Block for each frame
/// (draft-ietf-opsawg-pcapng section 4.4).
fn pcapng(link_type: LinkType, frames: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Vec::new();
    let section = [
        &0x1a2b_3c4d_u32.to_le_bytes()[..],
        &[1, 0, 0, 0],
        &[0xff; 8],
    ]
    .concat();
    block(&mut out, 0x0a0d_0d0a, &section);
    let interface = [&link_type.0.to_le_bytes()[..], &[0; 4]].concat();
    block(&mut out, 1, &interface);
    for frame in frames {
        let packet = [&(frame.len() as u32).to_le_bytes()[..], frame].concat();
        block(&mut out, 3, &packet);
    }
    out
}

fn block(out: &mut Vec<u8>, kind: u32, body: &[u8]) {
    let padded = body.len().next_multiple_of(4);
    let len = (12 + padded as u32).to_le_bytes();
    out.extend(kind.to_le_bytes());
    out.extend(len);
    out.extend(body);
    out.resize(out.len() + padded - body.len(), 0);
    out.extend(len);
}

#[cfg(test)]
mod tests {
    use wiresum_packet::Capture;

    use super::*;

    /// The IPv4 header that Wikipedia works out, whose checksum is b861.
    const HEADER: &str = "45000073000040004011b861c0a80001c0a800c7";

    /// The link type of the capture, and its frames in hexadecimal.
    fn frames(text: &str) -> (LinkType, Vec<String>) {
        let bytes = capture(text).expect("a dump");
        let mut capture = Capture::open(&bytes[..]).expect("a capture");
        let (mut link_type, mut frames) = (LinkType::RAW, Vec::new());
        while let Some(frame) = capture.next_frame().expect("readable") {
            link_type = frame.link_type;
            assert_eq!(frame.time, None);
            frames.push(frame.data.iter().map(|b| format!("{b:02x}")).collect());
        }
        assert!(capture.malformed().is_empty());
        (link_type, frames)
    }

    #[test]
    fn every_form_of_a_dump_gives_the_same_frame() {
        let forms = [
            // Wireshark, with its column of text
            "0000  45 00 00 73 00 00 40 00  40 11 b8 61 c0 a8 00 01   E..s..@.@..a....\n\
             0010  c0 a8 00 c7                                       ....",
            // tcpdump -X
            "12:00:00.000000 IP 192.168.0.1 > 192.168.0.199: udp\n\
             \t0x0000:  4500 0073 0000 4000 4011 b861 c0a8 0001  E..s..@.@..a....\n\
             \t0x0010:  c0a8 00c7                                ....",
            // xxd
            "00000000: 4500 0073 0000 4000 4011 b861 c0a8 0001  E..s..@.@..a....\n\
             00000010: c0a8 00c7                                ....",
            // hexdump -C, quoted in a mail
            "> 00000000  45 00 00 73 00 00 40 00  40 11 b8 61 c0 a8 00 01  |E..s..@.@..a....|\n\
             > 00000010  c0 a8 00 c7                                       |....|\n\
             > 00000014",
            // a column of text that looks like bytes
            "0000  45 00 00 73 00 00 40 00 40 11 b8 61 c0 a8 00 01 ab cd\n\
             0010  c0 a8 00 c7",
            "45 00 00 73 00 00 40 00 40 11 b8 61 c0 a8 00 01 c0 a8 00 c7",
            "45:00:00:73:00:00:40:00:40:11:b8:61:c0:a8:00:01:c0:a8:00:c7",
            "0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,\n\
             0xb8, 0x61, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7",
            HEADER,
        ];
        for form in forms {
            assert_eq!(frames(form), (LinkType::RAW, vec![HEADER.into()]), "{form}");
        }
    }

    #[test]
    fn a_frame_begins_at_offset_0_or_behind_an_empty_line() {
        let two = vec!["020000000002020000000001".to_owned(), "ffff".to_owned()];
        let offsets = "0000  02 00 00 00 00 02 02 00 00 00 00 01\n0000  ff ff";
        assert_eq!(frames(offsets), (LinkType::ETHERNET, two.clone()));
        let blank = "02 00 00 00 00 02 02 00 00 00 00 01\n\nffff";
        assert_eq!(frames(blank), (LinkType::ETHERNET, two));
    }

    #[test]
    fn what_is_no_dump_is_refused_with_the_reason() {
        for text in ["", "no bytes here", "45 0", "\u{e9}\u{e9} 45"] {
            let refused = capture(text).expect_err(text);
            assert!(refused.contains("no bytes in hexadecimal"), "{refused}");
        }
        let late = capture("0010  c0 a8 00 c7").expect_err("the first line is missing");
        assert!(late.starts_with("Line 1 begins at offset 0x10"), "{late}");
    }
}
