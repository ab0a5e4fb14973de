// SPDX-License-Identifier: MIT OR Apache-2.0
//! IEEE 802.2 logical link control. IP follows a Subnetwork Access Protocol header (RFC 1042), and
//! seldom a number of its own.

use super::{Area, Obstacle, Walk, be16, cdp, ethernet, ipv4, nhrp, osi};

/// Walks a logical link control header, in an area that may end with padding.
pub(super) fn header(walk: &mut Walk<'_>, area: Area) {
    const IP: u8 = 0x06;
    const SNAP: u8 = 0xaa;
    const UNNUMBERED_INFORMATION: u8 = 0x03;
    if area.len() < 3 {
        return; // too short for an IP packet after the header
    }
    match walk.header::<3>(&area, "") {
        Some([SNAP, SNAP, UNNUMBERED_INFORMATION]) if area.len() >= 8 => {
            snap(walk, area.start + 3..area.end, 2);
        }
        Some([osi::LLC, osi::LLC, UNNUMBERED_INFORMATION]) => {
            osi::packet(walk, area.start + 3..area.end);
        }
        Some([IP, IP, UNNUMBERED_INFORMATION]) => ipv4::packet(walk, area.start + 3..area.end),
        Some(&[to, _, control]) if carries_information(control) && !has_no_checksum(to) => {
            walk.obstacle(Obstacle::ServiceAccessPoint(to));
        }
        _ => {}
    }
}

/// Returns whether data follow a control field. They do in numbered and in unnumbered information,
/// and in no supervisory or other unnumbered frame (IEEE 802.2 section 5.2).
fn carries_information(control: u8) -> bool {
    const POLL_OR_FINAL: u8 = 0x10;
    control & 0x01 == 0 || control & !POLL_OR_FINAL == 0x03
}

/// Returns whether the protocol at a service access point has no Internet checksum, and carries no
/// packet that may have one.
pub(crate) fn has_no_checksum(service_access_point: u8) -> bool {
    const NULL: u8 = 0x00;
    const SPANNING_TREE: u8 = 0x42;
    matches!(service_access_point, NULL | SPANNING_TREE)
}

/// Walks a Subnetwork Access Protocol header: an organization, and a number of that organization.
/// ATM puts two bytes of padding before a bridged frame, frame relay puts none.
pub(super) fn snap(walk: &mut Walk<'_>, area: Area, bridge_padding: usize) {
    const ENCAPSULATED_ETHERNET: [u8; 3] = [0, 0, 0];
    const BRIDGE_TUNNEL: [u8; 3] = [0, 0, 0xf8]; // IEEE 802.1H
    const CISCO: [u8; 3] = [0, 0, 0x0c];
    const IANA: [u8; 3] = [0, 0, 0x5e];
    const NHRP: u16 = 0x0003; // RFC 2332 section 5.1
    const BRIDGED: [u8; 3] = [0, 0x80, 0xc2]; // RFC 2684 section 5.3, RFC 2427 section 4.2
    let Some(header) = walk.header::<5>(&area, "SNAP header cut short") else {
        return;
    };
    let number = be16(header, 3);
    let area = area.start + 5..area.end;
    match [header[0], header[1], header[2]] {
        ENCAPSULATED_ETHERNET | BRIDGE_TUNNEL => ethernet::ethertype(walk, number, area),
        CISCO if matches!(number, cdp::NUMBER | cdp::UDLD) => cdp::packet(walk, area),
        IANA if number == NHRP => nhrp::packet(walk, area),
        BRIDGED if matches!(number, 0x0001 | 0x0007) && area.len() > bridge_padding => {
            ethernet::frame(walk, area.start + bridge_padding..area.end);
        }
        _ => walk.obstacle(Obstacle::Encapsulation("SNAP")),
    }
}
