// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum undo`: restores a capture from its undo record.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};
use wiresum_packet::capture::Decoder;

use super::record::{self, Changes};
use super::target::Target;
use crate::args::UndoOptions;
use crate::input::{name, open};
use crate::outcome::Outcome;
use crate::output::is_same;

pub(crate) fn run(options: &UndoOptions) -> anyhow::Result<Outcome> {
    undo(options)?;
    Ok(Outcome::Good)
}

/// Restores a capture, as the options say.
pub fn undo(options: &UndoOptions) -> anyhow::Result<()> {
    let path = name(&options.record);
    let file = File::open(&options.record).with_context(|| path.clone())?;
    let changes = record::read(BufReader::new(file)).with_context(|| path.clone())?;

    let capture = name(&options.capture);
    let reader = open(&options.capture).with_context(|| capture.clone())?;
    let mut reader = Decoder::new(reader)?;
    let target = match &options.out {
        Some(out) if is_same(&options.capture, out) => {
            bail!("{capture} is both CAPTURE and OUT; without OUT it is restored in place")
        }
        Some(out) => {
            Target::new(out, reader.compression(), options.force).with_context(|| name(out))?
        }
        None => Target::in_place(&options.capture, reader.compression())
            .with_context(|| capture.clone())?,
    };
    let mut spool = target.spool()?;
    restore(&changes, &mut reader, spool.file()).with_context(|| capture.clone())?;
    if let Some(damage) = reader.damage() {
        bail!("{capture}: the compressed data are damaged: {damage}");
    }
    let out = options.out.as_ref().unwrap_or(&options.capture);
    let published = target.ready(spool).and_then(|ready| Ok(ready.publish()?));
    published.with_context(|| name(out))
}

/// Writes the capture as it was before the repair. If this fails, the output is of no use.
fn restore(changes: &Changes, from: &mut impl Read, to: &mut impl Write) -> anyhow::Result<()> {
    let mut to = BufWriter::with_capacity(256 << 10, to);
    let (mut before, mut after) = (Sha256::new(), Sha256::new());
    let mut block = vec![0; 256 << 10];
    let mut len = 0_u64;
    let other = "the undo record is for another capture";
    loop {
        let read = match from.read(&mut block) {
            Ok(0) => break,
            Ok(read) => read,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e.into()),
        };
        let bytes = &mut block[..read];
        after.update(&*bytes);
        for (&position, &(old, new)) in changes.bytes.range(len..len + read as u64) {
            let byte = &mut bytes[(position - len) as usize];
            if *byte != new {
                bail!("{other}: byte {position} is {byte:#04x} here and {new:#04x} there");
            }
            *byte = old;
        }
        before.update(&*bytes);
        to.write_all(bytes)?;
        len += read as u64;
    }
    if len != changes.len {
        bail!(
            "{other}: this one has {len} bytes, and that one {}",
            changes.len
        );
    }
    if after.finalize()[..] != changes.after || before.finalize()[..] != changes.before {
        bail!("{other}: the SHA-256 differs");
    }
    Ok(to.flush()?)
}
