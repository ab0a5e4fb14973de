// SPDX-License-Identifier: MIT OR Apache-2.0
//! The two applications: the bytes that they send and must receive; and the world that a stack
//! calls back into.

use std::cell::RefCell;

use crate::network::{CLIENT, Network, Packet};

/// Both streams repeat random bytes with this period, a prime, so that a segment that is lost,
/// doubled or moved does not fit.
const PERIOD: usize = 65_537;
/// The longest piece that `Task::outgoing` hands out.
pub const CHUNK: usize = 16 * 1024;

/// The paper's application emulation layer: all data are there before the clock starts.
pub struct Payload {
    bytes: Box<[u8]>,
}

impl Payload {
    pub fn new(seed: u64) -> Payload {
        let mut bytes = vec![0; PERIOD + CHUNK];
        fastrand::Rng::with_seed(seed).fill(&mut bytes[..PERIOD]);
        bytes.copy_within(..CHUNK, PERIOD);
        Payload {
            bytes: bytes.into_boxed_slice(),
        }
    }

    fn at(&self, position: u64, len: usize) -> &[u8] {
        let start = (position % PERIOD as u64) as usize;
        &self.bytes[start..start + len]
    }
}

/// One application: its position in the data that it sends, and in the data that it receives.
#[derive(Clone, Copy, Debug, Default)]
pub struct Task {
    pub sent: u64,
    pub received: u64,
    /// Pieces that differ from the data that the other side sent.
    pub mismatches: u64,
    /// The other side will send no more.
    pub ended: bool,
}

/// Everything outside a stack: the network, the two tasks, and the fate of damaged packets.
pub struct World {
    pub network: RefCell<Network>,
    pub tasks: [RefCell<Task>; 2],
    pub rejected: RefCell<Rejected>,
    payload: Payload,
}

/// Damaged packets that reached a stack.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rejected {
    /// Rejected by a checksum.
    pub by_checksum: u64,
    /// Rejected before TCP's checksum: for an impossible version or length, as a fragment, for
    /// another address, for another protocol.
    pub by_format: u64,
    /// Rejected by a stack that gives no reason: the connection did not change, and no frame
    /// answered.
    pub silently: u64,
    /// Not rejected. Must stay 0.
    pub accepted: u64,
}

impl Rejected {
    pub fn total(&self) -> u64 {
        self.by_checksum + self.by_format + self.silently
    }
}

impl World {
    /// A world that lives as long as the process, for stacks that cannot be taken down.
    pub fn leak(seed: u64) -> &'static World {
        Box::leak(Box::new(World {
            network: RefCell::new(Network::new(seed)),
            tasks: [RefCell::default(), RefCell::default()],
            rejected: RefCell::default(),
            payload: Payload::new(seed),
        }))
    }

    /// The client's stream and the server's are two, half a period apart.
    fn position(side: usize, position: u64) -> u64 {
        if side == CLIENT {
            position
        } else {
            position + PERIOD as u64 / 2
        }
    }

    /// The next bytes that `side` has to send, at most `len`.
    pub fn outgoing(&self, side: usize, len: usize) -> &[u8] {
        let sent = self.tasks[side].borrow().sent;
        self.payload.at(World::position(side, sent), len.min(CHUNK))
    }

    /// Bytes reach the application of `side`, which compares them with those that the other side
    /// sent.
    pub fn receive(&self, side: usize, mut data: &[u8]) {
        let mut task = self.tasks[side].borrow_mut();
        while !data.is_empty() {
            let (piece, rest) = data.split_at(data.len().min(CHUNK));
            let expected = self
                .payload
                .at(World::position(1 - side, task.received), piece.len());
            if piece != expected {
                task.mismatches += 1;
            }
            task.received += piece.len() as u64;
            data = rest;
        }
    }

    pub fn end(&self, side: usize) {
        self.tasks[side].borrow_mut().ended = true;
    }

    pub fn next(&self, side: usize) -> Option<Packet> {
        self.network.borrow_mut().next(side)
    }

    /// For a new connection: both streams begin anew.
    pub fn reset(&self) {
        for task in &self.tasks {
            *task.borrow_mut() = Task::default();
        }
    }
}
