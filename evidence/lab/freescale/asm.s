# SPDX-License-Identifier: MIT OR Apache-2.0
# Scalar and AltiVec routines for word-aligned data of whole words.
#
# Arguments: r3 source, r4 bytes, r5 destination. A sum comes back in r3 as 32 bits with end-around
# carry. Each routine leaves the stack and all registers that a caller keeps as they are.
#
# Origin. The paper prints six instructions, the middle loop of its AltiVec checksum; they are in
# the macro `middle` in the paper's order. The paper prints no other assembly. It compares with the
# scalar assembly of Linux 2.4.12, which is not here: all scalar routines and all AltiVec code
# around `middle` were written for this laboratory, from the paper's words and from Freescale's
# AN2203.

# The scalar routines. One index register runs from minus the bytes up to zero and serves all
# accesses of a turn, so that a turn of two words moves one pointer. Its bases are the ends of the
# buffers, and the ends plus a word. `addi` and `lwzx` leave CA alone, so the carry lives from turn
# to turn. A turn has two words: `adde` waits until it is the oldest instruction (AN2203), three
# cycles a word, so that a longer turn is not quicker. Two `adde` side by side would take half a
# cycle more a word on the model; so the loads are between them.

# CA = 0, r3 = 0, r10 = minus the bytes, CTR = pairs of words; to `none` where there is no pair.
	.macro	begin	none
	neg	10,4
	srwi.	11,4,3
	li	0,0
	addc	3,0,0
	mtctr	11
	beq	\none
	.endm

	.globl	scalar_sum
	.balign	32
scalar_sum:
	add	8,3,4
	addi	9,8,4
	begin	2f
	.balign	32
1:	lwzx	0,8,10
	adde	3,0,3
	lwzx	12,9,10
	addi	10,10,8
	adde	3,12,3
	bdnz	1b
2:	andi.	11,4,4
	beq	3f
	lwzx	0,8,10
	adde	3,0,3
3:	addze	3,3
	blr

	.globl	scalar_copy
	.balign	32
scalar_copy:
	add	8,3,4
	addi	9,8,4
	add	5,5,4
	addi	6,5,4
	begin	2f
	.balign	32
1:	lwzx	12,9,10
	lwzx	0,8,10
	stwx	12,6,10
	stwx	0,5,10
	addi	10,10,8
	bdnz	1b
2:	andi.	11,4,4
	beqlr
	lwzx	0,8,10
	stwx	0,5,10
	blr

# The copy's loop with an addition after each store. On the model of the MPC7455 no order of these
# six instructions is quicker, and the slowest takes a seventh more.
	.globl	scalar_copy_sum
	.balign	32
scalar_copy_sum:
	add	8,3,4
	addi	9,8,4
	add	5,5,4
	addi	6,5,4
	begin	2f
	.balign	32
1:	lwzx	0,8,10
	lwzx	12,9,10
	stwx	12,6,10
	adde	3,12,3
	stwx	0,5,10
	adde	3,0,3
	addi	10,10,8
	bdnz	1b
2:	andi.	11,4,4
	beq	3f
	lwzx	0,8,10
	stwx	0,5,10
	adde	3,0,3
3:	addze	3,3
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

# One vector load from r3, one vector store to r5: which bytes they take.
	.globl	quad
quad:
	lvx	2,0,3
	stvx	2,0,5
	blr

# The middle loop alone, on any contents of the registers: its time without the loads and vperm that
# feed it.
	.globl	middle_alone
	.balign	32
middle_alone:
	srwi.	8,4,5
	mtctr	8
	.balign	32
1:	middle
	bdnz	1b
	blr

# The two quad words that start at r6, at any alignment, to v8 and v9, by three loads: the quad
# words of r6, r6 + 16 and r6 + 31. The second serves for r6 + 15 too.
	.macro	align
	li	7,16
	li	9,31
	lvsl	7,0,6
	.endm
	.macro	fetch
	lvx	6,0,6
	lvx	4,6,7
	lvx	5,6,9
	addi	6,6,32
	vperm	8,6,4,7
	vperm	9,4,5,7
	.endm

# The sum in two orders of the same instructions: plainly, each turn with its own loads; and
# pipelined by hand, with the loads of the next turn among the additions of this one, so that no
# addition waits.
	.globl	vector_sum_in_order
	.balign	32
vector_sum_in_order:
	mr	6,3
	li	3,0
	vxor	2,2,2
	vxor	3,3,3
	srwi.	8,4,5
	beq	words
	mtctr	8
	align
	.balign	32
1:	fetch
	middle
	bdnz	1b
	lanes
	b	words

	.globl	vector_sum
	.balign	32
vector_sum:
	mr	6,3
	li	3,0
	vxor	2,2,2
	vxor	3,3,3
	srwi.	8,4,5
	beq	words
	mtctr	8
	align
	fetch
	bdz	2f
	.balign	32
1:	lvx	6,0,6
	vaddcuw	10,8,9
	lvx	4,6,7
	vadduwm	11,8,9
	lvx	5,6,9
	vadduwm	3,10,3
	vperm	8,6,4,7
	addi	6,6,32
	vaddcuw	12,11,2
	vperm	9,4,5,7
	vadduwm	2,11,2
	vadduwm	3,12,3
	bdnz	1b
2:	middle
	lanes
# The words after the last whole turn: four, two and one, as the count has them.
words:	addic	3,3,0
	andi.	0,4,16
	beq	3f
	lwz	7,0(6)
	lwz	8,4(6)
	adde	3,7,3
	lwz	9,8(6)
	lwz	10,12(6)
	adde	3,8,3
	addi	6,6,16
	adde	3,9,3
	adde	3,10,3
3:	andi.	0,4,8
	beq	4f
	lwz	7,0(6)
	lwz	8,4(6)
	adde	3,7,3
	addi	6,6,8
	adde	3,8,3
4:	andi.	0,4,4
	beq	5f
	lwz	7,0(6)
	adde	3,7,3
5:	addze	3,3
	blr

# Copies: single words until the destination is aligned, then 32 bytes a turn. `summing` adds the
# checksum to the copy; `touching` adds a data-stream touch and dcbz.
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
	align
	fetch
	bdz	9f
	.balign	32
1:	lvx	6,0,6
	.if	\touching
	dcbz	0,5
	.endif
	.if	\summing
	vaddcuw	10,8,9
	.endif
	lvx	4,6,7
	.if	\summing
	vadduwm	11,8,9
	.endif
	stvx	8,0,5
	lvx	5,6,9
	.if	\summing
	vadduwm	3,10,3
	.endif
	stvx	9,5,7
	vperm	8,6,4,7
	addi	6,6,32
	addi	5,5,32
	.if	\summing
	vaddcuw	12,11,2
	.endif
	vperm	9,4,5,7
	.if	\summing
	vadduwm	2,11,2
	vadduwm	3,12,3
	.endif
	bdnz	1b
9:	.if	\touching
	dcbz	0,5
	.endif
	stvx	8,0,5
	stvx	9,5,7
	addi	5,5,32
	.if	\summing
	middle
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
