// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify --html`: one page, in one file, with all that a person wants to know of the captures.

mod chart;
mod digest;
mod page;
mod timeline;

pub(super) use digest::Digest;
pub(super) use page::write;
