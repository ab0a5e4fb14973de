// SPDX-License-Identifier: MIT OR Apache-2.0
//! Datagrams put together from fragments: this test cuts the packets of `frames.txt` by hand.

use crate::common::{self, Random, Words, frames};
use wiresum_packet::{Field, Frame, LinkType, Place, Reassembly, Sink, Verdict};

/// The words and places that a sink was told for several frames.
#[derive(Default)]
struct Said {
    words: Words,
    /// For each verdict, the number of its frame, and where the checksum lies.
    places: Vec<(u64, Place)>,
}

impl Sink for Said {
    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        common::Reasonable.verdict(frame, field, verdict);
        self.words.0.push(format!("frame {}:", frame.number));
        self.words.verdict(frame, field, verdict);
        let words = self.words.0.split_off(self.words.0.len() - 2).join(" ");
        self.words.0.push(words);
        self.places.push((frame.number, frame.place(field.offset)));
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: wiresum_packet::Obstacle) {
        self.words
            .0
            .push(format!("frame {}: {obstacle}", frame.number));
    }
}

/// Returns what a sink is told of these raw IP packets, in order. The outer IPv4 headers are left
/// out, because all of them are good.
fn said(reassembly: &mut Reassembly, packets: &[Vec<u8>]) -> (Vec<String>, Vec<(u64, Place)>) {
    let mut said = Said::default();
    for (packet, number) in packets.iter().zip(1..) {
        let frame = Frame {
            number,
            ..Frame::new(LinkType::RAW, packet)
        };
        reassembly.examine(&frame, &mut said);
    }
    reassembly.finish(&mut said);
    let (words, places) = (said.words.0, said.places);
    assert!(!words.iter().any(|words| words.contains("ipv4 bad")));
    let outer = |words: &&String| !words.ends_with(": ipv4 good");
    (words.iter().filter(outer).cloned().collect(), places)
}

fn all(packets: &[Vec<u8>]) -> Vec<String> {
    said(&mut Reassembly::default(), packets).0
}

/// Returns the raw IP packet of a case of `frames.txt`, which is an Ethernet frame.
fn packet(about: &str) -> Vec<u8> {
    let cases = frames();
    let case = cases.iter().find(|case| case.about == about);
    case.unwrap_or_else(|| panic!("frames.txt has no {about}"))
        .data[14..]
        .to_vec()
}

/// Returns the fragment of an IPv4 packet without options that holds these bytes of its payload.
fn cut4(packet: &[u8], start: usize, end: usize) -> Vec<u8> {
    let payload = &packet[20..];
    let more = u16::from(end < payload.len()) << 13;
    let mut header = packet[..20].to_vec();
    header[2..4].copy_from_slice(&(20 + (end - start) as u16).to_be_bytes());
    header[6..8].copy_from_slice(&(more | (start / 8) as u16).to_be_bytes());
    header[10..12].fill(0);
    let checksum = wiresum::checksum(&header).to_wire();
    header[10..12].copy_from_slice(&checksum);
    [&header, &payload[start..end]].concat()
}

/// Returns the fragment of an IPv6 packet that holds these bytes. `before` bytes of extension
/// headers stay in each fragment; the byte at `next` names what follows them.
fn cut6(packet: &[u8], before: usize, next: usize, start: usize, end: usize) -> Vec<u8> {
    let (head, payload) = packet.split_at(40 + before);
    let mut head = head.to_vec();
    let more = u16::from(end < payload.len());
    let kind = std::mem::replace(&mut head[next], 44);
    let len = (before + 8 + end - start) as u16;
    head[4..6].copy_from_slice(&len.to_be_bytes());
    let mut fragment = [kind, 0, 0, 0, 0, 0, 0x12, 0x34];
    fragment[2..4].copy_from_slice(&(start as u16 | more).to_be_bytes());
    [&head, &fragment[..], &payload[start..end]].concat()
}

#[test]
fn fragments_of_ipv4_in_any_order() {
    let whole = packet("UDP over IPv4"); // 8 bytes of header, 5 of data
    let [a, b] = [cut4(&whole, 0, 8), cut4(&whole, 8, 13)];
    assert_eq!(all(&[a.clone(), b.clone()]), ["frame 2: udp good"]);
    assert_eq!(all(&[b.clone(), a.clone()]), ["frame 2: udp good"]);
    // The third fragment comes too late to be a copy, and waits for a datagram of its own.
    assert_eq!(
        all(&[a, b.clone(), b]),
        ["frame 2: udp good", "frame 3: fragment"]
    );
}

