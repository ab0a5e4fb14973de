// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cause of a checksum that is wrong by the same amount as those before it in its flow. The
//! expectations are the rule of packet/causes.md, applied by hand.

use std::collections::BTreeMap;
use std::io::{self, Read};
use std::net::Ipv4Addr;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::LazyLock;

use crate::common::{Words, check_fix, fixed, frames, pcap, verdicts};
use wiresum_packet::{
    Addresses, Capture, Cause, Collector, Field, Flows, Frame, LinkType, Reassembly, Sink, Status,
    Tally, Verdict, examine, examine_all,
};

/// TCP over IPv4 from 192.0.2.1:1000 to 192.0.2.2:80. The checksum is 0xbb22 where the sequence
/// number is 1, so it is 0xbb23 minus the sequence number.
fn tcp(sequence: u16, by: u32) -> Vec<u8> {
    static BASE: LazyLock<Vec<u8>> = LazyLock::new(|| {
        let cases = frames();
        let case = cases.iter().find(|case| case.about == "TCP over IPv4");
        case.expect("a case of frames.txt").data.clone()
    });
    let mut data = BASE.clone();
    data[40..42].copy_from_slice(&sequence.to_be_bytes());
    let checksum = (0xbb23 - u32::from(sequence) + by) % 0xffff;
    data[50..52].copy_from_slice(&(checksum as u16).to_be_bytes());
    data
}

/// The same from another port. The port is in the sum too.
fn tcp_from(port: u16, sequence: u16, by: u32) -> Vec<u8> {
    let mut data = tcp(sequence, by + 1000 + 0xffff - u32::from(port));
    data[34..36].copy_from_slice(&port.to_be_bytes());
    data
}

/// The same in the other direction, which has the same sum.
fn tcp_back(sequence: u16, by: u32) -> Vec<u8> {
    let mut data = tcp(sequence, by);
    data[26..34].rotate_left(4);
    data[34..38].rotate_left(2);
    data
}

