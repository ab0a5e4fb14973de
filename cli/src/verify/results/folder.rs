// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is where in a folder of results.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use arrow_array::{Array, Int64Array, StringArray, UInt32Array};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::parquet::{Table, column};
use crate::verify::counted::Counted;

/// No capture has more of anything. So the counts of all captures together do not overflow.
const MOST: u64 = 1 << 48;

/// A folder of results.
pub(super) struct Folder {
    path: PathBuf,
    /// In the order of the names of the captures, as `verify` reads a folder.
    pub(super) captures: Vec<Results>,
}

/// The results of one capture, without the rows of its checksums.
#[derive(Default)]
pub(super) struct Results {
    /// The capture.
    pub(super) file: String,
    /// Its name in the tables.
    pub(super) name: String,
    /// The number of its parts. None if the folder does not tell.
    parts: Option<u64>,
    /// The parts that have been read.
    read: BTreeSet<u32>,
    counts: Vec<Count>,
    /// Why a part without counts could not be read to its end.
    problem: Option<String>,
}

/// A count of a part.
struct Count {
    key: Vec<String>,
    n: i64,
}

/// What the folder says of a capture.
#[derive(Deserialize)]
struct Told {
    file: String,
    parts: u64,
}

impl Folder {
    pub(super) fn open(path: &Path) -> anyhow::Result<Folder> {
        if !fs::metadata(path)?.is_dir() {
            bail!("this is a file; name a folder of results");
        }
        let mut captures = BTreeMap::<String, Results>::new();
        for (base, path) in entries(&path.join("captures"))? {
            let Some(name) = base.strip_suffix(".json") else {
                continue;
            };
            let told = fs::read(&path).map_err(anyhow::Error::from);
            let told = told.and_then(|told| Ok(serde_json::from_slice::<Told>(&told)?));
            let told = told.with_context(|| path.display().to_string())?;
            let of = captures.entry(name.to_owned()).or_default();
            of.parts = Some(told.parts);
            of.file = told.file;
        }
        let mut folder = Folder {
            path: path.to_owned(),
            captures: Vec::new(),
        };
        folder.read_counts(&mut captures)?;
        folder.read_problems(&mut captures)?;
        if captures.is_empty() {
            bail!(
                "this is no folder of results, which `write` of wiresum.duckdb, wiresum.ray or \
                 wiresum.spark makes"
            );
        }
        folder.captures = captures
            .into_iter()
            .map(|(name, of)| {
                let file = match of.parts {
                    Some(_) => of.file,
                    None => name.clone(),
                };
                Results { file, name, ..of }
            })
            .collect();
        let captures = &mut folder.captures;
        captures.sort_by(|a, b| Path::new(&a.file).cmp(Path::new(&b.file)));
        Ok(folder)
    }

