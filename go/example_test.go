// SPDX-License-Identifier: MIT OR Apache-2.0

package wiresum_test

import (
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"net/netip"

	wiresum "github.com/wiresum/wiresum/go"
)

var (
	source      = netip.MustParseAddr("192.0.2.1")
	destination = netip.MustParseAddr("192.0.2.2")
)

func ExampleSum() {
	// The worked example of RFC 1071, section 3.
	fmt.Printf("%#04x\n", wiresum.Sum([]byte("\x00\x01\xf2\x03\xf4\xf5\xf6\xf7")))
	// Output: 0xddf2
}

func ExampleChecksum() {
	message := []byte{8, 0, 0, 0, 0, 1, 0, 1} // an ICMP echo request, its field still zero
	binary.BigEndian.PutUint16(message[2:], wiresum.Checksum(message))
	fmt.Printf("% x\n", message)
	// Output: 08 00 f7 fd 00 01 00 01
}

func ExampleOK() {
	message := []byte{8, 0, 0xf7, 0xfd, 0, 1, 0, 1}
	fmt.Println(wiresum.OK(message))
	message[7]++
	fmt.Println(wiresum.OK(message))
	// Output:
	// true
	// false
}

var header, _ = hex.DecodeString("45000073000040004011b861c0a80001c0a800c7")

func ExampleSum20() {
	// The header includes its right checksum.
	fmt.Printf("%#04x\n", wiresum.Sum20((*[20]byte)(header)))
	// Output: 0xffff
}

func ExampleSum40() {
	var header [40]byte // of IPv6, with a payload of 20 bytes of TCP
	header[0], header[5], header[6], header[7] = 0x60, 20, wiresum.ProtocolTCP, 64
	fmt.Printf("%#04x\n", wiresum.Sum40(&header))
	// Output: 0x6654
}

func ExampleCopy() {
	room := make([]byte, 4)
	fmt.Printf("%#04x %q\n", wiresum.Copy(room, []byte("data")), room)
	// Output: 0xd8c2 "data"
}

func ExampleGather() {
	fmt.Println(wiresum.Gather([]byte("dat"), []byte("a")) == wiresum.Sum([]byte("data")))
	// Output: true
}

func ExampleBatch() {
	sums := make([]uint16, 2)
	wiresum.Batch([][]byte{{0x12, 0x34}, {0x56}}, sums)
	fmt.Printf("%#04x\n", sums)
	// Output: [0x1234 0x5600]
}

func ExampleAdd() {
	fmt.Printf("%#04x\n", wiresum.Add(0xFFFE, 0x0003))
	// Output: 0x0002
}

func ExampleSub() {
	whole := wiresum.Sum([]byte("head and tail"))
	fmt.Println(wiresum.Sub(whole, wiresum.Sum([]byte("head"))) == wiresum.Sum([]byte(" and tail")))
	// Output: true
}

func ExampleSwap() {
	fmt.Printf("%#04x\n", wiresum.Swap(0x1234))
	// Output: 0x3412
}

func ExampleAppend() {
	head, tail := []byte("odd"), []byte("tail")
	sum := wiresum.Append(wiresum.Sum(head), len(head), wiresum.Sum(tail))
	fmt.Println(sum == wiresum.Sum([]byte("oddtail")))
	// Output: true
}

func ExampleRemove() {
	whole := wiresum.Sum([]byte("oddtail"))
	fmt.Println(wiresum.Remove(whole, 3, wiresum.Sum([]byte("tail"))) == wiresum.Sum([]byte("odd")))
	// Output: true
}

func ExampleUpdate16() {
	// A router takes one from the time to live, the high byte of the word at offset 8.
	was := binary.BigEndian.Uint16(header[8:])
	checksum := binary.BigEndian.Uint16(header[10:])
	fmt.Printf("%#04x\n", wiresum.Update16(checksum, was, was-1<<8))
	// Output: 0xb961
}

func ExampleUpdate32() {
	// A translator replaces the source address 192.168.0.1 by 192.0.2.1.
	checksum := binary.BigEndian.Uint16(header[10:])
	fmt.Printf("%#04x\n", wiresum.Update32(checksum, 0xC0A80001, 0xC0000201))
	// Output: 0xb709
}

func ExampleUpdate() {
	data := []byte("some bytes")
	checksum := wiresum.Checksum(data)
	checksum = wiresum.Update(checksum, 5, data[5:8], []byte("BYT"))
	fmt.Println(checksum == wiresum.Checksum([]byte("some BYTes")))
	// Output: true
}

func ExampleUpdateUDP() {
	// 0x0000 means that the sender computed no checksum, and stays.
	fmt.Printf("%#04x\n", wiresum.UpdateUDP(0, 2, []byte{0, 53}, []byte{0, 54}))
	// Output: 0x0000
}

func ExampleFieldUDP() {
	fmt.Printf("%#04x %#04x\n", wiresum.FieldUDP(0x0000), wiresum.FieldUDP(0x1234))
	// Output: 0xffff 0x1234
}

func ExamplePseudoIPv4() {
	datagram := []byte("\xec\x91\x00\x07\x00\x0f\x00\x00wiresum")
	pseudo := wiresum.PseudoIPv4(source, destination, wiresum.ProtocolUDP, uint32(len(datagram)))
	fmt.Printf("%#04x\n", wiresum.UDP(pseudo, datagram[:8], datagram[8:]))
	// Output: 0xc4ee
}

