// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build !386 && !arm && !mips && !mipsle

package kernel

import (
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// More than 4 GiB, for counters of 32 bits and for lanes: one file that is mapped again and again.
func TestHugeData(t *testing.T) {
	const piece, pieces, more = 1 << 20, 4096, 77_777
	if testing.Short() {
		t.Skip("4 GiB take time")
	}
	file, err := unix.MemfdCreate("wiresum", 0)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(file)
	random := seed(t)
	pattern := make([]byte, piece)
	room, err := unix.MmapPtr(-1, 0, nil, (pieces+1)*piece, unix.PROT_NONE,
		unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.MunmapPtr(room, (pieces+1)*piece) }()
	if err := unix.Ftruncate(file, piece); err != nil {
		t.Fatal(err)
	}
	for i := range pieces + 1 {
		_, err := unix.MmapPtr(file, 0, unsafe.Add(room, i*piece), piece, unix.PROT_READ,
			unix.MAP_SHARED|unix.MAP_FIXED)
		if err != nil {
			t.Fatal(err)
		}
	}
	data := unsafe.Slice((*byte)(room), pieces*piece+more)
	for _, name := range []string{"ones", "random"} {
		fills(random)[name](pattern)
		if _, err := unix.Pwrite(file, pattern, 0); err != nil {
			t.Fatal(err)
		}
		want := fold(pieces*total(pattern) + total(pattern[:more]))
		forEach(t, func(t *testing.T, sum func([]byte) uint16) {
			if got := sum(data); got != want {
				t.Errorf("%s: %#04x, not %#04x", name, got, want)
			}
		})
	}
}
