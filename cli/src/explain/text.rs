// SPDX-License-Identifier: MIT OR Apache-2.0
//! The explanation as text for people.

use std::fmt::Write as _;
use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use console::Term;
use wiresum_packet::{Cause, Status};

use super::arithmetic::{Row, word};
use super::model::{Explained, Explanation, Tried};
use crate::args::ExplainOptions;
use crate::flow::between;
use crate::time::rfc3339;

const HEADING: Style = Style::new().bold();
const GOOD: Style = AnsiColor::Green.on_default();
const BAD: Style = AnsiColor::Red.on_default().bold();
const FIELD: Style = AnsiColor::Cyan.on_default().bold();
const DIM: Style = Style::new().dimmed();

/// The width of the text if standard output is not a terminal.
const WIDTH: usize = 80;

/// Long data shows this many rows at its beginning and at its end, and one line for all others.
const FIRST: usize = 5;
const LAST: usize = 2;

pub(super) fn print<'a>(
    out: &mut impl Write,
    title: impl Fn(u64) -> String,
    frames: impl Iterator<Item = &'a Explained>,
    options: &ExplainOptions,
) -> io::Result<()> {
    let terminal = Term::stdout().size_checked();
    let width = terminal.map_or(WIDTH, |(_, columns)| usize::from(columns).clamp(40, 120));
    pages(out, width, title, frames, options)
}

/// The same text without colors, for frames that belong to no capture.
pub(super) fn of_frames<'a>(
    frames: impl Iterator<Item = &'a Explained>,
    options: &ExplainOptions,
) -> io::Result<String> {
    let mut out = Vec::new();
    let title = |frame| format!("frame {frame}");
    pages(&mut out, WIDTH, title, frames, options)?;
    Ok(without_colors(&out))
}

fn pages<'a>(
    out: &mut impl Write,
    width: usize,
    title: impl Fn(u64) -> String,
    frames: impl Iterator<Item = &'a Explained>,
    options: &ExplainOptions,
) -> io::Result<()> {
    for (number, frame) in frames.enumerate() {
        if number > 0 {
            writeln!(out)?;
        }
        Page { out, width }.frame(&title(frame.frame), frame, options)?;
    }
    Ok(())
}

/// The arithmetic of one checksum, without colors and without its heading.
pub(super) fn plain(of: &Explanation) -> String {
    let mut out = Vec::new();
    let mut page = Page {
        out: &mut out,
        width: WIDTH,
    };
    page.checksum(of).expect("a Vec takes all");
    let text = without_colors(&out);
    let body = text.split_once('\n').map_or("", |(_, body)| body);
    body.trim_end().to_owned()
}

fn without_colors(text: &[u8]) -> String {
    let text = anstream::adapter::strip_bytes(text).into_vec();
    String::from_utf8_lossy(&text).into_owned()
}

struct Page<'a, W> {
    out: &'a mut W,
    width: usize,
}

