// SPDX-License-Identifier: MIT OR Apache-2.0
//! This file asks which instructions the CPU has, and which registers the operating system saves.
//! `std` could tell; this crate is `no_std`. Bits are numbered as in the Intel SDM, volume 2,
//! CPUID, and volume 1, section 13.3 (XCR0).

use core::arch::x86_64::{__cpuid, __cpuid_count, _xgetbv};

/// The bits of FMA, OSXSAVE, AVX and F16C. AVX-512 includes FMA and F16C, so the compiler may use
/// them there.
const LEAF_1_ECX: u32 = 1 << 12 | 1 << 27 | 1 << 28 | 1 << 29;

const LEAF_7_EBX_AVX2: u32 = 1 << 5;
const LEAF_7_EBX_AVX512F_BW: u32 = 1 << 16 | 1 << 30;

const XCR0_AVX: u64 = 0b110; // xmm, ymm
const XCR0_AVX512: u64 = XCR0_AVX | 0b111 << 5; // opmask, zmm

pub fn has_avx2() -> bool {
    cfg!(target_feature = "avx2") || has(LEAF_7_EBX_AVX2, XCR0_AVX)
}

pub fn has_avx512bw() -> bool {
    cfg!(target_feature = "avx512bw") || has(LEAF_7_EBX_AVX2 | LEAF_7_EBX_AVX512F_BW, XCR0_AVX512)
}

/// Returns whether the CPU has all these bits of leaf 7, and the operating system saves these
/// registers. Miri and SGX, which have no CPUID, know the features of the target alone.
#[allow(unused_unsafe)] // newer compilers know that each CPU of the target has CPUID
fn has(leaf_7_ebx: u32, xcr0: u64) -> bool {
    // SAFETY: each CPU of x86-64 has CPUID, and a CPU with OSXSAVE has XGETBV.
    !cfg!(any(miri, target_env = "sgx"))
        && unsafe {
            __cpuid(0).eax >= 7
                && __cpuid(1).ecx & LEAF_1_ECX == LEAF_1_ECX
                && _xgetbv(0) & xcr0 == xcr0
                && __cpuid_count(7, 0).ebx & leaf_7_ebx == leaf_7_ebx
        }
}
