// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build unix

package kernel

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// guarded returns a room of whole pages between two that cannot be read.
func guarded(t *testing.T, size int) []byte {
	page := os.Getpagesize()
	size = (size + page - 1) / page * page
	all, err := unix.Mmap(-1, 0, size+2*page, unix.PROT_READ|unix.PROT_WRITE,
		unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Munmap(all) })
	for _, guard := range [][]byte{all[:page], all[page+size:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return all[page : page+size : page+size]
}
