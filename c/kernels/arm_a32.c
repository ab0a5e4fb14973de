/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * 32-bit ARM from ARMv4 on, and Thumb-2: 64 bytes a step. One ldm loads eight words, and eight adcs
 * add them. The carry stays in the flag from the first word to the last byte, since teq and tst
 * with a small constant do not change it. No compiler keeps the carry across a loop, so the loop is
 * assembly.
 *
 * ldm needs an address that is a multiple of four. The kernel adds one to three bytes before it.
 * Where the data starts at an odd address, each byte is in the other half of its word, and the
 * kernel swaps the sum at the end (RFC 1071, 2(B)).
 *
 * Thumb-1 has neither ldm of eight registers nor adcs of three operands. Where the CPU also has ARM
 * state, these functions are compiled for ARM state. The assembly leaves r7, r9 and r11 alone: one
 * ABI or another keeps its frame or its data there.
 *
 * Bound: none. The next adcs adds the carry out of bit 31 at bit 0.
 */
#include "../src/kernel.h"

#if WIRESUM_HAVE_ARM_A32

WIRESUM_DECLARE_KERNEL(arm_a32);

#  if defined(__thumb__) && !defined(__thumb2__)
#    define TARGET __attribute__((target("arm")))
#  else
#    define TARGET
#  endif

#  define EIGHT "{r3, r4, r5, r6, r8, r10, r12, lr}"
#  define FOUR  "{r3, r4, r5, r6}"
#  define ADD_FOUR                  \
      "adcs %[sum], %[sum], r3\n\t" \
      "adcs %[sum], %[sum], r4\n\t" \
      "adcs %[sum], %[sum], r5\n\t" \
      "adcs %[sum], %[sum], r6\n\t"
#  define ADD_EIGHT                  \
      ADD_FOUR                       \
      "adcs %[sum], %[sum], r8\n\t"  \
      "adcs %[sum], %[sum], r10\n\t" \
      "adcs %[sum], %[sum], r12\n\t" \
      "adcs %[sum], %[sum], lr\n\t"

/* How far a byte moves to be the first or the second byte of its half-word. */
#  if WIRESUM_BIG_ENDIAN
#    define FIRST_BYTE ", lsl #8"
enum { SECOND_BYTE_SHIFT = 0 };
#  else
#    define FIRST_BYTE ""
enum { SECOND_BYTE_SHIFT = 8 };
#  endif

/* The sum, with the bytes of each word exchanged where the data starts at an odd address. */
TARGET static inline uint64_t result(uint32_t sum, bool odd)
{
    return WIRESUM_UNLIKELY(odd) ? wiresum_swap(wiresum_fold(sum)) : sum;
}

