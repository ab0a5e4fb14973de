// SPDX-License-Identifier: MIT OR Apache-2.0
//! Capture files, written by hand: what a reader gets from each format for the same two frames, and
//! from damaged files.

mod common;

use std::io::{self, Read};

use pcap_parser::traits::PcapNGPacketBlock;
use pcap_parser::{Block, PcapBlockOwned, PcapError, create_reader};
use wiresum_packet::{Capture, Chunk, Compression, Frame, LinkType, OpenError, Timestamp};

/// Returns what a capture is read as: one line for each frame, then one for each kind of malformed
/// record.
fn read(file: &[u8]) -> Vec<String> {
    // A reader that returns few bytes at a time, and is interrupted, must make no difference.
    let whole = read_from(file, file);
    assert_eq!(
        read_from(
            file,
            Drip {
                rest: file,
                turn: 0
            }
        ),
        whole
    );
    assert_eq!(read_chunks(file, file), whole);
    let drip = Drip {
        rest: file,
        turn: 0,
    };
    assert_eq!(read_chunks(file, drip), whole);
    whole
}

/// Returns the same, read chunk by chunk. The chunks together must be the file.
fn read_chunks(file: &[u8], reader: impl Read) -> Vec<String> {
    let mut capture = match Capture::open(reader) {
        Ok(capture) => capture,
        Err(error) => return vec![format!("refused: {error}")],
    };
    let (mut lines, mut bytes, mut chunk) = (Vec::new(), Vec::new(), Chunk::default());
    while capture
        .next_chunk(&mut chunk)
        .expect("no error of the reader")
    {
        assert_eq!(chunk.offset(), bytes.len() as u64);
        bytes.extend(chunk.bytes());
        lines.extend(chunk.frames().map(|frame| line(file, &frame)));
    }
    assert!(chunk.is_empty() && chunk.bytes().is_empty());
    for (what, n) in capture.malformed() {
        lines.push(format!("{n} malformed: {what}"));
    }
    capture
        .into_rest()
        .read_to_end(&mut bytes)
        .expect("no error of the reader");
    assert!(bytes == file, "the chunks and the rest are not the file");
    lines
}

fn read_from(file: &[u8], reader: impl Read) -> Vec<String> {
    let mut capture = match Capture::open(reader) {
        Ok(capture) => capture,
        Err(error) => return vec![format!("refused: {error}")],
    };
    let mut lines = Vec::new();
    while let Some(frame) = capture.next_frame().expect("no error of the reader") {
        lines.push(line(file, &frame));
    }
    assert!(
        capture.next_frame().expect("no error").is_none(),
        "the end stays the end"
    );
    for (what, n) in capture.malformed() {
        lines.push(format!("{n} malformed: {what}"));
    }
    lines
}

/// Returns a frame in words. Its bytes must lie where the frame says.
fn line(file: &[u8], frame: &Frame<'_>) -> String {
    let at = frame.place(0).position.expect("it is from a file") as usize;
    assert_eq!(&file[at..at + frame.data.len()], frame.data);
    let time = match frame.time.map(|time| time.unix()) {
        Some((seconds, nanoseconds)) => format!("{seconds}.{nanoseconds:09}"),
        None => "no time".to_owned(),
    };
    let mut line = format!(
        "{} at {time}, {}: {} of {}",
        frame.number,
        frame.link_type,
        String::from_utf8_lossy(frame.data),
        frame.original_len
    );
    if let Some(flags) = frame.flags {
        let bytes = file[flags.position as usize..][..4]
            .try_into()
            .expect("four");
        let value = if flags.big_endian {
            u32::from_be_bytes(bytes)
        } else {
            u32::from_le_bytes(bytes)
        };
        assert_eq!(value, flags.value);
        line += &format!(", flags {value:#x}");
    }
    line
}

/// Reads 1, 2, 3, 1 … bytes, and is interrupted in between.
struct Drip<'a> {
    rest: &'a [u8],
    turn: usize,
}

impl Read for Drip<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        if self.turn.is_multiple_of(4) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n = (self.turn % 4).min(buf.len());
        self.rest.read(&mut buf[..n])
    }
}

