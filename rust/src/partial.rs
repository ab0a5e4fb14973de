// SPDX-License-Identifier: MIT OR Apache-2.0
//! Partial sums: 64 bits wide, in memory order, not folded to 16 bits yet.

/// Returns the end-around sum of two partial sums. It is 0 only for 0 + 0.
#[inline]
pub(crate) fn add(a: u64, b: u64) -> u64 {
    let (sum, carry) = a.overflowing_add(b);
    sum + u64::from(carry)
}

/// Returns the partial sum of an IPv4 or TCP header without options: three words, which stay in
/// registers. `mask` selects the bits of bytes 8 to 15 that count.
#[inline]
pub(crate) fn of_20(bytes: &[u8; 20], mask: u64) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let [first, second] = [words[0], words[1]].map(u64::from_ne_bytes);
    let last = rest
        .first_chunk()
        .map_or(0, |rest| u32::from_ne_bytes(*rest));
    add(add(first, second & mask), last.into())
}

/// Returns the 16-bit sum that a partial sum stands for: 0 for 0 alone.
#[inline]
pub(crate) fn fold(partial: u64) -> u16 {
    let halves = (partial >> 32) + (partial & 0xFFFF_FFFF); // < 2^33
    let quarters = (halves >> 16) + (halves & 0xFFFF); // < 2^18
    let sum = (quarters >> 16) + (quarters & 0xFFFF); // <= 0x10002
    ((sum >> 16) + sum) as u16
}

/// Returns whether a partial sum folds to 0xFFFF. `wiresum_folds_to_ones` in `wiresum_inline.h` is
/// the same function, with the derivation.
#[inline]
pub(crate) fn folds_to_ones(partial: u64) -> bool {
    partial.wrapping_mul(0xFFFE_FFFE_FFFE_FFFF).wrapping_sub(1) < 0x0001_0001_0001_0001
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_fold_of_edges_is_the_remainder_and_zero_only_for_zero() {
        const EDGES: [u64; 7] = [0, 1, 2, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF];
        for places in 0..EDGES.len().pow(4) {
            let word = |place| EDGES[places / EDGES.len().pow(place) % EDGES.len()] << (16 * place);
            let partial = word(0) | word(1) | word(2) | word(3);
            let folded = super::fold(partial);
            assert_eq!(u64::from(folded) % 0xFFFF, partial % 0xFFFF, "{partial:#x}");
            assert_eq!(folded == 0, partial == 0, "{partial:#x}");
            let ones = super::folds_to_ones(partial);
            assert_eq!(ones, folded == 0xFFFF, "{partial:#x}");
        }
    }
}
