// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests each function that a vector of `spec/vectors.json` is about, on every kernel that this CPU
//! supports.

use serde_json::Value;
use wiresum::kernel::{self, SupportedKernel};
use wiresum::packet::{self, Judgment, Refusal};
use wiresum::{Checksum, Stream, Sum, icmp, icmpv6, ipv4, pseudo, tcp, udp, udplite};

/// A vector. A failure prints its name.
struct Vector<'a> {
    fields: &'a Value,
    context: String,
}

impl Vector<'_> {
    fn get(&self, key: &str) -> &Value {
        self.fields
            .get(key)
            .unwrap_or_else(|| panic!("{}: there is no {key}", self.context))
    }

    fn number(&self, key: &str) -> u64 {
        self.get(key)
            .as_u64()
            .unwrap_or_else(|| panic!("{}: {key} is no number", self.context))
    }

    fn text(&self, key: &str) -> &str {
        self.get(key)
            .as_str()
            .unwrap_or_else(|| panic!("{}: {key} is no text", self.context))
    }

    /// Returns the number of a member such as "0x1c46".
    fn word(&self, key: &str) -> u16 {
        word(self.get(key))
    }

    fn sum(&self, key: &str) -> Sum {
        Sum::from_value(self.word(key))
    }

    fn flag(&self, key: &str) -> bool {
        self.get(key).as_bool().expect("true or false")
    }

    /// Returns the lengths and the sums of an array of pieces.
    fn pieces(&self, key: &str) -> Vec<(usize, Sum)> {
        let pieces = self.get(key).as_array().expect("a list").iter();
        let piece = |piece: &Value| {
            let len = piece["length"].as_u64().expect("a length") as usize;
            (len, Sum::from_value(word(&piece["sum"])))
        };
        pieces.map(piece).collect()
    }

    fn checksum(&self, key: &str) -> Checksum {
        Checksum::from_value(self.word(key))
    }

    fn hex<const N: usize>(&self, key: &str) -> [u8; N] {
        unhex(self.text(key))
            .try_into()
            .unwrap_or_else(|_| panic!("{}: {key} has not {N} bytes", self.context))
    }

    /// Returns the parts of a recipe: each is a pattern, and the length to which it is repeated.
    fn parts(&self, key: &str) -> Vec<(Vec<u8>, u64)> {
        let parts = self
            .get(key)
            .as_array()
            .unwrap_or_else(|| panic!("{}: {key} is no list", self.context));
        let part = |part: &Value| match (&part["hex"], &part["repeat"]) {
            (Value::String(hex), Value::Null) => (unhex(hex), hex.len() as u64 / 2),
            (Value::Null, Value::String(hex)) => {
                (unhex(hex), part["length"].as_u64().expect("a length"))
            }
            _ => panic!("{}: no such part of {key}: {part}", self.context),
        };
        parts.iter().map(part).collect()
    }

    /// Returns the bytes of a recipe.
    fn bytes(&self, key: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (pattern, len) in self.parts(key) {
            bytes.extend(pattern.iter().cycle().take(len as usize));
        }
        bytes
    }

    #[track_caller]
    fn same<T: PartialEq + std::fmt::Debug>(&self, form: &str, found: T, expected: T) {
        assert_eq!(found, expected, "{}, by {form}", self.context);
    }
}

fn word(value: &Value) -> u16 {
    let text = value
        .as_str()
        .and_then(|text| text.strip_prefix("0x"))
        .expect("a number such as 0x1c46");
    u16::from_str_radix(text, 16).expect("a number such as 0x1c46")
}

fn unhex(text: &str) -> Vec<u8> {
    let digits: Vec<u8> = text
        .chars()
        .map(|digit| digit.to_digit(16).expect("a hexadecimal digit") as u8)
        .collect();
    digits
        .chunks(2)
        .map(|pair| pair[0] << 4 | pair[1])
        .collect()
}