/// The byte order of a number.
#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

impl Order {
    fn u16(self, value: u16) -> [u8; 2] {
        match self {
            Order::Little => value.to_le_bytes(),
            Order::Big => value.to_be_bytes(),
        }
    }

    fn u32(self, value: u32) -> [u8; 4] {
        match self {
            Order::Little => value.to_le_bytes(),
            Order::Big => value.to_be_bytes(),
        }
    }

    fn words(self, words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|&word| self.u32(word)).collect()
    }

    /// Returns a pcap of two frames: "one", whole, and "twofold", of which "two" was captured.
    fn pcap(self, magic: u32, link_type: u32) -> Vec<u8> {
        let mut file = self.words(&[magic]);
        file.extend(self.u16(2));
        file.extend(self.u16(4));
        file.extend(self.words(&[0, 0, 65535, link_type]));
        file.extend(self.words(&[1_000_000_000, 999_999, 3, 3]));
        file.extend(b"one");
        file.extend(self.words(&[1_000_000_001, 1, 3, 7]));
        file.extend(b"two");
        file
    }

    /// Returns a pcapng block.
    fn block(self, kind: u32, body: &[u8]) -> Vec<u8> {
        let padded = body.len().next_multiple_of(4);
        let len = self.u32(padded as u32 + 12);
        let mut block = self.u32(kind).to_vec();
        block.extend(len);
        block.extend(body);
        block.resize(8 + padded, 0);
        block.extend(len);
        block
    }

    fn section(self) -> Vec<u8> {
        let mut body = self.words(&[0x1a2b_3c4d]);
        body.extend(self.u16(1));
        body.extend(self.u16(0));
        body.extend([0xff; 8]);
        self.block(0x0a0d_0d0a, &body)
    }

    fn interface(self, link_type: u16, snap_len: u32, options: &[u8]) -> Vec<u8> {
        let mut body = self.u16(link_type).to_vec();
        body.extend([0, 0]);
        body.extend(self.u32(snap_len));
        body.extend(options);
        self.block(1, &body)
    }

    fn option(self, code: u16, value: &[u8]) -> Vec<u8> {
        let mut option = self.u16(code).to_vec();
        option.extend(self.u16(value.len() as u16));
        option.extend(value);
        option.resize(option.len().next_multiple_of(4), 0);
        option
    }

    fn enhanced(
        self,
        interface: u32,
        ticks: u64,
        data: &[u8],
        wire: u32,
        options: &[u8],
    ) -> Vec<u8> {
        let (high, low) = ((ticks >> 32) as u32, ticks as u32);
        let mut body = self.words(&[interface, high, low, data.len() as u32, wire]);
        body.extend(data);
        body.resize(body.len().next_multiple_of(4), 0);
        body.extend(options);
        self.block(6, &body)
    }

    /// Returns a section with one Ethernet interface.
    fn pcapng(self) -> Vec<u8> {
        [self.section(), self.interface(1, 0, &[])].concat()
    }
}

const BOTH: [Order; 2] = [Order::Little, Order::Big];

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

#[test]
fn pcap_of_both_orders_and_both_precisions() {
    for order in BOTH {
        assert_eq!(
            read(&order.pcap(0xa1b2_c3d4, 1)),
            [
                "1 at 1000000000.999999000, link type 1: one of 3",
                "2 at 1000000001.000001000, link type 1: two of 7",
            ]
        );
        assert_eq!(
            read(&order.pcap(0xa1b2_3c4d, 101)),
            [
                "1 at 1000000000.000999999, link type 101: one of 3",
                "2 at 1000000001.000000001, link type 101: two of 7",
            ]
        );
    }
}

#[test]
fn pcap_that_tells_of_a_frame_check_sequence() {
    let file = Order::Little.pcap(0xa1b2_c3d4, 0x1400_0001);
    assert_eq!(
        read(&file)[0],
        "1 at 1000000000.999999000, link type 1: one of 3"
    );
}

#[test]
fn pcap_whose_record_claims_more_than_was_on_the_wire() {
    let mut file = Order::Little.pcap(0xa1b2_c3d4, 1);
    file[36..40].copy_from_slice(&1_u32.to_le_bytes());
    assert_eq!(
        read(&file)[0],
        "1 at 1000000000.999999000, link type 1: one of 3"
    );
}

