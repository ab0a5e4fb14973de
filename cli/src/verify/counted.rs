// SPDX-License-Identifier: MIT OR Apache-2.0
//! The counts of one capture, wherever they come from: a tally, or the rows of a folder of results.
//! The members have the names that `cli/README.md` promises for the JSON, which writes them, and a
//! reader of counts takes the same names.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::ops::AddAssign;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
#[cfg(feature = "xdp")]
use wiresum_packet::Status;
use wiresum_packet::{Cause, Counts, Protocol, Reason, Senders, Tally};

/// How many checksums of a protocol have a cause.
pub(super) type Causes = BTreeMap<(Protocol, Cause), u64>;

/// The counts of one capture. The counts of several captures add up.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Counted {
    pub(super) packets: u64,
    pub(super) captured_bytes: u64,
    malformed: u64,
    #[serde(serialize_with = "all", deserialize_with = "statuses")]
    checksums: BTreeMap<Protocol, Counts>,
    #[serde(serialize_with = "occurring", deserialize_with = "statuses")]
    quoted: BTreeMap<Protocol, Counts>,
    #[serde(serialize_with = "causes", deserialize_with = "why")]
    causes: Causes,
    #[serde(serialize_with = "reasons", deserialize_with = "why")]
    unverified: BTreeMap<(Protocol, Reason), u64>,
    not_entered: BTreeMap<String, u64>,
    malformed_by: BTreeMap<String, u64>,
    /// Only the verdict names senders.
    #[serde(skip)]
    senders: Senders,
}

impl From<&Tally> for Counted {
    fn from(tally: &Tally) -> Counted {
        let each = |counts: &dyn Fn(Protocol) -> Counts| {
            let all = Protocol::ALL.map(|protocol| (protocol, counts(protocol)));
            let occurring = all.into_iter().filter(|(_, counts)| counts.total() > 0);
            occurring.collect()
        };
        let malformed = tally.malformed();
        Counted {
            packets: tally.packets,
            captured_bytes: tally.captured_bytes,
            malformed: malformed.values().sum(),
            checksums: each(&|protocol| tally.counts(protocol)),
            quoted: each(&|protocol| tally.quoted(protocol)),
            causes: tally.causes().map(|(of, why, n)| ((of, why), n)).collect(),
            unverified: tally.reasons().map(|(of, why, n)| ((of, why), n)).collect(),
            not_entered: tally
                .obstacles()
                .map(|(obstacle, n)| (obstacle.to_string(), n))
                .collect(),
            malformed_by: malformed
                .iter()
                .map(|(&how, &n)| (how.to_owned(), n))
                .collect(),
            senders: tally.senders().clone(),
        }
    }
}

impl Counted {
    /// Adds packets with so many bytes, each of which has these checksums, good or absent.
    #[cfg(feature = "xdp")]
    pub(super) fn add_packets(
        &mut self,
        packets: u64,
        captured_bytes: u64,
        checksums: &[(Protocol, Status)],
    ) {
        self.packets += packets;
        self.captured_bytes += captured_bytes;
        for &(protocol, status) in checksums.iter().filter(|_| packets > 0) {
            let counts = self.checksums.entry(protocol).or_default();
            match status {
                Status::Absent => counts.absent += packets,
                _ => counts.good += packets,
            }
        }
    }

    /// The counts of a protocol's checksums.
    pub(super) fn counts(&self, protocol: Protocol) -> Counts {
        self.checksums.get(&protocol).copied().unwrap_or_default()
    }

    /// The counts of all checksums.
    pub(super) fn total(&self) -> Counts {
        sum(&self.checksums)
    }

    /// The counts of all checksums in copies of other packets. No other number includes them.
    pub(super) fn quoted(&self) -> Counts {
        sum(&self.quoted)
    }

    /// How many checksums have each cause, by protocol.
    pub(super) fn causes(&self) -> impl Iterator<Item = (Protocol, Cause, u64)> {
        self.causes.iter().map(|(&(of, cause), &n)| (of, cause, n))
    }

