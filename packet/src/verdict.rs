// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verdict on a checksum field. It never parses: the walk has said where everything is.

use std::fmt;

use wiresum::{Checksum, Stream, Sum, ipv4, pseudo};

use crate::Protocol;
use crate::cause::{self, Cause};
use crate::walk::{Addresses, Field, Pseudo};

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
    /// The length in its header goes past the end of the packet.
    Length,
}

impl Reason {
    /// Returns its name in every output. It never changes.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Reason::Snapped => "snapped",
            Reason::Fragment => "fragment",
            Reason::Length => "length",
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.key())
    }
}

/// The verdict on one field. The numbers are as protocol documents print them: 0x1c46 for the bytes 1C 46.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// What is to be said of it.
    pub status: Status,
    /// What the field holds, if that was captured.
    pub found: Option<u16>,
    /// What it should hold; told where the status is bad or illegal.
    pub expected: Option<u16>,
}

/// Judges a field of a frame of which `data` was captured.
#[must_use]
pub fn judge(data: &[u8], field: &Field) -> Verdict {
    let found = data
        .get(field.offset..)
        .and_then(|rest| rest.first_chunk::<2>());
    let Some(found) = found.copied().map(Checksum::from_wire) else {
        let reason = field.unverified.unwrap_or(Reason::Snapped);
        return Verdict {
            status: Status::Unverified(reason),
            found: None,
            expected: None,
        };
    };
    let verdict = |status, expected: Option<Checksum>| Verdict {
        status,
        found: Some(found.value()),
        expected: expected.map(Checksum::value),
    };

    if field.protocol == Protocol::Udp && found.is_udp_absent() {
        return match field.addresses {
            Addresses::V4 { .. } => verdict(Status::Absent, None),
            Addresses::V6 { .. } => verdict(Status::Illegal, expected(data, field)),
        };
    }
    let covered = match (field.unverified, data.get(field.covers.clone())) {
        (None, Some(covered)) => covered,
        (reason, _) => {
            return verdict(Status::Unverified(reason.unwrap_or(Reason::Snapped)), None);
        }
    };
    if adds_up(covered, field) && !is_tcp_negative_zero(field, found) {
        return verdict(Status::Good, None);
    }
    let expected = expected(data, field);
    verdict(Status::Bad(cause::of(data, field, found)), expected)
}

/// Whether the field is one whose sum comes out right, but that Wireshark calls bad. In UDP 0xFFFF is what is due, and in the others
/// Wireshark lets it pass, as all receivers do.
fn is_tcp_negative_zero(field: &Field, found: Checksum) -> bool {
    field.protocol == Protocol::Tcp && found.value() == 0xffff
}

/// Whether what the field covers, the field in it, has the sum that right data have.
fn adds_up(covered: &[u8], field: &Field) -> bool {
    match &field.pseudo {
        None if field.protocol == Protocol::Ipv4 => ipv4::header_ok(covered),
        None => wiresum::ok(covered),
        Some(pseudo) => (pseudo_sum(pseudo, pseudo.len) + Sum::of(covered)).is_ok(),
    }
}

/// What the field should hold, if all that it covers is there.
pub(crate) fn expected(data: &[u8], field: &Field) -> Option<Checksum> {
    if field.unverified.is_some() {
        return None;
    }
    let before = data.get(field.covers.start..field.offset)?;
    let after = data.get(field.offset + 2..field.covers.end)?;
    let mut stream = Stream::new();
    stream.push(before).push(&[0, 0]).push(after);
    let checksum = match &field.pseudo {
        None => stream.sum(),
        Some(pseudo) => stream.sum() + pseudo_sum(pseudo, pseudo.len),
    }
    .checksum();
    Some(if field.protocol == Protocol::Udp {
        checksum.udp()
    } else {
        checksum
    })
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
