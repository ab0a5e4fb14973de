# SPDX-License-Identifier: MIT OR Apache-2.0 Written for this laboratory: one instruction each, on
# operands at r3 (three of 16 bytes), its result to r4. `as_printed` has the second line of the
# article's listing 5 as it is printed.

	.globl	do_vsum4shs
do_vsum4shs:
	li	r9,16
	li	r10,32
	lvx	v0,0,r3
	lvx	v1,r9,r3
	lvx	v2,r10,r3
	vsum4shs v3,v0,v2
	stvx	v3,0,r4
	blr

	.globl	do_vmsumuhm
do_vmsumuhm:
	li	r9,16
	li	r10,32
	lvx	v0,0,r3
	lvx	v1,r9,r3
	lvx	v2,r10,r3
	vmsumuhm v3,v0,v1,v2
	stvx	v3,0,r4
	blr

	.globl	do_vaddubm
do_vaddubm:
	li	r9,16
	li	r10,32
	lvx	v0,0,r3
	lvx	v1,r9,r3
	lvx	v2,r10,r3
	vaddubm v3,v0,v1
	stvx	v3,0,r4
	blr

	.globl	do_vadduhm
do_vadduhm:
	li	r9,16
	li	r10,32
	lvx	v0,0,r3
	lvx	v1,r9,r3
	lvx	v2,r10,r3
	vadduhm v3,v0,v1
	stvx	v3,0,r4
	blr

	.globl	do_vadduwm
do_vadduwm:
	li	r9,16
	li	r10,32
	lvx	v0,0,r3
	lvx	v1,r9,r3
	lvx	v2,r10,r3
	vadduwm v3,v0,v1
	stvx	v3,0,r4
	blr

	.globl	as_printed
as_printed:
	mr	r16,r5
	lvx	v1,16,r3
	stvx	v1,0,r4
	blr

# Loads all registers from r3, and stores all to r4: the data come back if there are as many
# registers and they are as wide.
	.globl	all_registers
all_registers:
	.irp	n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	lvx	v\n,0,r3
	addi	r3,r3,16
	.endr
	.irp	n,0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	stvx	v\n,0,r4
	addi	r4,r4,16
	.endr
	blr

# Eight operations that wait only for their unit, r3 times: the complex unit's, then the permute
# unit's.
	.globl	complex_alone
	.balign	32
complex_alone:
	mtctr	r3
	.balign	32
1:	.irp	n,10,11,12,13,14,15,16,17
	vmsumuhm v\n,v0,v1,v2
	.endr
	bdnz	1b
	blr

	.globl	permute_alone
	.balign	32
permute_alone:
	mtctr	r3
	.balign	32
1:	.irp	n,10,11,12,13,14,15,16,17
	vperm	v\n,v0,v1,v2
	.endr
	bdnz	1b
	blr