    /// How many checksums could not be judged for each reason, by protocol.
    pub(super) fn reasons(&self) -> impl Iterator<Item = (Protocol, Reason, u64)> {
        let reasons = self.unverified.iter();
        reasons.map(|(&(of, reason), &n)| (of, reason, n))
    }

    /// What stopped the walk over frames, with the number of frames.
    pub(super) fn obstacles(&self) -> impl Iterator<Item = (&str, u64)> {
        self.not_entered.iter().map(|(what, &n)| (&what[..], n))
    }

    /// How many frames were not entered to their end.
    pub(super) fn not_entered(&self) -> u64 {
        self.not_entered.values().sum()
    }

    /// What is wrong with malformed records and frames, with their number.
    pub(super) fn malformed_by(&self) -> impl Iterator<Item = (&str, u64)> {
        self.malformed_by.iter().map(|(how, &n)| (&how[..], n))
    }

    /// Takes what only rows of checksums have: the causes that share a key, and the senders.
    /// Returns false if these are other causes.
    #[cfg(feature = "parquet")]
    pub(super) fn distinguish(&mut self, causes: Causes, senders: Senders) -> bool {
        let agree = by_key(&causes, Cause::key) == by_key(&self.causes, Cause::key);
        if agree {
            self.causes = causes;
            self.senders = senders;
        }
        agree
    }

    #[cfg(test)]
    pub(super) fn add_sender(&mut self, address: IpAddr, cause: Option<Cause>, n: u64) {
        self.senders.count(address, cause, n);
    }

    /// Who sent the wrong checksums with a cause, the most frequent sender first. A value that must
    /// not be sent has no cause. None if there were too many senders to count.
    pub(super) fn senders(&self, key: Option<&str>) -> Option<Vec<(IpAddr, u64)>> {
        let mut by = BTreeMap::<IpAddr, u64>::new();
        for (address, cause, n) in self.senders.each()? {
            if cause.map(Cause::key) == key {
                *by.entry(address).or_default() += n;
            }
        }
        let mut by: Vec<_> = by.into_iter().collect();
        by.sort_by_key(|&(address, n)| (Reverse(n), address));
        Some(by)
    }

    /// How many records and frames are malformed.
    pub(super) fn malformed(&self) -> u64 {
        self.malformed
    }
}

fn sum(of: &BTreeMap<Protocol, Counts>) -> Counts {
    let mut sum = Counts::default();
    for &counts in of.values() {
        sum += counts;
    }
    sum
}

impl AddAssign<&Counted> for Counted {
    fn add_assign(&mut self, other: &Counted) {
        self.packets += other.packets;
        self.captured_bytes += other.captured_bytes;
        self.malformed += other.malformed;
        for (&protocol, &counts) in &other.checksums {
            *self.checksums.entry(protocol).or_default() += counts;
        }
        for (&protocol, &counts) in &other.quoted {
            *self.quoted.entry(protocol).or_default() += counts;
        }
        add(&mut self.causes, &other.causes);
        add(&mut self.unverified, &other.unverified);
        add(&mut self.not_entered, &other.not_entered);
        add(&mut self.malformed_by, &other.malformed_by);
        self.senders += &other.senders;
    }
}

fn add<K: Ord + Clone>(to: &mut BTreeMap<K, u64>, other: &BTreeMap<K, u64>) {
    for (key, n) in other {
        *to.entry(key.clone()).or_default() += n;
    }
}

/// A JSON object that keeps the order of its members.
struct Object<V>(Vec<(&'static str, V)>);

impl<V: Serialize> Serialize for Object<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(key, value)| (key, value)))
    }
}

type ByProtocol = BTreeMap<Protocol, Counts>;

