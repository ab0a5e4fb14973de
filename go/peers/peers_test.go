// SPDX-License-Identifier: MIT OR Apache-2.0

package peers

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"os"
	"strconv"
	"testing"
	"time"

	wiresum "github.com/wiresum/wiresum/go"
	ours "github.com/wiresum/wiresum/go/gvisor/checksum"
	"github.com/wiresum/wiresum/go/internal/kernel"
	"github.com/wiresum/wiresum/go/wireguard"
	"gvisor.dev/gvisor/pkg/tcpip/checksum"
)

type vector struct {
	Name string
	Data []struct {
		Hex, Repeat string
		Length      int
	}
	Sum string
}

func read(t testing.TB) []vector {
	text, err := os.ReadFile("../../spec/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Sum []vector }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	return file.Sum
}

// bytes returns the data of a vector, and whether they are short enough to be built.
func (v vector) bytes(t testing.TB) ([]byte, bool) {
	data := []byte{}
	for _, part := range v.Data {
		pattern, err := hex.DecodeString(part.Hex + part.Repeat)
		if err != nil {
			t.Fatal(err)
		}
		if part.Length > 4<<20 {
			return nil, false
		}
		if part.Repeat != "" {
			pattern = bytes.Repeat(pattern, part.Length/len(pattern)+1)[:part.Length]
		}
		data = append(data, pattern...)
	}
	return data, true
}

// Which vectors a peer gets wrong. Ours must be right; of the others the log says which, and each
// must be right on most vectors, or the test calls it in a wrong way.
func TestVectors(t *testing.T) {
	vectors := read(t)
	for _, peer := range Peers {
		wrong, tried := []string{}, 0
		for _, v := range vectors {
			data, short := v.bytes(t)
			if !short {
				continue
			}
			want, err := strconv.ParseUint(v.Sum, 0, 16)
			if err != nil {
				t.Fatal(err)
			}
			tried++
			if got := peer.Sum(data); got != uint16(want) {
				wrong = append(wrong, fmt.Sprintf("%s (%#04x, not %s)", v.Name, got, v.Sum))
			}
		}
		t.Logf("%s: %d of %d vectors are wrong: %v", peer.Name, len(wrong), tried, wrong)
		if tried < 800 || len(wrong) > tried/50 || peer.Name == "wiresum" && len(wrong) > 0 {
			t.Errorf("%s is wrong on %d of %d vectors", peer.Name, len(wrong), tried)
		}
	}
}

// The drop-in functions give the results of those whose names they have.
func TestSameResults(t *testing.T) {
	random := rand.New(rand.NewSource(1071))
	data := make([]byte, 3000)
	random.Read(data)
	for n := range data {
		b, initial := data[:n], uint16(random.Uint32())
		if got, want := ours.Checksum(b, initial), checksum.Checksum(b, initial); got != want {
			t.Fatalf("Checksum of %d bytes after %#x: %#x, gVisor has %#x", n, initial, got, want)
		}
		cut := random.Intn(n + 1)
		var c ours.Checksumer
		var theirs checksum.Checksumer
		for _, piece := range [][]byte{b[:cut], b[cut:]} {
			c.Add(piece)
			theirs.Add(piece)
		}
		if got, want := c.Checksum(), theirs.Checksum(); got != want {
			t.Fatalf("Checksumer, %d bytes cut at %d: %#x, gVisor has %#x", n, cut, got, want)
		}
		other := ^initial
		if got, want := ours.Combine(initial, other), checksum.Combine(initial, other); got != want {
			t.Fatalf("Combine(%#x, %#x): %#x, gVisor has %#x", initial, other, got, want)
		}
		wide := random.Uint64() >> random.Intn(64)
		if got, want := wireguard.Checksum(b, wide), wireguardChecksum(b, wide); got != want {
			t.Fatalf("Checksum of %d bytes after %#x: %#x, wireguard-go has %#x", n, wide, got, want)
		}
		partial := wireguard.ChecksumNoFold(b, wide)
		if got, want := wireguardChecksum(nil, partial), wireguardChecksum(b, wide); got != want {
			t.Fatalf("ChecksumNoFold of %d bytes after %#x: %#x, not %#x", n, wide, got, want)
		}
		addresses := data[n%1000:]
		pseudo := wireguard.PseudoHeaderChecksumNoFold(17, addresses[:16], addresses[16:32], uint16(n))
		theirPseudo := wireguardPseudo(17, addresses[:16], addresses[16:32], uint16(n))
		if got, want := wireguard.Checksum(b, pseudo), wireguardChecksum(b, theirPseudo); got != want {
			t.Fatalf("pseudo-header: %#x, wireguard-go has %#x", got, want)
		}
	}
	// The two sums of nothing.
	for _, b := range [][]byte{nil, make([]byte, 40), bytes.Repeat([]byte{0xFF}, 40)} {
		for _, initial := range []uint16{0, 1, 0xFFFE, 0xFFFF} {
			if got, want := ours.Checksum(b, initial), checksum.Checksum(b, initial); got != want {
				t.Errorf("Checksum(%x, %#x): %#x, gVisor has %#x", b, initial, got, want)
			}
			if got, want := ours.Combine(initial, 0xFFFF), checksum.Combine(initial, 0xFFFF); got != want {
				t.Errorf("Combine(%#x, 0xffff): %#x, gVisor has %#x", initial, got, want)
			}
			wide := uint64(initial)
			if got, want := wireguard.Checksum(b, wide), wireguardChecksum(b, wide); got != want {
				t.Errorf("Checksum(%x, %#x): %#x, wireguard-go has %#x", b, wide, got, want)
			}
		}
	}
	if ours.Size != checksum.Size {
		t.Error("Size")
	}
	room, theirs := make([]byte, 2), make([]byte, 2)
	ours.Put(room, 0x1234)
	checksum.Put(theirs, 0x1234)
	if !bytes.Equal(room, theirs) {
		t.Error("Put")
	}
}

var sink uint16

// BenchmarkSum measures each peer on each size, and each kernel of ours that this CPU has. A
// benchmark takes the best of many samples, each of some ten microseconds: that is what the code
// takes where other programs use the CPU too. Run it with -benchtime=1x.
func BenchmarkSum(b *testing.B) {
	data := make([]byte, 1<<17)
	rand.New(rand.NewSource(1071)).Read(data)
	const at = 14 // after an Ethernet header
	was := kernel.InUse()
	for _, size := range []int{20, 40, 64, 128, 256, 576, 1500, 4096, 9000, 16384, 65536} {
		packet := data[at : at+size]
		bench := func(name string, calls func([]byte, int) uint16) {
			b.Run(fmt.Sprintf("bytes=%d/by=%s", size, name), func(b *testing.B) {
				times := 1 + 40_000/(size+100)
				report(b, times, func() { sink += calls(packet, times) })
			})
		}
		for _, peer := range Peers[1:] {
			bench(peer.Name, peer.Calls)
		}
		for _, k := range kernel.Kernels {
			if kernel.Use(k.Name) == nil {
				bench("wiresum-"+k.Name, Peers[0].Calls)
			}
		}
		if err := kernel.Use(was); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("bytes=20/by=wiresum-Sum20", func(b *testing.B) {
		header := (*[20]byte)(data[at:])
		report(b, 1000, func() {
			sum := uint16(0)
			for range 1000 {
				sum += wiresum.Sum20(header)
			}
			sink += sum
		})
	})
	b.Run("bytes=40/by=wiresum-Sum40", func(b *testing.B) {
		header := (*[40]byte)(data[at:])
		report(b, 1000, func() {
			sum := uint16(0)
			for range 1000 {
				sum += wiresum.Sum40(header)
			}
			sink += sum
		})
	})
	packets := mix(data)
	for _, peer := range Peers {
		name := peer.Name
		if name == "wiresum" {
			name += "-" + was
		}
		b.Run("bytes=IMIX/by="+name, func(b *testing.B) {
			report(b, len(packets), func() {
				for _, packet := range packets {
					sink += peer.Calls(packet, 1)
				}
			})
		})
	}
}

// report reports the time of a call, of the best sample of so many calls.
func report(b *testing.B, times int, sample func()) {
	best := time.Duration(math.MaxInt64)
	for range 400 * b.N {
		start := time.Now()
		sample()
		best = min(best, time.Since(start))
	}
	b.ReportMetric(float64(best.Nanoseconds())/float64(times), "ns/op")
}

// mix returns packets of the simple Internet mix, of twelve seven of 40 bytes, four of 576 and one
// of 1500, in a random order.
func mix(data []byte) (packets [][]byte) {
	lengths := []int{}
	for range 20 {
		lengths = append(lengths, 40, 40, 40, 40, 40, 40, 40, 576, 576, 576, 576, 1500)
	}
	random := rand.New(rand.NewSource(1071))
	random.Shuffle(len(lengths), func(i, j int) { lengths[i], lengths[j] = lengths[j], lengths[i] })
	for _, n := range lengths {
		at := random.Intn(1000) * 2
		packets = append(packets, data[at:at+n])
	}
	return packets
}
