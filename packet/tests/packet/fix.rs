// SPDX-License-Identifier: MIT OR Apache-2.0
//! Repaired captures: of hand-made frames, of damaged frames, of fragments in every order, and of
//! pcapng files with all kinds of blocks.

use crate::common::{Bad, Random, check_fix, examine_in_place, fixed, frames, large, pcap};
use wiresum_packet::{LinkType, Protocol, Repairs};

fn all(_: &str) -> bool {
    true
}

/// The frames of `frames.txt`, one file for each link type.
fn files() -> Vec<Vec<u8>> {
    let cases = frames();
    let mut link_types: Vec<_> = cases.iter().map(|case| case.link_type).collect();
    link_types.sort_unstable();
    link_types.dedup();
    let of = |link_type: u32| {
        let some = cases.iter().filter(move |case| case.link_type == link_type);
        pcap(
            LinkType(link_type),
            some.map(|case| (&case.data[..], case.frame().original_len)),
        )
    };
    link_types.into_iter().map(of).collect()
}

#[test]
fn hand_made_frames() {
    for file in files() {
        check_fix(&file, all);
        check_fix(&file, |cause| cause == "offload");
        check_fix(&file, |cause| cause == "unknown");
        check_fix(&file, |cause| cause == "illegal");
        let (_, repairs) = fixed(&file, 1, all).expect("a capture");
        assert_eq!(repairs.bad(), 0);
    }
}

/// Each bad field becomes the value that `frames.txt` expects.
#[test]
fn bad_fields_become_what_is_expected() {
    let mut repaired = 0;
    for case in frames() {
        let file = pcap(
            LinkType(case.link_type),
            [(&case.data[..], case.frame().original_len)],
        );
        let (out, _) = fixed(&file, 1, all).expect("a capture");
        let mut news: Vec<_> = out
            .changes
            .iter()
            .map(|change| change.new_bytes())
            .collect();
        for verdict in case
            .verdicts
            .iter()
            .filter(|verdict| !verdict.contains("quoted"))
        {
            let Some((_, expected)) = verdict.split_once("expected 0x") else {
                continue;
            };
            let digits = expected.len() / 2;
            let value = u32::from_str_radix(expected, 16).expect("a number");
            let bytes = &value.to_be_bytes()[4 - digits..];
            // A field that covers a repaired one becomes another value.
            let nested = case
                .verdicts
                .iter()
                .filter(|verdict| verdict.contains("expected"))
                .count()
                > 1;
            let found = news.iter().position(|new| *new == bytes);
            assert!(
                found.is_some() || nested,
                "{}: {verdict}, {news:02x?}",
                case.about
            );
            if let Some(found) = found {
                news.remove(found);
                repaired += 1;
            }
        }
    }
    assert!(repaired > 10, "only {repaired}");
}

/// Each single-fault case of `frames.txt`, when repaired, is the valid frame again, byte for byte.
/// If a digest covers the fault, the frame stays as it is.
#[test]
fn repaired_is_valid() {
    let (mut repaired, mut left) = (0, 0);
    for case in frames() {
        let Some(broken) = case.broken_data() else {
            continue;
        };
        let wire = case.wire.unwrap_or(broken.len());
        let (link_type, of) = (LinkType(case.link_type), |data| {
            pcap(LinkType(case.link_type), [(data, wire)])
        });
        let (out, repairs) = fixed(&of(&broken), 1, all).expect("a capture");
        check_fix(&of(&broken), all);
        if repairs
            .left()
            .all(|(_, why, _)| why == Repairs::AUTHENTICATED)
            && repairs.bad() > 0
        {
            assert!(out.file == of(&broken), "{}, {link_type}", case.about);
            left += 1;
            continue;
        }
        assert!(out.file == of(&case.data), "{}, {link_type}", case.about);
        assert_eq!(repairs.bad(), 0, "{}", case.about);
        repaired += 1;
    }
    assert!(repaired > 150, "only {repaired}");
    // AH over IPv4 (thrice) and IPv6, MACsec (thrice), EIGRP, ICMPv6, AYIYA, Teredo.
    assert_eq!(left, 11);
}

