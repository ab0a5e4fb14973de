// SPDX-License-Identifier: MIT OR Apache-2.0
//! A window over a byte stream. The stream is read in large blocks into one buffer. No file is
//! mapped here: if a mapped file shrinks, or its disk fails, the program gets a SIGBUS.
//! [`examine_in_memory`](crate::examine_in_memory) takes a file that somebody else has mapped.

use std::io::{self, ErrorKind, Read};

/// The size of a block in bytes, unless a record is larger. A block fits into the second-level
/// cache of most machines.
pub(super) const BLOCK: usize = 256 << 10;

pub(super) struct Buffer<R> {
    reader: R,
    bytes: Vec<u8>,
    start: usize,
    end: usize,
    /// The offset in the stream at which the buffer begins.
    offset: u64,
    /// The offset in the stream at and after which no record is read.
    pub(super) limit: u64,
    /// The number of bytes of the stream that are still to be skipped.
    to_skip: u64,
    /// Whether bytes keep their positions, so that records found earlier stay where they are.
    held: bool,
    /// The number of bytes that the last `fill` could not get while the buffer was held.
    wanted: usize,
    /// Whether the stream has ended.
    ended: bool,
}

impl<R: Read> Buffer<R> {
    pub(super) fn new(reader: R) -> Buffer<R> {
        Buffer {
            reader,
            bytes: vec![0; BLOCK],
            start: 0,
            end: 0,
            offset: 0,
            limit: u64::MAX,
            to_skip: 0,
            held: false,
            wanted: 0,
            ended: false,
        }
    }

    pub(super) fn reader(&self) -> &R {
        &self.reader
    }

    pub(super) fn reader_mut(&mut self) -> &mut R {
        &mut self.reader
    }

    /// Returns the bytes that were read and not yet consumed.
    pub(super) fn data(&self) -> &[u8] {
        &self.bytes[self.start..self.end]
    }

    /// Returns the position of `data()` in the buffer, for [`Buffer::at`]. It is valid until the
    /// next `fill`.
    pub(super) fn position(&self) -> usize {
        self.start
    }

    /// Returns the offset in the stream of a position.
    pub(super) fn offset(&self, position: usize) -> u64 {
        self.offset + position as u64
    }

    /// Returns the `len` bytes at a position, consumed or not.
    pub(super) fn at(&self, position: usize, len: usize) -> &[u8] {
        &self.bytes[position..position + len]
    }

    /// Returns the position of the limit.
    pub(super) fn limit_position(&self) -> usize {
        let after = self.limit.saturating_sub(self.offset);
        usize::try_from(after).unwrap_or(usize::MAX)
    }

    /// Returns whether the limit is reached, and the stream goes on.
    ///
    /// # Errors
    /// As for [`Buffer::fill`].
    #[inline]
    pub(super) fn is_at_limit(&mut self) -> io::Result<bool> {
        if self.offset(self.start) + self.to_skip < self.limit {
            return Ok(false);
        }
        self.fill(1)
    }

    /// Reads until `data()` has `n` bytes. Returns false if the stream ends before. The caller
    /// bounds `n`.
    ///
    /// # Errors
    /// [`ErrorKind::WouldBlock`] if the buffer is held and has fewer than `n` bytes.
    #[inline]
    pub(super) fn fill(&mut self, n: usize) -> io::Result<bool> {
        if self.to_skip == 0 && self.end - self.start >= n {
            return Ok(true);
        }
        self.fill_more(n)
    }

    #[cold]
    fn fill_more(&mut self, n: usize) -> io::Result<bool> {
        loop {
            let skipped = self.to_skip.min((self.end - self.start) as u64);
            self.to_skip -= skipped;
            self.start += skipped as usize;
            if self.to_skip == 0 && self.end - self.start >= n {
                return Ok(true);
            }
            if self.ended {
                return Ok(false);
            }
            if self.held {
                self.wanted = n;
                return Err(ErrorKind::WouldBlock.into());
            }
            if self.start + n > self.bytes.len() || self.end == self.bytes.len() {
                self.bytes.copy_within(self.start..self.end, 0);
                self.offset += self.start as u64;
                self.end -= self.start;
                self.start = 0;
            }
            self.read(n)?;
        }
    }

    /// Reads once, after the bytes that are there, into a buffer with room for `n` bytes of data.
    fn read(&mut self, n: usize) -> io::Result<()> {
        if self.start + n > self.bytes.len() {
            self.bytes
                .resize((self.start + n).next_multiple_of(BLOCK), 0);
        }
        match self.reader.read(&mut self.bytes[self.end..]) {
            Ok(0) => self.ended = true,
            Ok(read) => self.end += read,
            Err(e) if e.kind() == ErrorKind::Interrupted => {}
            Err(e) => return Err(e),
        }
        Ok(())
    }

    /// Drops the first `n` bytes of `data()`.
    pub(super) fn consume(&mut self, n: usize) {
        self.start = self.end.min(self.start + n);
    }

    /// Drops the next `n` bytes of the stream, whether they have been read or not.
    pub(super) fn skip(&mut self, n: u64) {
        self.to_skip += n;
    }

    /// Holds the buffer: until `release`, bytes keep their positions, and nothing is read.
    pub(super) fn hold(&mut self) {
        self.held = true;
    }

    /// Ends what `hold` began.
    pub(super) fn release(&mut self) {
        self.held = false;
    }

    /// Reads once, to get the bytes that the last `fill` was short of. Bytes keep their positions.
    pub(super) fn read_more(&mut self) -> io::Result<()> {
        self.read(self.wanted)
    }

    /// Gives the buffer's bytes away, and takes others to read into; the bytes that are not
    /// consumed yet are copied over. Returns the offset in the stream at which the given bytes
    /// begin, and how many of them were consumed.
    pub(super) fn exchange(&mut self, bytes: &mut Vec<u8>) -> (u64, usize) {
        let rest = self.end - self.start;
        let room = rest.next_multiple_of(BLOCK).max(BLOCK);
        if bytes.len() != room {
            *bytes = vec![0; room]; // so that one large record does not keep its memory
        }
        bytes[..rest].copy_from_slice(&self.bytes[self.start..self.end]);
        std::mem::swap(bytes, &mut self.bytes);
        let given = (self.offset, self.start);
        self.offset += self.start as u64;
        (self.start, self.end) = (0, rest);
        given
    }

    /// Returns the bytes that were not consumed, and then the rest of the stream.
    pub(super) fn into_rest(self) -> impl Read {
        let Buffer {
            reader,
            mut bytes,
            start,
            end,
            ..
        } = self;
        bytes.truncate(end);
        bytes.drain(..start);
        io::Cursor::new(bytes).chain(reader)
    }
}
