/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The interface that the checksum code of the Linux kernel takes from the kernel's headers, as far
 * as it matters outside of the kernel. linux.py replaces every header that such a file includes by
 * this one, except for those that its table names.
 *
 * Written for this project: names are Linux', because its code calls them; each body is what the
 * processor's ABI or the C language asks for.
 */
#ifndef SHIM_H
#define SHIM_H

#define EXPORT_SYMBOL(name)

#if defined(__ASSEMBLER__)

/* The formatter takes assembly for C and joins its lines. */
/* clang-format off */

/* arm: asm/assembler.h, little-endian */
#  if defined(__arm__)
    .syntax unified
    .macro ret, to
    mov pc, \to
    .endm
#  endif
#  define __LINUX_ARM_ARCH__ 5
#  define ENTRY(name)   .globl name; .type name, %function; name:
#  define ENDPROC(name) .size name, . - name
#  define lspull        lsr
#  define lspush        lsl
#  define get_byte_0    lsl #0
#  define get_byte_1    lsr #8
#  define get_byte_2    lsr #16
#  define get_byte_3    lsr #24
#  define put_byte_0    lsl #0
#  define put_byte_1    lsl #8
#  define put_byte_2    lsl #16
#  define put_byte_3    lsl #24

/* powerpc: asm/ppc_asm.h, asm/cache.h. A function's name is its descriptor in ABI version 1. */
#  if defined(__powerpc64__) && _CALL_ELF != 2
#    define _GLOBAL(name)                                                     \
        .section ".opd", "aw"; .balign 8; .globl name;                        \
        name: .quad .L.name, .TOC.@tocbase, 0; .previous;                     \
        .type name, @function; .L.name:
#  else
#    define _GLOBAL(name) .globl name; .type name, @function; name:
#  endif
#  define EX_TABLE(fault, target)
#  define L1_CACHE_BYTES 32
#  define L1_CACHE_SHIFT 5
#  define STACKFRAMESIZE 256
#  define STK_REG(i)     (112 + ((i) - 14) * 8)
#  define R14            14
#  define R15            15
#  define R16            16
#  define R17            17
#  define R18            18
#  define R19            19
#  define R20            20
#  define R21            21
#  define R22            22

/* x86, 32 bit: linux/linkage.h, asm/asm.h */
#  define SYM_FUNC_START(name) .globl name; .type name, @function; name:
#  define SYM_FUNC_END(name)
#  define RET ret
#  define _ASM_EXTABLE_TYPE(...)
#  define EFAULT 14

/* clang-format on */

#else

#  include <stdbool.h>
#  include <stddef.h>
#  include <stdint.h>

typedef uint8_t u8, __u8;
typedef uint16_t u16, __u16, __sum16;
typedef uint32_t u32, __u32, __wsum, __be32;
typedef uint64_t u64, __u64;
typedef int16_t s16;
typedef int32_t s32;
struct in6_addr {
    union {
        u8 s6_addr[16];
        u32 s6_addr32[4];
    };
};

#  define __force
#  define __user
#  define __no_sanitize_address
#  define __always_inline             inline __attribute__((always_inline))
#  define likely(x)                   __builtin_expect(!!(x), 1)
#  define unlikely(x)                 __builtin_expect(!!(x), 0)
#  define IS_ENABLED(x)               0
#  define kasan_check_read(p, n)      ((void)(p))
#  define instrument_read(p, n)       ((void)(p))
#  define instrument_write(p, n)      ((void)(p))
#  define kmsan_check_memory(p, n)    ((void)(p))
#  define kmsan_unpoison_memory(p, n) ((void)(p))
#  define CONFIG_64BIT                1
#  if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#    define __LITTLE_ENDIAN 1234
#    define htonl           __builtin_bswap32
#  else
#    define htonl(x) (x)
#  endif
#  define min(a, b) ((a) < (b) ? (a) : (b))
#  define swab32    __builtin_bswap32
static inline u32 ror32(u32 word, unsigned by)
{
    return word >> (by & 31) | word << (-by & 31);
}
static inline u64 ror64(u64 word, unsigned by)
{
    return word >> (by & 63) | word << (-by & 63);
}
#  if !defined(__s390x__) /* s390 has its own in a header that linux.py takes along */
static inline __sum16 csum_fold(__wsum sum)
{
    return (__sum16)(~(sum + ror32(sum, 16)) >> 16);
}
#  endif

/* riscv: asm/cpufeature.h. The main loop has no alternatives. */
#  define ALTERNATIVE(without, with, ...) with
#  define has_fast_unaligned_accesses()   true

/* x86, 64 bit: asm/word-at-a-time.h. A word may reach past the data: memory of the program follows
 * the buffers of count.c. */
static inline unsigned long load_unaligned_zeropad(const void *p)
{
    unsigned long word;
    __builtin_memcpy(&word, p, sizeof word);
    return word;
}

/* s390: asm/fpu.h. No user's vector registers have to be saved here. */
#  if defined(__s390x__)
union register_pair {
    unsigned __int128 pair;
    struct {
        unsigned long even, odd;
    };
};
extern bool linux_has_vx;
#    define cpu_has_vx() linux_has_vx
#    define DECLARE_KERNEL_FPU_ONSTACK8(name)
#    define kernel_fpu_begin(state, flags)
#    define kernel_fpu_end(state, flags)
#    define EX_TABLE(fault, target)     ""
#    define EX_TABLE_FPC(fault, target) ""
#    define asm_inline                  asm
typedef union {
    double d;
    u64 ui;
} freg_t;
typedef struct {
    u64 high, low;
} __vector128;
static inline void *memcpy(void *to, const void *from, size_t n)
{
    return __builtin_memcpy(to, from, n);
}
#  endif

#endif
#endif
