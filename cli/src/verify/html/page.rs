// SPDX-License-Identifier: MIT OR Apache-2.0
//! The data of the template `report.html`, in the order of the page. The template escapes all text.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write;
use std::net::IpAddr;

use askama::Template;
use indicatif::{HumanBytes, HumanCount};
use wiresum_packet::{Cause, Counts, Protocol, Reason};

use super::chart::{self, COLORS, Chart};
use super::digest::{Digest, EXAMPLES, Example, ILLEGAL, SENDERS};
use super::timeline::{Timeline, View};
use crate::input::shown;
use crate::outcome::Outcome;
use crate::verify::counted::Counted;
use crate::verify::examined::{Examined, Failure, judge, sum_of};
use crate::verify::sentence::{self, Tone};
use crate::verify::why;

/// Rows of the table of senders.
const SENDERS_SHOWN: usize = 20;
/// With more files than this, the section of each file is closed at first.
const FILES_OPEN: usize = 5;

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    version: &'static str,
    /// The name of the only file, or the number of files.
    files_named: String,
    headline: String,
    tone: &'static str,
    total: Section,
    kinds: Vec<Kind>,
    chart: Option<Chart>,
    /// Whether the files are too far apart in time for one chart.
    far_apart: bool,
    senders: Vec<Sender>,
    senders_at_once: HumanCount,
    /// By how much the count of a sender may be too low.
    uncounted: HumanCount,
    unverified: Vec<Why>,
    malformed: Vec<(String, HumanCount)>,
    files: Vec<File<'a>>,
    files_open: bool,
    examples: usize,
    examples_rule: [usize; 3],
    errors: Vec<(String, String)>,
}

/// A number, which is shown with commas between thousands.
struct Number(u64);

impl Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        HumanCount(self.0).fmt(f)
    }
}

