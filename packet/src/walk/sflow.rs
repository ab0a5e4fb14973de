// SPDX-License-Identifier: MIT OR Apache-2.0
//! sFlow version 5 (sflow.org): datagrams with the first bytes of packets that a switch has
//! forwarded. Such a sample is a copy, as the quote of an ICMP error is.

use super::tunnel::Carried;
use super::{Area, Reason, Walk, ethernet, ipv4, ipv6, mpls, ppp};

/// Returns the length of the header, up to the first sample.
pub(super) fn header(walk: &Walk<'_>, area: &Area) -> Option<(Carried, usize)> {
    const VERSION_5: u32 = 5;
    const IPV4: u32 = 1;
    const IPV6: u32 = 2;
    let address = match (word(walk, area.start)?, word(walk, area.start + 4)?) {
        (VERSION_5, IPV4) => 4,
        (VERSION_5, IPV6) => 16,
        _ => return None,
    };
    Some((Carried::Samples, 8 + address + 16)) // agent, sequence number, uptime, number of samples
}

/// Walks the samples. A sample and each record in it begin with a kind and a length.
pub(super) fn samples(walk: &mut Walk<'_>, area: Area) {
    const FLOW: u32 = 1;
    const EXPANDED_FLOW: u32 = 3;
    const RAW_PACKET: u32 = 1;
    each(walk, area, |walk, kind, sample| {
        let head = match kind {
            FLOW => 32,
            EXPANDED_FLOW => 44,
            _ => return, // counters
        };
        let records = sample.end.min(sample.start + head)..sample.end;
        each(walk, records, |walk, kind, record| {
            if kind == RAW_PACKET {
                packet(walk, record);
            }
        });
    });
}

/// Walks the first bytes of a packet: its link layer, its length on the wire, the number of bytes
/// that were stripped from its end, the number of bytes in the sample, and these bytes.
fn packet(walk: &mut Walk<'_>, record: Area) {
    let head = [0, 4, 8, 12].map(|at| word(walk, record.start + at));
    let [Some(link), _, _, Some(len)] = head else {
        return;
    };
    let room = record.end.min(record.start + 16)..record.end;
    let area = room.start..room.end.min(room.start.saturating_add(len as usize));
    if area.is_empty() {
        return;
    }
    let place = walk.place.clone();
    walk.place.quoted = true;
    walk.place.partial = Some(Reason::Quote);
    match link {
        1 => ethernet::frame(walk, area),
        7 => ppp::frame(walk, area),
        11 => ipv4::packet(walk, area),
        12 => ipv6::packet(walk, area),
        13 => mpls::packet(walk, area),
        _ => {}
    }
    walk.place = place;
}

/// Calls `found` with the kind and the area of each item of a list.
fn each<'a>(walk: &mut Walk<'a>, mut area: Area, mut found: impl FnMut(&mut Walk<'a>, u32, Area)) {
    while let (Some(kind), Some(len)) = (word(walk, area.start), word(walk, area.start + 4)) {
        let start = area.start + 8;
        let Some(end) = start
            .checked_add(len as usize)
            .filter(|&end| end <= area.end)
        else {
            return;
        };
        found(walk, kind, start..end);
        area.start = end;
    }
}

fn word(walk: &Walk<'_>, at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(*walk.peek(at)?))
}