TARGET uint64_t wiresum_kernel_arm_a32(const void *data, size_t n)
{
    const uint8_t *p = data;
    const bool odd = (uintptr_t)p & 1;
    uint32_t sum = 0;

    if (WIRESUM_UNLIKELY((uintptr_t)p & 3)) {
        if (odd && n >= 1) {
            sum = (uint32_t)*p << SECOND_BYTE_SHIFT;
            p++, n--;
        }
        if (((uintptr_t)p & 2) && n >= 2) {
            sum += wiresum_load16(__builtin_assume_aligned(p, 2));
            p += 2, n -= 2;
        }
        if (((uintptr_t)p & 3) || n == 0) /* at most one byte is left, at an even address */
            return result(sum + (n ? (uint32_t)*p << (8 - SECOND_BYTE_SHIFT) : 0), odd);
    }

    const uint8_t *end;
    /* clang-format off */
    __asm__(
        "adds %[sum], %[sum], #0\n\t" /* no carry yet */
        "bic %[end], %[n], #63\n\t"
        "add %[end], %[p], %[end]\n\t"
        "teq %[p], %[end]\n\t"
        "beq 2f\n"
        "1:\tldmia %[p]!, " EIGHT "\n\t"
        ADD_EIGHT
        "ldmia %[p]!, " EIGHT "\n\t"
        ADD_EIGHT
        "teq %[p], %[end]\n\t"
        "bne 1b\n"
        "2:\ttst %[n], #63\n\t"
        "beq 9f\n\t"
        "tst %[n], #32\n\t"
        "beq 3f\n\t"
        "ldmia %[p]!, " EIGHT "\n\t"
        ADD_EIGHT
        "3:\ttst %[n], #16\n\t"
        "beq 4f\n\t"
        "ldmia %[p]!, " FOUR "\n\t"
        ADD_FOUR
        "4:\ttst %[n], #8\n\t"
        "beq 5f\n\t"
        "ldmia %[p]!, {r3, r4}\n\t"
        "adcs %[sum], %[sum], r3\n\t"
        "adcs %[sum], %[sum], r4\n"
        "5:\ttst %[n], #4\n\t"
        "beq 6f\n\t"
        "ldr r3, [%[p]], #4\n\t"
        "adcs %[sum], %[sum], r3\n"
        "6:\ttst %[n], #2\n\t"
        "beq 7f\n\t"
        "ldrh r3, [%[p]], #2\n\t"
        "adcs %[sum], %[sum], r3\n"
        "7:\ttst %[n], #1\n\t"
        "beq 9f\n\t"
        "ldrb r3, [%[p]]\n\t"
        "adcs %[sum], %[sum], r3" FIRST_BYTE "\n"
        "9:\tadc %[sum], %[sum], #0"
        : [sum] "+r"(sum), [p] "+r"(p), [end] "=&r"(end)
        : [n] "r"(n), "m"(*(const uint8_t (*)[n])data)
        : "r3", "r4", "r5", "r6", "r8", "r10", "r12", "lr", "cc");
    /* clang-format on */
    return result(sum, odd);
}

typedef uint32_t __attribute__((may_alias)) word;

/* Copies a byte, and returns what it adds to the sum of the aligned words. */
TARGET static inline uint32_t copy_byte(uint8_t *out, const uint8_t *p)
{
    const uint32_t byte = wiresum_load8_once(p);
    *out = (uint8_t)byte;
    return byte << ((uintptr_t)p & 1 ? SECOND_BYTE_SHIFT : 8 - SECOND_BYTE_SHIFT);
}

TARGET uint64_t wiresum_kernel_arm_a32_copy(void *dst, const void *src, size_t n)
{
    const uint8_t *p = src;
    uint8_t *out = dst;
    const bool odd = (uintptr_t)p & 1;
    uint64_t sum = 0;

    for (; ((uintptr_t)p & 3) && n; n--)
        sum += copy_byte(out++, p++);
    if (n >= 32 && ((uintptr_t)out & 3) == 0) {
        const uint8_t *const end = p + (n & ~(size_t)31);
        uint32_t low = 0;
        /* clang-format off */
        __asm__ volatile(
            "adds %[sum], %[sum], #0\n"
            "1:\tldmia %[p]!, " EIGHT "\n\t"
            "stmia %[out]!, " EIGHT "\n\t"
            ADD_EIGHT
            "teq %[p], %[end]\n\t"
            "bne 1b\n\t"
            "adc %[sum], %[sum], #0"
            : [sum] "+r"(low), [p] "+r"(p), [out] "+r"(out)
            : [end] "r"(end)
            : "r3", "r4", "r5", "r6", "r8", "r10", "r12", "lr", "cc", "memory");
        /* clang-format on */
        sum += low;
        n &= 31;
    }
    /* Where out and p differ in alignment, no store is aligned. Before ARMv6 the compiler then
     * stores each word byte by byte. */
    for (; n >= 16; n -= 16, p += 16, out += 16) {
        const word *const from = __builtin_assume_aligned(p, 4);
        const word a = from[0], b = from[1], c = from[2], d = from[3];
        wiresum_store32(out, a);
        wiresum_store32(out + 4, b);
        wiresum_store32(out + 8, c);
        wiresum_store32(out + 12, d);
        sum += a;
        sum += b;
        sum += c;
        sum += d;
    }
    for (; n; n--)
        sum += copy_byte(out++, p++);
    return WIRESUM_UNLIKELY(odd) ? wiresum_swap(wiresum_fold(sum)) : sum;
}

#else
typedef int wiresum_arm_a32_is_not_for_this_machine;
#endif
