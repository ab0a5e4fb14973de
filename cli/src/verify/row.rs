// SPDX-License-Identifier: MIT OR Apache-2.0
//! A checksum as a row of `--csv` and `--parquet`, as `cli/README.md` promises it. New columns are
//! added at the end. No column is removed or changes its meaning.

use std::net::IpAddr;

use wiresum_packet::{Addresses, Cause, Field, Frame, Status, Timestamp, Verdict};

/// The names of the columns, in their order.
pub(super) const COLUMNS: [&str; 16] = [
    "file",
    "frame",
    "time",
    "layer",
    "quoted",
    "protocol",
    "source",
    "source_port",
    "destination",
    "destination_port",
    "status",
    "cause",
    "reason",
    "found",
    "expected",
    "offset",
];

/// A row, except for the name of the file.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub(super) frame: u64,
    pub(super) time: Option<Timestamp>,
    pub(super) layer: u8,
    pub(super) quoted: bool,
    pub(super) protocol: &'static str,
    pub(super) source: Option<IpAddr>,
    pub(super) destination: Option<IpAddr>,
    pub(super) ports: Option<(u16, u16)>,
    pub(super) status: &'static str,
    /// Why the checksum is bad or illegal, as far as that can be told.
    pub(super) cause: Option<&'static str>,
    /// Why the checksum is unverified.
    pub(super) reason: Option<&'static str>,
    pub(super) found: Option<u32>,
    pub(super) expected: Option<u32>,
    /// The number of hexadecimal digits of `found` and `expected`.
    pub(super) digits: usize,
    /// The offset of the field in the file in bytes, if the file holds the field.
    pub(super) offset: Option<u64>,
}

impl Row {
    pub(super) fn new(frame: &Frame<'_>, field: &Field, verdict: &Verdict) -> Row {
        let reason = match verdict.status {
            Status::Unverified(reason) => Some(reason.key()),
            _ => None,
        };
        Row {
            frame: frame.number,
            time: frame.time,
            layer: field.layer,
            quoted: field.quoted,
            protocol: field.protocol.key(),
            source: field.addresses.map(Addresses::source),
            destination: field.addresses.map(Addresses::destination),
            ports: field.ports,
            status: verdict.status.key(),
            cause: verdict.cause().map(Cause::key),
            reason,
            found: verdict.found,
            expected: verdict.expected,
            digits: 2 * field.algorithm.width(),
            offset: frame.place(field.offset).position,
        }
    }
}
