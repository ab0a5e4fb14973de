// SPDX-License-Identifier: MIT OR Apache-2.0
//! The output files that a command line names. No file is overwritten unasked, and no report
//! overwrites a capture.

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::input::{is_capture, name};

/// Creates the file of a report. [`check`] says which files are refused.
pub(crate) fn create(path: &OsStr, force: bool) -> anyhow::Result<File> {
    check(path, force)?;
    let is_new = !force && fs::metadata(path).is_err();
    let mut options = OpenOptions::new();
    options.write(true).create_new(is_new);
    if !is_new {
        options.create(true).truncate(true);
    }
    options.open(path).with_context(|| name(path))
}

/// Refuses a folder, a file that exists, except with `force`, and a capture even then. Pipes and
/// devices are written as they are.
pub(crate) fn check(path: &OsStr, force: bool) -> anyhow::Result<()> {
    match fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => {
            bail!("{}: this is a folder; name a file in it", name(path))
        }
        Ok(metadata) if metadata.is_file() => {}
        _ => return Ok(()),
    }
    if is_capture(path.as_ref()).with_context(|| name(path))? {
        bail!("{} is a capture; give the output another name", name(path));
    }
    if !force {
        bail!("{} exists; --force replaces it", name(path));
    }
    Ok(())
}

/// Returns whether both names lead to one file, which need not exist. `-` is no file.
pub(crate) fn is_same(a: &OsStr, b: &OsStr) -> bool {
    if a == "-" || b == "-" {
        return false;
    }
    #[cfg(unix)]
    if let (Ok(a), Ok(b)) = (fs::metadata(a), fs::metadata(b)) {
        use std::os::unix::fs::MetadataExt;
        return (a.dev(), a.ino()) == (b.dev(), b.ino());
    }
    matches!((place(a.as_ref()), place(b.as_ref())), (Ok(a), Ok(b)) if a == b)
}

/// The absolute path of a file that may not exist yet.
fn place(path: &Path) -> io::Result<PathBuf> {
    fs::canonicalize(path).or_else(|_| {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        Ok(fs::canonicalize(folder(path))?.join(name))
    })
}

/// The file that a path leads to, so that whoever replaces the file keeps the links to it.
pub(crate) fn behind_links(path: PathBuf) -> PathBuf {
    fs::canonicalize(&path).unwrap_or(path)
}

/// The folder of a file.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}
