// SPDX-License-Identifier: MIT OR Apache-2.0
//! What a TCP stack has to offer the benchmark, and the two that do.

pub mod lwip;
pub mod smoltcp;

use crate::task::World;

/// The paper's queues of one side, in segments where the stack keeps segments, else in bytes. The input queue is the network's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queues {
    pub unsent: usize,
    pub unacknowledged: usize,
}

/// One stack with one choice of checksum: two sides in one thread, joined by a world's network.
pub trait Stack {
    fn world(&self) -> &'static World;
    fn mtu(&mut self, mtu: usize);
    /// The server listens, the client's SYN leaves.
    fn connect(&mut self) -> anyhow::Result<()>;
    /// Queues what fits in the send buffer, and returns how much that was.
    fn write(&mut self, side: usize, data: &[u8]) -> usize;
    /// Sends what the window allows.
    fn output(&mut self, side: usize);
    /// Takes all frames from the input queue of that side; false if there was none.
    fn input(&mut self, side: usize) -> bool;
    fn close(&mut self, side: usize);
    /// Nothing moves any more: the clock goes on to where something is due.
    fn advance(&mut self);
    fn is_established(&self, side: usize) -> bool;
    fn is_open(&self) -> bool;
    fn queues(&self, side: usize) -> Queues;
}
