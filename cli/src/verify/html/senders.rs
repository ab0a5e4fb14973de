// SPDX-License-Identifier: MIT OR Apache-2.0
//! The most frequent senders of wrong checksums, in bounded memory.

use std::net::IpAddr;

use foldhash::{HashMap, HashMapExt};
use wiresum_packet::Protocol;

/// A source address of wrong checksums, with their protocol and kind. Only on the same link does
/// the address certainly tell the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Sender {
    pub(super) address: IpAddr,
    pub(super) protocol: Protocol,
    pub(super) kind: &'static str,
}

/// Counts the senders by the algorithm of Misra and Gries (Finding repeated elements, Science of
/// Computer Programming 2, 1982). If one sender too many comes, each count goes down by one, and
/// the counts that reach zero leave. That takes constant time on average, since what goes down has
/// gone up before.
#[derive(Clone)]
pub(in crate::verify) struct Senders {
    counts: HashMap<Sender, u64>,
    most: usize,
    uncounted: u64,
}

impl Senders {
    /// Counts `most` senders at a time.
    pub(super) fn new(most: usize) -> Senders {
        Senders {
            counts: HashMap::new(),
            most,
            uncounted: 0,
        }
    }

    pub(super) fn count(&mut self, sender: Sender) {
        if let Some(count) = self.counts.get_mut(&sender) {
            *count += 1;
        } else if self.counts.len() < self.most {
            self.counts.insert(sender, 1);
        } else {
            self.uncounted += 1;
            self.counts.retain(|_, count| {
                *count -= 1;
                *count > 0
            });
        }
    }

    /// Returns the senders, the most frequent first.
    pub(super) fn most_frequent(&self) -> Vec<(Sender, u64)> {
        let mut senders: Vec<_> = self.counts.iter().map(|(&who, &n)| (who, n)).collect();
        senders.sort_by(|(a, n), (b, m)| m.cmp(n).then_with(|| a.cmp(b)));
        senders
    }

    /// Returns by how much each count may be too low. A sender without a count has sent no more.
    pub(super) fn uncounted(&self) -> u64 {
        self.uncounted
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn sender(number: u32) -> Sender {
        Sender {
            address: Ipv4Addr::from_bits(number).into(),
            protocol: Protocol::Tcp,
            kind: "offload",
        }
    }

    #[test]
    fn as_many_senders_as_there_is_room_for_are_counted_exactly() {
        let mut senders = Senders::new(3);
        for number in [1, 2, 2, 3, 3, 3] {
            senders.count(sender(number));
        }
        let expected = [(sender(3), 3), (sender(2), 2), (sender(1), 1)];
        assert_eq!(senders.most_frequent(), expected);
        assert_eq!(senders.uncounted(), 0);
    }

    /// Sender i sends every i-th of 5,000 checksums, and each other checksum has a sender of its
    /// own. The bound comes from the paper: of n checksums and k counts, at most n / (k + 1).
    #[test]
    fn with_more_senders_no_count_is_too_low_by_more_than_the_bound() {
        const ROOM: usize = 16;
        const CHECKSUMS: u32 = 5_000;
        let mut senders = Senders::new(ROOM);
        let mut sent: HashMap<Sender, u64> = HashMap::new();
        for number in 1..=CHECKSUMS {
            let frequent = (2..6).find(|divisor| number % divisor == 0);
            let who = sender(frequent.unwrap_or(1_000 + number));
            *sent.entry(who).or_default() += 1;
            senders.count(who);
        }
        let uncounted = senders.uncounted();
        assert!(uncounted > 0 && uncounted <= u64::from(CHECKSUMS) / (ROOM as u64 + 1));
        let counted: HashMap<_, _> = senders.most_frequent().into_iter().collect();
        assert!(counted.len() <= ROOM);
        for (who, sent) in sent {
            let counted = counted.get(&who).copied().unwrap_or(0);
            assert!(counted <= sent && sent <= counted + uncounted, "{who:?}");
        }
        assert_eq!(senders.most_frequent()[0].0, sender(2));
    }
}
