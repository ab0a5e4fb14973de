// SPDX-License-Identifier: MIT OR Apache-2.0
//! Fragments of IPv4 (RFC 791) and IPv6 (RFC 8200 section 4.5). The walk of a frame ends at a
//! fragment. It goes on in the datagram, once the datagram is whole.

use std::ops::Range;

use super::transport::{self, Payload};
use super::{Addresses, Found, Obstacle, Place, Reason, Walk, ipv6};

/// A fragment. The walk of its frame ends here.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fragment {
    /// The datagram to which the fragment belongs.
    pub datagram: DatagramId,
    /// The offset in the datagram of the fragment's first byte.
    pub offset: usize,
    /// Whether other fragments follow.
    pub more: bool,
    /// The area of the frame that holds the fragment's bytes, without the headers before them. All
    /// of the bytes were captured.
    pub area: Range<usize>,
    /// The number of network headers around the fragment: 1 for the outermost, as in
    /// [`Field::layer`](super::Field::layer).
    pub layer: u8,
    /// The protocol number with which the payload of the first fragment begins. In other fragments
    /// of IPv6 it means nothing.
    pub(super) next: u8,
    /// The addresses of the pseudo-header.
    pub(super) sums_to: Addresses,
    /// Whether the pseudo-header may hold other addresses.
    pub(super) addresses_hidden: bool,
    /// Whether a digest or a signature of the packet that carries the fragment covers it.
    pub(crate) authenticated: bool,
}

/// The identity of a datagram: its fragments share it, and no other datagram that is on
/// its way at the same time has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DatagramId {
    /// The addresses of the network header.
    pub addresses: Addresses,
    /// The protocol number of IPv4. IPv6 does not distinguish datagrams by protocol; the value is
    /// then 44, the number of the Fragment header.
    pub protocol: u8,
    /// The identification: 16 bits in IPv4, 32 bits in IPv6.
    pub id: u32,
}

impl Fragment {
    /// Returns the offset in the datagram at which the fragment ends.
    #[must_use]
    pub fn end(&self) -> usize {
        self.offset + self.area.len()
    }

    /// Walks the payload of this fragment of a frame's `data`, and calls `found` with everything
    /// that the walk finds. Only the first fragment of a datagram begins with a header, so other
    /// fragments are an obstacle.
    pub fn walk(&self, data: &[u8], mut found: impl FnMut(Found<'_>)) {
        let place = Place {
            layer: self.layer,
            partial: self.more.then_some(Reason::Fragment),
            addresses: Some(self.datagram.addresses),
            addresses_hidden: self.addresses_hidden,
            authenticated: self.authenticated,
            ..Place::default()
        };
        let mut walk = Walk::new(data, place, &mut found);
        if self.offset != 0 {
            return walk.obstacle(Obstacle::Fragment);
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

    /// Makes a fragment of the same datagram for another run of its bytes, or for all of them. The
    /// bytes are all that the new frame holds.
    pub(crate) fn of_bytes(&self, offset: usize, more: bool, len: usize) -> Fragment {
        Fragment {
            offset,
            more,
            area: 0..len,
            ..self.clone()
        }
    }
}

/// Reports a fragment, if all of its bytes are there. If they are not, its datagram can never be
/// whole: then the function returns whether this is the first fragment, in which the walk goes on
/// alone.
pub(super) fn met(walk: &mut Walk<'_>, fragment: Fragment, whole: bool) -> bool {
    let usable =
        whole && walk.place.partial.is_none() && !walk.place.quoted && !fragment.area.is_empty();
    if usable && walk.snapped(&fragment.area).is_none() {
        (walk.found)(Found::Fragment(fragment));
        return false;
    }
    if fragment.offset != 0 {
        walk.obstacle(match walk.snapped(&fragment.area) {
            Some(_) => Obstacle::Snapped,
            None => Obstacle::Fragment,
        });
        return false;
    }
    if fragment.more {
        walk.place.partial = Some(Reason::Fragment);
    }
    true
}
