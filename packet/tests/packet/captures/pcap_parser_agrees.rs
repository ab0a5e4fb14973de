// SPDX-License-Identifier: MIT OR Apache-2.0
//! The packets of a capture are those that `pcap-parser` reads.

use pcap_parser::traits::PcapNGPacketBlock;
use pcap_parser::{Block, PcapBlockOwned, PcapError, create_reader};
use wiresum_packet::{Capture, Timestamp};

use super::writing::BOTH;
use crate::common;

/// What `pcap-parser` reads of a packet: the link type, the time, the length on the wire and the
/// data.
type Packet = (u32, Option<(i64, u32)>, u32, Vec<u8>);

fn by_pcap_parser(file: &[u8]) -> Vec<Packet> {
    let mut reader = create_reader(1 << 20, file).expect("pcap-parser opens it");
    let (mut packets, mut interfaces) = (Vec::new(), Vec::new());
    let (mut link_type, mut nanoseconds) = (0, 1000);
    loop {
        match reader.next() {
            Ok((len, block)) => {
                match block {
                    PcapBlockOwned::LegacyHeader(header) => {
                        link_type = header.network.0 as u32;
                        nanoseconds = if header.is_nanosecond_precision() {
                            1
                        } else {
                            1000
                        };
                    }
                    PcapBlockOwned::Legacy(packet) => {
                        let time = (i64::from(packet.ts_sec), packet.ts_usec * nanoseconds);
                        let data = packet.data.to_vec();
                        packets.push((link_type, Some(time), packet.origlen, data));
                    }
                    PcapBlockOwned::NG(Block::SectionHeader(_)) => interfaces.clear(),
                    PcapBlockOwned::NG(Block::InterfaceDescription(interface)) => {
                        let per_second = interface.ts_resolution().expect("a power of ten");
                        interfaces.push((
                            interface.linktype.0 as u32,
                            per_second,
                            interface.if_tsoffset,
                        ));
                    }
                    PcapBlockOwned::NG(Block::EnhancedPacket(packet)) => {
                        let (link_type, per_second, offset) = interfaces[packet.if_id as usize];
                        let ticks = u64::from(packet.ts_high) << 32 | u64::from(packet.ts_low);
                        let part =
                            u128::from(ticks % per_second) * 1_000_000_000 / u128::from(per_second);
                        let time = ((ticks / per_second) as i64 + offset, part as u32);
                        let data = packet.packet_data().to_vec();
                        packets.push((link_type, Some(time), packet.origlen, data));
                    }
                    PcapBlockOwned::NG(Block::SimplePacket(packet)) => {
                        let data = packet.packet_data().to_vec();
                        packets.push((interfaces[0].0, None, packet.origlen, data));
                    }
                    PcapBlockOwned::NG(_) => {}
                }
                reader.consume(len);
            }
            Err(PcapError::Eof) => return packets,
            Err(PcapError::Incomplete(_)) => reader.refill().expect("pcap-parser reads on"),
            Err(error) => panic!("pcap-parser: {error}"),
        }
    }
}

/// Returns a file of each format, with packets of all small lengths and of some large ones, and
/// options of all kinds.
fn files_of_many_packets() -> Vec<Vec<u8>> {
    let mut random = common::Random::from_environment();
    let mut packets: Vec<Vec<u8>> = (0..200).map(|len| vec![len as u8; len]).collect();
    packets.extend((0..20).map(|byte| vec![byte; random.below(100_000)]));
    let mut files = Vec::new();
    for order in BOTH {
        for magic in [0xa1b2_c3d4, 0xa1b2_3c4d] {
            let mut file = order.pcap(magic, 1);
            for data in &packets {
                let fraction = random.below(1_000_000) as u32;
                let len = data.len() as u32;
                file.extend(order.words(&[random.below(1 << 32) as u32, fraction, len, len + 7]));
                file.extend(data);
            }
            files.push(file);
        }
        let end = order.option(0, &[]);
        let offset = order.option(14, &[0; 8]);
        let nanoseconds = [&order.option(9, &[9])[..], &offset, &end].concat();
        let comment = order.option(1, b"a comment of some length");
        let flags = order.option(2, &order.u32(0x202));
        let options = [
            vec![],
            [&comment[..], &flags, &end].concat(),
            [flags, end].concat(),
        ];
        let mut file = order.pcapng();
        file.extend(order.interface(113, 0, &nanoseconds));
        for data in &packets {
            let ticks = random.below(1 << 60) as u64;
            let wire = (data.len() + random.below(9)) as u32;
            let options = &options[random.below(options.len())];
            file.extend(order.enhanced(random.below(2) as u32, ticks, data, wire, options));
            file.extend(order.block(3, &[&order.u32(data.len() as u32)[..], data].concat()));
            file.extend(order.block(5, b"statistics"));
        }
        files.push(file);
    }
    files
}

/// This crate parses the packet blocks of pcapng itself. `pcap-parser` must read the same from
/// them, and from the blocks around them.
#[test]
fn pcap_parser_reads_the_same() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    let paths = std::fs::read_dir(folder).expect("examples");
    let mut files: Vec<_> = paths
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|form| form == "pcap" || form == "pcapng")
        })
        .map(|path| std::fs::read(path).expect("an example"))
        .collect();
    assert!(files.len() > 10);
    files.extend(files_of_many_packets());
    for file in files {
        let mut capture = Capture::open(&file[..]).expect("a capture");
        let mut packets = by_pcap_parser(&file).into_iter();
        while let Some(frame) = capture.next_frame().expect("a frame") {
            let theirs = packets.next().expect("pcap-parser has as many");
            let time = frame.time.map(Timestamp::unix);
            assert_eq!((frame.link_type.0, time), (theirs.0, theirs.1));
            assert_eq!(frame.original_len, theirs.3.len().max(theirs.2 as usize));
            assert_eq!(frame.data, theirs.3);
        }
        assert_eq!(packets.next(), None);
        assert!(capture.malformed().is_empty());
    }
}
