// SPDX-License-Identifier: MIT OR Apache-2.0
//! Link layers: the headers before the network header, which tell what kind of network header
//! follows. The small link layers are in this file, and the way to all others.

use super::{
    Area, Obstacle, Walk, be16, cdp, ethernet, frame_relay, gre, ipv4, ipv6, llc, mpls, nflog, osi,
    ppp, wlan,
};
use crate::LinkType;

/// Walks a frame of the link type that its file names.
pub(super) fn frame(walk: &mut Walk<'_>, link_type: LinkType, area: Area) {
    match link_type {
        LinkType::ETHERNET => ethernet::frame(walk, area),
        LinkType::DSA_TAG_BRCM | LinkType::DSA_TAG_DSA => ethernet::with_tag(walk, 4, area),
        LinkType::DSA_TAG_EDSA => ethernet::with_tag(walk, 8, area),
        LinkType::DSA_TAG_BRCM_PREPEND => behind(walk, 4, area, ethernet::frame),
        LinkType::LINUX_SLL => cooked_v1(walk, area),
        LinkType::LINUX_SLL2 => cooked_v2(walk, area),
        LinkType::RAW | LinkType::RAW_DLT | LinkType::RAW_OPENBSD => raw(walk, area),
        LinkType::IPV4 => ipv4::packet(walk, area),
        LinkType::IPV6 => ipv6::packet(walk, area),
        LinkType::NULL | LinkType::LOOP => loopback(walk, area),
        LinkType::PPP | LinkType::PPP_HDLC => ppp::serial(walk, area),
        LinkType::PPP_ETHER => ppp::over_ethernet(walk, area),
        LinkType::PPP_WITH_DIR => behind(walk, 1, area, ppp::frame),
        LinkType::C_HDLC => cisco_hdlc(walk, area),
        LinkType::FRELAY => frame_relay::frame(walk, area),
        LinkType::MPLS => mpls::packet(walk, area),
        LinkType::IEEE802_11 => wlan::frame(walk, area),
        LinkType::IEEE802_11_PRISM => wlan::prism(walk, area),
        LinkType::IEEE802_11_AVS => wlan::avs(walk, area),
        LinkType::IEEE802_11_RADIOTAP => wlan::radiotap(walk, area),
        LinkType::FDDI => fddi(walk, area),
        LinkType::IEEE802_5 => token_ring(walk, area),
        LinkType::ARCNET_BSD => arcnet(walk, 2, area),
        LinkType::ARCNET_LINUX => arcnet(walk, 4, area),
        LinkType::ATM_RFC1483 => atm_pdu(walk, area),
        LinkType::ATM_CLIP => atm_clip(walk, area),
        LinkType::SUNATM => sun_atm(walk, area),
        LinkType::SLIP => slip(walk, area),
        LinkType::IP_OVER_FC => behind(walk, 16, area, llc::header),
        LinkType::APPLE_IP_OVER_IEEE1394 => typed(walk, 16, area),
        LinkType::IPOIB => typed(walk, 40, area),
        LinkType::NFLOG => nflog::frame(walk, area),
        LinkType::ENC => enc(walk, area),
        LinkType::PFLOG => pflog(walk, area),
        LinkType::IPNET => ipnet(walk, area),
        LinkType::PPI => ppi(walk, area),
        LinkType::PKTAP | LinkType::USER2 => pktap(walk, link_type, area),
        LinkType::JUNIPER_ETHER => juniper(walk, area),
        _ => walk.obstacle(Obstacle::LinkType(link_type)),
    }
}

/// Walks a frame of `next` after a link header of `len` bytes that says nothing about it.
fn behind<'a>(walk: &mut Walk<'a>, len: usize, area: Area, next: impl FnOnce(&mut Walk<'a>, Area)) {
    if area.len() < len {
        return walk.malformed("frame shorter than its link header");
    }
    next(walk, area.start + len..area.end);
}

/// Walks a frame with an EtherType at an offset. IP over InfiniBand has two reserved bytes after
/// it.
fn typed(walk: &mut Walk<'_>, at: usize, area: Area) {
    const IPOIB_TYPE: usize = 40; // two reserved bytes follow (RFC 4391 section 6)
    let what = "frame shorter than its link header";
    if area.len() < at {
        return walk.malformed(what);
    }
    let area = area.start + at..area.end;
    let reserved = if at == IPOIB_TYPE { 2 } else { 0 };
    let Some(&number) = walk.header::<2>(&area, what) else {
        return;
    };
    if area.len() < 2 + reserved {
        return walk.malformed(what);
    }
    ethernet::ethertype(
        walk,
        u16::from_be_bytes(number),
        area.start + 2 + reserved..area.end,
    );
}

