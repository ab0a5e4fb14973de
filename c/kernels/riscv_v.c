/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * RISC-V V 1.0, any vector length: vwaddu.wv adds the 32-bit words of four registers to the 64-bit
 * lanes of eight, the one operation a vector that this checksum takes. A step is two such groups,
 * 128 bytes with registers of 128 bits; each is added while the next is loaded, into an accumulator
 * of its own, so that in-order cores wait for neither. vl4re8.v loads whole registers at any
 * address without regard to vtype, so nothing but loads, additions and two pointer steps is in the
 * loop.
 *
 * Less than a group needs no loop and no branch: vsetvli takes the length in bytes, and the load
 * leaves the zeros behind it undisturbed, so that the words beyond are whole; vwredsumu.vs sums
 * them. Nothing reads or writes a byte beyond its length, and nothing depends on what an agnostic
 * tail holds: vl is again the count of words where lanes are added.
 *
 * In assembly: GCC 12 has no vector intrinsics, and no compiler takes a target attribute for them
 * everywhere. The words of a vector register are little-endian by definition, so this is not for a
 * big-endian RISC-V.
 *
 * Bound: a lane takes 2^32 words, and the sum of all lanes is below 2^60 for a BLOCK.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_RISCV_V

WIRESUM_DECLARE_KERNEL(riscv_v);

enum {
    BLOCK = 1 << 30
}; /* bytes between two flushes, a multiple of a step at every vector length */

/* GCC before 13 does not know these names, and has no use for the registers either. */
#  if defined(__clang__) || __GNUC__ >= 13
#    define VECTOR_STATE                                                                           \
        , "vl", "vtype", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", \
            "v12", "v13", "v14", "v15", "v16", "v20", "v21", "v22", "v23", "v24", "v25", "v26",    \
            "v27", "v28", "v29", "v30", "v31"
#  else
#    define VECTOR_STATE
#  endif

/* v8 to v11 zeros, the first lane of v16 too, group = the bytes in four registers; to 5 if the data
 * is not longer. */
#  define START                                \
      ".option push\n\t"                       \
      ".option arch, +v\n\t"                   \
      "vsetvli %[group],zero,e32,m4,ta,ma\n\t" \
      "vmv.v.i v8,0\n\t"                       \
      "vmv1r.v v16,v8\n\t"                     \
      "slli %[group],%[group],2\n\t"           \
      "bgeu %[group],%[n],5f\n\t"              \
      "vwaddu.vv v0,v8,v8\n\t"                 \
      "slli %[step],%[group],1\n\t"            \
      "bltu %[n],%[step],3f\n\t"               \
      "vwaddu.vv v24,v8,v8\n\t"

/* The lanes of v24 to those of v0. */
#  define JOIN                             \
      "vsetvli zero,zero,e64,m8,ta,ma\n\t" \
      "vadd.vv v0,v0,v24\n\t"              \
      "vsetvli zero,zero,e32,m4,ta,ma\n"

/* The sum of v0's lanes to v16, then the n bytes at p to v8, less than a group. */
#  define LOAD_REST                           \
      "vsetvli zero,zero,e64,m8,ta,ma\n\t"    \
      "vredsum.vs v16,v0,v16\n"               \
      "5:\tvsetvli zero,%[n],e8,m4,tu,ma\n\t" \
      "vle8.v v8,(%[p])\n\t"

/* The words of v8 to v16, and that to sum. */
#  define FINISH                           \
      "addi %[n],%[n],3\n\t"               \
      "srli %[n],%[n],2\n\t"               \
      "vsetvli zero,%[n],e32,m4,ta,ma\n\t" \
      "vwredsumu.vs v16,v8,v16\n\t"        \
      "vsetivli zero,1,e64,m1,ta,ma\n\t"   \
      "vmv.x.s %[sum],v16\n\t"             \
      ".option pop"

