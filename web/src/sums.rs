// SPDX-License-Identifier: MIT OR Apache-2.0
//! Sums of bytes. JavaScript copies the bytes into a room in the memory of the module: to allocate
//! and to free memory for each call would take longer than the sum of a header.

use std::cell::RefCell;

use wasm_bindgen::prelude::*;
use wiresum::{Checksum, Sum, kernel};

/// The size of the room in bytes. It is even, so that pieces of that length join without a swap.
/// Chromium copies more than 8 KiB by `rep movsb`, which is slow on AMD Zen 4.
const ROOM: usize = 1 << 13;

thread_local! {
    static BYTES: RefCell<[u8; ROOM]> = const { RefCell::new([0; ROOM]) };
}

/// The address of the room.
#[wasm_bindgen]
pub fn room() -> *const u8 {
    BYTES.with_borrow(|bytes| bytes.as_ptr())
}

/// The size of the room in bytes.
#[wasm_bindgen]
pub fn room_size() -> usize {
    ROOM
}

/// The value of the sum of `len` bytes in the room, after an even number of bytes whose sum is
/// `before`.
#[wasm_bindgen]
pub fn room_sum(before: u16, len: usize) -> u16 {
    BYTES.with_borrow(|bytes| (Sum::from_value(before) + Sum::of(&bytes[..len])).value())
}

/// The value of the sum of two pieces, the first of which has an odd length, or an even one.
#[wasm_bindgen]
pub fn append(head: u16, odd: bool, tail: u16) -> u16 {
    let head = Sum::from_value(head);
    head.append(odd.into(), Sum::from_value(tail)).value()
}

/// The value of a checksum after the bytes at an odd offset, or at an even one, have changed.
#[wasm_bindgen]
pub fn update(checksum: u16, odd: bool, was: &[u8], is: &[u8]) -> u16 {
    let checksum = Checksum::from_value(checksum);
    checksum.update(odd.into(), was, is).value()
}

/// The same for a checksum of UDP.
#[wasm_bindgen]
pub fn update_udp(checksum: u16, odd: bool, was: &[u8], is: &[u8]) -> u16 {
    let checksum = Checksum::from_value(checksum);
    checksum.update_udp(odd.into(), was, is).value()
}

/// The name of the kernel that computes the sums.
#[wasm_bindgen]
pub fn kernel_name() -> String {
    kernel::in_use().name().to_owned()
}