#[test]
fn the_checksum_lies_in_the_first_fragment() {
    let whole = packet("UDP over IPv4");
    let packets = [cut4(&whole, 8, 13), cut4(&whole, 0, 8)];
    let (_, places) = said(&mut Reassembly::default(), &packets);
    let place = Place {
        frame: 2,
        offset: 20 + 6,
        position: None,
    };
    assert_eq!(places.last(), Some(&(2, place)));
    let packets = [cut4(&whole, 0, 8), cut4(&whole, 8, 13)];
    let (_, places) = said(&mut Reassembly::default(), &packets);
    assert_eq!(places.last(), Some(&(2, Place { frame: 1, ..place })));
}

#[test]
fn a_bad_datagram_is_bad_as_a_whole() {
    let whole = packet("TCP with the last bit flipped"); // 22 bytes
    let packets = [
        cut4(&whole, 0, 8),
        cut4(&whole, 8, 16),
        cut4(&whole, 16, 22),
    ];
    let words = all(&packets);
    assert_eq!(words.len(), 1, "{words:?}");
    assert!(words[0].starts_with("frame 3: tcp bad"), "{words:?}");
    assert!(
        words[0].ends_with("found 0xbb22, expected 0xbb23"),
        "{words:?}"
    );
}

#[test]
fn what_never_comes_together_is_unverified() {
    let whole = packet("UDP over IPv4");
    let [a, b] = [cut4(&whole, 0, 8), cut4(&whole, 8, 13)];
    assert_eq!(all(&[a]), ["frame 1: udp unverified (fragment)"]);
    assert_eq!(all(std::slice::from_ref(&b)), ["frame 1: fragment"]);
    // The same without a reassembly.
    let alone = |packet: &[u8]| common::verdicts(&Frame::new(LinkType::RAW, packet));
    assert_eq!(alone(&b), ["ipv4 good", "obstacle: fragment"]);
    let tcp = packet("TCP over IPv4");
    assert_eq!(
        all(&[cut4(&tcp, 0, 8), cut4(&tcp, 16, 22)]),
        ["frame 1: fragment", "frame 2: fragment"]
    );
}

/// Every frame of a datagram that is given up is counted, by what was wrong.
#[test]
fn what_is_given_up_is_counted() {
    let whole = packet("TCP over IPv4"); // 22 bytes
    let mut other = whole.clone();
    other[20 + 13] ^= 1;
    let packets = [cut4(&whole, 8, 16), cut4(&other, 8, 16)];
    assert_eq!(
        all(&packets),
        ["frame 1: conflicting fragments", "frame 2: fragment"]
    );
    // The offset of 8,191 words is the last one; these 22 bytes end after byte 65,535.
    let mut long = cut4(&whole, 0, 22);
    long[6..8].copy_from_slice(&0x1fff_u16.to_be_bytes());
    let checksum = {
        long[10..12].fill(0);
        wiresum::checksum(&long[..20]).to_wire()
    };
    long[10..12].copy_from_slice(&checksum);
    assert_eq!(all(&[long]), ["frame 1: fragments beyond 65535 bytes"]);
    // One datagram fits into the memory, the second does not.
    let mut later = whole.clone();
    later[4] ^= 1;
    let packets = [cut4(&whole, 8, 16), cut4(&later, 8, 16)];
    let (words, _) = said(&mut Reassembly::with_limit(1000), &packets);
    assert_eq!(
        words,
        [
            "frame 1: fragments beyond the memory limit",
            "frame 2: fragment"
        ]
    );
}

#[test]
fn pieces_of_another_size_are_the_same_datagram() {
    let whole = packet("TCP over IPv4"); // 22 bytes
    let packets = [cut4(&whole, 0, 16), cut4(&whole, 8, 22)];
    assert_eq!(all(&packets), ["frame 2: tcp good"]);
    // The middle fragment comes first. Of the others, only the new bytes are taken.
    let packets = [
        cut4(&whole, 8, 16),
        cut4(&whole, 0, 22 - 6),
        cut4(&whole, 0, 8),
        cut4(&whole, 8, 22),
    ];
    assert_eq!(all(&packets), ["frame 4: tcp good"]);
}

