// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verdict on captures in one sentence: what happened, how many checksums show it, and who sent
//! them. Every output takes the sentence from here.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::net::IpAddr;

use indicatif::HumanCount;
use serde::Serialize;
use wiresum_packet::Cause;

use super::counted::Counted;

/// What a verdict means for the reader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Tone {
    /// Each checksum that could be judged is right.
    Good,
    /// Checksums are bad in the capture, and were right on the wire.
    Harmless,
    /// Something is wrong.
    Bad,
    /// Nothing says that all is well.
    Unsure,
}

impl Tone {
    /// The class in the page.
    pub(super) fn class(self) -> &'static str {
        match self {
            Tone::Good => "good",
            Tone::Harmless => "harmless",
            Tone::Bad => "bad",
            Tone::Unsure => "unsure",
        }
    }
}

/// The verdict, and the parts of its sentence.
#[derive(Debug, Serialize)]
pub(super) struct Judgment {
    pub(super) tone: Tone,
    pub(super) sentence: String,
    /// The number of all checksums.
    checksums: u64,
    /// How many of them are bad or illegal.
    pub(super) bad: u64,
    /// The cause that the sentence names: the most frequent one except offload, or offload alone.
    cause: Option<&'static str>,
    /// How many checksums have this cause.
    with_cause: u64,
    /// The senders that the sentence names.
    sent_by: Vec<IpAddr>,
}

/// The key of checksums with a value that must not be sent, which have no cause.
const ILLEGAL: &str = "illegal";

/// Judges the counts of captures, `files` of which could be read, and `failed` not.
pub(super) fn judge(counted: &Counted, files: usize, failed: usize) -> Judgment {
    let total = counted.total();
    let bad = total.bad + total.illegal;
    let causes = causes(counted, bad);
    let offload = causes.get(Cause::Offload.key()).copied().unwrap_or(0);
    // At equal numbers the first one, in the order of every output.
    let rank = |key: &str| Cause::KEYS.iter().position(|&of| of == key);
    let leading = causes
        .into_iter()
        .filter(|&(key, _)| bad == offload || key != Cause::Offload.key())
        .min_by_key(|&(key, n)| (Reverse(n), rank(key).unwrap_or(usize::MAX)));

    let mut sent_by = Vec::new();
    let (tone, mut sentence) = match leading {
        Some((key, n)) => {
            let by;
            (by, sent_by) = senders(counted, key, n).unwrap_or_default();
            let tone = if bad == offload {
                Tone::Harmless
            } else {
                Tone::Bad
            };
            (tone, wrong(key, n, bad, offload, &by))
        }
        None if total.good > 0 && failed == 0 => (Tone::Good, right(counted)),
        None if total.good > 0 => (Tone::Unsure, right(counted)),
        None => (Tone::Unsure, unjudged(counted, files)),
    };
    if bad == 0 && counted.not_entered() > 0 {
        let n = HumanCount(counted.not_entered());
        sentence += &format!(" Frames that were not entered: {n}.");
    }
    if failed > 0 && files > 0 {
        sentence += &format!(" Files that could not be read: {failed}.");
    }
    Judgment {
        tone,
        sentence,
        checksums: total.total(),
        bad,
        cause: leading.map(|(key, _)| key),
        with_cause: leading.map_or(0, |(_, n)| n),
        sent_by,
    }
}

/// How many checksums have each cause.
fn causes(counted: &Counted, bad: u64) -> BTreeMap<&'static str, u64> {
    let mut causes = BTreeMap::new();
    for (_, cause, n) in counted.causes() {
        *causes.entry(cause.key()).or_default() += n;
    }
    let illegal = bad.saturating_sub(causes.values().sum());
    if illegal > 0 {
        causes.insert(ILLEGAL, illegal);
    }
    causes
}

