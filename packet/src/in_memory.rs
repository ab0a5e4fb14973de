// SPDX-License-Identifier: MIT OR Apache-2.0
//! Examines a pcap that lies in memory as a whole: one loop finds the records and judges them, on
//! one thread. No byte is copied, and each one comes into the cache once, when its sum is taken. A
//! pass that only finds records waits for memory at every header.

use std::io;

use crate::capture::{InMemory, Malformed};
use crate::sink::{count_plain, examine_fragment, walk_up_to_fragment};
use crate::{Collector, ExamineError, Flows, Reassembly};

/// The bytes of records between two calls of [`Memory::check`].
const STRETCH: usize = 1 << 20;

/// How many bytes are fetched at each record. The number does not depend on the record, because a
/// loop that ends at random costs a wrong prediction. The CPU fetches the rest of a long record by
/// itself.
pub const FETCHED: usize = 512;

/// How far before its use a byte is fetched, at most.
const AHEAD: usize = 16 << 10;

/// A file whose bytes are in memory, or come there when they are read.
pub trait Memory {
    /// Returns all bytes of the file.
    fn bytes(&self) -> &[u8];

    /// Is called before each stretch of the file, and after the last one, with the number of bytes
    /// that were examined.
    ///
    /// # Errors
    /// If the bytes that were examined were not the bytes of the file. This ends the reading.
    fn check(&self, examined: usize) -> io::Result<()>;

    /// Asks the CPU to fetch [`FETCHED`] bytes, of which some may lie after the end of the file.
    fn prefetch(&self, start: usize);
}

/// Examines all frames of a pcap, and reports to the collector, as
/// [`examine_all`](crate::examine_all) does. Returns the records that could not be read, or `None`
/// if this is no pcap, or a compressed one. The collector takes no verdict on a stretch of the file
/// before the stretch is checked.
///
/// # Errors
/// If the file fails a check, or the collector fails.
pub fn examine_in_memory<C: Collector>(
    file: &impl Memory,
    mut reassembly: Option<Reassembly>,
    collector: &mut C,
) -> Result<Option<Malformed>, ExamineError> {
    let Some(mut records) = InMemory::of(file.bytes()) else {
        return Ok(None);
    };
    let (mut flows, mut part) = (Flows::default(), collector.part());
    let (mut begin, mut end) = (0, records.position());
    let mut fetched = end;
    while begin < end {
        begin = end;
        file.check(begin).map_err(ExamineError::Capture)?;
        collector.take(&mut part).map_err(ExamineError::Collector)?;
        while end - begin < STRETCH
            && let Some(record) = records.next()
        {
            end = records.position();
            fetched = fetched.max(end);
            file.prefetch(fetched);
            fetched = (fetched + FETCHED).min(end + AHEAD);
            let time = || records.frame(&record).time;
            if count_plain(&records.captured(&record), time, &mut part) {
                continue;
            }
            let frame = records.frame(&record);
            let mut sink = flows.sink(&mut part);
            match (walk_up_to_fragment(&frame, &mut sink), &mut reassembly) {
                (Some(fragment), Some(reassembly)) => reassembly.push(&frame, &fragment, &mut sink),
                (Some(fragment), None) => examine_fragment(&frame, &fragment, &mut sink),
                (None, _) => {}
            }
        }
    }
    if let Some(mut reassembly) = reassembly {
        reassembly.finish(&mut flows.sink(&mut part));
    }
    collector.take(&mut part).map_err(ExamineError::Collector)?;
    Ok(Some(records.malformed()))
}
