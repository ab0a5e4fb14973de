// SPDX-License-Identifier: MIT OR Apache-2.0

// Package peers holds the checksums of other Go programs next to ours. Its tests say which of them
// the vectors of the project find wrong, and its benchmarks measure them. It is a module of its
// own, so no user of package wiresum gets these programs.
package peers

import (
	_ "unsafe" // for go:linkname

	tailscale "github.com/tailscale/wireguard-go/tun"
	wiresum "github.com/wiresum/wiresum/go"
	ours "github.com/wiresum/wiresum/go/gvisor/checksum"
	_ "golang.zx2c4.com/wireguard/tun"
	"gvisor.dev/gvisor/pkg/tcpip/checksum"
)

// The package does not export the functions, so the linker finds them by their names.
//
//go:linkname wireguardChecksum golang.zx2c4.com/wireguard/tun.checksum
func wireguardChecksum(b []byte, initial uint64) uint16

//go:linkname wireguardPseudo golang.zx2c4.com/wireguard/tun.pseudoHeaderChecksumNoFold
func wireguardPseudo(protocol uint8, source, destination []byte, length uint16) uint64

// A Peer is a function that sums.
type Peer struct {
	Name string
	Sum  func([]byte) uint16
	// Calls sums b so many times, without a call through a pointer.
	Calls func(b []byte, times int) uint16
}

// Peers are the functions, ours first.
var Peers = []Peer{
	{"wiresum", wiresum.Sum, func(b []byte, times int) (sum uint16) {
		for range times {
			sum += wiresum.Sum(b)
		}
		return sum
	}},
	{"tailscale", func(b []byte) uint16 { return tailscale.Checksum(b, 0) },
		func(b []byte, times int) (sum uint16) {
			for range times {
				sum += tailscale.Checksum(b, 0)
			}
			return sum
		}},
	{"gvisor", func(b []byte) uint16 { return checksum.Checksum(b, 0) },
		func(b []byte, times int) (sum uint16) {
			for range times {
				sum += checksum.Checksum(b, 0)
			}
			return sum
		}},
	{"wireguard", func(b []byte) uint16 { return wireguardChecksum(b, 0) },
		func(b []byte, times int) (sum uint16) {
			for range times {
				sum += wireguardChecksum(b, 0)
			}
			return sum
		}},
}

// Of the package that replaces gVisor's, for its module to have it.
var _ = ours.Checksum