fn all<S: Serializer>(of: &ByProtocol, serializer: S) -> Result<S::Ok, S::Error> {
    let counts = |protocol| of.get(&protocol).copied().unwrap_or_default();
    let each = Protocol::ALL.map(|of| (of.key(), Object(counts(of).each().into())));
    Object(each.into()).serialize(serializer)
}

fn occurring<S: Serializer>(of: &ByProtocol, serializer: S) -> Result<S::Ok, S::Error> {
    let each = of.iter();
    let each = each.map(|(of, counts)| (of.key(), Object(counts.each().into())));
    Object(each.collect()).serialize(serializer)
}

/// Causes by their keys, which several causes may share.
fn causes<S: Serializer>(of: &Causes, serializer: S) -> Result<S::Ok, S::Error> {
    by_key(of, Cause::key).serialize(serializer)
}

fn reasons<S: Serializer>(
    of: &BTreeMap<(Protocol, Reason), u64>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    by_key(of, Reason::key).serialize(serializer)
}

fn by_key<W: Copy>(
    of: &BTreeMap<(Protocol, W), u64>,
    key: impl Fn(W) -> &'static str,
) -> BTreeMap<&'static str, BTreeMap<&'static str, u64>> {
    let mut keys = BTreeMap::<_, BTreeMap<_, _>>::new();
    for (&(protocol, why), n) in of {
        let of_protocol = keys.entry(protocol.key()).or_default();
        *of_protocol.entry(key(why)).or_default() += n;
    }
    keys
}

/// What has a name in the JSON.
pub(super) trait Named: Copy + Ord {
    const WHAT: &'static str;

    fn from_key(key: &str) -> Option<Self>;
}

impl Named for Protocol {
    const WHAT: &'static str = "protocol";

    fn from_key(key: &str) -> Option<Protocol> {
        Protocol::ALL.into_iter().find(|of| of.key() == key)
    }
}

impl Named for Cause {
    const WHAT: &'static str = "cause";

    fn from_key(key: &str) -> Option<Cause> {
        Cause::from_key(key)
    }
}

impl Named for Reason {
    const WHAT: &'static str = "reason";

    fn from_key(key: &str) -> Option<Reason> {
        let all = [
            Reason::Snapped,
            Reason::Fragment,
            Reason::Quote,
            Reason::Length,
            Reason::Addresses,
        ];
        all.into_iter().find(|reason| reason.key() == key)
    }
}

fn named<T: Named, E: serde::de::Error>(key: &str) -> Result<T, E> {
    T::from_key(key).ok_or_else(|| E::custom(format!("{key:?} is no {} that is known", T::WHAT)))
}

/// The counts of each status, by the names of [`Counts::each`].
#[derive(Deserialize)]
#[serde(remote = "Counts", deny_unknown_fields)]
struct Statuses {
    #[serde(default)]
    good: u64,
    #[serde(default)]
    bad: u64,
    #[serde(default)]
    unverified: u64,
    #[serde(default)]
    absent: u64,
    #[serde(default)]
    illegal: u64,
}

#[derive(Deserialize)]
#[serde(transparent)]
struct OfProtocol(#[serde(with = "Statuses")] Counts);

fn statuses<'de, D: Deserializer<'de>>(deserializer: D) -> Result<ByProtocol, D::Error> {
    let names = BTreeMap::<String, OfProtocol>::deserialize(deserializer)?;
    let each = names.into_iter();
    each.map(|(of, counts)| Ok((named(&of)?, counts.0)))
        .collect()
}

fn why<'de, D: Deserializer<'de>, W: Named>(
    deserializer: D,
) -> Result<BTreeMap<(Protocol, W), u64>, D::Error> {
    let names = BTreeMap::<String, BTreeMap<String, u64>>::deserialize(deserializer)?;
    let mut all = BTreeMap::new();
    for (protocol, each) in names {
        let protocol = named(&protocol)?;
        for (why, n) in each {
            all.insert((protocol, named(&why)?), n);
        }
    }
    Ok(all)
}
