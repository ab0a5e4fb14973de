# SPDX-License-Identifier: MIT OR Apache-2.0
#
# The three ideas of IBM's disclosure on x86-64, written for this laboratory: (data, length) →
# partial sum of 64 bits, for a length that is a multiple of 64 and not 0. Each loop adds 64 bytes a
# turn with one chain of adc, as AIX's loops do. They differ in the other work of a turn.
#
#   no needless folding   the carry stays in CF; `lea` moves the pointer without touching it
#   update addressing     lodsq alone loads, steps on, and leaves the flags alone
#   count-register branch `dec` leaves CF alone; so does `loop`, nearer to bdn and microcoded

        .macro  ENTER name
        .globl  \name
        .type   \name, @function
        .p2align 6
\name:
        .endm

        .macro  CHAIN first
        \first  0(%rdi), %rax
        .irp    at, 8,16,24,32,40,48,56
        adcq    \at(%rdi), %rax
        .endr
        .endm

        .macro  LEAVE name
        adcq    $0, %rax
        ret
        .size   \name, . - \name
        .endm

# As AIX 3.2's current loop: folded in every turn, pointer and count by arithmetic, a compare and a
# branch.
        ENTER   x86_current
        xorl    %eax, %eax
        .p2align 5
1:      CHAIN   addq
        adcq    $0, %rax
        addq    $64, %rdi
        subq    $64, %rsi
        cmpq    $64, %rsi
        jae     1b
        clc
        LEAVE   x86_current

# No folding: nothing but adc may touch CF, so the count is tested by jrcxz.
        ENTER   x86_no_fold
        movq    %rsi, %rcx
        xorl    %eax, %eax
        .p2align 5
1:      CHAIN   adcq
        leaq    64(%rdi), %rdi
        leaq    -64(%rcx), %rcx
        jrcxz   2f
        jmp     1b
2:      LEAVE   x86_no_fold

# Counted: dec and its branch, the carry still folded in every turn.
        ENTER   x86_counted
        shrq    $6, %rsi
        xorl    %eax, %eax
        .p2align 5
1:      CHAIN   addq
        adcq    $0, %rax
        addq    $64, %rdi
        decq    %rsi
        jnz     1b
        clc
        LEAVE   x86_counted

# Both: CF lives through lea, dec and jnz.
        ENTER   x86_no_fold_counted
        shrq    $6, %rsi
        xorl    %eax, %eax
        .p2align 5
1:      CHAIN   adcq
        leaq    64(%rdi), %rdi
        decq    %rsi
        jnz     1b
        LEAVE   x86_no_fold_counted

# All three: lodsq is the only load with update.
        ENTER   x86_all_three
        movq    %rsi, %rcx
        movq    %rdi, %rsi
        shrq    $6, %rcx
        xorl    %edx, %edx
        .p2align 5
1:      .rept   8
        lodsq
        adcq    %rax, %rdx
        .endr
        decq    %rcx
        jnz     1b
        movq    %rdx, %rax
        LEAVE   x86_all_three

# As x86_no_fold_counted, with `loop` in the place of bdn.
        ENTER   x86_loop
        movq    %rsi, %rcx
        shrq    $6, %rcx
        xorl    %eax, %eax
        .p2align 5
1:      CHAIN   adcq
        leaq    64(%rdi), %rdi
        loop    1b
        LEAVE   x86_loop

# As short as AIX's new loop: two words a turn.
        ENTER   x86_two_words
        shrq    $4, %rsi
        xorl    %eax, %eax
        .p2align 5
1:      adcq    (%rdi), %rax
        adcq    8(%rdi), %rax
        leaq    16(%rdi), %rdi
        decq    %rsi
        jnz     1b
        LEAVE   x86_two_words

        .section .note.GNU-stack, "", @progbits