impl<W: Write> Page<'_, W> {
    fn frame(
        &mut self,
        title: &str,
        frame: &Explained,
        options: &ExplainOptions,
    ) -> io::Result<()> {
        write!(self.out, "{HEADING}{title}{HEADING:#}: ")?;
        match (frame.captured, frame.original_len) {
            (captured, len) if captured == len => write!(self.out, "{len} bytes")?,
            (captured, len) => write!(self.out, "{captured} of {len} bytes")?,
        }
        write!(self.out, ", {}", frame.link_type)?;
        match frame.time.and_then(rfc3339) {
            Some(time) => writeln!(self.out, ", {time}")?,
            None => writeln!(self.out)?,
        }
        if !frame.layers.is_empty() {
            self.paragraph(&format!("Layers: {}.", frame.layers.join(" > ")))?;
        }
        for note in &frame.notes {
            self.paragraph(note)?;
        }
        if frame.checksums.is_empty() {
            let narrowed = options.layer.is_some() || options.field.is_some();
            self.paragraph(if narrowed {
                "The frame has no checksum of that layer and protocol."
            } else {
                "The frame has no checksum to explain."
            })?;
        }
        for checksum in &frame.checksums {
            writeln!(self.out)?;
            self.checksum(checksum)?;
        }
        Ok(())
    }

    fn checksum(&mut self, of: &Explanation) -> io::Result<()> {
        let style = match of.style {
            Status::Bad(_) | Status::Illegal => BAD,
            Status::Good => GOOD,
            _ => Style::new(),
        };
        let mut title = format!("{} in layer {}", of.protocol, of.layer);
        if of.quoted {
            title += ", in a copy of another packet";
        }
        let flow = between(of.source.zip(of.destination), of.ports);
        let why = of.why.map(|why| format!(" ({why})")).unwrap_or_default();
        writeln!(
            self.out,
            "{HEADING}{title}{HEADING:#}, {flow}: {style}{}{why}{style:#}",
            of.status
        )?;
        if !of.fragments.is_empty() {
            let pieces: Vec<_> = of
                .fragments
                .iter()
                .map(|(frame, bytes)| format!("{bytes} bytes of frame {frame}"))
                .collect();
            self.paragraph(&format!(
                "The datagram is put together from fragments: {}. The checksum field is in \
                 frame {}, at byte {}.",
                pieces.join(", "),
                of.at.frame,
                of.at.offset
            ))?;
        }
        if of.expected.is_some() {
            match of.sum {
                Some(sum) => self.sum(of, sum)?,
                None if of.algorithm == "fletcher" => self.fletcher(of)?,
                None => self.crc(of)?,
            }
        }
        self.tried(of)?;
        self.paragraph(&of.verdict)
    }

    /// The words of a sum, and their addition.
    fn sum(&mut self, of: &Explanation, sum: u64) -> io::Result<()> {
        if !of.pseudo_header.is_empty() {
            writeln!(
                self.out,
                "  The pseudo-header is made from the network header, and the sum covers it:"
            )?;
            for words in &of.pseudo_header {
                let digits: Vec<_> = words
                    .words
                    .iter()
                    .map(|word| format!("{word:04x}"))
                    .collect();
                let digits = digits.join(" ");
                writeln!(
                    self.out,
                    "    {:11}  {digits:9}  {DIM}{}{DIM:#}",
                    words.name, words.meaning
                )?;
            }
            self.total("", of.pseudo_sum())?;
        }
        let what = if of.fragments.is_empty() {
            "frame"
        } else {
            "datagram"
        };
        let alone = match of.covers.last() {
            Some(row) if row.bytes.len() % 2 == 1 && of.algorithm == "cisco" => {
                " The last byte is alone, and Cisco adds it as a signed number."
            }
            Some(row) if row.bytes.len() % 2 == 1 => {
                " The last byte is alone, and 00 makes it a word."
            }
            _ => "",
        };
        self.paragraph(&format!(
            "These are the words of the packet. Each row begins with its offset in the {what} and \
             ends with its sum. The field itself, shown as ----, counts as 0.{alone}"
        ))?;
        self.rows(of)?;
        self.paragraph(
            "The sums are added. The bits above the lowest 16 are the carry, which is added at the \
             low end.",
        )?;
        if !of.pseudo_header.is_empty() {
            let pseudo = of.pseudo_sum();
            self.total(&format!("{pseudo:x} + {:x}", sum - pseudo), sum)?;
        }
        let mut sum = sum;
        while sum > 0xffff {
            let (high, low) = (sum >> 16, sum & 0xffff);
            sum = high + low;
            self.total(&format!("{high:x} + {low:04x}"), sum)?;
        }
        let complement = !sum & 0xffff;
        self.line("the complement", &format!("{complement:04x}"), "")?;
        let expected = of.expected.unwrap_or_default();
        if u64::from(expected) != complement {
            self.line("which is sent as", &format!("{expected:04x}"), "")?;
        }
        let found = of.found.unwrap_or_default();
        self.line(
            "the field holds",
            &format!("{found:04x}"),
            if found == expected { "the same" } else { "" },
        )?;
        let (Some(change), Status::Bad(cause)) = (of.change, of.style) else {
            return Ok(());
        };
        if change == 0 {
            return Ok(());
        }
        let sign = if change < 0 { "-" } else { "+" };
        let by = change.unsigned_abs();
        self.line(
            "the difference, found minus expected",
            &format!("{sign}{by:04x}"),
            "",
        )?;
        let changed_later = [
            Cause::Rewritten,
            Cause::HeaderChanged,
            Cause::SameDifference,
            Cause::OneBit,
            Cause::OneByte,
            Cause::Unknown,
        ];
        if changed_later.contains(&cause) {
            let has_changed = if change < 0 { "fallen" } else { "grown" };
            self.paragraph(&format!(
                "So if the checksum was right once, the sum of the words has {has_changed} by \
                 {by:#06x} since."
            ))?;
        }
        Ok(())
    }

    /// Fletcher's checksum, and its two sums on the way.
    fn fletcher(&mut self, of: &Explanation) -> io::Result<()> {
        self.paragraph(
            "Fletcher's checksum has two sums modulo 255: the sum of the bytes, and the sum of the \
             first sums after each byte. The field itself, shown as ----, counts as 0. Each row \
             begins with its offset and ends with the sum of sums and the sum after it.",
        )?;
        self.rows(of)?;
        let expected = of.expected.unwrap_or_default();
        self.line("both come to 0 with", &format!("{expected:04x}"), "")?;
        self.line(
            "the field holds",
            &format!("{:04x}", of.found.unwrap_or_default()),
            if of.found == of.expected {
                "the same"
            } else {
                ""
            },
        )
    }

    /// A CRC, and the values of its register on the way.
    fn crc(&mut self, of: &Explanation) -> io::Result<()> {
        self.paragraph(
            "A CRC takes the bits of the packet as one long polynomial, and divides it by a fixed \
             one. The field itself, shown as ----, counts as 0. The register begins with \
             ffffffff. Each row begins with its offset and ends with the register after it.",
        )?;
        self.rows(of)?;
        let register = of.covers.last().map_or(u32::MAX, |row| row.sum as u32);
        self.line("the complement", &format!("{:08x}", !register), "")?;
        self.line(
            "stored with the lowest byte first",
            &format!("{:08x}", of.expected.unwrap_or_default()),
            "",
        )?;
        let same = if of.found == of.expected {
            "the same"
        } else {
            ""
        };
        self.line(
            "the field holds",
            &format!("{:08x}", of.found.unwrap_or_default()),
            same,
        )
    }

    fn rows(&mut self, of: &Explanation) -> io::Result<()> {
        let rows = &of.covers;
        let long = rows.len() > FIRST + LAST + 1;
        let (first, last) = if long {
            (FIRST, rows.len() - LAST)
        } else {
            (rows.len(), rows.len())
        };
        for row in &rows[..first] {
            self.row(of, row)?;
        }
        if long {
            let left_out = &rows[first..last];
            let bytes: usize = left_out.iter().map(|row| row.bytes.len()).sum();
            let text = format!("... {bytes} bytes in {} rows", left_out.len());
            let sum = match of.sum {
                Some(_) => left_out.iter().map(|row| row.sum).sum(),
                None => left_out.last().map_or(0, |row| row.sum),
            };
            self.total(&text, sum)?;
        }
        for row in &rows[last..] {
            self.row(of, row)?;
        }
        if of.sum.is_some() && rows.len() > 1 {
            self.total("", rows.iter().map(|row| row.sum).sum())?;
        }
        Ok(())
    }

    fn row(&mut self, of: &Explanation, row: &Row) -> io::Result<()> {
        let mut words = String::new();
        let mut columns = 0;
        for (pair, start) in row.bytes.chunks(2).zip((row.offset..).step_by(2)) {
            let style = if of.own.contains(&start) {
                FIELD
            } else {
                Style::new()
            };
            let own = of.own.contains(&start);
            let digits = match pair {
                _ if own => "----".to_owned(),
                [last] => format!("{last:02x}  "),
                pair => format!("{:04x}", word(pair)),
            };
            let _ = write!(words, " {style}{digits}{style:#}");
            columns += 5;
        }
        let place = format!("{:6} ", row.offset);
        self.right(
            &format!("  {place}{words}"),
            2 + place.len() + columns,
            row.sum,
            of.sum.is_none(),
        )
    }

    /// A line that ends with a sum.
    fn total(&mut self, what: &str, sum: u64) -> io::Result<()> {
        let what = format!("    {what}");
        self.right(&what, what.len(), sum, false)
    }

    fn right(&mut self, what: &str, columns: usize, sum: u64, crc: bool) -> io::Result<()> {
        const SUMS: usize = 50;
        let gap = SUMS.saturating_sub(columns);
        let digits = if crc {
            format!("{sum:08x}")
        } else {
            format!("{sum:04x}")
        };
        writeln!(self.out, "{what}{:gap$} = {digits:>8}", "")
    }

    fn line(&mut self, what: &str, value: &str, note: &str) -> io::Result<()> {
        const SUMS: usize = 50;
        let text = format!("    {what:46}   {value:>8}  {note}");
        debug_assert!(what.len() < SUMS);
        writeln!(self.out, "{}", text.trim_end())
    }

    fn tried(&mut self, of: &Explanation) -> io::Result<()> {
        if of.tried.is_empty() {
            return Ok(());
        }
        writeln!(
            self.out,
            "  These causes were tried. Each is shown with the value that the field would hold:"
        )?;
        let (here, not_here): (Vec<_>, Vec<_>) = of
            .tried
            .iter()
            .partition(|tried| !tried.would_hold.is_empty());
        for tried in here {
            let held = would_hold(tried, of);
            let what = tried.hypothesis;
            if tried.fits {
                let how = tried
                    .how
                    .as_ref()
                    .map(|how| format!(": {how}"))
                    .unwrap_or_default();
                writeln!(self.out, "    {BAD}{what:36}  {held}  fits{how}{BAD:#}")?;
            } else {
                writeln!(self.out, "    {what:36}  {held}")?;
            }
        }
        let not_here: Vec<_> = not_here.iter().map(|tried| tried.hypothesis).collect();
        if !not_here.is_empty() {
            let text = format!("Ruled out: {}.", not_here.join(", "));
            self.wrapped(&text, "    ")?;
        }
        Ok(())
    }

    fn paragraph(&mut self, text: &str) -> io::Result<()> {
        self.wrapped(text, "  ")
    }

    fn wrapped(&mut self, text: &str, indent: &str) -> io::Result<()> {
        let options = textwrap::Options::new(self.width)
            .initial_indent(indent)
            .subsequent_indent(indent);
        for line in textwrap::wrap(text, options) {
            writeln!(self.out, "{line}")?;
        }
        Ok(())
    }
}

/// The values that the field would hold, abridged.
fn would_hold(tried: &Tried, of: &Explanation) -> String {
    const FEW: usize = 4;
    let width = if of.sum.is_some() { 6 } else { 10 };
    let show = |value: &u32| format!("{value:#0width$x}");
    match &tried.would_hold[..] {
        [] => String::new(),
        _ if tried.fits => show(&of.found.unwrap_or_default()),
        values if values.len() <= FEW => values.iter().map(show).collect::<Vec<_>>().join(", "),
        values => format!(
            "{} values, none of them {}",
            values.len(),
            show(&of.found.unwrap_or_default())
        ),
    }
}
