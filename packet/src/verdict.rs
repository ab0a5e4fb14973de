// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verdict on a checksum field. It never parses: the walk has said where everything is.

use std::fmt;

use wiresum::{Sum, ipv4, pseudo};

use crate::cause::{self, Cause, Evidence};
use crate::walk::{Addresses, Algorithm, Also, Field, Pseudo, Zero};
use crate::{Flags, Frame, Protocol};

/// What is to be said of a checksum field: the words of Wireshark, with its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// It is right.
    Good,
    /// It is wrong, and why.
    Bad(Cause),
    /// It cannot be told, and why not.
    Unverified(Reason),
    /// The sender did not compute one: UDP over IPv4 with 0x0000 (RFC 768).
    Absent,
    /// A value that no sender may send: UDP over IPv6 with 0x0000 (RFC 8200 section 8.1).
    Illegal,
}

impl Status {
    /// Returns its word: `good`, `bad`, `unverified`, `absent`, `illegal`. It never changes.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Status::Good => "good",
            Status::Bad(_) => "bad",
            Status::Unverified(_) => "unverified",
            Status::Absent => "absent",
            Status::Illegal => "illegal",
        }
    }
}

/// Why a checksum cannot be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reason {
    /// Not all that it covers was captured.
    Snapped,
    /// It covers a datagram of which this frame holds a fragment.
    Fragment,
    /// It covers a packet of which an ICMP error quotes only the beginning.
    Quote,
    /// The length or checksum coverage in its header goes past the end of the packet, or is one that it cannot have.
    Length,
}

impl Reason {
    /// Returns its name in every output. It never changes.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Reason::Snapped => "snapped",
            Reason::Fragment => "fragment",
            Reason::Quote => "quote",
            Reason::Length => "length",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}

/// The verdict on one field. The numbers are as protocol documents print them: 0x1c46 for the bytes 1C 46. They have as many bytes as
/// the field's [`Algorithm::width`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What is to be said of it.
    pub status: Status,
    /// What the field holds, if that was captured.
    pub found: Option<u32>,
    /// What it should hold; told where the status is bad or illegal.
    pub expected: Option<u32>,
}

impl Verdict {
    /// Returns why it is bad, or illegal, as far as that can be told.
    #[must_use]
    pub fn cause(&self) -> Option<Cause> {
        match self.status {
            Status::Bad(cause) => Some(cause),
            Status::Illegal if self.expected == Some(0xffff) => Some(Cause::UdpZero),
            _ => None,
        }
    }
}

/// Judges a field of a frame, with what the capturing system says of that: where its flags tell that the checksum was not computed yet,
/// a bad one is due to offload, whatever it holds.
#[must_use]
pub fn judge_frame(frame: &Frame<'_>, field: &Field) -> Verdict {
    judge(frame.data, field).with_flags(field, frame.flags)
}

impl Verdict {
    pub(crate) fn with_flags(mut self, field: &Field, flags: Option<Flags>) -> Verdict {
        let of_offload = |cause| matches!(cause, Cause::Offload { .. } | Cause::OffloadWithin);
        if let Status::Bad(cause) = self.status
            && let Some(flags) = flags
            && flags.has(Flags::CHECKSUM_NOT_READY)
            && field.protocol.is_offloaded()
            && !field.quoted
            && !of_offload(cause)
        {
            self.status = Status::Bad(Cause::Offload { with_length: true });
        }
        self
    }
}

/// Judges a field of a frame of which `data` was captured.
#[must_use]
pub fn judge(data: &[u8], field: &Field) -> Verdict {
    let Some(found) = found(data, field) else {
        let reason = field.unverified.unwrap_or(Reason::Snapped);
        return Verdict {
            status: Status::Unverified(reason),
            found: None,
            expected: None,
        };
    };
    let verdict = |status, expected| Verdict {
        status,
        found: Some(found),
        expected,
    };

    match (found, field.zero) {
        (0, Zero::Absent) => return verdict(Status::Absent, None),
        (0, Zero::Illegal) => return verdict(Status::Illegal, expected(data, field)),
        _ => {}
    }
    let covered = match (field.unverified, data.get(field.covers.clone())) {
        (None, Some(covered)) => covered,
        (reason, _) => {
            return verdict(Status::Unverified(reason.unwrap_or(Reason::Snapped)), None);
        }
    };
    let right = match field.algorithm {
        Algorithm::Internet => {
            adds_up(data, covered, field).map(|right| right && !is_tcp_negative_zero(field, found))
        }
        Algorithm::Crc32c => Some(expected(data, field) == Some(found)),
    };
    let Some(right) = right else {
        return verdict(Status::Unverified(Reason::Snapped), None);
    };
    if right {
        return verdict(Status::Good, None);
    }
    let Some(expected) = expected(data, field) else {
        return verdict(Status::Bad(Cause::Unknown), None); // never: all that is covered is there
    };
    let evidence = Evidence {
        data,
        field,
        found,
        expected,
    };
    verdict(Status::Bad(cause::of(&evidence)), Some(expected))
}

