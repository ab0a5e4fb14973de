// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build !purego

package wiresum

import (
	"os/exec"
	"regexp"
	"testing"
)

// The functions that a call would cost more than their work are put in line, by the compiler's own
// account. Sum is a call of the assembly, with nothing in between.
func TestInlined(t *testing.T) {
	said, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, said)
	}
	for _, name := range []string{
		"Sum", "Checksum", "OK", "Sum20", "Sum40", "Add", "Sub", "Swap", "Append", "Remove",
		"Update16", "FieldUDP", `\(\*Stream\).Sum`, `\(\*Stream\).Checksum`, "TCP", "UDPAbsent",
	} {
		if !regexp.MustCompile(`can inline ` + name + `\n`).Match(said) {
			t.Errorf("the compiler does not put %s in line", name)
		}
	}
	if regexp.MustCompile(`(moved to heap|leaking param)`).Match(said) {
		t.Errorf("something escapes:\n%s", said)
	}
}
