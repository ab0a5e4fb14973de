/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * This kernel uses AltiVec (G4, 970). A step of a sum takes 128 bytes, and a step of a copy 64.
 * Each vector takes one vmsumuhm, as in IBM's article of 2004 (evidence/lab/altivec). vmsumuhm
 * multiplies eight 16-bit words, here by ones, and adds two neighboring products to a 32-bit lane.
 * One vmsumuhm starts each cycle. Its result takes 4 cycles on the G4 and 5 on the 970, so a sum
 * has eight accumulators that take turns. On POWER9, where the result takes 7 cycles, ppc_vsx has
 * twelve.
 *
 * lvx loads aligned vectors only: it clears the low bits of an address. The sum follows aligned
 * vectors, and adds the bytes before and after them in words. Where the data starts at an odd
 * address, the kernel turns the result by one byte, which swaps the bytes of every word (RFC 1071,
 * 2(B)). The copy stores aligned vectors, and vperm joins each from two vectors loaded.
 *
 * The kernel reads no byte outside the data, not even inside an aligned vector. The first two
 * vectors that the copy joins begin at src or after it, and the last two end at the end or before
 * it. At most 31 bytes are left at either end, and are copied in words.
 *
 * The loops are assembly with fixed registers: GCC for 32-bit PowerPC refuses target("altivec") on
 * a function ("changes AltiVec ABI"). No function has to preserve v0 to v19.
 *
 * Bound: a vector adds at most 2 × 0xFFFF to a lane. The accumulators are joined before a flush, so
 * all their vectors count together: 32768 × 131070 < 2^32 allows 512 KiB between two flushes.
 */
#include "ppc_words.h"

#if WIRESUM_HAVE_PPC_ALTIVEC

WIRESUM_DECLARE_KERNEL(ppc_altivec);

enum {
    BLOCK = 32768 * 16, /* bytes between two flushes                    */
    SUM_FROM = 96,      /* below, ppc_scalar takes fewer instructions */
    COPY_FROM = 128,
};

/* Joins a vector from two that were loaded. Their order and the shift depend on the byte order. */
#  if WIRESUM_BIG_ENDIAN
#    define ALIGNMENT           "lvsl"
#    define JOIN(to, from, and) "vperm " #to "," #from "," #and ",18\n\t"
#  else
#    define ALIGNMENT           "lvsr"
#    define JOIN(to, from, and) "vperm " #to "," #and "," #from ",18\n\t"
#  endif

/* Adds the lanes of v0 to one word, and stores the word: no instruction moves it to a general
 * register. */
#  define FLUSH                \
      "vmsumuhm 0,0,19,16\n\t" \
      "vsumsws 0,0,16\n\t"     \
      "vspltw 0,0,3\n\t"       \
      "stvewx 0,0,%[sum]\n\t"

