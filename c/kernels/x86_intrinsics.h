/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The intrinsics of AVX and later. Clang for MSVC's targets leaves them out of immintrin.h, unless
 * a flag names the instructions for the whole file; but it takes their headers after that one. */
#ifndef WIRESUM_X86_INTRINSICS_H
#define WIRESUM_X86_INTRINSICS_H

#include <immintrin.h>

#if defined(__clang__) && defined(_MSC_VER)
/* In this order, because a header may use types of those before it. */
/* clang-format off */
#  include <smmintrin.h>
#  include <avxintrin.h>
#  include <avx2intrin.h>
#  include <bmi2intrin.h>
#  if __clang_major__ >= 12
#    include <avxvnniintrin.h>
#  endif
#  if __clang_major__ >= 17
#    include <avxvnniint16intrin.h>
#  endif
#  include <avx512fintrin.h>
#  include <avx512bwintrin.h>
#  include <avx512vlintrin.h>
#  include <avx512vlbwintrin.h>
#  include <avx512vnniintrin.h>
#  include <avx512vlvnniintrin.h>
/* clang-format on */
#endif

#endif
