/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Two instructions for CPUs that lack them, so that the kernels made of them run everywhere:
 *
 *   vpdpwssd ymm, ymm, ymm/m256   VEX.256.66.0F38.W0 52   AVX-VNNI
 *   vpdpwuud ymm, ymm, ymm/m256   VEX.256.NP.0F38.W0 D2   AVX-VNNI-INT16
 *
 * (Intel SDM volume 2, VPDPWSSD; Intel's Instruction Set Extensions reference, VPDPW[SU,US,UU]D.)
 * The CPU raises SIGILL at each of them; the handler computes the result in the saved registers and
 * goes on after the instruction. A build with WIRESUM_TEST_EMULATE has this, and reports to the
 * library that the CPU has the features (WIRESUM_ADD_CPU_FEATURES).
 */
#ifndef WIRESUM_EMULATE_H
#define WIRESUM_EMULATE_H

#if !defined(__x86_64__) || !defined(__linux__)
#  error "this emulation reads the registers that Linux saves on x86-64"
#endif

#include <string.h>
#include <ucontext.h>

enum {
    EMULATE_XSTATE_BV = 512, /* offsets in the saved registers: Intel SDM volume 1, section 13.4 */
    EMULATE_YMM_HIGH = 576,
    EMULATE_XMM = 160,
    EMULATE_AVX_STATE = 4, /* of XSTATE_BV: the upper halves are saved */
};

static uint64_t emulate_executed; /* instructions */

/* Copies a ymm register out of or into what the kernel saved. */
static void emulate_read(const uint8_t *saved, unsigned number, uint8_t *to)
{
    uint64_t has;
    memcpy(&has, saved + EMULATE_XSTATE_BV, sizeof has);
    memcpy(to, saved + EMULATE_XMM + 16 * number, 16);
    if (has & EMULATE_AVX_STATE)
        memcpy(to + 16, saved + EMULATE_YMM_HIGH + 16 * number, 16);
    else
        memset(to + 16, 0, 16);
}

static void emulate_write(uint8_t *saved, unsigned number, const uint8_t *from)
{
    uint64_t has;
    memcpy(&has, saved + EMULATE_XSTATE_BV, sizeof has);
    if (!(has & EMULATE_AVX_STATE))
        memset(saved + EMULATE_YMM_HIGH, 0, 16 * 16);
    has |= EMULATE_AVX_STATE | 2 /* SSE state */;
    memcpy(saved + EMULATE_XSTATE_BV, &has, sizeof has);
    memcpy(saved + EMULATE_XMM + 16 * number, from, 16);
    memcpy(saved + EMULATE_YMM_HIGH + 16 * number, from + 16, 16);
}

/* A general register by its number in ModRM and SIB. */
static uint64_t emulate_general(const ucontext_t *context, unsigned number)
{
    static const int at[16] = { REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP,
                                REG_RSI, REG_RDI, REG_R8,  REG_R9,  REG_R10, REG_R11,
                                REG_R12, REG_R13, REG_R14, REG_R15 };
    return (uint64_t)context->uc_mcontext.gregs[at[number]];
}

/* Executes the instruction at the saved program counter; returns whether it is one of the two. */
static bool emulate(ucontext_t *context)
{
    const uint8_t *const start = (const uint8_t *)context->uc_mcontext.gregs[REG_RIP], *p = start;
    uint8_t *const saved = (uint8_t *)context->uc_mcontext.fpregs;
    if (p[0] != 0xC4 || (p[1] & 31) != 2 || (p[2] & 0x84) != 4)
        return false; /* not VEX with three bytes, map 0F38, W0, 256 bits */
    const unsigned prefix = p[2] & 3, reg_high = p[1] & 0x80 ? 0 : 8;
    const unsigned index_high = p[1] & 0x40 ? 0 : 8, base_high = p[1] & 0x20 ? 0 : 8;
    const bool is_signed = p[3] == 0x52 && prefix == 1;
    if (!is_signed && !(p[3] == 0xD2 && prefix == 0))
        return false;
    const unsigned first = ~(unsigned)p[2] >> 3 & 15, to = (p[4] >> 3 & 7) + reg_high;
    const unsigned mode = p[4] >> 6, rm = p[4] & 7;
    p += 5;

    uint8_t a[32], b[32], lanes[32];
    if (mode == 3) {
        emulate_read(saved, rm + base_high, b);
    } else {
        uint64_t address = 0;
        bool relative = false;
        if (rm == 4) { /* SIB */
            const unsigned sib = *p++, index = (sib >> 3 & 7) + index_high;
            if (index != 4)
                address += emulate_general(context, index) << (sib >> 6);
            if ((sib & 7) == 5 && mode == 0)
                return false; /* no base: the kernels have no such operand */
            address += emulate_general(context, (sib & 7) + base_high);
        } else if (rm == 5 && mode == 0) {
            relative = true;
        } else {
            address += emulate_general(context, rm + base_high);
        }
        if (mode == 1) {
            address += (uint64_t)(int64_t)(int8_t)*p++;
        } else if (mode == 2 || relative) {
            int32_t displacement;
            memcpy(&displacement, p, sizeof displacement);
            p += 4;
            address += (uint64_t)(int64_t)displacement + (relative ? (uint64_t)p : 0);
        }
        memcpy(b, (const void *)address, sizeof b);
    }
    emulate_read(saved, first, a);
    emulate_read(saved, to, lanes);
    for (unsigned lane = 0; lane < 32; lane += 4) {
        uint32_t sum;
        memcpy(&sum, lanes + lane, 4);
        for (unsigned word = lane; word < lane + 4; word += 2) {
            uint16_t x, y;
            memcpy(&x, a + word, 2);
            memcpy(&y, b + word, 2);
            sum += is_signed ? (uint32_t)((int32_t)(int16_t)x * (int16_t)y) : (uint32_t)x * y;
        }
        memcpy(lanes + lane, &sum, 4);
    }
    emulate_write(saved, to, lanes);
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)p;
    emulate_executed++;
    return true;
}

/* Says whether this CPU has the instruction, so that nothing is left to emulate: AVX-VNNI and
   AVX-VNNI-INT16 are bits of leaf 7, subleaf 1. */
static inline bool emulate_is_native(void)
{
    unsigned eax = 7, ebx, ecx = 1, edx;
    __asm__("cpuid" : "+a"(eax), "=b"(ebx), "+c"(ecx), "=d"(edx));
    return WIRESUM_ADD_CPU_FEATURES == 1 << 4 ? eax >> 4 & 1 : edx >> 10 & 1;
}

#endif
