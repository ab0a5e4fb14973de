// SPDX-License-Identifier: MIT OR Apache-2.0

// Command asm writes the kernels for amd64. The script generate calls it. It is in a module of its
// own, so no user of the package gets avo.
//
// All kernels are one function, which returns the sum of n bytes at p, folded, in wire order. So
// the choice of a kernel is a jump, and not a second call. No kernel reads a byte outside of the
// data; masked bytes that a load leaves out are in the same page.
package main

import (
	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The registers of all kernels. R14, R15 and SP belong to Go.
var (
	p      = reg.RSI // the next byte
	n      = reg.RDX // the number of bytes
	tables = reg.R8
)

// The tables lie in one symbol. A weight is a word, and weights are slid: the length of the data
// decides where a load begins.
const (
	onesAt    = 128 // 128 bytes of weight 0, 128 of weight 1, 32 of weight 0
	onesEnd   = onesAt + 128
	masksAt   = onesEnd + 32 // 256 bytes of zeros, 256 of ones, 32 of zeros
	masksEnd  = masksAt + 256 + 256
	topAt     = masksEnd + 32 // the top bit of each word
	dwordsAt  = topAt + 32    // 64 bytes of ones, 64 of zeros
	dwordsEnd = dwordsAt + 64
	lanesAt   = dwordsEnd + 64 // for AVX-512: lanes of weight 0, 0, 0, 1, 1, 1
	oneAt     = lanesAt + 12   // a lane of weight 1
)

func writeTables() {
	GLOBL("tables", RODATA|NOPTR)
	word := func(at int, value uint64, count int) {
		for i := 0; i < count; i++ {
			DATA(at+8*i, U64(value))
		}
	}
	const one, top = 0x0001000100010001, 0x8000800080008000
	word(0, 0, onesAt/8)
	word(onesAt, one, 16)
	word(onesEnd, 0, 4)
	word(masksAt, 0, 32)
	word(masksAt+256, ^uint64(0), 32)
	word(masksEnd, 0, 4)
	word(topAt, top, 4)
	word(dwordsAt, ^uint64(0), 8)
	word(dwordsEnd, 0, 8)
	word(lanesAt, 0, 1)
	DATA(lanesAt+8, U32(0))
	DATA(lanesAt+12, U32(0x00010001))
	word(lanesAt+16, one, 1)
}

// at is an operand of memory: displacement(base)(index*1).
func at(base reg.Register, displacement int, index ...reg.Register) Mem {
	m := Mem{Base: base, Disp: displacement}
	if len(index) > 0 {
		m.Index, m.Scale = index[0], 1
	}
	return m
}

// return32 folds the sum in EAX and returns. The top half of the folded number, with its bytes in
// the other order, is what BSWAP leaves in the low half.
func return32() {
	MOVL(reg.EAX, reg.ECX)
	ROLL(U8(16), reg.ECX)
	ADDL(reg.ECX, reg.EAX)
	BSWAPL(reg.EAX)
	Store(reg.AX, ReturnIndex(0))
	RET()
}

// fold64 makes the sum in RAX one of 32 bits.
func fold64() {
	MOVQ(reg.RAX, reg.RCX)
	RORQ(U8(32), reg.RCX)
	ADDQ(reg.RCX, reg.RAX)
	SHRQ(U8(32), reg.RAX)
}

// scalar sums data of any length, 16 bytes a step. Kernels jump to it with short data, and with
// data that end near the end of a page.
func scalar() {
	Label("scalar")
	XORL(reg.EAX, reg.EAX)
	CMPQ(n, I8(16))
	JLE(LabelRef("tail"))
	Label("step")
	ADDQ(at(p, 0), reg.RAX)
	ADCQ(at(p, 8), reg.RAX)
	ADCQ(I8(0), reg.RAX)
	ADDQ(I8(16), p)
	SUBQ(I8(16), n)
	CMPQ(n, I8(16))
	JG(LabelRef("step"))

	// The last 16 bytes at most: the first eight and the last eight, less those that both have.
	Label("tail")
	CMPQ(n, I8(8))
	JLE(LabelRef("eight"))
	ADDQ(at(p, 0), reg.RAX)
	ADCQ(I8(0), reg.RAX)
	MOVQ(at(p, -8, n), reg.RBX)
	MOVL(U32(16), reg.ECX)
	SUBL(n.As32(), reg.ECX)
	SHLL(U8(3), reg.ECX)
	SHRQ(reg.CL, reg.RBX)
	JMP(LabelRef("last"))

	Label("eight")
	CMPQ(n, I8(4))
	JL(LabelRef("three"))
	MOVL(at(p, 0), reg.EBX)
	ADDQ(reg.RBX, reg.RAX)
	ADCQ(I8(0), reg.RAX)
	MOVL(at(p, -4, n), reg.EBX)
	MOVL(U32(8), reg.ECX)
	SUBL(n.As32(), reg.ECX)
	SHLL(U8(3), reg.ECX)
	SHRQ(reg.CL, reg.RBX)
	JMP(LabelRef("last"))

	Label("three")
	XORL(reg.EBX, reg.EBX)
	TESTQ(n, n)
	JE(LabelRef("last"))
	MOVBLZX(at(p, 0), reg.EBX)
	CMPQ(n, I8(2))
	JL(LabelRef("last"))
	MOVWLZX(at(p, 0), reg.EBX)
	JE(LabelRef("last"))
	MOVBLZX(at(p, 2), reg.ECX)
	SHLL(U8(16), reg.ECX)
	ORL(reg.ECX, reg.EBX)

	Label("last")
	ADDQ(reg.RBX, reg.RAX)
	ADCQ(I8(0), reg.RAX)
	fold64()
	return32()
}

// jumpAtPageEnd jumps to scalar if 64 bytes at from reach into another page. There a masked load
// takes hundreds of cycles, if that page is not mapped.
func jumpAtPageEnd(from reg.GPPhysical) {
	MOVL(from.As32(), reg.ECX)
	ANDL(U32(4095), reg.ECX)
	CMPL(reg.ECX, U32(4096-64))
	JHI(LabelRef("scalar"))
}

// oddByte puts the last byte of an odd number into to, else 0.
func oddByte(to reg.GPPhysical) {
	MOVL(n.As32(), reg.ECX)
	ANDL(U8(1), reg.ECX)
	NEGL(reg.ECX)
	MOVBLZX(at(p, -1, n), to.As32())
	ANDL(reg.ECX, to.As32())
}

// align begins a loop at a multiple of 32 bytes. avo has no function for this directive.
func align() {
	Instruction(&ir.Instruction{Opcode: "PCALIGN", Operands: []Op{Imm(32)}})
}

// sum jumps to the kernel that the variable chosen names. 20 bytes, the length of a header of IPv4
// or TCP, take no kernel.
func sum() {
	TEXT("sum", NOSPLIT, "func(p *byte, n int) uint16")
	Doc("sum returns the sum of n bytes at p, by the kernel that is chosen.")
	Pragma("noescape")
	Load(Param("p"), p)
	Load(Param("n"), n)
	CMPQ(n, I8(20))
	JNE(LabelRef("choose"))
	MOVL(at(p, 16), reg.EAX)
	ADDQ(at(p, 0), reg.RAX)
	ADCQ(at(p, 8), reg.RAX)
	ADCQ(I8(0), reg.RAX)
	fold64()
	return32()
	Label("choose")
	CMPB(Mem{Symbol: Symbol{Name: "\u00b7chosen"}, Base: reg.StaticBase}, U8(1))
	JCS(LabelRef("vnni"))
	JEQ(LabelRef("avx2"))
	CMPB(Mem{Symbol: Symbol{Name: "\u00b7chosen"}, Base: reg.StaticBase}, U8(2))
	JNE(LabelRef("scalar"))
	sse2()
	avx2()
	vnni()
	scalar()
}

func main() {
	ConstraintExpr("!purego")
	writeTables()
	sum()
	Generate()
}
