// SPDX-License-Identifier: MIT OR Apache-2.0

package wiresum

import (
	"encoding/binary"
	"math/bits"

	"github.com/wiresum/wiresum/go/internal/kernel"
)

// Sum returns the sum of data.
func Sum(data []byte) uint16 { return kernel.Sum(data) }

// Checksum returns the checksum of data, for a field that is zero, or left out, in data.
func Checksum(data []byte) uint16 { return ^kernel.Sum(data) }

// OK returns whether data, which include their checksum field, have a right one: whether they sum
// to 0xFFFF.
func OK(data []byte) bool { return kernel.Sum(data) == 0xFFFF }

// Sum20 returns the sum of a header of 20 bytes, as IPv4 and TCP have without options. A compiler
// puts it in line.
func Sum20(header *[20]byte) uint16 {
	total := uint64(binary.NativeEndian.Uint32(header[:])) +
		uint64(binary.NativeEndian.Uint32(header[4:])) +
		uint64(binary.NativeEndian.Uint32(header[8:])) +
		uint64(binary.NativeEndian.Uint32(header[12:])) +
		uint64(binary.NativeEndian.Uint32(header[16:]))
	return kernel.FoldNative(total)
}

// Sum40 returns the sum of a header of 40 bytes, as IPv6 has, or IPv4 and TCP together. A compiler
// puts it in line.
func Sum40(header *[40]byte) uint16 {
	sum, carry := bits.Add64(binary.BigEndian.Uint64(header[:]),
		binary.BigEndian.Uint64(header[8:]), 0)
	sum, carry = bits.Add64(sum, binary.BigEndian.Uint64(header[16:]), carry)
	sum, carry = bits.Add64(sum, binary.BigEndian.Uint64(header[24:]), carry)
	sum, carry = bits.Add64(sum, binary.BigEndian.Uint64(header[32:]), carry)
	// The lines of kernel.Fold: with a call the function costs more than the compiler puts in line.
	sum += carry
	sum += bits.RotateLeft64(sum, 32)
	sum >>= 32
	return uint16((sum + sum<<16 + sum>>16) >> 16)
}

// copied is what Copy copies before it sums: a part of the first cache of every CPU.
const copied = 8 << 10

// Copy copies src to dst and returns the sum of src. It panics if dst is shorter than src. The two
// must not overlap.
func Copy(dst, src []byte) uint16 {
	if len(dst) < len(src) {
		panic("wiresum: Copy needs a destination as long as its source")
	}
	sum := uint16(0)
	for len(src) > copied {
		copy(dst, src[:copied])
		sum = Add(sum, kernel.Sum(dst[:copied]))
		dst, src = dst[copied:], src[copied:]
	}
	return Add(sum, kernel.Sum(dst[:copy(dst, src)]))
}

// Gather returns the sum of pieces as one stream of bytes. Each piece may have any length.
func Gather(pieces ...[]byte) uint16 {
	var s Stream
	for _, piece := range pieces {
		s.add(piece)
	}
	return s.Sum()
}

// Batch puts the sum of each packet into sums. It panics if sums is shorter than packets.
func Batch(packets [][]byte, sums []uint16) {
	sums = sums[:len(packets)]
	for i, packet := range packets {
		sums[i] = kernel.Sum(packet)
	}
}
