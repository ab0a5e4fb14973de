// SPDX-License-Identifier: MIT OR Apache-2.0
// Empty: with an assembly file beside them, Go functions may be without a body, as one that go:linkname names is.