/// The sentence for `bad` checksums. `n` of them have the cause that the sentence names, and `by`
/// says who sent these.
fn wrong(key: &'static str, n: u64, bad: u64, offload: u64, by: &str) -> String {
    let (meaning, [one, many]) = words(key);
    let checksums = if bad == 1 { "checksum" } else { "checksums" };
    let how_many = match (n, bad) {
        (1, 1) => "the one bad checksum".to_owned(),
        _ if n == bad => format!("all {} bad {checksums}", HumanCount(n)),
        _ => format!("{} of {} bad {checksums}", HumanCount(n), HumanCount(bad)),
    };
    let shows = if n == 1 { one } else { many };
    let rest = match offload {
        0 => String::new(),
        _ if n == bad => String::new(),
        1 => " One is checksum offload, and was right on the wire.".to_owned(),
        _ => format!(
            " {} are checksum offload, and were right on the wire.",
            HumanCount(offload)
        ),
    };
    format!("{meaning}: {how_many} {shows}{by}.{rest}")
}

/// Who sent the `n` checksums with a cause, in words, and the addresses that the words name. None
/// if nobody knows. A rewritten address names no sender.
fn senders(counted: &Counted, key: &str, n: u64) -> Option<(String, Vec<IpAddr>)> {
    if key == Cause::Rewritten.key() {
        return None;
    }
    let by = counted.senders((key != ILLEGAL).then_some(key))?;
    let all = if n > 2 { "all " } else { "" };
    Some(match by[..] {
        [] => return None,
        [(one, _)] => (format!(", {all}sent by {one}"), vec![one]),
        [(one, _), (other, _)] => (
            format!(", {all}sent by {one} and {other}"),
            vec![one, other],
        ),
        [(one, many), ..] if 2 * many > n => (
            format!(", {} of them sent by {one}", HumanCount(many)),
            vec![one],
        ),
        [(one, first), (other, second), ..] if 10 * (first + second) >= 9 * n => (
            format!(
                ", {} of them sent by {one} and {other}",
                HumanCount(first + second)
            ),
            vec![one, other],
        ),
        _ => (
            format!(", sent by {} addresses", HumanCount(by.len() as u64)),
            Vec::new(),
        ),
    })
}

fn right(counted: &Counted) -> String {
    let total = counted.total();
    let mut sentence = match (total.good, total.good == total.total()) {
        (1, true) => "The one checksum is right.".to_owned(),
        (1, false) => "The one checksum that could be judged is right.".to_owned(),
        (n, true) => format!("All {} checksums are right.", HumanCount(n)),
        (n, false) => format!(
            "All {} checksums that could be judged are right.",
            HumanCount(n)
        ),
    };
    for (what, n) in [
        ("Not judged", total.unverified),
        ("Not computed", total.absent),
    ] {
        if n > 0 {
            sentence += &format!(" {what}: {}.", HumanCount(n));
        }
    }
    sentence
}

fn unjudged(counted: &Counted, files: usize) -> String {
    let total = counted.total();
    let why = match (files, total.unverified, total.absent) {
        (0, ..) => "no capture could be read".to_owned(),
        (_, 0, 0) if counted.packets == 0 && counted.malformed() > 0 => {
            "the capture is damaged, and no packet could be read".to_owned()
        }
        (_, 0, 0) if counted.packets == 0 => "there are no packets".to_owned(),
        (_, 0, 0) => {
            let plural = if counted.packets == 1 { "" } else { "s" };
            let packets = HumanCount(counted.packets);
            format!("no checksum was found in {packets} packet{plural}")
        }
        (_, 0, 1) => "the sender computed no checksum".to_owned(),
        (_, 0, n) => format!(
            "the senders computed none of the {} checksums",
            HumanCount(n)
        ),
        (_, 1, 0) => "the bytes of the one checksum are not all there".to_owned(),
        (_, n, 0) => format!(
            "the bytes of the {} checksums are not all there",
            HumanCount(n)
        ),
        (_, n, absent) => format!(
            "the bytes of {} checksums are not all there, and {} were not computed",
            HumanCount(n),
            HumanCount(absent)
        ),
    };
    format!("Nothing could be judged: {why}.")
}