fn sum(vector: &Vector, kernel: SupportedKernel) {
    let (expected, checksum) = (vector.sum("sum"), vector.checksum("checksum"));
    if vector.fields["huge"] == true {
        return huge(vector, expected);
    }
    let data = vector.bytes("data");
    vector.same("sum", wiresum::sum(&data), expected);
    vector.same("the kernel's sum", kernel.sum(&data), expected);
    vector.same("checksum", wiresum::checksum(&data), checksum);
    vector.same("Sum::checksum", expected.checksum(), checksum);
    vector.same("Checksum::sum", checksum.sum(), expected);
    vector.same("ok", wiresum::ok(&data), expected.value() == 0xffff);

    // The source is unaligned. The bytes on both sides of the destination must not change.
    let source = [&[0xa5], &data[..]].concat();
    for (form, copy) in [
        ("copy", &wiresum::copy as &dyn Fn(&mut [u8], &[u8]) -> Sum),
        ("the kernel's copy", &|dst, src| kernel.copy(dst, src)),
        ("gather_copy", &|dst, src| {
            wiresum::gather_copy(dst, &[&src[..src.len() / 3], &src[src.len() / 3..]])
        }),
    ] {
        let mut target = vec![0x5a; data.len() + 2];
        vector.same(
            form,
            copy(&mut target[1..=data.len()], &source[1..]),
            expected,
        );
        assert!(
            target[1..=data.len()] == data,
            "{}, by {form}: the bytes differ",
            vector.context
        );
        vector.same(form, [target[0], target[data.len() + 1]], [0x5a; 2]);
    }
}

/// Tests a vector that is too long for memory: the stream of its pattern is joined to itself until
/// it is long enough. The tests of the C library pass so many bytes to a kernel in one call.
fn huge(vector: &Vector, expected: Sum) {
    let mut stream = Stream::new();
    for (pattern, len) in vector.parts("data") {
        let (mut times, rest) = (
            len / pattern.len() as u64,
            (len % pattern.len() as u64) as usize,
        );
        let mut power = Stream::of(&pattern);
        while times > 0 {
            if times % 2 == 1 {
                stream += power;
            }
            power += power;
            times /= 2;
        }
        stream.push(&pattern[..rest]);
    }
    vector.same("Stream", stream.sum(), expected);
    vector.same(
        "Stream",
        stream.len(),
        vector.parts("data").iter().map(|part| part.1).sum(),
    );
}

fn split(vector: &Vector) {
    let data = vector.bytes("data");
    let (mut rest, mut pieces, mut stream, mut appended, mut done) =
        (&data[..], Vec::new(), Stream::new(), Sum::ZERO, 0);
    for piece in vector.get("pieces").as_array().expect("a list") {
        let len = piece["length"].as_u64().expect("a length") as usize;
        let sum = Sum::from_value(word(&piece["sum"]));
        let (here, after) = rest.split_at(len);
        vector.same("sum of a piece", wiresum::sum(here), sum);
        stream.push_sum(sum, len as u64);
        appended = appended.append(done, sum);
        pieces.push(here);
        done += len;
        rest = after;
    }
    assert!(rest.is_empty(), "{}: bytes are left", vector.context);
    let expected = vector.sum("sum");
    vector.same("Stream", stream.sum(), expected);
    vector.same("append", appended, expected);
    vector.same("gather", wiresum::gather(&pieces), expected);
    vector.same("collect", pieces.iter().collect::<Stream>(), stream);
    vector.same(
        "join",
        pieces.iter().map(|piece| Stream::of(piece)).sum::<Stream>(),
        stream,
    );
    let mut copied = vec![0; data.len()];
    vector.same(
        "gather_copy",
        wiresum::gather_copy(&mut copied, &pieces),
        expected,
    );
    assert!(
        copied == data,
        "{}, by gather_copy: the bytes differ",
        vector.context
    );
}

fn subtract(vector: &Vector) {
    let (whole, part, rest) = (vector.sum("whole"), vector.sum("part"), vector.sum("rest"));
    vector.same("-", whole - part, rest);
    vector.same("remove", whole.remove(2, part), rest);
    vector.same(
        "remove after an odd head",
        whole.remove(3, part.swap()),
        rest,
    );
}

fn update(vector: &Vector) {
    let (before, after) = (vector.checksum("checksum"), vector.checksum("after"));
    let (offset, was, is) = (
        vector.number("offset") as usize,
        vector.bytes("was"),
        vector.bytes("is"),
    );
    vector.same("update", before.update(offset, &was, &is), after);
    vector.same(
        "update_udp",
        before.update_udp(offset, &was, &is),
        vector.checksum("udp_after"),
    );
    if offset % 2 == 1 {
        return;
    }
    if let (Ok(was), Ok(is)) = (was[..].try_into(), is[..].try_into()) {
        vector.same(
            "update16",
            before.update16(u16::from_be_bytes(was), u16::from_be_bytes(is)),
            after,
        );
    }
    if let (Ok(was), Ok(is)) = (was[..].try_into(), is[..].try_into()) {
        vector.same(
            "update32",
            before.update32(u32::from_be_bytes(was), u32::from_be_bytes(is)),
            after,
        );
    }
    if let (Ok(was), Ok(is)) = (was[..].try_into(), is[..].try_into()) {
        vector.same(
            "update128",
            before.update128(u128::from_be_bytes(was), u128::from_be_bytes(is)),
            after,
        );
    }
}

