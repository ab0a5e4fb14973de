// SPDX-License-Identifier: MIT OR Apache-2.0
//! The walk of every vector kernel. A step is four vectors, each with totals of its own, because a
//! core begins several additions before the first one ends. The last vector of the data ends with
//! the last whole word, and a mask clears the bytes that the steps count.

/// The bytes that are summed without a flush, an even number. Unit tests flush sooner.
///
/// Bound: a total takes 2^32 words of 64 bits, or 2^31 of them where it takes both halves of each.
/// A block has 2^27, and the sum of all their halves is below 2^60, so `flush` cannot overflow.
pub const BLOCK: usize = if cfg!(test) { 1 << 9 } else { 1 << 30 };

/// The longest vector, in bytes.
const LONGEST: usize = 64;

/// 64 zeros, and then 64 times 0xFF. A mask is as many bytes of it as a vector has: the later
/// it begins, the more of the last bytes of the vector it keeps.
static MASKS: [u8; 2 * LONGEST] = {
    let mut masks = [0; 2 * LONGEST];
    let mut i = LONGEST;
    while i < masks.len() {
        masks[i] = 0xFF;
        i += 1;
    }
    masks
};

/// Returns the mask that keeps the last `n` bytes of a vector, for `n` up to `WIDTH`.
#[inline]
pub fn mask<const WIDTH: usize>(n: usize) -> &'static [u8; WIDTH] {
    MASKS[LONGEST - WIDTH + n..]
        .first_chunk()
        .expect("a vector is not longer than LONGEST")
}

/// Returns what the last byte of data of odd length adds, as the first byte of its word.
#[inline]
pub fn odd(byte: &[u8]) -> u64 {
    byte.first()
        .map_or(0, |&byte| u16::from_ne_bytes([byte, 0]).into())
}

/// Defines `partial` and `copy_partial` of a kernel. Its module has the constant `WIDTH`, the bytes
/// of a vector, and the functions `load`, `store`, `and` and `hide` of vectors, `zero`, `add` and
/// `join` of totals, and `flush`. `hide` returns its vector, and the compiler does not know that:
/// it would make one `memcpy` of all stores, and read the data twice. The two other functions take
/// fewer bytes than a vector.
macro_rules! walk {
    ($feature:literal, $short_partial:path, $short_copy:path) => {
        #[target_feature(enable = $feature)]
        pub fn partial(data: &[u8]) -> u64 {
            if data.len() > walk::BLOCK {
                let mut sum = 0;
                for block in data.chunks(walk::BLOCK) {
                    sum = crate::partial::add(sum, partial(block));
                }
                return sum;
            }
            let (even, odd) = data.split_at(data.len() & !1);
            let Some(last) = even.last_chunk() else {
                return $short_partial(data);
            };
            let mut totals = [zero(); 4];
            totals[3] = add(
                zero(),
                and(load(last), load(walk::mask(even.len() % WIDTH))),
            );
            let (vectors, _) = even.as_chunks::<WIDTH>();
            let (steps, rest) = vectors.as_chunks::<4>();
            for step in steps {
                for (total, vector) in totals.iter_mut().zip(step) {
                    *total = add(*total, load(vector));
                }
            }
            for (total, vector) in totals.iter_mut().zip(rest) {
                *total = add(*total, load(vector));
            }
            let [a, b, c, d] = totals;
            flush(join(join(a, b), join(c, d))) + walk::odd(odd)
        }

        #[target_feature(enable = $feature)]
        pub fn copy_partial(dst: &mut [MaybeUninit<u8>], src: &[u8]) -> u64 {
            if src.len() > walk::BLOCK {
                let mut sum = 0;
                for (dst, src) in dst.chunks_mut(walk::BLOCK).zip(src.chunks(walk::BLOCK)) {
                    sum = crate::partial::add(sum, copy_partial(dst, src));
                }
                return sum;
            }
            let dst = &mut dst[..src.len()];
            let (even, odd) = src.split_at(src.len() & !1);
            let (Some(last), Some(end), Some(end_of_dst)) =
                (even.last_chunk(), src.last_chunk(), dst.last_chunk_mut())
            else {
                return $short_copy(dst, src);
            };
            // The end is stored first. The steps store some of its bytes again.
            store(end_of_dst, load(end));
            let mut totals = [zero(); 4];
            totals[3] = add(
                zero(),
                and(load(last), load(walk::mask(even.len() % WIDTH))),
            );
            let (vectors, _) = even.as_chunks::<WIDTH>();
            let (steps, rest) = vectors.as_chunks::<4>();
            let (places, _) = dst.as_chunks_mut::<WIDTH>();
            let (step_places, rest_places) = places.as_chunks_mut::<4>();
            for (places, step) in step_places.iter_mut().zip(steps) {
                for i in 0..4 {
                    let x = hide(load(&step[i]));
                    store(&mut places[i], x);
                    totals[i] = add(totals[i], x);
                }
            }
            for ((total, place), vector) in totals.iter_mut().zip(rest_places).zip(rest) {
                let x = hide(load(vector));
                store(place, x);
                *total = add(*total, x);
            }
            let [a, b, c, d] = totals;
            flush(join(join(a, b), join(c, d))) + walk::odd(odd)
        }
    };
}
