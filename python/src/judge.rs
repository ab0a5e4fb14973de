// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify_packets`: a verdict for each packet of a column.

use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::Arc;
use std::thread;

use arrow_array::builder::{
    NullBufferBuilder, StringDictionaryBuilder, UInt8Builder, UInt16Builder, UInt32Builder,
};
use arrow_array::cast::AsArray;
use arrow_array::types::{
    Int8Type, Int16Type, Int32Type, Int64Type, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{DataType, Field as Member, Fields};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use wiresum_packet::{
    Cause, Field, Flags, Frame, LinkType, Obstacle, Sink, Status, Verdict, examine,
};

use crate::column::Column;
use crate::import::chunks;
use crate::packets::Packets;

/// verify_packets(packets, link_type, original_length, flags)
#[pyfunction]
pub(crate) fn verify_packets(
    packets: &Bound<'_, PyAny>,
    link_type: &Bound<'_, PyAny>,
    original_length: Option<&Bound<'_, PyAny>>,
    flags: Option<&Bound<'_, PyAny>>,
) -> PyResult<Column> {
    let Some(chunks) = chunks(packets)? else {
        return Err(PyTypeError::new_err(
            "packets are an Arrow column; pyarrow.array(packets, pyarrow.binary()) makes one",
        ));
    };
    let rows = chunks.iter().map(|chunk| chunk.len()).sum();
    let link_type = Numbers::of(link_type, "link_type", rows)?;
    if let Numbers::Same(number) = link_type {
        check(number)?;
    }
    let original_length = original_length.map(|it| Numbers::of(it, "original_length", rows));
    let flags = flags.map(|it| Numbers::of(it, "flags", rows));
    let (original_length, flags) = (original_length.transpose()?, flags.transpose()?);
    let judge = |data: Option<&[u8]>, row| {
        let link_type = link_type.get(row);
        let link_type = link_type.and_then(|number| u32::try_from(number).ok());
        let (data, link_type) = data.zip(link_type)?;
        let mut frame = Frame::new(LinkType(link_type), data);
        let len = original_length
            .as_ref()
            .and_then(|lengths| lengths.get(row));
        let len = len.and_then(|len| usize::try_from(len).ok());
        frame.original_len = len.unwrap_or(0).max(data.len());
        let word = flags.as_ref().and_then(|flags| flags.get(row));
        frame.flags = word.map(|word| Flags {
            value: word as u32,
            position: 0,
            big_endian: false,
        });
        let mut packet = Packet::default();
        examine(&frame, &mut packet);
        Some(packet)
    };
    let verdicts = packets.py().detach(|| {
        let mut verdicts = Verdicts::new();
        let mut before = 0;
        for chunk in &chunks {
            let packets = Packets::of(&**chunk)?;
            let judge = |row| judge(packets.get(row), before + row);
            for start in (0..packets.len).step_by(AT_ONCE) {
                let rows = start..packets.len.min(start + AT_ONCE);
                for packet in on_all_cores(rows, &judge) {
                    verdicts.push(packet);
                }
            }
            before += packets.len;
        }
        Ok(verdicts.finish())
    });
    verdicts
        .map(Column::new)
        .map_err(PyTypeError::new_err::<String>)
}

/// Refuses a link type that the walk does not know. In a column of link types, the obstacle of a
/// verdict names it.
fn check(number: i64) -> PyResult<()> {
    let link_type = u32::try_from(number).map(LinkType);
    let is_known = link_type.is_ok_and(|link_type| {
        let mut nothing = Packet::default();
        examine(&Frame::new(link_type, &[]), &mut nothing);
        link_type == LinkType::USER2 || nothing.obstacle != Some(Obstacle::LinkType(link_type))
    });
    match is_known {
        true => Ok(()),
        false => Err(PyValueError::new_err(format!(
            "link_type {number} is none that wiresum reads; 1 is Ethernet, and \
             https://www.tcpdump.org/linktypes.html has the others"
        ))),
    }
}

/// The rows whose verdicts are in memory before they are put into columns.
const AT_ONCE: usize = 64 << 10;
/// The rows of a thread at least, because a thread takes some 50 µs to start.
const SHARE: usize = 2 << 10;

/// Judges rows on all cores.
fn on_all_cores(
    rows: Range<usize>,
    judge: &(impl Fn(usize) -> Option<Packet> + Sync),
) -> Vec<Option<Packet>> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let share = rows.len().div_ceil(cores).max(SHARE);
    if rows.len() <= share {
        return rows.map(judge).collect();
    }
    thread::scope(|scope| {
        let starts = rows.clone().step_by(share);
        let shares = starts.map(|start| {
            let rows = start..rows.end.min(start + share);
            scope.spawn(move || rows.map(judge).collect::<Vec<_>>())
        });
        let shares: Vec<_> = shares.collect();
        let judged = shares.into_iter().map(|share| match share.join() {
            Ok(packets) => packets,
            Err(panic) => std::panic::resume_unwind(panic),
        });
        judged.flatten().collect()
    })
}

