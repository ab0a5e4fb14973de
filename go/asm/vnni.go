// SPDX-License-Identifier: MIT OR Apache-2.0

package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vnni is c/kernels/x86_avx512vnni.c, whose head explains it. VPDPWSSD multiplies signed words by
// weights and adds neighbors to lanes of 32 bits. A word has its top bit flipped, so that it counts
// 2^15 too little. Only registers from 16 up are used, which need no VZEROUPPER.
//
// Bound: a block of 2^17 bytes has 2^16 words, so all lanes together are below 2^32.
func vnni() {
	Label("vnni")
	const block = 128 << 10
	total, left, line, last, stop, weights := reg.R10, reg.R11, reg.RDI, reg.R12, reg.R13, reg.R9
	top, ones := reg.Z30, reg.Z31
	constants := func() {
		LEAQ(Mem{Symbol: Symbol{Name: "tables", Static: true}, Base: reg.StaticBase}, tables)
	}
	broadcast := func() {
		VPBROADCASTD(at(tables, topAt), top)
		VPBROADCASTD(at(tables, oneAt), ones)
	}
	// The sum of all lanes of Y16, in EAX.
	joinHalf := func() {
		VEXTRACTI32X4(U8(1), reg.Y16, reg.X17)
		VPADDD(reg.X17, reg.X16, reg.X16)
		VPUNPCKHQDQ(reg.X16, reg.X16, reg.X17)
		VPADDD(reg.X17, reg.X16, reg.X16)
		VMOVQ(reg.X16, reg.RAX)
		MOVQ(reg.RAX, reg.RCX)
		SHRQ(U8(32), reg.RCX)
		ADDL(reg.ECX, reg.EAX)
	}
	join := func() {
		VEXTRACTI64X4(U8(1), reg.Z16, reg.Y17)
		VPADDD(reg.Y17, reg.Y16, reg.Y16)
		joinHalf()
	}

	CMPQ(n, U32(64))
	JHI(LabelRef("vnni_over64"))
	TESTQ(n, n)
	JE(LabelRef("scalar"))
	jumpAtPageEnd(p)
	constants()
	MOVQ(I32(-1), reg.RAX)
	BZHIQ(n, reg.RAX, reg.RAX)
	KMOVQ(reg.RAX, reg.K1)
	KSHIFTRQ(U8(32), reg.K1, reg.K2)
	VPBROADCASTD(at(tables, topAt), reg.Y16)
	VPBROADCASTD(at(tables, topAt), reg.Y17)
	VPBROADCASTD(at(tables, oneAt), reg.Y18)
	VPADDB(at(p, 0), reg.Y16, reg.K1, reg.Y16)
	VPADDB(at(p, 32), reg.Y17, reg.K2, reg.Y17)
	VPMADDWD(reg.Y18, reg.Y16, reg.Y16)
	VPDPWSSD(reg.Y18, reg.Y17, reg.Y16)
	joinHalf()
	ADDL(U32(1<<20), reg.EAX)
	return32()

	Label("vnni_over64")
	CMPQ(n, U32(256))
	JHI(LabelRef("vnni_over256"))
	LEAQ(at(n, -1), last)
	ANDQ(I8(-64), last)
	ADDQ(p, last)
	jumpAtPageEnd(last)
	constants()
	broadcast()
	LEAQ(at(n, -1), reg.RBX)
	SHRQ(U8(6), reg.RBX) // whole vectors before the last one: 1 to 3
	MOVL(reg.EBX, reg.EDI)
	ANDL(U8(2), reg.EDI)
	SHLL(U8(5), reg.EDI)
	MOVQ(p, reg.RCX)
	SUBQ(last, reg.RCX)
	ADDQ(n, reg.RCX)
	MOVQ(I32(-1), reg.RAX)
	BZHIQ(reg.RCX, reg.RAX, reg.RAX)
	KMOVQ(reg.RAX, reg.K1)
	VPXORQ(at(p, 0), top, reg.Z16)
	VPXORQ(at(p, 0, reg.RDI), top, reg.Z17)
	VPXORQ(at(last, -64), top, reg.Z18)
	LEAQ(Mem{Base: tables, Disp: lanesAt, Index: reg.RBX, Scale: 4}, weights)
	VPBROADCASTD(at(weights, 4), reg.Z20)
	VPBROADCASTD(at(weights, 0), reg.Z21)
	VPADDB(at(last, 0), top, reg.K1, top)
	VPMADDWD(ones, reg.Z16, reg.Z16)
	VPMADDWD(reg.Z20, reg.Z17, reg.Z17)
	VPDPWSSD(reg.Z21, reg.Z18, reg.Z17)
	VPDPWSSD(ones, top, reg.Z16)
	VPADDD(reg.Z17, reg.Z16, reg.Z16)
	join()
	INCL(reg.EBX)
	SHLL(U8(20), reg.EBX)
	ADDL(reg.EBX, reg.EAX)
	return32()

	Label("vnni_over256")
	constants()
	broadcast()
	XORL(total.As32(), total.As32())
	MOVQ(n, left)
	Label("vnni_block")
	MOVQ(left, n)
	CMPQ(left, U32(block))
	JLE(LabelRef("vnni_begin"))
	MOVQ(U32(block/2), n) // so that more than 256 bytes are left
	Label("vnni_begin")
	SUBQ(n, left)
	MOVL(p.As32(), reg.ECX)
	ANDL(U8(63), reg.ECX)
	MOVQ(p, line)
	SUBQ(reg.RCX, line)
	LEAQ(at(n, -1, reg.RCX), last)
	ANDQ(I8(-64), last)
	MOVQ(I32(-1), reg.RAX)
	SHLXQ(reg.RCX, reg.RAX, reg.RBX)
	KMOVQ(reg.RBX, reg.K1)
	ADDQ(n, p) // the next block
	MOVL(p.As32(), reg.ECX)
	NEGL(reg.ECX)
	SHRXQ(reg.RCX, reg.RAX, reg.RBX) // by the low six bits of the count
	KMOVQ(reg.RBX, reg.K2)
	LEAQ(at(line, -192, last), stop)
	MOVQ(last, reg.RBX)
	SHRQ(U8(6), reg.RBX)
	DECL(reg.EBX)
	ANDL(U8(3), reg.EBX)
	LEAQ(Mem{Base: tables, Disp: lanesAt, Index: reg.RBX, Scale: 4}, weights)
	VMOVDQA64(top, reg.Z16)
	VMOVDQA64(top, reg.Z17)
	VPADDB(at(line, 0), reg.Z16, reg.K1, reg.Z16)
	VPADDB(at(stop, 192), reg.Z17, reg.K2, reg.Z17)
	VPXORQ(at(stop, 128), top, reg.Z18)
	VPXORQ(at(stop, 64), top, reg.Z19)
	VPXORQ(at(stop, 0), top, reg.Z20)
	VPBROADCASTD(at(weights, 8), reg.Z24)
	VPBROADCASTD(at(weights, 4), reg.Z25)
	VPBROADCASTD(at(weights, 0), reg.Z26)
	VPMADDWD(ones, reg.Z16, reg.Z16)
	VPMADDWD(ones, reg.Z17, reg.Z17)
	VPMADDWD(reg.Z24, reg.Z18, reg.Z18)
	VPMADDWD(reg.Z25, reg.Z19, reg.Z19)
	VPMADDWD(reg.Z26, reg.Z20, reg.Z20)
	for _, z := range []reg.VecPhysical{reg.Z21, reg.Z22, reg.Z23} {
		VPXORQ(z, z, z)
	}
	ADDQ(I8(64), line)
	CMPQ(line, stop)
	JCC(LabelRef("vnni_join"))

	step := func(lanes ...reg.VecPhysical) {
		x := []reg.VecPhysical{reg.Z24, reg.Z25, reg.Z26, reg.Z27}
		for i := range lanes {
			VPXORQ(at(line, 64*i), top, x[i])
		}
		for i, lane := range lanes {
			VPDPWSSD(ones, x[i], lane)
		}
		ADDQ(U32(256), line)
		CMPQ(line, stop)
	}
	align()
	Label("vnni_loop")
	step(reg.Z16, reg.Z17, reg.Z18, reg.Z19)
	JCC(LabelRef("vnni_join"))
	step(reg.Z20, reg.Z21, reg.Z22, reg.Z23)
	JCS(LabelRef("vnni_loop"))
	Label("vnni_join")
	VPADDD(reg.Z20, reg.Z16, reg.Z16)
	VPADDD(reg.Z21, reg.Z17, reg.Z17)
	VPADDD(reg.Z22, reg.Z18, reg.Z18)
	VPADDD(reg.Z23, reg.Z19, reg.Z19)
	VPADDD(reg.Z17, reg.Z16, reg.Z16)
	VPADDD(reg.Z19, reg.Z18, reg.Z18)
	VPADDD(reg.Z18, reg.Z16, reg.Z16)
	join()
	ADDQ(I8(64), last)
	SHLL(U8(14), last.As32())
	ADDL(last.As32(), reg.EAX)
	ADDQ(reg.RAX, total)
	TESTQ(left, left)
	JNE(LabelRef("vnni_block"))
	MOVQ(total, reg.RAX)
	fold64()
	// If the data begins at an odd address, each byte is in the other half of a word of its line.
	// All blocks have the same parity.
	SUBQ(n, p)
	MOVL(p.As32(), reg.ECX)
	SHLL(U8(3), reg.ECX)
	ROLL(reg.CL, reg.EAX)
	return32()
}