fn verify(vector: &Vector) {
    let (data, ok) = (
        vector.bytes("data"),
        vector.get("ok").as_bool().expect("true or false"),
    );
    vector.same("sum", wiresum::sum(&data), vector.sum("sum"));
    vector.same("ok", wiresum::ok(&data), ok);
    vector.same("Sum::is_ok", vector.sum("sum").is_ok(), ok);
}

/// Returns the sum of the pseudo-header for `len` bytes of header and payload.
fn pseudo_sum(vector: &Vector, len: u64) -> Sum {
    let protocol = vector.number("protocol") as u8;
    match vector.number("family") {
        4 => pseudo::ipv4(
            vector.hex("source"),
            vector.hex("destination"),
            protocol,
            len as u32,
        ),
        6 => pseudo::ipv6(
            vector.hex("source"),
            vector.hex("destination"),
            protocol,
            len as u32,
        ),
        other => panic!("{}: no such family: {other}", vector.context),
    }
}

fn ipv4_header(vector: &Vector) {
    let (header, ok) = (
        unhex(vector.text("header")),
        vector.get("ok").as_bool().expect("true or false"),
    );
    vector.same(
        "ipv4::header",
        ipv4::header(&header),
        vector.checksum("checksum"),
    );
    vector.same("ipv4::header_ok", ipv4::header_ok(&header), ok);
    if 4 * usize::from(header[0] & 15) == header.len() {
        let mut sums = [Sum::ZERO; 2];
        let headers = [&header[..], &[0; 3], &header].concat();
        wiresum::batch_ipv4_headers(&headers, header.len() + 3, &mut sums)
            .expect("two whole headers");
        vector.same("batch_ipv4_headers", sums, [wiresum::sum(&header); 2]);
        vector.same("batch_ipv4_headers", sums[0].is_ok(), ok);
    }
}

/// Tests a segment, cut into header and payload at each place after the fixed header, even or odd.
fn segment(
    vector: &Vector,
    header_len: usize,
    checksum: impl Fn(Sum, &[u8], &[u8]) -> Checksum,
    ok: impl Fn(Sum, &[u8], &[u8]) -> bool,
) {
    let data = vector.bytes("segment");
    let pseudo = match vector.text("seed") {
        "0x0000" if vector.number("protocol") == 1 => Sum::ZERO,
        _ => pseudo_sum(vector, data.len() as u64),
    };
    vector.same("pseudo", pseudo, vector.sum("seed"));
    for cut in (header_len..=data.len()).take(24).chain([data.len()]) {
        let (header, payload) = data.split_at(cut);
        vector.same(
            "checksum",
            checksum(pseudo, header, payload),
            vector.checksum("field"),
        );
        vector.same(
            "ok",
            ok(pseudo, header, payload),
            vector.text("status") == "good",
        );
    }
    let field = vector.number("field_offset") as usize;
    let absent = vector.number("protocol") == 17 && data[field..field + 2] == [0, 0];
    vector.same(
        "status",
        matches!(vector.text("status"), "absent" | "illegal"),
        absent,
    );
    if vector.number("protocol") == 17 {
        vector.same("udp::is_absent", udp::is_absent(&data), absent);
        vector.same(
            "Checksum::udp",
            vector.checksum("checksum").udp(),
            vector.checksum("field"),
        );
    }
}

fn range(vector: &Vector) {
    let data = vector.bytes("data");
    let (offset, len) = (
        vector.number("offset") as usize,
        vector.number("length") as usize,
    );
    let (mut rest, mut chain) = (&data[..], Vec::new());
    for (len, sum) in vector.pieces("pieces") {
        let (here, after) = rest.split_at(len);
        vector.same("Stream::of a piece", Stream::of(here).sum(), sum);
        chain.push(here);
        rest = after;
    }
    let mut stream = Stream::new();
    stream
        .push_range(&chain, offset, len)
        .unwrap_or_else(|error| panic!("{}: {error}", vector.context));
    vector.same("push_range", stream.sum(), vector.sum("sum"));
    vector.same("push_range", stream.len(), len as u64);
    for (offset, len, missing) in [
        (offset, data.len() - offset + 1, 1),
        (data.len() + 7, 0, 7),
        (usize::MAX, usize::MAX, usize::MAX - data.len()),
    ] {
        let error = stream.push_range(&chain, offset, len).unwrap_err();
        vector.same(
            "a range beyond the end",
            error.missing().min(missing),
            missing,
        );
        vector.same(
            "a range beyond the end",
            stream.len(),
            vector.number("length"),
        );
    }

    let mut rooms: Vec<Vec<u8>> = Vec::new();
    let spaces = vector.pieces("rooms");
    rooms.extend(spaces.iter().map(|(len, _)| vec![0xa5; *len]));
    let mut copy = Stream::new();
    let copied = copy.copy(
        offset,
        chain.iter().copied(),
        rooms.iter_mut().map(Vec::as_mut_slice),
    );
    vector.same("copy", copied as u64, vector.number("copied"));
    vector.same("copy", copy.sum(), vector.sum("copied_sum"));
    vector.same("copy", copy.len(), copied as u64);
    let written = rooms.concat();
    assert!(
        written[..copied] == data[offset..offset + copied],
        "{}: the bytes differ",
        vector.context
    );
    assert!(written[copied..].iter().all(|byte| *byte == 0xa5));
    if written.len() == copied {
        for (room, (_, sum)) in rooms.iter().zip(spaces) {
            vector.same("a room", wiresum::sum(room), sum);
        }
    }
}

