// SPDX-License-Identifier: MIT OR Apache-2.0
//! `wiresum sum`: the sum, or the checksum, of each file.

use std::ffi::{OsStr, OsString};
use std::io::{ErrorKind, Read, Write};

use wiresum::Stream;

use crate::args::SumOptions;
use crate::input::{name, open, shown};
use crate::outcome::{Outcome, complain};

/// Bytes that are read at a time: they fit in the second-level cache of most machines.
const BLOCK: usize = 256 << 10;

pub(crate) fn run(options: &SumOptions) -> anyhow::Result<Outcome> {
    let standard_input = [OsString::from("-")];
    let files = match &options.files[..] {
        [] => &standard_input,
        files => files,
    };
    let mut out = anstream::stdout().lock();
    let mut block = vec![0; BLOCK];
    let mut outcome = Outcome::Good;
    for path in files {
        match of(path, &mut block) {
            Ok(stream) => {
                let value = if options.checksum {
                    stream.checksum().value()
                } else {
                    stream.sum().value()
                };
                writeln!(out, "{value:#06x}  {}", shown(&name(path)))?;
            }
            Err(error) => {
                complain(name(path), &error);
                outcome = Outcome::Failed;
            }
        }
    }
    out.flush()?;
    Ok(outcome)
}

fn of(path: &OsStr, block: &mut [u8]) -> anyhow::Result<Stream> {
    let mut reader = open(path)?;
    let mut stream = Stream::new();
    loop {
        match reader.read(block) {
            Ok(0) => return Ok(stream),
            Ok(read) => {
                stream.push(&block[..read]);
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error.into()),
        }
    }
}
