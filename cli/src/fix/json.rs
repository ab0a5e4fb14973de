// SPDX-License-Identifier: MIT OR Apache-2.0
//! The JSON of `fix --json`, as `cli/README.md` promises it.

use std::collections::BTreeMap;
use std::io::Write;

use serde::Serialize;
use wiresum_packet::{Protocol, Repairs};

use crate::args::FixOptions;
use crate::input::name;

/// The version of the format. It goes up when a member is removed or changes its meaning.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Document<'a> {
    schema: u32,
    input: String,
    output: Option<String>,
    packets: u64,
    changed_packets: u64,
    changed_flags: u64,
    repaired: Counts,
    left: Counts,
    unverified: Counts,
    not_entered: BTreeMap<String, u64>,
    malformed_by: &'a BTreeMap<&'static str, u64>,
}

type Counts = BTreeMap<&'static str, BTreeMap<&'static str, u64>>;

pub(super) fn print(
    out: &mut impl Write,
    options: &FixOptions,
    repairs: &Repairs,
) -> anyhow::Result<()> {
    serde_json::to_writer_pretty(&mut *out, &document(options, repairs))?;
    writeln!(out)?;
    Ok(())
}

pub(super) fn counts(options: &FixOptions, repairs: &Repairs) -> serde_json::Result<String> {
    serde_json::to_string(&document(options, repairs))
}

fn document<'a>(options: &FixOptions, repairs: &'a Repairs) -> Document<'a> {
    let target = options.out.as_ref().unwrap_or(&options.input);
    Document {
        schema: SCHEMA,
        input: name(&options.input),
        output: (!options.dry_run).then(|| name(target)),
        packets: repairs.packets,
        changed_packets: repairs.changed_packets,
        changed_flags: repairs.flags,
        repaired: by_protocol(repairs.repaired()),
        left: by_protocol(repairs.left()),
        unverified: by_protocol(repairs.unverified()),
        not_entered: repairs
            .obstacles()
            .map(|(obstacle, n)| (obstacle.to_string(), n))
            .collect(),
        malformed_by: repairs.malformed(),
    }
}

fn by_protocol(all: impl Iterator<Item = (Protocol, &'static str, u64)>) -> Counts {
    let mut counts = Counts::new();
    for (protocol, key, n) in all {
        counts.entry(protocol.key()).or_default().insert(key, n);
    }
    counts
}
