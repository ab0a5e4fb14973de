// SPDX-License-Identifier: MIT OR Apache-2.0
//! The outputs that a command line asks for, and the file of each.

use std::ffi::OsStr;
use std::io::{self, BufWriter, Write};

use anyhow::Context;
use wiresum_packet::Collector;

use super::csv::Csv;
use super::html::Digest;
use super::list::List;
#[cfg(feature = "parquet")]
use super::parquet::Parquet;
use super::report::{Failure, Report};
use super::{brief, html, json, table};
use crate::args::VerifyOptions;
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
    html: Option<(Digest, BufWriter<Box<dyn Write + Send>>)>,
}

impl<'a> Outputs<'a> {
    /// Creates the files, before a capture is read.
    pub(super) fn open(options: &'a VerifyOptions) -> anyhow::Result<Outputs<'a>> {
        let on_standard_output: Vec<_> = [
            ("--json", options.json),
            ("--list", options.list),
            ("--brief", options.brief),
            ("--only-bad", options.only_bad && !options.brief),
            ("--csv -", is_standard_output(&options.csv)),
            ("--html -", is_standard_output(&options.html)),
        ]
        .into_iter()
        .filter_map(|(option, there)| there.then_some(option))
        .collect();
        if let [one, other, ..] = on_standard_output[..] {
            anyhow::bail!("{one} and {other} both go to standard output; give one of them a file");
        }
        check(options)?;
        let csv = options.csv.as_deref().map(|path| {
            let csv = Csv::new(create(path, options.force)?);
            csv.with_context(|| name(path))
        });
        let html = options.html.as_deref().map(|path| {
            let out = create(path, options.force)?;
            anyhow::Ok((Digest::new(), BufWriter::new(out)))
        });
        let parquet = options.parquet.as_deref();
        let parquet = parquet.map(|path| parquet_file(path, options.force));
        Ok(Outputs {
            options,
            list: io::stdout(), // plain text, without colors
            csv: csv.transpose()?,
            parquet: parquet.transpose()?,
            html: html.transpose()?,
        })
    }

    /// Whether an output needs the verdicts, and not only the tallies.
    pub(super) fn take_verdicts(&self) -> bool {
        self.options.list || self.csv.is_some() || self.parquet.is_some() || self.html.is_some()
    }

    /// The collector of the verdicts on a file.
    pub(super) fn of<'b>(
        &'b mut self,
        path: &str,
        progress: &'b Progress,
    ) -> impl Collector + Send + 'b {
        let list = self
            .options
            .list
            .then(|| List::new(&mut self.list, progress, path.to_owned()));
        if let Some(csv) = &mut self.csv {
            csv.begin(path);
        }
        #[cfg(feature = "parquet")]
        if let Some(parquet) = &mut self.parquet {
            parquet.begin(path);
        }
        if let Some((digest, _)) = &mut self.html {
            digest.begin();
        }
        let digest = self.html.as_mut().map(|(digest, _)| digest);
        (list, (self.csv.as_mut(), (self.parquet.as_mut(), digest)))
    }

    /// Ends a file, which was read to its end or failed.
    pub(super) fn end(&mut self, result: &Result<Report, Failure>) {
        if let (Err(_), Some((digest, _))) = (result, &mut self.html) {
            digest.abandon();
        }
    }

    /// Writes the outputs that are complete only at the end.
    pub(super) fn finish(mut self, reports: &[Report], failures: &[Failure]) -> anyhow::Result<()> {
        let options = self.options;
        #[cfg(feature = "parquet")]
        if let Some(parquet) = &mut self.parquet {
            parquet.finish()?;
        }
        if let Some((digest, out)) = &mut self.html {
            html::write(out, digest, reports, failures, &options.allow)?;
            out.flush()?;
        }
        let mut out = anstream::stdout().lock();
        let taken =
            options.list || is_standard_output(&options.csv) || is_standard_output(&options.html);
        if options.json {
            json::print(&mut out, reports, failures)?;
        } else if options.brief {
            brief::print(&mut out, reports, options)?;
        } else if !taken && !options.quiet {
            table::print(&mut out, reports, options)?;
        }
        out.flush()?;
        Ok(())
    }
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
    let outputs = [&options.csv, &options.parquet, &options.html];
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
    anyhow::bail!(
        "this wiresum was built without --parquet; install one that has it with: \
         cargo install wiresum-cli --features parquet (in the sources: \
         cargo build --release --features parquet)"
    )
}
