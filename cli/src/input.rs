// SPDX-License-Identifier: MIT OR Apache-2.0
//! The input files that a command line names.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};

use wiresum_packet::OpenError;

/// Opens a file by its name on the command line, where `-` is standard input.
pub(crate) fn open(path: &OsStr) -> anyhow::Result<Box<dyn Read + Send>> {
    if path == "-" {
        return Ok(Box::new(io::stdin()));
    }
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        anyhow::bail!("this is a folder; name the files in it");
    }
    Ok(Box::new(file))
}

/// A file name as text, with U+FFFD for bytes that are not UTF-8.
pub(crate) fn name(path: &OsStr) -> String {
    path.to_string_lossy().into_owned()
}

/// The error of a file that is not a capture, with the command that may identify the file.
pub(crate) fn advise(path: &OsStr, error: OpenError) -> anyhow::Error {
    let path = name(path);
    match error {
        OpenError::NotACapture => {
            anyhow::anyhow!("{error}; the command `file {path}` may tell what it is")
        }
        _ => error.into(),
    }
}
