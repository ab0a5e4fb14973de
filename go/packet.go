// SPDX-License-Identifier: MIT OR Apache-2.0

package wiresum

import (
	"encoding/binary"
	"net/netip"

	"github.com/wiresum/wiresum/go/internal/kernel"
)

// The numbers of the protocols that a pseudo-header names.
const (
	ProtocolTCP    = 6
	ProtocolUDP    = 17
	ProtocolICMPv6 = 58
)

// PseudoIPv4 returns the sum of the pseudo-header of a segment of length bytes, its own header
// included. source and destination are IPv4 addresses, else it panics. A length above 65,535, of a
// packet before segmentation, counts as two words.
func PseudoIPv4(source, destination netip.Addr, protocol uint8, length uint32) uint16 {
	s, d := source.As4(), destination.As4()
	total := uint64(binary.BigEndian.Uint32(s[:])) + uint64(binary.BigEndian.Uint32(d[:]))
	return kernel.Fold(total + uint64(protocol) + uint64(length))
}

// PseudoIPv6 returns the sum of the pseudo-header of a segment of length bytes, its own header
// included. protocol is the number of the segment's own header, and with a routing header
// destination is the final one.
func PseudoIPv6(source, destination netip.Addr, protocol uint8, length uint32) uint16 {
	s, d := source.As16(), destination.As16()
	total := uint64(protocol) + uint64(length)
	for i := 0; i < 16; i += 4 {
		total += uint64(binary.BigEndian.Uint32(s[i:])) + uint64(binary.BigEndian.Uint32(d[i:]))
	}
	return kernel.Fold(total)
}

// IPv4Header returns the checksum of an IPv4 header, options included, whatever its field holds. It
// panics if the header has fewer than 20 bytes.
func IPv4Header(header []byte) uint16 {
	if len(header) < 20 {
		panic("wiresum: an IPv4 header has at least 20 bytes")
	}
	total := uint64(binary.BigEndian.Uint32(header)) + uint64(binary.BigEndian.Uint32(header[4:])) +
		uint64(binary.BigEndian.Uint16(header[8:]))
	return ^Add(kernel.Fold(total), kernel.Sum(header[12:]))
}

// IPv4HeaderOK returns whether the checksum of an IPv4 header is right.
func IPv4HeaderOK(header []byte) bool { return len(header) >= 20 && OK(header) }

// segment returns the checksum of a header with its field at an even offset, and of the payload. It
// panics if the header has fewer than least bytes.
func segment(pseudo uint16, header, payload []byte, field, least int) uint16 {
	if len(header) < least {
		panic("wiresum: the header is shorter than its protocol's")
	}
	sum := Add(Add(pseudo, kernel.Sum(header[:field])), kernel.Sum(header[field+2:]))
	return ^Append(sum, len(header), kernel.Sum(payload))
}

func segmentOK(pseudo uint16, header, payload []byte, least int) bool {
	return len(header) >= least &&
		Append(Add(pseudo, kernel.Sum(header)), len(header), kernel.Sum(payload)) == 0xFFFF
}

// TCP returns the checksum of a TCP segment, whatever its field holds. pseudo is what [PseudoIPv4]
// or [PseudoIPv6] returned. payload is what follows the header, and may lie elsewhere; if it
// follows directly, header may hold both, with a payload of nil. TCP panics if header has fewer
// than 20 bytes.
func TCP(pseudo uint16, header, payload []byte) uint16 {
	return segment(pseudo, header, payload, 16, 20)
}

// TCPOK returns whether the checksum of a TCP segment is right.
func TCPOK(pseudo uint16, header, payload []byte) bool {
	return segmentOK(pseudo, header, payload, 20)
}

// UDP returns the checksum of a UDP datagram as UDP sends it, so never 0x0000. Its arguments are
// the arguments of [TCP]; header has at least 8 bytes.
func UDP(pseudo uint16, header, payload []byte) uint16 {
	return FieldUDP(segment(pseudo, header, payload, 6, 8))
}

// UDPOK returns whether the checksum of a UDP datagram is right. A field of 0x0000 gives false;
// [UDPAbsent] says that it is not a wrong one.
func UDPOK(pseudo uint16, header, payload []byte) bool {
	return !UDPAbsent(header) && segmentOK(pseudo, header, payload, 8)
}

// UDPAbsent returns whether the field of a UDP header is 0x0000: the sender computed no checksum. A
// receiver accepts that over IPv4.
func UDPAbsent(header []byte) bool {
	return len(header) >= 8 && header[6] == 0 && header[7] == 0
}

// ICMP returns the checksum of an ICMP message, which has no pseudo-header. It takes the arguments
// of [TCP]; header has at least 4 bytes.
func ICMP(header, payload []byte) uint16 { return segment(0, header, payload, 2, 4) }

// ICMPOK returns whether the checksum of an ICMP message is right.
func ICMPOK(header, payload []byte) bool { return segmentOK(0, header, payload, 4) }

// ICMPv6 returns the checksum of an ICMPv6 message. It takes the arguments of [TCP]; header has at
// least 4 bytes.
func ICMPv6(pseudo uint16, header, payload []byte) uint16 {
	return segment(pseudo, header, payload, 2, 4)
}

// ICMPv6OK returns whether the checksum of an ICMPv6 message is right.
func ICMPv6OK(pseudo uint16, header, payload []byte) bool {
	return segmentOK(pseudo, header, payload, 4)
}
