// SPDX-License-Identifier: MIT OR Apache-2.0
//! Plain Rust for every machine and either byte order. Each 64-bit word is added as two 32-bit
//! halves to 64-bit totals, so that no carry gets lost. The compiler makes vectors of this shape.
//!
//! Bound: a total of 64 bits takes 2^32 halves, and gets one half for each 8 bytes of a `BLOCK`.

use core::mem::MaybeUninit;

use crate::partial::add;

/// The bytes between two flushes, of whole words. Unit tests flush sooner.
pub const BLOCK: usize = if cfg!(test) { 1 << 8 } else { 1 << 30 };

pub fn partial(data: &[u8]) -> u64 {
    let (words, rest) = data.as_chunks::<8>();
    let mut sum = 0;
    for block in words.chunks(BLOCK / 8) {
        let (mut low, mut high) = (0, 0);
        for word in block {
            let word = u64::from_ne_bytes(*word);
            low += word & 0xFFFF_FFFF;
            high += word >> 32;
        }
        sum = add(sum, add(low, high));
    }
    add(sum, last(data, rest))
}

/// As `partial`, for fewer bytes than a vector has: one word after the other, with its carry.
pub fn partial_short(data: &[u8]) -> u64 {
    let (words, rest) = data.as_chunks::<8>();
    words.iter().fold(last(data, rest), |sum, word| {
        add(sum, u64::from_ne_bytes(*word))
    })
}

pub fn copy_partial(dst: &mut [MaybeUninit<u8>], src: &[u8]) -> u64 {
    const PAGE: usize = 4096; // stays in the first cache
    let mut sum = 0;
    for (dst, src) in dst.chunks_mut(PAGE).zip(src.chunks(PAGE)) {
        for (to, from) in dst.iter_mut().zip(src) {
            to.write(*from);
        }
        sum = add(sum, partial(src));
    }
    sum
}

/// As `copy_partial`, for fewer bytes than a vector has, 64 at most.
pub fn copy_partial_short(dst: &mut [MaybeUninit<u8>], src: &[u8]) -> u64 {
    let _ = copy_ends::<32>(dst, src)
        || copy_ends::<16>(dst, src)
        || copy_ends::<8>(dst, src)
        || copy_ends::<4>(dst, src)
        || copy_ends::<2>(dst, src)
        || copy_ends::<1>(dst, src);
    partial_short(src)
}

/// Copies the first and the last `N` bytes, which overlap. Returns whether there are `N` bytes.
#[inline]
fn copy_ends<const N: usize>(dst: &mut [MaybeUninit<u8>], src: &[u8]) -> bool {
    let (Some(first), Some(last)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else {
        return false;
    };
    if let Some(to) = dst.first_chunk_mut() {
        *to = first.map(MaybeUninit::new);
    }
    if let Some(to) = dst.last_chunk_mut() {
        *to = last.map(MaybeUninit::new);
    }
    true
}

/// Returns the word in memory order whose first bytes are `rest`, the last bytes of `data`, fewer
/// than 8. Its other bytes are 0.
#[inline]
fn last(data: &[u8], rest: &[u8]) -> u64 {
    let n = rest.len();
    let gap = 8 * (8 - n as u32);
    // Big-endian numbers, whose first byte is on top. Loads that overlap have the same bits there.
    let number = if n == 0 {
        0
    } else if let Some(word) = data.last_chunk() {
        u64::from_be_bytes(*word) << gap
    } else if let (Some(first), Some(last)) = (rest.first_chunk(), rest.last_chunk()) {
        u64::from(u32::from_be_bytes(*first)) << 32 | u64::from(u32::from_be_bytes(*last)) << gap
    } else {
        let byte = |i: usize| u64::from(rest[i]) << (56 - 8 * i);
        byte(0) | byte(n / 2) | byte(n - 1)
    };
    number.to_be()
}