#[test]
fn pcap_with_a_truncated_record() {
    let file = Order::Little.pcap(0xa1b2_c3d4, 1);
    let first = "1 at 1000000000.999999000, link type 1: one of 3";
    for len in 44..file.len() {
        assert_eq!(
            read(&file[..len]),
            [first, "1 malformed: truncated record"],
            "{len}"
        );
    }
    assert_eq!(read(&file[..43]), [first]);
    assert_eq!(read(&file[..24]), [""; 0]);
}

#[test]
fn pcap_with_a_length_that_lies() {
    let mut file = Order::Big.pcap(0xa1b2_c3d4, 1);
    file[51..55].copy_from_slice(&[0x7f, 0xff, 0xff, 0xff]);
    assert_eq!(
        read(&file),
        [
            "1 at 1000000000.999999000, link type 1: one of 3",
            "1 malformed: record length over 16 MiB"
        ]
    );
}

#[test]
fn what_is_no_capture() {
    let refused = |file: &[u8]| read(file).concat();
    assert_eq!(refused(b""), "refused: the file is empty");
    assert_eq!(
        refused(b"\xd4\xc3\xb2\xa1\x02\x00"),
        "refused: the file ends within its own header"
    );
    assert_eq!(
        refused(b"hello, world; this is a text"),
        "refused: not a pcap, pcapng or snoop capture"
    );
    assert_eq!(
        refused(b"snoop\0\0\0\0\0\0\x01\0\0\0\x04 and so on, compressed"),
        "refused: a snoop capture of version 1; only version 2 is known"
    );
    assert!(matches!(
        Capture::open(&b"\x1f\x8b\x08\x00 and so on, not compressed"[..]),
        Err(OpenError::Compressed(Compression::Gzip, _))
    ));
}

/// Returns a snoop file of the same two frames.
fn snoop(datalink: u32) -> Vec<u8> {
    let big = Order::Big;
    let mut file = b"snoop\0\0\0".to_vec();
    file.extend(big.words(&[2, datalink]));
    file.extend(big.words(&[3, 3, 28, 0, 1_000_000_000, 999_999]));
    file.extend(b"one\0");
    file.extend(big.words(&[7, 3, 28, 5, 1_000_000_001, 1]));
    file.extend(b"two\0");
    file
}

#[test]
fn snoop_and_its_damages() {
    let first = "1 at 1000000000.999999000, link type 1: one of 3";
    let whole = snoop(4);
    assert_eq!(
        read(&whole),
        [first, "2 at 1000000001.000001000, link type 1: two of 7"]
    );
    assert_eq!(
        read(&snoop(26))[0],
        "1 at 1000000000.999999000, snoop datalink type 26: one of 3"
    );
    for len in 45..whole.len() {
        assert_eq!(
            read(&whole[..len]),
            [first, "1 malformed: truncated record"],
            "{len}"
        );
    }
    for (len, what) in [
        (26, "impossible record length"),
        (17 << 20, "record length over 16 MiB"),
    ] {
        let mut file = whole.clone();
        file[44 + 8..44 + 12].copy_from_slice(&u32::to_be_bytes(len));
        assert_eq!(
            read(&file),
            [first.to_owned(), format!("1 malformed: {what}")]
        );
    }
}

const COMPRESSIONS: [Compression; 4] = [
    Compression::Gzip,
    Compression::Zstd,
    Compression::Lz4,
    Compression::Xz,
];

fn compressed(by: Compression, mut file: &[u8]) -> Vec<u8> {
    let mut compressed = Vec::new();
    by.compress(&mut file, &mut compressed)
        .expect("a vector takes all");
    assert_eq!(Compression::of(&compressed), Some(by));
    compressed
}

