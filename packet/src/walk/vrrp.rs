// SPDX-License-Identifier: MIT OR Apache-2.0
//! VRRP. The checksum of version 2 (RFC 3768 section 5.3.8) covers the message alone; the checksum
//! of version 3 (RFC 9568 section 5.2.8) has a pseudo-header. Over IPv4 some senders of version 3
//! leave the pseudo-header out, because RFC 5798 defined it by the pseudo-header of IPv6. CARP has
//! the protocol number of VRRP and the checksum of version 2.

use super::transport::{self, Payload};
use super::{Addresses, Also, Walk};
use crate::Protocol;

const HEADER: usize = 8;
const CHECKSUM: usize = 6;

pub(super) fn message(walk: &mut Walk<'_>, payload: Payload) {
    const VERSION_3: u8 = 3;
    let Some(header) = walk.header::<HEADER>(&payload.area, "VRRP message shorter than its header")
    else {
        return;
    };
    let mut field = payload.field(walk, Protocol::Vrrp, CHECKSUM, payload.area.end);
    if header[0] >> 4 == VERSION_3 {
        field.pseudo = payload.pseudo(transport::VRRP, payload.area.len());
        if let Addresses::V4 { .. } = payload.addresses {
            field.also = Some(Also::WithoutPseudo);
        }
    }
    walk.field(&field);
}
