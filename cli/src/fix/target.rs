// SPDX-License-Identifier: MIT OR Apache-2.0
//! The output of `fix` and `undo`, which is written whole or not at all.
//!
//! The capture first goes to a temporary file, uncompressed, because a late fragment may change an
//! early checksum. If all goes well, that file is renamed to the target, or is copied to it: to a
//! compressed file, or to standard output.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::NamedTempFile;
use wiresum_packet::Compression;

pub(super) struct Target {
    kind: Kind,
    compression: Option<Compression>,
}

enum Kind {
    /// A file. `replaces` has the permissions and the owner that it takes over from an old file.
    File {
        path: PathBuf,
        replaces: Option<Metadata>,
        replace: bool,
    },
    /// Standard output, a pipe or a device, which is written and not replaced.
    Stream(Box<dyn Write>),
}

impl Target {
    /// The target of a name on the command line, where `-` is standard output. A file that exists
    /// is an error, except with `force`.
    pub(super) fn new(
        path: &OsStr,
        compression: Option<Compression>,
        force: bool,
    ) -> anyhow::Result<Target> {
        if path == "-" {
            return Ok(Target {
                kind: Kind::Stream(Box::new(io::stdout())),
                compression,
            });
        }
        let path = PathBuf::from(path);
        let compression = match Compression::by_name(&path) {
            Some(by_name) => Some(by_name),
            None if path.extension().is_none() => compression,
            None => None,
        };
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => bail!("this is a folder; name a file in it"),
            Ok(metadata) if !metadata.is_file() => Ok(Target {
                kind: Kind::Stream(Box::new(OpenOptions::new().write(true).open(&path)?)),
                compression,
            }),
            Ok(_) if !force => bail!("the file exists; --force replaces it"),
            _ => Ok(Target {
                kind: Kind::File {
                    path,
                    replaces: None,
                    replace: force,
                },
                compression,
            }),
        }
    }

    /// A target that replaces this file, and keeps its permissions and its owner.
    pub(super) fn in_place(
        path: &OsStr,
        compression: Option<Compression>,
    ) -> anyhow::Result<Target> {
        let path = fs::canonicalize(path)?; // replaces the file behind a link, and keeps the link
        let metadata = fs::metadata(&path)?;
        if !metadata.is_file() {
            bail!("only a regular file can be replaced; name OUT");
        }
        Ok(Target {
            kind: Kind::File {
                path,
                replaces: Some(metadata),
                replace: true,
            },
            compression,
        })
    }

    /// The temporary file. It is in the same folder if it can be renamed to the target.
    pub(super) fn spool(&self) -> anyhow::Result<Spool> {
        Ok(match (&self.kind, self.compression) {
            (Kind::File { path, .. }, None) => Spool::Beside(beside(path)?),
            _ => Spool::Nameless(tempfile::tempfile().context("cannot make a temporary file")?),
        })
    }

    /// Moves or copies the temporary file to the target.
    pub(super) fn take(self, spool: Spool) -> anyhow::Result<()> {
        match (self.kind, spool) {
            (Kind::Stream(mut stream), mut spool) => {
                spool.file().rewind()?;
                copy(spool.file(), &mut stream, self.compression)?;
                stream.flush()?;
                Ok(())
            }
            (
                Kind::File {
                    path,
                    replaces,
                    replace,
                },
                spool,
            ) => {
                let file = match spool {
                    Spool::Beside(file) => file,
                    Spool::Nameless(mut file) => {
                        let mut compressed = beside(&path)?;
                        file.rewind()?;
                        let mut out = BufWriter::with_capacity(256 << 10, compressed.as_file_mut());
                        copy(&mut file, &mut out, self.compression)?;
                        out.flush()?;
                        drop(out);
                        compressed
                    }
                };
                if let Some(metadata) = replaces {
                    keep(file.as_file(), &metadata)?;
                }
                file.as_file().sync_all()?;
                if replace {
                    file.persist(&path)?;
                } else {
                    file.persist_noclobber(&path)?;
                }
                sync_folder(&path);
                Ok(())
            }
        }
    }
}

/// The temporary file. It is removed if it does not become the target.
pub(super) enum Spool {
    Beside(NamedTempFile),
    Nameless(File),
}

impl Spool {
    pub(super) fn file(&mut self) -> &mut File {
        match self {
            Spool::Beside(file) => file.as_file_mut(),
            Spool::Nameless(file) => file,
        }
    }
}

fn copy(from: &mut File, to: &mut impl Write, compression: Option<Compression>) -> io::Result<()> {
    match compression {
        Some(by) => by.compress(from, to),
        None => io::copy(from, to).map(drop),
    }
}

/// A temporary file in the folder of a path, with the permissions of any new file.
pub(super) fn beside(path: &Path) -> anyhow::Result<NamedTempFile> {
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut builder = tempfile::Builder::new();
    builder.prefix(".wiresum-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666)); // less the umask
    builder
        .tempfile_in(folder)
        .with_context(|| format!("cannot make a temporary file in {}", folder.display()))
}

/// Gives a file the owner and the permissions of the file that it replaces.
fn keep(file: &File, metadata: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        // A user who may not give files away stays the owner. chown clears the setuid and setgid
        // bits, so the permissions come after it.
        let _ = fchown(file, Some(metadata.uid()), Some(metadata.gid()));
    }
    file.set_permissions(metadata.permissions())
}

/// Writes the folder to the disk, and with it the rename. Systems on which folders cannot be opened
/// write it on their own.
fn sync_folder(path: &Path) {
    if let Some(folder) = path.parent().and_then(|folder| File::open(folder).ok()) {
        let _ = folder.sync_all();
    }
}

/// Whether both names lead to one file.
pub(super) fn is_same(a: &OsStr, b: &OsStr) -> bool {
    if a == "-" || b == "-" {
        return false;
    }
    #[cfg(unix)]
    if let (Ok(a), Ok(b)) = (fs::metadata(a), fs::metadata(b)) {
        use std::os::unix::fs::MetadataExt;
        return (a.dev(), a.ino()) == (b.dev(), b.ino());
    }
    matches!((fs::canonicalize(a), fs::canonicalize(b)), (Ok(a), Ok(b)) if a == b)
}
