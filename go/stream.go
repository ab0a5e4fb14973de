// SPDX-License-Identifier: MIT OR Apache-2.0

package wiresum

import "github.com/wiresum/wiresum/go/internal/kernel"

// A Stream sums data that come in pieces of any length. The zero value is the stream of no bytes.
// It is an [io.Writer].
type Stream struct {
	sum uint16
	odd bool // whether the number of bytes is odd
}

func (s *Stream) add(piece []byte) {
	sum := kernel.Sum(piece)
	if s.odd {
		sum = Swap(sum)
	}
	s.sum = Add(s.sum, sum)
	s.odd = s.odd != (len(piece)&1 != 0)
}

// Write adds a piece. It returns its length and no error.
func (s *Stream) Write(piece []byte) (int, error) {
	s.add(piece)
	return len(piece), nil
}

// AddSum adds what has an even length and the sum that is given: a pseudo-header, before any piece
// or between two.
func (s *Stream) AddSum(sum uint16) {
	if s.odd {
		sum = Swap(sum)
	}
	s.sum = Add(s.sum, sum)
}

// Sum returns the sum of all pieces.
func (s *Stream) Sum() uint16 { return s.sum }

// Checksum returns the checksum of all pieces.
func (s *Stream) Checksum() uint16 { return ^s.sum }

// Reset makes s the stream of no bytes.
func (s *Stream) Reset() { *s = Stream{} }
