// SPDX-License-Identifier: MIT OR Apache-2.0

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sse2 takes 64 bytes a step. PMADDWD multiplies signed words by 1 and adds neighbors, so the
// kernel flips the top bit of each word, and adds 2^15 for each word in the end.
//
// Bound: a block has 2^15 words, so all lanes together stay between -2^30 and 2^30.
func sse2() {
	const block = 64 << 10
	Label("sse2")
	total, stop, even, left := reg.R10, reg.R11, reg.R12, reg.RDI
	one, top := reg.X14, reg.X13
	add := func(lanes, x reg.VecPhysical, from Mem) {
		MOVOU(from, x)
		PXOR(top, x)
		PMADDWL(one, x)
		PADDL(x, lanes)
	}

	CMPQ(n, I8(32))
	JL(LabelRef("scalar"))
	LEAQ(Mem{Symbol: Symbol{Name: "tables", Static: true}, Base: reg.StaticBase}, tables)
	MOVOU(at(tables, onesAt), one)
	MOVOU(at(tables, topAt), top)
	oddByte(total)
	MOVQ(n, left)
	ANDQ(I8(-2), left)

	Label("sse2_block")
	MOVQ(left, even)
	CMPQ(even, U32(block))
	JLE(LabelRef("sse2_begin"))
	MOVQ(U32(block), even)
	Label("sse2_begin")
	SUBQ(even, left)
	PXOR(reg.X0, reg.X0)
	PXOR(reg.X1, reg.X1)
	MOVQ(even, reg.RBX) // the bytes that lanes have, with those that weigh nothing
	MOVQ(even, stop)
	ANDQ(I8(-64), stop)
	JE(LabelRef("sse2_rest"))
	ADDQ(p, stop)
	Label("sse2_loop")
	add(reg.X0, reg.X2, at(p, 0))
	add(reg.X1, reg.X3, at(p, 16))
	add(reg.X0, reg.X4, at(p, 32))
	add(reg.X1, reg.X5, at(p, 48))
	ADDQ(I8(64), p)
	CMPQ(p, stop)
	JNE(LabelRef("sse2_loop"))

	Label("sse2_rest")
	ANDL(U8(63), even.As32())
	Label("sse2_vectors")
	CMPL(even.As32(), U8(16))
	JLT(LabelRef("sse2_ends"))
	add(reg.X0, reg.X2, at(p, 0))
	ADDQ(I8(16), p)
	SUBL(U8(16), even.As32())
	JMP(LabelRef("sse2_vectors"))
	Label("sse2_ends")
	TESTL(even.As32(), even.As32())
	JE(LabelRef("sse2_flush"))
	// The vector before the end: its first words, which are counted, weigh 0.
	ADDQ(even, p)
	MOVOU(at(p, -16), reg.X2)
	PXOR(top, reg.X2)
	MOVOU(at(tables, onesAt-16, even), reg.X3)
	PMADDWL(reg.X3, reg.X2)
	PADDL(reg.X2, reg.X1)

	Label("sse2_flush")
	PADDL(reg.X1, reg.X0)
	PSHUFD(U8(0x4E), reg.X0, reg.X1)
	PADDL(reg.X1, reg.X0)
	MOVQ(reg.X0, reg.RAX)
	MOVQ(reg.RAX, reg.RCX)
	SHRQ(U8(32), reg.RCX)
	ADDL(reg.ECX, reg.EAX)
	SHLL(U8(14), reg.EBX)
	ADDL(reg.EBX, reg.EAX)
	ADDQ(reg.RAX, total)
	TESTQ(left, left)
	JNE(LabelRef("sse2_block"))
	MOVQ(total, reg.RAX)
	fold64()
	return32()
}
