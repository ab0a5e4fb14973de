// SPDX-License-Identifier: MIT OR Apache-2.0
//! ICMP (RFC 792) and ICMPv6 (RFC 4443). What an error message quotes is not walked: it is a copy, and often not whole.

use super::transport::{self, Payload};
use super::{Found, Walk};
use crate::Protocol;

const HEADER: usize = 4;
const CHECKSUM: usize = 2;

pub(super) fn v4(walk: &mut Walk<'_, impl FnMut(Found)>, payload: Payload) {
    if payload.area.len() < HEADER {
        return walk.short("ICMP message shorter than its header");
    }
    let field = payload.field(walk, Protocol::Icmp, CHECKSUM, payload.area.end);
    walk.field(field);
}

pub(super) fn v6(walk: &mut Walk<'_, impl FnMut(Found)>, payload: Payload) {
    if payload.area.len() < HEADER {
        return walk.short("ICMPv6 message shorter than its header");
    }
    let mut field = payload.field(walk, Protocol::Icmpv6, CHECKSUM, payload.area.end);
    field.pseudo = payload.pseudo(transport::ICMPV6, payload.area.len());
    walk.field(field);
}
