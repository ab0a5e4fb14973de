// SPDX-License-Identifier: MIT OR Apache-2.0
// This file is empty. In a package with an assembly file, a Go function may lack its body, as the
// function that go:linkname names does.