fn cooked_v1(walk: &mut Walk<'_>, area: Area) {
    if let Some(header) = walk.header::<16>(&area, "Linux cooked frame shorter than its header") {
        cooked(
            walk,
            be16(header, 2),
            be16(header, 14),
            area.start + 16..area.end,
        );
    }
}

fn cooked_v2(walk: &mut Walk<'_>, area: Area) {
    if let Some(header) = walk.header::<20>(&area, "Linux cooked frame shorter than its header") {
        cooked(
            walk,
            be16(header, 8),
            be16(header, 0),
            area.start + 20..area.end,
        );
    }
}

/// Walks what follows a Linux cooked header: an EtherType, except for devices whose protocol field
/// has another meaning.
fn cooked(walk: &mut Walk<'_>, device: u16, protocol: u16, area: Area) {
    const FRAD: u16 = 770;
    const IPGRE: u16 = 778;
    const RADIOTAP: u16 = 803;
    const NETLINK: u16 = 824;
    const IEEE802_2: u16 = 4; // a pseudo-protocol: an 802.2 header of unknown length follows
    match (device, protocol) {
        (NETLINK, _) => {}
        (FRAD | RADIOTAP, _) => walk.obstacle(Obstacle::Encapsulation("Linux cooked")),
        (IPGRE, _) => gre::carried(walk, protocol, area),
        (_, IEEE802_2) => llc::header(walk, area),
        _ => ethernet::ethertype(walk, protocol, area),
    }
}

/// Walks an IP packet, whose first four bits tell the version.
pub(super) fn raw(walk: &mut Walk<'_>, area: Area) {
    if let Some(&[first]) = walk.header::<1>(&area, "empty frame") {
        match first >> 4 {
            4 => ipv4::packet(walk, area),
            6 => ipv6::packet(walk, area),
            _ => walk.malformed("IP version that is neither 4 nor 6"),
        }
    }
}

/// Walks a BSD loopback frame. The file does not tell the byte order of the address family, but all
/// families that matter are below 256.
fn loopback(walk: &mut Walk<'_>, area: Area) {
    let Some(header) = walk.header::<4>(&area, "loopback frame shorter than its header") else {
        return;
    };
    let area = area.start + 4..area.end;
    match *header {
        [low, 0, 0, 0] | [0, 0, 0, low] => family(walk, low, area),
        // some systems put an EtherType there
        [low, high, 0, 0] | [0, 0, high, low] => {
            ethernet::ethertype(walk, u16::from_be_bytes([high, low]), area);
        }
        _ => walk.obstacle(Obstacle::Encapsulation("address family")),
    }
}

/// Walks a packet of a BSD address family.
pub(super) fn family(walk: &mut Walk<'_>, family: u8, area: Area) {
    match family {
        2 => ipv4::packet(walk, area),
        24 | 28 | 30 => ipv6::packet(walk, area), // NetBSD and OpenBSD; FreeBSD; macOS
        _ => walk.obstacle(Obstacle::Encapsulation("address family")),
    }
}

/// Walks a Cisco HDLC frame: address, control, EtherType. OSI has its two numbers of logical link
/// control in the place of the EtherType, and the control byte after them.
pub(super) fn cisco_hdlc(walk: &mut Walk<'_>, area: Area) {
    const OSI: u16 = u16::from_be_bytes([osi::LLC; 2]);
    if let Some(header) = walk.header::<4>(&area, "Cisco HDLC frame shorter than its header") {
        let area = area.start + 4..area.end;
        match be16(header, 2) {
            cdp::NUMBER => cdp::packet(walk, area),
            OSI => osi::packet(walk, area.start + 1..area.end),
            number => ethernet::ethertype(walk, number, area),
        }
    }
}

/// Walks an FDDI frame (RFC 1390): frame control, two addresses, logical link control.
fn fddi(walk: &mut Walk<'_>, area: Area) {
    const KIND: u8 = 0xf0;
    const ASYNCHRONOUS_LLC: u8 = 0x50;
    if let Some(header) = walk.header::<13>(&area, "FDDI frame shorter than its header")
        && header[0] & KIND == ASYNCHRONOUS_LLC
    {
        llc::header(walk, area.start + 13..area.end);
    }
}