/// A number for each row: of a column, or one for all.
enum Numbers {
    Same(i64),
    Each(Vec<Option<i64>>),
}

impl Numbers {
    fn of(object: &Bound<'_, PyAny>, name: &str, rows: usize) -> PyResult<Numbers> {
        let Some(chunks) = chunks(object)? else {
            let number = object.extract().map_err(|_| {
                PyTypeError::new_err(format!("{name} is a number or an Arrow column of numbers"))
            })?;
            return Ok(Numbers::Same(number));
        };
        let mut numbers = Vec::with_capacity(rows);
        for chunk in &chunks {
            macro_rules! extend {
                ($type:ty) => {{
                    let chunk = chunk.as_primitive::<$type>();
                    numbers.extend(
                        chunk
                            .iter()
                            .map(|number| number.map(|number| number as i64)),
                    );
                }};
            }
            match chunk.data_type() {
                DataType::Int8 => extend!(Int8Type),
                DataType::Int16 => extend!(Int16Type),
                DataType::Int32 => extend!(Int32Type),
                DataType::Int64 => extend!(Int64Type),
                DataType::UInt8 => extend!(UInt8Type),
                DataType::UInt16 => extend!(UInt16Type),
                DataType::UInt32 => extend!(UInt32Type),
                DataType::UInt64 => extend!(UInt64Type),
                DataType::Null => numbers.extend(std::iter::repeat_n(None, chunk.len())),
                other => {
                    return Err(PyTypeError::new_err(format!(
                        "{name} is a number or a column of integers, not of {other}"
                    )));
                }
            }
        }
        match numbers.len() == rows {
            true => Ok(Numbers::Each(numbers)),
            false => Err(PyValueError::new_err(format!(
                "{name} has {} rows, and the packets have {rows}",
                numbers.len()
            ))),
        }
    }

    fn get(&self, row: usize) -> Option<i64> {
        match self {
            Numbers::Same(number) => Some(*number),
            Numbers::Each(numbers) => numbers[row],
        }
    }
}

type Strings = StringDictionaryBuilder<Int32Type>;

/// The verdicts so far, by their members.
struct Verdicts {
    whole: NullBufferBuilder,
    status: Strings,
    checksums: UInt16Builder,
    bad: UInt16Builder,
    protocol: Strings,
    layer: UInt8Builder,
    cause: Strings,
    reason: Strings,
    found: UInt32Builder,
    expected: UInt32Builder,
    offset: UInt32Builder,
    obstacle: Strings,
}

impl Verdicts {
    fn new() -> Verdicts {
        Verdicts {
            whole: NullBufferBuilder::new(0),
            status: Strings::new(),
            checksums: UInt16Builder::new(),
            bad: UInt16Builder::new(),
            protocol: Strings::new(),
            layer: UInt8Builder::new(),
            cause: Strings::new(),
            reason: Strings::new(),
            found: UInt32Builder::new(),
            expected: UInt32Builder::new(),
            offset: UInt32Builder::new(),
            obstacle: Strings::new(),
        }
    }

