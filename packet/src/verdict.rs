// SPDX-License-Identifier: MIT OR Apache-2.0
//! The verdict on a checksum field. This module never parses: the walk has said where everything
//! is.

use wiresum::{Sum, ipv4};

use crate::cause::{self, Cause, Evidence};
use crate::sums::{expected, found, pseudo_sum, stored, with_last_byte};
use crate::walk::{Algorithm, Field, Reason, Zero};
use crate::{Flags, Frame, Protocol};

/// The status of a checksum field. The words and their meaning come from Wireshark.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Status {
    /// The checksum is right.
    Good,
    /// The checksum is wrong, for this cause.
    Bad(Cause),
    /// The checksum cannot be judged, for this reason.
    Unverified(Reason),
    /// The sender computed no checksum, as it may: the field holds 0x0000, in UDP over IPv4 (RFC
    /// 768) or in another protocol that gives this value that meaning ([`Zero::Absent`]). Or no
    /// value has a meaning, because something has taken the place of the checksum
    /// ([`Zero::Unused`]).
    Absent,
    /// The field holds a value that no sender may send: 0x0000 in UDP over IPv6 (RFC 8200 section
    /// 8.1), except in tunnels, and in UDP-Lite (RFC 3828 section 3.1).
    Illegal,
}

impl Status {
    /// Returns the word for the status: `good`, `bad`, `unverified`, `absent` or `illegal`. The
    /// word never changes.
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

/// The verdict on one field. The numbers are in the notation of protocol documents: 0x1c46 for the
/// bytes 1C 46. Each number has as many bytes as the field's [`Algorithm::width`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The status of the field.
    pub status: Status,
    /// The value that the field holds, if the field was captured.
    pub found: Option<u32>,
    /// The value that the field should hold, where the status is bad or illegal.
    pub expected: Option<u32>,
    /// For how many checksums in a row, this one included, the flow has been wrong by the same
    /// amount, if [`Flows`](crate::Flows) judged it; otherwise 0.
    pub streak: u64,
}

impl Verdict {
    /// Returns the cause for which the field is bad, or illegal where the cause is known.
    #[must_use]
    pub fn cause(&self) -> Option<Cause> {
        match self.status {
            Status::Bad(cause) => Some(cause),
            Status::Illegal if self.expected == Some(0xffff) => Some(Cause::UdpZero),
            _ => None,
        }
    }
}

/// Judges a field of a frame, and takes the frame's flags into account: where they say that the
/// checksum was not computed yet, a bad checksum is due to offload, whatever value the field holds.
#[must_use]
#[inline]
pub fn judge_frame(frame: &Frame<'_>, field: &Field) -> Verdict {
    let mut verdict = judge(frame.data, field);
    verdict.heed(frame.flags, field);
    verdict
}

impl Verdict {
    /// Takes the flags of the frame into account, as [`judge_frame`] says.
    #[inline]
    pub(crate) fn heed(&mut self, flags: Option<Flags>, field: &Field) {
        if let Some(flags) = flags
            && let Status::Bad(cause) = self.status
            && flags.has(Flags::CHECKSUM_NOT_READY)
            && field.protocol.is_offloaded()
            && !field.quoted
            && !cause.is_offload()
        {
            self.status = Status::Bad(Cause::Offload);
        }
    }
}

