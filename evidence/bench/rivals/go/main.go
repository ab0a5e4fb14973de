// SPDX-License-Identifier: MIT OR Apache-2.0

// Command rivals measures the checksums of Go programs in the way of cli/measure: it verifies
// them, times them by turns, and prints the minimum and the median of many short samples as
// JSON. A call of Go code from C costs more than a sum of short data, so this program has a process
// of its own. evidence/bench/record.py adds its figures to the report. Arguments: the file of
// vectors, and sizes.
package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"runtime"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"
	"time"
	_ "unsafe" // for go:linkname

	tailscale "github.com/tailscale/wireguard-go/tun"
	_ "golang.zx2c4.com/wireguard/tun"
	"gvisor.dev/gvisor/pkg/tcpip/checksum"
)

// The package does not export the function, so the linker finds it by its name.
//
//go:linkname wireguardChecksum golang.zx2c4.com/wireguard/tun.checksum
func wireguardChecksum(b []byte, initial uint64) uint16

type rival struct {
	Name     string `json:"name"`
	Note     string `json:"note"`
	Verified bool   `json:"verified"`
	Rows     []row  `json:"rows"`
	module   string
	sum      func([]byte) uint16
}

type row struct {
	Bytes     int     `json:"bytes"`
	Alignment int     `json:"alignment"`
	MinNs     float64 `json:"min_ns"`
	MedianNs  float64 `json:"median_ns"`
	Spread    float64 `json:"spread"`
}

type part struct {
	Hex    *string `json:"hex"`
	Repeat *string `json:"repeat"`
	Length *int    `json:"length"`
}

type vector struct {
	Name string `json:"name"`
	Data []part `json:"data"`
	Sum  string `json:"sum"`
}

// bytes returns the data of a vector, and whether it is short enough to be tried.
func (v vector) bytes() ([]byte, bool) {
	data := []byte{}
	for _, p := range v.Data {
		text := p.Hex
		if text == nil {
			text = p.Repeat
		}
		pattern, err := hex.DecodeString(*text)
		check(err)
		length := len(pattern)
		if p.Length != nil {
			length = *p.Length
		}
		if length > 4<<20 {
			return nil, false
		}
		for i := 0; i < length; i++ {
			data = append(data, pattern[i%len(pattern)])
		}
	}
	return data, true
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "rivals:", err)
		os.Exit(2)
	}
}

func (r *rival) verify(vectors []vector) {
	wrong, tried, first := 0, 0, ""
	for _, v := range vectors {
		data, short := v.bytes()
		if !short {
			continue
		}
		tried++
		expected, err := strconv.ParseUint(strings.TrimPrefix(v.Sum, "0x"), 16, 16)
		check(err)
		if r.sum(data) != uint16(expected) {
			if wrong == 0 {
				first = v.Name
			}
			wrong++
		}
	}
	r.Verified = wrong == 0
	r.Note = "Go module proxy, " + version(r.module) + ", " + runtime.Version() +
		"; a process of its own"
	if wrong > 0 {
		r.Note += fmt.Sprintf("; wrong on %d of %d vectors, %s the first", wrong, tried, first)
	}
}

func version(module string) string {
	info, _ := debug.ReadBuildInfo()
	for _, dependency := range info.Deps {
		if dependency.Path == module {
			return dependency.Version
		}
	}
	return "of an unknown version"
}

var sink uint16

// sample returns nanoseconds a call.
func (r *rival) sample(data []byte, reps int) float64 {
	start := time.Now()
	for i := 0; i < reps; i++ {
		sink += r.sum(data)
	}
	return float64(time.Since(start).Nanoseconds()) / float64(reps)
}

func main() {
	if len(os.Args) < 3 {
		check(fmt.Errorf("usage: rivals VECTORS SIZE..."))
	}
	text, err := os.ReadFile(os.Args[1])
	check(err)
	var file struct {
		Sum []vector `json:"sum"`
	}
	check(json.Unmarshal(text, &file))
	rivals := []*rival{
		{
			Name: "gVisor", module: "gvisor.dev/gvisor",
			sum: func(b []byte) uint16 { return checksum.Checksum(b, 0) },
		},
		{
			Name: "wireguard-go", module: "golang.zx2c4.com/wireguard",
			sum: func(b []byte) uint16 { return wireguardChecksum(b, 0) },
		},
		{
			Name: "Tailscale", module: "github.com/tailscale/wireguard-go",
			sum: func(b []byte) uint16 { return tailscale.Checksum(b, 0) },
		},
	}
	for _, r := range rivals {
		r.verify(file.Sum)
	}
	debug.SetGCPercent(-1) // nothing is allocated while it is timed
	runtime.LockOSThread()
	memory := make([]byte, 8<<20)
	rand.New(rand.NewSource(1071)).Read(memory)
	const rounds, sampleNs = 51, 20000
	for _, word := range os.Args[2:] {
		size, err := strconv.Atoi(word)
		check(err)
		for _, alignment := range []int{0, 14} {
			data := memory[alignment : alignment+size]
			samples := make([][]float64, len(rivals))
			for round := 0; round <= rounds; round++ {
				for turn := range rivals {
					n := (turn + round) % len(rivals)
					once := rivals[n].sample(data, 8)
					found := rivals[n].sample(data, int(sampleNs/once)+1)
					if round > 0 {
						samples[n] = append(samples[n], found)
					}
				}
			}
			for n, r := range rivals {
				sort.Float64s(samples[n])
				median := samples[n][rounds/2]
				spread := (samples[n][rounds*3/4] - samples[n][rounds/4]) / median
				r.Rows = append(r.Rows, row{size, alignment, samples[n][0], median, spread})
			}
		}
	}
	check(json.NewEncoder(os.Stdout).Encode(rivals))
}