/// Each format, in one piece and in two pieces (members, frames, streams) one after the other.
#[test]
fn compressed_captures() {
    let file = Order::Little.pcap(0xa1b2_c3d4, 1);
    let expected = read(&file);
    for by in COMPRESSIONS {
        let one = compressed(by, &file);
        let two = [compressed(by, &file[..50]), compressed(by, &file[50..])].concat();
        for packed in [one, two] {
            assert_eq!(read_from(&file, &packed[..]), expected, "{by}");
            assert_eq!(read_chunks(&file, &packed[..]), expected, "{by}");
        }
    }
}

/// The frames before the damage are read, and a decompressed stream is bounded like a file.
#[test]
fn compressed_captures_that_are_damaged() {
    let mut file = Order::Little.pcap(0xa1b2_c3d4, 1);
    let mut random = common::Random::from_environment();
    for _ in 0..40_000 {
        file.extend(Order::Little.words(&[0, 0, 8, 8]));
        file.extend((0..8).map(|_| random.below(256) as u8));
    }
    for by in COMPRESSIONS {
        // because one lz4 block would hold all of the file
        let (head, tail) = file.split_at(file.len() / 2);
        let packed = [compressed(by, head), compressed(by, tail)].concat();
        let cut = &packed[..packed.len() * 3 / 4];
        let lines = read_from(&file, cut);
        assert!(lines.len() > 10_000, "{by}: {}", lines.len());
        assert_eq!(lines[0], "1 at 1000000000.999999000, link type 1: one of 3");
        let malformed: Vec<_> = lines
            .iter()
            .filter(|line| line.contains("malformed"))
            .collect();
        assert!(
            malformed
                .iter()
                .any(|line| *line == "1 malformed: damaged compressed data"),
            "{by}: {malformed:?}"
        );
    }
}

/// A failure of the reader is no damage of the data.
#[test]
fn compressed_captures_whose_reader_fails() {
    struct Fail;
    impl Read for Fail {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("unplugged"))
        }
    }
    let file = Order::Little.pcap(0xa1b2_c3d4, 1);
    for by in COMPRESSIONS {
        let packed = compressed(by, &file);
        let failing = packed[..packed.len() / 2].chain(Fail);
        let error = match Capture::open(failing) {
            Ok(mut capture) => loop {
                match capture.next_frame() {
                    Ok(Some(_)) => {}
                    Ok(None) => panic!("{by}: no error"),
                    Err(error) => break error,
                }
            },
            Err(OpenError::Io(error)) => error,
            Err(error) => panic!("{by}: {error}"),
        };
        assert_eq!(error.to_string(), "unplugged", "{by}");
    }
}

/// Zeros, which compress a thousandfold, as one record that is too long: no byte of the record is
/// kept.
#[test]
fn a_compressed_bomb() {
    let head = &Order::Little.pcap(0xa1b2_c3d4, 1)[..24];
    let record = Order::Little.words(&[0, 0, 0x7fff_ffff, 0x7fff_ffff]);
    for by in COMPRESSIONS {
        let mut packed = Vec::new();
        let mut bomb = head.chain(&record[..]).chain(io::repeat(0).take(8 << 20));
        by.compress(&mut bomb, &mut packed)
            .expect("a vector takes all");
        let mut capture = Capture::open(&packed[..]).expect("a capture");
        assert!(capture.next_frame().expect("no failure").is_none());
        assert_eq!(
            capture.malformed().get("record length over 16 MiB"),
            Some(&1)
        );
    }
}

#[test]
fn pcapng_of_both_orders() {
    for order in BOTH {
        let nanoseconds = [order.option(9, &[9]), order.option(0, &[])].concat();
        let binary = [order.option(9, &[0x80 | 10]), order.option(0, &[])].concat();
        let file = [
            order.section(),
            order.interface(1, 0, &[]),
            order.interface(113, 0, &nanoseconds),
            order.interface(101, 4, &binary),
            order.enhanced(0, 1_000_000_000_999_999, b"one", 3, &[]),
            order.block(5, b"statistics, which do not matter"),
            order.enhanced(
                1,
                1_000_000_001_000_000_001,
                b"two",
                7,
                &order.option(0, &[]),
            ),
            order.enhanced(
                2,
                5 * 1024 + 512,
                b"three",
                5,
                &order.option(1, b"a comment"),
            ),
            order.block(3, &[&order.u32(6)[..], b"simple"].concat()),
        ]
        .concat();
        assert_eq!(
            read(&file),
            [
                "1 at 1000000000.999999000, link type 1: one of 3",
                "2 at 1000000001.000000001, link type 113: two of 7",
                "3 at 5.500000000, link type 101: three of 5",
                "4 at no time, link type 1: simple of 6",
            ]
        );
    }
}

