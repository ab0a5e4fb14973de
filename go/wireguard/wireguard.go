// SPDX-License-Identifier: MIT OR Apache-2.0

// Package wireguard has the checksum functions of wireguard-go's package tun, with the same names
// and meanings. There they are not exported: a fork puts them in the place of its own.
package wireguard

import (
	"math/bits"

	wiresum "github.com/wiresum/wiresum/go"
)

// ChecksumNoFold returns a partial sum of b and of what initial is a partial sum of, which has an
// even length.
func ChecksumNoFold(b []byte, initial uint64) uint64 {
	sum, carry := bits.Add64(initial, uint64(wiresum.Sum(b)), 0)
	return sum + carry
}

// Checksum returns the sum of b and of what initial is a partial sum of. In the words of package
// wiresum the result is a sum, not complemented.
func Checksum(b []byte, initial uint64) uint16 {
	total := initial>>32 + initial&0xFFFFFFFF
	total = total>>16 + total&0xFFFF
	total = total>>16 + total&0xFFFF
	return wiresum.Add(uint16(total>>16+total&0xFFFF), wiresum.Sum(b))
}

// PseudoHeaderChecksumNoFold returns a partial sum of the pseudo-header of IPv4 or IPv6, by the
// length of the addresses.
func PseudoHeaderChecksumNoFold(protocol uint8, srcAddr, dstAddr []byte, totalLen uint16) uint64 {
	return uint64(wiresum.Sum(srcAddr)) + uint64(wiresum.Sum(dstAddr)) + uint64(protocol) +
		uint64(totalLen)
}
