// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify --follow`: a reader that waits at the end of a growing file until ctrl-C.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::thread;
use std::time::Duration;

use anyhow::bail;

use crate::input::open;
use crate::interrupt;

/// The time between two attempts to read more.
const PAUSE: Duration = Duration::from_millis(100);

/// Opens a file that ends at ctrl-C. A pipe on standard input also ends at its own end.
pub(crate) fn follow(path: &OsStr) -> anyhow::Result<Box<dyn Read + Send>> {
    interrupt::catch()?;
    if path == "-" {
        return open(path); // ctrl-C also ends the program that writes to the pipe
    }
    let file = File::open(path)?;
    let metadata = file.metadata()?;
    if metadata.is_dir() {
        bail!("this is a folder; --follow takes one capture");
    }
    Ok(Box::new(Follow {
        file,
        is_regular: metadata.is_file(),
        read: 0,
    }))
}

struct Follow {
    file: File,
    /// Whether the file has a length, as a named pipe has not.
    is_regular: bool,
    /// How many bytes have been read.
    read: u64,
}

impl Read for Follow {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            let read = self.file.read(buf)?;
            if interrupt::happened() {
                return Ok(0);
            }
            if read > 0 || buf.is_empty() {
                self.read += read as u64;
                return Ok(read);
            }
            let len = self.file.metadata()?.len();
            if self.is_regular && len < self.read {
                return Err(io::Error::other(format!(
                    "the file was truncated to {len} bytes after {} had been read; what follows \
                     is unknown",
                    self.read
                )));
            }
            thread::sleep(PAUSE);
        }
    }
}
