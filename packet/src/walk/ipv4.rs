// SPDX-License-Identifier: MIT OR Apache-2.0
//! IPv4 (RFC 791): the checksum of the header, and the way to the payload.

use super::fragment::{self, DatagramId, Fragment};
use super::transport::{self, Payload};
use super::{Addresses, Area, Obstacle, Walk, be16};
use crate::Protocol;
use std::net::Ipv4Addr;

pub(super) const CHECKSUM: usize = 10;

pub(super) fn packet(walk: &mut Walk<'_>, area: Area) {
    if walk.place.layer == super::MAX_LAYERS {
        return walk.obstacle(Obstacle::Nested);
    }
    let Some(header) = walk.header::<20>(&area, "IPv4 packet shorter than its header") else {
        return;
    };
    let header_len = usize::from(header[0] & 0x0f) * 4;
    let total_len = usize::from(be16(header, 2));
    match header[0] >> 4 {
        4 => {}
        _ => return walk.malformed("IPv4 version that is not 4"),
    }
    if header_len < 20 {
        return walk.malformed("IPv4 header length below 20");
    }
    let whole = (1..=area.len()).contains(&total_len);
    let area = match total_len {
        0 => area, // segmentation offload: the field is too small for the length
        len if len < header_len => return walk.malformed("IPv4 total length below its header's"),
        len => area.start..area.end.min(area.start + len), // padding follows the packet
    };
    if area.len() < header_len {
        return walk.malformed("IPv4 packet shorter than its header");
    }
    let options = area.start + 20..area.start + header_len;
    let addresses = addresses(header);
    let covers = area.start..options.end;
    walk.enter(covers.clone(), addresses, whole);
    let mut field = walk.checksum(Protocol::Ipv4, &covers, CHECKSUM, covers.end);
    field.unverified = walk.snapped(&covers); // a fragment or a quote has its header whole
    walk.field(&field);

    let last_hop = match options.is_empty() {
        true => None,
        false => walk.data.get(options.clone()).and_then(source_route),
    };
    let mut sums_to = addresses;
    if let (Some(last), Addresses::V4 { destination, .. }) = (last_hop, &mut sums_to) {
        *destination = last;
    }
    let payload = Payload {
        area: options.end..area.end,
        addresses,
        sums_to,
    };
    let bits = be16(header, 6);
    let (offset, more) = (usize::from(bits & 0x1fff) * 8, bits & 0x2000 != 0);
    if offset != 0 || more {
        let fragment = Fragment {
            datagram: DatagramId {
                addresses,
                protocol: header[9],
                id: be16(header, 4).into(),
            },
            offset,
            more,
            area: payload.area.clone(),
            layer: walk.place.layer,
            next: header[9],
            sums_to: payload.sums_to,
            addresses_hidden: walk.place.addresses_hidden,
            authenticated: walk.place.authenticated,
        };
        if !fragment::met(walk, fragment, whole) {
            return;
        }
    }
    transport::protocol(walk, header[9], payload);
}

pub(super) fn addresses(header: &[u8; 20]) -> Addresses {
    Addresses::V4 {
        source: Ipv4Addr::from(*header[12..].first_chunk().expect("4 bytes")),
        destination: Ipv4Addr::from(*header[16..].first_chunk().expect("4 bytes")),
    }
}

/// Returns the last address of an unfinished source route: the final destination of the packet (RFC
/// 791 section 3.1). A route that is not made of whole addresses gives none.
pub(crate) fn source_route(mut options: &[u8]) -> Option<Ipv4Addr> {
    const END: u8 = 0;
    const NO_OPERATION: u8 = 1;
    const LOOSE: u8 = 131;
    const STRICT: u8 = 137;
    loop {
        match *options {
            [] | [END, ..] => return None,
            [NO_OPERATION, ref rest @ ..] => options = rest,
            [kind, len, ..] if len >= 2 => {
                let (option, rest) = options.split_at_checked(len.into())?;
                if let (LOOSE | STRICT, [_, _, pointer, route @ ..]) = (kind, option) {
                    // The pointer counts from the option's first byte, which is number 1.
                    let pending = *pointer >= 4 && pointer < &len && route.len() % 4 == 0;
                    let last = route.last_chunk::<4>()?;
                    return pending.then_some(Ipv4Addr::from(*last));
                }
                options = rest;
            }
            _ => return None,
        }
    }
}
