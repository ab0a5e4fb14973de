// SPDX-License-Identifier: MIT OR Apache-2.0
//! GRE: RFC 2784, with the key and sequence number of RFC 2890, the routing of RFC 1701, and
//! version 1 of PPTP (RFC 2637). A receiver ignores reserved bits (RFC 2784 section 2.3). ERSPAN is
//! Cisco's mirrored Ethernet over GRE, whose header depends on the sequence number.

use super::transport::Payload;
use super::{Area, Obstacle, Walk, be16, cdp, ethernet, link, nhrp, osi, wlan};
use crate::Protocol;

const CHECKSUM: usize = 4;
const ERSPAN: u16 = 0x88be;
const ERSPAN_III: u16 = 0x22eb;
const WCCP: u16 = 0x883e;
const EOIP: u16 = 0x6400; // MikroTik's Ethernet over IP
const ARUBA_FIRST: u16 = 0x8200; // 802.11 frames, one number for each access point's radio
const ARUBA_LAST: u16 = 0x8370;
const OSI: u16 = 0x00fe;
const NHRP: u16 = 0x2001; // in Ethernet frames, this number is another protocol's

pub(super) fn packet(walk: &mut Walk<'_>, payload: Payload) {
    const HAS_CHECKSUM: u8 = 0x80;
    const HAS_ROUTING: u8 = 0x40;
    const HAS_KEY: u8 = 0x20;
    const HAS_SEQUENCE: u8 = 0x10;
    const HAS_ACKNOWLEDGMENT: u8 = 0x80; // in the second byte, in version 1 only
    let area = payload.area.clone();
    let cut_short = "GRE header cut short";
    let Some(header) = walk.header::<4>(&area, cut_short) else {
        return;
    };
    let (flags, version, protocol) = (header[0], header[1] & 0x07, be16(header, 2));
    if version > 1 {
        return walk.obstacle(Obstacle::Encapsulation("GRE"));
    }
    let word = |present: bool| if present { 4 } else { 0 };
    let len = 4
        + word(flags & (HAS_CHECKSUM | HAS_ROUTING) != 0)
        + word(flags & HAS_KEY != 0)
        + word(flags & HAS_SEQUENCE != 0)
        + word(version == 1 && header[1] & HAS_ACKNOWLEDGMENT != 0);
    if len > area.len() {
        return walk.short(cut_short);
    }
    if flags & HAS_CHECKSUM != 0 {
        let field = payload.field(walk, Protocol::Gre, CHECKSUM, area.end);
        walk.field(&field);
    }
    walk.place.tunnel = Some("GRE");
    let mut area = area.start + len..area.end;
    if flags & HAS_ROUTING != 0 && !pass_routing(walk, &mut area) {
        return;
    }
    match protocol {
        ERSPAN if flags & HAS_SEQUENCE == 0 => ethernet::frame(walk, area), // type I has no header
        _ => carried(walk, protocol, area),
    }
}

/// Walks what a protocol type of GRE announces. Most of these are EtherTypes.
pub(super) fn carried(walk: &mut Walk<'_>, protocol: u16, area: Area) {
    match protocol {
        ERSPAN | ERSPAN_III => erspan(walk, area),
        ARUBA_FIRST..=ARUBA_LAST if protocol & 0x0f == 0 => wlan::frame(walk, area),
        EOIP => ethernet::frame(walk, area),
        OSI => osi::packet(walk, area),
        NHRP => nhrp::packet(walk, area),
        cdp::NUMBER => cdp::packet(walk, area),
        WCCP => web_cache(walk, area),
        ethernet::METADATA => metadata(walk, area),
        _ => ethernet::ethertype(walk, protocol, area),
    }
}

/// Skips the source route entries of RFC 1701. An entry is an address family, an offset, a length
/// and data. The last entry has neither family nor length.
fn pass_routing(walk: &mut Walk<'_>, area: &mut Area) -> bool {
    loop {
        let Some(&[family_high, family_low, _, len]) =
            walk.header::<4>(area, "GRE routing cut short")
        else {
            return false;
        };
        area.start = area.end.min(area.start + 4 + usize::from(len));
        if [family_high, family_low, len] == [0, 0, 0] {
            return true;
        }
    }
}

/// Walks ERSPAN types II and III, which differ in their first four bits (draft-foschiano-erspan).
/// Type III says what kind of frame it carries.
fn erspan(walk: &mut Walk<'_>, area: Area) {
    const PLATFORM_SUBHEADER: u8 = 0x01;
    const ETHERNET: u8 = 0;
    const IP: u8 = 2;
    let Some(header) = walk.header::<8>(&area, "ERSPAN header cut short") else {
        return;
    };
    let (len, kind) = match header[0] >> 4 {
        1 => (8, ETHERNET),
        2 => match walk.peek(area.start + 10) {
            Some(&[kind, last]) if last & PLATFORM_SUBHEADER != 0 => (20, kind >> 2 & 0x1f),
            Some(&[kind, _]) => (12, kind >> 2 & 0x1f),
            None => return,
        },
        _ => return walk.obstacle(Obstacle::Encapsulation("ERSPAN")),
    };
    if area.len() > len {
        let area = area.start + len..area.end;
        match kind {
            ETHERNET => ethernet::frame(walk, area),
            IP => link::raw(walk, area),
            _ => walk.obstacle(Obstacle::Encapsulation("ERSPAN")),
        }
    }
}

/// Walks a packet with Cisco metadata. In GRE the protocol type of the packet comes first; in
/// Ethernet frames the EtherType comes last.
fn metadata(walk: &mut Walk<'_>, area: Area) {
    if let Some(header) = walk.header::<8>(&area, "Cisco metadata cut short")
        && walk.enter_link()
    {
        carried(walk, be16(header, 0), area.start + 8..area.end);
    }
}

/// Walks a packet that WCCP redirected to a web cache. Version 2 of WCCP puts four bytes before the
/// packet, version 1 puts none.
fn web_cache(walk: &mut Walk<'_>, mut area: Area) {
    if let Some(&[first]) = walk.header::<1>(&area, "") {
        if first >> 4 != 4 {
            area.start = area.end.min(area.start + 4);
        }
        ethernet::ethertype(walk, ethernet::IPV4, area);
    }
}
