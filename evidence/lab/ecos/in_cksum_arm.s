@ SPDX-License-Identifier: MIT OR Apache-2.0
@
@ A routine as the post describes it, written for this laboratory, because the post shows no code:
@ load-multiple reads 32 bytes into registers, and add-with-carry sums 32 bits at a time. ARMv4,
@ little-endian. Each mbuf is summed by itself to 32 bits. The sum of one that begins at an odd
@ offset of the packet is rotated by 8 bits before it is added, which in one's complement arithmetic
@ swaps its bytes.
@
@ unsigned in_cksum_arm(const struct mbuf *m, int len): the CHECKSUM, in memory order.

        .arch   armv4
        .text
        .globl  in_cksum_arm, arm_loop, arm_loop_end
        .type   in_cksum_arm, %function

m       .req    r0
len     .req    r1
total   .req    r2      @ of all mbufs before this one
sum     .req    r3      @ of this one
p       .req    r12
n       .req    lr      @ bytes of this one
@ odd, bit 0: this mbuf begins at an odd offset of the packet; bit 1: its sum has its bytes swapped
odd     .req    r11

in_cksum_arm:
        stmfd   sp!, {r4-r11, lr}
        mov     total, #0
        mov     odd, #0
        b       .Lnext

.Lmbuf: ldmib   m, {p, n}               @ data, len
        ldr     m, [m]
        cmp     n, len
        movgt   n, len
        cmp     n, #0
        ble     .Lnext
        sub     len, len, n
        bic     odd, odd, #2
        eor     odd, odd, odd, lsl #1
        mov     sum, #0
        tst     p, #1                   @ to an even address: a byte that goes on top
        beq     .Leven
        eor     odd, odd, #3            @ the rest has its bytes swapped; n loses a byte
        ldrb    sum, [p], #1
        mov     sum, sum, lsl #8
        sub     n, n, #1
.Leven: tst     p, #2                   @ to a word
        beq     .Lword
        subs    n, n, #2
        ldrgeh  r4, [p], #2
        addge   sum, sum, r4
        addlt   n, n, #2
.Lword: movs    r10, n, lsr #5
        beq     .Ltail
        stmfd   sp!, {m, len}           @ eight registers are wanted
        adds    sum, sum, #0            @ C = 0; teq and sub leave it alone
arm_loop:
        ldmia   p!, {r0, r1, r4-r9}
        adcs    sum, sum, r0
        adcs    sum, sum, r1
        adcs    sum, sum, r4
        adcs    sum, sum, r5
        adcs    sum, sum, r6
        adcs    sum, sum, r7
        adcs    sum, sum, r8
        adcs    sum, sum, r9
        sub     r10, r10, #1
        teq     r10, #0
        bne     arm_loop
arm_loop_end:
        adc     sum, sum, #0
        ldmfd   sp!, {m, len}
.Ltail: tst     n, #16
        beq     1f
        ldmia   p!, {r4-r7}
        adds    sum, sum, r4
        adcs    sum, sum, r5
        adcs    sum, sum, r6
        adcs    sum, sum, r7
        adc     sum, sum, #0
1:      tst     n, #8
        beq     2f
        ldmia   p!, {r4-r5}
        adds    sum, sum, r4
        adcs    sum, sum, r5
        adc     sum, sum, #0
2:      tst     n, #4
        beq     3f
        ldr     r4, [p], #4
        adds    sum, sum, r4
        adc     sum, sum, #0
3:      tst     n, #2
        beq     4f
        ldrh    r4, [p], #2
        adds    sum, sum, r4
        adc     sum, sum, #0
4:      tst     n, #1
        beq     5f
        ldrb    r4, [p]
        adds    sum, sum, r4
        adc     sum, sum, #0
        eor     odd, odd, #1            @ the next mbuf begins the other way round
5:      tst     odd, #2
        movne   sum, sum, ror #8
        adds    total, total, sum
        adc     total, total, #0
.Lnext: cmp     m, #0
        cmpne   len, #0
        bne     .Lmbuf

        mov     r4, total, lsl #16      @ fold: the halves added on top, their carry in below
        adds    total, total, r4
        mov     total, total, lsr #16
        adc     total, total, #0
        eor     total, total, #0xff
        eor     r0, total, #0xff00
        ldmfd   sp!, {r4-r11, pc}
        .size   in_cksum_arm, . - in_cksum_arm
