/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The vector facility of z/Architecture (z13 and later): 128 bytes a step. vcksm adds the four
 * words of a vector to a fifth word, with end-around carry. The copy differs from the sum in its
 * stores only, so one walk serves both. Eight accumulators hide the latency of vcksm. vll loads the
 * last bytes: it loads as many as the kernel asks for, puts zeros after them, and accesses no
 * other byte.
 *
 * QEMU 7.2 computes wrong sums with vcksm (the words 1 0 0 0 add up to 8, not 1). QEMU 10.0 is
 * right.
 *
 * Bound: none. vcksm adds each carry at the lower end.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_S390X_VX

WIRESUM_DECLARE_KERNEL(s390x_vx);

#  if defined(__clang__)
#    define TARGET __attribute__((target("vector")))
#  else
#    define TARGET __attribute__((target("arch=z13,vx")))
#  endif

typedef unsigned vector __attribute__((vector_size(16)));
struct __attribute__((packed, may_alias)) unaligned {
    vector words;
};

TARGET static inline vector load(const uint8_t *p)
{
    return ((const struct unaligned *)(const void *)p)->words;
}

TARGET static inline void store(uint8_t *p, vector x)
{
    ((struct unaligned *)(void *)p)->words = x;
}

/* Adds the words of x to word 1 of sum, the only one that is not zero. */
TARGET static inline vector add(vector sum, vector x)
{
    return __builtin_s390_vcksm(x, sum);
}

struct sums {
    vector a, b, c, d, e, f, g, h;
};

#  define LOAD_EIGHT  "vlm %%v16, %%v23, 0(%[p])\n\t"
#  define STORE_EIGHT "vstm %%v16, %%v23, 0(%[out])\n\t"
#  define ADD_EIGHT                 \
      "vcksm %[a], %%v16, %[a]\n\t" \
      "vcksm %[b], %%v17, %[b]\n\t" \
      "vcksm %[c], %%v18, %[c]\n\t" \
      "vcksm %[d], %%v19, %[d]\n\t" \
      "vcksm %[e], %%v20, %[e]\n\t" \
      "vcksm %[f], %%v21, %[f]\n\t" \
      "vcksm %[g], %%v22, %[g]\n\t" \
      "vcksm %[h], %%v23, %[h]"
#  define SUMS                                                                                  \
      [a] "+v"(s.a), [b] "+v"(s.b), [c] "+v"(s.c), [d] "+v"(s.d), [e] "+v"(s.e), [f] "+v"(s.f), \
          [g] "+v"(s.g), [h] "+v"(s.h)
#  define EIGHT "v16", "v17", "v18", "v19", "v20", "v21", "v22", "v23"

/* Adds 128 bytes. In assembly for vlm and vstm, which load and store eight vectors with one
 * instruction. */
TARGET static inline struct sums add128(struct sums s, uint8_t *out, const uint8_t *p, bool copies)
{
    if (copies)
        __asm__ volatile(LOAD_EIGHT STORE_EIGHT ADD_EIGHT
                         : SUMS
                         : [p] "a"(p), [out] "a"(out)
                         : "memory", EIGHT);
    else
        __asm__(LOAD_EIGHT ADD_EIGHT : SUMS : [p] "a"(p), "m"(*(const uint8_t (*)[128])p) : EIGHT);
    return s;
}

TARGET static inline __attribute__((always_inline)) uint64_t walk(uint8_t *out, const uint8_t *p,
                                                                  size_t n, bool copies)
{
    vector a = { 0 };
    if (n >= 128) {
        struct sums s = { a, a, a, a, a, a, a, a };
        do {
            s = add128(s, out, p, copies);
            if (copies)
                out += 128;
            n -= 128, p += 128;
        } while (n >= 128);
        a = add(add(add(s.a, s.b), add(s.c, s.d)), add(add(s.e, s.f), add(s.g, s.h)));
    }
    if (n >= 64) {
        const vector x0 = load(p), x1 = load(p + 16), x2 = load(p + 32), x3 = load(p + 48);
        if (copies) {
            store(out, x0);
            store(out + 16, x1);
            store(out + 32, x2);
            store(out + 48, x3);
            out += 64;
        }
        const vector zero = { 0 };
        a = add(add(add(a, x0), x1), add(add(zero, x2), x3));
        n -= 64, p += 64;
    }
    for (; n >= 16; n -= 16, p += 16) {
        const vector x = load(p);
        if (copies) {
            store(out, x);
            out += 16;
        }
        a = add(a, x);
    }
    if (n) {
        const vector x = (vector)__builtin_s390_vll((unsigned)n - 1, p);
        if (copies)
            __builtin_s390_vstl((__attribute__((vector_size(16))) signed char)x, (unsigned)n - 1,
                                out);
        a = add(a, x);
    }
    return a[1];
}

TARGET uint64_t wiresum_kernel_s390x_vx(const void *data, size_t n)
{
    return walk(NULL, data, n, false);
}

TARGET uint64_t wiresum_kernel_s390x_vx_copy(void *dst, const void *src, size_t n)
{
    return walk(dst, src, n, true);
}

#else
typedef int wiresum_s390x_vx_is_not_for_this_machine;
#endif