    fn read_counts(&self, captures: &mut BTreeMap<String, Results>) -> anyhow::Result<()> {
        const COLUMNS: [&str; 6] = ["capture", "part", "what", "protocol", "name", "n"];
        for table in self.tables("counts")? {
            table?.read(&COLUMNS, None, |rows| {
                let (name, part): (&StringArray, &UInt32Array) =
                    (column(rows, COLUMNS[0])?, column(rows, COLUMNS[1])?);
                let n: &Int64Array = column(rows, COLUMNS[5])?;
                let [what, protocol, of] = [COLUMNS[2], COLUMNS[3], COLUMNS[4]]
                    .map(|name| column::<StringArray>(rows, name));
                let names = [what?, protocol?, of?];
                for row in 0..rows.num_rows() {
                    let of = captures.entry(name.value(row).to_owned()).or_default();
                    of.read.insert(part.value(row));
                    let named = names.iter().filter(|names| names.is_valid(row));
                    let key = named.map(|names| names.value(row).to_owned()).collect();
                    let n = n.value(row);
                    of.counts.push(Count { key, n });
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    fn read_problems(&self, captures: &mut BTreeMap<String, Results>) -> anyhow::Result<()> {
        for table in self.tables("problems")? {
            table?.read(&["capture", "part", "error"], None, |rows| {
                let name: &StringArray = column(rows, "capture")?;
                let part: &UInt32Array = column(rows, "part")?;
                let words: &StringArray = column(rows, "error")?;
                for row in 0..rows.num_rows() {
                    let of = captures.entry(name.value(row).to_owned()).or_default();
                    let (part, words) = (part.value(row), words.value(row).to_owned());
                    // Compressed data that are cut short have counts, which show them.
                    if !of.read.contains(&part) {
                        of.problem.get_or_insert(words);
                    }
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// The files of rows of checksums.
    pub(super) fn checksums(&self) -> anyhow::Result<Vec<anyhow::Result<Table>>> {
        let mut tables = Vec::new();
        for (date, _) in entries(&self.path.join("checksums"))? {
            tables.extend(self.tables(&format!("checksums/{date}"))?);
        }
        Ok(tables)
    }

    /// The Parquet files in a folder of the results.
    fn tables(&self, folder: &str) -> anyhow::Result<Vec<anyhow::Result<Table>>> {
        let files = entries(&self.path.join(folder))?.into_iter();
        let files = files.filter(|(base, _)| base.ends_with(".parquet"));
        Ok(files.map(|(_, path)| Table::open(path)).collect())
    }
}

/// The names and the paths of what lies in a folder, in the order of their names, except for
/// temporary files. Nothing if the folder does not exist.
fn entries(folder: &Path) -> anyhow::Result<Vec<(String, PathBuf)>> {
    let listed = match fs::read_dir(folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        listed => listed.with_context(|| folder.display().to_string())?,
    };
    let mut entries = Vec::new();
    for entry in listed {
        let entry = entry.with_context(|| folder.display().to_string())?;
        let base = entry.file_name();
        if let Some(base) = base.to_str().filter(|base| !base.starts_with('.')) {
            entries.push((base.to_owned(), entry.path()));
        }
    }
    entries.sort();
    Ok(entries)
}

impl Results {
    /// Refuses a capture that could not be read, and one of which parts are missing.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        if let Some(words) = &self.problem {
            bail!("{words}");
        }
        let Some(parts) = self.parts else {
            bail!(
                "the folder of results has no captures/{}.json; write the results again, into \
                 another folder",
                self.name
            );
        };
        // A folder may claim any number of parts, so those that are there are counted.
        let present = self.read.iter().filter(|&&part| u64::from(part) < parts);
        let missing = parts - present.count() as u64;
        if missing > 0 || self.read.len() as u64 != parts {
            bail!(
                "the folder of results lacks {missing} of its {parts} parts; start `write` again, \
                 which goes on where it was cut off"
            );
        }
        Ok(())
    }

    /// The counts of all parts together.
    pub(super) fn counted(&self) -> anyhow::Result<Counted> {
        let mut all = BTreeMap::<&[String], u64>::new();
        for Count { key, n } in &self.counts {
            let n = u64::try_from(*n).context("a count is negative")?;
            let sum = all.entry(key).or_default();
            *sum = sum.saturating_add(n);
            ensure!(*sum <= MOST, "the counts are too large");
        }
        let mut members = Map::new();
        for (key, n) in all {
            put(&mut members, key, n)?;
        }
        Ok(serde_json::from_value(Value::Object(members))?)
    }
}

/// Puts a count where the JSON of `verify` has it.
fn put(members: &mut Map<String, Value>, key: &[String], n: u64) -> anyhow::Result<()> {
    match key {
        [] => bail!("a count has no name"),
        [name] => {
            members.insert(name.clone(), n.into());
            Ok(())
        }
        [name, rest @ ..] => {
            let inner = members.entry(name).or_insert_with(|| Map::new().into());
            let inner = inner.as_object_mut();
            put(
                inner.with_context(|| format!("{name} is a number and a group"))?,
                rest,
                n,
            )
        }
    }
}