/// The flag "Csum NotReady" in epb_flags decides the cause, and is cleared by the repair. The other
/// flags, the other blocks and the other options stay.
#[test]
fn pcapng_flags_follow() {
    const FLAGS: u32 = 0x0000_0e02; // outbound, not ready, valid, GSO
    let cases = frames();
    let offload = "TCP that holds the sum of the pseudo-header";
    let case = cases
        .iter()
        .find(|case| case.about == offload)
        .expect("the case");
    let good = &cases
        .iter()
        .find(|case| case.about == "TCP over IPv4")
        .expect("the case")
        .data;
    for big in [false, true] {
        let word = |word: u32| {
            if big {
                word.to_be_bytes()
            } else {
                word.to_le_bytes()
            }
        };
        let half = |half: u16| {
            if big {
                half.to_be_bytes()
            } else {
                half.to_le_bytes()
            }
        };
        let block = |kind: u32, body: &[u8]| {
            let len = word(body.len() as u32 + 12);
            [&word(kind), &len, body, &len].concat()
        };
        let file = |data: &[u8], flags: u32| {
            let mut packet: Vec<u8> = [0, 0, 7, data.len() as u32, data.len() as u32]
                .map(word)
                .concat();
            packet.extend(data);
            packet.resize(packet.len().next_multiple_of(4), 0);
            packet.extend([half(1), half(4)].concat()); // a comment
            packet.extend(b"note");
            packet.extend([half(2), half(4)].concat());
            packet.extend(word(flags));
            packet.extend([0; 4]);
            let section = [
                word(0x1a2b_3c4d).to_vec(),
                [half(1), half(0)].concat(),
                vec![0xff; 8],
            ]
            .concat();
            let interface = [[half(1), half(0)].concat(), word(0).to_vec()].concat();
            [
                block(0x0a0d_0d0a, &section),
                block(1, &interface),
                block(0x0bad, b"a block of somebody else"),
                block(6, &packet),
                block(5, &[0; 12]),
            ]
            .concat()
        };
        let (out, repairs) = fixed(&file(&case.data, FLAGS), 1, all).expect("a capture");
        assert!(out.file == file(good, FLAGS & !0x200), "big-endian: {big}");
        assert_eq!(repairs.flags, 1);
        // A flagged field is bad for offload, whatever its value. The same field without the flag
        // is not.
        let mut flipped = good.clone();
        *flipped.last_mut().expect("a byte") ^= 1;
        let offload = |cause: &str| cause == "offload";
        let (out, repairs) = fixed(&file(&flipped, FLAGS), 1, offload).expect("a capture");
        assert_eq!(repairs.flags, 1);
        assert_ne!(out.file, file(&flipped, FLAGS & !0x200));
        let (out, repairs) = fixed(&file(&flipped, FLAGS & !0x200), 1, offload).expect("a capture");
        assert_eq!(repairs.bad(), 1);
        assert_eq!(out.file, file(&flipped, FLAGS & !0x200));
        // The flags of a frame in which nothing is repaired stay.
        let (out, repairs) = fixed(&file(good, FLAGS), 1, all).expect("a capture");
        assert!(out.file == file(good, FLAGS));
        assert_eq!(repairs.flags, 0);
    }
}

/// Frames with random damage.
#[test]
fn damaged_frames() {
    let mut random = Random::from_environment();
    let files = files();
    for _ in 0..500 {
        let mut file = files[random.below(files.len())].clone();
        for _ in 0..1 + random.below(30) {
            let at = 24 + random.below(file.len() - 24);
            file[at] = random.below(256) as u8;
        }
        check_fix(
            &file,
            [all, |cause: &str| cause == "unknown"][random.below(2)],
        );
    }
}

#[test]
fn any_number_of_threads_does_the_same() {
    let file = files().concat();
    for file in [file, large(100)] {
        let (expected, _) = fixed(&file, 1, all).expect("a capture");
        for workers in [2, 5] {
            let (out, repairs) = fixed(&file, workers, all).expect("a capture");
            assert!(out.file == expected.file);
            assert_eq!(out.changes, expected.changes);
            assert_eq!(repairs.bad(), 0);
        }
    }
}

/// Returns UDP over IPv4 in two fragments, with a bad checksum.
fn fragments() -> [Vec<u8>; 2] {
    let fragment = |offset: u16, more: bool, payload: &[u8]| {
        let mut packet = vec![0x45, 0, 0, 20 + payload.len() as u8, 0x12, 0x34];
        packet.extend(((offset / 8) | (u16::from(more) << 13)).to_be_bytes());
        packet.extend([64, 17, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2]);
        let checksum = wiresum::ipv4::header(&packet).to_wire();
        packet[10..12].copy_from_slice(&checksum);
        packet.extend(payload);
        packet
    };
    // Ports 1 and 2, length 18, a wrong checksum, ten bytes of payload. The sum by hand, over the
    // words of the pseudo-header and the datagram:
    // c000 + 0201 + c000 + 0202 + 0011 + 0012 + 0001 + 0002 + 0012 + 6162 + 6364 + 6566 + 6768 +
    // 696a = 37f39; folded 7f3c.
    [
        fragment(0, true, &[0, 1, 0, 2, 0, 18, 0xba, 0xad]),
        fragment(8, false, b"abcdefghij"),
    ]
}

const EXPECTED: [u8; 2] = [0x80, 0xc3]; // the complement of that sum

