// SPDX-License-Identifier: MIT OR Apache-2.0

package wiresum

import "github.com/wiresum/wiresum/go/internal/kernel"

// Add returns the sum of two pieces whose sums are a and b, each piece at an even offset.
func Add(a, b uint16) uint16 {
	sum := uint32(a) + uint32(b)
	return uint16(sum + sum>>16)
}

// Sub returns the sum of the rest when a part at an even offset is taken out of a whole. A sum does
// not say what it is made of, so an all-zero rest gives 0xFFFF if part is not 0x0000.
func Sub(whole, part uint16) uint16 {
	if part == 0 {
		return whole
	}
	return Add(whole, ^part)
}

// Swap returns sum with its bytes exchanged: the sum of the same bytes at offsets of the other
// parity.
func Swap(sum uint16) uint16 { return sum<<8 | sum>>8 }

// Append returns the sum of a head of headLen bytes and the tail after it.
func Append(head uint16, headLen int, tail uint16) uint16 {
	if headLen&1 != 0 {
		tail = Swap(tail)
	}
	return Add(head, tail)
}

// Remove returns the sum of the first headLen bytes of a whole whose other bytes sum to tail. It is
// the inverse of [Append]. An all-zero head gives what an all-zero rest gives in [Sub].
func Remove(whole uint16, headLen int, tail uint16) uint16 {
	if headLen&1 != 0 {
		tail = Swap(tail)
	}
	return Sub(whole, tail)
}

// Update16 returns the checksum after a change of 16 bits at an even offset (RFC 1624, equation 3).
func Update16(checksum, was, is uint16) uint16 { return ^Add(Sub(^checksum, was), is) }

// Update32 returns the checksum after a change of 32 bits at an even offset: of an IPv4 address, or
// of a sequence number.
func Update32(checksum uint16, was, is uint32) uint16 {
	return Update16(checksum, kernel.Fold(uint64(was)), kernel.Fold(uint64(is)))
}

// Update returns the checksum after the bytes was at an offset of the data became the bytes is. It
// panics if the two have different lengths.
//
// The result equals a new computation, except that data which become all zero get 0x0000 and
// not 0xFFFF. Data with a pseudo-header or an IP header among them are never all zero.
func Update(checksum uint16, offset int, was, is []byte) uint16 {
	if len(was) != len(is) {
		panic("wiresum: Update needs as many bytes after the change as before it")
	}
	m, m2 := kernel.Sum(was), kernel.Sum(is)
	if offset&1 != 0 {
		m, m2 = Swap(m), Swap(m2)
	}
	return Update16(checksum, m, m2)
}

// UpdateUDP returns the result of [Update] as UDP sends it. A checksum of 0x0000, which means that
// none was computed, stays 0x0000.
func UpdateUDP(checksum uint16, offset int, was, is []byte) uint16 {
	if checksum == 0 {
		return 0
	}
	return FieldUDP(Update(checksum, offset, was, is))
}

// FieldUDP returns a checksum as UDP sends it: 0xFFFF for 0x0000.
func FieldUDP(checksum uint16) uint16 {
	if checksum == 0 {
		return 0xFFFF
	}
	return checksum
}