/* Returns the sum of aligned vectors, at most a BLOCK. */
static inline uint32_t sum_vectors(const uint8_t *p, size_t vectors)
{
    uint32_t sum;
    size_t steps = vectors / 8;
    /* clang-format off */
    __asm__(
        ".machine push\n\t"
        ".machine altivec\n\t"
        "vspltish 19,1\n\t"
        "vspltisw 16,0\n\t"
        "vspltisw 0,0\n\t"
        "cmplwi %[steps],0\n\t"
        "beq 2f\n\t"
        "mtctr %[steps]\n\t"
        "vspltisw 1,0\n\t"
        "vspltisw 2,0\n\t"
        "vspltisw 3,0\n\t"
        "vspltisw 4,0\n\t"
        "vspltisw 5,0\n\t"
        "vspltisw 6,0\n\t"
        "vspltisw 7,0\n"
        "1:\tlvx 8,0,%[p]\n\t"
        "lvx 9,%[p],%[i1]\n\t"
        "lvx 10,%[p],%[i2]\n\t"
        "lvx 11,%[p],%[i3]\n\t"
        "lvx 12,%[p],%[i4]\n\t"
        "vmsumuhm 0,8,19,0\n\t"
        "lvx 13,%[p],%[i5]\n\t"
        "vmsumuhm 1,9,19,1\n\t"
        "lvx 14,%[p],%[i6]\n\t"
        "vmsumuhm 2,10,19,2\n\t"
        "lvx 15,%[p],%[i7]\n\t"
        "vmsumuhm 3,11,19,3\n\t"
        "addi %[p],%[p],128\n\t"
        "vmsumuhm 4,12,19,4\n\t"
        "vmsumuhm 5,13,19,5\n\t"
        "vmsumuhm 6,14,19,6\n\t"
        "vmsumuhm 7,15,19,7\n\t"
        "bdnz 1b\n\t"
        "vadduwm 0,0,4\n\t"
        "vadduwm 1,1,5\n\t"
        "vadduwm 2,2,6\n\t"
        "vadduwm 3,3,7\n\t"
        "vadduwm 0,0,2\n\t"
        "vadduwm 1,1,3\n\t"
        "vadduwm 0,0,1\n"
        "2:\tandi. %[vectors],%[vectors],7\n\t"
        "beq 4f\n\t"
        "mtctr %[vectors]\n"
        "3:\tlvx 8,0,%[p]\n\t"
        "addi %[p],%[p],16\n\t"
        "vmsumuhm 0,8,19,0\n\t"
        "bdnz 3b\n"
        "4:\t" FLUSH
        ".machine pop"
        : "=m"(sum), [p] "+b"(p), [vectors] "+r"(vectors)
        : [sum] "r"(&sum), [steps] "r"(steps), [i1] "r"(16), [i2] "r"(32), [i3] "r"(48),
          [i4] "r"(64), [i5] "r"(80), [i6] "r"(96), [i7] "r"(112)
        : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12",
          "v13", "v14", "v15", "v16", "v19", "ctr", "cr0", "memory");
    /* clang-format on */
    return sum;
}

/* Copies vectors, at least one and at most a BLOCK, from p to the aligned address out, and returns
 * their sum. Loads vectors + 1 aligned vectors. The first of them contains p. */
static inline uint32_t copy_vectors(uint8_t *out, const uint8_t *p, size_t vectors)
{
    uint32_t sum;
    size_t steps = vectors / 4;
    /* clang-format off */
    __asm__ volatile(
        ".machine push\n\t"
        ".machine altivec\n\t"
        "vspltish 19,1\n\t"
        "vspltisw 16,0\n\t"
        "vspltisw 0,0\n\t"
        ALIGNMENT " 18,0,%[p]\n\t"
        "lvx 8,0,%[p]\n\t"
        "addi %[p],%[p],16\n\t"
        "cmplwi %[steps],0\n\t"
        "beq 2f\n\t"
        "mtctr %[steps]\n\t"
        "vspltisw 1,0\n\t"
        "vspltisw 2,0\n\t"
        "vspltisw 3,0\n"
        "1:\tlvx 9,0,%[p]\n\t"
        "lvx 10,%[p],%[i1]\n\t"
        "lvx 11,%[p],%[i2]\n\t"
        "lvx 12,%[p],%[i3]\n\t"
        JOIN(4, 8, 9)
        "addi %[p],%[p],64\n\t"
        JOIN(5, 9, 10)
        "vmsumuhm 0,4,19,0\n\t"
        "stvx 4,0,%[out]\n\t"
        JOIN(6, 10, 11)
        "vmsumuhm 1,5,19,1\n\t"
        "stvx 5,%[out],%[i1]\n\t"
        JOIN(7, 11, 12)
        "vmsumuhm 2,6,19,2\n\t"
        "stvx 6,%[out],%[i2]\n\t"
        "vor 8,12,12\n\t"
        "vmsumuhm 3,7,19,3\n\t"
        "stvx 7,%[out],%[i3]\n\t"
        "addi %[out],%[out],64\n\t"
        "bdnz 1b\n\t"
        "vadduwm 0,0,1\n\t"
        "vadduwm 2,2,3\n\t"
        "vadduwm 0,0,2\n"
        "2:\tandi. %[vectors],%[vectors],3\n\t"
        "beq 4f\n\t"
        "mtctr %[vectors]\n"
        "3:\tlvx 9,0,%[p]\n\t"
        JOIN(4, 8, 9)
        "addi %[p],%[p],16\n\t"
        "vor 8,9,9\n\t"
        "vmsumuhm 0,4,19,0\n\t"
        "stvx 4,0,%[out]\n\t"
        "addi %[out],%[out],16\n\t"
        "bdnz 3b\n"
        "4:\t" FLUSH
        ".machine pop"
        : "=m"(sum), [out] "+b"(out), [p] "+b"(p), [vectors] "+r"(vectors)
        : [sum] "r"(&sum), [steps] "r"(steps), [i1] "r"(16), [i2] "r"(32), [i3] "r"(48)
        : "v0", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v9", "v10", "v11", "v12", "v16",
          "v18", "v19", "ctr", "cr0", "memory");
    /* clang-format on */
    return sum;
}

