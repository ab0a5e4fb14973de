// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build !purego

package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

// Kernels are the kernels of this build, best first. The assembly has the same order.
var Kernels = []Kernel{
	{"avx512vnni", hasAVX2 && cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL &&
		cpu.X86.HasAVX512VNNI},
	{"avx2", hasAVX2},
	{"sse2", true},
	{"adc", true},
}

var hasAVX2 = cpu.X86.HasAVX2 && cpu.X86.HasBMI2

// Sum returns the sum of b.
func Sum(b []byte) uint16 { return sum(unsafe.SliceData(b), len(b)) }
