/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * VSX (POWER8, 9 and 10, either byte order): 192 bytes a step, one unaligned load and one vmsumuhm
 * a vector. vmsumuhm multiplies eight 16-bit words by eight weights, and adds two neighboring
 * products to a 32-bit lane. Two start each cycle, and each takes 7 cycles, which would need 14
 * accumulators. Twelve leave six registers to load into, so that each vector is loaded six vectors
 * before it is added. No function has to preserve any of these registers.
 *
 * A branch on the remainder of a length costs some 16 cycles where lengths vary. So a fixed number
 * of vectors that end with the data takes the remainder, with the weight 0 for words that are
 * counted already and the weight 1 for the others: one of the two vectors of up to 32 bytes, two of
 * the four of up to 64, four of a longer sum, and four or eight of a longer copy. The last byte of
 * an odd length is added alone. lxvd2x swaps the halves of a vector in little-endian mode, the
 * halves of the weights too, which changes no sum.
 *
 * Bound: a vector adds at most 2 × 0xFFFF to a lane. The accumulators are joined before a flush, so
 * all their vectors count together: 32768 × 131070 < 2^32 allows 512 KiB between two flushes.
 */
#include "ppc_words.h"

#if WIRESUM_HAVE_PPC_VSX

WIRESUM_DECLARE_KERNEL(ppc_vsx);

enum {
    BLOCK = 32768 * 16, /* bytes between two flushes */
    AHEAD = 96,         /* bytes loaded before the first step of 192 */
};

#  define CLOBBERED                                                                           \
      "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v13", \
          "v14", "v15", "v16", "v17", "v18", "v19", "ctr", "cr0", "memory"

/* VSX calls v0 register 32. */
#  define LOAD(v, p, i)          "lxvd2x " #v ",%[" #p "],%[" #i "]\n\t"
#  define STORE(v, p, i)         "stxvd2x " #v ",%[" #p "],%[" #i "]\n\t"
#  define LOAD_1(v, p)           "lxvd2x " #v ",0,%[" #p "]\n\t"
#  define STORE_1(v, p)          "stxvd2x " #v ",0,%[" #p "]\n\t"
#  define LOAD_4(v, w, x, y, p)  LOAD_1(v, p) LOAD(w, p, i1) LOAD(x, p, i2) LOAD(y, p, i3)
#  define STORE_4(v, w, x, y, p) STORE_1(v, p) STORE(w, p, i1) STORE(x, p, i2) STORE(y, p, i3)

/* BEGIN makes v19, the weight 1 for each word, and v18, zeros. START begins the lanes of an
 * accumulator with the weighted words of v, and ADD adds the words of v. */
#  define START(lanes, v, weights) "vmsumuhm " #lanes "," #v "," #weights ",18\n\t"
#  define ADD(lanes, v)            "vmsumuhm " #lanes "," #v ",19," #lanes "\n\t"
#  define JOIN(lanes, others)      "vadduwm " #lanes "," #lanes "," #others "\n\t"
#  define BEGIN             \
      ".machine push\n\t"   \
      ".machine power8\n\t" \
      "vspltish 19,1\n\t"   \
      "vspltisw 18,0\n\t"

/* Adds v0 and v1, and moves the two halves of the sum to general registers. */
#  define END                   \
      JOIN(0, 1)                \
      "xxpermdi 33,32,32,2\n\t" \
      "mfvsrd %[first],32\n\t"  \
      "mfvsrd %[second],33\n\t" \
      ".machine pop"

/* Returns a pointer to weights of the vectors before the end of data, of which the last r bytes,
 * r <= 128, still count. The weights of a vector are as far before the pointer as the vector is
 * before the end. */
static inline const uint8_t *weights_of(size_t r)
{
#  define ONES_16 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1
    static const uint16_t none_then_one[128] = { [64] = ONES_16, ONES_16, ONES_16, ONES_16 };
    return (const uint8_t *)(none_then_one + 64) + r;
}

