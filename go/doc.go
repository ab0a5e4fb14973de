// SPDX-License-Identifier: MIT OR Apache-2.0

// Package wiresum computes the Internet checksum (RFC 1071) of IPv4, TCP, UDP, ICMP and ICMPv6,
// with vector instructions and without cgo.
//
// # Words
//
// The sum is the one's complement sum of the 16-bit words of data. Sums are added, subtracted and
// compared. The checksum is the complement of a sum, and the field of a packet holds a checksum.
// The documentation of each function says which of the two it returns.
//
// # Byte order
//
// Sums and checksums are the numbers that documents print: 0x1C46 for the bytes 1C 46, on every
// machine. So binary.BigEndian.PutUint16 stores a checksum in its field.
//
// # Zero
//
// Empty data and all-zero data sum to 0x0000. All other data whose words add up to a multiple of
// 0xFFFF sum to 0xFFFF. Data that include a right checksum field sum to 0xFFFF.
//
// # Odd lengths
//
// The last byte of an odd length is the high byte of its word. A piece after an odd number of bytes
// has its bytes in the other halves of words: [Append] and [Stream] exchange them.
//
// # The UDP rule
//
// UDP sends a computed checksum of 0x0000 as 0xFFFF, and a received 0x0000 means that the sender
// computed none. Only functions with UDP in their names know this rule.
//
// # Speed
//
// At the start of a program the package chooses the best kernel that the CPU supports: AVX-512 with
// VNNI, AVX2 or SSE2 on amd64, NEON on arm64, and Go on other machines. The tag purego builds the
// package without assembly. No function allocates memory or keeps what it is given, and any number
// of goroutines may call each function at once. [Sum20] and [Sum40] sum a header without a call.
package wiresum
