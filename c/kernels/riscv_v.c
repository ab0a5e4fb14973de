/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * RISC-V V 1.0, at any vector length: vwaddu.wv adds the 32-bit words of four registers to the
 * 64-bit lanes of eight, one operation a vector. A step is two such groups, 128 bytes where a
 * register has 128 bits. Each group is added while the next is loaded, into an accumulator of its
 * own, so that an in-order core waits for neither. vl4re8.v loads whole registers from any address
 * and ignores vtype. The loop therefore has loads, additions and two pointer steps, and nothing
 * else.
 *
 * Fewer bytes than a group need no loop and no branch. vsetvli takes their number, and the load
 * leaves the zeros after them undisturbed. vwredsumu.vs sums the words where there are no others.
 * After a loop they are added to its lanes, because a sum across lanes takes as long as several
 * additions. The kernel reads and writes no byte beyond the length. It depends on no agnostic tail:
 * vl is the number of words again where lanes are added.
 *
 * The kernel is assembly: GCC 12 has no vector intrinsics, and not every compiler takes a target
 * attribute for them. The ISA defines the words of a vector register as little-endian, so the
 * kernel is not for a big-endian RISC-V.
 *
 * Bound: a lane takes 2^32 words, and the sum of all lanes of a BLOCK is below 2^60.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_RISCV_V

WIRESUM_DECLARE_KERNEL(riscv_v);

/* Bytes between two flushes, a multiple of a step at every vector length. */
enum { BLOCK = 1 << 30 };

/* GCC before 13 does not know these names, and does not use the registers. */
#  if defined(__clang__) || __GNUC__ >= 13
#    define VECTOR_STATE                                                                           \
        , "vl", "vtype", "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", \
            "v12", "v13", "v14", "v15", "v16", "v20", "v21", "v22", "v23", "v24", "v25", "v26",    \
            "v27", "v28", "v29", "v30", "v31"
#  else
#    define VECTOR_STATE
#  endif

/* Clears v8 to v11 and the first lane of v16. Sets group to the bytes of four registers. Branches
 * to 5 where n is no more. */
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

/* Adds the lanes of v24 to the lanes of v0. */
#  define JOIN                             \
      "vsetvli zero,zero,e64,m8,ta,ma\n\t" \
      "vadd.vv v0,v0,v24\n\t"              \
      "vsetvli zero,zero,e32,m4,ta,ma\n"

/* Loads the n bytes at p, fewer than a group, into v8. */
#  define LOAD_REST                       \
      "vsetvli zero,%[n],e8,m4,tu,ma\n\t" \
      "vle8.v v8,(%[p])\n\t"

/* Adds the words of v8 to the lanes of v0, and sums the lanes into v16. */
#  define FINISH                               \
      "vsetvli %[group],zero,e32,m4,ta,ma\n\t" \
      "vwaddu.wv v0,v0,v8\n\t"                 \
      "vsetvli zero,zero,e64,m8,ta,ma\n\t"     \
      "vredsum.vs v16,v0,v16\n\t"              \
      "j 6f\n"

/* Sums the words of v8, the only ones, into v16. */
#  define FINISH_SHORT                     \
      "addi %[n],%[n],3\n\t"               \
      "srli %[n],%[n],2\n\t"               \
      "vsetvli zero,%[n],e32,m4,ta,ma\n\t" \
      "vwredsumu.vs v16,v8,v16\n"

/* Moves v16 to sum. */
#  define RETURN                             \
      "6:\tvsetivli zero,1,e64,m1,ta,ma\n\t" \
      "vmv.x.s %[sum],v16\n\t"               \
      ".option pop"

/* Returns the sum of n <= BLOCK bytes. */
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
        "4:\t" LOAD_REST FINISH
        "5:\t" LOAD_REST FINISH_SHORT RETURN
        : [sum] "=r"(sum), [p] "+&r"(p), [n] "+&r"(n), [group] "=&r"(group), [step] "=&r"(step),
          [stop] "=&r"(stop)
        :
        : "memory" VECTOR_STATE);
    /* clang-format on */
    return sum;
}

/* Copies n <= BLOCK bytes, and returns their sum. */
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
        "5:\t" LOAD_REST
        "vse8.v v8,(%[out])\n\t"
        FINISH_SHORT RETURN
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