/// Returns a stream of so many bytes with this sum.
fn stream(sum: Sum, len: u64) -> Stream {
    *Stream::new().push_sum(sum, len)
}

fn remove_head(vector: &Vector) {
    let (len, head_len) = (vector.number("length"), vector.number("head_length"));
    let (whole, head, rest) = (vector.sum("whole"), vector.sum("head"), vector.sum("rest"));
    if head_len < len {
        vector.same(
            "remove_head",
            whole.remove_head(head_len as usize, head),
            rest,
        );
    }
    let (all, front) = (stream(whole, len), stream(head, head_len));
    let back = all.remove_head(front).expect("a head that is not longer");
    vector.same("Stream::remove_head", back, stream(rest, len - head_len));
    vector.same("join", (front + back).len(), len);
    vector.same(
        "join",
        (front + back).sum().value() % 0xffff,
        whole.value() % 0xffff,
    );
    let again = all.remove_tail(back).expect("a tail that is not longer");
    vector.same("Stream::remove_tail", again.len(), head_len);
    vector.same(
        "Stream::remove_tail",
        again.sum().value() % 0xffff,
        head.value() % 0xffff,
    );
    let longer = stream(head, len + 1);
    vector.same("a head that is longer", all.remove_head(longer), None);
    vector.same("a tail that is longer", all.remove_tail(longer), None);
}

fn replace(vector: &Vector) {
    let (before, was, is) = (
        vector.checksum("checksum"),
        vector.sum("was"),
        vector.sum("is"),
    );
    vector.same(
        "update_sum",
        before.update_sum(was, is),
        vector.checksum("after"),
    );
    vector.same(
        "update_udp_sum",
        before.update_udp_sum(was, is),
        vector.checksum("udp_after"),
    );
    if before.value() != 0xffff {
        vector.same(
            "update_sum of a difference",
            before.update_sum(Sum::ZERO, is - was),
            vector.checksum("after"),
        );
    }
}

fn finish(vector: &Vector) {
    let (start, offset) = (
        vector.number("start") as usize,
        vector.number("offset") as usize,
    );
    let mut frame = vector.bytes("frame");
    let mut expected = frame.clone();
    let finished = packet::finish(&mut frame, start, offset);
    vector.same("packet::finish", finished.is_ok(), vector.flag("ok"));
    if finished.is_ok() {
        let field = start + offset..start + offset + 2;
        expected[field].copy_from_slice(&vector.checksum("field").to_wire());
    }
    assert!(frame == expected, "{}: the bytes differ", vector.context);
}

fn udp_lite(vector: &Vector) {
    let data = vector.bytes("segment");
    let seed = match vector.number("family") {
        4 => {
            let (source, destination) = (vector.hex("source"), vector.hex("destination"));
            pseudo::ipv4(source, destination, 136, data.len() as u32)
        }
        _ => {
            let (source, destination) = (vector.hex("source"), vector.hex("destination"));
            pseudo::ipv6(source, destination, 136, data.len() as u32)
        }
    };
    vector.same("pseudo", seed, vector.sum("seed"));
    let coverage = udplite::coverage(&data);
    vector.same(
        "coverage",
        coverage.unwrap_or(0) as u64,
        vector.number("coverage"),
    );
    let field = coverage.is_some().then(|| vector.checksum("field"));
    vector.same("udplite::checksum", udplite::checksum(seed, &data), field);
    vector.same("udplite::ok", udplite::ok(seed, &data), vector.flag("ok"));
    for cut in 0..8 {
        vector.same("a cut header", udplite::coverage(&data[..cut]), None);
        vector.same("a cut header", udplite::checksum(seed, &data[..cut]), None);
        vector.same("a cut header", udplite::ok(seed, &data[..cut]), false);
    }
}

