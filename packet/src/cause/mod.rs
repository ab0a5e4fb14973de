// SPDX-License-Identifier: MIT OR Apache-2.0
//! Why a bad checksum is bad.
//!
//! A cause is a hypothesis about what the sender did, or about what happened on the way. Each
//! hypothesis predicts the values that the field then holds. The hypotheses are tried in the order
//! of [`HYPOTHESES`], and the first one that predicts the value of the field is the cause.
//! Most hypotheses that predict few values come before those that predict many, because a random
//! value hits them least often. [`Flows`](crate::Flows) add what the packets before tell.

mod changed;
mod computed;
mod crc;
mod row;

use std::collections::BTreeSet;
use std::fmt;

use wiresum::{Checksum, Sum};

use crate::sums::{expected, found, pseudo_sum, stored};
use crate::walk::{Addresses, Algorithm, Field};
use crate::{Frame, LinkType};

pub use row::IN_A_ROW;
pub(crate) use row::cause_of_row;

/// Makes the enum, its lists and its texts from the rows of the table. The rows in braces after a
/// cause are further variants with the key of that cause.
macro_rules! causes {
    ($(
        $(#[$doc:meta])* $cause:ident = $key:literal, $about:literal
        $({ $($(#[$more_doc:meta])* $more:ident = $label:literal, $more_about:literal;)* })?;
    )*) => {
        /// Why a bad checksum is bad. Its [`key`](Cause::key) is its name in every output.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Cause {
            $($(#[$doc])* $cause, $($($(#[$more_doc])* $more,)*)?)*
        }

        impl Cause {
            /// One variant for each key, in the order of every output.
            pub const ALL: [Cause; [$($key),*].len()] = [$(Cause::$cause),*];

            /// The keys of all causes.
            pub const KEYS: [&'static str; Cause::ALL.len()] = [$($key),*];

            /// All variants. The index of a variant is its number (`cause as usize`).
            pub(crate) const VARIANTS: [Cause; [$($key, $($($label,)*)?)*].len()] =
                [$(Cause::$cause, $($(Cause::$more,)*)?)*];

            /// Returns the cause's name in every output. The name never changes.
            #[must_use]
            pub const fn key(self) -> &'static str {
                match self {
                    $(Cause::$cause $($(| Cause::$more)*)? => $key,)*
                }
            }

            /// Returns a few words for a person: the key, and what distinguishes variants that
            /// share a key.
            #[must_use]
            pub const fn label(self) -> &'static str {
                match self {
                    $(Cause::$cause => $key, $($(Cause::$more => $label,)*)?)*
                }
            }

            /// Returns what happened, in one clause that follows "The checksum is bad:".
            #[must_use]
            pub const fn about(self) -> &'static str {
                match self {
                    $(Cause::$cause => $about, $($(Cause::$more => $more_about,)*)?)*
                }
            }
        }
    };
}

causes! {
    /// The field holds the sum of the pseudo-header. The sender left the rest of the sum to the
    /// network card (checksum offload), and the packet was captured before it reached the card. Or
    /// the receiver merged the packet from segments that its card had verified (receive
    /// coalescing), and left this sum in it. Nothing was wrong on the wire.
    Offload = "offload", "the network card was to finish the checksum" {
        /// The field holds the sum of the pseudo-header with a length of 0. The network card was
        /// also to cut the packet into segments.
        OffloadWithoutLength = "offload without length",
            "the network card was to finish the checksum";
        /// The packet is a tunnel packet that carries a checksum left to the network card. The
        /// tunnel's own checksum becomes right when the card has finished the inner one (Linux
        /// calls this local checksum offload).
        OffloadWithin = "offload within",
            "the network card was to finish an inner checksum, which makes this one right";
    };
    /// A TCP field holds 0xFFFF where 0x0000 is due. The sum comes out right all the same, and
    /// receivers accept the packet. The only senders that compute this value are those that update
    /// a checksum by RFC 1141 (RFC 1624 section 3).
    NegativeZero = "negative-zero", "0xffff was stored where 0x0000 is due";
    /// UDP holds 0x0000 where its checksum comes to 0, which RFC 768 sends as 0xFFFF. The status
    /// is then illegal, not bad.
    UdpZero = "udp-zero", "0x0000 was stored where UDP sends 0xffff";
    /// The field holds 0. Either nobody computed the checksum, or the packet was captured before
    /// the network card computed it (offload of the IPv4 header, and of SCTP).
    Zeroed = "zeroed", "no checksum was stored";
    /// The IPv4 header and what it carries are wrong by the same amount: an address was changed,
    /// and no checksum with it (NAT, anonymized captures).
    Rewritten = "rewritten", "an address was changed, and no checksum with it";
    /// The field holds the sum, not its complement.
    NotComplemented = "not-complemented", "the sum was stored without being complemented";
    /// The field holds the checksum with its bytes in the wrong order.
    ByteSwapped = "byte-swapped", "the checksum was stored in the wrong byte order";
    /// The checksum was computed without the pseudo-header.
    NoPseudoHeader = "no-pseudo-header", "the pseudo-header was left out of the sum";
    /// The pseudo-header was summed with the destination of the network header, although a source
    /// route or a routing header names a later destination (RFC 8200 section 8.1).
    NextHop = "next-hop", "the next hop was summed instead of the final destination";
    /// The pseudo-header was summed with another length.
    WrongLength = "wrong-length", "the pseudo-header was summed with another length";
    /// The bytes after the packet were summed as well: padding, or a frame check sequence.
    Padding = "padding", "the bytes after the packet were summed as well";
    /// SCTP holds the Adler-32 checksum of RFC 2960, which RFC 3309 replaced.
    Adler32 = "adler-32", "it is the Adler-32 checksum that SCTP used before its CRC32c";
    /// A field of the IPv4 header was changed, and the checksum was not: time to live, DSCP, ECN,
    /// identification, total length or the don't-fragment bit.
    HeaderChanged = "header-changed", "a field of the header was changed, and the checksum was not";
    /// The checksums of the packet's flow are wrong by the same amount, one after the other. Only
    /// [`Flows`](crate::Flows) give this cause.
    SameDifference = "same-difference", "the packets of its flow are wrong by the same amount" {
        /// The amount is one carry: the sender loses one, or adds one too many.
        SameCarry = "same-difference, a carry",
            "the packets of its flow are wrong by the same carry";
    };
    /// One bit flipped.
    OneBit = "one-bit", "it is wrong as if one bit had flipped";
    /// The words were added without any of the end-around carries (RFC 1071 section 2).
    NoCarry = "no-carry", "the carries were left out of the sum";
    /// One byte changed.
    OneByte = "one-byte", "it is wrong as if one byte had changed";
    /// No hypothesis explains the value.
    Unknown = "unknown", "none of the known causes explains it";
}

impl Cause {
    /// Returns the cause with this key.
    ///
    /// ```
    /// use wiresum_packet::Cause;
    ///
    /// assert_eq!(Cause::from_key("offload"), Some(Cause::Offload));
    /// assert_eq!(Cause::from_key("offload").map(Cause::key), Some("offload"));
    /// ```
    #[must_use]
    pub fn from_key(key: &str) -> Option<Cause> {
        Cause::ALL.into_iter().find(|cause| cause.key() == key)
    }

    /// Returns the cause with this label.
    #[must_use]
    pub fn with_label(label: &str) -> Option<Cause> {
        Cause::VARIANTS
            .into_iter()
            .find(|cause| cause.label() == label)
    }

    /// Returns whether the network card was to finish this checksum, or one within its packet.
    pub(crate) fn is_offload(self) -> bool {
        self.key() == Cause::Offload.key()
    }

    /// Returns whether the packets before, and not the packet alone, tell this cause.
    pub(crate) fn is_of_flow(self) -> bool {
        self.key() == Cause::SameDifference.key()
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}

/// A hypothesis: something that may have happened, and the values that the field then holds.
pub struct Hypothesis {
    /// The hypothesis in a few words.
    pub what: &'static str,
    /// The only algorithm to which the hypothesis applies, where
    /// [`Internet`](Algorithm::Internet) stands for every sum; `None` if it applies to all.
    pub only: Option<Algorithm>,
    predict: Predict,
    /// Counts the values, where `predict` has too many to list.
    count: Option<fn(&Evidence<'_>) -> u64>,
}

type Predict = fn(&Evidence<'_>, &mut dyn FnMut(Prediction));

/// A value that a hypothesis predicts for a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prediction {
    /// The value that the field holds if the hypothesis is right.
    pub value: u32,
    /// The cause, if the field holds this value.
    pub cause: Cause,
    /// The detail that distinguishes this prediction from others of the same hypothesis.
    pub how: How,
}

/// The details of what happened, if a prediction is right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum How {
    /// There are no details.
    Plain,
    /// The pseudo-header was summed with this length, which the words explain.
    Length(u32, &'static str),
    /// This number of bytes after the packet were summed. The flag says whether the length in the
    /// pseudo-header includes them.
    Trailer(usize, bool),
    /// This field of the IPv4 header was changed, from the first value to the second.
    Field(&'static str, u16, u16),
    /// A bit of this value flipped in some 16-bit word. The flag says whether the bit is set now.
    Bit(u16, bool),
    /// The high or the low byte of some 16-bit word changed by this amount.
    Byte {
        /// Whether the byte is the first of its word.
        high: bool,
        /// The value of the byte now, minus its value before.
        by: i16,
    },
    /// The byte at this offset of the frame was changed in these bits. Only a CRC shows that.
    At(usize, u8),
    /// The checksums of the flow are wrong by the same amount.
    Again {
        /// The value found minus the value expected, as [`Evidence::change`] gives it.
        by: i32,
        /// For how many packets in a row that has been so, this one included.
        packets: u64,
    },
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            How::Plain => Ok(()),
            How::Length(len, what) => write!(f, "{len}, {what}"),
            How::Trailer(bytes, true) => {
                write!(f, "{bytes} bytes after the packet, and their length")
            }
            How::Trailer(bytes, false) => write!(f, "{bytes} bytes after the packet"),
            How::Field(name, was, is) => write!(f, "{name} {was:#x} became {is:#x}"),
            How::Bit(bit, true) => write!(f, "{bit:#06x} was set in some word"),
            How::Bit(bit, false) => write!(f, "{bit:#06x} was cleared in some word"),
            How::Byte { high, by } => {
                let which = if *high { "first" } else { "second" };
                write!(f, "the {which} byte of some word changed by {by:+}")
            }
            How::At(offset, xor) => write!(f, "bits {xor:#04x} of the byte at {offset}"),
            How::Again { by, packets } => {
                let sign = if *by < 0 { '-' } else { '+' };
                let by = by.unsigned_abs();
                write!(f, "{sign}{by:#06x}, {packets} in a row")
            }
        }
    }
}

/// All hypotheses, in the order in which they are tried.
///
/// packet/causes.md has the number of values that each one predicts, out of the 65,535 wrong values
/// of a field. Most predict one value, so a random value fits them with a probability of 0.0015 %.
/// `one byte changed` predicts 1,018 values, so it fits one random value in 64.
/// [`Hypothesis::values`] counts them.
pub static HYPOTHESES: &[Hypothesis] = &[
    sum("0xffff for 0x0000", computed::negative_zero),
    any("nothing stored", computed::zeroed),
    sum("left to the network card", computed::offload),
    sum("inner one left to the card", computed::offload_within),
    sum("address changed", changed::rewritten),
    any("not complemented", computed::not_complemented),
    any("bytes in the wrong order", computed::byte_swapped),
    sum("without pseudo-header", computed::no_pseudo_header),
    sum("next hop for destination", computed::next_hop),
    sum("another length", computed::wrong_length),
    sum("padding summed", computed::padding),
    crc("Adler-32", crc::adler_32),
    sum("header changed", changed::header),
    sum("the difference of its flow", row::same_difference),
    sum("one bit flipped", changed::one_bit).counted(changed::one_bit_values),
    sum("without the carries", computed::no_carry),
    sum("one byte changed", changed::one_byte).counted(changed::one_byte_values),
    crc("one byte or bit changed", crc::one_byte).counted(crc::one_byte_values),
];

const fn any(what: &'static str, predict: Predict) -> Hypothesis {
    Hypothesis {
        what,
        only: None,
        predict,
        count: None,
    }
}

const fn sum(what: &'static str, predict: Predict) -> Hypothesis {
    Hypothesis {
        what,
        only: Some(Algorithm::Internet),
        predict,
        count: None,
    }
}

const fn crc(what: &'static str, predict: Predict) -> Hypothesis {
    Hypothesis {
        what,
        only: Some(Algorithm::Crc32c),
        predict,
        count: None,
    }
}

impl Hypothesis {
    /// Returns whether the hypothesis applies to fields of this algorithm.
    #[must_use]
    pub fn is_of(&self, algorithm: Algorithm) -> bool {
        self.only
            .is_none_or(|only| only == algorithm || only.is_sum() && algorithm.is_sum())
    }

    /// Returns the values that the hypothesis predicts for a field. The list is empty where the
    /// hypothesis does not apply to the field. It is also empty where a hypothesis has too many
    /// values to list, and none of them is the value of the field.
    #[must_use]
    pub fn predictions(&self, evidence: &Evidence<'_>) -> Vec<Prediction> {
        let mut all = Vec::new();
        (self.predict)(evidence, &mut |prediction| all.push(prediction));
        all
    }

    /// Returns how many of the wrong values of a field ([`Evidence::wrong_values`]) fit the
    /// hypothesis. So a random wrong value fits by chance once in `wrong_values() / values()`
    /// times. For a CRC the number is an upper limit.
    #[must_use]
    pub fn values(&self, evidence: &Evidence<'_>) -> u64 {
        if let Some(count) = self.count {
            return count(evidence);
        }
        let predictions = self.predictions(evidence).into_iter();
        let values = predictions.map(|prediction| prediction.value);
        let wrong: BTreeSet<_> = values.filter(|&value| value != evidence.expected).collect();
        wrong.len() as u64
    }

    const fn counted(mut self, count: fn(&Evidence<'_>) -> u64) -> Hypothesis {
        self.count = Some(count);
        self
    }
}

/// Returns the cause of a bad checksum.
pub(crate) fn of(evidence: &Evidence<'_>) -> Cause {
    let algorithm = evidence.field.algorithm;
    for hypothesis in HYPOTHESES.iter().filter(|h| h.is_of(algorithm)) {
        let mut cause = None;
        (hypothesis.predict)(evidence, &mut |prediction| {
            if cause.is_none() && prediction.value == evidence.found {
                cause = Some(prediction.cause);
            }
        });
        if let Some(cause) = cause {
            return cause;
        }
    }
    Cause::Unknown
}

/// The facts about a field that can be judged.
pub struct Evidence<'a> {
    /// The captured bytes of the frame.
    pub data: &'a [u8],
    /// The field in that frame.
    pub field: &'a Field,
    /// The value that the field holds.
    pub found: u32,
    /// The value that the field should hold.
    pub expected: u32,
    /// The cause that the packets before tell, and for how many packets in a row. `None` if the
    /// packet is judged alone.
    row: Option<(Cause, u64)>,
}

impl<'a> Evidence<'a> {
    /// Makes the evidence, if all bytes that the field covers were captured.
    #[must_use]
    pub fn new(data: &'a [u8], field: &'a Field) -> Option<Evidence<'a>> {
        Some(Evidence {
            data,
            field,
            found: found(data, field)?,
            expected: expected(data, field)?,
            row: None,
        })
    }

    /// Adds what the packets before tell: the cause and the
    /// [`streak`](crate::Verdict::streak) of a verdict of [`Flows`](crate::Flows).
    #[must_use]
    pub fn in_a_row(self, cause: Option<Cause>, packets: u64) -> Evidence<'a> {
        let cause = cause.filter(|cause| cause.is_of_flow());
        Evidence {
            row: cause.map(|cause| (cause, packets)),
            ..self
        }
    }

    /// Makes the evidence of a packet that is judged alone, from values that are known.
    pub(crate) fn alone(
        data: &'a [u8],
        field: &'a Field,
        found: u32,
        expected: u32,
    ) -> Evidence<'a> {
        Evidence {
            data,
            field,
            found,
            expected,
            row: None,
        }
    }

    /// Returns the sum of the pseudo-header and of everything that the field covers, except the
    /// field itself. Returns `None` for a CRC.
    fn sum(&self) -> Option<Sum> {
        self.field
            .algorithm
            .is_sum()
            .then(|| Checksum::from_value(self.expected as u16).sum())
    }

    /// Returns the sum of everything that the field covers, except the field itself, without the
    /// pseudo-header. Returns `None` if there is no pseudo-header.
    fn body(&self) -> Option<Sum> {
        let pseudo = self.field.pseudo.as_ref()?;
        Some(self.sum()? - pseudo_sum(pseudo, pseudo.len))
    }

    /// Returns the value that this field holds if the rest of what it covers has this sum.
    fn stored(&self, sum: Sum) -> u32 {
        stored(self.field, sum)
    }

    /// Returns the packet as a frame that begins with its network header, and the offset of that
    /// header in the frame.
    fn packet(&self) -> Option<(Frame<'a>, usize)> {
        let start = self.field.network.as_ref()?.start;
        let link_type = match self.field.addresses? {
            Addresses::V4 { .. } => LinkType::IPV4,
            Addresses::V6 { .. } => LinkType::IPV6,
        };
        Some((Frame::new(link_type, self.data.get(start..)?), start))
    }

    /// Returns by how much the sum of the covered bytes grew after the checksum was computed, if
    /// the checksum was right then: the sum now minus the sum before, from 1 to 65,534. Returns
    /// `None` for a CRC.
    #[must_use]
    pub fn delta(&self) -> Option<u16> {
        (self.field.algorithm.is_sum() && self.found != self.expected)
            .then(|| difference(self.found, self.expected))
    }

    /// Returns [`Evidence::delta`] as the number with the smaller absolute value, from -32,767 to
    /// 32,767.
    #[must_use]
    pub fn change(&self) -> Option<i32> {
        self.delta().map(|delta| match delta {
            0..=0x7fff => delta.into(),
            _ => i32::from(delta) - 0xffff,
        })
    }

    /// Returns the number of wrong values of a field of this width: 65,535 of a sum.
    #[must_use]
    pub fn wrong_values(&self) -> u64 {
        (1 << (8 * self.field.algorithm.width())) - 1
    }

    /// Returns how many of the wrong values differ from the expected one in a way that `fits`.
    fn count(&self, fits: impl Fn(u16) -> bool) -> u64 {
        let wrong = (0..=0xffff).filter(|&found| found != self.expected);
        let fitting = wrong.filter(|&found| fits(difference(found, self.expected)));
        fitting.count() as u64
    }
}

/// Returns the value found minus the value expected, in one's complement, from 0 to 65,534.
pub(crate) fn difference(found: u32, expected: u32) -> u16 {
    ((found + 0xffff - expected) % 0xffff) as u16
}
