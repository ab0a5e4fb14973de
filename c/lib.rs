// SPDX-License-Identifier: MIT OR Apache-2.0
//! The C library wiresum, the Internet checksum (RFC 1071), and the declarations of its headers
//! `wiresum.h`, `wiresum_stream.h` and `wiresum_packet.h`.
//!
//! Programs use the safe crate `wiresum`, which depends on this one. This crate declares every
//! function that the library exports; its comment in a header of `include/` is its contract.
//! The functions that are inline on every machine have no declaration. All sums and checksums are
//! in memory order: the two bytes of the wire in a native load.
#![no_std]
#![allow(non_camel_case_types)]

use core::ffi::{c_char, c_int, c_void};
#[cfg(all(target_arch = "x86_64", target_pointer_width = "64"))]
use core::sync::atomic::AtomicPtr;

/// `struct wiresum_piece`: a piece of a packet, laid out as POSIX `struct iovec`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct wiresum_piece {
    /// The first byte; may be null where `len` is 0.
    pub data: *const c_void,
    /// The number of bytes.
    pub len: usize,
}

/// `struct wiresum_kernel`: a kernel, which sums with one instruction set.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct wiresum_kernel {
    /// The name, of `[a-z0-9_]` and a NUL, never null.
    pub name: *const c_char,
    /// Returns whether this CPU and its operating system support the kernel. If not, to call its
    /// other functions is undefined.
    pub is_supported: unsafe extern "C" fn() -> bool,
    /// Returns the partial sum of `data`: 64 bits, not folded.
    pub partial: unsafe extern "C" fn(data: *const c_void, len: usize) -> u64,
    /// Copies `src` to `dst`, and returns the partial sum.
    pub copy_partial: unsafe extern "C" fn(dst: *mut c_void, src: *const c_void, len: usize) -> u64,
}

/// `struct wiresum_functions_v1`: the functions that the header's inline functions call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct wiresum_functions_v1 {
    /// As `wiresum_sum`.
    pub sum: unsafe extern "C" fn(data: *const c_void, len: usize) -> u16,
    /// As `wiresum_copy`.
    pub copy: unsafe extern "C" fn(dst: *mut c_void, src: *const c_void, len: usize) -> u16,
    /// As `wiresum_partial` with seed 0.
    pub partial: unsafe extern "C" fn(data: *const c_void, len: usize) -> u64,
}

/// `struct wiresum_stream`: the sum of a stream of bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct wiresum_stream {
    /// The number of bytes, mod 2^64.
    pub len: u64,
    /// The sum of the bytes.
    pub sum: u16,
}

/// `struct wiresum_room`: a piece of memory to write to, laid out as POSIX `struct iovec`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct wiresum_room {
    /// The first byte; may be null where `len` is 0.
    pub data: *mut c_void,
    /// The number of bytes.
    pub len: usize,
}

/// `wiresum_next_piece`: stores the next piece of a chain, or returns false at its end.
pub type wiresum_next_piece =
    unsafe extern "C" fn(position: *mut c_void, piece: *mut wiresum_piece) -> bool;

/// `enum wiresum_packet_result`, from `WIRESUM_PACKET_GOOD`, 0, on.
pub type wiresum_packet_result = c_int;

