// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum report`: the outputs of `verify` from a folder of results, as `python/archives.md`
//! describes it. The captures are not read again.

mod checksums;
mod folder;
mod parquet;

use anyhow::{Context, bail, ensure};

use super::counted::Counted;
use super::examined::{Examined, Failure};
use super::html::Digest;
use super::json::Lines;
use super::outputs::{Page, check_standard_output, print};
use crate::args::ReportOptions;
use crate::input::name;
use crate::outcome::Outcome;
use checksums::Checksums;
use folder::{Folder, Results};
use parquet::Table;

pub(crate) fn run(options: &ReportOptions) -> anyhow::Result<Outcome> {
    let shown = &options.shown;
    check_standard_output(shown, &[])?;
    let folder = Folder::open(&options.folder);
    let folder = folder.with_context(|| name(options.folder.as_ref()))?;
    let page = shown.html.as_deref();
    let mut page = page
        .map(|path| Page::create(path, options.force))
        .transpose()?;
    // The counts lack the senders, and the causes that share a name with another one.
    let with_checksums = page.is_some() || shown.is_json() || !shown.quiet;
    let checksums = with_checksums.then(|| folder.checksums()).transpose()?;
    let (mut examined, mut failures) = (Vec::new(), Vec::new());
    let lines = Lines::default();
    for (number, results) in folder.captures.into_iter().enumerate() {
        let path = results.file.clone();
        let result = read(results, checksums.as_deref(), page.as_mut());
        let result = result.map_err(|error| Failure { path, error });
        if shown.jsonl {
            lines.put(number, &result, None)?;
        }
        match result {
            Ok(capture) => examined.push(capture),
            Err(failure) => failures.push(failure),
        }
    }
    print(shown, page, None, false, &examined, &failures)?;
    Ok(super::end(&examined, &failures, shown))
}

/// Reads the results of one capture. A page gets what the counts do not tell.
fn read(
    results: Results,
    checksums: Option<&[anyhow::Result<Table>]>,
    mut page: Option<&mut Page>,
) -> anyhow::Result<Examined> {
    results.check()?;
    let mut counted = results.counted()?;
    if let Some(tables) = checksums {
        let digest = page.as_mut().map(|page| &mut page.digest);
        let read = read_checksums(&results, tables, digest, &mut counted);
        if let (Err(_), Some(page)) = (&read, page) {
            page.digest.abandon();
        }
        read?;
    }
    let path = results.file;
    Ok(Examined { path, counted })
}

fn read_checksums(
    results: &Results,
    tables: &[anyhow::Result<Table>],
    digest: Option<&mut Digest>,
    counted: &mut Counted,
) -> anyhow::Result<()> {
    let mut checksums = Checksums::new(digest);
    for table in tables {
        match table {
            Ok(table) => checksums.read(table, &results.name)?,
            // A file that is damaged may have rows of any capture.
            Err(error) => bail!("{error:#}"),
        }
    }
    let (causes, senders) = checksums.end()?;
    ensure!(
        counted.distinguish(causes, senders),
        "its checksums differ from its counts; write the results again, into another folder"
    );
    Ok(())
}
