// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file that is still growing: its end is waited at, until ctrl-C.

use std::ffi::OsStr;
use std::io::{self, Read};
use std::thread;
use std::time::Duration;

use crate::input::open;
use crate::interrupt;

/// How long to wait before looking whether there is more.
const PAUSE: Duration = Duration::from_millis(100);

/// Opens a file, or standard input, whose end comes with ctrl-C. A second one ends the program at once.
pub(crate) fn follow(path: &OsStr) -> anyhow::Result<Box<dyn Read + Send>> {
    interrupt::catch()?;
    let reader = open(path)?;
    // The end of a pipe is its end. Ctrl-C reaches who writes to it as well.
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
