// SPDX-License-Identifier: MIT OR Apache-2.0
//! Ethernet, and the EtherTypes: they lead through tags to the network layer, or to another link
//! layer.

use super::{Area, Obstacle, Walk, be16, ipv4, ipv6, llc, mpls, ppp};

pub(crate) const IPV4: u16 = 0x0800;
pub(crate) const IPV6: u16 = 0x86dd;
pub(crate) const VLAN: u16 = 0x8100; // 802.1Q
pub(crate) const SERVICE_VLAN: u16 = 0x88a8; // 802.1ad
pub(super) const MPLS: u16 = 0x8847;
const MPLS_UPSTREAM: u16 = 0x8848;
pub(crate) const TRANSPARENT_ETHERNET: u16 = 0x6558;
const PPP: u16 = 0x880b;
const PPPOE_SESSION: u16 = 0x8864;
const MACSEC: u16 = 0x88e5;
pub(crate) const FABRIC_PATH: u16 = 0x8903;
const TRILL: u16 = 0x22f3;
const PROVIDER_BACKBONE: u16 = 0x88e7;
const ARISTA: u16 = 0xd28b;
pub(super) const METADATA: u16 = 0x8909; // Cisco
const LONG_LLC: u16 = 0x8870; // frames whose length is above 1500 (draft-ietf-isis-ext-eth)
pub(super) const NSH: u16 = 0x894f;

/// The field after the Ethernet addresses is a length up to this value, and an EtherType above it
/// (IEEE 802.3 section 3.2.6).
pub(crate) const MAX_LENGTH: u16 = 1500;

pub(super) fn frame(walk: &mut Walk<'_>, area: Area) {
    if !walk.enter_link() {
        return;
    }
    if let Some(header) = walk.header::<14>(&area, "Ethernet frame shorter than its header") {
        type_or_length(walk, be16(header, 12), area.start + 14..area.end);
    }
}

/// Walks a frame with the tag of a switch between its addresses and its EtherType.
pub(super) fn with_tag(walk: &mut Walk<'_>, tag: usize, area: Area) {
    const ADDRESSES: usize = 12;
    let what = "Ethernet frame shorter than its header";
    if area.len() < ADDRESSES + tag {
        return walk.malformed(what);
    }
    let area = area.start + ADDRESSES + tag..area.end;
    if let Some(&number) = walk.header::<2>(&area, what) {
        type_or_length(walk, u16::from_be_bytes(number), area.start + 2..area.end);
    }
}

fn type_or_length(walk: &mut Walk<'_>, value: u16, area: Area) {
    if value <= MAX_LENGTH {
        llc::header(
            walk,
            area.start..area.end.min(area.start + usize::from(value)),
        );
    } else {
        ethertype(walk, value, area);
    }
}

/// Returns whether the walk may find a checksum after this EtherType.
pub(super) fn is_known(ethertype: u16) -> bool {
    matches!(
        ethertype,
        IPV4 | IPV6 | MPLS | MPLS_UPSTREAM | PPPOE_SESSION
    ) || tag(ethertype).is_some()
}

/// Returns the length of a tag, by its EtherType. The tag ends with the EtherType of what it tags.
fn tag(ethertype: u16) -> Option<usize> {
    match ethertype {
        VLAN | SERVICE_VLAN | 0x9100 => Some(4), // the last is the number used before 802.1ad
        0xf1c1 => Some(6),                       // 802.1CB redundancy
        0x8926 => Some(6),                       // Cisco VN-Tag
        0x893f => Some(8),                       // 802.1BR (E-Tag)
        METADATA => Some(8),
        0x892f => Some(6), // HSR (IEC 62439-3)
        _ => None,
    }
}

