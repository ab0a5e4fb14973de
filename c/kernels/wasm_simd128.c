/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * WebAssembly SIMD: 128 bytes a step, 2.1 operations a vector, by sum and averages of words of 64
 * bits. Each of these operations is one instruction of an x86 or ARM CPU. extadd_pairwise, which
 * adds pairs of words, is three instructions of an x86 CPU.
 *
 * A runtime without SIMD refuses each module that contains a vector instruction. So the flag
 * -msimd128 chooses this kernel when the library is compiled.
 *
 * Bound: a BLOCK and the zeros of masks have N <= 2^14 + 2^6 words, as averages.h asks for. Longer
 * data is summed in blocks.
 */
#include "averages.h"

#if WIRESUM_HAVE_WASM_SIMD128

#  include <wasm_simd128.h>

WIRESUM_DECLARE_KERNEL(wasm_simd128);

#  define KERNEL wasm_simd128
#  define TARGET
#  define INLINE static inline __attribute__((always_inline))
#  define STEP   8

enum { BLOCK = 128 << 10 };

typedef v128_t vector;

INLINE vector load(const uint8_t *p)
{
    return wasm_v128_load(p);
}

INLINE void store(uint8_t *p, vector x)
{
    wasm_v128_store(p, x);
}

INLINE vector add(vector x, vector y)
{
    return wasm_i64x2_add(x, y);
}

INLINE vector masked(vector x, const uint8_t *mask)
{
    return wasm_v128_and(x, wasm_v128_load(mask));
}

INLINE vector average(vector x, vector y)
{
    return wasm_u16x8_avgr(x, y);
}

INLINE vector top(vector x)
{
    return wasm_u64x2_shr(x, 48);
}

INLINE uint64_t join(vector lanes, vector tops, unsigned times, uint64_t odd)
{
    typedef uint64_t two __attribute__((vector_size(16)));
    const vector both = add((vector)__builtin_shufflevector((two)lanes, (two)tops, 0, 2),
                            (vector)__builtin_shufflevector((two)lanes, (two)tops, 1, 3));
    return wiresum_with_carries((uint64_t)wasm_i64x2_extract_lane(both, 0),
                                times * (uint64_t)wasm_i64x2_extract_lane(both, 1), odd);
}

#  include "averages_walk.h"

uint64_t wiresum_kernel_wasm_simd128(const void *data, size_t n)
{
    if (n < 16)
        return wiresum_partial_short(data, n);
    return walk((struct data){ false, NULL, data }, n);
}

uint64_t wiresum_kernel_wasm_simd128_copy(void *dst, const void *src, size_t n)
{
    if (n < 16)
        return wiresum_copy_short(dst, src, n);
    return walk((struct data){ true, dst, src }, n);
}

#else
typedef int wiresum_wasm_simd128_is_not_for_this_machine;
#endif
