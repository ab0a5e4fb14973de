// SPDX-License-Identifier: MIT OR Apache-2.0
//! Times as text (RFC 3339), in UTC.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use wiresum_packet::Timestamp;

/// The time as `2026-11-21T08:53:00.123456Z`, with as many digits as the capture has: none, 3, 6
/// or 9. None before 1970 and after 9999.
pub(crate) fn rfc3339(time: Timestamp) -> Option<String> {
    rfc3339_of_unix(time.unix(), time.per_second())
}

/// The same for seconds and nanoseconds after 1970, and the ticks of the capture's clock in a
/// second.
pub(crate) fn rfc3339_of_unix(unix: (i64, u32), per_second: u64) -> Option<String> {
    let at = system_time(unix.0, unix.1)?;
    Some(match per_second {
        0 | 1 => humantime::format_rfc3339_seconds(at).to_string(),
        2..=1_000 => humantime::format_rfc3339_millis(at).to_string(),
        1_001..=1_000_000 => humantime::format_rfc3339_micros(at).to_string(),
        _ => humantime::format_rfc3339_nanos(at).to_string(),
    })
}

/// The time so many nanoseconds after 1970, always with nine digits. None before 1970 and after
/// 9999.
pub(crate) fn rfc3339_of_nanoseconds(nanoseconds: i128) -> Option<String> {
    const SECOND: i128 = 1_000_000_000;
    let seconds = i64::try_from(nanoseconds.div_euclid(SECOND)).ok()?;
    let at = system_time(seconds, nanoseconds.rem_euclid(SECOND) as u32)?;
    Some(humantime::format_rfc3339_nanos(at).to_string())
}

fn system_time(seconds: i64, nanoseconds: u32) -> Option<SystemTime> {
    const YEAR_10000: u64 = 253_402_300_800;
    let seconds = u64::try_from(seconds)
        .ok()
        .filter(|&seconds| seconds < YEAR_10000)?;
    Some(UNIX_EPOCH + Duration::new(seconds, nanoseconds))
}
