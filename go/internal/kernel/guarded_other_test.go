// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build !unix

package kernel

import "testing"

// guarded returns a room. This system has no mprotect.
func guarded(_ *testing.T, size int) []byte { return make([]byte, size) }
