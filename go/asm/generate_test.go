// SPDX-License-Identifier: MIT OR Apache-2.0

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// The kernels of the package are those that the generator writes.
func TestGeneratedFilesAreNew(t *testing.T) {
	folder := t.TempDir()
	if said, err := exec.Command("./generate", folder).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for _, name := range []string{"kernel_amd64.s", "asm_amd64.go"} {
		made, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		kept, err := os.ReadFile(filepath.Join("../internal/kernel", name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(made, kept) {
			t.Errorf("%s is not what the generator writes: run go/asm/generate", name)
		}
	}
}
