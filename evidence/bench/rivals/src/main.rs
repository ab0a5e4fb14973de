// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum bench` with rivals: the functions that a user would pick instead, verified against
//! `spec/vectors.json` and called by the same loops in the same process. Prints the report as JSON.
//! `python3 -m evidence.bench.record` runs this program, and adds the rivals that need a process of
//! their own.

use core::ffi::c_void;
use std::path::Path;
use std::{env, fs, slice};

use anyhow::{Context, bail};
use serde_json::Value;
use wiresum_bench::{
    Contender, Entry, Options, Role, SECTIONS, Section, SumFunction, Summer, value,
};

mod functions {
    use super::{c_void, slice};

    /// The native sum of a checksum: its two bytes on the wire, read natively and complemented.
    fn sum(checksum: u16) -> u64 {
        (!checksum).into()
    }

    macro_rules! rivals {
        ($($name:ident = |$data:ident| $sum:expr;)*) => {$(
            pub unsafe extern "C" fn $name(data: *const c_void, n: usize) -> u64 {
                // SAFETY: called with the pointer and the length of a slice.
                let $data = unsafe { slice::from_raw_parts(data.cast::<u8>(), n) };
                $sum
            }
        )*};
    }

    rivals! {
        internet_checksum = |data| sum(u16::from_ne_bytes(internet_checksum::checksum(data)));
        smoltcp = |data| smoltcp::wire::checksum::data(data).to_be().into();
        etherparse = |data| {
            let words = etherparse::checksum::Sum16BitWords::new().add_slice(data);
            sum(words.ones_complement())
        };
        // The second argument is the number of a word to skip; the data have no word of this
        // number.
        pnet_packet = |data| sum(pnet_packet::util::checksum(data, usize::MAX).to_be());
        s2n_quic_core = |data| {
            let mut checksum = s2n_quic_core::inet::checksum::Checksum::default();
            checksum.write_padded(data);
            sum(checksum.finish_be())
        };
        ip4sum = |data| sum(ip4sum::checksum(data).to_be());
    }

    unsafe extern "C" {
        pub fn rival_textbook_o0(data: *const c_void, n: usize) -> u64;
        pub fn rival_textbook_o1(data: *const c_void, n: usize) -> u64;
        pub fn rival_textbook_o2(data: *const c_void, n: usize) -> u64;
        pub fn rival_textbook_o3(data: *const c_void, n: usize) -> u64;
        pub fn rival_words16_vectorized(data: *const c_void, n: usize) -> u64;
        pub fn rival_words32_vectorized(data: *const c_void, n: usize) -> u64;
        #[cfg(target_arch = "x86_64")]
        pub fn rival_masks(data: *const c_void, n: usize) -> u64;
        #[cfg(has_dpdk)]
        pub fn rival_dpdk(data: *const c_void, n: usize) -> u64;
        #[cfg(has_linux)]
        pub fn rival_linux(data: *const c_void, n: usize) -> u64;
        #[cfg(has_linux)]
        pub fn rival_linux_folded(data: *const c_void, n: usize) -> u64;
    }
}

/// The version of a crate, from the lock file.
fn version(name: &str) -> String {
    let lock = include_str!("../Cargo.lock");
    let start = lock.find(&format!("name = \"{name}\"\nversion = \""));
    let rest = start
        .map(|at| &lock[at..])
        .and_then(|rest| rest.split('"').nth(3));
    format!("crates.io, {}", rest.unwrap_or("of an unknown version"))
}