func ExamplePseudoIPv6() {
	source := netip.MustParseAddr("2001:db8::1")
	destination := netip.MustParseAddr("2001:db8::2")
	echo := []byte("\x80\x00\x00\x00\x11\x94\x00\x01\x00\x01\x02\x03\x04\x05\x06\x07\x08")
	pseudo := wiresum.PseudoIPv6(source, destination, wiresum.ProtocolICMPv6, uint32(len(echo)))
	fmt.Printf("%#04x\n", wiresum.ICMPv6(pseudo, echo, nil))
	// Output: 0xfe99
}

func ExampleIPv4Header() {
	fmt.Printf("%#04x\n", wiresum.IPv4Header(header))
	// Output: 0xb861
}

func ExampleIPv4HeaderOK() {
	fmt.Println(wiresum.IPv4HeaderOK(header), wiresum.IPv4HeaderOK(header[:19]))
	// Output: true false
}

func ExampleTCP() {
	syn := make([]byte, 20)
	binary.BigEndian.PutUint16(syn[0:], 49152)
	binary.BigEndian.PutUint16(syn[2:], 443)
	syn[12], syn[13] = 5<<4, 2
	pseudo := wiresum.PseudoIPv4(source, destination, wiresum.ProtocolTCP, 20)
	binary.BigEndian.PutUint16(syn[16:], wiresum.TCP(pseudo, syn, nil))
	fmt.Println(wiresum.TCPOK(pseudo, syn, nil))
	// Output: true
}

func ExampleTCPOK() {
	pseudo := wiresum.PseudoIPv4(source, destination, wiresum.ProtocolTCP, 20)
	fmt.Println(wiresum.TCPOK(pseudo, make([]byte, 20), nil))
	// Output: false
}

var datagram = []byte("\xec\x91\x00\x07\x00\x0f\xc4\xeewiresum")

func ExampleUDP() {
	pseudo := wiresum.PseudoIPv4(source, destination, wiresum.ProtocolUDP, 15)
	fmt.Printf("%#04x\n", wiresum.UDP(pseudo, datagram[:8], datagram[8:]))
	// Output: 0xc4ee
}

func ExampleUDPOK() {
	pseudo := wiresum.PseudoIPv4(source, destination, wiresum.ProtocolUDP, 15)
	fmt.Println(wiresum.UDPOK(pseudo, datagram, nil))
	// Output: true
}

func ExampleUDPAbsent() {
	fmt.Println(wiresum.UDPAbsent(datagram), wiresum.UDPAbsent(make([]byte, 8)))
	// Output: false true
}

func ExampleICMP() {
	fmt.Printf("%#04x\n", wiresum.ICMP([]byte{8, 0, 0, 0, 0, 1, 0, 1}, nil))
	// Output: 0xf7fd
}

func ExampleICMPOK() {
	fmt.Println(wiresum.ICMPOK([]byte{8, 0, 0xf7, 0xfd, 0, 1, 0, 1}, nil))
	// Output: true
}

var echo = []byte("\x80\x00\xfe\x99\x11\x94\x00\x01\x00\x01\x02\x03\x04\x05\x06\x07\x08")

func pseudoOfEcho() uint16 {
	source := netip.MustParseAddr("2001:db8::1")
	destination := netip.MustParseAddr("2001:db8::2")
	return wiresum.PseudoIPv6(source, destination, wiresum.ProtocolICMPv6, uint32(len(echo)))
}

func ExampleICMPv6() {
	fmt.Printf("%#04x\n", wiresum.ICMPv6(pseudoOfEcho(), echo, nil))
	// Output: 0xfe99
}

func ExampleICMPv6OK() {
	fmt.Println(wiresum.ICMPv6OK(pseudoOfEcho(), echo, nil))
	// Output: true
}

func ExampleStream() {
	var s wiresum.Stream
	s.AddSum(wiresum.PseudoIPv4(source, destination, wiresum.ProtocolUDP, 15))
	for _, piece := range []string{"\xec\x91\x00\x07\x00\x0f\x00\x00", "wir", "esum"} {
		fmt.Fprint(&s, piece)
	}
	fmt.Printf("%#04x\n", s.Checksum())
	// Output: 0xc4ee
}

func ExampleStream_Write() {
	var s wiresum.Stream
	n, err := s.Write([]byte("odd"))
	fmt.Println(n, err)
	fmt.Fprint(&s, "tail")
	fmt.Println(s.Sum() == wiresum.Sum([]byte("oddtail")))
	// Output:
	// 3 <nil>
	// true
}

func ExampleStream_AddSum() {
	var s wiresum.Stream
	s.AddSum(pseudoOfEcho())
	fmt.Fprintf(&s, "%s", echo)
	fmt.Printf("%#04x\n", s.Sum()) // with its right checksum
	// Output: 0xffff
}

func ExampleStream_Sum() {
	var s wiresum.Stream
	fmt.Fprint(&s, "data")
	fmt.Printf("%#04x\n", s.Sum())
	// Output: 0xd8c2
}

func ExampleStream_Checksum() {
	var s wiresum.Stream
	fmt.Fprint(&s, "data")
	fmt.Printf("%#04x\n", s.Checksum())
	// Output: 0x273d
}

func ExampleStream_Reset() {
	var s wiresum.Stream
	fmt.Fprint(&s, "odd")
	s.Reset()
	fmt.Fprint(&s, "data")
	fmt.Printf("%#04x\n", s.Sum())
	// Output: 0xd8c2
}