/// Walks what an EtherType announces, through any number of tags.
pub(super) fn ethertype(walk: &mut Walk<'_>, mut ethertype: u16, mut area: Area) {
    while let Some(len) = tag(ethertype) {
        let what = "VLAN or other tag cut short";
        if area.len() < len {
            return walk.short(what);
        }
        let last = area.start + len - 2..area.end;
        let Some(&next) = walk.header::<2>(&last, what) else {
            return;
        };
        ethertype = u16::from_be_bytes(next);
        area.start += len;
        if ethertype <= MAX_LENGTH {
            return type_or_length(walk, ethertype, area);
        }
    }
    match ethertype {
        IPV4 => ipv4::packet(walk, area),
        IPV6 => ipv6::packet(walk, area),
        MPLS | MPLS_UPSTREAM => mpls::packet(walk, area),
        PPPOE_SESSION => ppp::over_ethernet(walk, area),
        PPP => ppp::frame(walk, area),
        TRANSPARENT_ETHERNET => frame(walk, area),
        MACSEC => macsec(walk, area),
        FABRIC_PATH => skip(walk, area, 2, "Cisco FabricPath tag cut short"),
        TRILL => trill(walk, area),
        PROVIDER_BACKBONE => skip(walk, area, 4, "IEEE 802.1ah tag cut short"),
        NSH => service_header(walk, area),
        ARISTA => timestamped(walk, area),
        LONG_LLC if walk.enter_link() => llc::header(walk, area),
        LONG_LLC => {}
        other if has_no_checksum(other) || area.is_empty() => {}
        other => walk.obstacle(Obstacle::EtherType(other)),
    }
}

/// Returns whether this EtherType announces a protocol that has no Internet checksum, and carries
/// no packet that may have one.
pub(crate) fn has_no_checksum(ethertype: u16) -> bool {
    const FRAME_RELAY_ARP: u16 = 0x0808;
    const ARP: u16 = 0x0806;
    const WAKE_ON_LAN: u16 = 0x0842;
    const CISCO_GROUP_MANAGEMENT: u16 = 0x2001; // CGMP
    const REVERSE_ARP: u16 = 0x8035;
    const MAC_CONTROL: u16 = 0x8808;
    const SLOW_PROTOCOLS: u16 = 0x8809;
    const PPPOE_DISCOVERY: u16 = 0x8863;
    const PORT_ACCESS: u16 = 0x888e; // EAPOL (IEEE 802.1X)
    const LINK_DISCOVERY: u16 = 0x88cc; // LLDP (IEEE 802.1AB)
    const REGISTRATION: u16 = 0x88f5; // MVRP
    const MULTIPLE_REGISTRATION: u16 = 0x88f6; // MMRP
    const PRECISION_TIME: u16 = 0x88f7; // PTP (IEEE 1588)
    const PRP_SUPERVISION: u16 = 0x88fb;
    const FAULT_MANAGEMENT: u16 = 0x8902; // CFM (IEEE 802.1Q)
    const LOOPBACK: u16 = 0x9000;
    matches!(
        ethertype,
        ARP | FRAME_RELAY_ARP
            | WAKE_ON_LAN
            | CISCO_GROUP_MANAGEMENT
            | REVERSE_ARP
            | MAC_CONTROL
            | SLOW_PROTOCOLS
            | PPPOE_DISCOVERY
            | PORT_ACCESS
            | LINK_DISCOVERY
            | REGISTRATION
            | MULTIPLE_REGISTRATION
            | PRECISION_TIME
            | PRP_SUPERVISION
            | FAULT_MANAGEMENT
            | LOOPBACK
    )
}

/// Walks an Ethernet frame after a header of `len` bytes.
fn skip(walk: &mut Walk<'_>, area: Area, len: usize, short: &'static str) {
    if area.len() < len {
        return walk.short(short);
    }
    frame(walk, area.start + len..area.end);
}

/// Walks an Ethernet frame that an IP packet carries (RFC 3378). Its header begins with version 3.
pub(super) fn over_ip(walk: &mut Walk<'_>, area: Area) {
    const VERSION_3: u8 = 0x30;
    let what = "EtherIP packet shorter than its header";
    match walk.header::<2>(&area, what) {
        Some([VERSION_3, 0]) => skip(walk, area, 2, what),
        Some(_) => walk.obstacle(Obstacle::Encapsulation("EtherIP")),
        None => {}
    }
}

