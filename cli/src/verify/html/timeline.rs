// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts over time, in bounded memory. When there would be too many bins, each bin becomes twice
//! as wide.

use std::collections::VecDeque;

use wiresum_packet::Timestamp;

/// The most bins. There are at least half as many once the times differ enough.
pub(super) const BINS: usize = 160;

/// Nanoseconds since 1970. The type holds every time of every capture format.
pub(super) type Nanoseconds = i128;

/// The bins of one file or of all files.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeline {
    /// The binary logarithm of the width of a bin in nanoseconds.
    shift: u32,
    /// The number of the first bin; the bin 0 begins with 1970.
    first: i128,
    bins: VecDeque<Bin>,
    /// The kinds that `wrong` of each bin counts, in its order.
    kinds: Vec<&'static str>,
    /// The checksums of frames without a time.
    pub(super) without_time: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bin {
    /// All checksums.
    pub(super) all: u64,
    /// The bad and illegal ones, by the number of their kind.
    pub(super) wrong: Vec<u64>,
}

impl Bin {
    fn add(&mut self, other: &Bin) {
        self.all += other.all;
        if self.wrong.len() < other.wrong.len() {
            self.wrong.resize(other.wrong.len(), 0);
        }
        for (mine, theirs) in self.wrong.iter_mut().zip(&other.wrong) {
            *mine += theirs;
        }
    }
}

impl Timeline {
    /// Counts a checksum, and its kind if it is wrong.
    pub(super) fn count(&mut self, time: Option<Timestamp>, kind: Option<&'static str>) {
        let Some(time) = time else {
            self.without_time += 1;
            return;
        };
        let (seconds, nanoseconds) = time.unix();
        let at = Nanoseconds::from(seconds) * 1_000_000_000 + Nanoseconds::from(nanoseconds);
        let kind = kind.map(|kind| self.kind(kind));
        let bin = self.reach(at, at);
        bin.all += 1;
        if let Some(kind) = kind {
            if bin.wrong.len() <= kind {
                bin.wrong.resize(kind + 1, 0);
            }
            bin.wrong[kind] += 1;
        }
    }

    /// Adds the counts of another timeline.
    pub(super) fn add(&mut self, other: &Timeline) {
        self.without_time += other.without_time;
        let kinds: Vec<_> = other.kinds.iter().map(|kind| self.kind(kind)).collect();
        for (start, bin) in other.bins().filter(|(_, bin)| bin.all > 0) {
            let mut wrong = vec![0; self.kinds.len()];
            for (&kind, n) in kinds.iter().zip(&bin.wrong) {
                wrong[kind] += n;
            }
            let end = start + other.width() - 1;
            // A wider bin of the other could lie in several bins of this timeline.
            while self.shift < other.shift {
                self.widen();
            }
            self.reach(start, end).add(&Bin {
                all: bin.all,
                wrong,
            });
        }
    }

    /// Sets all counts to zero, and keeps the width of the bins, which suits the next chunk as
    /// well.
    pub(super) fn clear(&mut self) {
        self.bins.clear();
        self.without_time = 0;
    }

    /// The number of a kind.
    fn kind(&mut self, kind: &'static str) -> usize {
        let known = self.kinds.iter().position(|&known| known == kind);
        known.unwrap_or_else(|| {
            self.kinds.push(kind);
            self.kinds.len() - 1
        })
    }

    /// The bin of these times, both of which lie in it. Adds the bin if it does not exist.
    fn reach(&mut self, from: Nanoseconds, to: Nanoseconds) -> &mut Bin {
        loop {
            let at = from >> self.shift;
            debug_assert_eq!(at, to >> self.shift);
            if self.bins.is_empty() {
                self.first = at;
            }
            let first = self.first.min(at);
            let last = (self.first + self.bins.len() as i128 - 1).max(at);
            if last - first >= BINS as i128 {
                self.widen();
                continue;
            }
            while self.first > first {
                self.bins.push_front(Bin::default());
                self.first -= 1;
            }
            while (self.bins.len() as i128) <= last - first {
                self.bins.push_back(Bin::default());
            }
            return &mut self.bins[(at - first) as usize];
        }
    }

