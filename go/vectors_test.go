// SPDX-License-Identifier: MIT OR Apache-2.0

package wiresum

import (
	"encoding/hex"
	"encoding/json"
	"net/netip"
	"os"
	"strconv"
	"testing"

	"github.com/wiresum/wiresum/go/internal/kernel"
)

// number is 0x and four digits.
type number uint16

func (n *number) UnmarshalJSON(text []byte) error {
	value, err := strconv.ParseUint(string(text[1:len(text)-1]), 0, 16)
	*n = number(value)
	return err
}

type hexBytes []byte

func (h *hexBytes) UnmarshalJSON(text []byte) (err error) {
	*h, err = hex.DecodeString(string(text[1 : len(text)-1]))
	return err
}

// recipe is data, as spec/checksum.md describes it; nil if they are too long to build.
type recipe []byte

func (r *recipe) UnmarshalJSON(text []byte) error {
	var parts []struct {
		Hex, Repeat hexBytes
		Length      int64
	}
	if err := json.Unmarshal(text, &parts); err != nil {
		return err
	}
	data := []byte{}
	for _, part := range parts {
		if part.Length > 4<<20 {
			return nil
		}
		data = append(data, part.Hex...)
		for i := range int(part.Length) {
			data = append(data, part.Repeat[i%len(part.Repeat)])
		}
	}
	*r = data
	return nil
}

type segmentVector struct {
	Name                string
	Family, Protocol    int
	Source, Destination hexBytes
	Segment             recipe
	Seed, Field         number
	Status              string
}

type vectors struct {
	Sum []struct {
		Name          string
		Data          recipe
		Sum, Checksum number
		Huge          bool
	}
	Split []struct {
		Name   string
		Data   recipe
		Pieces []struct {
			Length int
			Sum    number
		}
		Sum number
	}
	Subtract []struct {
		Name              string
		Whole, Part, Rest number
	}
	Update []struct {
		Name     string
		Checksum number
		Offset   int
		Was, Is  recipe
		After    number
		UDPAfter number `json:"udp_after"`
	}
	Replace []struct {
		Name                     string
		Checksum, Was, Is, After number
	}
	Verify []struct {
		Name string
		Data recipe
		OK   bool
	}
	Pseudo []struct {
		Name                string
		Family, Protocol    int
		Source, Destination hexBytes
		Length              uint32
		Sum                 number
	}
	IPv4Header []struct {
		Name     string
		Header   hexBytes
		Checksum number
		OK       bool
	} `json:"ipv4_header"`
	TCP, UDP, ICMP, ICMPv6 []segmentVector
}

func readVectors(t testing.TB) (v vectors) {
	text, err := os.ReadFile("../spec/vectors.json")
	if err != nil {
		t.Fatalf("the tests need a clone of the whole repository: %v", err)
	}
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Sum) == 0 || len(v.TCP) == 0 || len(v.IPv4Header) == 0 {
		t.Fatal("a group of vectors is empty")
	}
	return v
}

// forEachKernel runs a test with each kernel that this CPU supports.
func forEachKernel(t *testing.T, test func(*testing.T)) {
	was := kernel.InUse()
	for _, k := range kernel.Kernels {
		if kernel.Use(k.Name) == nil {
			t.Run(k.Name, test)
		}
	}
	if err := kernel.Use(was); err != nil {
		t.Fatal(err)
	}
}

func equal[T comparable](t *testing.T, name string, got, want T) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %#v, not %#v", name, got, want)
	}
}

func pseudo(t *testing.T, family, protocol int, source, destination []byte, n uint32) uint16 {
	s, ok1 := netip.AddrFromSlice(source)
	d, ok2 := netip.AddrFromSlice(destination)
	if !ok1 || !ok2 {
		t.Fatal("no address")
	}
	if family == 4 {
		return PseudoIPv4(s, d, uint8(protocol), n)
	}
	return PseudoIPv6(s, d, uint8(protocol), n)
}

