// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build (!amd64 && !arm64) || purego

package kernel

// Kernels are the kernels of this build.
var Kernels = []Kernel{{"generic", true}}

// Sum returns the sum of b.
func Sum(b []byte) uint16 { return generic(b) }
