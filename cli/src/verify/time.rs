// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times as text.

use std::time::{Duration, UNIX_EPOCH};

use wiresum_packet::Timestamp;

/// As 2026-11-21T08:53:00.123456Z (RFC 3339), with as many digits as the capture has: none, 3, 6 or 9. None for times that no capture
/// has, before 1970 and after 9999.
pub(crate) fn rfc3339(time: Timestamp) -> Option<String> {
    const YEAR_10000: u64 = 253_402_300_800;
    let (seconds, nanoseconds) = time.unix();
    let seconds = u64::try_from(seconds)
        .ok()
        .filter(|&seconds| seconds < YEAR_10000)?;
    let at = UNIX_EPOCH + Duration::new(seconds, nanoseconds);
    Some(match time.per_second() {
        0 | 1 => humantime::format_rfc3339_seconds(at).to_string(),
        2..=1_000 => humantime::format_rfc3339_millis(at).to_string(),
        1_001..=1_000_000 => humantime::format_rfc3339_micros(at).to_string(),
        _ => humantime::format_rfc3339_nanos(at).to_string(),
    })
}
