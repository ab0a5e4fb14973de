// SPDX-License-Identifier: MIT OR Apache-2.0
//! The Host Identity Protocol (RFC 7401 section 5.1.1).

use super::Walk;
use super::transport::{self, Payload};
use crate::Protocol;

const HEADER: usize = 40;
const CHECKSUM: usize = 4;

pub(super) fn packet(walk: &mut Walk<'_>, payload: Payload) {
    let area = payload.area.clone();
    if area.len() < HEADER {
        return walk.short("HIP packet shorter than its header");
    }
    let Some(header) = walk.header::<2>(&area, "") else {
        return;
    };
    let len = usize::from(header[1]) * 8 + 8;
    if len > area.len() {
        return walk.short("HIP packet longer than the one that carries it");
    }
    let mut field = payload.field(walk, Protocol::Hip, CHECKSUM, area.start + len);
    field.pseudo = payload.pseudo(transport::HIP, len);
    walk.field(&field);
}