/// The status of each checksum of TCP, and its streak.
#[derive(Clone, Default)]
struct Tcp(Vec<(&'static str, u64)>);

impl Sink for Tcp {
    fn verdict(&mut self, _: &Frame<'_>, field: &Field, verdict: &Verdict) {
        if field.protocol.key() == "tcp" {
            let word = match verdict.status {
                Status::Bad(cause) => cause.label(),
                status => status.key(),
            };
            self.0.push((word, verdict.streak));
        }
    }
}

impl Collector for Tcp {
    type Part = Tcp;

    fn part(&self) -> Tcp {
        Tcp::default()
    }

    fn take(&mut self, part: &mut Tcp) -> io::Result<()> {
        self.0.append(&mut part.0);
        Ok(())
    }
}

fn judged(packets: &[Vec<u8>]) -> Vec<(&'static str, u64)> {
    let (mut flows, mut tcp) = (Flows::default(), Tcp::default());
    for data in packets {
        let frame = Frame::new(LinkType::ETHERNET, data);
        examine(&frame, &mut flows.sink(&mut tcp));
    }
    tcp.0
}

fn words(packets: &[Vec<u8>]) -> Vec<&'static str> {
    judged(packets).into_iter().map(|(word, _)| word).collect()
}

/// No packet came before, so the sink hears what it hears without flows: frames, verdicts,
/// obstacles and malformed headers.
#[test]
fn a_sink_in_flows_hears_everything() {
    for case in frames() {
        let mut sink = (Words::default(), Tally::default());
        examine(&case.frame(), &mut Flows::default().sink(&mut sink));
        let (words, tally) = sink;
        assert_eq!(words.0, verdicts(&case.frame()), "{}", case.about);
        assert_eq!(tally.packets, 1, "{}", case.about);
    }
}

const CARRY: &str = "same-difference, a carry";

#[test]
fn the_third_packet_in_a_row_has_the_cause() {
    let packets: Vec<_> = (1..=5).map(|n| tcp(n, 0x2000)).collect();
    let expected = [
        ("one-bit", 1),
        ("one-bit", 2),
        ("same-difference", 3),
        ("same-difference", 4),
        ("same-difference", 5),
    ];
    assert_eq!(judged(&packets), expected);
}

#[test]
fn carries_are_one_in_either_byte_order_and_with_either_sign() {
    for carry in [0x0001, 0x0100, 0xfffe, 0xfeff] {
        let packets: Vec<_> = (1..=4).map(|n| tcp(n, carry)).collect();
        let expected = ["one-bit", "one-bit", CARRY, CARRY];
        assert_eq!(words(&packets), expected, "{carry:#06x}");
    }
    let packets: Vec<_> = (1..=3).map(|n| tcp(n, 2)).collect();
    assert_eq!(words(&packets), ["one-bit", "one-bit", "same-difference"]);
}

#[test]
fn any_difference_without_an_exact_cause_counts() {
    let packets: Vec<_> = (1..=3).map(|n| tcp(n, 0x1234)).collect();
    assert_eq!(words(&packets), ["unknown", "unknown", "same-difference"]);
    let packets: Vec<_> = (1..=3).map(|n| tcp(n, 0x0017)).collect();
    assert_eq!(words(&packets), ["one-byte", "one-byte", "same-difference"]);
}

/// The same with two bytes more, ff ff: the words add up to 0x344db plus the sequence number. So
/// the packet looks like `no-carry` where it is wrong by 3.
fn with_three_carries(sequence: u16, by: u32) -> Vec<u8> {
    let mut data = tcp(sequence, by + 0xffff - 2); // 2 more in the pseudo-header
    data[16..18].copy_from_slice(&44_u16.to_be_bytes());
    data[24..26].copy_from_slice(&0xe494_u16.to_be_bytes());
    data.extend([0xff, 0xff]);
    data
}

#[test]
fn a_row_tells_more_than_carries_that_fit_by_chance() {
    let packets: Vec<_> = (1..=4).map(|n| with_three_carries(n, 3)).collect();
    assert_eq!(words(&packets), ["no-carry"; 4]);
    let packets = [
        tcp(1, 3),
        with_three_carries(2, 3),
        with_three_carries(3, 3),
        with_three_carries(4, 3),
    ];
    let expected = ["one-byte", "no-carry", "same-difference", "same-difference"];
    assert_eq!(words(&packets), expected);
}

#[test]
fn another_difference_ends_the_row() {
    let by = [0x20, 0x20, 0x40, 0x20, 0x20, 0x20];
    let packets: Vec<_> = (1..).zip(by).map(|(n, by)| tcp(n, by)).collect();
    let expected = [
        ("one-bit", 1),
        ("one-bit", 2),
        ("one-bit", 1),
        ("one-bit", 1),
        ("one-bit", 2),
        ("same-difference", 3),
    ];
    assert_eq!(judged(&packets), expected);
}

/// A mirror port or a retransmission brings the same packet again, which is no evidence.
#[test]
fn copies_of_a_packet_do_not_count() {
    let numbers = [1, 1, 1, 2, 1, 2, 2, 3, 3, 1];
    let packets: Vec<_> = numbers.iter().map(|&n| tcp(n, 0x20)).collect();
    let expected = [
        "one-bit",
        "one-bit",
        "one-bit",
        "one-bit",
        "one-bit",
        "one-bit",
        "one-bit",
        "same-difference",
        "same-difference",
        "same-difference",
    ];
    assert_eq!(words(&packets), expected);
}

#[test]
fn good_checksums_and_exact_causes_do_not_end_the_row() {
    let zeroed = |n| {
        let mut data = tcp(n, 0);
        data[50..52].fill(0);
        data
    };
    let packets = [
        tcp(1, 0x20),
        tcp(2, 0),
        tcp(3, 0x20),
        zeroed(4),
        tcp(5, 0x20),
    ];
    let expected = ["one-bit", "good", "one-bit", "zeroed", "same-difference"];
    assert_eq!(words(&packets), expected);
}

/// Two connections of one flow, each wrong by an amount of its own.
#[test]
fn a_connection_has_a_row_of_its_own() {
    let packets = [
        tcp(1, 0x20),
        tcp_from(2000, 2, 0x40),
        tcp(3, 0x20),
        tcp_from(2000, 4, 0x40),
        tcp(5, 0x20),
        tcp_from(2000, 6, 0x40),
    ];
    let expected = [
        ("one-bit", 1),
        ("one-bit", 1),
        ("one-bit", 2),
        ("one-bit", 2),
        ("same-difference", 3),
        ("same-difference", 3),
    ];
    assert_eq!(judged(&packets), expected);
}

/// Each connection has one packet only.
#[test]
fn a_flow_has_a_row_over_its_connections() {
    let packets: Vec<_> = (1..=3).map(|n| tcp_from(2000 + n, n, 0x100)).collect();
    assert_eq!(words(&packets), ["one-bit", "one-bit", CARRY]);
}

#[test]
fn the_other_direction_is_another_flow() {
    let packets = [tcp(1, 0x20), tcp_back(2, 0x20), tcp(3, 0x20)];
    assert_eq!(words(&packets), ["one-bit", "one-bit", "one-bit"]);
    let packets: Vec<_> = (1..=3).map(|n| tcp_back(n, 0x20)).collect();
    assert_eq!(words(&packets), ["one-bit", "one-bit", "same-difference"]);
}

/// The field and the verdict of one bad packet.
fn bad(sequence: u16) -> (Field, Verdict) {
    #[derive(Default)]
    struct Last(Option<(Field, Verdict)>);
    impl Sink for Last {
        fn verdict(&mut self, _: &Frame<'_>, field: &Field, verdict: &Verdict) {
            self.0 = Some((field.clone(), *verdict));
        }
    }
    let mut last = Last::default();
    let data = tcp(sequence, 0x20);
    examine(&Frame::new(LinkType::ETHERNET, &data), &mut last);
    last.0.expect("a checksum")
}

fn judge(flows: &mut Flows, (field, mut verdict): (Field, Verdict)) -> Option<Cause> {
    flows.judge(&field, &mut verdict);
    verdict.cause()
}

#[test]
fn quoted_checksums_do_not_count() {
    let mut flows = Flows::default();
    for n in 1..=5 {
        let (mut field, verdict) = bad(n);
        field.quoted = true;
        assert_eq!(judge(&mut flows, (field, verdict)), Some(Cause::OneBit));
    }
    assert_eq!(judge(&mut flows, bad(6)), Some(Cause::OneBit));
}

/// Judges bad packets of no connection, one from each address.
fn others(flows: &mut Flows, addresses: Range<u32>) {
    let (mut field, verdict) = bad(1);
    field.ports = None;
    for source in addresses {
        field.addresses = Some(Addresses::V4 {
            source: Ipv4Addr::from(source),
            destination: Ipv4Addr::new(192, 0, 2, 2),
        });
        flows.judge(&field, &mut verdict.clone());
    }
}

/// Memory is bounded by forgetting flows that have been silent for long.
#[test]
fn a_flow_is_remembered_for_as_long_as_promised() {
    let portless = |n| {
        let (mut field, verdict) = bad(n);
        field.ports = None;
        (field, verdict)
    };
    for before in [0, 1, 16_384, 32_766, 32_767, 32_768] {
        for (between, expected) in [
            (32_767, Cause::SameDifference),
            (65_536, Cause::OneBit), // as many as are remembered
        ] {
            let mut flows = Flows::default();
            others(&mut flows, 0..before);
            assert_eq!(judge(&mut flows, portless(1)), Some(Cause::OneBit));
            assert_eq!(judge(&mut flows, portless(2)), Some(Cause::OneBit));
            others(&mut flows, before..before + between);
            let cause = judge(&mut flows, portless(3));
            assert_eq!(cause, Some(expected), "{before} before, {between} between");
        }
    }
}

/// A capture of many chunks: senders that are wrong by one amount each, senders of damaged packets,
/// and good packets.
fn many() -> Vec<u8> {
    let packets: Vec<_> = (0..6000_u32)
        .map(|n| {
            let sequence = (n % 40_000) as u16;
            let port = 1000 + (n % 7) as u16;
            let by = match (n / 500 % 3, n % 7) {
                (0, _) => 0,
                (_, 0) => 0x0100,
                (_, 1) => 1 << [3, 7, 0, 12, 9, 1, 15, 4, 4, 11][n as usize / 7 % 10],
                (1, 2) => 0x1234,
                (2, 3) => 0x4321,
                _ => 0,
            };
            tcp_from(port, sequence, by)
        })
        .collect();
    pcap(
        LinkType::ETHERNET,
        packets.iter().map(|data| (&data[..], data.len())),
    )
}

/// A reader that returns few bytes at a time, so that chunks are small.
struct Few<'a>(&'a [u8], usize);