/* Returns the sum of an even number of bytes, 16 <= n <= 32. */
static inline uint64_t sum_upto32(const uint8_t *p, size_t n)
{
    uint64_t first, second;
    __asm__(BEGIN LOAD_1(40, p) LOAD(41, p, i1) LOAD(33, weights, i1) START(0, 8, 19) START(1, 9, 1)
                END
            : [first] "=r"(first), [second] "=r"(second)
            : [p] "b"(p), [weights] "b"(weights_of(0) - 16), [i1] "r"(n - 16)
            : CLOBBERED);
    return first + second;
}

/* The same for 32 <= n <= 64. */
static inline uint64_t sum_upto64(const uint8_t *p, size_t n)
{
    uint64_t first, second;
    __asm__(BEGIN LOAD_4(40, 41, 42, 43, p) LOAD(34, weights, i2) LOAD(35, weights, i3)
                START(0, 8, 19) START(1, 9, 19) START(2, 10, 2) START(3, 11, 3) JOIN(0, 2)
                    JOIN(1, 3) END
            : [first] "=r"(first), [second] "=r"(second)
            : [p] "b"(p), [weights] "b"(weights_of(0) - 32), [i1] "r"(16), [i2] "r"(n - 32),
              [i3] "r"(n - 16)
            : CLOBBERED);
    return first + second;
}

/* Returns the sum of an even number of bytes, 64 < n <= BLOCK. */
static inline uint64_t sum_steps(const uint8_t *p, size_t n)
{
    const uint8_t *const last = p + n - 64, *ahead;
    uint64_t first = 0; /* the number of steps of 192 bytes; then of 64 */
    if (n > AHEAD + 192) {
        first = (uint32_t)(n - AHEAD - 1) / 192;
        n -= AHEAD + 192 * first;
    }
    uint64_t second = (n - 1) / 64;
    /* clang-format off */
    __asm__(BEGIN LOAD_4(40, 41, 42, 43, last) LOAD_4(32, 33, 34, 35, weights)
            "cmpldi %[first],0\n\t" START(0, 8, 0) START(1, 9, 1) START(2, 10, 2) START(3, 11, 3)
            "beq 2f\n\t"
            "mtctr %[first]\n\t"
            LOAD_4(44, 45, 46, 47, p) LOAD(48, p, i4) LOAD(49, p, i5)
            "addi %[ahead],%[p],96\n\t"
            "vspltisw 4,0\n\t"
            "vspltisw 5,0\n\t"
            "vspltisw 6,0\n\t"
            "vspltisw 7,0\n\t"
            "vspltisw 8,0\n\t"
            "vspltisw 9,0\n\t"
            "vspltisw 10,0\n\t"
            "vspltisw 11,0\n"
            "1:\t" ADD(0, 12) LOAD_1(44, ahead) ADD(1, 13) LOAD(45, ahead, i1)
            ADD(2, 14) LOAD(46, ahead, i2) ADD(3, 15) LOAD(47, ahead, i3)
            ADD(4, 16) LOAD(48, ahead, i4) ADD(5, 17) LOAD(49, ahead, i5)
            "addi %[p],%[p],192\n\t"
            ADD(6, 12) LOAD_1(44, p) ADD(7, 13) LOAD(45, p, i1)
            ADD(8, 14) LOAD(46, p, i2) ADD(9, 15) LOAD(47, p, i3)
            ADD(10, 16) LOAD(48, p, i4) ADD(11, 17) LOAD(49, p, i5)
            "addi %[ahead],%[ahead],192\n\t"
            "bdnz 1b\n\t"
            "addi %[p],%[p],96\n\t"
            ADD(0, 12) ADD(1, 13) ADD(2, 14) ADD(3, 15) ADD(4, 16) ADD(5, 17)
            JOIN(6, 8) JOIN(7, 9) JOIN(2, 10) JOIN(3, 11) JOIN(0, 4) JOIN(1, 5)
            JOIN(2, 6) JOIN(3, 7)
            "2:\tcmpldi %[second],0\n\t"
            "beq 4f\n\t"
            "mtctr %[second]\n"
            "3:\t" LOAD_4(44, 45, 46, 47, p)
            "addi %[p],%[p],64\n\t"
            ADD(0, 12) ADD(1, 13) ADD(2, 14) ADD(3, 15)
            "bdnz 3b\n"
            "4:\t" JOIN(0, 2) JOIN(1, 3) END
            : [p] "+b"(p), [ahead] "=&b"(ahead), [first] "+r"(first), [second] "+r"(second)
            : [last] "b"(last), [weights] "b"(weights_of(n - 64 * second) - 64), [i1] "r"(16),
              [i2] "r"(32), [i3] "r"(48), [i4] "r"(64), [i5] "r"(80)
            : CLOBBERED);
    /* clang-format on */
    return wiresum_ppc_add(first, second);
}

