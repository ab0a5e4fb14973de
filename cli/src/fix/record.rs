// SPDX-License-Identifier: MIT OR Apache-2.0
//! The undo record, which `fix --undo` writes and `undo` reads. `cli/README.md` promises its
//! format.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead, BufWriter, Read, Seek, Write};
use std::path::PathBuf;

use anyhow::{Context, anyhow, bail};
use sha2::{Digest, Sha256};
use wiresum_packet::fix::Change;

use super::temporary::Temporary;
use crate::input::name;
use crate::output::{behind_links, check, is_same};

const MAGIC: &str = "wiresum undo 1";

/// An undo record being written.
pub(super) struct Record {
    out: BufWriter<File>,
    /// The same file, which has no name yet.
    file: Temporary,
    path: PathBuf,
    force: bool,
    /// The digest of the capture before the repair.
    before: Sha256,
    len: u64,
}

impl Record {
    pub(super) fn new(path: &OsStr, force: bool) -> anyhow::Result<Record> {
        check(path, force)?;
        let named = || name(path);
        if fs::metadata(path).is_ok_and(|metadata| !metadata.is_file()) {
            bail!("{}: the undo record needs a file of its own", named());
        }
        let path = behind_links(path.into());
        let mut file = Temporary::beside(&path).with_context(named)?;
        let mut out = BufWriter::new(file.file().try_clone().with_context(named)?);
        writeln!(out, "{MAGIC}")?;
        Ok(Record {
            out,
            file,
            path,
            force,
            before: Sha256::new(),
            len: 0,
        })
    }

    /// Takes the next bytes of the repaired capture, and the changes in them.
    pub(super) fn write(&mut self, bytes: &[u8], changes: &[Change]) -> io::Result<()> {
        let mut done = 0;
        for change in changes {
            let at = (change.position - self.len) as usize;
            self.before.update(&bytes[done..at]);
            self.before.update(change.old());
            done = at + change.old().len();
            self.change(change)?;
        }
        self.before.update(&bytes[done..]);
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Adds the line of a change.
    pub(super) fn change(&mut self, change: &Change) -> io::Result<()> {
        write!(self.out, "{} ", change.position)?;
        hex(&mut self.out, change.old())?;
        write!(self.out, " ")?;
        hex(&mut self.out, change.new_bytes())?;
        writeln!(self.out)
    }

    /// Ends the record with the length and the digests. The record has no name yet.
    pub(super) fn finish(mut self, repaired: &mut File) -> io::Result<Finished> {
        repaired.rewind()?;
        let mut after = Sha256::new();
        let mut block = vec![0; 256 << 10];
        loop {
            match repaired.read(&mut block)? {
                0 => break,
                read => after.update(&block[..read]),
            }
        }
        writeln!(self.out, "length {}", self.len)?;
        for (word, digest) in [("before", self.before), ("after", after)] {
            write!(self.out, "{word} ")?;
            hex(&mut self.out, &digest.finalize())?;
            writeln!(self.out)?;
        }
        let out = self.out.into_inner().map_err(|e| e.into_error())?;
        out.sync_all()?;
        Ok(Finished {
            file: self.file,
            path: self.path,
            force: self.force,
        })
    }

    /// The name of the record on the command line.
    pub(super) fn name(&self) -> String {
        name(self.path.as_os_str())
    }
}

/// An undo record that is whole.
pub(super) struct Finished {
    file: Temporary,
    path: PathBuf,
    force: bool,
}

impl Finished {
    /// Gives the record its name.
    pub(super) fn publish(self) -> anyhow::Result<()> {
        let published = self.file.publish(&self.path, self.force);
        published.with_context(|| name(self.path.as_os_str()))
    }
}

fn hex(out: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    bytes.iter().try_for_each(|byte| write!(out, "{byte:02x}"))
}

/// The contents of an undo record.
pub(super) struct Changes {
    /// For each position, the old byte and the new one.
    pub(super) bytes: BTreeMap<u64, (u8, u8)>,
    pub(super) len: u64,
    pub(super) before: Vec<u8>,
    pub(super) after: Vec<u8>,
}

pub(super) fn read(record: impl BufRead) -> anyhow::Result<Changes> {
    let mut lines = record.lines();
    if !matches!(lines.next(), Some(Ok(first)) if first == MAGIC) {
        bail!("it is not an undo record");
    }
    let mut bytes = BTreeMap::new();
    let (mut len, mut before, mut after) = (None, None, None);
    for (number, line) in (2..).zip(lines) {
        let line = line?;
        let bad = || anyhow!("line {number} is not a line of an undo record");
        let words: Vec<_> = line.split(' ').collect();
        match words[..] {
            ["length", digits] => len = Some(digits.parse().map_err(|_| bad())?),
            ["before", digest] => before = Some(from_hex(digest).ok_or_else(bad)?),
            ["after", digest] => after = Some(from_hex(digest).ok_or_else(bad)?),
            [position, old, new] => {
                let position: u64 = position.parse().map_err(|_| bad())?;
                let old = from_hex(old).ok_or_else(bad)?;
                let new = from_hex(new).ok_or_else(bad)?;
                if old.len() != new.len() || position.checked_add(old.len() as u64).is_none() {
                    return Err(bad());
                }
                for (at, (old, new)) in (position..).zip(old.into_iter().zip(new)) {
                    // A byte that was changed twice keeps the old value of the first change.
                    bytes.entry(at).or_insert((old, new)).1 = new;
                }
            }
            _ => return Err(bad()),
        }
    }
    match (len, before, after) {
        (Some(len), Some(before), Some(after)) => Ok(Changes {
            bytes,
            len,
            before,
            after,
        }),
        _ => bail!("the undo record is truncated"),
    }
}

fn from_hex(digits: &str) -> Option<Vec<u8>> {
    if !digits.is_ascii() || !digits.len().is_multiple_of(2) || digits.is_empty() {
        return None;
    }
    (0..digits.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).ok())
        .collect()
}

/// Whether the record has a file of its own, which none of the others is.
pub(super) fn is_elsewhere(record: &OsStr, others: [&OsStr; 2]) -> bool {
    record != "-" && others.iter().all(|other| !is_same(record, other))
}
