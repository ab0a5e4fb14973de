// SPDX-License-Identifier: MIT OR Apache-2.0
//! The traffic to plan for: how many sums of each length there are, in captures, in a histogram, or
//! in a mix.

use std::collections::{BTreeMap, HashMap};
use std::ffi::{OsStr, OsString};
use std::io;
use std::num::NonZeroUsize;

use anyhow::{Context, ensure};
use serde::Deserialize;
use wiresum_packet::{
    Capture, Collector, ExamineError, Field, Frame, Protocol, Reason, Reassembly, Sink, Status,
    Verdict, examine_all,
};

use crate::input::{advise, captures, name, open};
use crate::progress::Progress;

#[derive(Clone, Debug)]
pub(crate) struct Traffic {
    /// The captures, the file, or the mix.
    pub(super) source: String,
    /// The number of sums, by the number of bytes that each covers without the pseudo-header.
    pub(super) jobs: BTreeMap<u64, u64>,
}

impl Traffic {
    pub(super) fn count(&self) -> u64 {
        self.jobs.values().sum()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.jobs.iter().map(|(bytes, jobs)| bytes * jobs).sum()
    }

    /// The shortest and the longest job.
    pub(super) fn ends(&self) -> (u64, u64) {
        let mut lengths = self.jobs.keys();
        let first = lengths.next().copied().unwrap_or(0);
        (first, lengths.next_back().copied().unwrap_or(first))
    }

    /// Refuses traffic without a job, and traffic of which the bytes cannot be counted.
    pub(super) fn check(self) -> anyhow::Result<Traffic> {
        let total = self
            .jobs
            .iter()
            .try_fold((0_u64, 0_u64), |(jobs, bytes), (&len, &n)| {
                Some((
                    jobs.checked_add(n)?,
                    bytes.checked_add(len.checked_mul(n)?)?,
                ))
            });
        let (jobs, _) = total.context("the lengths have more than 2^64 bytes together")?;
        ensure!(jobs > 0, "{} has no sum to plan for", self.source);
        Ok(self)
    }
}

/// The lengths that most papers on routers call IMIX.
const IMIX: &str = "40:7,576:4,1500:1";

/// Reads a mix: `imix`, or lengths and ranges of lengths with their weights, such as
/// `40:7,576:4,1500` or `0-1500`.
pub(crate) fn mix(text: &str) -> Result<Traffic, String> {
    const LONGEST: u64 = 1 << 24;
    let parts = if text.eq_ignore_ascii_case("imix") {
        IMIX
    } else {
        text
    };
    let mut jobs = BTreeMap::new();
    for part in parts.split(',') {
        let read = || {
            let (lengths, weight) = part.split_once(':').unwrap_or((part, "1"));
            let (first, last) = lengths.split_once('-').unwrap_or((lengths, lengths));
            let number = |text: &str| text.trim().parse::<u64>().ok();
            let (first, last, weight) = (number(first)?, number(last)?, number(weight)?);
            let fits = first <= last && last <= LONGEST && (1..=1 << 32).contains(&weight);
            fits.then_some((first..=last, weight))
        };
        let (lengths, weight) = read().ok_or_else(|| {
            format!(
                "{part:?} is no part of a mix; give BYTES:WEIGHT or FIRST-LAST:WEIGHT, with at \
                 most {LONGEST} bytes, or imix"
            )
        })?;
        for bytes in lengths {
            *jobs.entry(bytes).or_default() += weight;
        }
    }
    let source = format!("the mix {text}");
    let mix = Traffic { source, jobs };
    mix.check().map_err(|error| error.to_string())
}

/// A row of a histogram.
#[derive(Deserialize)]
struct Bin {
    bytes: u64,
    count: u64,
}

/// Reads a histogram: CSV with the columns `bytes` and `count`.
pub(super) fn of_histogram(path: &OsStr) -> anyhow::Result<Traffic> {
    let mut rows = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(open(path)?);
    let mut jobs: BTreeMap<u64, u64> = BTreeMap::new();
    for bin in rows.deserialize() {
        let Bin { bytes, count } = bin?;
        let n = jobs.entry(bytes).or_default();
        *n = n
            .checked_add(count)
            .context("a length has more than 2^64 sums")?;
    }
    jobs.retain(|_, count| *count > 0);
    Ok(Traffic {
        source: name(path),
        jobs,
    })
}