/// Walks a token ring frame (RFC 1042): access control, frame control, two addresses, and a source
/// route if the first bit of the source address is set.
fn token_ring(walk: &mut Walk<'_>, area: Area) {
    const KIND: u8 = 0xc0;
    const LLC: u8 = 0x40;
    const ROUTED: u8 = 0x80;
    let what = "token ring frame shorter than its header";
    let Some(header) = walk.header::<14>(&area, what) else {
        return;
    };
    let mut area = area.start + 14..area.end;
    if header[8] & ROUTED != 0 {
        let Some(&[control]) = walk.header::<1>(&area, what) else {
            return;
        };
        area.start = area.end.min(area.start + usize::from(control & 0x1f));
    }
    if header[1] & KIND == LLC {
        llc::header(walk, area);
    }
}

/// Walks an ARCnet frame (RFC 1201, and RFC 1051 before it): addresses, an offset on Linux, and a
/// type. RFC 1201 adds the number of the fragment.
fn arcnet(walk: &mut Walk<'_>, addresses: usize, area: Area) {
    const IP: u8 = 212;
    const IPV6: u8 = 196; // RFC 2497
    const IP_RFC1051: u8 = 240;
    const ARP: u8 = 213;
    const REVERSE_ARP: u8 = 214;
    const ARP_RFC1051: u8 = 241;
    let what = "ARCnet frame shorter than its header";
    if area.len() < addresses {
        return walk.malformed(what);
    }
    let area = area.start + addresses..area.end;
    let Some(&[kind]) = walk.header::<1>(&area, what) else {
        return;
    };
    if kind == IP_RFC1051 {
        return ipv4::packet(walk, area.start + 1..area.end);
    }
    if matches!(kind, ARP | REVERSE_ARP | ARP_RFC1051) {
        return;
    }
    if !matches!(kind, IP | IPV6) {
        return walk.obstacle(Obstacle::Encapsulation("ARCnet"));
    }
    let Some(&[_, flag, _, _]) = walk.header::<4>(&area, what) else {
        return;
    };
    let area = area.start + 4..area.end;
    match (flag, kind) {
        (0, IP) => ipv4::packet(walk, area),
        (0, _) => ipv6::packet(walk, area),
        _ => walk.obstacle(Obstacle::Fragment),
    }
}

/// Walks an ATM frame (RFC 2684): logical link control, then a network layer number or SNAP.
fn atm_pdu(walk: &mut Walk<'_>, area: Area) {
    const NETWORK_LAYER: [u8; 3] = [0xfe, 0xfe, 0x03];
    match walk.header::<4>(&area, "ATM frame shorter than its header") {
        Some(&[a, b, c, number]) if [a, b, c] == NETWORK_LAYER => {
            let area = area.start + 4..area.end;
            match number {
                0xcc => ipv4::packet(walk, area),
                0x8e => ipv6::packet(walk, area),
                0x81..=0x83 => osi::packet(walk, area.start - 1..area.end),
                _ => walk.obstacle(Obstacle::Encapsulation("ATM")),
            }
        }
        Some(_) => llc::header(walk, area),
        None => {}
    }
}

/// Walks a frame of Linux's classical IP over ATM: a bare IP packet, or a frame as in RFC 2684.
fn atm_clip(walk: &mut Walk<'_>, area: Area) {
    match walk.peek(area.start) {
        Some([0x45..=0x4f | 0x60..=0x6f]) => raw(walk, area),
        _ => atm_pdu(walk, area),
    }
}

/// Walks a SunATM frame, whose header gives the kind of traffic and the circuit.
fn sun_atm(walk: &mut Walk<'_>, area: Area) {
    const KIND: u8 = 0x0f;
    let Some(header) = walk.header::<4>(&area, "ATM frame shorter than its header") else {
        return;
    };
    let area = area.start + 4..area.end;
    match header[0] & KIND {
        1 => behind(walk, 2, area, ethernet::frame), // LAN emulation: two bytes, then Ethernet
        2 => llc::header(walk, area),
        5 | 6 => {} // management (ILMI) and signaling (Q.2931)
        _ => walk.obstacle(Obstacle::Encapsulation("ATM")),
    }
}

/// Walks a SLIP frame. Its header of 16 bytes says whether the TCP header was compressed on the
/// line; the captured packet is uncompressed.
fn slip(walk: &mut Walk<'_>, area: Area) {
    if area.len() < 16 {
        return walk.malformed("frame shorter than its link header");
    }
    raw(walk, area.start + 16..area.end);
}

