// SPDX-License-Identifier: MIT OR Apache-2.0
//! Verifies a contender before a run times it: the speed of a wrong function means nothing. The
//! oracle is the loop of RFC 1071 section 4.1, with room for all carries. A test compares it with
//! `spec/vectors.json`.

use crate::ffi::{Copier, Summer};

/// The sum as protocol documents write it: big-endian words, a last odd byte the first of its word.
#[must_use]
pub fn reference(data: &[u8]) -> u16 {
    let words = data.chunks(2);
    let mut sum: u64 = words
        .map(|word| u64::from(word[0]) << 8 | u64::from(word.get(1).copied().unwrap_or(0)))
        .sum();
    while sum >> 16 != 0 {
        sum = (sum >> 16) + (sum & 0xFFFF);
    }
    sum as u16
}

/// A partial sum in memory order, as protocol documents write it.
#[must_use]
pub fn value(mut partial: u64) -> u16 {
    while partial >> 16 != 0 {
        partial = (partial >> 16) + (partial & 0xFFFF);
    }
    u16::from_be(partial as u16)
}

/// Every length to 1100, and the lengths near which accumulators of 16-bit words overflow.
fn lengths() -> impl Iterator<Item = usize> {
    let edges = [64 << 10, 128 << 10, 512 << 10, 1 << 20];
    (0..=1100).chain(
        edges
            .into_iter()
            .flat_map(|edge| [edge - 1, edge, edge + 2, edge + 16]),
    )
}

/// Noise, and the three fills in which mistakes with carries show.
fn fills(len: usize) -> [Vec<u8>; 4] {
    let mut rng = fastrand::Rng::with_seed(1071);
    let mut noise = vec![0; len];
    rng.fill(&mut noise);
    let counting = (0..len).map(|at| (at % 251) as u8).collect();
    [vec![0xFF; len], noise, counting, vec![0; len]]
}

const MARGIN: usize = 128;

/// Checks every length and fill, at several offsets: long data at fewer. Returns the first mistake,
/// in words.
fn each(mut check: impl FnMut(&[u8], usize) -> Result<(), String>) -> Result<(), String> {
    for fill in fills((1 << 20) + MARGIN) {
        for len in lengths() {
            for offset in [0, 1, 14] {
                if len <= 2000 || offset <= 1 {
                    check(&fill[offset..offset + len], offset)?;
                }
            }
        }
    }
    Ok(())
}

/// Compares the partial sum of data with the reference.
fn compare(partial: u64, data: &[u8], offset: usize) -> Result<(), String> {
    let (found, expected, len) = (value(partial), reference(data), data.len());
    if found == expected {
        return Ok(());
    }
    Err(format!(
        "{len} bytes at offset {offset} sum to {found:#06x}, not {expected:#06x}"
    ))
}

/// Compares the sums of a function with the reference.
pub(crate) fn sum(summer: Summer) -> Result<(), String> {
    each(|data, offset| compare(summer.call(data), data, offset))
}

/// Compares copies with their source, and their sums with the reference if the function makes any.
pub(crate) fn copy(copier: Copier, sums: bool) -> Result<(), String> {
    let mut to = vec![0; (1 << 20) + 2 * MARGIN];
    each(|data, offset| {
        let len = data.len();
        let start = MARGIN - offset;
        to[start - 1..=start + len].fill(0xA5);
        let partial = copier.call(&mut to[start..start + len], data);
        if to[start - 1] != 0xA5 || to[start + len] != 0xA5 || to[start..start + len] != *data {
            return Err(format!(
                "{len} bytes at offset {offset} are not copied as they are"
            ));
        }
        if sums {
            compare(partial, data, offset)?;
        }
        Ok(())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;
    use std::fs;

    fn bytes(parts: &[Value]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for part in parts {
            let (hex, repeat) = (part["hex"].as_str(), part["repeat"].as_str());
            let hex = hex.or(repeat).expect("hex or repeat");
            let pattern: Vec<u8> = (0..hex.len() / 2)
                .map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16).expect("hex"))
                .collect();
            let len = part["length"].as_u64().unwrap_or(pattern.len() as u64) as usize;
            bytes.extend(pattern.iter().copied().cycle().take(len));
        }
        bytes
    }

    #[test]
    fn the_reference_agrees_with_the_vectors() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../spec/vectors.json");
        let text = fs::read_to_string(path).expect("the vectors");
        let vectors: Value = serde_json::from_str(&text).expect("JSON");
        let mut seen = 0;
        for vector in vectors["sum"].as_array().expect("a list") {
            let parts = vector["data"].as_array().expect("a list");
            let long = parts
                .iter()
                .any(|part| part["length"].as_u64().unwrap_or(0) > 4 << 20);
            if long {
                continue;
            }
            let expected = vector["sum"]
                .as_str()
                .expect("a sum")
                .trim_start_matches("0x");
            let expected = u16::from_str_radix(expected, 16).expect("hex");
            assert_eq!(reference(&bytes(parts)), expected, "{}", vector["name"]);
            seen += 1;
        }
        assert!(seen > 800, "{seen}");
    }

    #[test]
    fn a_sum_that_loses_a_carry_is_found() {
        extern "C" fn loses_carries(data: *const core::ffi::c_void, n: usize) -> u64 {
            // SAFETY: called with slices only.
            let data = unsafe { std::slice::from_raw_parts(data.cast::<u8>(), n) };
            let words = data
                .chunks(2)
                .map(|word| u16::from_ne_bytes([word[0], *word.get(1).unwrap_or(&0)]));
            u64::from(words.fold(0_u32, |sum, word| sum.wrapping_add(word.into())))
        }
        // SAFETY: the function reads its data alone.
        let wrong = unsafe { Summer::new(loses_carries) };
        assert!(
            sum(wrong).is_err_and(|why| why.contains("131088 bytes")),
            "{:?}",
            sum(wrong)
        );
        assert_eq!(sum(Summer::LIBRARY), Ok(()));
        assert_eq!(copy(Copier::LIBRARY, true), Ok(()));
        assert_eq!(copy(Copier::memcpy(), false), Ok(()));
        assert!(copy(Copier::memcpy(), true).is_err());
    }
}