#[test]
fn other_bytes_are_of_a_later_datagram() {
    let whole = packet("UDP over IPv4");
    let mut other = whole.clone();
    other[28..33].copy_from_slice(b"PING!"); // the checksum stays, so it is wrong
    let packets = [cut4(&whole, 0, 8), cut4(&other, 8, 13), cut4(&whole, 8, 13)];
    let words = all(&packets);
    // Nothing distinguishes the datagrams, neither here nor in a receiver.
    assert!(words[0].starts_with("frame 2: udp bad"), "{words:?}");
    // Two first fragments have one identification. The second begins a datagram of its own.
    let mut later = whole.clone();
    // the source port, instead of 5000, to which 0x6842 belongs
    later[20..22].copy_from_slice(&4744_u16.to_be_bytes());
    later[26..28].copy_from_slice(&0x6942_u16.to_be_bytes());
    let packets = [cut4(&whole, 0, 8), cut4(&later, 0, 8), cut4(&later, 8, 13)];
    assert_eq!(
        all(&packets),
        [
            "frame 1: udp unverified (fragment)",
            "frame 1: conflicting fragments",
            "frame 3: udp good"
        ]
    );
    // The last fragment moves the end of the datagram.
    let packets = [cut4(&whole, 0, 8), cut4(&packet("TCP over IPv4"), 16, 22)];
    assert_eq!(
        all(&packets),
        ["frame 1: udp unverified (fragment)", "frame 2: fragment"]
    );
}

#[test]
fn other_identifications_are_other_datagrams() {
    let whole = packet("UDP over IPv4");
    let mut other = whole.clone();
    other[4] ^= 1;
    let packets = [cut4(&whole, 0, 8), cut4(&other, 8, 13)];
    assert_eq!(
        all(&packets),
        ["frame 1: udp unverified (fragment)", "frame 2: fragment"]
    );
    let packets = [
        cut4(&whole, 0, 8),
        cut4(&other, 8, 13),
        cut4(&other, 0, 8),
        cut4(&whole, 8, 13),
    ];
    assert_eq!(all(&packets), ["frame 3: udp good", "frame 4: udp good"]);
}

#[test]
fn fragments_of_ipv6() {
    let whole = packet("TCP over IPv6");
    let packets = [cut6(&whole, 0, 6, 8, 22), cut6(&whole, 0, 6, 0, 8)];
    assert_eq!(all(&packets), ["frame 2: tcp good"]);
    // After a routing header, the pseudo-header holds the last address. The routing header is in
    // each fragment.
    let whole = packet("IPv6 routing header of mobile IP");
    let packets = [cut6(&whole, 24, 40, 0, 16), cut6(&whole, 24, 40, 16, 22)];
    assert_eq!(all(&packets), ["frame 2: tcp good"]);
    // So it is with a home address, and with a routing header that hides the destination.
    let whole = packet("IPv6 home address: TCP");
    let packets = [cut6(&whole, 24, 40, 0, 16), cut6(&whole, 24, 40, 16, 22)];
    assert_eq!(all(&packets), ["frame 2: tcp good"]);
    let whole =
        packet("IPv6 routing header of CRH-16 (RFC 9631): routers know the final destination");
    let packets = [cut6(&whole, 24, 40, 0, 16), cut6(&whole, 24, 40, 16, 22)];
    assert_eq!(all(&packets), ["frame 2: tcp unverified (addresses)"]);
    // The extension headers are cut themselves.
    let whole = packet("IPv6 hop-by-hop and destination options");
    let packets = [
        cut6(&whole, 8, 40, 0, 8),
        cut6(&whole, 8, 40, 8, 16),
        cut6(&whole, 8, 40, 16, 30),
    ];
    assert_eq!(all(&packets), ["frame 3: tcp good"]);
}

#[test]
fn packets_within_fragments() {
    let whole = packet("IPv4 in IPv4");
    let packets = [cut4(&whole, 0, 16), cut4(&whole, 16, 42)];
    assert_eq!(
        all(&packets),
        ["frame 2: layer 2 ipv4 good", "frame 2: layer 2 tcp good"]
    );
    // The packet within is in two fragments, and both of its fragments are cut again.
    let mut outer = whole[..20].to_vec();
    let inner = [cut4(&whole[20..], 0, 16), cut4(&whole[20..], 16, 22)];
    let carry = |inner: &[u8], id: u8, outer: &mut Vec<u8>| {
        outer[5] = id;
        outer[2..4].copy_from_slice(&(20 + inner.len() as u16).to_be_bytes());
        [&outer[..], inner].concat()
    };
    let first = carry(&inner[0], 1, &mut outer);
    let second = carry(&inner[1], 2, &mut outer);
    let packets = [
        cut4(&second, 0, 24),
        cut4(&first, 0, 8),
        cut4(&second, 24, 26),
        cut4(&first, 8, 36),
    ];
    let (words, places) = said(&mut Reassembly::default(), &packets);
    assert_eq!(
        words,
        [
            "frame 3: layer 2 ipv4 good",
            "frame 4: layer 2 ipv4 good",
            "frame 4: layer 2 tcp good"
        ]
    );
    // The checksum is at offset 16 of the segment. So it is the first field that the second inner
    // fragment carries, after an inner header of 20 bytes, in the first fragment of its outer
    // packet, after an outer header of 20 bytes.
    let place = Place {
        frame: 1,
        offset: 20 + 20,
        position: None,
    };
    assert_eq!(places.last(), Some(&(4, place)));
}

