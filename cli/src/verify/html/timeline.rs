// SPDX-License-Identifier: MIT OR Apache-2.0
//! Counts over time, in bounded memory. When there would be too many slots, each slot becomes twice
//! as wide. A slot without a checksum takes no memory, so one damaged time costs one slot.

use std::collections::BTreeMap;
use std::ops::Range;

use wiresum_packet::Timestamp;

/// The most bins of a chart. There are at least half as many once the times differ enough.
pub(super) const BINS: usize = 160;

/// The most slots. There are more than bins, so that the bins between two times that are far away
/// from all others are still narrow.
const SLOTS: usize = 2048;

/// A time is far from others if it is so many times further from them than they are from each
/// other, and more than an hour.
const FAR: Nanoseconds = 16;
const HOUR: Nanoseconds = 3_600_000_000_000;

/// Fewer than one of so many checksums may be outside the chart. If there are more, it shows all.
const FEW: u64 = 4;

/// Nanoseconds since 1970. The type holds every time of every capture format.
pub(super) type Nanoseconds = i128;

/// The counts of one file or of all files.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeline {
    /// The binary logarithm of the width of a slot in nanoseconds.
    shift: u32,
    /// The slots that count a checksum, by their numbers; the slot 0 begins with 1970.
    slots: BTreeMap<i128, Bin>,
    /// The kinds that `wrong` of each bin counts, in its order.
    kinds: Vec<&'static str>,
    /// The checksums of frames without a time.
    pub(super) without_time: u64,
    /// The slot of the last checksums that are right, and how many of them it does not count yet:
    /// most frames have the slot of the frame before.
    latest: (i128, u64),
}

/// The part of a timeline that a chart shows.
pub(super) struct View {
    /// The width of a bin in nanoseconds.
    pub(super) width: Nanoseconds,
    /// The time at which the first bin begins.
    pub(super) start: Nanoseconds,
    pub(super) bins: Vec<Bin>,
    /// What is too far away to be shown, if anything is.
    pub(super) outside: Option<Outside>,
}

/// The checksums that a view does not show.
pub(super) struct Outside {
    pub(super) count: Bin,
    /// The first and the last time.
    pub(super) from: Nanoseconds,
    pub(super) to: Nanoseconds,
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
        let (Some(time), Some(kind)) = (time, kind) else {
            return self.count_right(time, 1);
        };
        let kind = self.kind(kind);
        let bin = self.reach(nanoseconds(time));
        bin.all += 1;
        if bin.wrong.len() <= kind {
            bin.wrong.resize(kind + 1, 0);
        }
        bin.wrong[kind] += 1;
    }

    /// Counts checksums that are right. [`Timeline::settle`] belongs after the last call.
    pub(super) fn count_right(&mut self, time: Option<Timestamp>, n: u64) {
        let Some(time) = time else {
            self.without_time += n;
            return;
        };
        if self.latest.0 != slot(time, self.shift) {
            self.settle();
            self.latest.0 = slot(time, self.shift);
        }
        self.latest.1 += n;
    }

    /// Adds what no slot counts yet.
    pub(super) fn settle(&mut self) {
        let (slot, n) = std::mem::take(&mut self.latest);
        if n > 0 {
            self.reach(slot << self.shift).all += n;
        }
    }

    /// Adds the counts of another timeline, which is settled.
    pub(super) fn add(&mut self, other: &Timeline) {
        self.without_time += other.without_time;
        let kinds: Vec<_> = other.kinds.iter().map(|kind| self.kind(kind)).collect();
        // A wider slot of the other could lie in several slots of this timeline.
        while self.shift < other.shift {
            self.widen();
        }
        for (number, bin) in &other.slots {
            let mut wrong = vec![0; self.kinds.len()];
            for (&kind, n) in kinds.iter().zip(&bin.wrong) {
                wrong[kind] += n;
            }
            self.reach(number << other.shift).add(&Bin {
                all: bin.all,
                wrong,
            });
        }
    }

    /// Sets all counts to zero, and keeps the width of the slots, which suits the next chunk as
    /// well.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
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

    /// The slot of a time. Adds the slot if it does not exist.
    fn reach(&mut self, at: Nanoseconds) -> &mut Bin {
        while self.slots.len() >= SLOTS && !self.slots.contains_key(&(at >> self.shift)) {
            self.widen();
        }
        self.slots.entry(at >> self.shift).or_default()
    }

    /// Makes each slot twice as wide.
    fn widen(&mut self) {
        let mut slots = BTreeMap::<_, Bin>::new();
        for (number, slot) in &self.slots {
            slots.entry(number >> 1).or_default().add(slot);
        }
        self.slots = slots;
        self.latest.0 >>= 1;
        self.shift += 1;
    }

    /// The part of the timeline that a chart shows. None if no checksum has a time.
    pub(super) fn view(&self) -> Option<View> {
        let all: Vec<(i128, &Bin)> = self
            .slots
            .iter()
            .map(|(&number, bin)| (number, bin))
            .collect();
        let shown = near(&all, self.shift)?;
        let (first, last) = (all[shown.start].0, all[shown.end - 1].0);
        let mut shift = 0;
        while (last >> shift) - (first >> shift) >= BINS as i128 {
            shift += 1;
        }
        let first = first >> shift;
        let mut bins = vec![Bin::default(); ((last >> shift) - first + 1) as usize];
        for (number, bin) in &all[shown.clone()] {
            bins[((number >> shift) - first) as usize].add(bin);
        }
        let outside = [&all[..shown.start], &all[shown.end..]].concat();
        let outside = match &outside[..] {
            [] => None,
            [(from, _), ..] => {
                let mut count = Bin::default();
                for (_, bin) in &outside {
                    count.add(bin);
                }
                Some(Outside {
                    count,
                    from: from << self.shift,
                    to: outside[outside.len() - 1].0 << self.shift,
                })
            }
        };
        Some(View {
            width: 1 << (self.shift + shift),
            start: first << (self.shift + shift),
            bins,
            outside,
        })
    }
    /// The kinds that `wrong` of each bin counts, in its order.
    pub(super) fn kinds(&self) -> &[&'static str] {
        &self.kinds
    }
}

