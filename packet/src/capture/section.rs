// SPDX-License-Identifier: MIT OR Apache-2.0
//! The header of a section of a pcapng, and the headers under which the records of a capture can be
//! read.

/// The type of a Section Header Block. It is the same in both byte orders.
pub(super) const SECTION_HEADER: u32 = 0x0a0d_0d0a;
const BYTE_ORDER_MAGIC: u32 = 0x1a2b_3c4d;
/// The bytes of all headers that a range may need. A capture that needs more is not split.
const MAX_HEADERS: usize = 1 << 20;

/// Returns whether the section with this magic is big-endian.
pub(super) fn byte_order(magic: [u8; 4]) -> Option<bool> {
    [u32::from_le_bytes(magic), u32::from_be_bytes(magic)]
        .iter()
        .position(|&magic| magic == BYTE_ORDER_MAGIC)
        .map(|order| order == 1)
}

/// The header of a section without interfaces.
pub(super) fn section(big_endian: bool) -> Vec<u8> {
    const LEN: u32 = 28;
    let word = |word: u32| match big_endian {
        true => word.to_be_bytes(),
        false => word.to_le_bytes(),
    };
    let version = match big_endian {
        true => [0, 1, 0, 0],
        false => [1, 0, 0, 0],
    };
    let unknown = [0xff; 4]; // half of the length of the section
    let parts = [
        SECTION_HEADER.to_be_bytes(),
        word(LEN),
        word(BYTE_ORDER_MAGIC),
        version,
        unknown,
        unknown,
        word(LEN),
    ];
    parts.concat()
}

/// The headers of the records that were read, each with the offset of the block that brought it.
#[derive(Default)]
pub(crate) struct Headers {
    /// The offset before which a header replaces the header before it.
    from: u64,
    all: Vec<(u64, Vec<u8>)>,
    /// Whether the headers take more memory than they may.
    too_many: bool,
}

impl Headers {
    /// The headers of records that come after a first one.
    pub(super) fn after(first: &[u8]) -> Headers {
        Headers {
            from: first.len() as u64,
            all: vec![(0, first.to_vec())],
            too_many: false,
        }
    }

    /// A section begins.
    pub(super) fn section(&mut self, offset: u64, big_endian: bool) {
        self.push(offset, section(big_endian));
    }

    /// A block describes an interface of the section.
    pub(super) fn interface(&mut self, offset: u64, block: &[u8]) {
        let header = self.all.last().map_or(&[][..], |(_, header)| header);
        self.push(offset, [header, block].concat());
    }

    fn push(&mut self, offset: u64, header: Vec<u8>) {
        if offset < self.from {
            self.all.clear();
        }
        let before: usize = self.all.iter().map(|(_, header)| header.len()).sum();
        if before + header.len() > MAX_HEADERS {
            self.too_many = true;
        } else {
            self.all.push((offset, header));
        }
    }

    /// Returns whether the headers take more memory than they may.
    pub(super) fn are_too_many(&self) -> bool {
        self.too_many
    }

    /// Returns the index of the header of a record at an offset.
    pub(super) fn index_of(&self, offset: u64) -> usize {
        let after = self.all.partition_point(|&(from, _)| from <= offset);
        after.saturating_sub(1)
    }

    /// Returns the bytes of one of the headers.
    pub(crate) fn bytes(&self, index: usize) -> &[u8] {
        &self.all[index].1
    }

    /// Returns the bytes of the last header, unless there are too many.
    pub(crate) fn last(&self) -> Option<Vec<u8>> {
        let (_, header) = self.all.last().filter(|_| !self.too_many)?;
        Some(header.clone())
    }
}
