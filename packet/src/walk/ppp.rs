// SPDX-License-Identifier: MIT OR Apache-2.0
//! PPP (RFC 1661), in HDLC-like framing (RFC 1662) or without it, and over Ethernet (RFC 2516). The
//! walk does not enter compressed or encrypted frames.

use super::{Area, Obstacle, Walk, be16, cdp, ethernet, ipv4, ipv6, link, mpls, osi};

const ADDRESS_AND_CONTROL: [u8; 2] = [0xff, 0x03];

/// Walks a frame with its address and control fields, or without them where the line compresses
/// them (RFC 1661 section 6.6).
pub(super) fn frame(walk: &mut Walk<'_>, mut area: Area) {
    if area.len() >= 2 && walk.peek(area.start) == Some(&ADDRESS_AND_CONTROL) {
        area.start += 2;
    }
    protocol(walk, area);
}

/// Walks a frame of a serial line, which carries PPP or Cisco HDLC. No protocol of PPP has the
/// number with which Cisco HDLC begins.
pub(super) fn serial(walk: &mut Walk<'_>, area: Area) {
    const CISCO_UNICAST: u8 = 0x0f;
    const CISCO_MULTICAST: u8 = 0x8f;
    match walk.peek(area.start) {
        Some([CISCO_UNICAST | CISCO_MULTICAST]) => link::cisco_hdlc(walk, area),
        _ => frame(walk, area),
    }
}

/// Walks a frame from its protocol field on. The field has two bytes, or only the second of them
/// (RFC 1661 section 6.5).
fn protocol(walk: &mut Walk<'_>, area: Area) {
    if !walk.enter_link() {
        return;
    }
    let what = "PPP frame without a protocol";
    let Some(&[first]) = walk.header::<1>(&area, what) else {
        return;
    };
    let (number, len) = if first & 1 == 1 {
        (u16::from(first), 1)
    } else {
        match walk.header::<2>(&area, what) {
            Some(&bytes) => (u16::from_be_bytes(bytes), 2),
            None => return,
        }
    };
    const ENCRYPTED: u16 = 0x0053; // RFC 1968
    const ENCRYPTED_LINK: u16 = 0x0055;
    const FIRST_CONTROL: u16 = 0x8000; // RFC 1661 section 2
    let area = area.start + len..area.end;
    match number {
        0x0021 => ipv4::packet(walk, area),
        0x0057 => ipv6::packet(walk, area),
        0x0281 | 0x0283 => mpls::packet(walk, area),
        0x0207 => cdp::packet(walk, area),
        0x0023 => osi::packet(walk, area),
        0x0031 => bridged(walk, area),
        ENCRYPTED | ENCRYPTED_LINK => walk.obstacle(Obstacle::Encrypted("PPP")),
        FIRST_CONTROL.. => {} // link control, authentication …: nothing to verify
        other => walk.obstacle(Obstacle::PppProtocol(other)),
    }
}

/// Walks a bridged Ethernet frame (RFC 3518 section 4.2), which a frame check sequence may follow.
fn bridged(walk: &mut Walk<'_>, area: Area) {
    const ETHERNET: u8 = 1;
    let Some(&[flags, kind]) = walk.header::<2>(&area, "bridged PPP frame cut short") else {
        return;
    };
    let padding = usize::from(flags & 0x0f);
    match kind {
        ETHERNET if area.len() > 2 + padding => {
            ethernet::frame(walk, area.start + 2..area.end - padding);
        }
        ETHERNET => {}
        _ => walk.obstacle(Obstacle::Encapsulation("bridged PPP")),
    }
}

/// Walks a session packet of PPP over Ethernet.
pub(super) fn over_ethernet(walk: &mut Walk<'_>, area: Area) {
    const SESSION_DATA: u8 = 0;
    let Some(header) = walk.header::<6>(&area, "PPPoE packet shorter than its header") else {
        return;
    };
    if header[1] != SESSION_DATA {
        return;
    }
    let area = area.start + 6..area.end;
    let len = usize::from(be16(header, 4));
    protocol(walk, area.start..area.end.min(area.start + len)); // padding may follow
}
