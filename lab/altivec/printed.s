# SPDX-License-Identifier: MIT OR Apache-2.0
# One instruction each, on operands at r3 (three of 16 bytes), its result to r4; and a line of the article's listing 5 as it stands.

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
