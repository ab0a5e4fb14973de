// SPDX-License-Identifier: MIT OR Apache-2.0
//! The changes of a repair, and where the repaired capture goes.

use std::io::{self, Seek, SeekFrom, Write};

/// A changed run of bytes in a capture: the 2 bytes of an Internet checksum, the 4 bytes of a
/// CRC32c or of a flags word, or fewer bytes of a checksum that lies in several fragments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// The offset of the bytes in the file, as in [`Place::position`](crate::Place::position).
    pub position: u64,
    /// The number of bytes.
    len: u8,
    old: [u8; 4],
    new: [u8; 4],
}

impl Change {
    /// Makes a change of 1 to 4 bytes. Returns `None` if `old` and `new` do not both have one such
    /// length.
    #[must_use]
    pub fn new(position: u64, old: &[u8], new: &[u8]) -> Option<Change> {
        if !(1..=4).contains(&old.len()) || old.len() != new.len() {
            return None;
        }
        let mut change = Change {
            position,
            len: old.len() as u8,
            old: [0; 4],
            new: [0; 4],
        };
        change.old[..old.len()].copy_from_slice(old);
        change.new[..new.len()].copy_from_slice(new);
        Some(change)
    }

    /// Returns the old bytes.
    #[must_use]
    pub fn old(&self) -> &[u8] {
        &self.old[..usize::from(self.len)]
    }

    /// Returns the new bytes.
    #[must_use]
    pub fn new_bytes(&self) -> &[u8] {
        &self.new[..usize::from(self.len)]
    }
}

/// The output of a repair. Everything that implements [`Write`] and [`Seek`] is one.
pub trait Output {
    /// Takes the next bytes of the copy. The `changes` are already in them, in the order of their
    /// positions.
    ///
    /// # Errors
    /// Any error that should end the repair.
    fn write(&mut self, bytes: &[u8], changes: &[Change]) -> io::Result<()>;

    /// Changes bytes that were written before.
    ///
    /// # Errors
    /// Any error that should end the repair.
    fn patch(&mut self, change: &Change) -> io::Result<()>;
}

impl<W: Write + Seek> Output for W {
    fn write(&mut self, bytes: &[u8], _: &[Change]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn patch(&mut self, change: &Change) -> io::Result<()> {
        self.seek(SeekFrom::Start(change.position))?;
        self.write_all(change.new_bytes())?;
        self.seek(SeekFrom::End(0))?;
        Ok(())
    }
}
