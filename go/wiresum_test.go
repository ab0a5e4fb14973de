// SPDX-License-Identifier: MIT OR Apache-2.0

package wiresum

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand"
	"net/netip"
	"sync"
	"testing"
)

// total, fold and reference are spec/reference.py.
func total(data []byte) (sum uint64) {
	for i, x := range data {
		sum += uint64(x) << (8 * (1 - i%2))
	}
	return sum
}

func fold(total uint64) uint16 {
	for total > 0xFFFF {
		total = total&0xFFFF + total>>16
	}
	return uint16(total)
}

func reference(data []byte) uint16 { return fold(total(data)) }

func referenceSubtract(whole, part uint16) uint16 {
	if part == 0 {
		return whole
	}
	return fold(uint64(whole) + 0xFFFF - uint64(part))
}

func referenceUpdate(checksum uint16, offset int, was, is []byte) uint16 {
	pad := make([]byte, offset%2)
	rest := referenceSubtract(0xFFFF-checksum, reference(append(pad[:len(pad):len(pad)], was...)))
	return 0xFFFF - fold(uint64(rest)+uint64(reference(append(pad, is...))))
}

// Every sum, and some pairs: the algebra is small enough.
func TestAlgebra(t *testing.T) {
	random := rand.New(rand.NewSource(1071))
	for i := range 1 << 16 {
		a := uint16(i)
		for _, b := range []uint16{0, 1, 0xFF, 0x100, 0xFFFE, 0xFFFF, ^a, a, uint16(random.Uint32())} {
			if got, want := Add(a, b), fold(uint64(a)+uint64(b)); got != want {
				t.Fatalf("Add(%#x, %#x): %#x, not %#x", a, b, got, want)
			}
			if got, want := Sub(a, b), referenceSubtract(a, b); got != want {
				t.Fatalf("Sub(%#x, %#x): %#x, not %#x", a, b, got, want)
			}
			was, is := []byte{byte(b >> 8), byte(b)}, []byte{byte(a), byte(b >> 8)}
			got := Update16(a, b, binary.BigEndian.Uint16(is))
			if want := referenceUpdate(a, 0, was, is); got != want {
				t.Fatalf("Update16(%#x, %x, %x): %#x, not %#x", a, was, is, got, want)
			}
		}
		if got, want := Swap(a), uint16(i&0xFF<<8|i>>8); got != want {
			t.Fatalf("Swap(%#x): %#x, not %#x", a, got, want)
		}
		if got, want := FieldUDP(a), uint16(max(1, i)-1+min(1, i)); i > 0 && got != want {
			t.Fatalf("FieldUDP(%#x): %#x, not %#x", a, got, want)
		}
	}
	equal(t, "FieldUDP(0)", FieldUDP(0), 0xFFFF)
}

func TestHeadersOfFixedLength(t *testing.T) {
	random := rand.New(rand.NewSource(1071))
	var header [40]byte
	for range 100_000 {
		random.Read(header[:])
		for i := range header {
			if random.Intn(2) == 0 {
				header[i] = byte(-random.Intn(2))
			}
		}
		equal(t, "Sum20", Sum20((*[20]byte)(header[:])), reference(header[:20]))
		equal(t, "Sum40", Sum40(&header), reference(header[:]))
	}
}