#[test]
fn fragments_in_every_order_and_again() {
    let [first, last] = fragments();
    let checksum = |frame: &[u8]| [frame[26], frame[27]];
    for order in [
        vec![&first, &last],
        vec![&last, &first],
        vec![&first, &first, &last],
        vec![&first, &first, &first, &last],
        vec![&last, &last, &first],
    ] {
        let file = pcap(
            LinkType::RAW,
            order.iter().map(|frame| (&frame[..], frame.len())),
        );
        check_fix(&file, all);
        let (out, repairs) = fixed(&file, 2, all).expect("a capture");
        assert_eq!(repairs.repaired().map(|(.., n)| n).sum::<u64>(), 1);
        let mut at = 24;
        for frame in order {
            let repaired = &out.file[at + 16..][..frame.len()];
            if *frame == first {
                assert_eq!(checksum(repaired), EXPECTED);
            }
            at += 16 + frame.len();
        }
    }
    // The first fragment alone cannot be judged.
    let file = pcap(LinkType::RAW, [(&first[..], first.len())]);
    let (out, repairs) = fixed(&file, 1, all).expect("a capture");
    assert!(out.file == file);
    let unverified: Vec<_> = repairs
        .unverified()
        .map(|(_, reason, n)| (reason, n))
        .collect();
    assert_eq!(unverified, [("fragment", 1)]);
    let mut bad = Bad::default();
    examine_in_place(&file, &mut bad);
    assert!(bad.0.is_empty());
}

/// A digest covers these checksums, so a repair would spoil it. They are left, and counted.
#[test]
fn authenticated_checksums_are_left() {
    let covered = [
        ("IPv4 authentication header around a tunnel", Protocol::Tcp),
        (
            "IPv6 authentication header, options after it",
            Protocol::Tcp,
        ),
        ("MACsec that is not encrypted", Protocol::Tcp),
        ("EIGRP with authentication", Protocol::Eigrp),
        (
            "ICMPv6 neighbor advertisement with an RSA signature",
            Protocol::Icmpv6,
        ),
        ("AYIYA, signed with a shared secret", Protocol::Tcp),
        ("Teredo with authentication and origin", Protocol::Tcp),
    ];
    for (about, protocol) in covered {
        let file = broken(about);
        let (out, repairs) = fixed(&file, 1, all).expect("a capture");
        assert!(out.file == file, "{about}: {:?}", out.changes);
        let left: Vec<_> = repairs.left().collect();
        assert_eq!(left, [(protocol, Repairs::AUTHENTICATED, 1)], "{about}");
    }
    // The digests of these take the checksum as 0.
    let not_covered = [
        "TCP with an authentication option",
        "TCP with an MD5 signature",
        "RSVP with an INTEGRITY object",
        "HIP with a keyed hash",
        "a binding update with authorization data",
    ];
    for about in not_covered {
        let (out, repairs) = fixed(&broken(about), 1, all).expect("a capture");
        assert_eq!((out.changes.len(), repairs.bad()), (1, 0), "{about}");
    }
    // The header in front of an authentication header is not covered either: a router changes it.
    let mut file = broken("IPv4 authentication header around a tunnel");
    file[24 + 16 + 14 + 10] ^= 1;
    let (out, repairs) = fixed(&file, 1, all).expect("a capture");
    assert_eq!((out.changes.len(), repairs.bad()), (1, 1));
}

/// A capture of one case of `frames.txt`, with its single fault.
fn broken(about: &str) -> Vec<u8> {
    let cases = frames();
    let case = cases.iter().find(|case| case.about.starts_with(about));
    let case = case.unwrap_or_else(|| panic!("frames.txt has no {about}"));
    let data = case.broken_data().expect("a single fault");
    pcap(LinkType(case.link_type), [(&data[..], data.len())])
}

/// One fragment came through MACsec, the other did not: the datagram has a digest over a part.
#[test]
fn a_digest_over_one_fragment_covers_the_datagram() {
    let ethernet = |packet: Vec<u8>| [&[2; 12][..], &[8, 0], &packet].concat();
    let [first, second] = fragments().map(ethernet);
    let protect = |frame: &[u8]| {
        let mut protected = frame[..12].to_vec();
        protected.extend([0x88, 0xe5, 0x00, 0, 0, 0, 0, 1]);
        protected.extend(&frame[12..]);
        protected.extend([0; 16]);
        protected
    };
    let plain = pcap(
        LinkType::ETHERNET,
        [(&first[..], first.len()), (&second, second.len())],
    );
    let (_, repairs) = fixed(&plain, 1, all).expect("a capture");
    assert_eq!(repairs.bad(), 0);
    let second = protect(&second);
    let file = pcap(
        LinkType::ETHERNET,
        [(&first[..], first.len()), (&second, second.len())],
    );
    let (out, repairs) = fixed(&file, 1, all).expect("a capture");
    assert!(out.file == file);
    let left: Vec<_> = repairs.left().map(|(_, why, n)| (why, n)).collect();
    assert_eq!(left, [(Repairs::AUTHENTICATED, 1)]);
}
