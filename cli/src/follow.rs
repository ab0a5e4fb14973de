// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify --follow`: a reader that waits at the end of a growing file until ctrl-C.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::thread;
use std::time::Duration;

use crate::input::open;
use crate::interrupt;

/// The time between two attempts to read more.
const PAUSE: Duration = Duration::from_millis(100);

/// Opens a file that ends at ctrl-C. A pipe on standard input also ends at its own end.
pub(crate) fn follow(path: &OsStr) -> anyhow::Result<Box<dyn Read + Send>> {
    interrupt::catch()?;
    let reader = open(path)?;
    // Ctrl-C also ends the program that writes to the pipe.
    let is_pipe = path == "-";
    Ok(if is_pipe {
        reader
    } else {
        Box::new(Follow(reader))
    })
}

struct Follow<R>(R);

impl<R: Read> Read for Follow<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read(buf)? {
                0 if !buf.is_empty() && !interrupt::happened() => {
                    thread::sleep(PAUSE);
                }
                _ if interrupt::happened() => return Ok(0),
                read => return Ok(read),
            }
        }
    }
}
