// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file that gets its name when it is whole. If the program fails, or a signal that it can catch
//! ends it, no part of the file is left; on Linux, as a rule, not even after SIGKILL.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

use anyhow::Context;
use tempfile::NamedTempFile;

use crate::interrupt::RemovedBySignal;
use crate::output::folder;

/// A file in the folder in which it will have its name.
pub(super) enum Temporary {
    /// A file without a name, which the system removes if the program ends, even by SIGKILL. It has
    /// a hidden name only while it takes the place of another file.
    #[cfg(target_os = "linux")]
    Nameless(File),
    /// A hidden file, for file systems and systems that have no files without names.
    Hidden(Hidden),
}

type Hidden = NamedTempFile<(File, RemovedBySignal)>;

impl Temporary {
    /// Makes a file next to a path, with the permissions of any new file.
    pub(super) fn beside(path: &Path) -> anyhow::Result<Temporary> {
        let folder = folder(path);
        #[cfg(target_os = "linux")]
        if let Some(file) = nameless(folder) {
            return Ok(Temporary::Nameless(file));
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true).create_new(true);
        let hidden = hidden(folder, |path| options.open(path));
        hidden
            .map(Temporary::Hidden)
            .with_context(|| format!("cannot write in the folder {}", folder.display()))
    }

    pub(super) fn file(&mut self) -> &mut File {
        match self {
            #[cfg(target_os = "linux")]
            Temporary::Nameless(file) => file,
            Temporary::Hidden(hidden) => &mut hidden.as_file_mut().0,
        }
    }

    /// Gives the file its name. A file that has that name already is replaced, or is an error.
    pub(super) fn publish(self, path: &Path, replace: bool) -> io::Result<()> {
        let hidden = match self {
            #[cfg(target_os = "linux")]
            Temporary::Nameless(file) if !replace => {
                link(&file, path)?;
                sync(folder(path));
                return Ok(());
            }
            // A link never replaces a file, but a file with a name can.
            #[cfg(target_os = "linux")]
            Temporary::Nameless(file) => hidden(folder(path), |hidden| {
                link(&file, hidden)?;
                file.try_clone()
            })?,
            Temporary::Hidden(hidden) => hidden,
        };
        if replace {
            hidden.persist(path).map_err(|error| error.error)?;
        } else {
            hidden
                .persist_noclobber(path)
                .map_err(|error| error.error)?;
        }
        sync(folder(path));
        Ok(())
    }
}

/// Makes a hidden file in a folder, which `create` creates at a path.
fn hidden(folder: &Path, mut create: impl FnMut(&Path) -> io::Result<File>) -> io::Result<Hidden> {
    tempfile::Builder::new()
        .prefix(".wiresum-")
        .make_in(folder, |path| RemovedBySignal::create(path, &mut create))
}

/// Makes a file without a name in a folder. Returns `None` if the file system has no such files, or
/// if nothing could give the file its name later.
#[cfg(target_os = "linux")]
fn nameless(folder: &Path) -> Option<File> {
    use rustix::fs::{Mode, OFlags, open};
    if !std::fs::exists("/proc/self/fd").is_ok_and(|exists| exists) {
        return None; // link() needs it
    }
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    let file = open(folder, flags, Mode::from_raw_mode(0o666)).ok()?; // less the umask
    Some(File::from(file))
}

/// Gives a file without a name this name. A file that has the name already is an error.
#[cfg(target_os = "linux")]
fn link(file: &File, path: &Path) -> io::Result<()> {
    use rustix::fs::{AtFlags, CWD, linkat};
    use std::os::fd::AsRawFd;
    // The way that open(2) describes for users without CAP_DAC_READ_SEARCH.
    let descriptor = format!("/proc/self/fd/{}", file.as_raw_fd());
    Ok(linkat(CWD, descriptor, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
}

/// Writes the folder to the disk, and with it the names of its files. Systems on which folders
/// cannot be opened write it on their own.
fn sync(folder: &Path) {
    if let Ok(folder) = File::open(folder) {
        let _ = folder.sync_all();
    }
}
