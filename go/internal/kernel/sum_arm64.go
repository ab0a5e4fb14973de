// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build !purego

package kernel

import "unsafe"

// Kernels are the kernels of this build, best first. Go asks for NEON on each arm64.
var Kernels = []Kernel{{"neon", true}, {"generic", true}}

// partialNEON returns the sum of 32 to 2^31 bytes as a total of native words.
//
//go:noescape
func partialNEON(p *byte, n int) uint64

// Sum returns the sum of b.
func Sum(b []byte) uint16 {
	if len(b) < 32 || chosen != 0 {
		return generic(b)
	}
	const block = 1 << 30
	total := uint64(0)
	for len(b) >= 2*block {
		total += uint64(Fold(partialNEON(unsafe.SliceData(b), block)))
		b = b[block:]
	}
	// At most 2^31 bytes: the total of their words is below 2^62.
	return FoldNative(total + partialNEON(unsafe.SliceData(b), len(b)))
}