/// epb_flags stands among other options. Options that make no sense cost the flags, not the packet.
#[test]
fn pcapng_flags() {
    for order in BOTH {
        let flags = order.option(2, &order.u32(0x202));
        let packet = |options: &[&[u8]]| order.enhanced(0, 0, b"one", 3, &options.concat());
        let file = [
            order.pcapng(),
            packet(&[&flags]),
            packet(&[
                &order.option(1, b"a comment"),
                &flags,
                &order.option(0, &[]),
            ]),
            packet(&[&order.option(0, &[]), &flags]),
            packet(&[&order.option(2, b"three")]),
            packet(&[&order.u16(1), &order.u16(400), &flags]),
        ]
        .concat();
        let plain = "at 0.000000000, link type 1: one of 3";
        assert_eq!(
            read(&file),
            [
                format!("1 {plain}, flags 0x202"),
                format!("2 {plain}, flags 0x202"),
                format!("3 {plain}"),
                format!("4 {plain}"),
                format!("5 {plain}"),
            ]
        );
    }
}

#[test]
fn pcapng_packet_blocks_of_old() {
    for order in BOTH {
        let mut body = order.u16(0).to_vec();
        body.extend(order.u16(0xffff));
        body.extend(order.words(&[0, 1_500_000, 3, 9]));
        body.extend(b"old\0");
        let file = [order.pcapng(), order.block(2, &body)].concat();
        assert_eq!(read(&file), ["1 at 1.500000000, link type 1: old of 9"]);
    }
}

#[test]
fn pcapng_simple_packet_that_the_interface_snaps() {
    let order = Order::Little;
    let file = [
        order.section(),
        order.interface(1, 3, &[]),
        order.block(3, &[&order.u32(6)[..], b"sim"].concat()),
    ]
    .concat();
    assert_eq!(read(&file), ["1 at no time, link type 1: sim of 6"]);
}

#[test]
fn pcapng_sections_of_different_orders() {
    let file = [
        Order::Little.pcapng(),
        Order::Little.enhanced(0, 0, b"one", 3, &[]),
        Order::Big.section(),
        Order::Big.interface(101, 0, &[]),
        Order::Big.enhanced(0, 0, b"two", 3, &[]),
    ]
    .concat();
    assert_eq!(
        read(&file),
        [
            "1 at 0.000000000, link type 1: one of 3",
            "2 at 0.000000000, link type 101: two of 3",
        ]
    );
}

/// A damaged block is skipped, and only that block.
#[test]
fn pcapng_blocks_that_are_damaged() {
    let order = Order::Little;
    let next = order.enhanced(0, 0, b"next", 4, &[]);
    let read_with = |damaged: Vec<u8>| read(&[order.pcapng(), damaged, next.clone()].concat());
    let good = "1 at 0.000000000, link type 1: next of 4";

    assert_eq!(
        read_with(order.enhanced(7, 0, b"lost", 4, &[])),
        [good, "1 malformed: packet of an unknown interface"]
    );
    let mut differing = order.enhanced(0, 0, b"lost", 4, &[]);
    *differing.last_mut().expect("a byte") = 1;
    assert_eq!(
        read_with(differing),
        [good, "1 malformed: block lengths that differ"]
    );
    let mut overlong = order.enhanced(0, 0, b"lost", 4, &[]);
    overlong[20] = 200; // the captured length
    assert_eq!(
        read_with(overlong),
        [good, "1 malformed: unreadable packet block"]
    );
    assert_eq!(
        read_with(order.block(6, b"tiny")),
        [good, "1 malformed: unreadable packet block"]
    );
    assert_eq!(
        read_with(order.block(3, b"")),
        [good, "1 malformed: unreadable packet block"]
    );
    assert_eq!(
        read_with(order.block(2, b"tiny")),
        [good, "1 malformed: unreadable packet block"]
    );
    // An unreadable interface keeps its number, so that the next interface does not get that
    // number.
    let interfaces = [order.block(1, b"tiny"), order.interface(101, 0, &[])].concat();
    assert_eq!(
        read_with([interfaces, order.enhanced(2, 0, b"raw", 3, &[])].concat()),
        [
            "1 at 0.000000000, link type 101: raw of 3",
            "2 at 0.000000000, link type 1: next of 4",
            "1 malformed: unreadable interface block"
        ]
    );
}

