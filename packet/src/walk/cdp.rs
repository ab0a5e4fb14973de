// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Cisco Discovery Protocol: a version, a time to live, a checksum, and fields that each have a
//! type and a length. On the link layer no network header is around it. UDLD (RFC 5171) has an
//! operation and flags before the same checksum.

use super::{Algorithm, Area, Walk};
use crate::Protocol;

/// The number of CDP where others have an EtherType: in SNAP, Cisco HDLC, frame relay and GRE.
pub(super) const NUMBER: u16 = 0x2000;
/// The number of UDLD in SNAP.
pub(super) const UDLD: u16 = 0x0111;
const HEADER: usize = 4;
const CHECKSUM: usize = 2;

pub(super) fn packet(walk: &mut Walk<'_>, area: Area) {
    if area.len() < HEADER {
        return walk.short("CDP or UDLD packet shorter than its header");
    }
    let mut field = walk.checksum(Protocol::Cdp, &area, CHECKSUM, area.end);
    field.algorithm = Algorithm::Cisco;
    walk.field(&field);
}
