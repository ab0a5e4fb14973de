/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * RISC-V without vectors, 32 and 64 bits: four words a step (16 or 32 bytes). There is no carry
 * flag. sltu makes the carry of each addition, and the kernel counts the carries apart from the
 * total. A word takes a load, an add, an sltu and an add. Words split into halves, or loaded as
 * halves, take as many instructions. Three operations a load are the limit of each core with fewer
 * than three ALUs a load port. Four words fit in the registers that a function need not preserve.
 * They are added as a tree, so that the total takes one addition a step.
 *
 * The walk follows aligned words: many cores trap on others, and a compiler that must expect a trap
 * loads an unaligned word byte by byte. The bytes before and after the words are loaded in pieces,
 * each aligned to its own size. Where the data starts at an odd address, the kernel turns the
 * result by one byte, which swaps the bytes of every word (RFC 1071, 2(B)). Zbb would save nothing
 * here: the result stays a partial sum, and the turn is one rotation.
 *
 * Bound: none. There are fewer carries than words, and the count of carries is added at bit 0.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_RISCV_SCALAR

WIRESUM_DECLARE_KERNEL(riscv_scalar);

typedef unsigned long word __attribute__((may_alias));
typedef uint32_t word32 __attribute__((may_alias));
typedef uint16_t word16 __attribute__((may_alias));

enum { WORD = sizeof(word), BITS = 8 * WORD };

struct totals {
    word sum, carries;
};

static inline void add(struct totals *t, word x)
{
    t->sum += x;
    t->carries += t->sum < x;
}

/* Adds four words as a tree. */
static inline void add4(struct totals *t, word a, word b, word c, word d)
{
    const word ab = a + b, cd = c + d, all = ab + cd;
    t->sum += all;
    t->carries += ((word)(ab < b) + (cd < d)) + ((word)(all < cd) + (t->sum < all));
}

/* Returns the sum of the words, and of the carries and the pieces around the words, which share a
 * count. Where the data starts at an odd address, the sum is turned by one byte. */
static inline word total(struct totals t, unsigned odd)
{
    const word sum = t.sum + t.carries, all = sum + (sum < t.carries);
    return odd ? all << 8 | all >> (BITS - 8) : all;
}

uint64_t wiresum_kernel_riscv_scalar(const void *data, size_t n)
{
    const uint8_t *p = data;
    const unsigned odd = (uintptr_t)p & 1;
    struct totals t = { 0, 0 };

    /* Adds the pieces before the first aligned word. Data too short for a piece leaves p where each
     * piece at the end is aligned. */
    if ((uintptr_t)p % WORD != 0) {
        if (odd && n >= 1) {
            t.carries += (word)*p << (WIRESUM_BIG_ENDIAN ? 0 : 8);
            p += 1, n -= 1;
        }
        if ((uintptr_t)p & 2 && n >= 2) {
            t.carries += *(const word16 *)p;
            p += 2, n -= 2;
        }
        if (WORD == 8 && (uintptr_t)p & 4 && n >= 4) {
            t.carries += *(const word32 *)p;
            p += 4, n -= 4;
        }
    }
    for (const uint8_t *const stop = p + (n & ~(size_t)(4 * WORD - 1)); p != stop; p += 4 * WORD) {
        const word *const w = (const word *)p;
        add4(&t, w[0], w[1], w[2], w[3]);
    }
    for (const uint8_t *const stop = p + (n & 3 * WORD); p != stop; p += WORD)
        add(&t, *(const word *)p);
    if (WORD == 8 && n & 4) {
        t.carries += *(const word32 *)p;
        p += 4;
    }
    if (n & 2) {
        t.carries += *(const word16 *)p;
        p += 2;
    }
    if (n & 1)
        t.carries += (word)*p << (WIRESUM_BIG_ENDIAN ? 8 : 0);
    return total(t, odd);
}

/* Copies n bytes, a small number, one by one, and returns their sum. */
static inline word copy_bytes(uint8_t *out, const uint8_t *p, size_t n)
{
    word first = 0, second = 0;
    for (; n >= 2; n -= 2, p += 2, out += 2) {
        first += out[0] = p[0];
        second += out[1] = p[1];
    }
    if (n)
        first += out[0] = p[0];
    return WIRESUM_BIG_ENDIAN ? (first << 8) + second : first + (second << 8);
}

/* Joins a word from the bytes of a from bit shift on, and the first bytes of b. */
static inline word join(word a, word b, unsigned shift)
{
    return WIRESUM_BIG_ENDIAN ? a << shift | b >> (BITS - shift) : a >> shift | b << (BITS - shift);
}

uint64_t wiresum_kernel_riscv_scalar_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    size_t head = -(uintptr_t)out % WORD;
    if (head < ((uintptr_t)p + head) % WORD)
        head += WORD; /* the first aligned word must not begin before src */
    if (n < head + 2 * WORD)
        return copy_bytes(out, p, n);

    /* Loads and stores are aligned. Where source and destination differ in alignment, each word to
     * store is joined from two. */
    struct totals t = { copy_bytes(out, p, head), 0 };
    const uint64_t before = t.sum;
    p += head, out += head, n -= head;
    const unsigned shift = 8 * (unsigned)((uintptr_t)p % WORD);
    t.sum = 0;
    if (shift == 0) {
        for (; n >= 4 * WORD; n -= 4 * WORD, p += 4 * WORD, out += 4 * WORD) {
            const word *const from = (const word *)p;
            word *const to = (word *)out;
            const word a = from[0], b = from[1], c = from[2], d = from[3];
            to[0] = a, to[1] = b, to[2] = c, to[3] = d;
            add4(&t, a, b, c, d);
        }
        for (; n >= WORD; n -= WORD, p += WORD, out += WORD) {
            const word a = *(const word *)p;
            *(word *)out = a;
            add(&t, a);
        }
    } else {
        const word *from = (const word *)(p - shift / 8);
        word last = *from++;
        for (; n >= 5 * WORD; n -= 4 * WORD, from += 4, p += 4 * WORD, out += 4 * WORD) {
            word *const to = (word *)out;
            const word x0 = from[0], x1 = from[1], x2 = from[2], x3 = from[3];
            const word a = join(last, x0, shift), b = join(x0, x1, shift), c = join(x1, x2, shift),
                       d = join(x2, x3, shift);
            to[0] = a, to[1] = b, to[2] = c, to[3] = d;
            add4(&t, a, b, c, d);
            last = x3;
        }
        for (; n >= 2 * WORD; n -= WORD, p += WORD, out += WORD) {
            const word x = *from++, a = join(last, x, shift);
            *(word *)out = a;
            add(&t, a);
            last = x;
        }
    }
    t.carries += copy_bytes(out, p, n);
    return wiresum_add64(before, total(t, head & 1));
}

#else
typedef int wiresum_riscv_scalar_is_not_for_this_machine;
#endif
