// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counts of a repair.

use std::collections::BTreeMap;

use super::{Judged, key};
use crate::capture::Malformed;
use crate::walk::Obstacle;
use crate::{Protocol, Status};

/// The counts of repaired fields, and of fields that were left.
#[derive(Clone, Debug, Default)]
pub struct Repairs {
    /// The number of frames in the capture.
    pub packets: u64,
    /// The number of frames in which something was changed. A fragmented datagram counts as one.
    pub changed_packets: u64,
    /// The number of flags words in which "Csum NotReady" was cleared.
    pub flags: u64,
    repaired: BTreeMap<(Protocol, &'static str), u64>,
    pub(super) left: BTreeMap<(Protocol, &'static str), u64>,
    unverified: BTreeMap<(Protocol, &'static str), u64>,
    pub(super) obstacles: BTreeMap<Obstacle, u64>,
    pub(super) malformed: Malformed,
}

impl Repairs {
    /// The key under which [`Repairs::repaired`] counts a checksum that was right, but covers a
    /// repaired one.
    pub const FOLLOWS: &'static str = "follows";

    /// The key of a value that must not be sent, and has no other cause.
    pub const ILLEGAL: &'static str = "illegal";

    /// The key under which [`Repairs::left`] counts a bad checksum in a datagram whose fragments
    /// another checksum covers.
    pub const TUNNELED: &'static str = "tunneled fragments";

    /// The key under which [`Repairs::left`] counts a bad checksum that a digest or a signature
    /// covers.
    pub const AUTHENTICATED: &'static str = "authenticated";

    /// Returns how many checksums were repaired, by protocol and by the cause for which they were
    /// bad.
    pub fn repaired(&self) -> impl Iterator<Item = (Protocol, &'static str, u64)> {
        each(&self.repaired)
    }

    /// Returns how many checksums are still bad or illegal, by protocol and cause.
    pub fn left(&self) -> impl Iterator<Item = (Protocol, &'static str, u64)> {
        each(&self.left)
    }

    /// Returns how many checksums could not be judged, and so were left, by protocol and reason.
    pub fn unverified(&self) -> impl Iterator<Item = (Protocol, &'static str, u64)> {
        each(&self.unverified)
    }

    /// Returns how many frames the walk could not enter to their end, by the obstacle.
    pub fn obstacles(&self) -> impl Iterator<Item = (Obstacle, u64)> {
        self.obstacles.iter().map(|(&obstacle, &n)| (obstacle, n))
    }

    /// Returns how many records and frames are malformed, by what is wrong with them.
    #[must_use]
    pub fn malformed(&self) -> &Malformed {
        &self.malformed
    }

    /// Returns how many checksums are still bad or illegal.
    #[must_use]
    pub fn bad(&self) -> u64 {
        self.left.values().sum()
    }

    /// Counts a field, unless an error message quotes it.
    pub(super) fn count(&mut self, one: &Judged) {
        let protocol = one.field.protocol;
        let (counts, key) = match (one.repaired, one.status) {
            _ if one.field.quoted => return,
            (Some((why, _)), _) => (&mut self.repaired, why),
            (None, Status::Unverified(reason)) => (&mut self.unverified, reason.key()),
            (None, status) => match key(status) {
                Some(_) if one.field.authenticated => (&mut self.left, Repairs::AUTHENTICATED),
                Some(key) => (&mut self.left, key),
                None => return,
            },
        };
        *counts.entry((protocol, key)).or_default() += 1;
    }

    /// Adds the counts of `other`, and empties them.
    pub(super) fn add(&mut self, other: &mut Repairs) {
        self.packets += other.packets;
        self.changed_packets += other.changed_packets;
        self.flags += other.flags;
        add(&mut self.repaired, &other.repaired);
        add(&mut self.left, &other.left);
        add(&mut self.unverified, &other.unverified);
        add(&mut self.obstacles, &other.obstacles);
        add(&mut self.malformed, &other.malformed);
        *other = Repairs::default();
    }
}

fn each(
    counts: &BTreeMap<(Protocol, &'static str), u64>,
) -> impl Iterator<Item = (Protocol, &'static str, u64)> {
    counts
        .iter()
        .map(|(&(protocol, key), &n)| (protocol, key, n))
}

/// Adds the counts of one map to another.
pub(super) fn add<K: Ord + Clone>(sum: &mut BTreeMap<K, u64>, more: &BTreeMap<K, u64>) {
    for (key, n) in more {
        *sum.entry(key.clone()).or_default() += n;
    }
}
