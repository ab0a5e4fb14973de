// SPDX-License-Identifier: MIT OR Apache-2.0
//! Changes of the CRC32c of SCTP (RFC 9260 appendix A). Unlike a sum, a CRC shows where a change
//! happened.

use super::{Cause, Evidence, How, Prediction};

type Say<'a> = &'a mut dyn FnMut(Prediction);

/// Adler-32, with its own field taken as 0 (RFC 2960 appendix B).
pub(super) fn adler_32(evidence: &Evidence<'_>, say: Say<'_>) {
    const MODULUS: u32 = 65_521;
    let own = evidence.field.bytes();
    let (mut a, mut b) = (1, 0);
    for at in evidence.field.covers.clone() {
        let byte = match evidence.data.get(at) {
            Some(_) if own.contains(&at) => 0,
            Some(&byte) => byte.into(),
            None => return,
        };
        a = (a + byte) % MODULUS;
        b = (b + a) % MODULUS;
    }
    say(Prediction {
        value: b << 16 | a,
        cause: Cause::Adler32,
        how: How::Plain,
    });
}

/// One changed byte, or one flipped bit of a byte. A CRC is linear: the change contributes to the
/// CRC what it would contribute alone among zeros. So this function winds the difference back from
/// the end of the packet, one byte at a time, until a single byte explains all that is left of it.
pub(super) fn one_byte(evidence: &Evidence<'_>, say: Say<'_>) {
    let own = evidence.field.bytes();
    let changed = |at, xor: u8| Prediction {
        value: evidence.found,
        cause: if xor.is_power_of_two() {
            Cause::OneBit
        } else {
            Cause::OneByte
        },
        how: How::At(at, xor),
    };
    let difference = evidence.found ^ evidence.expected;
    let mut in_own = own.clone().zip(difference.to_be_bytes());
    if let (Some((at, xor)), None) = (
        in_own.find(|&(_, xor)| xor != 0),
        in_own.find(|&(_, xor)| xor != 0),
    ) {
        return say(changed(at, xor)); // the change is in the field itself
    }
    let mut rest = difference.swap_bytes(); // the first byte on the wire is the lowest
    for at in evidence.field.covers.clone().rev() {
        let low = LOW_BYTE_OF[(rest >> 24) as usize];
        rest ^= TABLE[usize::from(low)];
        if rest == 0 && !own.contains(&at) {
            return say(changed(at, low));
        }
        rest = rest << 8 | u32::from(low);
    }
}

/// Each byte has 255 other values. The values of the CRC may coincide, so there are at most as
/// many.
pub(super) fn one_byte_values(evidence: &Evidence<'_>) -> u64 {
    255 * evidence.field.covers.len() as u64
}

/// The contribution of each byte to a CRC32c, least significant bit first.
const TABLE: [u32; 256] = {
    const POLYNOMIAL: u32 = 0x82f6_3b78; // 0x1edc6f41 with its bits reversed
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut rest = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            rest = rest >> 1 ^ if rest & 1 == 1 { POLYNOMIAL } else { 0 };
            bit += 1;
        }
        table[byte] = rest;
        byte += 1;
    }
    table
};

/// The byte whose entry in `TABLE` has this highest byte. The 256 highest bytes all differ.
const LOW_BYTE_OF: [u8; 256] = {
    let mut low = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        low[(TABLE[byte] >> 24) as usize] = byte as u8;
        byte += 1;
    }
    low
};
