// SPDX-License-Identifier: MIT OR Apache-2.0
//! The input files that a command line names.

use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::fs::{self, File};
use std::io::{self, IsTerminal, Read};
use std::path::Path;

use walkdir::WalkDir;
use wiresum_packet::{Capture, OpenError};

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

/// The name of a capture, or a name that leads to none, and why.
pub(crate) type Found = Result<OsString, (OsString, anyhow::Error)>;

/// The captures that a command line names. A folder stands for all captures in it and in its
/// folders, in the order of their names. No name at all is standard input, if that is no terminal.
pub(crate) fn captures(names: &[OsString]) -> anyhow::Result<Vec<Found>> {
    if names.is_empty() {
        if io::stdin().is_terminal() {
            anyhow::bail!(
                "there is no capture to read; name files or folders, or pipe a capture into this \
                 command"
            );
        }
        return Ok(vec![Ok("-".into())]);
    }
    let mut captures = Vec::new();
    for name in names {
        if name == "-" || !fs::metadata(name).is_ok_and(|metadata| metadata.is_dir()) {
            captures.push(Ok(name.clone()));
            continue;
        }
        let before = captures.len();
        for entry in WalkDir::new(name).sort_by_file_name() {
            match entry {
                // A file that cannot be read now is refused later, with the reason.
                Ok(entry) if entry.file_type().is_file() => {
                    if is_capture(entry.path()).unwrap_or(true) {
                        captures.push(Ok(entry.into_path().into_os_string()));
                    }
                }
                Ok(_) => {}
                Err(error) => {
                    let path = error.path().map_or_else(|| name.clone(), Into::into);
                    let error = error.into_io_error().map_or_else(
                        || anyhow::anyhow!("the folder contains itself"),
                        anyhow::Error::from,
                    );
                    captures.push(Err((path, error)));
                }
            }
        }
        if before == captures.len() {
            let error = anyhow::anyhow!("there is no capture in this folder");
            captures.push(Err((name.clone(), error)));
        }
    }
    Ok(captures)
}

/// Whether a file begins as a capture does, compressed or not. Its name does not matter.
pub(crate) fn is_capture(path: &Path) -> io::Result<bool> {
    match Capture::open(File::open(path)?) {
        Ok(_) | Err(OpenError::CutShort | OpenError::SnoopVersion(_)) => Ok(true),
        Err(OpenError::Io(error)) => Err(error),
        Err(_) => Ok(false),
    }
}

/// A file name as text, with U+FFFD for bytes that are not UTF-8.
pub(crate) fn name(path: &OsStr) -> String {
    path.to_string_lossy().into_owned()
}

/// A text for people that holds file names: characters that would steer a terminal, or reorder the
/// text around them, are shown as escapes of Rust, such as `\u{1b}`.
#[must_use]
pub fn shown(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        let is_bidirectional = matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        );
        if c.is_control() || is_bidirectional || matches!(c, '\u{2028}' | '\u{2029}') {
            write!(shown, "{}", c.escape_default()).expect("a String takes all");
        } else {
            shown.push(c);
        }
    }
    shown
}

/// The error of a file that is not a capture, with the command that may identify the file.
pub fn advise(path: &OsStr, error: OpenError) -> anyhow::Error {
    let path = name(path);
    match error {
        OpenError::NotACapture => {
            anyhow::anyhow!("{error}; the command `file {path}` may tell what it is")
        }
        _ => error.into(),
    }
}
