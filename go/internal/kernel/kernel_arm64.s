// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build !purego

#include "textflag.h"

// UADALP adds neighboring 32-bit words of Vn to 64-bit lanes of Vd: one operation a vector. Go's
// assembler does not know the instruction.
#define UADALP(n, d) WORD $(0x6EA06800 | (n)<<5 | (d))

// 128 bytes of zeros, then 128 of ones.
DATA masks<>+0(SB)/8, $0x0000000000000000
DATA masks<>+8(SB)/8, $0x0000000000000000
DATA masks<>+16(SB)/8, $0x0000000000000000
DATA masks<>+24(SB)/8, $0x0000000000000000
DATA masks<>+32(SB)/8, $0x0000000000000000
DATA masks<>+40(SB)/8, $0x0000000000000000
DATA masks<>+48(SB)/8, $0x0000000000000000
DATA masks<>+56(SB)/8, $0x0000000000000000
DATA masks<>+64(SB)/8, $0x0000000000000000
DATA masks<>+72(SB)/8, $0x0000000000000000
DATA masks<>+80(SB)/8, $0x0000000000000000
DATA masks<>+88(SB)/8, $0x0000000000000000
DATA masks<>+96(SB)/8, $0x0000000000000000
DATA masks<>+104(SB)/8, $0x0000000000000000
DATA masks<>+112(SB)/8, $0x0000000000000000
DATA masks<>+120(SB)/8, $0x0000000000000000
DATA masks<>+128(SB)/8, $0xffffffffffffffff
DATA masks<>+136(SB)/8, $0xffffffffffffffff
DATA masks<>+144(SB)/8, $0xffffffffffffffff
DATA masks<>+152(SB)/8, $0xffffffffffffffff
DATA masks<>+160(SB)/8, $0xffffffffffffffff
DATA masks<>+168(SB)/8, $0xffffffffffffffff
DATA masks<>+176(SB)/8, $0xffffffffffffffff
DATA masks<>+184(SB)/8, $0xffffffffffffffff
DATA masks<>+192(SB)/8, $0xffffffffffffffff
DATA masks<>+200(SB)/8, $0xffffffffffffffff
DATA masks<>+208(SB)/8, $0xffffffffffffffff
DATA masks<>+216(SB)/8, $0xffffffffffffffff
DATA masks<>+224(SB)/8, $0xffffffffffffffff
DATA masks<>+232(SB)/8, $0xffffffffffffffff
DATA masks<>+240(SB)/8, $0xffffffffffffffff
DATA masks<>+248(SB)/8, $0xffffffffffffffff
GLOBL masks<>(SB), RODATA|NOPTR, $256

// func partialNEON(p *byte, n int) uint64
//
// The partial sum of 32 bytes and more: 128 bytes a step. The last 128 bytes end with the data, and
// masks clear those that are counted already. The last byte of an odd number is added alone. Less
// than 128 bytes take 16 a step, and a masked vector.
//
// Bound: a vector adds less than 2^33 to a lane. All lanes together are below 2^62 for 2^31 bytes.
TEXT ·partialNEON(SB), NOSPLIT, $0-24
	MOVD p+0(FP), R0
	MOVD n+8(FP), R1
	VEOR V0.B16, V0.B16, V0.B16
	VEOR V1.B16, V1.B16, V1.B16
	VEOR V2.B16, V2.B16, V2.B16
	VEOR V3.B16, V3.B16, V3.B16
	MOVD ZR, R2                      // the odd byte
	TBZ  $0, R1, even
	SUB  $1, R1
	MOVBU (R0)(R1), R2

even:
	MOVD $masks<>+128(SB), R4
	CMP  $128, R1
	BLO  short
	SUB  $1, R1, R3
	AND  $~127, R3                   // bytes that the loop takes
	ADD  R0, R1, R5                  // the end
	SUB  R3, R1, R6                  // bytes that still count then: 2 to 128
	CBZ  R3, last
	ADD  R0, R3

loop:
	VLD1.P 64(R0), [V4.B16, V5.B16, V6.B16, V7.B16]
	VLD1.P 64(R0), [V16.B16, V17.B16, V18.B16, V19.B16]
	UADALP(4, 0)
	UADALP(5, 1)
	UADALP(6, 2)
	UADALP(7, 3)
	UADALP(16, 0)
	UADALP(17, 1)
	UADALP(18, 2)
	UADALP(19, 3)
	CMP  R0, R3
	BNE  loop

last:
	SUB  $128, R5
	ADD  R6, R4
	SUB  $128, R4
	VLD1.P 64(R5), [V4.B16, V5.B16, V6.B16, V7.B16]
	VLD1.P 64(R4), [V16.B16, V17.B16, V18.B16, V19.B16]
	VAND V16.B16, V4.B16, V4.B16
	VAND V17.B16, V5.B16, V5.B16
	VAND V18.B16, V6.B16, V6.B16
	VAND V19.B16, V7.B16, V7.B16
	UADALP(4, 0)
	UADALP(5, 1)
	UADALP(6, 2)
	UADALP(7, 3)
	VLD1 (R5), [V4.B16, V5.B16, V6.B16, V7.B16]
	VLD1 (R4), [V16.B16, V17.B16, V18.B16, V19.B16]
	VAND V16.B16, V4.B16, V4.B16
	VAND V17.B16, V5.B16, V5.B16
	VAND V18.B16, V6.B16, V6.B16
	VAND V19.B16, V7.B16, V7.B16
	UADALP(4, 0)
	UADALP(5, 1)
	UADALP(6, 2)
	UADALP(7, 3)
	B    join

short:
	VLD1.P 16(R0), [V4.B16]
	UADALP(4, 0)
	SUB  $16, R1
	CMP  $16, R1
	BHI  short
	ADD  R1, R0
	SUB  $16, R0
	ADD  R1, R4
	SUB  $16, R4
	VLD1 (R0), [V4.B16]
	VLD1 (R4), [V5.B16]
	VAND V5.B16, V4.B16, V4.B16
	UADALP(4, 1)

join:
	VADD V1.D2, V0.D2, V0.D2
	VADD V3.D2, V2.D2, V2.D2
	VADD V2.D2, V0.D2, V0.D2
	VMOV V0.D[0], R3
	VMOV V0.D[1], R4
	ADD  R4, R3
	ADD  R2, R3
	MOVD R3, ret+16(FP)
	RET
