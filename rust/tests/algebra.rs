// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests the algebra of sums with random data and pieces, on every kernel.
//!
//! The oracle is the definition of RFC 1071 section 1, word by word, without any code of the
//! library.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;
use wiresum::{Checksum, Stream, Sum, gather, gather_copy, kernel, sum};

/// Returns the one's complement sum of big-endian words. Each carry out of 16 bits is added at the
/// lowest bit at once.
fn reference(data: &[u8]) -> u16 {
    let mut sum = 0u32;
    for word in data.chunks(2) {
        sum += u32::from(word[0]) << 8 | u32::from(*word.get(1).unwrap_or(&0));
        if sum > 0xffff {
            sum = sum - 0x10000 + 1;
        }
    }
    sum as u16
}

fn oracle(data: &[u8]) -> Sum {
    Sum::from_value(reference(data))
}

/// Makes up to `max` bytes. 0x00 and 0xFF are frequent, so that both zeros of one's complement
/// occur. The strategy draws words and maps them, because a choice between strategies for each byte
/// is too slow for Miri.
fn data(max: usize) -> impl Strategy<Value = Vec<u8>> {
    let zeros = Just((0, 0));
    let ones = Just((0, 1));
    let zeros_and_ones = Just((1, 0));
    let mixture = Just((7, 0)); // three bytes of four have any value
    let kind = prop_oneof![1 => zeros, 1 => ones, 1 => zeros_and_ones, 5 => mixture];
    (vec(any::<u16>(), 0..max), kind).prop_map(|(drawn, (and, or))| {
        let byte = |drawn: u16| match (drawn >> 8) & and | or {
            0 => 0,
            1 => 0xff,
            _ => drawn as u8,
        };
        drawn.into_iter().map(byte).collect()
    })
}

fn pieces() -> impl Strategy<Value = Vec<Vec<u8>>> {
    vec(data(40), 0..12)
}

/// Makes a change of some bytes: the data before, the offset of the change, and the new bytes.
fn change() -> impl Strategy<Value = (Vec<u8>, usize, Vec<u8>)> {
    data(90).prop_flat_map(|before| {
        let len = before.len();
        (Just(before), 0..=len).prop_flat_map(move |(before, start)| {
            (Just(before), Just(start), data(len - start + 1))
        })
    })
}

/// Returns the data after a change.
fn changed(before: &[u8], start: usize, is: &[u8]) -> Vec<u8> {
    let mut after = before.to_vec();
    after[start..start + is.len()].copy_from_slice(is);
    after
}

fn slices(pieces: &[Vec<u8>]) -> Vec<&[u8]> {
    pieces.iter().map(Vec::as_slice).collect()
}

