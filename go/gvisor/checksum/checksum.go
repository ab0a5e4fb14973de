// SPDX-License-Identifier: MIT OR Apache-2.0

// Package checksum has the names and meanings of gVisor's package pkg/tcpip/checksum. A program
// that imports that package imports this one in its place, and a replaced gVisor takes this one for
// its own.
package checksum

import (
	"encoding/binary"

	wiresum "github.com/wiresum/wiresum/go"
)

// Size is the number of bytes of a checksum.
const Size = 2

// Put stores a checksum at the beginning of b.
func Put(b []byte, xsum uint16) { binary.BigEndian.PutUint16(b, xsum) }

// Checksum returns the sum of buf and of what initial is the sum of, which has an even length. In
// the words of package wiresum the result is a sum, not complemented.
func Checksum(buf []byte, initial uint16) uint16 {
	return wiresum.Add(initial, wiresum.Sum(buf))
}

// A Checksumer sums data that come in pieces.
type Checksumer struct {
	stream wiresum.Stream
}

// Add adds a piece of any length.
func (c *Checksumer) Add(b []byte) { _, _ = c.stream.Write(b) }

// Checksum returns the sum of all pieces.
func (c *Checksumer) Checksum() uint16 { return c.stream.Sum() }

// Combine returns the sum of two pieces, the first of which has an even length.
func Combine(a, b uint16) uint16 { return wiresum.Add(a, b) }
