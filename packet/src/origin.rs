// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the bytes of a frame, or of a datagram put together from fragments, lie in the capture file.

use std::ops::Range;

/// Where the bytes of [`Frame::data`](crate::Frame::data) come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'a> {
    /// They are a frame, as a record of the file holds it.
    Record {
        /// Where the first of them is in the file, in bytes from its beginning, once it is decompressed; `None` if it is from no file.
        position: Option<u64>,
    },
    /// They are what a datagram carries, put together from fragments.
    Datagram {
        /// Where they come from: in order, and without a gap.
        pieces: &'a [Piece],
        /// Where bytes of it stand a second time, the same ones: in fragments that came again before it was whole.
        again: &'a [Again],
        /// Whether the fragments were in datagrams that were put together from fragments themselves.
        nested: bool,
    },
}

impl Default for Origin<'_> {
    /// From no file.
    fn default() -> Self {
        Origin::Record { position: None }
    }
}

/// A run of bytes of a datagram that stand together in one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where in the datagram the run begins. It ends where the next begins.
    pub start: usize,
    /// Where its first byte lies.
    pub place: Place,
}

/// A run of bytes of a datagram that came already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// Where in the datagram it belongs.
    pub range: Range<usize>,
    /// Where the first byte of this copy lies.
    pub place: Place,
}

/// Where a byte lies in the capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// In the frame of this number.
    pub frame: u64,
    /// At this offset of the frame.
    pub offset: usize,
    /// At this offset of the file, once it is decompressed, if the frame is from a file.
    pub position: Option<u64>,
}

impl Place {
    /// The place so many bytes further on in the same frame.
    pub(crate) fn after(self, bytes: usize) -> Place {
        Place {
            frame: self.frame,
            offset: self.offset + bytes,
            position: self.position.map(|position| position + bytes as u64),
        }
    }
}
