// SPDX-License-Identifier: MIT OR Apache-2.0
//! IPv6 (RFC 8200). It has no checksum of its own, but a chain of extension headers before the
//! payload. Some of the extension headers tell other addresses for the pseudo-header than the
//! network header does, or tell that the addresses are elsewhere:
//!
//! - A routing header with segments left holds the final destination (RFC 8200 section 8.1): types
//!   0 and 2 (RFC 6275 section 6.4) as the last address, type 3 (RFC 6554 section 3) as the last
//!   address in part, type 4 (RFC 8754 section 2) as the first. A segment list of type 4 may be
//!   compressed, which nothing in it shows (RFC 9800 section 6.5). The short identifiers of types 5
//!   and 6 (RFC 9631) stand for addresses that only routers know.
//! - The Home Address option holds the source (RFC 6275 section 11.3.1). An option of another
//!   length than an address does not show which source the sender summed.
//! - A payload header of Shim6 says that identifiers replace both addresses, and only the hosts
//!   know these (RFC 5533 section 5.1). The Nonce option of ILNP says that the pseudo-header may
//!   hold only the lower halves of the addresses (RFC 6740).

use super::fragment::{self, DatagramId, Fragment};
use super::transport::{self, Payload};
use super::{Addresses, Area, Obstacle, Walk, be16, shim6};
use std::net::Ipv6Addr;

const HOP_BY_HOP: u8 = 0;
const ROUTING: u8 = 43;
const FRAGMENT: u8 = 44;
const AUTHENTICATION: u8 = 51;
const DESTINATION_OPTIONS: u8 = 60;
const SEGMENT_ROUTING: u8 = 4; // RFC 8754
const JUMBO: u8 = 0xc2; // RFC 2675 section 2
const HOME_ADDRESS: u8 = 0xc9; // RFC 6275 section 6.3
const ILNP_NONCE: u8 = 0x8b; // RFC 6744
const SHIM6: u8 = 140;

pub(super) fn packet(walk: &mut Walk<'_>, area: Area) {
    if walk.place.layer == super::MAX_LAYERS {
        return walk.obstacle(Obstacle::Nested);
    }
    let Some(header) = walk.header::<40>(&area, "IPv6 packet shorter than its header") else {
        return;
    };
    if header[0] >> 4 != 6 {
        return walk.malformed("IPv6 version that is not 6");
    }
    let addresses = addresses(header);

    let mut area = area.start + 40..area.end;
    let payload = area.start;
    let payload_len = usize::from(be16(header, 4));
    let whole = (1..=area.len()).contains(&payload_len);
    walk.enter(area.start - 40..area.start, addresses, whole);
    // A payload length of 0 means a jumbogram (RFC 2675) or segmentation offload: the packet ends
    // where its jumbo option says, or with the frame. Without either it means no payload.
    if payload_len != 0 {
        area.end = area.end.min(payload + payload_len); // padding follows the packet
    }
    let chain = Chain {
        next: header[6],
        area,
        jumbo: (payload_len == 0).then_some(payload),
        whole,
        addresses,
        sums_to: addresses,
    };
    extensions(walk, chain);
}

pub(super) fn addresses(header: &[u8; 40]) -> Addresses {
    Addresses::V6 {
        source: Ipv6Addr::from(*header[8..].first_chunk().expect("16 bytes")),
        destination: Ipv6Addr::from(*header[24..].first_chunk().expect("16 bytes")),
    }
}

/// A chain of extension headers, and what follows it.
pub(super) struct Chain {
    /// The protocol number with which `area` begins.
    pub(super) next: u8,
    pub(super) area: Area,
    /// The offset from which a jumbogram's length counts, if this may be one.
    pub(super) jumbo: Option<usize>,
    /// Whether all of the packet is in the frame.
    pub(super) whole: bool,
    /// The addresses of the network header.
    pub(super) addresses: Addresses,
    /// The addresses of the pseudo-header.
    pub(super) sums_to: Addresses,
}

