// SPDX-License-Identifier: MIT OR Apache-2.0
//! The files that a command line names, and the advice if one cannot be read.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};

use wiresum_packet::OpenError;

/// Opens what a command line calls a file: `-` is standard input.
pub(crate) fn open(path: &OsStr) -> anyhow::Result<Box<dyn Read + Send>> {
    if path == "-" {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        anyhow::bail!("it is a folder; name the files in it");
    }
    Ok(Box::new(file))
}

/// A file name as it is shown.
pub(crate) fn name(path: &OsStr) -> String {
    path.to_string_lossy().into_owned()
}

/// Why a file is no capture, and what to do about it.
pub(crate) fn advise(path: &OsStr, error: OpenError) -> anyhow::Error {
    let path = name(path);
    match error {
        OpenError::NotACapture => anyhow::anyhow!("{error}; file {path} may tell what it is"),
        _ => error.into(),
    }
}