    /// Makes each bin twice as wide.
    fn widen(&mut self) {
        let mut bins = VecDeque::<Bin>::with_capacity(self.bins.len() / 2 + 1);
        let first = self.first >> 1;
        for (n, bin) in self.bins.drain(..).enumerate() {
            let at = (((self.first + n as i128) >> 1) - first) as usize;
            match bins.get_mut(at) {
                Some(wide) => wide.add(&bin),
                None => bins.push_back(bin),
            }
        }
        self.first = first;
        self.bins = bins;
        self.shift += 1;
    }

    /// The width of a bin in nanoseconds.
    pub(super) fn width(&self) -> Nanoseconds {
        1 << self.shift
    }

    /// The bins, each with the time at which it begins.
    pub(super) fn bins(&self) -> impl Iterator<Item = (Nanoseconds, &Bin)> {
        let (first, width) = (self.first, self.width());
        let bins = self.bins.iter().enumerate();
        bins.map(move |(n, bin)| ((first + n as i128) * width, bin))
    }

    /// The kinds that `wrong` of each bin counts, in its order.
    pub(super) fn kinds(&self) -> &[&'static str] {
        &self.kinds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(nanoseconds: u64) -> Option<Timestamp> {
        let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
        Some(Timestamp::from_unix(
            seconds as i64,
            rest as u32,
            1_000_000_000,
        ))
    }

    fn totals(timeline: &Timeline) -> (u64, Vec<u64>) {
        let mut total = Bin::default();
        for (_, bin) in timeline.bins() {
            total.add(bin);
        }
        (total.all, total.wrong)
    }

    #[test]
    fn bins_double() {
        let mut timeline = Timeline::default();
        timeline.count(at(1000), None);
        timeline.count(at(1001), Some("offload"));
        assert_eq!((timeline.width(), timeline.bins().count()), (1, 2));
        timeline.count(at(1159), Some("unknown")); // the last time that fits
        assert_eq!((timeline.width(), timeline.bins().count()), (1, 160));
        timeline.count(at(1160), Some("offload"));
        assert_eq!((timeline.width(), timeline.bins().count()), (2, 81));
        let bins: Vec<_> = timeline.bins().filter(|(_, bin)| bin.all > 0).collect();
        assert_eq!(timeline.kinds(), ["offload", "unknown"]);
        let expected = [
            (1000, 2, vec![1]),
            (1158, 1, vec![0, 1]),
            (1160, 1, vec![1]),
        ];
        for ((start, bin), (when, all, wrong)) in bins.into_iter().zip(expected) {
            assert_eq!((start, bin.all, &bin.wrong), (when, all, &wrong));
        }
    }

    #[test]
    fn time_may_run_backwards() {
        let mut timeline = Timeline::default();
        for nanoseconds in [u64::MAX, 5, 1 << 40, 0] {
            timeline.count(at(nanoseconds), Some("unknown"));
        }
        timeline.count(None, Some("unknown"));
        assert_eq!(totals(&timeline), (4, vec![4]));
        assert_eq!(timeline.without_time, 1);
        assert!((BINS / 2..=BINS).contains(&timeline.bins().count()));
        assert_eq!(timeline.bins().next().map(|(start, _)| start), Some(0));
    }

    #[test]
    fn timelines_add_up() {
        let (mut short, mut long) = (Timeline::default(), Timeline::default());
        for second in 0..1000 {
            long.count(at(second * 1_000_000_000), Some("offload"));
        }
        for n in 0..500 {
            short.count(
                at(7_000_000_000 + n),
                Some(if n < 100 { "unknown" } else { "offload" }),
            );
        }
        for (mut sum, other, kinds) in [
            (short.clone(), &long, [100, 1400]),
            (long.clone(), &short, [1400, 100]),
        ] {
            sum.add(other);
            assert_eq!(totals(&sum), (1500, kinds.to_vec()));
            assert_eq!(sum.width(), long.width());
        }
    }
}
