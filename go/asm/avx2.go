// SPDX-License-Identifier: MIT OR Apache-2.0

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The ways of avx2:
//
//   - Up to 68 bytes are two masked vectors of whole dwords, and the last 1 to 4 bytes. There is no
//     branch on the length.
//   - Up to 128 bytes are four vectors, and up to 256 bytes eight. The later half ends with the
//     data, and words that are counted already weigh 0.
//   - Up to 1664 bytes are a loop of 128 bytes a step along aligned vectors, after the ends.
//   - Longer data are a loop of 256 bytes a step, by sum and averages.
//
// The first three ways flip the top bit of each word, and multiply signed words by weights with
// VPMADDWD. Each word that weighs 1 then counts 2^15 too little. All lanes together are below 2^32.
//
// Sum and averages: lanes add 64-bit words mod 2^64 and lose the carries. VPAVGW, three levels
// deep, makes the average of eight vectors, whose top words are added in lanes of their own. With
// t, the sum of these, and N, the number of 64-bit words, 8t is between the sum of all top words
// less 28 and that sum plus 3/2 N: a level rounds up by 1/2 at most, and the vector of the head,
// which alone counts an eighth without averages, loses 7 in each of four lanes. What is below the
// top words adds less than N. A block has 128 KiB and 36 words, so N < 16,421, and the true sum >>
// 48 is 8t + 2^15 - d with 0 <= d < 2^16. So (8t + 2^15 - (total mod 2^64 >> 48)) >> 16 is the
// number of carries.
func avx2() {
	Label("avx2")
	const short, mid, block = 68, 1664, 128 << 10
	end, weights, odd := reg.R11, reg.R9, reg.R10
	one, top := reg.Y14, reg.Y15
	pairs := func(from Mem, weights Op, to reg.VecPhysical) {
		VPXOR(from, top, to)
		VPMADDWD(weights, to, to)
	}
	constants := func() {
		LEAQ(Mem{Symbol: Symbol{Name: "tables", Static: true}, Base: reg.StaticBase}, tables)
		VMOVDQU(at(tables, topAt), top)
		VMOVDQU(at(tables, onesAt), one)
	}
	// join puts the sum of all lanes of Y0 into EAX.
	join := func() {
		VEXTRACTI128(U8(1), reg.Y0, reg.X1)
		VPADDD(reg.X1, reg.X0, reg.X0)
		VPSHUFD(U8(0x4E), reg.X0, reg.X1)
		VPADDD(reg.X1, reg.X0, reg.X0)
		VMOVQ(reg.X0, reg.RAX)
		VZEROUPPER()
		MOVQ(reg.RAX, reg.RCX)
		SHRQ(U8(32), reg.RCX)
		ADDL(reg.ECX, reg.EAX)
	}
	// finish adds the bias of even bytes, in RBX, and the odd byte.
	finish := func() {
		join()
		SHLL(U8(14), reg.EBX)
		ADDL(reg.EBX, reg.EAX)
		ADDL(odd.As32(), reg.EAX)
		return32()
	}
	ends := func() { // end, EBX: the even number of bytes
		oddByte(odd)
		MOVQ(n, reg.RBX)
		ANDQ(I8(-2), reg.RBX)
		LEAQ(at(p, 0, reg.RBX), end)
	}

	CMPQ(n, U32(short))
	JHI(LabelRef("avx2_over68"))
	CMPQ(n, I8(4))
	JLT(LabelRef("scalar"))
	jumpAtPageEnd(p)
	constants()
	LEAQ(at(n, -1), reg.RCX)
	ANDQ(I8(-4), reg.RCX)
	LEAQ(at(tables, dwordsEnd), weights)
	SUBQ(reg.RCX, weights)
	VMOVDQU(at(weights, 0), reg.Y0)
	VMOVDQU(at(weights, 32), reg.Y1)
	VPMASKMOVD(at(p, 0), reg.Y0, reg.Y0)
	VPMASKMOVD(at(p, 32), reg.Y1, reg.Y1)
	VPXOR(top, reg.Y0, reg.Y0)
	VPXOR(top, reg.Y1, reg.Y1)
	VPMADDWD(one, reg.Y0, reg.Y0)
	VPMADDWD(one, reg.Y1, reg.Y1)
	VPADDD(reg.Y1, reg.Y0, reg.Y0)
	MOVL(at(p, -4, n), reg.EBX)
	SHLL(U8(3), n.As32())
	NEGL(n.As32())
	SHRXL(n.As32(), reg.EBX, reg.EBX)
	join()
	ADDL(U32(32<<15), reg.EAX)
	ADDL(reg.EBX, reg.EAX)
	ADCL(U8(0), reg.EAX)
	return32()

	Label("avx2_over68")
	CMPQ(n, U32(128))
	JHI(LabelRef("avx2_over128"))
	constants()
	ends()
	LEAQ(at(tables, onesAt-64, reg.RBX), weights)
	pairs(at(p, 0), one, reg.Y0)
	pairs(at(p, 32), one, reg.Y1)
	pairs(at(end, -64), at(weights, -64), reg.Y2)
	pairs(at(end, -32), at(weights, -32), reg.Y3)
	VPADDD(reg.Y1, reg.Y0, reg.Y0)
	VPADDD(reg.Y3, reg.Y2, reg.Y2)
	VPADDD(reg.Y2, reg.Y0, reg.Y0)
	finish()

	// last128 puts the 128 bytes before end, with their weights, into Y0 to Y3.
	last128 := func() {
		for i, y := range []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3} {
			pairs(at(end, 32*i-128), at(weights, 32*i-128), y)
		}
	}
	add128 := func() {
		for i, y := range []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3} {
			x := []reg.VecPhysical{reg.Y4, reg.Y5, reg.Y6, reg.Y7}[i]
			pairs(at(p, 32*i), one, x)
			VPADDD(x, y, y)
		}
	}
	joinFour := func() {
		VPADDD(reg.Y1, reg.Y0, reg.Y0)
		VPADDD(reg.Y3, reg.Y2, reg.Y2)
		VPADDD(reg.Y2, reg.Y0, reg.Y0)
		finish()
	}

	Label("avx2_over128")
	CMPQ(n, U32(256))
	JHI(LabelRef("avx2_over256"))
	constants()
	ends()
	LEAQ(at(tables, onesAt-128, reg.RBX), weights)
	last128()
	add128()
	joinFour()

	Label("avx2_over256")
	CMPQ(n, U32(mid))
	JHI(LabelRef("avx2_long"))
	constants()
	ends()
	head, rest := reg.RDI, reg.R12
	MOVL(p.As32(), head.As32())
	NEGL(head.As32())
	ANDL(U8(30), head.As32())
	MOVQ(reg.RBX, rest)
	SUBQ(head, rest)
	ANDL(U8(63), rest.As32())
	LEAQ(at(tables, onesAt-64, rest), weights)
	pairs(at(end, -64), at(weights, 0), reg.Y0)
	pairs(at(end, -32), at(weights, 32), reg.Y1)
	LEAQ(at(tables, onesEnd), weights)
	SUBQ(head, weights)
	pairs(at(p, 0), at(weights, 0), reg.Y4)
	VPADDD(reg.Y4, reg.Y0, reg.Y0)
	ADDQ(head, p)
	SUBQ(rest, end)
	align()
	Label("avx2_loop64")
	pairs(at(p, 0), one, reg.Y4)
	pairs(at(p, 32), one, reg.Y5)
	VPADDD(reg.Y4, reg.Y0, reg.Y0)
	VPADDD(reg.Y5, reg.Y1, reg.Y1)
	ADDQ(I8(64), p)
	CMPQ(p, end)
	JNE(LabelRef("avx2_loop64"))
	VPADDD(reg.Y1, reg.Y0, reg.Y0)
	finish()

	// The sum of data at an odd address is the first byte and the sum of the rest, its bytes
	// exchanged. first has that byte and 2^8, or 0.
	first, left, total := reg.R13, reg.RDI, odd
	x := []reg.VecPhysical{reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12}
	a, b, c, d, tops := reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4
	averages := func(shift uint8) { // in Y13
		VPAVGW(x[1], x[0], reg.Y13)
		VPAVGW(x[3], x[2], reg.Y14)
		VPAVGW(x[5], x[4], reg.Y15)
		VPAVGW(reg.Y14, reg.Y13, reg.Y13)
		VPAVGW(x[7], x[6], reg.Y14)
		VPAVGW(reg.Y14, reg.Y15, reg.Y15)
		VPAVGW(reg.Y15, reg.Y13, reg.Y13)
		VPSRLQ(U8(shift), reg.Y13, reg.Y13)
	}
	Label("avx2_long")
	LEAQ(Mem{Symbol: Symbol{Name: "tables", Static: true}, Base: reg.StaticBase}, tables)
	XORL(first.As32(), first.As32())
	TESTL(U32(1), p.As32())
	JE(LabelRef("avx2_even"))
	MOVBLZX(at(p, 0), first.As32())
	ORL(U32(256), first.As32())
	INCQ(p)
	DECQ(n)
	Label("avx2_even")
	ends()
	MOVL(p.As32(), reg.ECX)
	NEGL(reg.ECX)
	ANDL(U8(30), reg.ECX)
	MOVQ(reg.RBX, left)
	SUBQ(reg.RCX, left)
	LEAQ(at(tables, masksEnd), weights)
	SUBQ(reg.RCX, weights)
	VMOVDQU(at(p, 0), d)
	VPAND(at(weights, 0), d, d)
	ADDQ(reg.RCX, p)
	MOVL(left.As32(), reg.ECX)
	ANDL(U32(255), reg.ECX)
	SUBQ(reg.RCX, left)
	LEAQ(at(tables, masksAt, reg.RCX), weights)
	for i, y := range x {
		VMOVDQU(at(end, 32*i-256), y)
		VPAND(at(weights, 32*i), y, y)
	}
	averages(48)
	VPSRLQ(U8(51), d, tops)
	VPADDQ(reg.Y13, tops, tops)
	VPADDQ(x[4], x[0], a)
	VPADDQ(x[5], x[1], b)
	VPADDQ(x[6], x[2], c)
	VPADDQ(x[3], d, d)
	VPADDQ(x[7], d, d)

	stop := reg.R12
	Label("avx2_block")
	MOVQ(left, stop)
	CMPQ(left, U32(block))
	JLE(LabelRef("avx2_begin"))
	MOVQ(U32(block), stop)
	Label("avx2_begin")
	SUBQ(stop, left)
	ADDQ(p, stop)
	align()
	Label("avx2_loop256")
	for i, y := range x {
		VMOVDQU(at(p, 32*i), y)
	}
	for i, y := range x {
		lanes := []reg.VecPhysical{a, b, c, d}[i%4]
		VPADDQ(y, lanes, lanes)
	}
	averages(48)
	VPADDQ(reg.Y13, tops, tops)
	ADDQ(U32(256), p)
	CMPQ(p, stop)
	JNE(LabelRef("avx2_loop256"))

	VPADDQ(b, a, a)
	VPADDQ(d, c, c)
	VPADDQ(c, a, a)
	VPUNPCKLQDQ(tops, a, b)
	VPUNPCKHQDQ(tops, a, c)
	VPADDQ(c, b, b)
	VEXTRACTI128(U8(1), b, reg.X0)
	VPADDQ(reg.X0, reg.X1, reg.X1)
	VMOVQ(reg.X1, reg.RAX)
	VPEXTRQ(U8(1), reg.X1, reg.RCX)
	MOVQ(reg.RAX, reg.RBX)
	SHRQ(U8(48), reg.RBX)
	SHLQ(U8(3), reg.RCX)
	ADDQ(U32(1<<15), reg.RCX)
	SUBQ(reg.RBX, reg.RCX)
	SHRQ(U8(16), reg.RCX)
	ADDQ(reg.RCX, total)
	fold64()
	ADDQ(reg.RAX, total)
	for _, y := range []reg.VecPhysical{a, b, c, d, tops} {
		VPXOR(y, y, y)
	}
	TESTQ(left, left)
	JNE(LabelRef("avx2_block"))
	VZEROUPPER()
	MOVQ(total, reg.RAX)
	fold64()
	TESTL(first.As32(), first.As32())
	JE(LabelRef("avx2_done"))
	ROLL(U8(8), reg.EAX)
	MOVBLZX(first.As8L(), reg.ECX)
	ADDL(reg.ECX, reg.EAX)
	ADCL(U8(0), reg.EAX)
	Label("avx2_done")
	return32()
}