/// The nanoseconds since 1970.
fn nanoseconds(time: Timestamp) -> Nanoseconds {
    let (seconds, rest) = time.unix();
    Nanoseconds::from(seconds) * 1_000_000_000 + Nanoseconds::from(rest)
}

/// The number of the slot of a time.
fn slot(time: Timestamp, shift: u32) -> i128 {
    match time.unix() {
        // WebAssembly has no numbers of 128 bits.
        (seconds @ -9_000_000_000..9_000_000_000, rest) => {
            ((seconds * 1_000_000_000 + i64::from(rest)) >> shift.min(63)).into()
        }
        _ => nanoseconds(time) >> shift,
    }
}

/// The slots that are near most of the others: the slots of the shortest time with half of all
/// checksums, and all that are not far from these, one after the other. All slots, if too many
/// checksums are outside. None if there is no slot.
fn near(slots: &[(i128, &Bin)], shift: u32) -> Option<Range<usize>> {
    let total: u64 = slots.iter().map(|(_, bin)| bin.all).sum();
    let span = |range: &Range<usize>| slots[range.end - 1].0 - slots[range.start].0;
    let mut half = None;
    let (mut end, mut held) = (0, 0);
    for start in 0..slots.len() {
        while 2 * held < total {
            let Some((_, bin)) = slots.get(end) else {
                break;
            };
            held += bin.all;
            end += 1;
        }
        let range = start..end;
        if 2 * held >= total && half.as_ref().is_none_or(|half| span(&range) < span(half)) {
            half = Some(range);
        }
        held -= slots[start].1.all;
    }
    let mut near = half?;
    loop {
        let reach = (FAR * span(&near)).max(HOUR >> shift);
        if near.start > 0 && slots[near.start].0 - slots[near.start - 1].0 <= reach {
            near.start -= 1;
        } else if near.end < slots.len() && slots[near.end].0 - slots[near.end - 1].0 <= reach {
            near.end += 1;
        } else {
            break;
        }
    }
    let (mut inside, mut wrong_inside, mut wrong) = (0, 0, 0);
    for (index, (_, bin)) in slots.iter().enumerate() {
        let wrong_here: u64 = bin.wrong.iter().sum();
        wrong += wrong_here;
        if near.contains(&index) {
            inside += bin.all;
            wrong_inside += wrong_here;
        }
    }
    let all = 0..slots.len();
    if wrong_inside == 0 && wrong > 0 {
        return Some(all); // or the chart would show none of the checksums that it is for
    }
    Some(if FEW * (total - inside) < total {
        near
    } else {
        all
    })
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

    fn view(timeline: &Timeline) -> View {
        let mut timeline = timeline.clone();
        timeline.settle();
        timeline.view().expect("there are times")
    }

    fn totals(timeline: &Timeline) -> (u64, Vec<u64>) {
        let mut total = Bin::default();
        for bin in &view(timeline).bins {
            total.add(bin);
        }
        (total.all, total.wrong)
    }

    #[test]
    fn bins_double() {
        let mut timeline = Timeline::default();
        timeline.count(at(1000), None);
        timeline.count(at(1001), Some("offload"));
        let width_and_bins = |timeline: &Timeline| {
            let view = view(timeline);
            (view.width, view.bins.len())
        };
        assert_eq!(width_and_bins(&timeline), (1, 2));
        timeline.count(at(1159), Some("unknown")); // the last time that fits
        assert_eq!(width_and_bins(&timeline), (1, 160));
        timeline.count(at(1160), Some("offload"));
        assert_eq!(width_and_bins(&timeline), (2, 81));
        let view = view(&timeline);
        let starts = (view.start..).step_by(view.width as usize);
        let bins: Vec<_> = starts
            .zip(&view.bins)
            .filter(|(_, bin)| bin.all > 0)
            .collect();
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

    /// Slots become wider while checksums wait for theirs.
    #[test]
    fn checksums_that_are_right_wait_for_their_slot() {
        let (mut waits, mut settled) = (Timeline::default(), Timeline::default());
        for n in 0..20_000_u64 {
            let time = at((n / 3) << (n / 2_000));
            if n % 7 == 0 {
                waits.count(time, Some("offload"));
                settled.count(time, Some("offload"));
            } else {
                waits.count_right(time, n % 3);
                settled.count_right(time, n % 3);
                settled.settle();
            }
        }
        let (waits, settled) = (view(&waits), view(&settled));
        assert_eq!((waits.width, waits.start), (settled.width, settled.start));
        assert_eq!(waits.bins, settled.bins);
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
        assert!((BINS / 2..=BINS).contains(&view(&timeline).bins.len()));
        assert_eq!(view(&timeline).start, 0);
        assert!(view(&timeline).outside.is_none(), "a quarter is too much");
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
            assert_eq!(view(&sum).width, view(&long).width);
        }
    }

    /// Damaged times take no bin from the others, however many there are of them, and whenever they
    /// come.
    #[test]
    fn damaged_times_are_outside() {
        const TODAY: u64 = 1_700_000_000_000_000_000;
        const DAY: u64 = 86_400_000_000_000;
        let count = |timeline: &mut Timeline, n: u64| {
            timeline.count(at(TODAY + n * 1_000_000_007), Some("offload"));
        };
        let mut plain = Timeline::default();
        (0..10_000).for_each(|n| count(&mut plain, n));
        for damaged in [1, 10, 1000] {
            for first in [true, false] {
                let mut timeline = Timeline::default();
                let wild = |timeline: &mut Timeline| {
                    for n in 0..damaged {
                        timeline.count(at(n * 7 * DAY), Some("unknown"));
                    }
                };
                if first {
                    wild(&mut timeline);
                }
                for chunk in 0..100 {
                    let mut part = Timeline::default();
                    (0..100).for_each(|n| count(&mut part, 100 * chunk + n));
                    timeline.add(&part);
                }
                if !first {
                    wild(&mut timeline);
                }
                let (plain, with) = (view(&plain), view(&timeline));
                assert_eq!(with.width, plain.width, "{damaged} {first}");
                assert_eq!(with.bins.len(), plain.bins.len());
                assert_eq!(totals(&timeline).0, 10_000);
                let outside = with.outside.expect("the damaged times");
                assert_eq!(outside.count.all, damaged);
                assert_eq!(outside.count.wrong.iter().sum::<u64>(), damaged);
                assert!(outside.from <= 0 && outside.to >= outside.from);
                assert!(plain.outside.is_none());
            }
        }
    }

    /// Bursts and pauses of a day are no damage.
    #[test]
    fn pauses_are_inside() {
        let mut timeline = Timeline::default();
        for n in 0..1000 {
            timeline.count(at(n), None); // in a microsecond
        }
        for hour in 1..24 {
            timeline.count(at(hour * 3_600_000_000_000), None);
        }
        let view = view(&timeline);
        assert_eq!(view.bins.iter().map(|bin| bin.all).sum::<u64>(), 1023);
        assert!(view.outside.is_none());
        assert!((BINS / 2..=BINS).contains(&view.bins.len()));
    }
}
