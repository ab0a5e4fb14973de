// SPDX-License-Identifier: MIT OR Apache-2.0

package kernel

import (
	"fmt"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"
)

// total, fold and reference are spec/reference.py.
func total(b []byte) (sum uint64) {
	for i, x := range b {
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

func reference(b []byte) uint16 { return fold(total(b)) }

// forEach runs a test with each kernel that this CPU supports, and with the one in Go.
func forEach(t *testing.T, test func(*testing.T, func([]byte) uint16)) {
	was := InUse()
	for _, k := range Kernels {
		t.Run(k.Name, func(t *testing.T) {
			if !k.Supported {
				t.Skip("this CPU does not support the kernel")
			}
			if err := Use(k.Name); err != nil {
				t.Fatal(err)
			}
			test(t, Sum)
		})
	}
	if err := Use(was); err != nil {
		t.Fatal(err)
	}
	t.Run("in Go", func(t *testing.T) { test(t, generic) })
}

// fills returns ways to fill data: random bytes, ones, zeros, and zeros with a last one.
func fills(random *rand.Rand) map[string]func([]byte) {
	all := func(x byte) func([]byte) {
		return func(b []byte) {
			for i := range b {
				b[i] = x
			}
		}
	}
	return map[string]func([]byte){
		"random": func(b []byte) { random.Read(b) },
		"ones":   all(0xFF),
		"zeros":  all(0),
		"mostly zeros": func(b []byte) {
			all(0)(b)
			if len(b) > 0 {
				b[random.Intn(len(b))] = byte(1 + random.Intn(255))
			}
		},
	}
}

// seed is printed with each failure of a random test, and WIRESUM_SEED sets it.
func seed(t *testing.T) *rand.Rand {
	value := int64(1071)
	if text := os.Getenv("WIRESUM_SEED"); text != "" {
		if _, err := fmt.Sscan(text, &value); err != nil {
			t.Fatalf("WIRESUM_SEED=%s is no number", text)
		}
	}
	t.Logf("WIRESUM_SEED=%d", value)
	return rand.New(rand.NewSource(value))
}

// Each length at each offset from the beginning of a cache line: after a page that cannot be read,
// and before one. Next to the data lie other bytes than zeros.
func TestEveryLengthAndOffset(t *testing.T) {
	const longest, offsets = 1100, 64
	random := seed(t)
	room := guarded(t, 2*4096)
	step := 1
	if testing.Short() {
		step = 13
	}
	forEach(t, func(t *testing.T, sum func([]byte) uint16) {
		for name, fill := range fills(random) {
			for n := 0; n <= longest; n++ {
				data := make([]byte, n)
				fill(data)
				want := reference(data)
				for offset := n % step; offset < offsets; offset += step {
					for _, at := range []int{offset, len(room) - n - offset} {
						around := room[max(0, at-64):min(len(room), at+n+64)]
						for i := range around {
							around[i] = 0xA5
						}
						copy(room[at:], data)
						if got := sum(room[at : at+n : at+n]); got != want {
							t.Fatalf("%s, %d bytes at %d: %#04x, not %#04x", name, n, at, got, want)
						}
					}
				}
			}
		}
	})
}

// Lengths near those at which the ways and blocks of kernels end, and a few thousand others.
func TestLongData(t *testing.T) {
	random := seed(t)
	data := make([]byte, 600<<10)
	lengths := []int{}
	for _, edge := range []int{1664, 4096, 64 << 10, 128 << 10, 192 << 10, 256 << 10, 512 << 10} {
		for n := edge - 300; n <= edge+300; n += 1 + random.Intn(8) {
			lengths = append(lengths, n)
		}
	}
	for range 1000 {
		lengths = append(lengths, 1100+random.Intn(9000))
	}
	if testing.Short() {
		random.Shuffle(len(lengths), func(i, j int) {
			lengths[i], lengths[j] = lengths[j], lengths[i]
		})
		lengths = lengths[:len(lengths)/10]
	}
	forEach(t, func(t *testing.T, sum func([]byte) uint16) {
		for name, fill := range fills(random) {
			fill(data)
			for _, n := range lengths {
				at := random.Intn(64)
				b := data[at : at+n]
				if got, want := sum(b), reference(b); got != want {
					t.Fatalf("%s, %d bytes at %d: %#04x, not %#04x", name, n, at, got, want)
				}
			}
		}
	})
}

// The kernel in use is the first that the CPU supports. WIRESUM_TEST_HIDDEN names those that
// GODEBUG hides.
func TestKernels(t *testing.T) {
	if err := Use("abacus"); err == nil {
		t.Error("a kernel that does not exist was taken")
	}
	hidden := strings.Fields(os.Getenv("WIRESUM_TEST_HIDDEN"))
	first := ""
	for _, k := range Kernels {
		if k.Supported && first == "" {
			first = k.Name
		}
		if k.Supported && slices.Contains(hidden, k.Name) {
			t.Errorf("%s is hidden, and supported", k.Name)
		}
		if err := Use(k.Name); (err == nil) != k.Supported {
			t.Errorf("Use(%s): %v", k.Name, err)
		}
	}
	chosen = best()
	if InUse() != first {
		t.Errorf("the kernel in use is %s, not %s", InUse(), first)
	}
}

func TestNothingIsAllocated(t *testing.T) {
	data := make([]byte, 9000)
	for _, n := range []int{0, 1, 20, 64, 100, 200, 1500, 9000} {
		if count := testing.AllocsPerRun(10, func() { Sum(data[:n]) }); count != 0 {
			t.Errorf("%d bytes: %v allocations", n, count)
		}
	}
}