/* Rotates a sum by a number of bytes: 1 if the data starts at an odd address or offset, and 0 if
 * not. A rotation by one byte multiplies the sum by 2^8 mod 2^32 - 1 or 2^64 - 1. */
static inline wiresum_ppc_word turn(wiresum_ppc_word sum, unsigned bytes)
{
    return sum << 8 * bytes | sum >> ((0u - 8 * bytes) & (8 * WIRESUM_PPC_WORD - 1));
}

uint64_t wiresum_kernel_ppc_altivec(const void *data, size_t n)
{
    const uint8_t *p = data;
    if (n < SUM_FROM)
        return wiresum_kernel_ppc_scalar(p, n);
    if (WIRESUM_UNLIKELY(n > BLOCK))
        return wiresum_partial_in_blocks(wiresum_kernel_ppc_altivec, BLOCK, p, n);

    const unsigned odd = (uintptr_t)p & 1;
    const size_t head = -(uintptr_t)p & 15;
    const uint8_t *const end = p + n, *const aligned = p + head;
    wiresum_ppc_word sum = 0;
    if (head != 0) {
        sum = wiresum_ppc_load_first(p, head % WIRESUM_PPC_WORD);
        for (p += head % WIRESUM_PPC_WORD; p != aligned; p += WIRESUM_PPC_WORD)
            sum = wiresum_ppc_add(sum, wiresum_ppc_load(p));
    }
    const size_t vectors = (size_t)(end - p) / 16;
    sum = wiresum_ppc_add(sum, sum_vectors(p, vectors));
    p += 16 * vectors;
    if (p != end) {
        for (; end - p >= WIRESUM_PPC_WORD; p += WIRESUM_PPC_WORD)
            sum = wiresum_ppc_add(sum, wiresum_ppc_load(p));
        sum = wiresum_ppc_add(sum, wiresum_ppc_load_last(end, (size_t)(end - p)));
    }
    return turn(sum, odd);
}

uint64_t wiresum_kernel_ppc_altivec_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    if (n < COPY_FROM)
        return wiresum_kernel_ppc_scalar_copy(out, p, n);
    if (WIRESUM_UNLIKELY(n > BLOCK))
        return wiresum_copy_in_blocks(wiresum_kernel_ppc_altivec_copy, BLOCK, out, p, n);

    size_t head = -(uintptr_t)out & 15;
    if (head < ((uintptr_t)p + head) % 16)
        head += 16; /* the first aligned vector must not begin before src */
    const wiresum_ppc_word before = (wiresum_ppc_word)wiresum_kernel_ppc_scalar_copy(out, p, head);
    const unsigned odd = head & 1;
    p += head, out += head, n -= head;

    const size_t copied = (n + (uintptr_t)p % 16) / 16 * 16 - 16;
    const wiresum_ppc_word sum = copy_vectors(out, p, copied / 16);
    const wiresum_ppc_word after =
        (wiresum_ppc_word)wiresum_kernel_ppc_scalar_copy(out + copied, p + copied, n - copied);
    return wiresum_ppc_add(before, turn(wiresum_ppc_add(sum, after), odd));
}

#else
typedef int wiresum_ppc_altivec_is_not_for_this_machine;
#endif
