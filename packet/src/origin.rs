// SPDX-License-Identifier: MIT OR Apache-2.0
//! Where the bytes of a frame, or of a reassembled datagram, lie in the capture file.

use std::ops::Range;

/// Where the bytes of [`Frame::data`](crate::Frame::data) come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<'a> {
    /// The bytes are a frame, as a record of the file holds it.
    Record {
        /// The offset of the first byte in the decompressed file; `None` if the frame is from no
        /// file.
        position: Option<u64>,
    },
    /// The bytes are the payload of a datagram that was put together from fragments.
    Datagram {
        /// Where the bytes come from, in order and without a gap.
        pieces: &'a [Piece],
        /// Where the file holds bytes of the datagram a second time, because fragments came again
        /// before the datagram was whole. Both copies are the same.
        again: &'a [Again],
        /// Whether the fragments were themselves in datagrams that were put together from
        /// fragments.
        nested: bool,
    },
}

impl Default for Origin<'_> {
    /// An origin in no file.
    fn default() -> Self {
        Origin::Record { position: None }
    }
}

/// A run of bytes of a datagram that lie together in one frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Where the run begins in the datagram. It ends where the next run begins.
    pub start: usize,
    /// Where the first byte of the run lies.
    pub place: Place,
}

/// A second copy of a run of bytes of a datagram.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Again {
    /// Where the run belongs in the datagram.
    pub range: Range<usize>,
    /// Where the first byte of this copy lies.
    pub place: Place,
}

/// Where a byte lies in the capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of the frame.
    pub frame: u64,
    /// The offset of the byte in the frame.
    pub offset: usize,
    /// The offset of the byte in the decompressed file; `None` if the frame is from no file.
    pub position: Option<u64>,
}

impl Place {
    /// Returns the place so many bytes later in the same frame.
    pub(crate) fn after(self, bytes: usize) -> Place {
        Place {
            frame: self.frame,
            offset: self.offset + bytes,
            position: self.position.map(|position| position + bytes as u64),
        }
    }
}