/// Walks a frame of OpenBSD's encapsulation device: an address family, and the security association
/// of the packet.
fn enc(walk: &mut Walk<'_>, area: Area) {
    let header = walk.header::<12>(&area, "frame shorter than its link header");
    match header {
        Some(&[low, 0, 0, 0, ..] | &[0, 0, 0, low, ..]) => {
            family(walk, low, area.start + 12..area.end);
        }
        Some(_) => walk.obstacle(Obstacle::Encapsulation("address family")),
        None => {}
    }
}

/// Walks a packet that BSD's packet filter logged, after a header that begins with its own length
/// and the address family.
fn pflog(walk: &mut Walk<'_>, area: Area) {
    let what = "frame shorter than its link header";
    if let Some(&[len, address_family]) = walk.header::<2>(&area, what) {
        let len = usize::from(len).next_multiple_of(4);
        if len > area.len() {
            return walk.malformed(what);
        }
        family(walk, address_family, area.start + len..area.end);
    }
}

/// Walks a frame of Solaris's IP network devices: an address family, in Solaris's own numbers, and
/// the length of the packet.
fn ipnet(walk: &mut Walk<'_>, area: Area) {
    if let Some(header) = walk.header::<24>(&area, "frame shorter than its link header") {
        let len = u32::from_be_bytes([header[4], header[5], header[6], header[7]]) as usize;
        let area = area.start + 24..area.end.min(area.start.saturating_add(24 + len));
        match header[1] {
            2 => ipv4::packet(walk, area),
            26 => ipv6::packet(walk, area),
            _ => walk.obstacle(Obstacle::Encapsulation("address family")),
        }
    }
}

/// Walks per-packet information: a little-endian header that names the link type of the frame
/// after it.
fn ppi(walk: &mut Walk<'_>, area: Area) {
    let what = "per-packet information shorter than its header";
    let Some(&[_, _, len_low, len_high, a, b, c, d]) = walk.header::<8>(&area, what) else {
        return;
    };
    let len = usize::from(u16::from_le_bytes([len_low, len_high]));
    if len < 8 || len > area.len() {
        return walk.malformed(what);
    }
    nested(
        walk,
        LinkType(u32::from_le_bytes([a, b, c, d])),
        area.start + len..area.end,
    );
}

/// Walks a PKTAP frame: a little-endian header of macOS that names the link type of the frame
/// after it. Old versions of macOS wrote it under a number for private use, so under that number
/// the header must look like PKTAP.
fn pktap(walk: &mut Walk<'_>, link_type: LinkType, area: Area) {
    const PACKET: u32 = 1;
    const FIXED: usize = 108;
    let Some(header) = walk.header::<12>(&area, "PKTAP frame shorter than its header") else {
        return;
    };
    let word = |at| u32::from_le_bytes(*header[at..].first_chunk().expect("4 bytes"));
    let (len, record) = (word(0) as usize, word(4));
    match (FIXED..=area.len()).contains(&len) {
        true if record == PACKET => nested(walk, LinkType(word(8)), area.start + len..area.end),
        true => {}
        false if link_type == LinkType::PKTAP => {
            walk.malformed("PKTAP header longer than its frame")
        }
        false => walk.obstacle(Obstacle::LinkType(link_type)),
    }
}

/// Walks a frame within another frame, which names its link type.
fn nested(walk: &mut Walk<'_>, link_type: LinkType, area: Area) {
    if walk.enter_link() {
        frame(walk, link_type, area);
    }
}

/// Walks an Ethernet frame after Juniper's header, which has options if its flags say so.
fn juniper(walk: &mut Walk<'_>, area: Area) {
    const MAGIC: [u8; 3] = [0x4d, 0x47, 0x43];
    const NO_LINK_HEADER: u8 = 0x02;
    const HAS_OPTIONS: u8 = 0x80;
    let what = "Juniper header cut short";
    let Some(&[a, b, c, flags, high, low]) = walk.header::<6>(&area, what) else {
        return;
    };
    if [a, b, c] != MAGIC || flags & NO_LINK_HEADER != 0 {
        return walk.obstacle(Obstacle::Encapsulation("Juniper"));
    }
    let len = match flags & HAS_OPTIONS {
        0 => 4,
        _ => 6 + usize::from(u16::from_be_bytes([high, low])),
    };
    behind(walk, len, area, ethernet::frame);
}
