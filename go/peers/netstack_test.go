// SPDX-License-Identifier: MIT OR Apache-2.0

package peers

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand"
	"net"
	"testing"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/adapters/gonet"
	"gvisor.dev/gvisor/pkg/tcpip/link/channel"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv4"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
)

const port = 443

func address(last byte) tcpip.FullAddress {
	return tcpip.FullAddress{NIC: 1, Addr: tcpip.AddrFrom4([4]byte{192, 0, 2, last}), Port: port}
}

// host returns a stack of gVisor with one device, which leaves checksums to software.
func host(t testing.TB, mtu uint32, last byte) (*stack.Stack, *channel.Endpoint) {
	s := stack.New(stack.Options{
		NetworkProtocols:   []stack.NetworkProtocolFactory{ipv4.NewProtocol},
		TransportProtocols: []stack.TransportProtocolFactory{tcp.NewProtocol},
	})
	device := channel.New(1024, mtu, "")
	if err := s.CreateNIC(1, device); err != nil {
		t.Fatal(err)
	}
	own := tcpip.ProtocolAddress{
		Protocol:          ipv4.ProtocolNumber,
		AddressWithPrefix: address(last).Addr.WithPrefix(),
	}
	if err := s.AddProtocolAddress(1, own, stack.AddressProperties{}); err != nil {
		t.Fatal(err)
	}
	subnet := tcpip.AddressWithPrefix{Address: address(0).Addr, PrefixLen: 24}.Subnet()
	s.SetRouteTable([]tcpip.Route{{Destination: subnet, NIC: 1}})
	t.Cleanup(s.Close)
	return s, device
}

// forward carries packets from one device to the other.
func forward(ctx context.Context, from, to *channel.Endpoint) {
	for {
		packet := from.ReadContext(ctx)
		if packet == nil {
			return
		}
		copied := stack.NewPacketBuffer(stack.PacketBufferOptions{Payload: packet.ToBuffer()})
		to.InjectInbound(ipv4.ProtocolNumber, copied)
		copied.DecRef()
		packet.DecRef()
	}
}

// connect returns both ends of a TCP connection between two stacks.
func connect(t testing.TB, mtu uint32) (client, server net.Conn) {
	one, deviceOne := host(t, mtu, 1)
	two, deviceTwo := host(t, mtu, 2)
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(stop)
	go forward(ctx, deviceOne, deviceTwo)
	go forward(ctx, deviceTwo, deviceOne)
	listener, err := gonet.ListenTCP(two, address(2), ipv4.ProtocolNumber)
	if err != nil {
		t.Fatal(err)
	}
	client, err = gonet.DialTCP(one, address(2), ipv4.ProtocolNumber)
	if err != nil {
		t.Fatal(err)
	}
	server, err = listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	return client, server
}

var mtus = []uint32{1500, 65535}

// transfer sends random bytes from one end to the other, and compares them.
func transfer(t *testing.T, client, server net.Conn) {
	sent := make([]byte, 4<<20)
	rand.New(rand.NewSource(1071)).Read(sent)
	go func() {
		_, _ = client.Write(sent)
		_ = client.Close()
	}()
	received, err := io.ReadAll(server)
	if err != nil || !bytes.Equal(received, sent) {
		t.Errorf("%d bytes of %d came: %v", len(received), len(sent), err)
	}
}

// What one stack sends, the other receives. With the checksum of the package in use.
func TestNetstack(t *testing.T) {
	for _, mtu := range mtus {
		client, server := connect(t, mtu)
		transfer(t, client, server)
	}
}

// cpuTime returns the CPU time of this process in nanoseconds.
func cpuTime(b *testing.B) float64 {
	var usage unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	return float64(usage.Utime.Nano() + usage.Stime.Nano())
}

// bulk sends data in bulk, 64 KiB a write. The CPU time is what other programs on the machine
// change least.
func bulk(b *testing.B, client, server net.Conn) {
	before := cpuTime(b)
	data := make([]byte, 64<<10)
	b.SetBytes(int64(len(data)))
	b.ResetTimer()
	go func() {
		for range b.N {
			_, _ = client.Write(data)
		}
		_ = client.Close()
	}()
	n, err := io.Copy(io.Discard, server)
	if err != nil || n != int64(b.N)*int64(len(data)) {
		b.Fatalf("%d bytes came: %v", n, err)
	}
	b.ReportMetric((cpuTime(b)-before)/float64(b.N), "cpu-ns/op")
}

func BenchmarkNetstack(b *testing.B) {
	for _, mtu := range mtus {
		b.Run(fmt.Sprintf("mtu=%d", mtu), func(b *testing.B) {
			client, server := connect(b, mtu)
			bulk(b, client, server)
		})
	}
}
