// SPDX-License-Identifier: MIT OR Apache-2.0
//! The interface of a TCP stack to the benchmark, and the two stacks that have it.

pub mod lwip;
pub mod smoltcp;

use crate::task::World;

/// The paper's queues of one side, in segments if the stack keeps segments, else in bytes. The
/// network has the input queue.
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
    /// Queues as many bytes as fit in the send buffer, and returns their number.
    fn write(&mut self, side: usize, data: &[u8]) -> usize;
    /// Sends as much as the window allows.
    fn output(&mut self, side: usize);
    /// Takes all frames from the input queue of that side; false if there was none.
    fn input(&mut self, side: usize) -> bool;
    fn close(&mut self, side: usize);
    /// No frame is under way: the clock goes on to the next timer.
    fn advance(&mut self);
    fn is_established(&self, side: usize) -> bool;
    fn is_open(&self) -> bool;
    fn queues(&self, side: usize) -> Queues;
}
