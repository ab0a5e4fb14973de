// SPDX-License-Identifier: MIT OR Apache-2.0
//! lwIP, through lwip/port.h: one build of it a variant, all in this process.

use std::ffi::{c_int, c_void};

use super::{Queues, Stack};
use crate::task::{Rejected, World};

#[repr(C)]
struct Host {
    world: *const c_void,
    allocate: extern "C" fn(*const c_void, usize, *mut u32) -> *mut u8,
    send: extern "C" fn(*const c_void, c_int, u32),
    release: extern "C" fn(*const c_void, u32),
    receive: extern "C" fn(*const c_void, c_int, *const u8, usize),
    end: extern "C" fn(*const c_void, c_int),
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Rejections {
    checksum: u64,
    format: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Segments {
    unsent: usize,
    unacknowledged: usize,
}

/// `struct stack`.
#[repr(C)]
pub struct Build {
    start: unsafe extern "C" fn(*const Host),
    mtu: unsafe extern "C" fn(u16),
    connect: unsafe extern "C" fn() -> c_int,
    write: unsafe extern "C" fn(c_int, *const u8, usize) -> usize,
    output: unsafe extern "C" fn(c_int),
    input: unsafe extern "C" fn(c_int, u32, *mut u8, usize),
    close: unsafe extern "C" fn(c_int),
    advance: unsafe extern "C" fn(u32),
    is_established: unsafe extern "C" fn(c_int) -> c_int,
    is_open: unsafe extern "C" fn() -> c_int,
    queues: unsafe extern "C" fn(c_int) -> Segments,
    rejections: unsafe extern "C" fn() -> Rejections,
}

unsafe extern "C" {
    static wiresum_bench_lwip_stock1: Build;
    static wiresum_bench_lwip_stock2: Build;
    static wiresum_bench_lwip_stock3: Build;
    static wiresum_bench_lwip_stock2_copy: Build;
    static wiresum_bench_lwip_scalar: Build;
    static wiresum_bench_lwip_wiresum: Build;
    static wiresum_bench_lwip_wiresum_copy: Build;
    static wiresum_bench_lwip_off: Build;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    Stock1,
    Stock2,
    Stock3,
    Stock2Copy,
    Scalar,
    Wiresum,
    WiresumCopy,
    Off,
}

impl Variant {
    fn build(self) -> &'static Build {
        // SAFETY: constants of lwip/port.c, each of the type that it has there.
        unsafe {
            match self {
                Variant::Stock1 => &wiresum_bench_lwip_stock1,
                Variant::Stock2 => &wiresum_bench_lwip_stock2,
                Variant::Stock3 => &wiresum_bench_lwip_stock3,
                Variant::Stock2Copy => &wiresum_bench_lwip_stock2_copy,
                Variant::Scalar => &wiresum_bench_lwip_scalar,
                Variant::Wiresum => &wiresum_bench_lwip_wiresum,
                Variant::WiresumCopy => &wiresum_bench_lwip_wiresum_copy,
                Variant::Off => &wiresum_bench_lwip_off,
            }
        }
    }
}

fn world<'a>(pointer: *const c_void) -> &'a World {
    // SAFETY: lwIP hands back what `Lwip::new` gave it, a world that is never freed.
    unsafe { &*pointer.cast() }
}

extern "C" fn allocate(pointer: *const c_void, len: usize, frame: *mut u32) -> *mut u8 {
    let mut network = world(pointer).network.borrow_mut();
    let Some(number) = network.allocate(len) else {
        return std::ptr::null_mut();
    };
    // SAFETY: driver_output passes the address of a variable of its own.
    unsafe { *frame = number };
    network.bytes(number).as_mut_ptr()
}

extern "C" fn send(pointer: *const c_void, side: c_int, frame: u32) {
    world(pointer)
        .network
        .borrow_mut()
        .send(side as usize, frame);
}

extern "C" fn release(pointer: *const c_void, frame: u32) {
    world(pointer).network.borrow_mut().release(frame);
}

extern "C" fn receive(pointer: *const c_void, side: c_int, data: *const u8, len: usize) {
    // SAFETY: on_receive passes a pbuf's payload with its length, and frees it only afterwards.
    let data = unsafe { std::slice::from_raw_parts(data, len) };
    world(pointer).receive(side as usize, data);
}

extern "C" fn end(pointer: *const c_void, side: c_int) {
    world(pointer).end(side as usize);
}

pub struct Lwip {
    build: &'static Build,
    world: &'static World,
}

impl Lwip {
    /// Starts a build of lwIP. A build starts once only, as its state is static.
    pub fn new(variant: Variant, seed: u64) -> Lwip {
        let (build, world) = (variant.build(), World::leak(seed));
        let host = Host {
            world: std::ptr::from_ref(world).cast(),
            allocate,
            send,
            release,
            receive,
            end,
        };
        // SAFETY: the callbacks are as declared in port.h, and start copies the structure.
        unsafe { (build.start)(&host) };
        Lwip { build, world }
    }

