// SPDX-License-Identifier: MIT OR Apache-2.0
//! What is where in a folder of results.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use arrow_array::{Array, Int64Array, StringArray};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::parquet::{column, read};
use crate::verify::counted::Counted;

/// No capture has more of anything. So the counts of all captures together do not overflow.
const MOST: u64 = 1 << 48;

/// A folder of results.
pub(super) struct Folder {
    /// In the order of the names of the captures, as `verify` reads a folder.
    pub(super) captures: Vec<Results>,
}

/// The files with the results of one capture.
#[derive(Default)]
pub(super) struct Results {
    /// The capture.
    pub(super) file: String,
    /// The name of its folders.
    name: String,
    /// The number of its parts. None if the folder does not tell.
    parts: Option<usize>,
    counts: Vec<PathBuf>,
    problems: Vec<PathBuf>,
    pub(super) checksums: Vec<PathBuf>,
}

/// What the folder says of a capture.
#[derive(Deserialize)]
struct Told {
    file: String,
    parts: usize,
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
        let mut add = |folder: &Path, to: fn(&mut Results) -> &mut Vec<PathBuf>| {
            for (base, path) in entries(folder)? {
                let Some(name) = base.strip_prefix("capture=") else {
                    continue;
                };
                let files = entries(&path)?.into_iter();
                let files = files.filter(|(base, _)| base.ends_with(".parquet"));
                let of = captures.entry(name.to_owned()).or_default();
                to(of).extend(files.map(|(_, path)| path));
            }
            anyhow::Ok(())
        };
        add(&path.join("counts"), |of| &mut of.counts)?;
        add(&path.join("problems"), |of| &mut of.problems)?;
        for (_, date) in entries(&path.join("checksums"))? {
            add(&date, |of| &mut of.checksums)?;
        }
        if captures.is_empty() {
            bail!(
                "this is no folder of results, which `write` of wiresum.duckdb, wiresum.ray or \
                 wiresum.spark makes"
            );
        }
        let mut captures: Vec<_> = captures
            .into_iter()
            .map(|(name, of)| {
                let file = match of.parts {
                    Some(_) => of.file,
                    None => name.clone(),
                };
                Results { file, name, ..of }
            })
            .collect();
        captures.sort_by(|a, b| Path::new(&a.file).cmp(Path::new(&b.file)));
        Ok(Folder { captures })
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
    /// Refuses a capture that could not be read, and one of which parts are missing. Compressed
    /// data that are cut short have counts, which show them.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        for problem in &self.problems {
            if self.has_counts(problem)? {
                continue;
            }
            let mut words = None;
            read(problem, &["error"], |rows| {
                let errors: &StringArray = column(rows, "error")?;
                words = words
                    .take()
                    .or(errors.iter().flatten().next().map(str::to_owned));
                Ok(())
            })?;
            if let Some(words) = words {
                bail!("{words}");
            }
        }
        let Some(parts) = self.parts else {
            bail!(
                "the folder of results has no captures/{}.json; write the results again, into \
                 another folder",
                self.name
            );
        };
        let names: BTreeSet<_> = self
            .counts
            .iter()
            .filter_map(|path| path.file_name())
            .collect();
        // A folder may claim any number of parts, so the names are counted.
        let is_part = |name: &str| {
            let number = name.strip_prefix("part-")?.strip_suffix(".parquet")?;
            let number: usize = number.parse().ok()?;
            (number < parts && name == format!("part-{number:05}.parquet")).then_some(())
        };
        let present = names.iter().filter_map(|name| is_part(name.to_str()?));
        let missing = parts - present.count();
        if missing > 0 || names.len() != parts {
            bail!(
                "the folder of results lacks {missing} of its {parts} parts; start `write` again, \
                 which goes on where it was cut off"
            );
        }
        Ok(())
    }

    /// Whether the part with this problem has counts nevertheless.
    fn has_counts(&self, problem: &Path) -> anyhow::Result<bool> {
        let mut has = false;
        let is_its = |path: &&PathBuf| path.file_name() == problem.file_name();
        if let Some(path) = self.counts.iter().find(is_its) {
            read(path, &["n"], |rows| {
                has |= rows.num_rows() > 0;
                Ok(())
            })?;
        }
        Ok(has)
    }

    /// The counts of all parts together.
    pub(super) fn counted(&self) -> anyhow::Result<Counted> {
        let mut all = BTreeMap::<Vec<String>, u64>::new();
        for path in &self.counts {
            read(path, &["what", "protocol", "name", "n"], |rows| {
                let names =
                    ["what", "protocol", "name"].map(|name| column::<StringArray>(rows, name));
                let numbers: &Int64Array = column(rows, "n")?;
                let [what, protocol, name] = names;
                let names = [what?, protocol?, name?];
                for row in 0..rows.num_rows() {
                    let named = names.iter().filter(|names| names.is_valid(row));
                    let key = named.map(|names| names.value(row).to_owned()).collect();
                    let n = u64::try_from(numbers.value(row));
                    let n = n.context("a count is negative")?;
                    let sum = all.entry(key).or_default();
                    *sum = sum.saturating_add(n);
                    ensure!(*sum <= MOST, "the counts are too large");
                }
                Ok(())
            })?;
        }
        let mut members = Map::new();
        for (key, n) in all {
            put(&mut members, &key, n)?;
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
