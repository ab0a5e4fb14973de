// SPDX-License-Identifier: MIT OR Apache-2.0
//! The explanation of a frame as data. `explain --json` prints it as it is, and the text is made
//! from it.

use std::net::IpAddr;
use std::ops::Range;

use serde::Serialize;
use wiresum_packet::cause::{Evidence, HYPOTHESES};
use wiresum_packet::{Addresses, Algorithm, Field, Frame, Origin, Protocol, Status, Verdict};

use super::arithmetic::{Row, Words, pseudo_header, rows};
use super::sentence::{Fit, second_way, sentence};

/// A frame and its checksums.
#[derive(Serialize)]
pub(super) struct Explained {
    pub(super) frame: u64,
    #[serde(skip)]
    pub(super) time: Option<wiresum_packet::Timestamp>,
    pub(super) link_type: String,
    pub(super) captured: usize,
    pub(super) original_len: usize,
    /// The layers of the frame, from the outside in, as far as its checksums tell.
    pub(super) layers: Vec<String>,
    pub(super) notes: Vec<String>,
    pub(super) checksums: Vec<Explanation>,
    /// Whether the frame holds a fragment of a datagram that is not explained yet.
    #[serde(skip)]
    pub(super) waiting: bool,
    /// The layer of the last checksum, and whether the checksum was quoted.
    #[serde(skip)]
    entered: u8,
    #[serde(skip)]
    quoting: bool,
}

/// A checksum field and its verdict.
#[derive(Serialize)]
pub(super) struct Explanation {
    pub(super) protocol: &'static str,
    pub(super) layer: u8,
    pub(super) quoted: bool,
    pub(super) source: Option<IpAddr>,
    pub(super) destination: Option<IpAddr>,
    pub(super) ports: Option<(u16, u16)>,
    pub(super) status: &'static str,
    /// The cause if the checksum is bad, or the reason if it is unverified.
    pub(super) why: Option<&'static str>,
    pub(super) found: Option<u32>,
    pub(super) expected: Option<u32>,
    /// The place of the field.
    pub(super) at: At,
    /// The fragments of the datagram: the number of each frame, and how many bytes the frame holds.
    /// Empty if the datagram is whole.
    pub(super) fragments: Vec<(u64, usize)>,
    pub(super) algorithm: &'static str,
    pub(super) pseudo_header: Vec<Words>,
    pub(super) covers: Vec<Row>,
    /// The sum of all words, with its carries.
    pub(super) sum: Option<u64>,
    /// By how much the sum of the covered words has grown since the checksum was right.
    pub(super) change: Option<i32>,
    pub(super) tried: Vec<Tried>,
    pub(super) verdict: String,
    #[serde(skip)]
    pub(super) own: Range<usize>,
    #[serde(skip)]
    pub(super) style: Status,
}

/// The place of a field in the capture.
#[derive(Serialize)]
pub(super) struct At {
    pub(super) frame: u64,
    pub(super) offset: usize,
    pub(super) file_offset: Option<u64>,
}

/// A cause that was tried.
#[derive(Serialize)]
pub(super) struct Tried {
    pub(super) hypothesis: &'static str,
    /// The values that the field would hold. Empty if the cause is ruled out beforehand.
    pub(super) would_hold: Vec<u32>,
    /// How many of the wrong values of the field fit.
    pub(super) values: u64,
    pub(super) fits: bool,
    /// How the change happened, if the cause fits.
    pub(super) how: Option<String>,
}

impl Explained {
    pub(super) fn new(frame: &Frame<'_>) -> Explained {
        Explained {
            frame: frame.number,
            time: frame.time,
            link_type: frame.link_type.to_string(),
            captured: frame.data.len(),
            original_len: frame.original_len,
            layers: vec![frame.link_type.to_string()],
            notes: Vec::new(),
            checksums: Vec::new(),
            waiting: false,
            entered: 0,
            quoting: false,
        }
    }

    /// Adds the layers that a field names.
    pub(super) fn layer(&mut self, field: &Field) {
        let quoted = if field.quoted { " (quoted)" } else { "" };
        // The checksum of GRE has named its tunnel already.
        let is_named = |tunnel: &&str| {
            let last = self.layers.last();
            last.is_some_and(|last| last.eq_ignore_ascii_case(tunnel))
        };
        let tunnel = field.tunnel.filter(|tunnel| !is_named(tunnel));
        let mut add = |name: &str| self.layers.push(format!("{name}{quoted}"));
        if (field.layer > self.entered || field.quoted != self.quoting)
            && let Some(addresses) = field.addresses
        {
            tunnel.into_iter().for_each(&mut add);
            add(match addresses {
                Addresses::V4 { .. } => "ipv4",
                Addresses::V6 { .. } => "ipv6",
            });
        }
        if field.protocol != Protocol::Ipv4 {
            add(field.protocol.key());
        }
        (self.entered, self.quoting) = (field.layer, field.quoted);
    }
}