/// What a cause means, and what its checksums do: one of them, and several.
fn words(key: &str) -> (&'static str, [&'static str; 2]) {
    const DAMAGE: &str = "Real damage";
    const CHANGED: &str = "Something on the way changed packets";
    const COMPUTED: &str = "A sender computes checksums wrongly";
    match key {
        "offload" => (
            "Nothing was wrong on the wire",
            ["is checksum offload", "are checksum offload"],
        ),
        "one-bit" => (
            DAMAGE,
            ["looks like one flipped bit", "look like one flipped bit"],
        ),
        "one-byte" => (
            DAMAGE,
            ["looks like one changed byte", "look like one changed byte"],
        ),
        "unknown" => (
            "Damage, or an unknown fault",
            ["fits no known cause", "fit no known cause"],
        ),
        "rewritten" => (
            CHANGED,
            [
                "is of a packet whose address was changed",
                "are of packets whose address was changed",
            ],
        ),
        "header-changed" => (
            CHANGED,
            [
                "is of a header in which a field was changed",
                "are of headers in which a field was changed",
            ],
        ),
        "zeroed" => (
            "Checksums are missing",
            ["is a field that holds 0", "are fields that hold 0"],
        ),
        "same-difference" => (
            "One fault again and again",
            [
                "is wrong by the same amount as others of its flow",
                "are wrong by the same amount as others of their flows",
            ],
        ),
        "negative-zero" => (
            COMPUTED,
            [
                "is 0xffff instead of 0x0000",
                "are 0xffff instead of 0x0000",
            ],
        ),
        "udp-zero" => (
            COMPUTED,
            [
                "is 0x0000 instead of 0xffff",
                "are 0x0000 instead of 0xffff",
            ],
        ),
        "not-complemented" => (COMPUTED, ["is not complemented", "are not complemented"]),
        "byte-swapped" => (
            COMPUTED,
            [
                "has its bytes in the wrong order",
                "have their bytes in the wrong order",
            ],
        ),
        "no-pseudo-header" => (
            COMPUTED,
            [
                "leaves out the pseudo-header",
                "leave out the pseudo-header",
            ],
        ),
        "next-hop" => (
            COMPUTED,
            [
                "covers the next hop instead of the final destination",
                "cover the next hop instead of the final destination",
            ],
        ),
        "wrong-length" => (COMPUTED, ["covers a wrong length", "cover a wrong length"]),
        "padding" => (
            COMPUTED,
            [
                "covers bytes after the packet",
                "cover bytes after the packet",
            ],
        ),
        "adler-32" => (
            COMPUTED,
            [
                "is the old Adler-32 of SCTP",
                "are the old Adler-32 of SCTP",
            ],
        ),
        "no-carry" => (
            COMPUTED,
            ["leaves out the carries", "leave out the carries"],
        ),
        _ => (
            "A sender breaks a rule",
            [
                "has a value that must not be sent",
                "have a value that must not be sent",
            ],
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts as the JSON has them.
    fn counted(json: &str) -> Counted {
        serde_json::from_str(json).expect("counts")
    }

    fn said(counted: &Counted) -> (Tone, String) {
        let judgment = judge(counted, 1, 0);
        (judgment.tone, judgment.sentence)
    }

    /// The sentence for TCP checksums with causes, and for 500 good ones.
    fn of_causes(causes: &[(&str, u64)]) -> (Tone, String) {
        said(&with_causes(causes))
    }

    fn with_causes(causes: &[(&str, u64)]) -> Counted {
        let bad: u64 = causes.iter().map(|(_, n)| n).sum();
        let each: Vec<_> = causes
            .iter()
            .map(|(of, n)| format!("{of:?}: {n}"))
            .collect();
        counted(&format!(
            r#"{{"packets": 9, "checksums": {{"tcp": {{"good": 500, "bad": {bad}}}}},
                "causes": {{"tcp": {{{}}}}}}}"#,
            each.join(", ")
        ))
    }

    #[test]
    fn each_cause_has_a_sentence() {
        const COMPUTED: &str = "A sender computes checksums wrongly";
        const CHANGED: &str = "Something on the way changed packets";
        let expected = [
            (
                "offload",
                "Nothing was wrong on the wire",
                "are checksum offload",
            ),
            ("negative-zero", COMPUTED, "are 0xffff instead of 0x0000"),
            ("udp-zero", COMPUTED, "are 0x0000 instead of 0xffff"),
            ("zeroed", "Checksums are missing", "are fields that hold 0"),
            (
                "rewritten",
                CHANGED,
                "are of packets whose address was changed",
            ),
            ("not-complemented", COMPUTED, "are not complemented"),
            (
                "byte-swapped",
                COMPUTED,
                "have their bytes in the wrong order",
            ),
            ("no-pseudo-header", COMPUTED, "leave out the pseudo-header"),
            (
                "next-hop",
                COMPUTED,
                "cover the next hop instead of the final destination",
            ),
            ("wrong-length", COMPUTED, "cover a wrong length"),
            ("padding", COMPUTED, "cover bytes after the packet"),
            ("adler-32", COMPUTED, "are the old Adler-32 of SCTP"),
            (
                "header-changed",
                CHANGED,
                "are of headers in which a field was changed",
            ),
            (
                "same-difference",
                "One fault again and again",
                "are wrong by the same amount as others of their flows",
            ),
            ("one-bit", "Real damage", "look like one flipped bit"),
            ("no-carry", COMPUTED, "leave out the carries"),
            ("one-byte", "Real damage", "look like one changed byte"),
            (
                "unknown",
                "Damage, or an unknown fault",
                "fit no known cause",
            ),
        ];
        assert_eq!(expected.map(|(key, ..)| key), Cause::KEYS);
        for (key, meaning, shows) in expected {
            let (tone, said) = of_causes(&[(key, 3)]);
            assert_eq!(said, format!("{meaning}: all 3 bad checksums {shows}."));
            assert_eq!(tone == Tone::Harmless, key == "offload", "{key}");
            let (_, one) = of_causes(&[(key, 1)]);
            let shows = one.strip_prefix(&format!("{meaning}: the one bad checksum "));
            let shows = shows.unwrap_or_else(|| panic!("{one}"));
            assert!(!shows.starts_with("are ") && shows.contains("s "), "{one}");
        }
    }

    #[test]
    fn a_value_that_must_not_be_sent_has_no_cause() {
        let illegal = counted(r#"{"packets": 4, "checksums": {"udp": {"good": 2, "illegal": 2}}}"#);
        let sentence =
            "A sender breaks a rule: all 2 bad checksums have a value that must not be sent.";
        assert_eq!(said(&illegal), (Tone::Bad, sentence.to_owned()));
    }

    #[test]
    fn in_a_mixture_the_most_frequent_cause_except_offload_leads() {
        let mixtures = [
            (
                &[("one-bit", 21), ("rewritten", 2)][..],
                "Real damage: 21 of 23 bad checksums look like one flipped bit.",
            ),
            (
                &[("offload", 142), ("one-bit", 3)],
                "Real damage: 3 of 145 bad checksums look like one flipped bit. \
                 142 are checksum offload, and were right on the wire.",
            ),
            (
                &[("offload", 1), ("unknown", 1)],
                "Damage, or an unknown fault: 1 of 2 bad checksums fits no known cause. \
                 One is checksum offload, and was right on the wire.",
            ),
            (
                &[("one-byte", 2), ("byte-swapped", 2)],
                "A sender computes checksums wrongly: 2 of 4 bad checksums have their bytes in the \
                 wrong order.",
            ),
            (
                &[("one-bit", 1000), ("one-byte", 234)],
                "Real damage: 1,000 of 1,234 bad checksums look like one flipped bit.",
            ),
        ];
        for (causes, sentence) in mixtures {
            assert_eq!(of_causes(causes), (Tone::Bad, sentence.to_owned()));
        }
    }

    #[test]
    fn the_senders_of_the_leading_cause_are_named() {
        let address = |last| IpAddr::from([192, 0, 2, last]);
        let by = |senders: &[(u8, Cause, u64)], causes: &[(&str, u64)]| {
            let mut counted = with_causes(causes);
            for &(last, cause, n) in senders {
                counted.add_sender(address(last), Some(cause), n);
            }
            let Judgment {
                sentence, sent_by, ..
            } = judge(&counted, 1, 0);
            for named in &sent_by {
                assert!(sentence.contains(&named.to_string()), "{sentence}");
            }
            assert_eq!(sentence.matches("192.0.2.").count(), sent_by.len());
            sentence
        };
        let offload = "Nothing was wrong on the wire: all 142 bad checksums are checksum offload";
        let all = [("offload", 142)];
        let of = |senders: &[(u8, u64)]| {
            let senders: Vec<_> = (senders.iter())
                .map(|&(last, n)| (last, Cause::Offload, n))
                .collect();
            by(&senders, &all)
        };
        assert_eq!(
            of(&[(2, 100), (2, 42)]),
            format!("{offload}, all sent by 192.0.2.2.")
        );
        assert_eq!(
            of(&[(1, 2), (2, 140)]),
            format!("{offload}, all sent by 192.0.2.2 and 192.0.2.1.")
        );
        assert_eq!(
            of(&[(1, 2), (2, 120), (3, 20)]),
            format!("{offload}, 120 of them sent by 192.0.2.2.")
        );
        assert_eq!(
            of(&[(1, 71), (2, 70), (3, 1)]),
            format!("{offload}, 141 of them sent by 192.0.2.1 and 192.0.2.2.")
        );
        assert_eq!(
            of(&[(1, 50), (2, 50), (3, 42)]),
            format!("{offload}, sent by 3 addresses.")
        );
        assert_eq!(of(&[]), format!("{offload}."));
        assert_eq!(
            by(
                &[(7, Cause::OneBit, 1), (2, Cause::Offload, 5)],
                &[("offload", 5), ("one-bit", 1)]
            ),
            "Real damage: 1 of 6 bad checksums looks like one flipped bit, sent by 192.0.2.7. \
             5 are checksum offload, and were right on the wire."
        );
        assert_eq!(
            by(
                &[(2, Cause::OffloadWithin, 3), (2, Cause::Offload, 4)],
                &[("offload", 7)]
            ),
            "Nothing was wrong on the wire: all 7 bad checksums are checksum offload, all sent by \
             192.0.2.2."
        );
        let rewritten = by(&[(9, Cause::Rewritten, 4)], &[("rewritten", 4)]);
        assert!(!rewritten.contains("sent by"), "{rewritten}");

        let mut illegal =
            counted(r#"{"packets": 4, "checksums": {"udp": {"good": 2, "illegal": 2}}}"#);
        illegal.add_sender(address(5), None, 2);
        let sentence = said(&illegal).1;
        assert!(sentence.ends_with("sent, sent by 192.0.2.5."), "{sentence}");
    }

    #[test]
    fn without_a_bad_checksum_the_sentence_says_what_could_be_judged() {
        let cases = [
            (
                r#"{"tcp": {"good": 533}}"#,
                Tone::Good,
                "All 533 checksums are right.",
            ),
            (
                r#"{"tcp": {"good": 1}}"#,
                Tone::Good,
                "The one checksum is right.",
            ),
            (
                r#"{"tcp": {"good": 5, "unverified": 2}, "udp": {"absent": 1}}"#,
                Tone::Good,
                "All 5 checksums that could be judged are right. Not judged: 2. Not computed: 1.",
            ),
            (
                r#"{}"#,
                Tone::Unsure,
                "Nothing could be judged: no checksum was found in 9 packets.",
            ),
            (
                r#"{"udp": {"absent": 4}}"#,
                Tone::Unsure,
                "Nothing could be judged: the senders computed none of the 4 checksums.",
            ),
            (
                r#"{"tcp": {"unverified": 4}}"#,
                Tone::Unsure,
                "Nothing could be judged: the bytes of the 4 checksums are not all there.",
            ),
            (
                r#"{"tcp": {"unverified": 4}, "udp": {"absent": 2}}"#,
                Tone::Unsure,
                "Nothing could be judged: the bytes of 4 checksums are not all there, and 2 were \
                 not computed.",
            ),
        ];
        for (checksums, tone, sentence) in cases {
            let counted = counted(&format!(r#"{{"packets": 9, "checksums": {checksums}}}"#));
            assert_eq!(said(&counted), (tone, sentence.to_owned()));
        }
    }

    #[test]
    fn what_was_not_read_is_said() {
        let damaged = counted(r#"{"malformed": 1}"#);
        let sentence =
            "Nothing could be judged: the capture is damaged, and no packet could be read.";
        assert_eq!(said(&damaged), (Tone::Unsure, sentence.to_owned()));
        let nothing = judge(&Counted::default(), 0, 2);
        assert_eq!(
            nothing.sentence,
            "Nothing could be judged: no capture could be read."
        );
        let some = counted(
            r#"{"packets": 3, "checksums": {"tcp": {"good": 2}}, "not_entered": {"x": 4}}"#,
        );
        let judged = judge(&some, 1, 1);
        assert_eq!(judged.tone, Tone::Unsure);
        assert_eq!(
            judged.sentence,
            "All 2 checksums are right. Frames that were not entered: 4. \
             Files that could not be read: 1."
        );
    }
}
