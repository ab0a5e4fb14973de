// SPDX-License-Identifier: MIT OR Apache-2.0

package checksum

import "testing"

// Bytes of RFC 1071, section 3: in one piece, cut at each place, after an initial sum.
func TestChecksum(t *testing.T) {
	data := []byte("\x00\x01\xf2\x03\xf4\xf5\xf6\xf7")
	const sum = 0xddf2
	if got := Checksum(data, 0); got != sum {
		t.Errorf("%#x", got)
	}
	for cut := range data {
		var c Checksumer
		c.Add(data[:cut])
		c.Add(nil)
		c.Add(data[cut:])
		if got := c.Checksum(); got != sum {
			t.Errorf("cut at %d: %#x", cut, got)
		}
		if cut%2 == 0 {
			head := Checksum(data[:cut], 0)
			if got := Checksum(data[cut:], head); got != sum {
				t.Errorf("in two, cut at %d: %#x", cut, got)
			}
			if got := Combine(head, Checksum(data[cut:], 0)); got != sum {
				t.Errorf("combined, cut at %d: %#x", cut, got)
			}
		}
	}
	room := make([]byte, Size)
	Put(room, ^uint16(sum))
	if got := Checksum(append(data, room...), 0); got != 0xFFFF {
		t.Errorf("with its checksum: %#x", got)
	}
}