impl Read for Few<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let most = self.1.min(buf.len());
        self.0.read(&mut buf[..most])
    }
}

#[test]
fn workers_and_chunks_do_not_matter() {
    let file = many();
    let (mut flows, mut alone) = (Flows::default(), Tcp::default());
    let mut capture = Capture::open(&file[..]).expect("a capture");
    while let Some(frame) = capture.next_frame().expect("a slice does not fail") {
        examine(&frame, &mut flows.sink(&mut alone));
    }
    let mut counts = BTreeMap::new();
    for (word, _) in &alone.0 {
        *counts.entry(*word).or_insert(0_u64) += 1;
    }
    assert_eq!(alone.0.len(), 6000);
    for word in ["good", "one-bit", "unknown", "same-difference", CARRY] {
        assert!(counts.get(word) >= Some(&4), "{counts:?}");
    }
    for workers in [1, 2, 3, 8] {
        for bytes in [100, 777, 5000, 100_000, usize::MAX] {
            let workers = NonZeroUsize::new(workers).expect("one at least");
            let mut capture = Capture::open(Few(&file, bytes)).expect("a capture");
            let mut both = (Tcp::default(), Tally::default());
            let reassembly = Some(Reassembly::default());
            examine_all(&mut capture, workers, reassembly, &mut both).expect("no failure");
            let about = format!("{workers} workers, {bytes} bytes");
            assert!(both.0.0 == alone.0, "{about}");
            let tallied: BTreeMap<_, _> = both
                .1
                .causes()
                .map(|(_, cause, n)| (cause.label(), n))
                .collect();
            let mut bad = counts.clone();
            bad.remove("good");
            assert_eq!(tallied, bad, "{about}");

            // Without outputs that need an order, nothing else waits.
            let mut capture = Capture::open(Few(&file, bytes)).expect("a capture");
            let mut tally = Tally::default();
            examine_all(&mut capture, workers, None, &mut tally).expect("no failure");
            let unordered: Vec<_> = tally.causes().collect();
            assert_eq!(unordered, both.1.causes().collect::<Vec<_>>(), "{about}");
        }
    }
}

