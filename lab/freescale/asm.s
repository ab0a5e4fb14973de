# SPDX-License-Identifier: MIT OR Apache-2.0
# Scalar and AltiVec routines for word-aligned data of whole words, written from the paper's description. Linux's loops are the
# well-known lwzu, adde, bdnz; AltiVec's middle loop is the paper's, six instructions for 32 bytes, fed by vperm so that any word
# alignment will do.
# (r3 source, r4 bytes, r5 destination); a sum comes back as 32 bits with end-around carry.

	.globl	scalar_sum
	.balign	32
scalar_sum:
	srwi.	4,4,2
	addi	6,3,-4
	li	3,0
	beqlr
	mtctr	4
	addic	3,3,0
	.balign	32
1:	lwzu	7,4(6)
	adde	3,3,7
	bdnz	1b
	addze	3,3
	blr

	.globl	scalar_copy
	.balign	32
scalar_copy:
	addi	6,3,-4
	addi	5,5,-4
	srwi.	8,4,4
	beq	2f
	mtctr	8
	.balign	32
1:	lwz	7,4(6)
	lwz	9,8(6)
	lwz	10,12(6)
	lwzu	11,16(6)
	stw	7,4(5)
	stw	9,8(5)
	stw	10,12(5)
	stwu	11,16(5)
	bdnz	1b
2:	rlwinm.	4,4,30,30,31
	beqlr
	mtctr	4
3:	lwzu	7,4(6)
	stwu	7,4(5)
	bdnz	3b
	blr

	.globl	scalar_copy_sum
	.balign	32
scalar_copy_sum:
	addi	6,3,-4
	addi	5,5,-4
	srwi.	8,4,4
	li	3,0
	addic	3,3,0
	beq	2f
	mtctr	8
	.balign	32
1:	lwz	7,4(6)
	lwz	9,8(6)
	lwz	10,12(6)
	lwzu	11,16(6)
	adde	3,3,7
	stw	7,4(5)
	adde	3,3,9
	stw	9,8(5)
	adde	3,3,10
	stw	10,12(5)
	adde	3,3,11
	stwu	11,16(5)
	bdnz	1b
2:	rlwinm	4,4,30,30,31
	cmpwi	4,0
	beq	4f
	mtctr	4
3:	lwzu	7,4(6)
	adde	3,3,7
	stwu	7,4(5)
	bdnz	3b
4:	addze	3,3
	blr

# Adds v8 and v9 to v2 (sums) and v3 (carries): the paper's middle loop.
	.macro	middle
	vaddcuw	10,8,9
	vadduwm	11,8,9
	vaddcuw	12,11,2
	vadduwm	2,11,2
	vadduwm	3,10,3
	vadduwm	3,12,3
	.endm

# The lanes of v2 and v3 into r3 with end-around carry, through the stack.
	.macro	lanes
	addi	7,1,-64
	rlwinm	7,7,0,0,27
	li	8,16
	stvx	2,0,7
	stvx	3,7,8
	lwz	9,0(7)
	lwz	10,4(7)
	addc	3,3,9
	lwz	9,8(7)
	adde	3,3,10
	lwz	10,12(7)
	adde	3,3,9
	lwz	9,16(7)
	adde	3,3,10
	lwz	10,20(7)
	adde	3,3,9
	lwz	9,24(7)
	adde	3,3,10
	lwz	10,28(7)
	adde	3,3,9
	adde	3,3,10
	addze	3,3
	.endm

# The quad word that starts at r6, whatever its alignment, 32 bytes a turn. Three loads: the quad words
# of r6, r6 + 16 and r6 + 31, of which the second does for r6 + 15 too.
# The middle loop alone, on what the registers hold: how long it takes without the loads and vperm that feed it.
	.globl	middle_alone
	.balign	32
middle_alone:
	srwi.	8,4,5
	mtctr	8
	.balign	32
1:	middle
	bdnz	1b
	blr

	.globl	vector_sum
	.balign	32
vector_sum:
	mr	6,3
	li	3,0
	vxor	2,2,2
	vxor	3,3,3
	srwi.	8,4,5
	beq	2f
	mtctr	8
	li	7,16
	li	9,31
	lvsl	7,0,6
	.balign	32
1:	lvx	6,0,6
	lvx	4,6,7
	lvx	5,6,9
	addi	6,6,32
	vperm	8,6,4,7
	vperm	9,4,5,7
	middle
	bdnz	1b
	lanes
2:	rlwinm.	4,4,30,29,31
	beqlr
	mtctr	4
	addi	6,6,-4
	addic	3,3,0
3:	lwzu	7,4(6)
	adde	3,3,7
	bdnz	3b
	addze	3,3
	blr

# Copies: single words until the destination is aligned, then 32 bytes a turn, with a data stream touch and dcbz where asked for
# (r4 as it is; the flags are which entry is called). The sum goes along in `vector_copy_sum`.
	.macro	copy	name, summing, touching
	.globl	\name
	.balign	32
\name:
	mr	6,3
	li	3,0
	addic	3,3,0
	.if	\touching
	addi	7,4,31
	srwi	7,7,5
	rlwinm	7,7,16,8,15
	oris	7,7,0x0200
	ori	7,7,32
	dst	6,7,0
	.endif
	neg	7,5
	rlwinm	7,7,30,29,31
	srwi	8,4,2
	cmplw	7,8
	ble	5f
	mr	7,8
5:	cmpwi	7,0
	beq	7f
	mtctr	7
	slwi	8,7,2
	subf	4,8,4
6:	lwz	8,0(6)
	addi	6,6,4
	.if	\summing
	adde	3,3,8
	.endif
	stw	8,0(5)
	addi	5,5,4
	bdnz	6b
	.if	\summing
	addze	3,3
	.endif
7:	srwi.	8,4,5
	beq	2f
	vxor	2,2,2
	vxor	3,3,3
	mtctr	8
	li	7,16
	li	9,31
	lvsl	7,0,6
	.balign	32
1:	lvx	6,0,6
	lvx	4,6,7
	lvx	5,6,9
	addi	6,6,32
	.if	\touching
	dcbz	0,5
	.endif
	vperm	8,6,4,7
	vperm	9,4,5,7
	stvx	8,0,5
	stvx	9,5,7
	addi	5,5,32
	.if	\summing
	middle
	.endif
	bdnz	1b
	.if	\summing
	lanes
	.endif
2:	rlwinm.	4,4,30,29,31
	beqlr
	mtctr	4
	addic	3,3,0
3:	lwz	7,0(6)
	addi	6,6,4
	.if	\summing
	adde	3,3,7
	.endif
	stw	7,0(5)
	addi	5,5,4
	bdnz	3b
	.if	\summing
	addze	3,3
	.endif
	blr
	.endm

	copy	vector_copy, 0, 0
	copy	vector_copy_touched, 0, 1
	copy	vector_copy_sum, 1, 0
	copy	vector_copy_sum_touched, 1, 1
