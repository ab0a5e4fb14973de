/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Runs code instruction by instruction: x86-64 alone. */
#ifndef WIRESUM_TESTS_STEP_H
#define WIRESUM_TESTS_STEP_H

#include <stdbool.h>
#include <stdint.h>

/* Switches the trap flag: SIGTRAP follows each instruction. Skips the red zone, which lies below
   the stack pointer. */
static inline void step(bool on)
{
    const uint64_t flag = on ? 1 << 8 : 0;
    __asm__ volatile("leaq -128(%%rsp), %%rsp\n\t"
                     "pushfq\n\t"
                     "andq $~0x100, (%%rsp)\n\t"
                     "orq %[flag], (%%rsp)\n\t"
                     "popfq\n\t"
                     "leaq 128(%%rsp), %%rsp"
                     :
                     : [flag] "r"(flag)
                     : "cc", "memory");
}

#endif
