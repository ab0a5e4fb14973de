// SPDX-License-Identifier: MIT OR Apache-2.0
//! The network layer of OSI: CLNP (ISO 8473), ES-IS (ISO 9542) and IS-IS (ISO 10589), told apart by
//! their first byte. Their checksums are Fletcher's, and 0 means "not computed".

use super::{Algorithm, Area, Reason, Walk, Zero, be16};
use crate::Protocol;

/// The service access point of OSI in logical link control. A frame of OSI has it twice.
pub(super) const LLC: u8 = 0xfe;

pub(super) fn packet(walk: &mut Walk<'_>, area: Area) {
    const CLNP: u8 = 0x81;
    const ES_IS: u8 = 0x82;
    const IS_IS: u8 = 0x83;
    let Some(&[first, len]) = walk.peek(area.start) else {
        return;
    };
    let header = area.start..area.start + usize::from(len);
    match first {
        CLNP => field(walk, Protocol::Clnp, area, header, 7, Zero::Absent),
        ES_IS => field(walk, Protocol::EsIs, area, header, 7, Zero::Absent),
        IS_IS => link_state(walk, area),
        _ => {}
    }
}

/// Reports the checksum of a link state PDU, which covers it from its identifier on. Other PDUs of
/// IS-IS have no checksum of their own. A PDU without a lifetime lacks the bytes after its header,
/// but has the checksum of the whole PDU, which says nothing of what is left.
fn link_state(walk: &mut Walk<'_>, area: Area) {
    const LEVEL_1: u8 = 18;
    const LEVEL_2: u8 = 20;
    const IDENTIFIER: usize = 12;
    let Some(header) = walk.peek::<12>(area.start) else {
        return;
    };
    let system = match header[3] {
        0 => 6,
        255 => 0,
        len => usize::from(len),
    };
    let (len, lifetime) = (usize::from(be16(header, 8)), be16(header, 10));
    if matches!(header[4] & 0x1f, LEVEL_1 | LEVEL_2) && len > IDENTIFIER {
        let covers = area.start + IDENTIFIER..area.start + len;
        let zero = match lifetime {
            0 => Zero::Unused,
            _ => Zero::Absent,
        };
        field(walk, Protocol::IsIs, area, covers, system + 6, zero);
    }
}

/// Reports the checksum at an offset of the bytes that it covers.
fn field(
    walk: &mut Walk<'_>,
    protocol: Protocol,
    area: Area,
    covers: Area,
    offset: usize,
    zero: Zero,
) {
    if covers.len() < offset + 2 || area.len() < offset + 2 + (covers.start - area.start) {
        return walk.short("OSI header that ends before its checksum");
    }
    let present = covers.start..covers.end.min(area.end);
    let mut field = walk.checksum(protocol, &present, offset, present.end);
    if covers.end > area.end {
        field.unverified = field.unverified.or(Some(Reason::Length));
    }
    field.algorithm = Algorithm::Fletcher;
    field.zero = zero;
    walk.field(&field);
}
