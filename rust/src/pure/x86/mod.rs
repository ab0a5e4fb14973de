// SPDX-License-Identifier: MIT OR Apache-2.0
//! The kernels of x86-64: SSE2, AVX2 and AVX-512. A vector holds 64-bit words x. A kernel adds each
//! x to a total mod 2^64, and x >> 32 to a second total, high. The low halves of all x add up to
//! total - (high << 32). So a vector takes three operations.

use core::arch::asm;
use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::{portable, walk};

pub mod cpu;

/// Defines a kernel from the names of its vector and of its instructions.
macro_rules! kernel {
    (
        $name:ident, $feature:literal, $vector:ty, $register:ident,
        $short_partial:path, $short_copy:path,
        $load:ident, $store:ident, $zero:ident, $and:ident, $add:ident, $sub:ident,
        $left:ident, $right:ident, $lanes:literal
    ) => {
        pub mod $name {
            use super::*;

            const WIDTH: usize = size_of::<$vector>();

            #[derive(Clone, Copy)]
            struct Totals {
                total: $vector,
                high: $vector,
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn load(bytes: &[u8; WIDTH]) -> $vector {
                // SAFETY: the array has the bytes of a vector; no alignment is needed.
                unsafe { $load(bytes.as_ptr().cast()) }
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn store(place: &mut [MaybeUninit<u8>; WIDTH], x: $vector) {
                // SAFETY: as for load.
                unsafe { $store(place.as_mut_ptr().cast(), x) }
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn and(x: $vector, mask: $vector) -> $vector {
                $and(x, mask)
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn hide(mut x: $vector) -> $vector {
                if !cfg!(miri) {
                    // SAFETY: there is no instruction.
                    unsafe {
                        asm!("/* {0} */", inout($register) x,
                            options(pure, nomem, nostack, preserves_flags));
                    }
                }
                x
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn zero() -> Totals {
                Totals {
                    total: $zero(),
                    high: $zero(),
                }
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn add(totals: Totals, x: $vector) -> Totals {
                Totals {
                    total: $add(totals.total, x),
                    high: $add(totals.high, $right::<32>(x)),
                }
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn join(a: Totals, b: Totals) -> Totals {
                Totals {
                    total: $add(a.total, b.total),
                    high: $add(a.high, b.high),
                }
            }

            /// Returns the sum of low + high of all lanes, where low = total - (high << 32).
            #[inline]
            #[target_feature(enable = $feature)]
            fn flush(totals: Totals) -> u64 {
                let low = $sub(totals.total, $left::<32>(totals.high));
                let mut lanes = [MaybeUninit::uninit(); WIDTH];
                store(&mut lanes, $add(low, totals.high));
                // SAFETY: store has written each byte, and any bytes are numbers.
                let lanes: [u64; $lanes] = unsafe { core::mem::transmute(lanes) };
                lanes.iter().sum()
            }

            walk!($feature, $short_partial, $short_copy);
        }
    };
}

kernel! {
    sse2, "sse2", __m128i, xmm_reg, portable::partial_short, portable::copy_partial_short,
    _mm_loadu_si128, _mm_storeu_si128, _mm_setzero_si128, _mm_and_si128,
    _mm_add_epi64, _mm_sub_epi64, _mm_slli_epi64, _mm_srli_epi64, 2
}
kernel! {
    avx2, "avx2", __m256i, ymm_reg, portable::partial_short, portable::copy_partial_short,
    _mm256_loadu_si256, _mm256_storeu_si256, _mm256_setzero_si256, _mm256_and_si256,
    _mm256_add_epi64, _mm256_sub_epi64, _mm256_slli_epi64, _mm256_srli_epi64, 4
}
kernel! {
    avx512bw, "avx512bw", __m512i, zmm_reg, avx2::partial, avx2::copy_partial,
    _mm512_loadu_si512, _mm512_storeu_si512, _mm512_setzero_si512, _mm512_and_si512,
    _mm512_add_epi64, _mm512_sub_epi64, _mm512_slli_epi64, _mm512_srli_epi64, 8
}