pub(super) fn extensions(walk: &mut Walk<'_>, chain: Chain) {
    let Chain {
        mut next,
        mut area,
        mut jumbo,
        whole,
        addresses,
        mut sums_to,
    } = chain;
    while is_extension(next) {
        let Some(header) = walk.header::<8>(&area, "IPv6 extension header cut short") else {
            return;
        };
        let len = match next {
            FRAGMENT => 8,
            AUTHENTICATION => usize::from(header[1]) * 4 + 8,
            _ => usize::from(header[1]) * 8 + 8,
        };
        if len > area.len() {
            return walk.short("IPv6 extension header longer than its packet");
        }
        let extension = area.start..area.start + len;
        match next {
            FRAGMENT => {
                let (offset, more) = (usize::from(be16(header, 2) & 0xfff8), header[3] & 1 != 0);
                if offset != 0 || more {
                    let fragment = Fragment {
                        datagram: DatagramId {
                            addresses,
                            protocol: FRAGMENT,
                            id: u32::from_be_bytes([header[4], header[5], header[6], header[7]]),
                        },
                        offset,
                        more,
                        area: extension.end..area.end,
                        layer: walk.place.layer,
                        next: header[0],
                        sums_to,
                        addresses_hidden: walk.place.addresses_hidden,
                        authenticated: walk.place.authenticated,
                    };
                    if !fragment::met(walk, fragment, whole) {
                        return;
                    }
                }
            }
            ROUTING if header[3] > 0 => {
                let Some(extension) = walk.data.get(extension.clone()) else {
                    return walk.obstacle(Obstacle::Snapped);
                };
                if let Addresses::V6 { destination, .. } = &mut sums_to {
                    let last = final_destination(extension, *destination);
                    walk.place.addresses_hidden |=
                        last.is_none() || extension[2] == SEGMENT_ROUTING;
                    *destination = last.unwrap_or(*destination);
                }
            }
            AUTHENTICATION => walk.place.authenticated = true,
            DESTINATION_OPTIONS => {
                let options = walk.data.get(extension.clone()).map(|bytes| &bytes[2..]);
                if let (Addresses::V6 { source, .. }, Some(options)) = (&mut sums_to, options) {
                    if let Some(home) = option(options, HOME_ADDRESS) {
                        match <[u8; 16]>::try_from(home) {
                            Ok(home) => *source = Ipv6Addr::from(home),
                            Err(_) => walk.place.addresses_hidden = true, // damaged
                        }
                    }
                    walk.place.addresses_hidden |= option(options, ILNP_NONCE).is_some();
                }
            }
            SHIM6 => {
                walk.place.addresses_hidden |= header[2] & shim6::PAYLOAD != 0;
                let area = extension.clone();
                shim6::header(
                    walk,
                    Payload {
                        area,
                        addresses,
                        sums_to,
                    },
                );
            }
            HOP_BY_HOP => {
                if let Some(payload) = jumbo
                    && let Some(extension) = walk.data.get(extension.clone())
                    && let Some(len) = option(&extension[2..], JUMBO)
                    && let Some(&len) = len.first_chunk()
                {
                    let len = u32::from_be_bytes(len) as usize;
                    area.end = area.end.min(payload.saturating_add(len));
                    jumbo = None;
                }
            }
            _ => {}
        }
        next = header[0];
        // A jumbo payload option may have shortened the area.
        area.start = extension.end.min(area.end);
    }
    if jumbo.is_some() && !transport::is_segmented(next) {
        area.end = area.start; // nothing follows; what the frame holds is padding
    }
    transport::protocol(
        walk,
        next,
        Payload {
            area,
            addresses,
            sums_to,
        },
    );
}

/// A packet whose extension headers tell the addresses of the pseudo-header, if they tell any.
pub(crate) struct Plain<'a> {
    /// The protocol number with which `payload` begins.
    pub(crate) next: u8,
    pub(crate) payload: &'a [u8],
    /// The source and the destination in the pseudo-header.
    pub(crate) source: [u8; 16],
    pub(crate) destination: [u8; 16],
}

impl Plain<'_> {
    /// Passes the extension headers, as [`extensions`] does. Returns `None` where only the walk
    /// knows what they mean.
    pub(crate) fn past_extensions(mut self) -> Option<Self> {
        while is_extension(self.next) {
            let header: &[u8; 8] = self.payload.first_chunk()?;
            let len = match self.next {
                FRAGMENT => 8,
                AUTHENTICATION => usize::from(header[1]) * 4 + 8,
                _ => usize::from(header[1]) * 8 + 8,
            };
            let (extension, rest) = self.payload.split_at_checked(len)?;
            match self.next {
                FRAGMENT if be16(header, 2) & 0xfff9 != 0 => return None,
                ROUTING if header[3] > 0 => {
                    if header[2] == SEGMENT_ROUTING {
                        return None;
                    }
                    let destination = Ipv6Addr::from(self.destination);
                    self.destination = final_destination(extension, destination)?.octets();
                }
                DESTINATION_OPTIONS => {
                    if let Some(home) = option(&extension[2..], HOME_ADDRESS) {
                        self.source = home.try_into().ok()?;
                    }
                    if option(&extension[2..], ILNP_NONCE).is_some() {
                        return None;
                    }
                }
                SHIM6 => return None,
                _ => {}
            }
            self.next = header[0];
            self.payload = rest;
        }
        Some(self)
    }
}

/// Returns whether this next header is an extension header that others may follow (RFC 7045 section
/// 4). Nothing follows ESP, Mobility and HIP.
pub(crate) fn is_extension(next: u8) -> bool {
    matches!(
        next,
        HOP_BY_HOP | ROUTING | FRAGMENT | AUTHENTICATION | DESTINATION_OPTIONS | SHIM6
    )
}

/// Returns the data of the first option of this type, among the options of a hop-by-hop or a
/// destination options header (RFC 8200 section 4.2). The data of an option that is longer than its
/// header end with the header.
fn option(mut options: &[u8], kind: u8) -> Option<&[u8]> {
    const PAD_ONE: u8 = 0;
    loop {
        match *options {
            [PAD_ONE, ref rest @ ..] => options = rest,
            [found, len, ref rest @ ..] => {
                let (data, rest) = rest.split_at(rest.len().min(len.into()));
                if found == kind {
                    return Some(data);
                }
                options = rest;
            }
            _ => return None,
        }
    }
}

/// Returns the final destination in a routing header with segments left, if the header gives it.
fn final_destination(header: &[u8], destination: Ipv6Addr) -> Option<Ipv6Addr> {
    const SOURCE_ROUTE: u8 = 0; // RFC 2460, deprecated by RFC 5095
    const MOBILE: u8 = 2; // RFC 6275
    const RPL: u8 = 3; // RFC 6554
    let addresses = header.get(8..)?;
    match header[2] {
        SOURCE_ROUTE | MOBILE => addresses.last_chunk::<16>().copied().map(Ipv6Addr::from),
        SEGMENT_ROUTING => addresses.first_chunk::<16>().copied().map(Ipv6Addr::from),
        RPL => {
            // The last address leaves out the bytes that it shares with the destination. Padding
            // follows it.
            let elided = usize::from(header[4] & 0x0f);
            let padding = usize::from(header[5] >> 4);
            let last = addresses.get(..addresses.len().checked_sub(padding)?)?;
            let mut octets = destination.octets();
            octets[elided..].copy_from_slice(last.get(last.len().checked_sub(16 - elided)?..)?);
            Some(Ipv6Addr::from(octets))
        }
        _ => None,
    }
}