func TestVectors(t *testing.T) {
	v := readVectors(t)
	forEachKernel(t, func(t *testing.T) {
		for _, c := range v.Sum {
			if c.Data == nil {
				if !c.Huge {
					t.Fatalf("%s is too long", c.Name)
				}
				continue
			}
			equal(t, c.Name, Sum(c.Data), uint16(c.Sum))
			equal(t, c.Name, Checksum(c.Data), uint16(c.Checksum))
			room := make([]byte, len(c.Data)+2)
			room[len(c.Data)] = 0xA5
			equal(t, c.Name+", copied", Copy(room, c.Data), uint16(c.Sum))
			equal(t, c.Name+", copied", string(room), string(c.Data)+"\xA5\x00")
			switch len(c.Data) {
			case 20:
				equal(t, c.Name, Sum20((*[20]byte)(c.Data)), uint16(c.Sum))
			case 40:
				equal(t, c.Name, Sum40((*[40]byte)(c.Data)), uint16(c.Sum))
			}
		}
		for _, c := range v.Split {
			var s Stream
			pieces := [][]byte{}
			appended, rest := uint16(0), c.Data
			for _, p := range c.Pieces {
				piece := rest[:p.Length]
				equal(t, c.Name, Sum(piece), uint16(p.Sum))
				appended = Append(appended, len(c.Data)-len(rest), uint16(p.Sum))
				n, err := s.Write(piece)
				equal(t, c.Name, n, p.Length)
				equal(t, c.Name, err, nil)
				pieces, rest = append(pieces, piece), rest[p.Length:]
			}
			equal(t, c.Name, appended, uint16(c.Sum))
			equal(t, c.Name, s.Sum(), uint16(c.Sum))
			equal(t, c.Name, s.Checksum(), ^uint16(c.Sum))
			equal(t, c.Name, Gather(pieces...), uint16(c.Sum))
			sums := make([]uint16, len(pieces))
			Batch(pieces, sums)
			for i, p := range c.Pieces {
				equal(t, c.Name, sums[i], uint16(p.Sum))
			}
			s.Reset()
			equal(t, c.Name, s.Sum(), 0)
		}
		for _, c := range v.Verify {
			equal(t, c.Name, OK(c.Data), c.OK)
		}
		for _, c := range v.Update {
			equal(t, c.Name, Update(uint16(c.Checksum), c.Offset, c.Was, c.Is), uint16(c.After))
			equal(t, c.Name, UpdateUDP(uint16(c.Checksum), c.Offset, c.Was, c.Is), uint16(c.UDPAfter))
			if c.Offset%2 == 0 && len(c.Was) == 2 {
				equal(t, c.Name, Update16(uint16(c.Checksum), Sum(c.Was), Sum(c.Is)), uint16(c.After))
			}
			if c.Offset%2 == 0 && len(c.Was) == 4 {
				was, is := [4]byte(c.Was), [4]byte(c.Is)
				equal(t, c.Name, Update32(uint16(c.Checksum), be32(was), be32(is)), uint16(c.After))
			}
		}
		for _, c := range v.IPv4Header {
			equal(t, c.Name, IPv4Header(c.Header), uint16(c.Checksum))
			equal(t, c.Name, IPv4HeaderOK(c.Header), c.OK)
		}
		testSegments(t, v)
	})
	for _, c := range v.Subtract {
		equal(t, c.Name, Sub(uint16(c.Whole), uint16(c.Part)), uint16(c.Rest))
		equal(t, c.Name, Remove(uint16(c.Whole), 2, uint16(c.Part)), uint16(c.Rest))
		equal(t, c.Name, Remove(uint16(c.Whole), 1, Swap(uint16(c.Part))), uint16(c.Rest))
	}
	for _, c := range v.Replace {
		equal(t, c.Name, Update16(uint16(c.Checksum), uint16(c.Was), uint16(c.Is)), uint16(c.After))
	}
	for _, c := range v.Pseudo {
		sum := pseudo(t, c.Family, c.Protocol, c.Source, c.Destination, c.Length)
		equal(t, c.Name, sum, uint16(c.Sum))
	}
}

func be32(b [4]byte) uint32 {
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
}

// testSegments tries each segment whole, and cut after its header.
func testSegments(t *testing.T, v vectors) {
	for _, g := range []struct {
		cases  []segmentVector
		header int
		make   func(uint16, []byte, []byte) uint16
		ok     func(uint16, []byte, []byte) bool
	}{
		{v.TCP, 20, TCP, TCPOK},
		{v.UDP, 8, UDP, UDPOK},
		{v.ICMPv6, 4, ICMPv6, ICMPv6OK},
		{
			v.ICMP, 4,
			func(_ uint16, header, payload []byte) uint16 { return ICMP(header, payload) },
			func(_ uint16, header, payload []byte) bool { return ICMPOK(header, payload) },
		},
	} {
		for _, c := range g.cases {
			seed := uint16(c.Seed)
			if c.Family != 0 && c.Protocol != 1 {
				n := uint32(len(c.Segment))
				equal(t, c.Name, pseudo(t, c.Family, c.Protocol, c.Source, c.Destination, n), seed)
			}
			for _, at := range []int{g.header, min(g.header+1, len(c.Segment)), len(c.Segment)} {
				header, payload := c.Segment[:at], c.Segment[at:]
				equal(t, c.Name, g.make(seed, header, payload), uint16(c.Field))
				equal(t, c.Name, g.ok(seed, header, payload), c.Status == "good")
				var s Stream
				s.AddSum(seed)
				_, _ = s.Write(c.Segment)
				equal(t, c.Name, s.Sum(), Add(seed, Sum(c.Segment)))
			}
			if g.header == 8 {
				equal(t, c.Name, UDPAbsent(c.Segment), c.Status == "absent" || c.Status == "illegal")
			}
			short := c.Segment[:g.header-1]
			equal(t, c.Name+", short", g.ok(seed, short, c.Segment), false)
			panics(t, c.Name, func() { g.make(seed, short, c.Segment) })
		}
	}
}

func panics(t *testing.T, name string, call func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", name)
		}
	}()
	call()
}

func TestMisuse(t *testing.T) {
	panics(t, "Copy", func() { Copy(make([]byte, 3), make([]byte, 4)) })
	panics(t, "Update", func() { Update(0, 0, make([]byte, 3), make([]byte, 4)) })
	panics(t, "Batch", func() { Batch(make([][]byte, 2), make([]uint16, 1)) })
	panics(t, "IPv4Header", func() { IPv4Header(make([]byte, 19)) })
	v6 := netip.IPv6Loopback()
	panics(t, "PseudoIPv4", func() { PseudoIPv4(v6, v6, ProtocolUDP, 8) })
	equal(t, "IPv4HeaderOK", IPv4HeaderOK(make([]byte, 19)), false)
}