/// Reads the lengths of all sums in captures. A capture that cannot be read to its end is an error,
/// because a plan for a part of the traffic would be another plan.
pub(super) fn of_captures(
    files: &[OsString],
    field: Option<Protocol>,
    workers: NonZeroUsize,
) -> anyhow::Result<Traffic> {
    let mut total = HashMap::new();
    let files = captures(files)?;
    let progress = Progress::new(None);
    let mut source = String::new();
    let n = files.len();
    for file in files {
        let path = file.map_err(|(path, error)| error.context(name(&path)))?;
        source = name(&path);
        let read = || -> anyhow::Result<Lengths> {
            let reader = progress.watch(open(&path)?);
            let mut capture = Capture::open(reader).map_err(|error| advise(&path, error))?;
            let mut lengths = Lengths {
                field,
                ..Lengths::default()
            };
            let together = Some(Reassembly::default());
            match examine_all(&mut capture, workers, together, &mut lengths) {
                Ok(()) => Ok(lengths),
                Err(ExamineError::Capture(error)) => Err(error.into()),
                Err(ExamineError::Collector(error)) => Err(error.into()),
            }
        };
        let lengths = read().with_context(|| name(&path))?;
        add(&mut total, &lengths.jobs);
    }
    progress.finish();
    Ok(Traffic {
        source: if n == 1 {
            source
        } else {
            format!("{n} captures")
        },
        jobs: total.into_iter().collect(),
    })
}

/// Counts the sums of a capture by their length.
#[derive(Clone, Default)]
struct Lengths {
    /// The protocol whose sums count, or none if all count.
    field: Option<Protocol>,
    jobs: HashMap<u64, u64>,
}

fn add(jobs: &mut HashMap<u64, u64>, more: &HashMap<u64, u64>) {
    for (&bytes, n) in more {
        *jobs.entry(bytes).or_default() += n;
    }
}

impl Sink for Lengths {
    fn verdict(&mut self, _: &Frame<'_>, field: &Field, verdict: &Verdict) {
        let is_summed = match verdict.status {
            Status::Good | Status::Bad(_) | Status::Illegal => true,
            // The whole packet was on the wire, and these fields tell how long it was.
            Status::Unverified(reason) => matches!(reason, Reason::Snapped | Reason::Addresses),
            Status::Absent => false,
        };
        let is_wanted = self.field.is_none_or(|wanted| wanted == field.protocol);
        if is_summed && is_wanted && !field.quoted && field.algorithm.is_sum() {
            let hole = field.hole.as_ref().map_or(0, ExactSizeIterator::len);
            let bytes = field.covers.len() - hole;
            *self.jobs.entry(bytes as u64).or_default() += 1;
        }
    }
}

impl Collector for Lengths {
    type Part = Lengths;

    fn part(&self) -> Lengths {
        Lengths {
            field: self.field,
            jobs: HashMap::new(),
        }
    }

    fn take(&mut self, part: &mut Lengths) -> io::Result<()> {
        add(&mut self.jobs, &part.jobs);
        part.jobs.clear();
        Ok(())
    }

    fn is_ordered(&self) -> bool {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mix_has_lengths_ranges_and_weights() {
        let jobs = |text| mix(text).unwrap().jobs.into_iter().collect::<Vec<_>>();
        assert_eq!(jobs("IMIX"), [(40, 7), (576, 4), (1500, 1)]);
        assert_eq!(jobs("2-4:2, 4:1"), [(2, 2), (3, 2), (4, 3)]);
        assert_eq!(jobs("0-1500").len(), 1501);
        for text in ["", "x", "4:0", "4-2", "4:-1", "1-99999999999", "40:7,"] {
            assert!(mix(text).is_err(), "{text}");
        }
    }

    #[test]
    fn traffic_knows_its_ends_and_its_sizes() {
        let mix = mix("40:7,576:4,1500:1").unwrap();
        assert_eq!(
            (mix.count(), mix.bytes(), mix.ends()),
            (12, 4084, (40, 1500))
        );
    }
}