/// The counts of one file, or of all files.
struct Section {
    packets: Number,
    bytes: HumanBytes,
    captured: u64,
    checksums: Number,
    malformed: Number,
    protocols: Vec<ProtocolRow>,
    sum: [(&'static str, Number); 5],
    not_entered: Number,
}

struct ProtocolRow {
    name: String,
    key: &'static str,
    counts: [(&'static str, Number); 5],
    wrong: bool,
    why: String,
}

/// A kind of wrong checksums: a cause, or illegal.
struct Kind {
    name: &'static str,
    color: usize,
    n: Number,
    percent: String,
    /// The most frequent source addresses, and how many others there are.
    senders: String,
    protocols: String,
    meaning: String,
}

struct Sender {
    address: String,
    protocol: Protocol,
    kind: &'static str,
    color: usize,
    n: Number,
    percent: String,
}

struct Why {
    what: String,
    why: String,
    n: Number,
    meaning: &'static str,
}

struct File<'a> {
    path: String,
    section: Section,
    verdict: &'static str,
    tone: &'static str,
    chart: Option<Chart>,
    examples: Vec<Explained<'a>>,
}

struct Explained<'a> {
    color: usize,
    example: &'a Example,
    /// Whether the explanation is open at first, as the first one of the page is.
    is_open: bool,
}

/// Writes the page.
pub(in crate::verify) fn write(
    out: &mut impl Write,
    digest: &Digest,
    examined: &[Examined],
    failures: &[Failure],
    allow: &[Cause],
) -> anyhow::Result<()> {
    let total = sum_of(examined);
    let kinds = kinds(&total, digest);
    let order: Vec<_> = kinds.iter().map(|kind| kind.name).collect();

    let mut files: Vec<File<'_>> = Vec::new();
    let mut timeline = Timeline::default();
    let mut spans = 0;
    for (capture, digest) in examined.iter().zip(&digest.files) {
        timeline.add(&digest.timeline);
        spans += span(&digest.timeline);
        let is_allowed = judge(&capture.counted, allow) == Outcome::Good;
        let judged = sentence::judge(&capture.counted, 1, 0);
        let first = files.iter().all(|file| file.examples.is_empty());
        files.push(File {
            path: shown(&capture.path),
            section: section(&capture.counted),
            verdict: match judged.tone {
                Tone::Good => "all right",
                Tone::Harmless => "checksum offload",
                Tone::Bad if is_allowed => "bad, but allowed",
                Tone::Bad => "bad",
                Tone::Unsure => "not judged",
            },
            tone: judged.tone.class(),
            chart: if examined.len() > 1 {
                chart::of(&digest.timeline, &order)
            } else {
                None
            },
            examples: digest
                .examples
                .iter()
                .enumerate()
                .map(|(i, example)| Explained {
                    color: color(&order, example.kind),
                    example,
                    is_open: first && i == 0,
                })
                .collect(),
        });
    }
    // The files of a ring buffer make one chart. Files of different years would leave it empty.
    let far_apart = span(&timeline) > 20 * spans.max(1);
    let judged = sentence::judge(&total, examined.len(), failures.len());
    let page = Page {
        version: env!("CARGO_PKG_VERSION"),
        files_named: match (examined, failures) {
            ([Examined { path, .. }], []) | ([], [Failure { path, .. }]) => shown(path),
            _ => format!("{} files", examined.len() + failures.len()),
        },
        headline: judged.sentence,
        tone: judged.tone.class(),
        total: section(&total),
        chart: if far_apart {
            None
        } else {
            chart::of(&timeline, &order)
        },
        far_apart: far_apart && !kinds.is_empty(),
        senders: senders(digest, &order),
        senders_at_once: HumanCount(SENDERS as u64),
        uncounted: HumanCount(digest.senders.uncounted()),
        unverified: unverified(&total),
        malformed: total
            .malformed_by()
            .map(|(how, n)| (how.to_owned(), HumanCount(n)))
            .collect(),
        files_open: files.len() <= FILES_OPEN,
        examples: files.iter().map(|file| file.examples.len()).sum(),
        examples_rule: EXAMPLES,
        files,
        kinds,
        errors: failures
            .iter()
            .map(|Failure { path, error }| (shown(path), shown(&format!("{error:#}"))))
            .collect(),
    };
    page.write_into(out)?;
    Ok(())
}

/// The time from the first bin of a chart to the end of the last, in nanoseconds.
fn span(timeline: &Timeline) -> i128 {
    let span = |view: View| view.bins.len() as i128 * view.width;
    timeline.view().map_or(0, span)
}

fn percent(n: u64, of: u64) -> String {
    format!("{:.1}", n as f64 / of.max(1) as f64 * 100.0)
}

fn color(order: &[&str], kind: &str) -> usize {
    let rank = order.iter().position(|&name| name == kind);
    rank.unwrap_or(COLORS).min(COLORS - 1)
}

fn numbers(counts: Counts) -> [(&'static str, Number); 5] {
    counts.each().map(|(status, n)| (status, Number(n)))
}

fn section(counted: &Counted) -> Section {
    let row = |name: String, key, counts: Counts, why| ProtocolRow {
        name,
        key,
        wrong: counts.bad + counts.illegal > 0,
        counts: numbers(counts),
        why,
    };
    let mut protocols: Vec<_> = Protocol::ALL
        .into_iter()
        .map(|protocol| (protocol, counted.counts(protocol)))
        .filter(|(_, counts)| counts.total() > 0)
        .map(|(protocol, counts)| {
            row(
                protocol.to_string(),
                protocol.key(),
                counts,
                why::of_protocol(counted, protocol),
            )
        })
        .collect();
    let quoted = counted.quoted();
    if quoted.total() > 0 {
        protocols.push(ProtocolRow {
            wrong: false,
            ..row(
                "quoted".to_owned(),
                "quoted",
                quoted,
                why::QUOTED.to_owned(),
            )
        });
    }
    Section {
        packets: Number(counted.packets),
        bytes: HumanBytes(counted.captured_bytes),
        captured: counted.captured_bytes,
        checksums: Number(counted.total().total()),
        malformed: Number(counted.malformed()),
        protocols,
        sum: numbers(counted.total()),
        not_entered: Number(counted.not_entered()),
    }
}

/// The kinds, the most frequent first.
fn kinds(total: &Counted, digest: &Digest) -> Vec<Kind> {
    let mut counted = BTreeMap::<&'static str, (u64, String, Vec<&'static str>)>::new();
    let mut count = |name, meaning: &dyn Fn() -> String, protocol: Protocol, n| {
        let (sum, _, protocols) = counted
            .entry(name)
            .or_insert_with(|| (0, meaning(), vec![]));
        *sum += n;
        protocols.push(protocol.key());
    };
    for protocol in Protocol::ALL {
        let counts = total.counts(protocol);
        let mut unexplained = counts.bad + counts.illegal;
        for (_, cause, n) in total.causes().filter(|&(of, ..)| of == protocol) {
            count(cause.label(), &|| meaning(cause), protocol, n);
            unexplained -= n;
        }
        if unexplained > 0 {
            let words = || "a value that must not be sent: 0x0000 in UDP over IPv6".to_owned();
            count(ILLEGAL, &words, protocol, unexplained);
        }
    }
    let mut counted: Vec<_> = counted.into_iter().collect();
    counted.sort_by_key(|(_, (n, ..))| Reverse(*n));
    let sum = counted.iter().map(|(_, (n, ..))| n).sum();
    counted
        .into_iter()
        .enumerate()
        .map(|(rank, (name, (n, meaning, protocols)))| Kind {
            name,
            color: rank.min(COLORS - 1),
            n: Number(n),
            percent: percent(n, sum),
            senders: senders_of(name, digest),
            protocols: protocols.join(", "),
            meaning,
        })
        .collect()
}

/// The addresses that sent most checksums of a kind, as many as fit into a cell.
fn senders_of(kind: &str, digest: &Digest) -> String {
    const NAMED: usize = 2;
    let mut by = BTreeMap::<IpAddr, u64>::new();
    for (sender, n) in digest.senders.most_frequent() {
        if sender.kind == kind {
            *by.entry(sender.address).or_default() += n;
        }
    }
    let mut by: Vec<_> = by.into_iter().collect();
    by.sort_by_key(|&(address, n)| (Reverse(n), address));
    let more = by.len().saturating_sub(NAMED);
    let mut named: Vec<_> = by.iter().take(NAMED).map(|(a, _)| a.to_string()).collect();
    match more {
        0 if digest.senders.uncounted() == 0 => {}
        0 => named.push("others".to_owned()),
        n => named.push(format!("{} more", HumanCount(n as u64))),
    }
    named.join(", ")
}

fn meaning(cause: Cause) -> String {
    let about = cause.about();
    match cause {
        Cause::Offload => format!(
            "{about}, or had verified the segments from which the receiver merged the packet: \
             nothing was wrong on the wire"
        ),
        Cause::OffloadWithoutLength => {
            format!("{about}, and to cut the packet into segments: nothing was wrong on the wire")
        }
        _ => about.to_owned(),
    }
}

fn senders(digest: &Digest, order: &[&'static str]) -> Vec<Sender> {
    let senders = digest.senders.most_frequent();
    let most = senders.first().map_or(0, |&(_, n)| n);
    senders
        .into_iter()
        .take(SENDERS_SHOWN)
        .map(|(sender, n)| Sender {
            address: sender.address.to_string(),
            protocol: sender.protocol,
            kind: sender.kind,
            color: color(order, sender.kind),
            n: Number(n),
            percent: percent(n, most),
        })
        .collect()
}

fn unverified(total: &Counted) -> Vec<Why> {
    let reasons = total.reasons().map(|(protocol, reason, n)| Why {
        what: protocol.to_string(),
        why: reason.to_string(),
        n: Number(n),
        meaning: what_is_missing(reason),
    });
    let obstacles = why::obstacles(total).into_iter().map(|(obstacle, n)| Why {
        what: "not entered".to_owned(),
        why: obstacle.to_owned(),
        n: Number(n),
        meaning: "the walk over the frame ends there, so checksums after it are not found",
    });
    reasons.chain(obstacles).collect()
}

fn what_is_missing(reason: Reason) -> &'static str {
    match reason {
        Reason::Snapped => "some of the bytes that the checksum covers were not captured",
        Reason::Fragment => "the checksum covers a datagram, and some of its fragments are missing",
        Reason::Length => "a length in the header goes past the end of the packet",
        Reason::Addresses => "the pseudo-header may hold other addresses than the packet shows",
        _ => "",
    }
}
