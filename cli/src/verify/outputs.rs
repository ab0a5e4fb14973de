// SPDX-License-Identifier: MIT OR Apache-2.0
//! The outputs that a command line asks for, and the file of each.

use std::ffi::OsStr;
use std::io::{self, BufWriter, Write};

use anyhow::Context;
use wiresum_packet::Collector;

use super::csv::Csv;
use super::examined::{Examined, Failure};
use super::html::Digest;
use super::json::Lines;
use super::list::List;
#[cfg(feature = "parquet")]
use super::parquet::Parquet;
use super::unjudged::{Entry, Unjudged};
use super::{brief, html, json, table};
use crate::args::{Shown, VerifyOptions};
use crate::input::name;
use crate::output::{self, is_same};
use crate::progress::Progress;

/// A build without the feature never has this output.
#[cfg(not(feature = "parquet"))]
type Parquet = super::nothing::Nothing;

pub(super) struct Outputs<'a> {
    options: &'a VerifyOptions,
    list: io::Stdout,
    csv: Option<Csv>,
    parquet: Option<Parquet>,
    page: Option<Page>,
    /// What the JSON lists.
    unjudged: Option<Unjudged>,
}

/// The page of `--html`, which is written at the end.
pub(super) struct Page {
    pub(super) digest: Digest,
    out: BufWriter<Box<dyn Write + Send>>,
}

impl Page {
    /// Creates the file of a page.
    pub(super) fn create(path: &OsStr, force: bool) -> anyhow::Result<Page> {
        let digest = Digest::new();
        let out = BufWriter::new(create(path, force)?);
        Ok(Page { digest, out })
    }
}

impl<'a> Outputs<'a> {
    /// Creates the files, before a capture is read.
    pub(super) fn open(options: &'a VerifyOptions) -> anyhow::Result<Outputs<'a>> {
        let csv = is_standard_output(&options.csv);
        let others = [("--list", options.list), ("--csv -", csv)];
        check_standard_output(&options.shown, &others)?;
        check(options)?;
        let csv = options.csv.as_deref().map(|path| {
            let csv = Csv::new(create(path, options.force)?, options.unjudged);
            csv.with_context(|| name(path))
        });
        let page = options.shown.html.as_deref();
        let page = page.map(|path| Page::create(path, options.force));
        let parquet = options.parquet.as_deref();
        let parquet = parquet.map(|path| parquet_file(path, options.force));
        Ok(Outputs {
            options,
            list: io::stdout(), // plain text, without colors
            csv: csv.transpose()?,
            parquet: parquet.transpose()?,
            page: page.transpose()?,
            unjudged: (options.unjudged && options.shown.is_json()).then(Unjudged::default),
        })
    }

    /// Whether an output needs the verdicts, and not only the tallies.
    pub(super) fn take_verdicts(&self) -> bool {
        let rows = self.csv.is_some() || self.parquet.is_some() || self.unjudged.is_some();
        self.options.list || rows || self.page.is_some()
    }

    /// The collector of the verdicts on a file.
    pub(super) fn of<'b>(
        &'b mut self,
        path: &str,
        progress: &'b Progress,
    ) -> impl Collector + Send + 'b {
        let list = self.options.list.then(|| {
            List::new(
                &mut self.list,
                progress,
                path.to_owned(),
                self.options.unjudged,
            )
        });
        if let Some(csv) = &mut self.csv {
            csv.begin(path);
        }
        #[cfg(feature = "parquet")]
        if let Some(parquet) = &mut self.parquet {
            parquet.begin(path);
        }
        if let Some(page) = &mut self.page {
            page.digest.begin();
        }
        let digest = self.page.as_mut().map(|page| &mut page.digest);
        if let Some(unjudged) = &mut self.unjudged {
            unjudged.begin();
        }
        let kept = (self.unjudged.as_mut(), digest);
        (list, (self.csv.as_mut(), (self.parquet.as_mut(), kept)))
    }

    /// Ends a file, which was read to its end or failed.
    pub(super) fn end(&mut self, result: &Result<Examined, Failure>) {
        if result.is_ok() {
            return;
        }
        if let Some(page) = &mut self.page {
            page.digest.abandon();
        }
        if let Some(unjudged) = &mut self.unjudged {
            unjudged.abandon();
        }
    }

    /// What was not judged in the file that was read last.
    pub(super) fn unjudged(&self) -> Option<&[Entry]> {
        self.unjudged.as_ref().map(Unjudged::last)
    }

    /// Writes the outputs that are complete only at the end.
    pub(super) fn finish(self, examined: &[Examined], failures: &[Failure]) -> anyhow::Result<()> {
        let options = self.options;
        #[cfg(feature = "parquet")]
        if let Some(mut parquet) = self.parquet {
            parquet.finish()?;
        }
        let taken = options.list || is_standard_output(&options.csv);
        let unjudged = self.unjudged.as_ref();
        print(
            &options.shown,
            self.page,
            unjudged,
            taken,
            examined,
            failures,
        )
    }
}

