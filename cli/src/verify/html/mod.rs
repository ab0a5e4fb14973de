// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify --html`: a report on the captures as one page, in one file.

mod chart;
mod digest;
mod page;
mod senders;
mod timeline;

#[cfg(feature = "arrow")]
pub(super) use digest::Room;
pub(super) use digest::{Digest, kind};
#[cfg(feature = "parquet")]
pub(super) use digest::{Example, ILLEGAL, Wrong};
pub(super) use page::write;
