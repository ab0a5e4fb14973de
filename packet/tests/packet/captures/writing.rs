// SPDX-License-Identifier: MIT OR Apache-2.0
//! Writes pcap and pcapng files of two frames, in either byte order.

/// The byte order of a number.
#[derive(Clone, Copy)]
pub(crate) enum Order {
    Little,
    Big,
}

impl Order {
    pub(crate) fn u16(self, value: u16) -> [u8; 2] {
        match self {
            Order::Little => value.to_le_bytes(),
            Order::Big => value.to_be_bytes(),
        }
    }

    pub(crate) fn u32(self, value: u32) -> [u8; 4] {
        match self {
            Order::Little => value.to_le_bytes(),
            Order::Big => value.to_be_bytes(),
        }
    }

    pub(crate) fn words(self, words: &[u32]) -> Vec<u8> {
        words.iter().flat_map(|&word| self.u32(word)).collect()
    }

    /// Returns a pcap of two frames: "one", whole, and "twofold", of which "two" was captured.
    pub(crate) fn pcap(self, magic: u32, link_type: u32) -> Vec<u8> {
        let mut file = self.words(&[magic]);
        file.extend(self.u16(2));
        file.extend(self.u16(4));
        file.extend(self.words(&[0, 0, 65535, link_type]));
        file.extend(self.words(&[1_000_000_000, 999_999, 3, 3]));
        file.extend(b"one");
        file.extend(self.words(&[1_000_000_001, 1, 3, 7]));
        file.extend(b"two");
        file
    }

    /// Returns a pcapng block.
    pub(crate) fn block(self, kind: u32, body: &[u8]) -> Vec<u8> {
        let padded = body.len().next_multiple_of(4);
        let len = self.u32(padded as u32 + 12);
        let mut block = self.u32(kind).to_vec();
        block.extend(len);
        block.extend(body);
        block.resize(8 + padded, 0);
        block.extend(len);
        block
    }

    pub(crate) fn section(self) -> Vec<u8> {
        let mut body = self.words(&[0x1a2b_3c4d]);
        body.extend(self.u16(1));
        body.extend(self.u16(0));
        body.extend([0xff; 8]);
        self.block(0x0a0d_0d0a, &body)
    }

    pub(crate) fn interface(self, link_type: u16, snap_len: u32, options: &[u8]) -> Vec<u8> {
        let mut body = self.u16(link_type).to_vec();
        body.extend([0, 0]);
        body.extend(self.u32(snap_len));
        body.extend(options);
        self.block(1, &body)
    }

    pub(crate) fn option(self, code: u16, value: &[u8]) -> Vec<u8> {
        let mut option = self.u16(code).to_vec();
        option.extend(self.u16(value.len() as u16));
        option.extend(value);
        option.resize(option.len().next_multiple_of(4), 0);
        option
    }

    pub(crate) fn enhanced(
        self,
        interface: u32,
        ticks: u64,
        data: &[u8],
        wire: u32,
        options: &[u8],
    ) -> Vec<u8> {
        let (high, low) = ((ticks >> 32) as u32, ticks as u32);
        let mut body = self.words(&[interface, high, low, data.len() as u32, wire]);
        body.extend(data);
        body.resize(body.len().next_multiple_of(4), 0);
        body.extend(options);
        self.block(6, &body)
    }

    /// Returns a section with one Ethernet interface.
    pub(crate) fn pcapng(self) -> Vec<u8> {
        [self.section(), self.interface(1, 0, &[])].concat()
    }
}

pub(crate) const BOTH: [Order; 2] = [Order::Little, Order::Big];