/// Refuses two outputs to standard output: those that both commands have, and the others.
pub(super) fn check_standard_output(shown: &Shown, others: &[(&str, bool)]) -> anyhow::Result<()> {
    let there = [
        ("--json", shown.json),
        ("--jsonl", shown.jsonl),
        ("--brief", shown.brief),
        ("--only-bad", shown.only_bad && !shown.brief),
        ("--html -", is_standard_output(&shown.html)),
    ];
    let there = there.iter().chain(others).filter(|(_, there)| *there);
    let there: Vec<_> = there.map(|(option, _)| option).collect();
    if let [one, other, ..] = there[..] {
        anyhow::bail!("{one} and {other} both go to standard output; give one of them a file");
    }
    Ok(())
}

/// Writes the page, and then the JSON or the table, except where another output has taken standard
/// output.
pub(super) fn print(
    shown: &Shown,
    page: Option<Page>,
    unjudged: Option<&Unjudged>,
    taken: bool,
    examined: &[Examined],
    failures: &[Failure],
) -> anyhow::Result<()> {
    if let Some(Page { digest, mut out }) = page {
        html::write(&mut out, &digest, examined, failures, &shown.allow)?;
        out.flush()?;
    }
    let mut out = anstream::stdout().lock();
    if shown.json {
        json::print(&mut out, examined, failures, unjudged)?;
    } else if shown.jsonl {
        // The lines of the files are there already.
        drop(out);
        return Lines::summary(examined, failures);
    } else if shown.brief {
        brief::print(&mut out, examined, shown)?;
    } else if !taken && !is_standard_output(&shown.html) && !shown.quiet {
        table::print(&mut out, examined, shown)?;
    }
    out.flush()?;
    Ok(())
}

fn is_standard_output(path: &Option<std::ffi::OsString>) -> bool {
    path.as_deref().is_some_and(|path| path == "-")
}

/// Creates a file by its name on the command line, where `-` is standard output.
fn create(path: &OsStr, force: bool) -> anyhow::Result<Box<dyn Write + Send>> {
    Ok(if path == "-" {
        Box::new(io::stdout())
    } else {
        Box::new(output::create(path, force)?)
    })
}

/// Refuses outputs before any of them is created.
fn check(options: &VerifyOptions) -> anyhow::Result<()> {
    if options.unjudged && !options.list && !options.shown.is_json() && options.csv.is_none() {
        anyhow::bail!("--unjudged adds to --list, --csv, --json and --jsonl; give one of them");
    }
    let outputs = [&options.csv, &options.parquet, &options.shown.html];
    let outputs: Vec<_> = outputs.into_iter().flatten().collect();
    for (number, output) in outputs.iter().enumerate() {
        if *output == "-" {
            continue;
        }
        if options.files.iter().any(|input| is_same(input, output)) {
            anyhow::bail!(
                "{} is one of the captures; give the output another name",
                name(output)
            );
        }
        if outputs[..number].iter().any(|other| is_same(other, output)) {
            anyhow::bail!("{} is named for two outputs", name(output));
        }
        output::check(output, options.force)?;
    }
    Ok(())
}

#[cfg(feature = "parquet")]
fn parquet_file(path: &OsStr, force: bool) -> anyhow::Result<Parquet> {
    if path == "-" {
        anyhow::bail!("--parquet needs a file, and cannot write to standard output");
    }
    let parquet = Parquet::new(output::create(path, force)?);
    parquet.with_context(|| name(path))
}

#[cfg(not(feature = "parquet"))]
fn parquet_file(_: &OsStr, _: bool) -> anyhow::Result<Parquet> {
    Err(super::without_parquet("--parquet"))
}
