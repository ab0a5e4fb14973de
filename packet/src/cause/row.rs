// SPDX-License-Identifier: MIT OR Apache-2.0
//! The hypothesis that a flow is wrong by the same amount, packet after packet.

use super::{Cause, Evidence, How, Prediction};

/// The least number of different expected values, in a row of checksums that are wrong by the same
/// amount, at which the row shows the cause.
pub const IN_A_ROW: usize = 3;

/// The differences that one lost or surplus carry makes. A little-endian machine that adds the
/// words in its own order carries 0x0100 in the notation of protocol documents.
const CARRIES: [u16; 4] = [0x0001, 0xfffe, 0x0100, 0xfeff];

/// Returns the cause of a row of checksums that are wrong by this difference.
pub(crate) fn cause_of_row(difference: u16) -> Cause {
    if CARRIES.contains(&difference) {
        Cause::SameCarry
    } else {
        Cause::SameDifference
    }
}

/// Predicts the value found, with the cause that the packets before tell. A packet that is judged
/// alone has no such cause.
pub(super) fn same_difference(evidence: &Evidence<'_>, say: &mut dyn FnMut(Prediction)) {
    if let (Some((cause, packets)), Some(by)) = (evidence.row, evidence.change()) {
        say(Prediction {
            value: evidence.found,
            cause,
            how: How::Again { by, packets },
        });
    }
}
