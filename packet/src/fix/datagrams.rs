// SPDX-License-Identifier: MIT OR Apache-2.0
//! Repairs datagrams that came in fragments, where their bytes lie in the copy.

use std::collections::BTreeSet;
use std::io;
use std::mem;

use super::{Change, Judged, Output, Repairs, repair};
use crate::walk::{Field, Obstacle};
use crate::{Again, Frame, LinkType, Origin, Piece, Sink, Verdict};

/// The findings in datagrams that are whole, or that never came together.
#[derive(Default)]
pub(super) struct Datagrams {
    found: Vec<Datagram>,
    pub(super) repairs: Repairs,
    /// The numbers of the frames whose fragment another checksum covers, while they may still be
    /// needed.
    pub(super) covered: BTreeSet<u64>,
}

struct Datagram {
    number: u64,
    data: Vec<u8>,
    pieces: Vec<Piece>,
    again: Vec<Again>,
    nested: bool,
    fields: Vec<Judged>,
}

impl Sink for Datagrams {
    fn verdict(&mut self, frame: &Frame<'_>, field: &Field, verdict: &Verdict) {
        let Origin::Datagram {
            pieces,
            again,
            nested,
        } = frame.origin
        else {
            return; // a reassembly reports nothing else
        };
        let same = |datagram: &Datagram| {
            datagram.number == frame.number
                && datagram.pieces == pieces
                && datagram.again == again
                && datagram.data == frame.data
        };
        if !self.found.last().is_some_and(same) {
            self.found.push(Datagram {
                number: frame.number,
                data: frame.data.to_vec(),
                pieces: pieces.to_vec(),
                again: again.to_vec(),
                nested,
                fields: Vec::new(),
            });
        }
        if let Some(datagram) = self.found.last_mut() {
            datagram.fields.push(Judged::new(field, verdict));
        }
    }

    fn obstacle(&mut self, _: &Frame<'_>, obstacle: Obstacle) {
        *self.repairs.obstacles.entry(obstacle).or_default() += 1;
    }

    fn malformed(&mut self, _: &Frame<'_>, how: &'static str) {
        *self.repairs.malformed.entry(how).or_default() += 1;
    }
}

/// The number of frames to remember. A reassembly has room for fewer waiting frames than that.
const MAX_COVERED: usize = 1 << 18;

impl Datagrams {
    /// Repairs the datagrams found so far.
    pub(super) fn fix(
        &mut self,
        wanted: &impl Fn(&str) -> bool,
        out: &mut impl Output,
    ) -> io::Result<()> {
        while self.covered.len() > MAX_COVERED {
            self.covered.pop_first();
        }
        for mut datagram in mem::take(&mut self.found) {
            let wrong = datagram.fields.iter().any(Judged::is_wrong);
            if wrong && self.is_tunneled(&datagram) {
                for one in datagram.fields.iter().filter(|one| one.is_wrong()) {
                    let key = (one.field.protocol, Repairs::TUNNELED);
                    *self.repairs.left.entry(key).or_default() += 1;
                }
                datagram.fields.retain(|one| !one.is_wrong());
            } else if wrong {
                let mut data = datagram.data.clone();
                repair(&mut data, None, &mut datagram.fields, wanted);
                self.repairs.changed_packets += u64::from(datagram.patch(&data, out)?);
            }
            for one in &datagram.fields {
                self.repairs.count(one);
            }
        }
        Ok(())
    }

    fn is_tunneled(&self, datagram: &Datagram) -> bool {
        let pieces = datagram.pieces.iter().map(|piece| piece.place);
        let mut places = pieces.chain(datagram.again.iter().map(|again| again.place));
        datagram.nested || places.any(|place| self.covered.contains(&place.frame))
    }
}

impl Datagram {
    /// Writes each repaired field to where it lies, byte by byte: a field may lie in several
    /// fragments, and these may be in the file more than once. Returns whether a byte was changed.
    fn patch(&self, repaired: &[u8], out: &mut impl Output) -> io::Result<bool> {
        let frame = Frame {
            origin: Origin::Datagram {
                pieces: &self.pieces,
                again: &self.again,
                nested: self.nested,
            },
            ..Frame::new(LinkType::RAW, &self.data)
        };
        let fields = self.fields.iter().filter(|one| one.repaired.is_some());
        let mut any = false;
        for at in fields.flat_map(|one| one.field.bytes()) {
            let (old, new) = (self.data[at], repaired[at]);
            for place in [frame.place(at)].into_iter().chain(frame.places_again(at)) {
                if let (Some(position), true) = (place.position, old != new)
                    && let Some(change) = Change::new(position, &[old], &[new])
                {
                    out.patch(&change)?;
                    any = true;
                }
            }
        }
        Ok(any)
    }
}
