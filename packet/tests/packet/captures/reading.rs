// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads captures in several ways, which must all give the same.

use std::io::{self, Read};

use wiresum_packet::{Capture, Chunk, Frame};

/// Returns what a capture is read as: one line for each frame, then one for each kind of malformed
/// record.
pub(crate) fn read(file: &[u8]) -> Vec<String> {
    // A reader that returns few bytes at a time, and is interrupted, must make no difference.
    let whole = read_from(file, file);
    assert_eq!(
        read_from(
            file,
            Drip {
                rest: file,
                turn: 0
            }
        ),
        whole
    );
    assert_eq!(read_chunks(file, file), whole);
    let drip = Drip {
        rest: file,
        turn: 0,
    };
    assert_eq!(read_chunks(file, drip), whole);
    whole
}

/// Returns the same, read chunk by chunk. The chunks together must be the file.
pub(crate) fn read_chunks(file: &[u8], reader: impl Read) -> Vec<String> {
    let mut capture = match Capture::open(reader) {
        Ok(capture) => capture,
        Err(error) => return vec![format!("refused: {error}")],
    };
    let (mut lines, mut bytes, mut chunk) = (Vec::new(), Vec::new(), Chunk::default());
    while capture
        .next_chunk(&mut chunk)
        .expect("no error of the reader")
    {
        assert_eq!(chunk.offset(), bytes.len() as u64);
        bytes.extend(chunk.bytes());
        lines.extend(chunk.frames().map(|frame| line(file, &frame)));
    }
    assert!(chunk.is_empty() && chunk.bytes().is_empty());
    for (what, n) in capture.malformed() {
        lines.push(format!("{n} malformed: {what}"));
    }
    capture
        .into_rest()
        .read_to_end(&mut bytes)
        .expect("no error of the reader");
    assert!(bytes == file, "the chunks and the rest are not the file");
    lines
}

pub(crate) fn read_from(file: &[u8], reader: impl Read) -> Vec<String> {
    let mut capture = match Capture::open(reader) {
        Ok(capture) => capture,
        Err(error) => return vec![format!("refused: {error}")],
    };
    let mut lines = Vec::new();
    while let Some(frame) = capture.next_frame().expect("no error of the reader") {
        lines.push(line(file, &frame));
    }
    assert!(
        capture.next_frame().expect("no error").is_none(),
        "the end stays the end"
    );
    for (what, n) in capture.malformed() {
        lines.push(format!("{n} malformed: {what}"));
    }
    lines
}

/// Returns a frame in words. Its bytes must lie where the frame says.
pub(crate) fn line(file: &[u8], frame: &Frame<'_>) -> String {
    let at = frame.place(0).position.expect("it is from a file") as usize;
    assert_eq!(&file[at..at + frame.data.len()], frame.data);
    let time = match frame.time.map(|time| time.unix()) {
        Some((seconds, nanoseconds)) => format!("{seconds}.{nanoseconds:09}"),
        None => "no time".to_owned(),
    };
    let mut line = format!(
        "{} at {time}, {}: {} of {}",
        frame.number,
        frame.link_type,
        String::from_utf8_lossy(frame.data),
        frame.original_len
    );
    if let Some(flags) = frame.flags {
        let bytes = file[flags.position as usize..][..4]
            .try_into()
            .expect("four");
        let value = if flags.big_endian {
            u32::from_be_bytes(bytes)
        } else {
            u32::from_le_bytes(bytes)
        };
        assert_eq!(value, flags.value);
        line += &format!(", flags {value:#x}");
    }
    line
}

/// Reads 1, 2, 3, 1 … bytes, and is interrupted in between.
pub(crate) struct Drip<'a> {
    rest: &'a [u8],
    turn: usize,
}

impl Read for Drip<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        self.turn += 1;
        if self.turn.is_multiple_of(4) {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let n = (self.turn % 4).min(buf.len());
        self.rest.read(&mut buf[..n])
    }
}
