// SPDX-License-Identifier: MIT OR Apache-2.0

package peers

import (
	"crypto/ecdh"
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	tailscaleconn "github.com/tailscale/wireguard-go/conn"
	tailscaledevice "github.com/tailscale/wireguard-go/device"
	tailscaletun "github.com/tailscale/wireguard-go/tun"
	"golang.org/x/sys/unix"
	"golang.zx2c4.com/wireguard/conn"
	"golang.zx2c4.com/wireguard/device"
	"golang.zx2c4.com/wireguard/tun"
)

// A namespace is a thread in a network namespace of its own. Both end with the test.
type namespace struct {
	thread int
	jobs   chan func()
}

func newNamespace(t testing.TB) *namespace {
	n := &namespace{jobs: make(chan func())}
	entered := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked, so the thread ends with this function
		n.thread = unix.Gettid()
		entered <- unix.Unshare(unix.CLONE_NEWNET)
		for job := range n.jobs {
			job()
		}
	}()
	t.Cleanup(func() { close(n.jobs) })
	if err := <-entered; err != nil {
		t.Skipf("a network namespace needs root: %v", err)
	}
	if _, err := exec.LookPath("ip"); err != nil {
		t.Skip(err)
	}
	return n
}

// do calls f on the thread, so that sockets, devices and commands of f are in the namespace.
func (n *namespace) do(f func()) {
	done := make(chan struct{})
	n.jobs <- func() { defer close(done); f() }
	<-done
}

// ip runs the command ip.
func (n *namespace) ip(t testing.TB, words string) {
	t.Helper()
	n.do(func() {
		if said, err := exec.Command("ip", strings.Fields(words)...).CombinedOutput(); err != nil {
			t.Errorf("ip %s: %v: %s", words, err, said)
		}
	})
}

// wireguards are the programs. Each brings a device up on the thread that calls it.
var wireguards = []struct {
	name string
	up   func(config string) (stop func(), err error)
}{
	{"wireguard-go", func(config string) (func(), error) {
		card, err := tun.CreateTUN("wg", device.DefaultMTU)
		if err != nil {
			return nil, err
		}
		log := device.NewLogger(device.LogLevelError, "")
		d := device.NewDevice(wireguardCard{card}, conn.NewDefaultBind(), log)
		return d.Close, errors.Join(d.IpcSet(config), d.Up())
	}},
	{"tailscale", func(config string) (func(), error) {
		card, err := tailscaletun.CreateTUN("wg", tailscaledevice.DefaultMTU)
		if err != nil {
			return nil, err
		}
		log := tailscaledevice.NewLogger(tailscaledevice.LogLevelError, "")
		d := tailscaledevice.NewDevice(tailscaleCard{card}, tailscaleconn.NewDefaultBind(), log)
		return d.Close, errors.Join(d.IpcSet(config), d.Up())
	}},
}

// These cards report no events. At an event a device opens its sockets on any thread, so outside of
// the namespace.
type (
	wireguardCard struct{ tun.Device }
	tailscaleCard struct{ tailscaletun.Device }
)

func (wireguardCard) Events() <-chan tun.Event          { return nil }
func (tailscaleCard) Events() <-chan tailscaletun.Event { return nil }

// tunnel returns both ends of a TCP connection of the kernel. It goes through the tunnel of two
// devices, whose packets go over a veth pair.
func tunnel(t testing.TB, up func(string) (func(), error)) (client, server net.Conn) {
	hosts := []*namespace{newNamespace(t), newNamespace(t)}
	hosts[0].ip(t, fmt.Sprint("link add name veth type veth peer name veth netns ", hosts[1].thread))
	keys := make([]*ecdh.PrivateKey, 2)
	for i := range keys {
		var err error
		if keys[i], err = ecdh.X25519().GenerateKey(rand.Reader); err != nil {
			t.Fatal(err)
		}
	}
	for i, host := range hosts {
		peer := 1 - i
		config := fmt.Sprintf("private_key=%x\nlisten_port=51820\npublic_key=%x\n"+
			"endpoint=198.51.100.%d:51820\nallowed_ip=192.0.2.%d/32\n",
			keys[i].Bytes(), keys[peer].PublicKey().Bytes(), peer+1, peer+1)
		host.ip(t, fmt.Sprintf("address add 198.51.100.%d/24 dev veth", i+1))
		host.ip(t, "link set veth up")
		var stop func()
		var err error
		host.do(func() { stop, err = up(config) })
		if stop == nil {
			t.Skipf("no TUN device: %v", err)
		}
		t.Cleanup(stop)
		if err != nil {
			t.Fatal(err)
		}
		host.ip(t, fmt.Sprintf("address add 192.0.2.%d/24 dev wg", i+1))
		host.ip(t, "link set wg up")
	}
	var listener net.Listener
	var err error
	hosts[1].do(func() { listener, err = net.Listen("tcp4", "192.0.2.2:443") })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	hosts[0].do(func() { client, err = net.Dial("tcp4", "192.0.2.2:443") })
	if err != nil {
		t.Fatal(err)
	}
	server, err = listener.Accept()
	if err != nil {
		t.Fatal(err)
	}
	return client, server
}

// What goes into a tunnel comes out of it.
func TestWireGuard(t *testing.T) {
	for _, w := range wireguards {
		t.Run(w.name, func(t *testing.T) {
			client, server := tunnel(t, w.up)
			transfer(t, client, server)
		})
	}
}

func BenchmarkWireGuard(b *testing.B) {
	for _, w := range wireguards {
		b.Run("by="+w.name, func(b *testing.B) {
			client, server := tunnel(b, w.up)
			bulk(b, client, server)
		})
	}
}
