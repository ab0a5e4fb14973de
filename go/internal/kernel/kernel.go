// SPDX-License-Identifier: MIT OR Apache-2.0

// Package kernel sums bytes with the best instructions of the CPU. Every function returns the sum
// as the number that documents print: its first byte is the high one.
package kernel

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"golang.org/x/sys/cpu"
)

// A Kernel is one way to sum.
type Kernel struct {
	Name      string
	Supported bool // by this CPU
}

// chosen is the index in Kernels of the one that Sum uses. The assembly reads it.
var chosen = best()

// best returns the index of the first kernel that this CPU supports. The last one needs nothing.
func best() uint8 {
	i := uint8(0)
	for !Kernels[i].Supported {
		i++
	}
	return i
}

// InUse returns the name of the kernel that Sum uses.
func InUse() string { return Kernels[chosen].Name }

// Use makes Sum use the kernel with this name, for tests and benchmarks. No other goroutine may
// call Sum meanwhile.
func Use(name string) error {
	for i, k := range Kernels {
		if k.Name == name && k.Supported {
			chosen = uint8(i)
			return nil
		}
	}
	return fmt.Errorf("no kernel %q on this CPU", name)
}

// generic sums on every machine: it adds native 64-bit words with their carries.
func generic(b []byte) uint16 {
	var sum, carry uint64
	for ; len(b) >= 64; b = b[64:] {
		sum, carry = bits.Add64(sum, binary.NativeEndian.Uint64(b), 0)
		sum, carry = bits.Add64(sum, binary.NativeEndian.Uint64(b[8:]), carry)
		sum, carry = bits.Add64(sum, binary.NativeEndian.Uint64(b[16:]), carry)
		sum, carry = bits.Add64(sum, binary.NativeEndian.Uint64(b[24:]), carry)
		sum, carry = bits.Add64(sum, binary.NativeEndian.Uint64(b[32:]), carry)
		sum, carry = bits.Add64(sum, binary.NativeEndian.Uint64(b[40:]), carry)
		sum, carry = bits.Add64(sum, binary.NativeEndian.Uint64(b[48:]), carry)
		sum, carry = bits.Add64(sum, binary.NativeEndian.Uint64(b[56:]), carry)
		sum += carry
	}
	for ; len(b) >= 16; b = b[16:] {
		sum, carry = bits.Add64(sum, binary.NativeEndian.Uint64(b), 0)
		sum, carry = bits.Add64(sum, binary.NativeEndian.Uint64(b[8:]), carry)
		sum += carry
	}
	if len(b) >= 8 {
		sum, carry = bits.Add64(sum, binary.NativeEndian.Uint64(b), 0)
		sum += carry
		b = b[8:]
	}
	// Less than 2^35: no carry of the rest is lost.
	sum = sum>>32 + sum&0xFFFFFFFF
	if len(b) >= 4 {
		sum += uint64(binary.NativeEndian.Uint32(b))
		b = b[4:]
	}
	if len(b) >= 2 {
		sum += uint64(binary.NativeEndian.Uint16(b))
		b = b[2:]
	}
	if len(b) == 1 {
		sum += uint64(binary.NativeEndian.Uint16([]byte{b[0], 0}))
	}
	return FoldNative(sum)
}

// Fold returns the sum that a total of words means, in the byte order of the words.
func Fold(total uint64) uint16 {
	total += bits.RotateLeft64(total, 32)
	half := uint32(total >> 32)
	return uint16((half + bits.RotateLeft32(half, 16)) >> 16)
}

// FoldNative returns the sum that a total of native words means.
func FoldNative(total uint64) uint16 {
	total += bits.RotateLeft64(total, 32)
	half := uint32(total >> 32)
	half += bits.RotateLeft32(half, 16)
	if cpu.IsBigEndian {
		return uint16(half >> 16)
	}
	return uint16(bits.ReverseBytes32(half))
}