/// After a repair of some of the packets in a row, the others may have another cause.
#[test]
fn repairs_of_parts_of_a_row_come_to_an_end() {
    let by = |n: u16| match n % 4 {
        0 => 0x20,
        _ => 0x1234,
    };
    let packets: Vec<_> = (1..40).map(|n| tcp_from(1000 + n % 4, n, by(n))).collect();
    let frames = packets.iter().map(|data| (&data[..], data.len()));
    let file = pcap(LinkType::ETHERNET, frames);
    let (_, repairs) = fixed(&file, 1, |key| key == "one-bit").expect("a capture");
    assert!(repairs.left().any(|(_, key, _)| key == "same-difference"));
    check_fix(&file, |key| key == "one-bit");
    check_fix(&file, |key| key == "unknown");
    check_fix(&file, |key| key == "same-difference");
    check_fix(&file, |_| true);
}

/// UDP from 192.0.2.1:5000 to 192.0.2.2:53 in two fragments. The checksum is wrong by 0x1234.
fn fragments(n: u16) -> [Vec<u8>; 2] {
    let ip = |fragment: u16, payload: &[u8]| {
        let mut data = tcp(1, 0)[..34].to_vec();
        data[16..18].copy_from_slice(&(20 + payload.len() as u16).to_be_bytes());
        data[18..20].copy_from_slice(&n.to_be_bytes());
        data[20..22].copy_from_slice(&fragment.to_be_bytes());
        data[23] = 17;
        data[24..26].fill(0);
        let sum = data[14..34].chunks(2).fold(0, |sum, pair| {
            let sum = sum + u32::from(u16::from_be_bytes([pair[0], pair[1]]));
            (sum & 0xffff) + (sum >> 16)
        });
        data[24..26].copy_from_slice(&(!sum as u16).to_be_bytes());
        data.extend(payload);
        data
    };
    // The pseudo-header is c000 + 0201 + c000 + 0202 + 0011 + 0018, which is 0x842d with its carry.
    let sum = 0x842d + 0x1388 + 0x0035 + 0x0018 + u32::from(n);
    let checksum = (0xffff - sum + 0x1234) as u16;
    let mut udp = [0x13, 0x88, 0x00, 0x35, 0x00, 0x18, 0, 0].to_vec();
    udp[6..].copy_from_slice(&checksum.to_be_bytes());
    let mut rest = n.to_be_bytes().to_vec();
    rest.resize(16, 0);
    [ip(0x2000, &udp), ip(0x0001, &rest)]
}

