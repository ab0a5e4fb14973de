// SPDX-License-Identifier: MIT OR Apache-2.0
//! The cause that only several packets tell: the checksums of a flow are wrong by the same amount,
//! one after the other.

use std::mem;

use foldhash::HashMap;

use crate::cause::{Cause, IN_A_ROW, cause_of_row, difference};
use crate::walk::{Addresses, Field, Obstacle};
use crate::{Frame, Needs, PlainFrame, Protocol, Sink, Status, Verdict};

/// Judges bad checksums by the packets of their flow that came before.
///
/// A flow is the checksums of one protocol from one address to another. A connection is the part of
/// a flow that has the same two ports. Each of them remembers the amount by which its last checksum
/// without an exact cause was wrong, and for how many such checksums in a row that has been so.
/// From the third different expected value in a row on, the cause is [`Cause::SameDifference`] or
/// [`Cause::SameCarry`], unless each checksum of the row is [`Cause::NoCarry`].
///
/// The verdicts must come in the order of the file. Memory is bounded: at most 65,536 flows and
/// connections are remembered, and each one at least until 32,767 others have had such a checksum.
#[derive(Default)]
pub struct Flows {
    recent: HashMap<Flow, Streak>,
    /// The flows that `recent` had when it was full.
    older: HashMap<Flow, Streak>,
}

/// The number of flows in each of the two maps.
const FLOWS: usize = 1 << 15;

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Flow {
    protocol: Protocol,
    /// `None` outside a network header.
    addresses: Option<Addresses>,
    /// The ports of a connection; `None` for the flow of two addresses.
    ports: Option<(u16, u16)>,
}

/// Checksums in a row that are wrong by the same amount.
#[derive(Clone, Copy)]
struct Streak {
    difference: u16,
    /// The first expected values in the row that differ. A packet with a value that came before may
    /// be the same packet again, which shows nothing.
    expected: [u32; IN_A_ROW],
    differ: usize,
    packets: u64,
    /// Whether each checksum is [`Cause::NoCarry`], which says more than the row.
    no_carries: bool,
}

impl Streak {
    fn new(difference: u16) -> Streak {
        Streak {
            difference,
            expected: [0; IN_A_ROW],
            differ: 0,
            packets: 0,
            no_carries: true,
        }
    }

    fn add(&mut self, expected: u32, no_carry: bool) {
        self.packets += 1;
        self.no_carries &= no_carry;
        if self.differ < IN_A_ROW && !self.expected[..self.differ].contains(&expected) {
            self.expected[self.differ] = expected;
            self.differ += 1;
        }
    }
}

impl Flows {
    /// Returns whether the packets before may tell more about a verdict than the packet alone:
    /// whether it is bad without an exact cause.
    pub(crate) fn may_tell(field: &Field, verdict: &Verdict) -> bool {
        matches!(
            verdict.status,
            Status::Bad(Cause::OneBit | Cause::NoCarry | Cause::OneByte | Cause::Unknown)
        ) && !field.quoted
            && field.algorithm.is_sum()
    }

    /// Gives a verdict the cause that its flow shows, if there is one, and counts the verdict in
    /// its flow.
    pub fn judge(&mut self, field: &Field, verdict: &mut Verdict) {
        let (Some(found), Some(expected)) = (verdict.found, verdict.expected) else {
            return;
        };
        if !Flows::may_tell(field, verdict) {
            return;
        }
        let difference = difference(found, expected);
        let no_carry = verdict.status == Status::Bad(Cause::NoCarry);
        let between = Flow {
            protocol: field.protocol,
            addresses: field.addresses,
            ports: None,
        };
        let connection = field.ports.map(|ports| Flow {
            ports: Some(ports),
            ..between
        });
        let mut longest = self.add(between, difference, expected, no_carry);
        if let Some(connection) = connection {
            let streak = self.add(connection, difference, expected, no_carry);
            if streak.differ > longest.differ {
                longest = streak;
            }
        }
        verdict.streak = longest.packets;
        if longest.differ == IN_A_ROW && !longest.no_carries {
            verdict.status = Status::Bad(cause_of_row(difference));
        }
    }

    fn add(&mut self, flow: Flow, difference: u16, expected: u32, no_carry: bool) -> Streak {
        if !self.recent.contains_key(&flow) {
            let streak = self.older.remove(&flow);
            if self.recent.len() == FLOWS {
                self.older = mem::take(&mut self.recent);
            }
            let streak = streak.unwrap_or_else(|| Streak::new(difference));
            self.recent.insert(flow, streak);
        }
        let streak = self
            .recent
            .get_mut(&flow)
            .expect("it was inserted if it was missing");
        if streak.difference != difference {
            *streak = Streak::new(difference);
        }
        streak.add(expected, no_carry);
        *streak
    }

    /// Returns a sink that judges each verdict, and passes it to `sink`.
    ///
    /// ```
    /// use wiresum_packet::{Flows, Frame, LinkType, Tally, examine};
    ///
    /// let header = [
    ///     0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0xb8, 0x61, 192, 168, 0, 1, 192, 168,
    ///     0, 199,
    /// ];
    /// let (mut flows, mut tally) = (Flows::default(), Tally::default());
    /// examine(&Frame::new(LinkType(101), &header), &mut flows.sink(&mut tally));
    /// assert_eq!(tally.total().good, 1);
    /// ```
    pub fn sink<'a, S: Sink>(&'a mut self, sink: &'a mut S) -> impl Sink + 'a {
        InFlows { flows: self, sink }
    }
}

struct InFlows<'a, S> {
    flows: &'a mut Flows,
    sink: &'a mut S,
}

impl<S: Sink> Sink for InFlows<'_, S> {
    fn frame(&mut self, frame: &Frame<'_>) {
        self.sink.frame(frame);
    }

    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        let mut verdict = *verdict;
        self.flows.judge(field, &mut verdict);
        self.sink.verdict(frame, field, &verdict);
    }

    fn needs(&self) -> Needs {
        self.sink.needs()
    }

    // A flow says nothing about the statuses that such a call has.
    fn count(&mut self, frame: &PlainFrame<'_>) {
        self.sink.count(frame);
    }

    fn obstacle(&mut self, frame: &Frame<'_>, obstacle: Obstacle) {
        self.sink.obstacle(frame, obstacle);
    }

    fn malformed(&mut self, frame: &Frame<'_>, how: &'static str) {
        self.sink.malformed(frame, how);
    }
}