/// What the field holds, if it was captured.
pub(crate) fn found(data: &[u8], field: &Field) -> Option<u32> {
    let bytes = data.get(field.bytes())?;
    Some(
        bytes
            .iter()
            .fold(0, |value, &byte| value << 8 | u32::from(byte)),
    )
}

/// Whether the field is one whose sum comes out right, but that Wireshark calls bad. In UDP 0xFFFF is what is due, and in the others
/// Wireshark lets it pass, as all receivers do.
fn is_tcp_negative_zero(field: &Field, found: u32) -> bool {
    field.protocol == Protocol::Tcp && found == 0xffff
}

/// Whether what the field covers, the field in it, has the sum that right data have. None if it has not, but might in the other way in
/// which it may be computed, for which not all was captured.
fn adds_up(data: &[u8], covered: &[u8], field: &Field) -> Option<bool> {
    let pseudo = |len| {
        field
            .pseudo
            .as_ref()
            .map_or(Sum::ZERO, |pseudo| pseudo_sum(pseudo, len))
    };
    let len = field.pseudo.map_or(0, |pseudo| pseudo.len);
    let sum = match &field.hole {
        None if field.protocol == Protocol::Ipv4 => return Some(ipv4::header_ok(covered)),
        None => Sum::of(covered),
        Some(hole) => wiresum::gather(&[
            data.get(field.covers.start..hole.start)?,
            data.get(hole.end..field.covers.end)?,
        ]),
    };
    if (sum + pseudo(len)).is_ok() {
        return Some(true);
    }
    Some(match field.also {
        None => false,
        Some(Also::WithoutPseudo) => sum.is_ok(),
        Some(Also::UpTo(end)) => {
            let covered = data.get(field.covers.start..end)?;
            (Sum::of(covered) + pseudo(covered.len() as u32)).is_ok()
        }
    })
}

/// What the field should hold, if all that it covers is there.
pub(crate) fn expected(data: &[u8], field: &Field) -> Option<u32> {
    if field.unverified.is_some() {
        return None;
    }
    let hole = field
        .hole
        .clone()
        .unwrap_or(field.covers.end..field.covers.end);
    let bytes = field.bytes();
    let pieces = [
        data.get(field.covers.start..bytes.start)?,
        &[0; 4][..bytes.len()],
        data.get(bytes.end..hole.start)?,
        data.get(hole.end..field.covers.end)?,
    ];
    if field.algorithm == Algorithm::Crc32c {
        let crc = pieces
            .iter()
            .fold(0, |crc, piece| crc32c::crc32c_append(crc, piece));
        return Some(crc.swap_bytes()); // the wire has its low byte first (RFC 9260 appendix A)
    }
    let pseudo = field
        .pseudo
        .as_ref()
        .map_or(Sum::ZERO, |pseudo| pseudo_sum(pseudo, pseudo.len));
    Some(stored(field, wiresum::gather(&pieces) + pseudo))
}

/// What a field holds if all that it covers, the field left out, has this sum.
pub(crate) fn stored(field: &Field, sum: Sum) -> u32 {
    let checksum = match field.zero {
        Zero::Checksum => sum.checksum(),
        Zero::Absent | Zero::Illegal => sum.checksum().udp(),
    };
    checksum.value().into()
}

/// The sum of a pseudo-header, with a length of the caller's choice.
pub(crate) fn pseudo_sum(of: &Pseudo, len: u32) -> Sum {
    match of.addresses {
        Addresses::V4 {
            source,
            destination,
        } => {
            // What segmentation offload leaves is longer than 16 bits can say; its sender adds all of it up.
            let sum = pseudo::ipv4(
                source.octets(),
                destination.octets(),
                of.protocol,
                len as u16,
            );
            sum + Sum::from_value((len >> 16) as u16)
        }
        Addresses::V6 {
            source,
            destination,
        } => pseudo::ipv6(source.octets(), destination.octets(), of.protocol, len),
    }
}
