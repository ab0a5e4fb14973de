// SPDX-License-Identifier: MIT OR Apache-2.0

package wireguard

import "testing"

func TestChecksum(t *testing.T) {
	data := []byte("\x00\x01\xf2\x03\xf4\xf5\xf6\xf7")
	const sum = 0xddf2
	if got := Checksum(data, 0); got != sum {
		t.Errorf("%#x", got)
	}
	for cut := 0; cut <= len(data); cut += 2 {
		if got := Checksum(data[cut:], ChecksumNoFold(data[:cut], 0)); got != sum {
			t.Errorf("cut at %d: %#x", cut, got)
		}
	}
	// 2^64 - 1 is a multiple of 0xFFFF.
	for _, initial := range []uint64{1<<64 - 1, 0xFFFF, 1<<32 - 1, 0xFFFF << 48} {
		if got := Checksum(data, initial); got != sum {
			t.Errorf("after %#x: %#x", initial, got)
		}
		if got := Checksum(nil, ChecksumNoFold(data, initial)); got != sum {
			t.Errorf("after %#x: %#x", initial, got)
		}
	}
	if got := ChecksumNoFold(nil, 0); got != 0 {
		t.Errorf("nothing: %#x", got)
	}
}

// A datagram of spec/vectors.json: linux-udp.
func TestPseudoHeader(t *testing.T) {
	source, destination := []byte{192, 0, 2, 1}, []byte{192, 0, 2, 2}
	datagram := []byte("\xec\x91\x00\x07\x00\x0f\x00\x00wiresum")
	pseudo := PseudoHeaderChecksumNoFold(17, source, destination, uint16(len(datagram)))
	if got := ^Checksum(datagram, pseudo); got != 0xc4ee {
		t.Errorf("%#x", got)
	}
}
