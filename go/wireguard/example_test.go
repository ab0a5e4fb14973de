// SPDX-License-Identifier: MIT OR Apache-2.0

package wireguard_test

import (
	"fmt"

	"github.com/wiresum/wiresum/go/wireguard"
)

var (
	source, destination = []byte{192, 0, 2, 1}, []byte{192, 0, 2, 2}
	datagram            = []byte("\xec\x91\x00\x07\x00\x0f\x00\x00wiresum")
)

func ExampleChecksum() {
	pseudo := wireguard.PseudoHeaderChecksumNoFold(17, source, destination, uint16(len(datagram)))
	fmt.Printf("%#04x\n", ^wireguard.Checksum(datagram, pseudo))
	// Output: 0xc4ee
}

func ExampleChecksumNoFold() {
	head := wireguard.ChecksumNoFold([]byte("da"), 0)
	fmt.Printf("%#04x\n", wireguard.Checksum([]byte("ta"), head))
	// Output: 0xd8c2
}

func ExamplePseudoHeaderChecksumNoFold() {
	pseudo := wireguard.PseudoHeaderChecksumNoFold(17, source, destination, uint16(len(datagram)))
	fmt.Printf("%#04x\n", wireguard.Checksum(nil, pseudo))
	// Output: 0x8424
}
