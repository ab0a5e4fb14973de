// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fragments of IPv4 (RFC 791) and IPv6 (RFC 8200 section 4.5): the walk ends at one, and goes on in the datagram, once that is whole.

use std::ops::Range;

use super::transport::{self, Payload};
use super::{Addresses, Found, Reason, Walk, ipv6};

/// A fragment. The walk of its frame ends with it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fragment {
    /// Of which datagram it is a part.
    pub datagram: DatagramId,
    /// Where in that its first byte belongs.
    pub offset: usize,
    /// Whether others follow it.
    pub more: bool,
    /// Its bytes, without the headers before them: where they are in the frame. They were captured, all of them.
    pub area: Range<usize>,
    /// In which network header it is: 1 for the outermost, as [`Field::layer`](super::Field::layer).
    pub layer: u8,
    /// What the first fragment begins with: a protocol number. In other fragments of IPv6 it means nothing.
    pub(super) next: u8,
    /// The addresses of the pseudo-header.
    pub(super) sums_to: Addresses,
}

/// What the fragments of one datagram have in common, and no others that are on their way at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DatagramId {
    /// The addresses of the network header.
    pub addresses: Addresses,
    /// The protocol number of IPv4. IPv6 does not tell datagrams apart by it, and has 44 here, that of its Fragment header.
    pub protocol: u8,
    /// The identification: 16 bits of IPv4, 32 bits of IPv6.
    pub id: u32,
}

impl Fragment {
    /// Returns where in the datagram its last byte is followed by the next.
    #[must_use]
    pub fn end(&self) -> usize {
        self.offset + self.area.len()
    }

    /// Calls `found` with each thing that the walk meets in what this fragment of a frame's `data` carries. What is not the first fragment
    /// has no header to begin with, so there is nothing to be found in it.
    pub fn walk(&self, data: &[u8], found: impl FnMut(Found<'_>)) {
        let mut walk = Walk {
            data,
            layer: self.layer,
            links: 0,
            partial: self.more.then_some(Reason::Fragment),
            quoted: false,
            network: None,
            found,
        };
        if self.offset != 0 {
            return;
        }
        let (next, area) = (self.next, self.area.clone());
        let (addresses, sums_to) = (self.datagram.addresses, self.sums_to);
        match sums_to {
            Addresses::V4 { .. } => transport::protocol(
                &mut walk,
                next,
                Payload {
                    area,
                    addresses,
                    sums_to,
                },
            ),
            Addresses::V6 { .. } => ipv6::extensions(
                &mut walk,
                ipv6::Chain {
                    next,
                    area,
                    jumbo: None,
                    whole: true,
                    addresses,
                    sums_to,
                },
            ),
        }
    }

    /// Another run of bytes of the same datagram, or all of them, where they are all that there is.
    pub(crate) fn of_bytes(&self, offset: usize, more: bool, len: usize) -> Fragment {
        Fragment {
            offset,
            more,
            area: 0..len,
            ..self.clone()
        }
    }
}

/// A fragment was met: it is handed on if its bytes are all there. Otherwise its datagram can never be whole, and the walk goes on in the
/// fragment alone, if it is the first: then this returns true.
pub(super) fn met(
    walk: &mut Walk<'_, impl FnMut(Found<'_>)>,
    fragment: Fragment,
    whole: bool,
) -> bool {
    let usable = whole && walk.partial.is_none() && !walk.quoted && !fragment.area.is_empty();
    if usable && walk.snapped(&fragment.area).is_none() {
        (walk.found)(Found::Fragment(fragment));
        return false;
    }
    if fragment.more {
        walk.partial = Some(Reason::Fragment);
    }
    fragment.offset == 0
}