/* Copies an even number of bytes, 16 <= n <= 32, and returns their sum. The copies store the last
 * vectors first. A later store overwrites the bytes that it counts. */
static inline uint64_t copy_upto32(uint8_t *out, const uint8_t *p, size_t n)
{
    uint64_t first, second;
    __asm__ volatile(
        BEGIN LOAD_1(40, p) LOAD(41, p, i1) LOAD(33, weights, i1) STORE(41, out, i1)
            STORE_1(40, out) START(0, 8, 19) START(1, 9, 1) END
        : [first] "=r"(first), [second] "=r"(second)
        : [p] "b"(p), [out] "b"(out), [weights] "b"(weights_of(0) - 16), [i1] "r"(n - 16)
        : CLOBBERED);
    return first + second;
}

/* The same for 32 <= n <= 64. */
static inline uint64_t copy_upto64(uint8_t *out, const uint8_t *p, size_t n)
{
    uint64_t first, second;
    __asm__ volatile(BEGIN LOAD_4(40, 41, 42, 43, p) LOAD(34, weights, i2) LOAD(35, weights, i3)
                         STORE(42, out, i2) STORE(43, out, i3) STORE_1(40, out) STORE(41, out, i1)
                             START(0, 8, 19) START(1, 9, 19) START(2, 10, 2) START(3, 11, 3)
                                 JOIN(0, 2) JOIN(1, 3) END
                     : [first] "=r"(first), [second] "=r"(second)
                     : [p] "b"(p), [out] "b"(out), [weights] "b"(weights_of(0) - 32), [i1] "r"(16),
                       [i2] "r"(n - 32), [i3] "r"(n - 16)
                     : CLOBBERED);
    return first + second;
}

/* The same for 64 <= n <= 128. */
static inline uint64_t copy_upto128(uint8_t *out, const uint8_t *p, size_t n)
{
    uint64_t first, second;
    __asm__ volatile(
        BEGIN LOAD_4(40, 41, 42, 43, p) LOAD_4(44, 45, 46, 47, last) LOAD_4(32, 33, 34, 35, weights)
            STORE_4(44, 45, 46, 47, out_last) STORE_4(40, 41, 42, 43, out) START(0, 12, 0)
                START(1, 13, 1) START(2, 14, 2) START(3, 15, 3) ADD(0, 8) ADD(1, 9) ADD(2, 10)
                    ADD(3, 11) JOIN(0, 2) JOIN(1, 3) END
        : [first] "=r"(first), [second] "=r"(second)
        : [p] "b"(p), [last] "b"(p + n - 64), [out] "b"(out), [out_last] "b"(out + n - 64),
          [weights] "b"(weights_of(n - 64) - 64), [i1] "r"(16), [i2] "r"(32), [i3] "r"(48)
        : CLOBBERED);
    return first + second;
}