    fn push(&mut self, packet: Option<Packet>) {
        self.whole.append(packet.is_some());
        let packet = packet.unwrap_or_default();
        let worst = packet.worst.as_ref();
        let verdict = worst.map(|(verdict, ..)| verdict);
        self.status.append_option(verdict.map(|it| it.status.key()));
        self.checksums.append_value(packet.checksums);
        self.bad.append_value(packet.bad);
        self.protocol
            .append_option(worst.map(|(_, protocol, ..)| *protocol));
        self.layer
            .append_option(worst.map(|(_, _, layer, _)| *layer));
        self.cause
            .append_option(verdict.and_then(Verdict::cause).map(Cause::key));
        self.reason
            .append_option(verdict.and_then(|it| match it.status {
                Status::Unverified(reason) => Some(reason.key()),
                _ => None,
            }));
        self.found.append_option(verdict.and_then(|it| it.found));
        self.expected
            .append_option(verdict.and_then(|it| it.expected));
        self.offset.append_option(worst.map(|(.., offset)| *offset));
        self.obstacle
            .append_option(packet.obstacle.map(|it| it.to_string()));
    }

    fn finish(mut self) -> ArrayRef {
        let columns: [(&str, bool, ArrayRef); 11] = [
            ("status", true, Arc::new(self.status.finish())),
            ("checksums", false, Arc::new(self.checksums.finish())),
            ("bad", false, Arc::new(self.bad.finish())),
            ("protocol", true, Arc::new(self.protocol.finish())),
            ("layer", true, Arc::new(self.layer.finish())),
            ("cause", true, Arc::new(self.cause.finish())),
            ("reason", true, Arc::new(self.reason.finish())),
            ("found", true, Arc::new(self.found.finish())),
            ("expected", true, Arc::new(self.expected.finish())),
            ("offset", true, Arc::new(self.offset.finish())),
            ("obstacle", true, Arc::new(self.obstacle.finish())),
        ];
        let member = |(name, nullable, array): &(&str, bool, ArrayRef)| {
            Member::new(*name, array.data_type().clone(), *nullable)
        };
        let members: Fields = columns.iter().map(member).collect();
        let arrays = columns.into_iter().map(|(.., array)| array).collect();
        Arc::new(StructArray::new(members, arrays, self.whole.finish()))
    }
}

/// What a packet's checksums say about it.
#[derive(Default)]
struct Packet {
    checksums: u16,
    bad: u16,
    /// The first verdict of the worst status, with its protocol, layer, and offset in the packet.
    worst: Option<(Verdict, &'static str, u8, u32)>,
    obstacle: Option<Obstacle>,
}

/// The higher, the worse.
fn badness(status: Status) -> u8 {
    match status {
        Status::Good => 0,
        Status::Absent => 1,
        Status::Unverified(_) => 2,
        Status::Illegal => 3,
        Status::Bad(_) => 4,
    }
}

impl Sink for Packet {
    fn verdict(&mut self, _: &Frame<'_>, field: &Field, verdict: &Verdict) {
        if field.quoted {
            return;
        }
        self.checksums += 1;
        self.bad += u16::from(matches!(verdict.status, Status::Bad(_) | Status::Illegal));
        let worse =
            |(worst, ..): &(Verdict, _, _, _)| badness(verdict.status) > badness(worst.status);
        if self.worst.as_ref().is_none_or(worse) {
            let (protocol, offset) = (field.protocol.key(), field.offset as u32);
            self.worst = Some((*verdict, protocol, field.layer, offset));
        }
    }

    fn obstacle(&mut self, _: &Frame<'_>, obstacle: Obstacle) {
        self.obstacle = Some(obstacle);
    }
}
