// SPDX-License-Identifier: MIT OR Apache-2.0
//! The output of `fix` and `undo`, which is written whole or not at all.
//!
//! The capture first goes to a temporary file, uncompressed, because a late fragment may change an
//! early checksum. If all goes well, that file becomes the target, or is copied to it: to a
//! compressed file, or to standard output.

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, IsTerminal, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use wiresum_packet::Compression;

use super::temporary::Temporary;
use crate::input::name;
use crate::output::behind_links;

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
            refuse_terminal(&io::stdout())?;
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
        refuse_other_compression(&path)?;
        match fs::metadata(&path) {
            Ok(metadata) if metadata.is_dir() => bail!("this is a folder; name a file in it"),
            Ok(metadata) if !metadata.is_file() => {
                let stream = OpenOptions::new().write(true).open(&path)?;
                refuse_terminal(&stream)?;
                Ok(Target {
                    kind: Kind::Stream(Box::new(stream)),
                    compression,
                })
            }
            Ok(_) if !force => bail!("the file exists; --force replaces it"),
            _ => Ok(Target {
                kind: Kind::File {
                    path: behind_links(path),
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
        let path = fs::canonicalize(path)?; // as `behind_links`
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

    /// The file that the capture goes to at first: the target itself, before it has its name, if
    /// the target is a file that is not compressed.
    pub(super) fn spool(&self) -> anyhow::Result<Spool> {
        Ok(match (&self.kind, self.compression) {
            (Kind::File { path, .. }, None) => Spool::Target(Temporary::beside(path)?),
            _ => Spool::Apart(tempfile::tempfile().with_context(temporary_folder)?),
        })
    }

    /// Makes the target ready: all is done that is likely to fail, and nobody sees the target yet.
    pub(super) fn ready(self, spool: Spool) -> anyhow::Result<Ready> {
        let (path, replaces, replace) = match self.kind {
            Kind::Stream(stream) => {
                return Ok(Ready::Stream(spool, stream, self.compression));
            }
            Kind::File {
                path,
                replaces,
                replace,
            } => (path, replaces, replace),
        };
        let mut whole = match spool {
            Spool::Target(file) => file,
            Spool::Apart(mut file) => {
                let mut compressed = Temporary::beside(&path)?;
                file.rewind()?;
                let mut out = BufWriter::with_capacity(256 << 10, compressed.file());
                copy(&mut file, &mut out, self.compression)?;
                out.flush()?;
                drop(out);
                compressed
            }
        };
        if let Some(metadata) = replaces {
            keep(whole.file(), &metadata)?;
        }
        whole.file().sync_all()?;
        Ok(Ready::File(whole, path, replace))
    }
}

/// A target that is whole.
pub(super) enum Ready {
    File(Temporary, PathBuf, bool),
    Stream(Spool, Box<dyn Write>, Option<Compression>),
}

impl Ready {
    /// Puts the target in its place, or writes it.
    pub(super) fn publish(self) -> io::Result<()> {
        match self {
            Ready::File(file, path, replace) => file.publish(&path, replace),
            Ready::Stream(mut spool, mut stream, compression) => {
                spool.file().rewind()?;
                copy(spool.file(), &mut stream, compression)?;
                stream.flush()
            }
        }
    }
}

/// The file that the capture goes to at first.
pub(super) enum Spool {
    /// It becomes the target.
    Target(Temporary),
    /// It is copied to the target. The system removes it when the program ends.
    Apart(File),
}

impl Spool {
    pub(super) fn file(&mut self) -> &mut File {
        match self {
            Spool::Target(file) => file.file(),
            Spool::Apart(file) => file,
        }
    }

    /// The name of the place that a failed write is about, in the words of the user.
    pub(super) fn place(&self, out: &OsStr) -> String {
        match self {
            Spool::Target(_) => name(out),
            Spool::Apart(_) => temporary_folder(),
        }
    }
}

fn temporary_folder() -> String {
    let folder = std::env::temp_dir();
    format!("the temporary folder {} (TMPDIR)", folder.display())
}

fn copy(from: &mut File, to: &mut impl Write, compression: Option<Compression>) -> io::Result<()> {
    match compression {
        Some(by) => by.compress(from, to),
        None => io::copy(from, to).map(drop),
    }
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

fn refuse_terminal(stream: &impl IsTerminal) -> anyhow::Result<()> {
    if stream.is_terminal() {
        bail!("a terminal cannot show a capture; name a file, or pipe it into another program");
    }
    Ok(())
}

/// Refuses a name that promises a compression, or an archive, which no output is.
fn refuse_other_compression(path: &Path) -> anyhow::Result<()> {
    const OTHERS: [&str; 18] = [
        "7z", "br", "bz", "bz2", "gzip", "lz", "lzma", "lzo", "rar", "sz", "tar", "tbz2", "tgz",
        "txz", "xzip", "z", "zip", "zstd",
    ];
    let extension = path.extension().and_then(OsStr::to_str);
    let Some(extension) = extension.filter(|extension| {
        let extension = extension.to_ascii_lowercase();
        OTHERS.contains(&&extension[..])
    }) else {
        return Ok(());
    };
    bail!(
        "the extension {extension} names a format that wiresum does not write; \
         gz, zst, lz4 and xz compress, and pcap and pcapng do not"
    )
}