/* n <= BLOCK */
static __attribute__((noinline)) uint64_t sum_block(const uint8_t *p, size_t n)
{
    uint64_t sum, group, step, stop;
    /* clang-format off */
    __asm__(
        START
        "vl4re8.v v12,(%[p])\n\t"
        "add %[p],%[p],%[group]\n\t"
        "vl4re8.v v20,(%[p])\n\t"
        "add %[p],%[p],%[group]\n\t"
        "sub %[n],%[n],%[step]\n\t"
        "neg %[step],%[step]\n\t"
        "and %[stop],%[n],%[step]\n\t"
        "sub %[n],%[n],%[stop]\n\t"
        "add %[stop],%[p],%[stop]\n\t"
        "beq %[p],%[stop],2f\n"
        "1:\tvwaddu.wv v0,v0,v12\n\t"
        "vl4re8.v v12,(%[p])\n\t"
        "add %[p],%[p],%[group]\n\t"
        "vwaddu.wv v24,v24,v20\n\t"
        "vl4re8.v v20,(%[p])\n\t"
        "add %[p],%[p],%[group]\n\t"
        "bne %[p],%[stop],1b\n"
        "2:\tvwaddu.wv v0,v0,v12\n\t"
        "vwaddu.wv v24,v24,v20\n\t"
        JOIN
        "3:\tbltu %[n],%[group],4f\n\t"
        "vl4re8.v v12,(%[p])\n\t"
        "add %[p],%[p],%[group]\n\t"
        "sub %[n],%[n],%[group]\n\t"
        "vwaddu.wv v0,v0,v12\n"
        "4:\t" LOAD_REST
        FINISH
        : [sum] "=r"(sum), [p] "+&r"(p), [n] "+&r"(n), [group] "=&r"(group), [step] "=&r"(step),
          [stop] "=&r"(stop)
        :
        : "memory" VECTOR_STATE);
    /* clang-format on */
    return sum;
}

/* The same of a copy. */
static __attribute__((noinline)) uint64_t copy_block(uint8_t *out, const uint8_t *p, size_t n)
{
    uint64_t sum, group, step, stop;
    /* clang-format off */
    __asm__ volatile(
        START
        "neg %[step],%[step]\n\t"
        "and %[stop],%[n],%[step]\n\t"
        "sub %[n],%[n],%[stop]\n\t"
        "add %[stop],%[p],%[stop]\n"
        "1:\tvl4re8.v v12,(%[p])\n\t"
        "add %[p],%[p],%[group]\n\t"
        "vl4re8.v v20,(%[p])\n\t"
        "add %[p],%[p],%[group]\n\t"
        "vwaddu.wv v0,v0,v12\n\t"
        "vs4r.v v12,(%[out])\n\t"
        "add %[out],%[out],%[group]\n\t"
        "vwaddu.wv v24,v24,v20\n\t"
        "vs4r.v v20,(%[out])\n\t"
        "add %[out],%[out],%[group]\n\t"
        "bne %[p],%[stop],1b\n\t"
        JOIN
        "3:\tbltu %[n],%[group],4f\n\t"
        "vl4re8.v v12,(%[p])\n\t"
        "add %[p],%[p],%[group]\n\t"
        "sub %[n],%[n],%[group]\n\t"
        "vwaddu.wv v0,v0,v12\n\t"
        "vs4r.v v12,(%[out])\n\t"
        "add %[out],%[out],%[group]\n"
        "4:\t" LOAD_REST
        "vse8.v v8,(%[out])\n\t"
        FINISH
        : [sum] "=r"(sum), [out] "+&r"(out), [p] "+&r"(p), [n] "+&r"(n),
          [group] "=&r"(group), [step] "=&r"(step), [stop] "=&r"(stop)
        :
        : "memory" VECTOR_STATE);
    /* clang-format on */
    return sum;
}

uint64_t wiresum_kernel_riscv_v(const void *data, size_t n)
{
    const uint8_t *p = data;
    if (WIRESUM_LIKELY(n <= BLOCK))
        return sum_block(p, n);
    uint64_t sum = 0;
    for (; n > BLOCK; n -= BLOCK, p += BLOCK)
        sum = wiresum_add64(sum, sum_block(p, BLOCK));
    return wiresum_add64(sum, sum_block(p, n));
}

uint64_t wiresum_kernel_riscv_v_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    if (WIRESUM_LIKELY(n <= BLOCK))
        return copy_block(out, p, n);
    uint64_t sum = 0;
    for (; n > BLOCK; n -= BLOCK, p += BLOCK, out += BLOCK)
        sum = wiresum_add64(sum, copy_block(out, p, BLOCK));
    return wiresum_add64(sum, copy_block(out, p, n));
}

#else
typedef int wiresum_riscv_v_is_not_for_this_machine;
#endif