/// Walks a frame in which a switch of Arista puts a timestamp: a kind, a version that gives the
/// length of the timestamp, and after the timestamp the EtherType of the frame.
fn timestamped(walk: &mut Walk<'_>, area: Area) {
    const TIMESTAMP: u16 = 1;
    let what = "Arista timestamp cut short";
    let Some(header) = walk.header::<4>(&area, what) else {
        return;
    };
    // The first digit gives the time scale: TAI or UTC.
    let len = match (be16(header, 0), be16(header, 2)) {
        (TIMESTAMP, 0x0010 | 0x0110) => 4 + 8,
        (TIMESTAMP, 0x0020 | 0x0120) => 4 + 6,
        _ => return walk.obstacle(Obstacle::Encapsulation("Arista")),
    };
    if area.len() < len {
        return walk.short(what);
    }
    let area = area.start + len..area.end;
    if let Some(&next) = walk.header::<2>(&area, what)
        && walk.enter_link()
    {
        type_or_length(walk, u16::from_be_bytes(next), area.start + 2..area.end);
    }
}

/// Walks a MACsec frame (IEEE 802.1AE section 9) whose data are authenticated, but not encrypted.
/// An integrity check value follows the data. Its length is 8 to 16 bytes: the tags of the
/// standard's cipher suites have 16 bytes, Linux lets a user choose, and the frame does not tell.
/// So only 8 bytes, which are certainly no data, are taken away. The others follow the packet as
/// padding does, and the packet's own length says where it ends.
fn macsec(walk: &mut Walk<'_>, area: Area) {
    const HAS_CHANNEL: u8 = 0x20;
    const ENCRYPTED_OR_CHANGED: u8 = 0x0c;
    const LEAST_INTEGRITY_CHECK: usize = 8;
    let what = "MACsec frame shorter than its header";
    let Some(header) = walk.header::<6>(&area, what) else {
        return;
    };
    if header[0] & ENCRYPTED_OR_CHANGED != 0 {
        return walk.obstacle(Obstacle::Encrypted("MACsec"));
    }
    let len = if header[0] & HAS_CHANNEL == 0 { 6 } else { 14 };
    if area.len() < len + LEAST_INTEGRITY_CHECK {
        return walk.short(what);
    }
    walk.place.authenticated = true;
    // The length of data that are shorter than 48 bytes; padding follows them.
    let short_len = usize::from(header[1] & 0x3f);
    let area = area.start + len..area.end - LEAST_INTEGRITY_CHECK;
    let end = match short_len {
        0 => area.end,
        len => area.end.min(area.start + len),
    };
    let area = area.start..end;
    if let Some(&next) = walk.header::<2>(&area, what) {
        type_or_length(walk, u16::from_be_bytes(next), area.start + 2..area.end);
    }
}

/// Walks a TRILL header (RFC 6325 section 3): its options, then an Ethernet frame. A receiver
/// ignores reserved bits, and discards versions that it does not know.
fn trill(walk: &mut Walk<'_>, area: Area) {
    const VERSION: u8 = 0xc0;
    let what = "TRILL header cut short";
    if let Some(header) = walk.header::<6>(&area, what) {
        if header[0] & VERSION != 0 {
            return walk.obstacle(Obstacle::Encapsulation("TRILL"));
        }
        let options = usize::from((be16(header, 0) >> 6) & 0x1f) * 4;
        skip(walk, area, 6 + options, what);
    }
}

/// Walks a Network Service Header (RFC 8300 section 2.2). A receiver ignores unassigned bits.
pub(super) fn service_header(walk: &mut Walk<'_>, area: Area) {
    const VERSION: u8 = 0xc0;
    let what = "NSH header cut short";
    let Some(header) = walk.header::<8>(&area, what) else {
        return;
    };
    if header[0] & VERSION != 0 {
        return walk.obstacle(Obstacle::Encapsulation("NSH"));
    }
    let len = usize::from(header[1] & 0x3f) * 4;
    if len < 8 || len > area.len() {
        return walk.short(what);
    }
    let area = area.start + len..area.end;
    if !walk.enter_link() {
        return;
    }
    match header[3] {
        1 => ipv4::packet(walk, area),
        2 => ipv6::packet(walk, area),
        3 => frame(walk, area),
        5 => mpls::packet(walk, area),
        _ => walk.obstacle(Obstacle::Encapsulation("NSH")),
    }
}
