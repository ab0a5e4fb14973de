// SPDX-License-Identifier: MIT OR Apache-2.0
//! Finds every Internet checksum (RFC 1071) in a packet capture, and judges each one.
//!
//! The crate is one pipe, in which each stage depends only on the stages before it:
//!
//! ```text
//! Capture ──> Frame ──> walk ──> Field, outermost first ──> judge ──> Verdict ──> Sink
//! pcap, pcapng,         where: offset, protocol,            status, cause,        Tally,
//! snoop                 covered range, pseudo-header        found, expected       yours
//! ```
//!
//! The walk never sums, and the functions that sum never parse. So a new protocol is one function
//! under [`mod@walk`], a new cause is one function under [`cause`], and a new output is one
//! [`Sink`].
//!
//! ```no_run
//! use wiresum_packet::{Capture, Protocol, Reassembly, Tally};
//!
//! let mut capture = Capture::open(std::fs::File::open("office.pcapng")?)?;
//! let mut reassembly = Reassembly::default();
//! let mut tally = Tally::default();
//! while let Some(frame) = capture.next_frame()? {
//!     reassembly.examine(&frame, &mut tally);
//! }
//! reassembly.finish(&mut tally);
//! println!("{} TCP checksums are bad", tally.counts(Protocol::Tcp).bad);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The crate allocates no memory for a frame, except for a fragment, and for a bad checksum that
//! covers other checksums or that has no exact cause. Memory is bounded, whatever lengths the file
//! claims. No input makes any function panic: a record that cannot be read is counted, and reading
//! goes on with the next record.
#![forbid(unsafe_code)]

pub mod capture;
pub mod cause;
pub mod fix;
mod flows;
mod in_memory;
mod link_type;
mod origin;
mod parallel;
mod plain;
mod protocol;
pub mod ranges;
mod reassembly;
mod senders;
mod sink;
mod sums;
mod tally;
mod verdict;
pub mod walk;

pub use capture::{Capture, Chunk, Compression, Direction, Flags, Frame, OpenError, Timestamp};
pub use cause::Cause;
pub use fix::{Repairs, fix};
pub use flows::Flows;
pub use in_memory::{FETCHED, Memory, examine_in_memory};
pub use link_type::LinkType;
pub use origin::{Again, Origin, Piece, Place};
pub use parallel::{Collector, ExamineError, examine_all};
pub use protocol::Protocol;
pub use reassembly::Reassembly;
pub use senders::Senders;
pub use sink::{Needs, PlainFrame, Sink, examine, examine_up_to_fragment};
pub use tally::{Counts, Tally};
pub use verdict::{Status, Verdict, judge, judge_frame};
pub use walk::{
    Addresses, Algorithm, Also, DatagramId, Field, Found, Fragment, Obstacle, Pseudo, Reason, Zero,
    walk,
};

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
