// SPDX-License-Identifier: MIT OR Apache-2.0

package checksum_test

import (
	"fmt"

	"github.com/wiresum/wiresum/go/gvisor/checksum"
)

func ExampleChecksum() {
	pseudo := checksum.Checksum([]byte{192, 0, 2, 1, 192, 0, 2, 2, 0, 17, 0, 15}, 0)
	datagram := []byte("\xec\x91\x00\x07\x00\x0f\x00\x00wiresum")
	fmt.Printf("%#04x\n", ^checksum.Checksum(datagram, pseudo))
	// Output: 0xc4ee
}

func ExamplePut() {
	message := []byte{8, 0, 0, 0, 0, 1, 0, 1} // an ICMP echo request
	checksum.Put(message[2:], ^checksum.Checksum(message, 0))
	fmt.Printf("% x\n", message)
	// Output: 08 00 f7 fd 00 01 00 01
}

func ExampleCombine() {
	head, tail := checksum.Checksum([]byte("da"), 0), checksum.Checksum([]byte("ta"), 0)
	fmt.Printf("%#04x\n", checksum.Combine(head, tail))
	// Output: 0xd8c2
}

func ExampleChecksumer() {
	var c checksum.Checksumer
	c.Add([]byte("d"))
	c.Add([]byte("ata"))
	fmt.Printf("%#04x\n", c.Checksum())
	// Output: 0xd8c2
}