unsafe extern "C" {
    /// The functions of the kernel in use, never null. Programs only load it, in relaxed order.
    #[cfg(all(target_arch = "x86_64", target_pointer_width = "64"))]
    pub static wiresum_active_v1: AtomicPtr<wiresum_functions_v1>;

    // Buffers
    pub fn wiresum_sum(data: *const c_void, len: usize) -> u16;
    pub fn wiresum_checksum(data: *const c_void, len: usize) -> u16;
    pub fn wiresum_ok(data: *const c_void, len: usize) -> bool;
    pub fn wiresum_copy(dst: *mut c_void, src: *const c_void, len: usize) -> u16;
    pub fn wiresum_partial(data: *const c_void, len: usize, seed: u64) -> u64;

    // Gather lists
    pub fn wiresum_gather(pieces: *const wiresum_piece, n: usize) -> u16;
    pub fn wiresum_gather_copy(dst: *mut c_void, pieces: *const wiresum_piece, n: usize) -> u16;

    // Incremental update
    pub fn wiresum_update128(checksum: u16, was: *const c_void, is: *const c_void) -> u16;
    pub fn wiresum_update(
        checksum: u16,
        offset: usize,
        was: *const c_void,
        is: *const c_void,
        len: usize,
    ) -> u16;

    // The UDP rule
    pub fn wiresum_udp_update(
        checksum: u16,
        offset: usize,
        was: *const c_void,
        is: *const c_void,
        len: usize,
    ) -> u16;
    pub fn wiresum_udp_absent(header: *const c_void) -> bool;

    // Pseudo-headers
    pub fn wiresum_pseudo_ipv4(
        source: *const c_void,
        destination: *const c_void,
        protocol: u32,
        len: u32,
    ) -> u16;
    pub fn wiresum_pseudo_ipv6(
        source: *const c_void,
        destination: *const c_void,
        protocol: u32,
        len: u32,
    ) -> u16;

    // Headers and segments
    pub fn wiresum_tcp(
        pseudo: u16,
        header: *const c_void,
        header_len: usize,
        payload: *const c_void,
        payload_len: usize,
    ) -> u16;
    pub fn wiresum_tcp_ok(
        pseudo: u16,
        header: *const c_void,
        header_len: usize,
        payload: *const c_void,
        payload_len: usize,
    ) -> bool;
    pub fn wiresum_udp(
        pseudo: u16,
        header: *const c_void,
        header_len: usize,
        payload: *const c_void,
        payload_len: usize,
    ) -> u16;
    pub fn wiresum_udp_ok(
        pseudo: u16,
        header: *const c_void,
        header_len: usize,
        payload: *const c_void,
        payload_len: usize,
    ) -> bool;
    pub fn wiresum_icmp(
        header: *const c_void,
        header_len: usize,
        payload: *const c_void,
        payload_len: usize,
    ) -> u16;
    pub fn wiresum_icmp_ok(
        header: *const c_void,
        header_len: usize,
        payload: *const c_void,
        payload_len: usize,
    ) -> bool;
    pub fn wiresum_icmpv6(
        pseudo: u16,
        header: *const c_void,
        header_len: usize,
        payload: *const c_void,
        payload_len: usize,
    ) -> u16;
    pub fn wiresum_icmpv6_ok(
        pseudo: u16,
        header: *const c_void,
        header_len: usize,
        payload: *const c_void,
        payload_len: usize,
    ) -> bool;

    // Batches
    pub fn wiresum_batch(packets: *const wiresum_piece, n: usize, sums: *mut u16);
    pub fn wiresum_batch_offsets32(
        base: *const c_void,
        offsets: *const i32,
        n: usize,
        sums: *mut u16,
    );
    pub fn wiresum_batch_offsets64(
        base: *const c_void,
        offsets: *const i64,
        n: usize,
        sums: *mut u16,
    );
    pub fn wiresum_batch_ipv4_headers(
        first: *const c_void,
        stride: usize,
        n: usize,
        sums: *mut u16,
    );

    // Streams and chains: wiresum_stream.h
    pub fn wiresum_stream_push_range(
        stream: *mut wiresum_stream,
        pieces: *const wiresum_piece,
        n: usize,
        offset: usize,
        len: usize,
    ) -> bool;
    pub fn wiresum_stream_push_chain(
        stream: *mut wiresum_stream,
        next: wiresum_next_piece,
        position: *mut c_void,
        offset: usize,
        len: usize,
    ) -> bool;
    pub fn wiresum_stream_copy(
        stream: *mut wiresum_stream,
        rooms: *const wiresum_room,
        rooms_n: usize,
        pieces: *const wiresum_piece,
        n: usize,
        offset: usize,
    ) -> usize;

    // Whole packets: wiresum_packet.h
    pub fn wiresum_packet_verify(packet: *const c_void, len: usize) -> wiresum_packet_result;
    pub fn wiresum_packet_fill(packet: *mut c_void, len: usize) -> wiresum_packet_result;
    pub fn wiresum_packet_text(result: wiresum_packet_result) -> *const c_char;
    pub fn wiresum_packet_finish(
        frame: *mut c_void,
        len: usize,
        start: usize,
        offset: usize,
    ) -> bool;
    pub fn wiresum_udplite_coverage(datagram: *const c_void, len: usize) -> usize;
    pub fn wiresum_udplite(pseudo: u16, datagram: *const c_void, len: usize) -> u16;
    pub fn wiresum_udplite_ok(pseudo: u16, datagram: *const c_void, len: usize) -> bool;

    // Kernels
    pub fn wiresum_kernels(count: *mut usize) -> *const wiresum_kernel;
    pub fn wiresum_kernel_by_name(name: *const c_char) -> *const wiresum_kernel;
    pub fn wiresum_kernel_in_use() -> *const wiresum_kernel;
    pub fn wiresum_use_kernel(kernel: *const wiresum_kernel) -> bool;
}