/// A datagram in fragments is in the row where its last fragment comes.
#[test]
fn datagrams_in_fragments_are_in_the_row() {
    let mut packets: Vec<_> = (1..=200).map(fragments).collect();
    packets[0].swap(0, 1);
    let packets = packets.into_flattened();
    let frames = packets.iter().map(|data| (&data[..], data.len()));
    let file = pcap(LinkType::ETHERNET, frames);
    for workers in [1, 3] {
        for bytes in [100, usize::MAX] {
            let mut capture = Capture::open(Few(&file, bytes)).expect("a capture");
            let mut tally = Tally::default();
            let workers = NonZeroUsize::new(workers).expect("one at least");
            let reassembly = Some(Reassembly::default());
            examine_all(&mut capture, workers, reassembly, &mut tally).expect("no failure");
            let causes: Vec<_> = tally
                .causes()
                .map(|(_, cause, n)| (cause.key(), n))
                .collect();
            assert_eq!(causes, [("same-difference", 198), ("unknown", 2)]);
        }
        let (_, repairs) = fixed(&file, workers, |_| true).expect("a capture");
        let repaired: Vec<_> = repairs.repaired().map(|(_, key, n)| (key, n)).collect();
        assert_eq!(repaired, [("same-difference", 198), ("unknown", 2)]);
    }
}

/// `fix` repairs the checksums that have the cause in the other outputs, and no others.
#[test]
fn fix_follows_the_causes_of_the_flow() {
    let file = many();
    let mut capture = Capture::open(&file[..]).expect("a capture");
    let mut tally = Tally::default();
    examine_all(&mut capture, NonZeroUsize::MIN, None, &mut tally).expect("no failure");
    let mut causes = BTreeMap::new();
    for (_, cause, n) in tally.causes() {
        *causes.entry(cause.key()).or_insert(0) += n;
    }
    type Wanted = fn(&str) -> bool;
    let wanted: [(&str, Wanted); 3] = [
        ("one-bit", |key| key == "one-bit"),
        ("same-difference", |key| key == "same-difference"),
        ("all", |_| true),
    ];
    for (which, wanted) in wanted {
        let (one, _) = fixed(&file, 1, wanted).expect("a capture");
        for workers in [1, 2, 8] {
            let (out, repairs) = fixed(&file, workers, wanted).expect("a capture");
            let repaired: BTreeMap<_, _> = repairs.repaired().map(|(_, key, n)| (key, n)).collect();
            let left: BTreeMap<_, _> = repairs.left().map(|(_, key, n)| (key, n)).collect();
            for (&key, &n) in &causes {
                let (here, there) = match wanted(key) {
                    true => (&repaired, &left),
                    false => (&left, &repaired),
                };
                assert_eq!(here.get(key), Some(&n), "{which}: {key}");
                assert_eq!(there.get(key), None, "{which}: {key}");
            }
            assert!(out.file == one.file, "{which}, {workers} workers");
        }
    }
}
