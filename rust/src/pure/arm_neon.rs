// SPDX-License-Identifier: MIT OR Apache-2.0
//! NEON on A64, little-endian. uadalp adds two neighboring 32-bit words to a 64-bit lane, so a
//! vector takes one operation.

use core::arch::aarch64::*;
use core::arch::asm;
use core::mem::MaybeUninit;

use super::{portable, walk};

const WIDTH: usize = 16;

#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8; WIDTH]) -> uint8x16_t {
    // SAFETY: the array has the bytes of a vector; no alignment is needed.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(place: &mut [MaybeUninit<u8>; WIDTH], x: uint8x16_t) {
    // SAFETY: as for load.
    unsafe { vst1q_u8(place.as_mut_ptr().cast(), x) }
}

#[inline]
#[target_feature(enable = "neon")]
fn and(x: uint8x16_t, mask: uint8x16_t) -> uint8x16_t {
    vandq_u8(x, mask)
}

#[inline]
#[target_feature(enable = "neon")]
fn hide(mut x: uint8x16_t) -> uint8x16_t {
    if !cfg!(miri) {
        // SAFETY: there is no instruction.
        unsafe {
            asm!("/* {0} */", inout(vreg) x,
                options(pure, nomem, nostack, preserves_flags));
        }
    }
    x
}

#[inline]
#[target_feature(enable = "neon")]
fn zero() -> uint64x2_t {
    vdupq_n_u64(0)
}

#[inline]
#[target_feature(enable = "neon")]
fn add(total: uint64x2_t, x: uint8x16_t) -> uint64x2_t {
    vpadalq_u32(total, vreinterpretq_u32_u8(x))
}

#[inline]
#[target_feature(enable = "neon")]
fn join(a: uint64x2_t, b: uint64x2_t) -> uint64x2_t {
    vaddq_u64(a, b)
}

#[inline]
#[target_feature(enable = "neon")]
fn flush(total: uint64x2_t) -> u64 {
    vaddvq_u64(total)
}

walk!(
    "neon",
    portable::partial_short,
    portable::copy_partial_short
);
