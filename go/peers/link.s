// SPDX-License-Identifier: MIT OR Apache-2.0
// This file is empty. With an assembly file in its package, a Go function may lack its body,
// as the function that go:linkname names does.
