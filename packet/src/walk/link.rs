// SPDX-License-Identifier: MIT OR Apache-2.0
//! Link layers: what stands before the network header, and tells which one it is.

use super::{Area, Found, Obstacle, Walk, be16, ipv4, ipv6};
use crate::LinkType;

/// A frame of the link type that its file names.
pub(super) fn frame(walk: &mut Walk<'_, impl FnMut(Found)>, link_type: LinkType, area: Area) {
    match link_type {
        LinkType::ETHERNET => ethernet(walk, area),
        LinkType::LINUX_SLL => cooked_v1(walk, area),
        LinkType::LINUX_SLL2 => cooked_v2(walk, area),
        LinkType::RAW | LinkType::RAW_DLT | LinkType::RAW_OPENBSD => raw(walk, area),
        LinkType::IPV4 => ipv4::packet(walk, area),
        LinkType::IPV6 => ipv6::packet(walk, area),
        LinkType::NULL | LinkType::LOOP => loopback(walk, area),
        _ => walk.obstacle(Obstacle::LinkType(link_type)),
    }
}

fn ethernet(walk: &mut Walk<'_, impl FnMut(Found)>, area: Area) {
    if let Some(header) = walk.header::<14>(&area, "Ethernet frame shorter than its header") {
        type_or_length(walk, be16(header, 12), area.start + 14..area.end);
    }
}

/// What follows an EtherType, through any number of VLAN tags.
fn ethertype(walk: &mut Walk<'_, impl FnMut(Found)>, mut ethertype: u16, mut area: Area) {
    loop {
        match ethertype {
            0x0800 => return ipv4::packet(walk, area),
            0x86dd => return ipv6::packet(walk, area),
            // 802.1Q, 802.1ad, and what was used for the latter before it had a number
            0x8100 | 0x88a8 | 0x9100 => {
                let Some(tag) = walk.header::<4>(&area, "VLAN tag cut short") else {
                    return;
                };
                ethertype = be16(tag, 2);
                area.start += 4;
                if ethertype <= MAX_LENGTH {
                    return logical_link(walk, ethertype, area);
                }
            }
            _ => return, // ARP, LLDP …: nothing to verify
        }
    }
}

/// The largest value of the field after the Ethernet addresses that is a length (IEEE 802.3 section 3.2.6).
const MAX_LENGTH: u16 = 1500;

fn type_or_length(walk: &mut Walk<'_, impl FnMut(Found)>, value: u16, area: Area) {
    if value <= MAX_LENGTH {
        logical_link(walk, value, area);
    } else {
        ethertype(walk, value, area);
    }
}

/// IEEE 802.2 logical link control, of which IP uses the subnetwork access protocol (RFC 1042).
fn logical_link(walk: &mut Walk<'_, impl FnMut(Found)>, len: u16, area: Area) {
    let area = area.start..area.end.min(area.start + usize::from(len));
    if area.len() < 8 {
        return; // no room for IP behind it
    }
    let Some(header) = walk.header::<8>(&area, "") else {
        return;
    };
    if let [0xaa, 0xaa, 0x03, 0, 0, 0, ..] = header {
        ethertype(walk, be16(header, 6), area.start + 8..area.end);
    }
}

fn cooked_v1(walk: &mut Walk<'_, impl FnMut(Found)>, area: Area) {
    if let Some(header) = walk.header::<16>(&area, "Linux cooked frame shorter than its header") {
        cooked(
            walk,
            be16(header, 2),
            be16(header, 14),
            area.start + 16..area.end,
        );
    }
}

fn cooked_v2(walk: &mut Walk<'_, impl FnMut(Found)>, area: Area) {
    if let Some(header) = walk.header::<20>(&area, "Linux cooked frame shorter than its header") {
        cooked(
            walk,
            be16(header, 8),
            be16(header, 0),
            area.start + 20..area.end,
        );
    }
}

/// What follows a cooked header: an EtherType, but for the devices whose protocol field means something else.
fn cooked(walk: &mut Walk<'_, impl FnMut(Found)>, device: u16, protocol: u16, area: Area) {
    const FRAD: u16 = 770;
    const IPGRE: u16 = 778;
    const RADIOTAP: u16 = 803;
    const NETLINK: u16 = 824;
    const IEEE802_2: u16 = 4; // a pseudo-protocol: an 802.2 header follows, and nothing tells its length
    match (device, protocol) {
        (FRAD | IPGRE | RADIOTAP | NETLINK, _) => {}
        (_, IEEE802_2) => logical_link(walk, u16::MAX, area),
        _ => ethertype(walk, protocol, area),
    }
}

fn raw(walk: &mut Walk<'_, impl FnMut(Found)>, area: Area) {
    if let Some(&[first]) = walk.header::<1>(&area, "empty frame") {
        match first >> 4 {
            4 => ipv4::packet(walk, area),
            6 => ipv6::packet(walk, area),
            _ => walk.malformed("IP version that is neither 4 nor 6"),
        }
    }
}

/// A BSD address family, in either byte order: a file does not tell whose. All that matter are below 256.
fn loopback(walk: &mut Walk<'_, impl FnMut(Found)>, area: Area) {
    let Some(header) = walk.header::<4>(&area, "loopback frame shorter than its header") else {
        return;
    };
    let family = match *header {
        [low, 0, 0, 0] => low,
        [0, 0, 0, low] => low,
        _ => return,
    };
    let area = area.start + 4..area.end;
    match family {
        2 => ipv4::packet(walk, area),
        24 | 28 | 30 => ipv6::packet(walk, area), // NetBSD and OpenBSD; FreeBSD; macOS
        _ => {}
    }
}