#[test]
fn memory_is_bounded_and_the_oldest_goes_first() {
    let whole = packet("UDP over IPv4");
    let packets: Vec<_> = (0..=u16::MAX)
        .map(|id| {
            let mut packet = whole.clone();
            packet[4..6].copy_from_slice(&id.to_be_bytes());
            cut4(&packet, 0, 8)
        })
        .collect();
    let mut reassembly = Reassembly::with_limit(100_000);
    let mut said = Said::default();
    for (packet, number) in packets.iter().zip(1..) {
        let frame = Frame {
            number,
            ..Frame::new(LinkType::RAW, packet)
        };
        reassembly.examine(&frame, &mut said);
    }
    let unverified = |said: &Said| {
        said.words
            .0
            .iter()
            .filter(|words| words.contains("udp unverified"))
            .count()
    };
    let given_up = unverified(&said);
    assert!((65_000..65_536).contains(&given_up), "{given_up} given up");
    assert!(
        said.words
            .0
            .contains(&"frame 1: udp unverified (fragment)".to_owned())
    );
    reassembly.finish(&mut said);
    assert_eq!(unverified(&said), 65_536, "each datagram is told once");
}

/// The walk of a datagram ends where another fragment begins, so thousands of fragments in one
/// another do not exhaust the stack.
#[test]
fn datagrams_that_complete_each_other() {
    const DATAGRAMS: u32 = 20_000;
    let header = |next: u8, offset: u16, more: u16, id: u32| {
        let mut header = vec![next, 0];
        header.extend((offset | more).to_be_bytes());
        header.extend(id.to_be_bytes());
        header
    };
    let whole = packet("TCP over IPv6");
    let ip = |payload: &[u8]| {
        let mut packet = whole[..40].to_vec();
        packet[4..6].copy_from_slice(&(payload.len() as u16).to_be_bytes());
        packet[6] = 44;
        packet.extend(payload);
        packet
    };
    // The last 8 bytes of datagram n come first. They are a Fragment header of datagram n + 2. The
    // first 8 bytes of datagram n are a Fragment header of datagram n + 1. They come at the end,
    // for datagram 0, and complete it. The payload of datagram 0 is then the first fragment of
    // datagram 1, which completes that one, and so on.
    let mut packets: Vec<_> = (0..DATAGRAMS)
        .map(|id| ip(&[header(44, 8, 0, id), header(44, 0, 1, id + 2)].concat()))
        .collect();
    packets.push(ip(&[header(44, 0, 1, 0), header(44, 0, 1, 1)].concat()));
    // The last datagram but one waits for its end.
    assert_eq!(
        all(&packets),
        ["frame 20001: fragment", "frame 20000: fragment"]
    );
    // The same Fragment headers within one packet.
    let headers: Vec<_> = (0..8000).flat_map(|id| header(44, 0, 1, id)).collect();
    assert_eq!(all(&[ip(&headers)]), ["frame 1: fragment"]);
}

/// Random fragments of few datagrams cause no panic, and no verdict that contradicts plain loops.
#[test]
fn fragments_at_random() {
    let mut random = Random::from_environment();
    let whole = packet("IPv6 hop-by-hop and destination options");
    let packets: Vec<_> = (0..100_000)
        .map(|_| {
            let start = random.below(5) * 8;
            let end = (start + 1 + random.below(30)).min(38);
            let mut packet = cut6(&whole, 0, 6, start, end.max(start + 1));
            packet[47] = random.below(3) as u8;
            if random.below(3) == 0 {
                let at = random.below(packet.len());
                packet[at] ^= 1;
            }
            packet
        })
        .collect();
    let mut reassembly = Reassembly::with_limit(20_000);
    let (words, _) = said(&mut reassembly, &packets);
    assert!(words.iter().any(|words| words.ends_with("tcp good")));
}
