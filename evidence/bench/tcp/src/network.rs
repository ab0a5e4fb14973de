// SPDX-License-Identifier: MIT OR Apache-2.0
//! The emulated network interface of the paper's figure 8: frames in memory, an input queue for
//! each side, and faults by flags.
//!
//! A frame is an IPv4 packet. A stack names a frame by its number. It owns the frame from
//! `allocate` to `send`, and from `next` to `release`.

use std::collections::VecDeque;

use serde::Serialize;

use crate::damage::{self, Damage};

pub const CLIENT: usize = 0;
pub const SERVER: usize = 1;

/// The number of frames; build.rs gives lwIP's port the same number.
pub const FRAMES: usize = 4096;
/// Room in one: the largest MTU here is 9000.
pub const FRAME_SIZE: usize = 9024;

/// The faults of the network, each with its probability.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    pub corrupt: f64,
    pub drop: f64,
    pub duplicate: f64,
    pub reorder: f64,
    pub damage: Damage,
    /// The first byte of a packet that may be damaged: 0 for all, 40 for the payload only.
    pub damage_from: usize,
}

impl Faults {
    pub fn any(&self) -> bool {
        self.corrupt + self.drop + self.duplicate + self.reorder > 0.0
    }
}

/// The frames of a run, and the faults so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub frames: u64,
    pub bytes: u64,
    pub dropped: u64,
    pub duplicated: u64,
    pub reordered: u64,
    /// All damaged frames, those included that no 16-bit sum can see.
    pub damaged: u64,
    /// Damaged frames whose checksums are all right. The network takes them out, so that the
    /// comparison of payloads remains possible.
    pub undetectable: u64,
}

/// A frame in an input queue.
#[derive(Clone, Copy, Debug)]
pub struct Packet {
    pub frame: u32,
    pub len: usize,
    pub damaged: bool,
}

pub struct Network {
    frames: Vec<Box<[u8]>>,
    lens: Vec<usize>,
    /// The last released is the next taken: its bytes are in the cache.
    free: Vec<u32>,
    input: [VecDeque<Packet>; 2],
    pub deepest_input: [usize; 2],
    pub faults: Faults,
    random: fastrand::Rng,
    pub counts: Counts,
}

impl Network {
    pub fn new(seed: u64) -> Network {
        Network {
            frames: (0..FRAMES)
                .map(|_| vec![0; FRAME_SIZE].into_boxed_slice())
                .collect(),
            lens: vec![0; FRAMES],
            free: (0..FRAMES as u32).rev().collect(),
            input: [
                VecDeque::with_capacity(FRAMES),
                VecDeque::with_capacity(FRAMES),
            ],
            deepest_input: [0; 2],
            faults: Faults::default(),
            random: fastrand::Rng::with_seed(seed),
            counts: Counts::default(),
        }
    }

    /// Room for a frame of `len` bytes; none where it is too long, or all frames are taken.
    pub fn allocate(&mut self, len: usize) -> Option<u32> {
        if len > FRAME_SIZE {
            return None;
        }
        let frame = self.free.pop()?;
        self.lens[frame as usize] = len;
        Some(frame)
    }

    pub fn bytes(&mut self, frame: u32) -> &mut [u8] {
        let len = self.lens[frame as usize];
        &mut self.frames[frame as usize][..len]
    }

    pub fn release(&mut self, frame: u32) {
        self.free.push(frame);
    }

    /// The number of frames that nobody owns: all of them when no frame is under way.
    pub fn unused(&self) -> usize {
        self.free.len()
    }

    /// The frame leaves `side` for the other's input queue.
    pub fn send(&mut self, side: usize, frame: u32) {
        let len = self.lens[frame as usize];
        self.counts.frames += 1;
        self.counts.bytes += len as u64;
        if self.faults.any() {
            self.send_over_a_bad_network(1 - side, frame);
        } else {
            self.enqueue(1 - side, frame, false);
        }
    }

    fn enqueue(&mut self, to: usize, frame: u32, damaged: bool) {
        let len = self.lens[frame as usize];
        self.input[to].push_back(Packet {
            frame,
            len,
            damaged,
        });
    }

    #[cold]
    fn send_over_a_bad_network(&mut self, to: usize, frame: u32) {
        if self.random.f64() < self.faults.drop {
            self.counts.dropped += 1;
            self.release(frame);
            return;
        }
        if self.random.f64() < self.faults.duplicate
            && let Some(twin) = self.allocate(self.lens[frame as usize])
        {
            self.counts.duplicated += 1;
            let original = self.bytes(frame).to_vec();
            self.bytes(twin).copy_from_slice(&original);
            self.enqueue(to, twin, false);
        }
        let mut damaged = false;
        if self.random.f64() < self.faults.corrupt {
            let mut random = self.random.fork();
            let (damage, from) = (self.faults.damage, self.faults.damage_from);
            if damage.apply(self.bytes(frame), from, &mut random) {
                self.counts.damaged += 1;
                damaged = true;
                if damage::sums_are_right(self.bytes(frame)) {
                    self.counts.undetectable += 1;
                    self.release(frame);
                    return;
                }
            }
        }
        self.enqueue(to, frame, damaged);
        if self.random.f64() < self.faults.reorder && self.input[to].len() > 1 {
            self.counts.reordered += 1;
            let last = self.input[to].len() - 1;
            let other = self.random.usize(last.saturating_sub(8)..last);
            self.input[to].swap(last, other);
        }
    }

    /// The next frame of the input queue of `side`.
    pub fn next(&mut self, side: usize) -> Option<Packet> {
        let depth = self.input[side].len();
        self.deepest_input[side] = self.deepest_input[side].max(depth);
        self.input[side].pop_front()
    }

    pub fn waiting(&self, side: usize) -> usize {
        self.input[side].len()
    }
}
