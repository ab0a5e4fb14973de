// SPDX-License-Identifier: MIT OR Apache-2.0
//! VRRP: version 2 (RFC 3768 section 5.3.8) over its message alone, version 3 (RFC 9568 section 5.2.8) with a pseudo-header. Over IPv4
//! some senders of version 3 leave that out, as their RFC long let them think. CARP, which has the same number, sums as version 2 does.

use super::transport::{self, Payload};
use super::{Addresses, Also, Found, Walk};
use crate::Protocol;

const HEADER: usize = 8;
const CHECKSUM: usize = 6;

pub(super) fn message(walk: &mut Walk<'_, impl FnMut(Found<'_>)>, payload: Payload) {
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