fn config() -> ProptestConfig {
    match cfg!(miri) {
        true => ProptestConfig {
            cases: 8,
            failure_persistence: None,
            ..ProptestConfig::default()
        },
        false => ProptestConfig {
            cases: 512,
            // proptest writes the seed of a failure to algebra.failures, and runs it first
            // afterwards.
            failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("failures"))),
            ..ProptestConfig::default()
        },
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_sum_is_the_definition(data in data(if cfg!(miri) { 300 } else { 3000 })) {
        prop_assert_eq!(sum(&data), oracle(&data));
        prop_assert_eq!(wiresum::ok(&data), reference(&data) == 0xffff);
        for kernel in kernel::all().filter_map(kernel::Kernel::supported) {
            prop_assert_eq!(kernel.sum(&data), oracle(&data), "{}", kernel);
            let partial = kernel.partial(&data);
            prop_assert_eq!(partial == 0, reference(&data) == 0, "{}", kernel);
            let expected = u64::from(reference(&data).to_be()) % 0xffff;
            prop_assert_eq!(partial % 0xffff, expected, "{}", kernel);
        }
    }

    #[test]
    fn a_range_of_a_chain_is_a_sum_of_its_bytes(
        (head, chain) in (data(5), pieces()), places in any::<[prop::sample::Index; 2]>(),
    ) {
        let all = chain.concat();
        let mut places = places.map(|place| place.index(all.len() + 1));
        places.sort_unstable();
        let [start, end] = places;
        let expected = oracle(&[&head, &all[start..end]].concat());
        let mut stream = Stream::of(&head);
        let mut asked = 0;
        let counted = chain.iter().inspect(|_| asked += 1);
        prop_assert!(stream.push_range(counted, start, end - start).is_ok());
        prop_assert_eq!(stream.sum(), expected);
        prop_assert_eq!(stream.len() as usize, head.len() + end - start);
        let before: usize = chain.iter().take(asked.max(1) - 1).map(Vec::len).sum();
        prop_assert!(asked == 0 || before < end, "a piece after the last byte");
        let so_far = stream;
        let error = stream.push_range(&chain, end, all.len() - end + 9).unwrap_err();
        prop_assert_eq!(error.missing(), 9);
        prop_assert_eq!(stream, so_far);
    }

    #[test]
    fn a_copy_between_chains_copies_and_sums(
        (head, chain) in (data(5), pieces()), spaces in vec(0usize..40, 0..12),
        start in any::<prop::sample::Index>(),
    ) {
        let all = chain.concat();
        let start = start.index(all.len() + 1);
        let space: usize = spaces.iter().sum();
        let expected = &all[start..][..space.min(all.len() - start)];
        let mut rooms: Vec<Vec<u8>> = spaces.into_iter().map(|len| vec![0x5a; len]).collect();
        let mut stream = Stream::of(&head);
        let targets = rooms.iter_mut().map(Vec::as_mut_slice);
        let copied = stream.copy(start, slices(&chain), targets);
        prop_assert_eq!(copied, expected.len());
        prop_assert_eq!(stream.sum(), oracle(&[&head, expected].concat()));
        let written = rooms.concat();
        prop_assert_eq!(&written[..copied], expected);
        prop_assert!(written[copied..].iter().all(|byte| *byte == 0x5a));
    }

    #[test]
    fn a_head_and_a_tail_that_are_removed_leave_the_rest(
        (head, tail) in (data(40), data(40)),
    ) {
        let (front, back) = (Stream::of(&head), Stream::of(&tail));
        let whole = Stream::of(&[&head[..], &tail].concat());
        // A rest that is all zero and not empty may have the other zero.
        let same = |rest: Option<Stream>, data: &[u8]| rest.is_some_and(|rest| {
            let zeros = !data.is_empty() && reference(data) == 0;
            rest.len() == data.len() as u64
                && (rest.sum() == oracle(data) || zeros && rest.sum().value() == 0xffff)
        });
        prop_assert!(same(whole.remove_head(front), &tail));
        prop_assert!(same(whole.remove_tail(back), &head));
        if !tail.is_empty() {
            prop_assert_eq!(front.remove_head(whole), None);
            prop_assert_eq!(front.remove_tail(whole), None);
        }
    }

    #[test]
    fn an_update_by_sums_is_a_new_computation(
        (was, is, mut rest) in (data(40), data(40), data(40)),
    ) {
        rest.push(1); // no data are all zero
        let even = |mut part: Vec<u8>| {
            part.truncate(part.len() / 2 * 2);
            part
        };
        let (was, is) = (even(was), even(is));
        let before = wiresum::checksum(&[&was[..], &rest].concat());
        let after = oracle(&[&is[..], &rest].concat()).checksum();
        prop_assert_eq!(before.update_sum(sum(&was), sum(&is)), after);
        prop_assert_eq!(before.update_sum(Sum::ZERO, sum(&is) - sum(&was)), after);
        let udp = if before.value() == 0 { before } else { after.udp() };
        prop_assert_eq!(before.update_udp_sum(sum(&was), sum(&is)), udp);
    }

    #[test]
    fn a_copy_returns_the_sum_and_writes_the_bytes(
        data in data(600), before in 0usize..70, after in 0usize..70,
    ) {
        let mut target = vec![0x5a; before + data.len() + after];
        let mut expected = target.clone();
        let place = before..before + data.len();
        expected[place.clone()].copy_from_slice(&data);
        prop_assert_eq!(wiresum::copy(&mut target[place.clone()], &data), oracle(&data));
        prop_assert_eq!(&target, &expected);
        for kernel in kernel::all().filter_map(kernel::Kernel::supported) {
            target.fill(0x5a);
            let sum = kernel.copy(&mut target[place.clone()], &data);
            prop_assert_eq!(sum, oracle(&data), "{}", kernel);
            prop_assert_eq!(&target, &expected, "{}", kernel);
        }
        let mut fresh = Vec::with_capacity(data.len());
        let room = &mut fresh.spare_capacity_mut()[..data.len()];
        let (written, sum) = wiresum::copy_uninit(room, &data);
        prop_assert_eq!(&*written, &data[..]);
        prop_assert_eq!(sum, oracle(&data));
    }

    #[test]
    fn a_split_anywhere_appends_to_the_whole(data in data(if cfg!(miri) { 33 } else { 131 })) {
        for cut in 0..=data.len() {
            let (head, tail) = data.split_at(cut);
            prop_assert_eq!(sum(head).append(cut, sum(tail)), oracle(&data));
            prop_assert_eq!(Stream::of(head).join(Stream::of(tail)), Stream::of(&data));
        }
    }

    #[test]
    fn any_pieces_are_one_stream(pieces in pieces()) {
        let whole = pieces.concat();
        let slices = slices(&pieces);
        prop_assert_eq!(gather(&slices), oracle(&whole));
        let stream: Stream = pieces.iter().collect();
        prop_assert_eq!(stream.sum(), oracle(&whole));
        prop_assert_eq!(stream.len(), whole.len() as u64);
        let mut copied = vec![0; whole.len()];
        prop_assert_eq!(gather_copy(&mut copied, &slices), oracle(&whole));
        prop_assert_eq!(copied, whole);
        let mut sums = vec![Sum::from_value(0xdead); slices.len()];
        wiresum::batch(&slices, &mut sums);
        prop_assert_eq!(sums, slices.iter().map(|piece| oracle(piece)).collect::<Vec<_>>());
    }

    #[test]
    fn joins_can_be_grouped_in_any_way(pieces in pieces(), cut in any::<prop::sample::Index>()) {
        let streams: Vec<Stream> = pieces.iter().map(|piece| Stream::of(piece)).collect();
        let whole: Stream = streams.iter().copied().sum();
        let cut = if streams.is_empty() { 0 } else { cut.index(streams.len()) };
        let (left, right) = streams.split_at(cut);
        let left: Stream = left.iter().copied().sum();
        let right: Stream = right.iter().copied().sum();
        prop_assert_eq!(left + right, whole);
        prop_assert_eq!(streams.iter().rev().fold(Stream::new(), |tail, &head| head + tail), whole);
    }

    #[test]
    fn even_pieces_add_in_any_order(pieces in pieces(), keys in vec(any::<u32>(), 12)) {
        let even: Vec<&[u8]> = pieces.iter().map(|piece| &piece[..piece.len() / 2 * 2]).collect();
        let sums = even.iter().map(|piece| sum(piece));
        let mut order: Vec<(u32, Sum)> = keys.into_iter().zip(sums).collect();
        order.sort_by_key(|&(key, _)| key);
        prop_assert_eq!(order.into_iter().map(|(_, sum)| sum).sum::<Sum>(), oracle(&even.concat()));
    }

    #[test]
    fn remove_undoes_append(head in data(60), tail in data(60)) {
        let whole = [&head[..], &tail].concat();
        let rest = sum(&whole).remove(head.len(), sum(&tail));
        if sum(&head) == Sum::ZERO && sum(&tail) != Sum::ZERO {
            prop_assert_eq!(rest.value(), 0xffff); // the documented exception
        } else {
            prop_assert_eq!(rest, oracle(&head));
        }
        if head.len() % 2 == 0 {
            prop_assert_eq!(sum(&whole) - sum(&tail), rest);
        }
    }

    #[test]
    fn a_byte_in_front_swaps_the_sum(data in data(60)) {
        prop_assert_eq!(oracle(&[&[0], &data[..]].concat()), sum(&data).swap());
    }

    #[test]
    fn an_update_is_a_checksum_computed_afresh((before, start, is) in change()) {
        let was = &before[start..start + is.len()];
        let after = changed(&before, start, &is);
        let updated = wiresum::checksum(&before).update(start, was, &is);
        let computed = oracle(&after).checksum();
        if oracle(&after) == Sum::ZERO && oracle(&before) != Sum::ZERO {
            prop_assert_eq!(updated.value(), 0x0000); // the documented exception
        } else {
            prop_assert_eq!(updated, computed);
        }
        // UDP: always under a pseudo-header, so never all zero.
        let protocol = [0, 17];
        let udp = Stream::from_iter([&protocol[..], &before]).checksum().udp();
        let expected = Stream::from_iter([&protocol[..], &after]).checksum().udp();
        prop_assert_eq!(udp.update_udp(start, was, &is), expected);
        prop_assert!(Checksum::from_value(0).update_udp(start, was, &is).is_udp_absent());
    }

    #[test]
    fn updates_by_numbers_are_updates_by_bytes(sum: u16, was: u128, is: u128) {
        let before = Checksum::from_value(sum);
        let by_bytes = before.update(0, &was.to_be_bytes(), &is.to_be_bytes());
        prop_assert_eq!(before.update128(was, is), by_bytes);
        let (was, is) = (was as u32, is as u32);
        let by_bytes = before.update(0, &was.to_be_bytes(), &is.to_be_bytes());
        prop_assert_eq!(before.update32(was, is), by_bytes);
        let (was, is) = (was as u16, is as u16);
        let by_bytes = before.update(0, &was.to_be_bytes(), &is.to_be_bytes());
        prop_assert_eq!(before.update16(was, is), by_bytes);
    }

    #[test]
    fn data_with_its_checksum_is_ok(mut data in data(60), field in any::<prop::sample::Index>()) {
        data.resize(data.len() / 2 * 2 + 4, 0x45);
        let field = field.index(data.len() / 2) * 2;
        data[field..field + 2].fill(0);
        let checksum = wiresum::checksum(&data);
        data[field..field + 2].copy_from_slice(&checksum.to_wire());
        prop_assert_eq!(reference(&data), 0xffff);
        prop_assert!(wiresum::ok(&data));
    }

    #[test]
    fn assignments_do_what_operators_do(a: u16, b: u16) {
        let [a, b] = [a, b].map(Sum::from_value);
        let (mut sum, mut rest) = (a, a);
        sum += b;
        rest -= b;
        prop_assert_eq!(sum, oracle(&[a.to_wire(), b.to_wire()].concat()));
        prop_assert_eq!(rest, a - b);
    }

    #[test]
    fn numbers_and_wire_bytes_convert_back(value: u16) {
        prop_assert_eq!(Sum::from_value(value).value(), value);
        prop_assert_eq!(Sum::from_value(value).to_wire(), value.to_be_bytes());
        prop_assert_eq!(Sum::from_wire(value.to_be_bytes()), oracle(&value.to_be_bytes()));
        prop_assert_eq!(Sum::from_value(value).checksum().value(), !value);
        prop_assert_eq!(Checksum::from_value(value).to_wire(), value.to_be_bytes());
        prop_assert_eq!(Checksum::from_wire(value.to_be_bytes()).sum().value(), !value);
    }
}
