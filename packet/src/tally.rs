// SPDX-License-Identifier: MIT OR Apache-2.0
//! A sink that counts.

use std::collections::BTreeMap;
use std::io;
use std::mem;
use std::ops::AddAssign;

use crate::capture::Malformed;
use crate::walk::{Field, Obstacle};
use crate::{
    Addresses, Cause, Collector, Frame, Needs, PlainFrame, Protocol, Reason, Senders, Sink, Status,
    Verdict,
};

/// How often each status was given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Counts {
    pub good: u64,
    pub bad: u64,
    pub unverified: u64,
    pub absent: u64,
    pub illegal: u64,
}

impl Counts {
    /// Returns the number of fields: the sum of all statuses.
    #[must_use]
    pub const fn total(&self) -> u64 {
        self.good + self.bad + self.unverified + self.absent + self.illegal
    }

    fn add(&mut self, status: Status) {
        match status {
            Status::Good => self.good += 1,
            Status::Bad(_) => self.bad += 1,
            Status::Unverified(_) => self.unverified += 1,
            Status::Absent => self.absent += 1,
            Status::Illegal => self.illegal += 1,
        }
    }

    /// Returns each status, as its word and its count, in the order of every output.
    #[must_use]
    pub const fn each(&self) -> [(&'static str, u64); 5] {
        [
            ("good", self.good),
            ("bad", self.bad),
            ("unverified", self.unverified),
            ("absent", self.absent),
            ("illegal", self.illegal),
        ]
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.good += other.good;
        self.bad += other.bad;
        self.unverified += other.unverified;
        self.absent += other.absent;
        self.illegal += other.illegal;
    }
}

/// The counts of one capture. Tallies of several captures add up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// The number of frames.
    pub packets: u64,
    /// The number of captured bytes in those frames.
    pub captured_bytes: u64,
    counts: [Counts; Protocol::ALL.len()],
    quoted: [Counts; Protocol::ALL.len()],
    /// By protocol, then in the order of [`Cause::VARIANTS`].
    causes: [[u64; Cause::VARIANTS.len()]; Protocol::ALL.len()],
    /// The following are rare, so maps are fast enough.
    malformed: Malformed,
    reasons: BTreeMap<(Protocol, Reason), u64>,
    obstacles: BTreeMap<Obstacle, u64>,
    senders: Senders,
}

impl Tally {
    /// Returns the counts of a protocol's checksums.
    #[must_use]
    pub fn counts(&self, protocol: Protocol) -> Counts {
        self.counts[protocol as usize]
    }

    /// Returns the counts of a protocol's checksums in copies of other packets, such as ICMP
    /// errors quote ([`Field::quoted`]). No other number includes them.
    #[must_use]
    pub fn quoted(&self, protocol: Protocol) -> Counts {
        self.quoted[protocol as usize]
    }

    /// Returns the counts of all protocols together.
    #[must_use]
    pub fn total(&self) -> Counts {
        let mut total = Counts::default();
        for &counts in &self.counts {
            total += counts;
        }
        total
    }

    /// Returns how many checksums have each cause, by protocol, in the order of [`Protocol::ALL`].
    /// Bad checksums have a cause, and so have illegal ones whose cause is known.
    ///
    /// ```
    /// use wiresum_packet::{Cause, Frame, LinkType, Protocol, Tally, examine};
    ///
    /// let mut header = [
    ///     0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0xb8, 0x61, 192, 168, 0, 1, 192, 168,
    ///     0, 199,
    /// ];
    /// header[10..12].fill(0);
    /// let mut tally = Tally::default();
    /// examine(&Frame::new(LinkType(101), &header), &mut tally);
    /// assert_eq!(tally.causes().next(), Some((Protocol::Ipv4, Cause::Zeroed, 1)));
    /// ```
    pub fn causes(&self) -> impl Iterator<Item = (Protocol, Cause, u64)> {
        let all = Protocol::ALL.into_iter().zip(&self.causes);
        all.flat_map(|(protocol, causes)| {
            let causes = Cause::VARIANTS.into_iter().zip(causes);
            causes
                .filter(|&(_, &n)| n > 0)
                .map(move |(cause, &n)| (protocol, cause, n))
        })
    }

    /// Returns how many checksums could not be judged for each reason, by protocol, in the order of
    /// [`Protocol::ALL`].
    pub fn reasons(&self) -> impl Iterator<Item = (Protocol, Reason, u64)> {
        self.reasons
            .iter()
            .map(|(&(protocol, reason), &n)| (protocol, reason, n))
    }