/* The same for 128 < n <= BLOCK. */
static inline uint64_t copy_steps(uint8_t *out, const uint8_t *p, size_t n)
{
    const size_t steps = (n - 1) / 128;
    uint64_t first, second;
    /* clang-format off */
    __asm__ volatile(
        BEGIN LOAD_4(40, 41, 42, 43, last) LOAD_4(32, 33, 34, 35, weights)
        LOAD(44, last, i4) LOAD(45, last, i5) LOAD(46, last, i6) LOAD(47, last, i7)
        LOAD(36, weights, i4) LOAD(37, weights, i5) LOAD(38, weights, i6) LOAD(39, weights, i7)
        STORE_4(40, 41, 42, 43, out_last)
        STORE(44, out_last, i4) STORE(45, out_last, i5) STORE(46, out_last, i6)
        STORE(47, out_last, i7)
        START(0, 8, 0) START(1, 9, 1) START(2, 10, 2) START(3, 11, 3)
        START(4, 12, 4) START(5, 13, 5) START(6, 14, 6) START(7, 15, 7)
        "mtctr %[steps]\n"
        "1:\t" LOAD_4(40, 41, 42, 43, p)
        LOAD(44, p, i4) LOAD(45, p, i5) LOAD(46, p, i6) LOAD(47, p, i7)
        "addi %[p],%[p],128\n\t"
        ADD(0, 8) STORE_1(40, out) ADD(1, 9) STORE(41, out, i1)
        ADD(2, 10) STORE(42, out, i2) ADD(3, 11) STORE(43, out, i3)
        ADD(4, 12) STORE(44, out, i4) ADD(5, 13) STORE(45, out, i5)
        ADD(6, 14) STORE(46, out, i6) ADD(7, 15) STORE(47, out, i7)
        "addi %[out],%[out],128\n\t"
        "bdnz 1b\n\t"
        JOIN(0, 4) JOIN(1, 5) JOIN(2, 6) JOIN(3, 7) JOIN(0, 2) JOIN(1, 3) END
        : [out] "+b"(out), [p] "+b"(p), [first] "=r"(first), [second] "=r"(second)
        : [last] "b"(p + n - 128), [out_last] "b"(out + n - 128), [steps] "r"(steps),
          [weights] "b"(weights_of(n - 128 * steps) - 128), [i1] "r"(16), [i2] "r"(32),
          [i3] "r"(48), [i4] "r"(64), [i5] "r"(80), [i6] "r"(96), [i7] "r"(112)
        : CLOBBERED);
    /* clang-format on */
    return wiresum_ppc_add(first, second);
}

uint64_t wiresum_kernel_ppc_vsx(const void *data, size_t n)
{
    const uint8_t *const p = data;
    const size_t even = n & ~(size_t)1;
    if (n < 16)
        return wiresum_partial_short(p, n);
    const uint64_t odd = wiresum_odd_byte(p, n);
    if (even <= 32)
        return odd + sum_upto32(p, even);
    if (even <= 64)
        return odd + sum_upto64(p, even);
    if (WIRESUM_UNLIKELY(n > BLOCK))
        return wiresum_partial_in_blocks(wiresum_kernel_ppc_vsx, BLOCK, p, n);
    return wiresum_ppc_add(sum_steps(p, even), odd);
}

uint64_t wiresum_kernel_ppc_vsx_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *const p = src;
    uint8_t *const out = dst;
    const size_t even = n & ~(size_t)1;
    if (n < 16)
        return wiresum_copy_short(out, p, n);
    if (WIRESUM_UNLIKELY(n > BLOCK))
        return wiresum_copy_in_blocks(wiresum_kernel_ppc_vsx_copy, BLOCK, out, p, n);
    const uint64_t odd = wiresum_copy_odd_byte(out, p, n);
    if (even <= 32)
        return odd + copy_upto32(out, p, even);
    if (even <= 64)
        return odd + copy_upto64(out, p, even);
    if (even <= 128)
        return odd + copy_upto128(out, p, even);
    return wiresum_ppc_add(copy_steps(out, p, even), odd);
}

#else
typedef int wiresum_ppc_vsx_is_not_for_this_machine;
#endif
