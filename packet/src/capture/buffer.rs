// SPDX-License-Identifier: MIT OR Apache-2.0
//! A window over a byte stream: read in big blocks into one reused buffer, never mapped (a file that shrinks under a mapping
//! is a SIGBUS; under a read it is the end of the file).

use std::io::{self, ErrorKind, Read};

/// Read in blocks of this size where records are smaller, as they are: in the second-level cache of most machines.
const BLOCK: usize = 256 << 10;

pub(super) struct Buffer<R> {
    reader: R,
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// How many bytes of the stream went through the buffer before those that are in it.
    passed: u64,
}

impl<R: Read> Buffer<R> {
    pub(super) fn new(reader: R) -> Buffer<R> {
        Buffer {
            reader,
            bytes: vec![0; BLOCK],
            start: 0,
            end: 0,
            passed: 0,
        }
    }

    /// The bytes read and not yet consumed.
    pub(super) fn data(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Where `data()` begins in the buffer: what [`Buffer::at`] takes. It stands until the next `fill`.
    pub(super) fn position(&self) -> usize {
        self.start
    }

    /// The `len` bytes at a position, consumed or not.
    pub(super) fn at(&self, position: usize, len: usize) -> &[u8] {
        &self.bytes[position..position + len]
    }

    /// Where in the stream the byte at a position is.
    pub(super) fn file_offset(&self, position: usize) -> u64 {
        self.passed + position as u64
    }

    /// Reads until `data()` has `n` bytes; returns false if the stream ends before. The caller bounds `n`.
    pub(super) fn fill(&mut self, n: usize) -> io::Result<bool> {
        while self.end - self.start < n {
            if self.start + n > self.bytes.len() {
                self.bytes.copy_within(self.start..self.end, 0);
                self.end -= self.start;
                self.passed += self.start as u64;
                self.start = 0;
                if n > self.bytes.len() {
                    self.bytes.resize(n.next_multiple_of(BLOCK), 0);
                }
            }
            match self.reader.read(&mut self.bytes[self.end..]) {
                Ok(0) => return Ok(false),
                Ok(read) => self.end += read,
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        }
        Ok(true)
    }

    /// Drops the first `n` bytes of `data()`.
    pub(super) fn consume(&mut self, n: usize) {
        self.start = self.end.min(self.start + n);
    }

    /// Drops the next `n` bytes of the stream, whether read yet or not; returns false if it ends before.
    pub(super) fn skip(&mut self, mut n: u64) -> io::Result<bool> {
        loop {
            let buffered = self.end - self.start;
            if n <= buffered as u64 {
                self.consume(n as usize);
                return Ok(true);
            }
            n -= buffered as u64;
            self.consume(buffered);
            if !self.fill(1)? {
                return Ok(false);
            }
        }
    }
}
