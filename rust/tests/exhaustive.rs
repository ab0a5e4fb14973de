// SPDX-License-Identifier: MIT OR Apache-2.0
//! Tests each kernel at each length to 1,100 bytes and each offset to 63. Allocations of exactly
//! the length of the data let AddressSanitizer and Miri see each access beyond them.

use wiresum::Sum;
use wiresum::kernel;

const LENGTHS: usize = 1100;
const OFFSETS: usize = 64;
/// The bytes on each side of a destination, which must not change.
const GUARD: usize = 64;
const SIZE: usize = GUARD + OFFSETS + LENGTHS + GUARD;

/// Memory that begins at a cache line.
#[repr(align(64))]
struct Lines([u8; SIZE]);

/// Returns the one's complement sum of big-endian words (RFC 1071 section 1).
fn reference(data: &[u8]) -> Sum {
    let mut sum = 0u32;
    for word in data.chunks(2) {
        sum += u32::from(word[0]) << 8 | u32::from(*word.get(1).unwrap_or(&0));
        sum = (sum & 0xffff) + (sum >> 16);
    }
    Sum::from_value(sum as u16)
}

#[test]
fn every_length_at_every_offset() {
    let (every_length, every_offset) = if cfg!(miri) { (97, 21) } else { (1, 1) };
    // Half of the bytes are 0xFF, so that many words carry.
    let mut state = 1071u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) as u8 | (state >> 31).wrapping_neg() as u8
    };
    let mut source = Lines([0; SIZE]);
    source.0.fill_with(&mut next);

    let kernels: Vec<_> = kernel::all()
        .filter_map(kernel::Kernel::supported)
        .collect();
    let clean = [0x5a; SIZE];
    let mut target = Lines(clean);
    for offset in (0..OFFSETS).step_by(every_offset) {
        let place = GUARD + offset;
        for len in (0..=LENGTHS).step_by(every_length) {
            let data = &source.0[place..place + len];
            let exact: Box<[u8]> = data.into();
            let expected = reference(data);
            for kernel in &kernels {
                let of = format_args!("{kernel}, {len} bytes at offset {offset}");
                assert_eq!(kernel.sum(data), expected, "{of}");
                assert_eq!(kernel.sum(&exact), expected, "{of}, alone");

                let mut copied = vec![0x5a; len].into_boxed_slice();
                assert_eq!(kernel.copy(&mut copied, &exact), expected, "copy, {of}");
                assert!(copied == exact, "the bytes of a copy, {of}");

                target.0 = clean;
                let to = &mut target.0[place..place + len];
                assert_eq!(kernel.copy(to, &exact), expected, "copy to an offset, {of}");
                assert!(*to == *exact, "the bytes of a copy to an offset, {of}");
                let (before, behind) = (&target.0[..place], &target.0[place + len..]);
                let untouched = before == &clean[..place] && behind == &clean[place + len..];
                assert!(untouched, "a copy beyond its destination, {of}");
            }
        }
    }
    assert!(kernels.iter().any(|kernel| kernel.name() == "portable"));
}