impl Explanation {
    pub(super) fn new(frame: &Frame<'_>, field: &Field, verdict: &Verdict) -> Explanation {
        let place = frame.place(field.offset);
        let right = |field: &Field| {
            Evidence::new(frame.data, field).is_some_and(|it| it.expected == it.found)
        };
        // A checksum may be good in the second way of computing it alone. Its sum is that one.
        let other = match verdict.status {
            Status::Good if !right(field) => field.otherwise().filter(right),
            _ => None,
        };
        let field = other.as_ref().unwrap_or(field);
        let evidence = Evidence::new(frame.data, field)
            .map(|evidence| evidence.in_a_row(verdict.cause(), verdict.streak));
        let mut explanation = Explanation {
            protocol: field.protocol.key(),
            layer: field.layer,
            quoted: field.quoted,
            source: field.addresses.map(Addresses::source),
            destination: field.addresses.map(Addresses::destination),
            ports: field.ports,
            status: verdict.status.key(),
            why: match verdict.status {
                Status::Unverified(reason) => Some(reason.key()),
                _ => verdict.cause().map(|cause| cause.label()),
            },
            found: verdict.found,
            expected: evidence.as_ref().map(|evidence| evidence.expected),
            at: At {
                frame: place.frame,
                offset: place.offset,
                file_offset: place.position,
            },
            fragments: fragments(frame),
            algorithm: match field.algorithm {
                Algorithm::Internet => "internet",
                Algorithm::Cisco => "cisco",
                Algorithm::Fletcher => "fletcher",
                _ => "crc32c",
            },
            pseudo_header: Vec::new(),
            covers: Vec::new(),
            sum: None,
            change: None,
            tried: Vec::new(),
            verdict: String::new(),
            own: field.bytes(),
            style: verdict.status,
        };
        let mut fit = None;
        if let Some(evidence) = &evidence {
            explanation.arithmetic(evidence);
            if matches!(verdict.status, Status::Bad(_)) {
                fit = explanation.causes(evidence);
            }
        }
        explanation.verdict = sentence(frame, field, verdict, evidence.as_ref(), fit);
        if other.is_some() {
            explanation.verdict += second_way(field);
        }
        explanation
    }

    /// Fills in the words and their sums.
    fn arithmetic(&mut self, evidence: &Evidence<'_>) {
        let field = evidence.field;
        if let Some(pseudo) = &field.pseudo {
            self.pseudo_header = pseudo_header(pseudo, self.protocol);
        }
        self.covers = rows(evidence, &self.own);
        if field.algorithm.is_sum() {
            self.sum = Some(self.pseudo_sum() + self.covers.iter().map(|row| row.sum).sum::<u64>());
            self.change = evidence.change();
        }
    }

    /// The sum of the pseudo-header, with its carries.
    pub(super) fn pseudo_sum(&self) -> u64 {
        let words = self.pseudo_header.iter().flat_map(|words| &words.words);
        words.map(|&word| u64::from(word)).sum()
    }

    /// Tries the causes in order until one fits. Returns that fit.
    fn causes(&mut self, evidence: &Evidence<'_>) -> Option<Fit> {
        let algorithm = evidence.field.algorithm;
        for hypothesis in HYPOTHESES.iter().filter(|h| h.is_of(algorithm)) {
            let predictions = hypothesis.predictions(evidence);
            let fit = predictions
                .iter()
                .find(|prediction| prediction.value == evidence.found);
            let values = hypothesis.values(evidence);
            self.tried.push(Tried {
                hypothesis: hypothesis.what,
                would_hold: predictions.iter().map(|p| p.value).collect(),
                values,
                fits: fit.is_some(),
                how: fit
                    .map(|prediction| prediction.how.to_string())
                    .filter(|how| !how.is_empty()),
            });
            if let Some(&prediction) = fit {
                return Some(Fit { prediction, values }); // the verdict tried no more either
            }
        }
        None
    }
}

fn fragments(frame: &Frame<'_>) -> Vec<(u64, usize)> {
    let Origin::Datagram { pieces, .. } = frame.origin else {
        return Vec::new();
    };
    let ends = pieces.iter().skip(1).map(|piece| piece.start);
    pieces
        .iter()
        .zip(ends.chain([frame.data.len()]))
        .map(|(piece, end)| (piece.place.frame, end - piece.start))
        .collect()
}