    fn rejections(&self) -> Rejections {
        // SAFETY: reads lwIP's counters.
        unsafe { (self.build.rejections)() }
    }
}

// SAFETY of all calls below: one thread, after start, with sides 0 and 1, and no borrow of the
// world.
impl Stack for Lwip {
    fn world(&self) -> &'static World {
        self.world
    }

    fn mtu(&mut self, mtu: usize) {
        unsafe { (self.build.mtu)(u16::try_from(mtu).expect("an MTU has 16 bits")) }
    }

    fn connect(&mut self) -> anyhow::Result<()> {
        match unsafe { (self.build.connect)() } {
            0 => Ok(()),
            error => anyhow::bail!("lwIP cannot connect: its error {error}"),
        }
    }

    fn write(&mut self, side: usize, data: &[u8]) -> usize {
        unsafe { (self.build.write)(side as c_int, data.as_ptr(), data.len()) }
    }

    fn output(&mut self, side: usize) {
        unsafe { (self.build.output)(side as c_int) }
    }

    fn input(&mut self, side: usize) -> bool {
        let mut any = false;
        while let Some(packet) = self.world.next(side) {
            any = true;
            let bytes = self
                .world
                .network
                .borrow_mut()
                .bytes(packet.frame)
                .as_mut_ptr();
            let before = packet.damaged.then(|| self.rejections());
            // The frame is lwIP's until it calls release.
            unsafe { (self.build.input)(side as c_int, packet.frame, bytes, packet.len) };
            if let Some(before) = before {
                let after = self.rejections();
                let mut rejected = self.world.rejected.borrow_mut();
                *rejected = if after.checksum > before.checksum {
                    Rejected {
                        by_checksum: rejected.by_checksum + 1,
                        ..*rejected
                    }
                } else if after.format > before.format {
                    Rejected {
                        by_format: rejected.by_format + 1,
                        ..*rejected
                    }
                } else {
                    Rejected {
                        accepted: rejected.accepted + 1,
                        ..*rejected
                    }
                };
            }
        }
        any
    }

    fn close(&mut self, side: usize) {
        unsafe { (self.build.close)(side as c_int) }
    }

    fn advance(&mut self) {
        unsafe { (self.build.advance)(250) } // lwIP's own tick
    }

    fn is_established(&self, side: usize) -> bool {
        unsafe { (self.build.is_established)(side as c_int) != 0 }
    }

    fn is_open(&self) -> bool {
        unsafe { (self.build.is_open)() != 0 }
    }

    fn queues(&self, side: usize) -> Queues {
        let Segments {
            unsent,
            unacknowledged,
        } = unsafe { (self.build.queues)(side as c_int) };
        Queues {
            unsent,
            unacknowledged,
        }
    }
}