    /// Returns how many frames the walk could not enter to their end, so that checksum fields may
    /// not have been found, by the obstacle.
    pub fn obstacles(&self) -> impl Iterator<Item = (Obstacle, u64)> {
        self.obstacles.iter().map(|(&obstacle, &n)| (obstacle, n))
    }

    /// Returns how many frames have an obstacle. A frame with several counts several times.
    #[must_use]
    pub fn not_entered(&self) -> u64 {
        self.obstacles.values().sum()
    }

    /// Returns how many wrong checksums each address sent with each cause.
    #[must_use]
    pub fn senders(&self) -> &Senders {
        &self.senders
    }

    /// Returns how many records and frames are malformed, by what is wrong with them.
    #[must_use]
    pub fn malformed(&self) -> &Malformed {
        &self.malformed
    }

    /// Adds the records that a capture could not read: the capture's
    /// [`Capture::malformed`](crate::Capture::malformed) at its end.
    pub fn add_malformed(&mut self, malformed: &Malformed) {
        for (how, n) in malformed {
            *self.malformed.entry(how).or_default() += n;
        }
    }
}

impl Sink for Tally {
    fn frame(&mut self, frame: &Frame<'_>) {
        self.packets += 1;
        self.captured_bytes += frame.data.len() as u64;
    }

    fn needs(&self) -> Needs {
        Needs::Counts
    }

    #[inline]
    fn count(&mut self, frame: &PlainFrame<'_>) {
        self.packets += 1;
        self.captured_bytes += frame.len as u64;
        for &(protocol, status) in frame.fields {
            // A match on the status would jump at random.
            let counts = &mut self.counts[protocol as usize];
            counts.good += u64::from(status == Status::Good);
            counts.absent += u64::from(status == Status::Absent);
            if let Status::Bad(cause) = status {
                counts.bad += 1;
                self.causes[protocol as usize][cause as usize] += 1;
                if let Some(sender) = frame.sender {
                    self.senders.count(sender, Some(cause), 1);
                }
            }
        }
    }

    fn verdict(&mut self, _: &Frame<'_>, field: &Field, verdict: &Verdict) {
        let of = match field.quoted {
            false => &mut self.counts,
            true => &mut self.quoted,
        };
        of[field.protocol as usize].add(verdict.status);
        if field.quoted {
            return;
        }
        if let Some(cause) = verdict.cause() {
            self.causes[field.protocol as usize][cause as usize] += 1;
        }
        match verdict.status {
            Status::Unverified(reason) => {
                *self.reasons.entry((field.protocol, reason)).or_default() += 1;
            }
            Status::Bad(_) | Status::Illegal => {
                if let Some(sender) = field.addresses.map(Addresses::source) {
                    self.senders.count(sender, verdict.cause(), 1);
                }
            }
            Status::Good | Status::Absent => {}
        }
    }

    fn obstacle(&mut self, _: &Frame<'_>, obstacle: Obstacle) {
        *self.obstacles.entry(obstacle).or_default() += 1;
    }

    fn malformed(&mut self, _: &Frame<'_>, how: &'static str) {
        *self.malformed.entry(how).or_default() += 1;
    }
}

impl AddAssign<&Tally> for Tally {
    fn add_assign(&mut self, other: &Tally) {
        self.packets += other.packets;
        self.captured_bytes += other.captured_bytes;
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
        for (mine, theirs) in self.quoted.iter_mut().zip(other.quoted) {
            *mine += theirs;
        }
        self.add_malformed(&other.malformed);
        // Most captures have few protocols, and a tally is added for each chunk.
        for ((mine, theirs), counts) in self.causes.iter_mut().zip(&other.causes).zip(other.counts)
        {
            if counts.bad + counts.illegal > 0 {
                mine.iter_mut().zip(theirs).for_each(|(mine, n)| *mine += n);
            }
        }
        for (&key, n) in &other.reasons {
            *self.reasons.entry(key).or_default() += n;
        }
        for (&key, n) in &other.obstacles {
            *self.obstacles.entry(key).or_default() += n;
        }
        self.senders += &other.senders;
    }
}

impl Collector for Tally {
    type Part = Tally;

    fn part(&self) -> Tally {
        Tally::default()
    }

    fn take(&mut self, part: &mut Tally) -> io::Result<()> {
        *self += &mem::take(part);
        Ok(())
    }

    fn is_ordered(&self) -> bool {
        false
    }
}