fn all() -> (Vec<(String, SumFunction, String)>, Vec<Entry>) {
    use functions::*;
    let mut rivals: Vec<(String, SumFunction, String)> = Vec::new();
    #[allow(unused_mut)] // where no rival is absent
    let mut absent = Vec::new();
    let crates: [(&str, SumFunction); 6] = [
        ("internet-checksum", internet_checksum),
        ("smoltcp", smoltcp),
        ("etherparse", etherparse),
        ("pnet_packet", pnet_packet),
        ("s2n-quic-core", s2n_quic_core),
        ("ip4sum", ip4sum),
    ];
    for (name, f) in crates {
        rivals.push((name.to_owned(), f, version(name)));
    }
    let own: [(&str, SumFunction, &str); 6] = [
        (
            "textbook -O0",
            rival_textbook_o0,
            "the loop of RFC 1071 section 4.1",
        ),
        (
            "textbook -O1",
            rival_textbook_o1,
            "the loop of RFC 1071 section 4.1",
        ),
        (
            "textbook -O2",
            rival_textbook_o2,
            "the loop of RFC 1071 section 4.1",
        ),
        (
            "textbook -O3",
            rival_textbook_o3,
            "the loop of RFC 1071 section 4.1",
        ),
        (
            "16-bit loop -O3 -march=native",
            rival_words16_vectorized,
            "vectorized by the compiler",
        ),
        (
            "32-bit loop -O3 -march=native",
            rival_words32_vectorized,
            "vectorized by the compiler",
        ),
    ];
    rivals.extend(own.map(|(name, f, note)| (name.to_owned(), f, note.to_owned())));
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        let note = "two masks and two additions a vector, written anew; it folds".to_owned();
        rivals.push(("AVX2 as in BESS".to_owned(), rival_masks, note));
    }
    #[cfg(has_dpdk)]
    rivals.push((
        "DPDK rte_raw_cksum".to_owned(),
        rival_dpdk,
        format!("Debian's libdpdk-dev {}", env!("RIVAL_DPDK")),
    ));
    #[cfg(not(has_dpdk))]
    absent.push(("DPDK rte_raw_cksum", env!("RIVAL_DPDK")));
    let linux = ["Linux csum_partial", "Linux csum_partial, folded"];
    #[cfg(has_linux)]
    for (name, f) in linux.into_iter().zip([rival_linux, rival_linux_folded]) {
        let note = "Debian's linux-source-6.12".to_owned();
        rivals.push((name.to_owned(), f as SumFunction, note));
    }
    #[cfg(not(has_linux))]
    absent.extend(linux.map(|name| {
        let why = "not built: apt-get install linux-source-6.12, then \
                   python3 -m evidence.bench.instructions.linux";
        (name, why)
    }));
    #[allow(clippy::useless_vec)]
    let absent: Vec<(&str, &str)> = absent;
    let absent = absent
        .into_iter()
        .map(|(name, why)| Entry {
            name: name.to_owned(),
            role: Role::Rival,
            verified: None,
            note: why.to_owned(),
        })
        .collect();
    (rivals, absent)
}

/// The vectors of sums, each with its name, its data and its sum, except for vectors of more than
/// 4 MiB.
fn vectors() -> anyhow::Result<Vec<(String, Vec<u8>, u16)>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../spec/vectors.json");
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    let file: Value = serde_json::from_str(&text)?;
    let mut vectors = Vec::new();
    for vector in file["sum"].as_array().context("there are no vectors")? {
        let name = vector["name"].as_str().context("a vector has no name")?;
        let mut data = Vec::new();
        let mut short = true;
        for part in vector["data"].as_array().context("a vector has no data")? {
            let hex = part["hex"]
                .as_str()
                .or(part["repeat"].as_str())
                .context("a part has no bytes")?;
            let pattern =
                (0..hex.len() / 2).map(|at| u8::from_str_radix(&hex[2 * at..2 * at + 2], 16));
            let pattern: Vec<u8> = pattern.collect::<Result<_, _>>()?;
            let len = part["length"]
                .as_u64()
                .map_or(pattern.len(), |len| len as usize);
            short &= len <= 4 << 20;
            if short {
                data.extend(pattern.iter().cycle().take(len));
            }
        }
        let sum = vector["sum"]
            .as_str()
            .context("a vector has no sum")?
            .trim_start_matches("0x");
        if short {
            vectors.push((name.to_owned(), data, u16::from_str_radix(sum, 16)?));
        }
    }
    Ok(vectors)
}

fn main() -> anyhow::Result<()> {
    let mut options = Options {
        seed: 1071,
        ..Options::default()
    };
    for word in env::args().skip(1) {
        match word.as_str() {
            "--quick" => options.quick = true,
            section => match SECTIONS.iter().find(|known| known.to_string() == section) {
                Some(&known) => options.sections.push(known),
                None => bail!(
                    "wiresum-rivals [--quick] [sizes] [mixes] [latency] [headers] [batch] \
                     [page_end], not {section}"
                ),
            },
        }
    }
    if options.sections.is_empty() {
        options.sections = SECTIONS
            .into_iter()
            .filter(|&section| section != Section::PageEnd)
            .collect();
    }
    let vectors = vectors()?;
    let (rivals, absent) = all();
    let contenders = rivals
        .into_iter()
        .map(|(name, f, mut note)| {
            let wrong: Vec<_> = vectors
                .iter()
                // SAFETY: data is a slice that lives as long as the call.
                .filter(|(_, data, expected)| {
                    value(unsafe { f(data.as_ptr().cast(), data.len()) }) != *expected
                })
                .collect();
            if let Some((first, ..)) = wrong.first() {
                note = format!(
                    "{note}; wrong on {} of {} vectors, {first} the first",
                    wrong.len(),
                    vectors.len()
                );
            }
            // SAFETY: each of them sums a slice.
            Contender::rival(&name, unsafe { Summer::new(f) }, &note)
        })
        .collect();
    let mut report = wiresum_bench::run(&options, contenders, |done, of, what| {
        eprintln!("{done}/{of} {what}")
    })?;
    for entry in &mut report.contenders {
        // A vector may find a mistake that the run's own verification does not find.
        if entry.note.contains(" vectors, ") {
            entry.verified = Some(false);
        }
    }
    report.contenders.extend(absent);
    println!("{}", serde_json::to_string_pretty(&report)?);
    Ok(())
}