fn whole_packet(vector: &Vector) {
    let result = match vector.text("result") {
        "good" => Ok(Judgment::Good),
        "bad" => Ok(Judgment::Bad),
        "bad_header" => Ok(Judgment::BadHeader),
        "absent" => Ok(Judgment::Absent),
        "illegal" => Ok(Judgment::Illegal),
        refusal => Err(refusal_of(refusal)),
    };
    let bytes = vector.bytes("packet");
    vector.same("packet::verify", packet::verify(&bytes), result);
    let mut filled = bytes.clone();
    match vector.text("fill") {
        "good" => {
            vector.same("packet::fill", packet::fill(&mut filled), Ok(()));
            assert!(
                filled == vector.bytes("filled"),
                "{}: the bytes differ",
                vector.context
            );
            vector.same(
                "packet::verify",
                packet::verify(&filled),
                Ok(Judgment::Good),
            );
        }
        refusal => {
            let refusal = refusal_of(refusal);
            vector.same("packet::fill", packet::fill(&mut filled), Err(refusal));
            assert!(filled == bytes, "{}: a refusal writes", vector.context);
        }
    }
    let end = vector.number("end") as usize;
    for cut in (0..end).step_by(if end > 1000 { 997 } else { 1 }) {
        let mut start = bytes[..cut].to_vec();
        if result == Ok(Judgment::Good) {
            vector.same("a cut packet", packet::verify(&start), Err(Refusal::Short));
            vector.same(
                "a cut packet",
                packet::fill(&mut start),
                Err(Refusal::Short),
            );
            assert!(
                start == bytes[..cut],
                "{}: a refusal writes",
                vector.context
            );
        }
    }
}

fn refusal_of(text: &str) -> Refusal {
    match text {
        "fragment" => Refusal::Fragment,
        "unknown" => Refusal::Unknown,
        "routed" => Refusal::Routed,
        "short" => Refusal::Short,
        "malformed" => Refusal::Malformed,
        other => panic!("no such result: {other}"),
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri would take an hour; it runs the other tests")]
fn every_vector_on_every_kernel() {
    let vectors: Value = serde_json::from_str(include_str!("../../spec/vectors.json"))
        .expect("vectors.json is JSON");
    assert_eq!(vectors["format"], 1);
    println!(
        "{}, {}-endian",
        std::env::consts::ARCH,
        if cfg!(target_endian = "big") {
            "big"
        } else {
            "little"
        }
    );
    let mut ran = 0;
    for kernel in kernel::all() {
        let Some(supported) = kernel.supported() else {
            println!("{kernel:20} this CPU lacks it");
            continue;
        };
        supported.make_default();
        assert_eq!(kernel::in_use(), kernel);
        let mut count = 0;
        for (group, list) in vectors.as_object().expect("groups") {
            let Value::Array(list) = list else { continue }; // format and seed
            assert!(!list.is_empty(), "{group} is empty");
            for fields in list {
                let context = format!(
                    "{kernel}: {group}/{} (catches: {})",
                    fields["name"], fields["catches"]
                );
                let vector = Vector { fields, context };
                match group.as_str() {
                    "sum" => sum(&vector, supported),
                    "split" => split(&vector),
                    "subtract" => subtract(&vector),
                    "update" => update(&vector),
                    "verify" => verify(&vector),
                    "pseudo" => {
                        vector.same(
                            "pseudo",
                            pseudo_sum(&vector, vector.number("length")),
                            vector.sum("sum"),
                        );
                    }
                    "ipv4_header" => ipv4_header(&vector),
                    "tcp" => segment(&vector, 20, tcp::checksum, tcp::ok),
                    "udp" => segment(&vector, 8, udp::checksum, udp::ok),
                    "icmp" => segment(
                        &vector,
                        4,
                        |_, h, p| icmp::checksum(h, p),
                        |_, h, p| icmp::ok(h, p),
                    ),
                    "icmpv6" => segment(&vector, 4, icmpv6::checksum, icmpv6::ok),
                    "range" => range(&vector),
                    "remove_head" => remove_head(&vector),
                    "replace" => replace(&vector),
                    "finish" => finish(&vector),
                    "udplite" => udp_lite(&vector),
                    "packet" => whole_packet(&vector),
                    other => {
                        panic!("vectors.json has a group that this test does not know: {other}")
                    }
                }
                count += 1;
            }
        }
        println!("{kernel:20} ran {count} vectors");
        ran += 1;
    }
    assert!(ran > 0, "no kernel ran");
}