func TestCopyOfEachLength(t *testing.T) {
	random := rand.New(rand.NewSource(1071))
	src := make([]byte, 40_000)
	random.Read(src)
	for n := 0; n < len(src); n += 1 + n/60 {
		at := random.Intn(64)
		room := bytes.Repeat([]byte{0xA5}, n+128)
		data := src[:n]
		equal(t, fmt.Sprint(n), Copy(room[at:], data), reference(data))
		equal(t, fmt.Sprint(n), bytes.Equal(room[at:at+n], data), true)
		rest := append(room[:at:at], room[at+n:]...)
		equal(t, fmt.Sprint(n), bytes.Count(rest, []byte{0xA5}), 128)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	data, room := make([]byte, 9000), make([]byte, 9000)
	four, six := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("2001:db8::1")
	packets, sums := [][]byte{data, room}, make([]uint16, 2)
	var stream Stream
	for name, call := range map[string]func(){
		"Sum":        func() { Sum(data) },
		"Checksum":   func() { Checksum(data[:20]) },
		"OK":         func() { OK(data[:64]) },
		"Sum20":      func() { Sum20((*[20]byte)(data)) },
		"Sum40":      func() { Sum40((*[40]byte)(data)) },
		"Copy":       func() { Copy(room, data) },
		"Gather":     func() { Gather(data, room) },
		"Batch":      func() { Batch(packets, sums) },
		"Update":     func() { Update(1, 1, data[:3], room[:3]) },
		"UpdateUDP":  func() { UpdateUDP(1, 1, data[:3], room[:3]) },
		"Update32":   func() { sums[0] = Update16(Update32(1, 2, 3), 4, 5) },
		"algebra":    func() { sums[0] = Swap(Sub(Add(1, 2), Remove(Append(3, 1, 4), 1, FieldUDP(5)))) },
		"PseudoIPv4": func() { PseudoIPv4(four, four, ProtocolTCP, 20) },
		"PseudoIPv6": func() { PseudoIPv6(six, six, ProtocolTCP, 20) },
		"IPv4Header": func() { IPv4Header(data[:20]); IPv4HeaderOK(data[:20]) },
		"TCP":        func() { TCP(1, data[:20], data[20:]); TCPOK(1, data, nil) },
		"UDP":        func() { UDP(1, data[:8], data[8:]); UDPOK(1, data, nil); UDPAbsent(data) },
		"ICMP":       func() { ICMP(data, nil); ICMPOK(data, nil) },
		"ICMPv6":     func() { ICMPv6(1, data, nil); ICMPv6OK(1, data, nil) },
		"Stream": func() {
			_, _ = stream.Write(data)
			stream.AddSum(stream.Sum() + stream.Checksum())
			stream.Reset()
		},
	} {
		if count := testing.AllocsPerRun(10, call); count != 0 {
			t.Errorf("%s: %v allocations", name, count)
		}
	}
}

func TestManyGoroutines(t *testing.T) {
	data := make([]byte, 5000)
	rand.New(rand.NewSource(1071)).Read(data)
	var group sync.WaitGroup
	for i := range 16 {
		group.Add(1)
		go func() {
			defer group.Done()
			for n := i; n < len(data); n += 16 {
				if got, want := Sum(data[:n]), reference(data[:n]); got != want {
					t.Errorf("%d bytes: %#x, not %#x", n, got, want)
				}
			}
		}()
	}
	group.Wait()
}

// FuzzSum compares each way to sum with the reference: in one piece, in two, copied, as a stream.
func FuzzSum(f *testing.F) {
	f.Add([]byte("\x00\x01\xf2\x03\xf4\xf5\xf6\xf7"), uint16(3))
	f.Add(make([]byte, 300), uint16(0))
	f.Add(bytes.Repeat([]byte{0xFF}, 2001), uint16(255))
	f.Fuzz(func(t *testing.T, data []byte, at uint16) {
		want := reference(data)
		cut := min(int(at), len(data))
		head, tail := data[:cut], data[cut:]
		var s Stream
		_, _ = s.Write(head)
		_, _ = s.Write(tail)
		room := make([]byte, len(data))
		for name, got := range map[string]uint16{
			"Sum":      Sum(data),
			"Checksum": ^Checksum(data),
			"Copy":     Copy(room, data),
			"Stream":   s.Sum(),
			"Gather":   Gather(head, tail, nil),
			"Append":   Append(Sum(head), cut, Sum(tail)),
		} {
			if got != want {
				t.Errorf("%s of %x, cut at %d: %#04x, not %#04x", name, data, cut, got, want)
			}
		}
		if !bytes.Equal(room, data) {
			t.Errorf("a copy of %x is %x", data, room)
		}
		if OK(data) != (want == 0xFFFF) {
			t.Errorf("OK of %x", data)
		}
	})
}

// FuzzUpdate changes bytes of data, and compares with the reference.
func FuzzUpdate(f *testing.F) {
	f.Add(uint16(0xdd2f), uint16(0), []byte("UU2\x85"))
	f.Add(uint16(0xffff), uint16(1), []byte{0, 0, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, checksum, offset uint16, both []byte) {
		half := len(both) / 2
		was, is := both[:half], both[half:2*half]
		want := referenceUpdate(checksum, int(offset), was, is)
		if got := Update(checksum, int(offset), was, is); got != want {
			t.Errorf("Update(%#x, %d, %x, %x): %#x, not %#x", checksum, offset, was, is, got, want)
		}
		if checksum != 0 {
			want = FieldUDP(want)
		} else {
			want = 0
		}
		if got := UpdateUDP(checksum, int(offset), was, is); got != want {
			t.Errorf("UpdateUDP(%#x, %d, %x, %x): %#x, not %#x", checksum, offset, was, is, got, want)
		}
	})
}