#[test]
fn pcapng_lengths_that_lie() {
    let order = Order::Little;
    let first = order.enhanced(0, 0, b"one", 3, &[]);
    let good = "1 at 0.000000000, link type 1: one of 3";
    let read_with = |words: &[u32]| {
        read(
            &[
                order.pcapng(),
                first.clone(),
                order.words(words),
                vec![0; 64],
            ]
            .concat(),
        )
    };
    assert_eq!(
        read_with(&[6, 8, 0, 0]),
        [good, "1 malformed: impossible block length"]
    );
    assert_eq!(
        read_with(&[6, 0, 0, 0]),
        [good, "1 malformed: impossible block length"]
    );
    assert_eq!(
        read_with(&[6, 33, 0, 0]),
        [good, "1 malformed: impossible block length"]
    );
    assert_eq!(
        read_with(&[6, 4096, 0, 0]),
        [good, "1 malformed: truncated block"]
    );
    assert_eq!(
        read_with(&[6, 0xffff_fffc, 0, 0]),
        [good, "1 malformed: block length over 16 MiB"]
    );
    assert_eq!(
        read_with(&[0x0a0d_0d0a, 28, 0, 0]),
        [good, "1 malformed: section of unknown byte order"]
    );
}

/// A block that is too long to keep is skipped without being kept.
#[test]
fn pcapng_block_over_the_bound() {
    let order = Order::Little;
    let len = 17 << 20;
    let head = [order.pcapng(), order.words(&[0xbad, len])].concat();
    let next = [order.words(&[len]), order.enhanced(0, 0, b"next", 4, &[])].concat();
    let gap = u64::from(len) - 12;
    let file = head.chain(io::repeat(0).take(gap)).chain(&next[..]);
    let bytes = [&head[..], &vec![0; gap as usize], &next].concat();
    assert_eq!(
        read_from(&bytes, file),
        [
            "1 at 0.000000000, link type 1: next of 4",
            "1 malformed: block length over 16 MiB"
        ]
    );
}

#[test]
fn a_reader_that_fails_is_an_error() {
    struct Fails;
    impl Read for Fails {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("the disk is on fire"))
        }
    }
    let file = common::pcap(LinkType::RAW, [(&b"frame"[..], 5)]);
    let mut capture = Capture::open((&file[..]).chain(Fails)).expect("a capture");
    assert!(capture.next_frame().expect("a frame").is_some());
    assert_eq!(
        capture.next_frame().expect_err("an error").to_string(),
        "the disk is on fire"
    );
    assert!(matches!(Capture::open(Fails), Err(OpenError::Io(_))));
}

/// A frame tells where in the file its bytes lie, also behind blocks of other kinds, and where the
/// buffer has moved on.
#[test]
fn a_frame_knows_its_place_in_the_file() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples");
    for name in ["office.pcapng", "tso.pcap", "big-tcp.pcap"] {
        let mut file = std::fs::read(folder.join(name)).expect("an example");
        if name.ends_with(".pcap") {
            // the records again and again, so that the file exceeds one read
            file.extend(file[24..].repeat(9));
        }
        let mut capture = Capture::open(&file[..]).expect("a capture");
        let mut frames = 0;
        while let Some(frame) = capture.next_frame().expect("a frame") {
            let place = frame.place(3);
            let position = place.position.expect("it is from a file") as usize;
            assert_eq!(file[position..][..frame.data.len() - 3], frame.data[3..]);
            assert_eq!((place.frame, place.offset), (frame.number, 3));
            frames += 1;
        }
        assert!(frames > 30, "{name} has {frames} frames");
    }
}