/// Judges a field of a frame of which `data` was captured.
///
/// ```
/// use wiresum_packet::{Cause, Found, Frame, LinkType, Status, judge, walk};
///
/// let mut header = [
///     0x45, 0, 0, 0x73, 0, 0, 0x40, 0, 0x40, 0x11, 0xb8, 0x61, 192, 168, 0, 1, 192, 168, 0, 199,
/// ];
/// header[8] = 0x3f; // a router that forgot the checksum
/// let mut verdict = None;
/// walk(&Frame::new(LinkType(101), &header), |what| {
///     if let Found::Field(field) = what {
///         verdict.get_or_insert(judge(&header, &field));
///     }
/// });
/// let verdict = verdict.expect("the header has a checksum");
/// assert_eq!(verdict.status, Status::Bad(Cause::HeaderChanged));
/// assert_eq!((verdict.found, verdict.expected), (Some(0xb861), Some(0xb961)));
/// ```
#[must_use]
pub fn judge(data: &[u8], field: &Field) -> Verdict {
    let Some(found) = found(data, field) else {
        let reason = field.unverified.unwrap_or(Reason::Snapped);
        return Verdict {
            status: Status::Unverified(reason),
            found: None,
            expected: None,
            streak: 0,
        };
    };
    let verdict = |status, expected| Verdict {
        status,
        found: Some(found),
        expected,
        streak: 0,
    };

    match (found, field.zero) {
        (0, Zero::Absent) | (_, Zero::Unused) => return verdict(Status::Absent, None),
        (0, Zero::Illegal) => return verdict(Status::Illegal, expected(data, field)),
        _ => {}
    }
    let covered = match (field.unverified, data.get(field.covers.clone())) {
        (None | Some(Reason::Addresses), Some(covered)) => covered,
        (reason, _) => {
            return verdict(Status::Unverified(reason.unwrap_or(Reason::Snapped)), None);
        }
    };
    let expected = match field.algorithm {
        Algorithm::Internet | Algorithm::Cisco => match sum(data, covered, field, found) {
            Some(Summed::Right) => return verdict(Status::Good, None),
            Some(Summed::Wrong(_)) if field.unverified.is_some() => {
                return verdict(Status::Unverified(Reason::Addresses), None);
            }
            Some(Summed::Wrong(sum)) => expected_of(data, field, found, sum),
            None => return verdict(Status::Unverified(Reason::Snapped), None),
        },
        Algorithm::Crc32c | Algorithm::Fletcher => match expected(data, field) {
            Some(expected) if expected == found => return verdict(Status::Good, None),
            expected => expected,
        },
    };
    bad(data, field, found, expected)
}

/// Returns the value that the field should hold, given the sum over everything that the field
/// covers, the field included: that sum minus the field. Where the difference is 0xFFFF, it may
/// stand for 0x0000 too, and only a second sum over the bytes can tell.
#[cold]
fn expected_of(data: &[u8], field: &Field, found: u32, sum: Sum) -> Option<u32> {
    let rest = sum - Sum::from_value(found as u16);
    match rest.value() {
        0xffff => expected(data, field),
        _ => Some(stored(field, rest)),
    }
}

#[cold]
fn bad(data: &[u8], field: &Field, found: u32, expected: Option<u32>) -> Verdict {
    let cause = expected.map_or(Cause::Unknown, |expected| {
        cause::of(&Evidence::alone(data, field, found, expected))
    });
    Verdict {
        status: Status::Bad(cause),
        found: Some(found),
        expected, // never None: all covered bytes were captured
        streak: 0,
    }
}

/// The result of a sum over everything that a field covers, the field included.
enum Summed {
    Right,
    /// The sum, with the pseudo-header, is this one.
    Wrong(Sum),
}

/// Sums everything that the field covers, the field included. Returns `None` if this sum is wrong,
/// and the second way to compute the checksum ([`Also`]) needs bytes that were not captured.
fn sum(data: &[u8], covered: &[u8], field: &Field, found: u32) -> Option<Summed> {
    // The IPv4 header is the most frequent field, and short. Its own function costs less than a
    // call.
    if field.protocol == Protocol::Ipv4 && ipv4::header_ok(covered) {
        return Some(Summed::Right);
    }
    let pseudo = |field: &Field| {
        let pseudo = field.pseudo.as_ref();
        pseudo.map_or(Sum::ZERO, |pseudo| pseudo_sum(pseudo, pseudo.len))
    };
    let sum = match &field.hole {
        None => Sum::of(covered),
        Some(hole) => wiresum::gather(&[
            data.get(field.covers.start..hole.start)?,
            data.get(hole.end..field.covers.end)?,
        ]),
    };
    let whole = with_last_byte(sum, data, field) + pseudo(field);
    // Wireshark calls a TCP field of 0xFFFF bad, although its sum comes out right. In UDP that
    // value is due. In all other protocols Wireshark accepts it, as all receivers do.
    if whole.is_ok() {
        return Some(if field.protocol == Protocol::Tcp && found == 0xffff {
            Summed::Wrong(whole)
        } else {
            Summed::Right
        });
    }
    let right = match field.otherwise() {
        None => false,
        Some(other) => (Sum::of(data.get(other.covers.clone())?) + pseudo(&other)).is_ok(),
    };
    Some(if right {
        Summed::Right
    } else {
        Summed::Wrong(whole)
    })
}
