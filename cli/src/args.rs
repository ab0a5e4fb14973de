// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line, and with it the manual.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use wiresum_packet::{Cause, Protocol, Repairs};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// The Internet checksum (RFC 1071): judges and repairs captures, sums files
#[derive(Parser)]
#[command(name = "wiresum", version, styles = STYLES, term_width = 100)]
#[command(after_help = ENVIRONMENT)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const ENVIRONMENT: &str = "\
Environment:
  WIRESUM_KERNEL  Sums with the kernel of that name, one of those that `wiresum kernels` lists.
                  A name that is unknown, or that this CPU does not support, is an error.
  NO_COLOR        Set to anything, keeps colours off; they are on only on a terminal anyway.";

#[derive(Subcommand)]
pub(crate) enum Command {
    Verify(VerifyOptions),
    Explain(ExplainOptions),
    Fix(FixOptions),
    Undo(UndoOptions),
    Sum(SumOptions),
    /// List the kernels, the best first
    ///
    /// A kernel is one way to sum, made for one instruction set. Each line has its name, whether this CPU and its operating system support
    /// it, and which one is in use.
    Kernels,
    Bench(BenchOptions),
}

const VERIFY: &str = "\
Judge every checksum of packet captures, and say why the bad ones are bad

Reads pcap, pcapng and snoop, in either byte order, also compressed with gzip, zstd, lz4 or xz: how
a file begins tells which. Every checksum of every frame is judged: of IPv4 headers, TCP, UDP,
UDP-Lite, DCCP, SCTP, ICMP, ICMPv6, IGMP, PIM, OSPF, VRRP, EIGRP, RSVP, GRE, the mobility header of
IPv6, HIP, Shim6 and PGM; also inside tunnels (IP in IP, GRE, VXLAN, Geneve, GTP-U, Teredo, L2TP,
PPPoE, MPLS and others), and of datagrams that are put together from fragments. For each file, a
table tells how many are

  good        right
  bad         wrong, and why, if that can be told: \"offload\" means that the packet was captured on
              the machine that sent it, before the network card finished the checksum, so that
              nothing was wrong on the wire
  unverified  not to be judged: the packet is \"snapped\" (not captured whole), or a \"fragment\"
              whose datagram never came together, or a \"length\" in its header goes past its end,
              or it is a frame of a link type that is not known here
  absent      not computed by the sender, as UDP over IPv4, tunnels over IPv6, RSVP and PGM allow
  illegal     a value that must not be sent: 0x0000 in UDP over IPv6, and in UDP-Lite

with the meaning that Wireshark gives these words. A packet that an ICMP error quotes is a copy,
changed on its way and seldom whole: its checksums are \"quoted\", counted apart, and never make a
file fail. What cannot be read, such as a truncated last
record, is counted as malformed and passed over; that is not a failure.";

const OUTPUTS: &str = "Outputs, at most one of them to standard output";

const LIVE: &str = "Live capture";

/// Judge every checksum of packet captures, and say why the bad ones are bad
#[derive(clap::Args)]
#[command(long_about = VERIFY, after_help = EXIT_STATUS)]
pub(crate) struct VerifyOptions {
    /// The captures; - is standard input
    #[arg(required_unless_present = "live", value_name = "FILE")]
    pub(crate) files: Vec<OsString>,

    /// Capture on a network interface, and verify as it goes, until ctrl-C; any is all interfaces
    ///
    /// A line a second on standard error tells how it goes, and the outputs come as for a file. Needs a build with the feature live, and the
    /// right to capture.
    #[arg(long, value_name = "INTERFACE", conflicts_with_all = ["files", "follow"], help_heading = LIVE)]
    pub(crate) live: Option<String>,

    /// End after so many packets
    #[arg(long, value_name = "N", conflicts_with = "files", requires = "live", help_heading = LIVE)]
    pub(crate) count: Option<u64>,

    /// Capture so many bytes of each packet at most; what is longer is unverified
    #[arg(long, value_name = "BYTES", conflicts_with = "files", requires = "live", default_value_t = 262_144, help_heading = LIVE,
        value_parser = clap::value_parser!(u32).range(1..=262_144))]
    pub(crate) snaplen: u32,

    /// Capture only what matches, in the language of pcap-filter(7): "tcp port 80"
    #[arg(long, value_name = "EXPRESSION", conflicts_with = "files", requires = "live", help_heading = LIVE)]
    pub(crate) filter: Option<String>,

    /// Print the numbers as JSON, for programs
    ///
    /// The schema is stable, and described in the README of this program: members are added to it, but none is taken away or changes its meaning.
    #[arg(long, help_heading = OUTPUTS)]
    pub(crate) json: bool,

    /// Print a line for each bad or illegal checksum, instead of the table
    ///
    /// File and frame number, time, protocol, layer (1 is the outermost network header), addresses and ports, the
    /// checksum found and the one expected, the cause.
    #[arg(long, help_heading = OUTPUTS)]
    pub(crate) list: bool,

    /// Write a row for each checksum, good or bad, as CSV; - is standard output
    ///
    /// The columns are described in the README of this program, and stable as the schema of the JSON is.
    #[arg(long, value_name = "FILE", help_heading = OUTPUTS)]
    pub(crate) csv: Option<OsString>,

    /// Write the same rows as Apache Parquet
    ///
    /// Needs a build with the feature parquet.
    #[arg(long, value_name = "FILE", help_heading = OUTPUTS)]
    pub(crate) parquet: Option<OsString>,

    /// Write a page for a browser: totals, causes over time, who sends what is bad, the first bad packets explained; - is standard output
    ///
    /// It is one file, and loads nothing from elsewhere.
    #[arg(long, value_name = "FILE", help_heading = OUTPUTS)]
    pub(crate) html: Option<OsString>,

    /// Wait at the end of the capture for more, as it is still being written, until ctrl-C
    ///
    /// Of one capture only. With --list or --csv, lines come out as packets come in; the other outputs are written after ctrl-C, and the exit
    /// status is as always. A second ctrl-C ends the program at once.
    #[arg(long)]
    pub(crate) follow: bool,

    /// Judge packets alone: fragments are not put together
    ///
    /// What a fragment carries is then unverified. Without this option, a datagram is judged in the frame that brings its last missing
    /// fragment, and is unverified only if that never comes.
    #[arg(long)]
    pub(crate) no_reassemble: bool,

    /// Do not fail because of checksums that are bad for this cause
    ///
    /// They are still counted and listed, but alone they leave the exit status at 0.
    #[arg(long, value_name = "CAUSE", value_delimiter = ',', value_parser = causes())]
    pub(crate) allow: Vec<Cause>,
}

const EXIT_STATUS: &str = "\
Exit status:
  0  Nothing is bad or illegal, but for what is allowed.
  1  Something is.
  2  The command failed: a file cannot be read, or is no capture. The others are judged anyway.

Examples:
  wiresum verify office.pcapng
  wiresum verify --list --allow offload *.pcap
  wiresum verify --html report.html --csv checksums.csv office.pcapng
  wiresum verify --list --follow growing.pcapng
  tcpdump -c 1000 -w - | wiresum verify --json - | jq '.files[0].checksums.tcp.bad'";

const FIX: &str = "\
Write a capture in which every checksum that can be computed is right

The input is copied byte for byte, and only the bytes of checksum fields are changed: timestamps,
pcapng blocks and options, padding, and what cannot be read stay as they are. Of the checksums of a
packet the innermost is repaired first, and those that cover it follow, so that one run is enough,
and a second one changes nothing. A datagram that came in fragments is repaired in its first
fragment. A UDP checksum that computes to 0 is written as 0xFFFF; one that is absent stays absent.
In pcapng, the flag \"Csum NotReady\" of a packet is cleared if a checksum of its transport layer or
a tunnel was repaired.

What is left as it is, and told:
  snapped, fragment, length  what cannot be computed, as not all that it covers is there
  tunneled fragments         bad, in a datagram whose fragments another checksum covers
  any cause                  bad, but not named by --only

The formats are those of verify. OUT is compressed if its extension is gz, zst, lz4 or xz; with no
extension at all, or as standard output, as the input is. It is complete, or not there: it is
written to a temporary file, which takes its place at the end, as a fragment may mend a checksum far
behind it. So nothing comes out of a pipe before all has gone in.";

const FIX_EXIT_STATUS: &str = "\
Exit status:
  0  Nothing is bad or illegal any more. (What cannot be judged does not count.)
  1  Something is left that is.
  2  The command failed; OUT is not written.

Examples:
  wiresum fix office.pcapng repaired.pcapng
  wiresum fix --only offload --in-place --undo office.undo office.pcapng
  wiresum fix --dry-run office.pcapng
  tcpdump -c 1000 -w - | wiresum fix - - | tshark -r -";

/// Write a capture in which every checksum that can be computed is right
#[derive(clap::Args)]
#[command(long_about = FIX, after_help = FIX_EXIT_STATUS)]
pub(crate) struct FixOptions {
    /// The capture; - is standard input
    #[arg(value_name = "IN")]
    pub(crate) input: OsString,

    /// The repaired capture; - is standard output, and then the report goes to standard error
    #[arg(value_name = "OUT")]
    pub(crate) out: Option<OsString>,

    /// Repair only checksums that are bad for these causes
    ///
    /// So offload artefacts can go, while the evidence of corruption stays. What was right, but covers what is repaired, is repaired as well.
    #[arg(long, value_name = "CAUSE", value_delimiter = ',', value_parser = repairable())]
    pub(crate) only: Vec<String>,

    /// Write nothing, but tell what would be done
    #[arg(long, conflicts_with_all = ["in_place", "undo"])]
    pub(crate) dry_run: bool,

    /// Let the repaired capture take the place of IN, with its permissions
    ///
    /// By a temporary file in the same folder and a rename: at every moment there is the one or the other, whole.
    #[arg(long)]
    pub(crate) in_place: bool,

    /// Write what was changed to a file, with which wiresum undo can restore IN
    #[arg(long, value_name = "FILE")]
    pub(crate) undo: Option<OsString>,

    /// Replace OUT and the undo record if they exist
    #[arg(long)]
    pub(crate) force: bool,

    /// Print the numbers as JSON, for programs
    ///
    /// The schema is stable, and described in the README of this program.
    #[arg(long)]
    pub(crate) json: bool,
}

/// The causes, and what is bad without one.
fn repairable() -> impl TypedValueParser<Value = String> {
    let value = |cause: Cause| PossibleValue::new(cause.key()).help(cause.about());
    let illegal = PossibleValue::new(Repairs::ILLEGAL)
        .help("a value that must not be sent: 0x0000 in UDP over IPv6");
    PossibleValuesParser::new(Cause::ALL.map(value).into_iter().chain([illegal]))
}

const UNDO: &str = "\
Restore a capture that was repaired

The record that `wiresum fix --undo` wrote tells the bytes that were changed. The capture is restored
byte for byte if it is the one that was written then, and otherwise refused: both its SHA-256 before
and after are in the record. Of a compressed capture, this is true of what is in it.";

/// Restore a capture that was repaired
#[derive(clap::Args)]
#[command(long_about = UNDO, after_help = "Exit status:\n  0  All is well.\n  2  The command failed; nothing is written.")]
pub(crate) struct UndoOptions {
    /// What wiresum fix --undo wrote
    #[arg(value_name = "RECORD")]
    pub(crate) record: OsString,

    /// The repaired capture; - is standard input
    #[arg(value_name = "CAPTURE")]
    pub(crate) capture: OsString,

    /// The restored capture; - is standard output. Without it, CAPTURE is restored in place
    #[arg(value_name = "OUT")]
    pub(crate) out: Option<OsString>,

    /// Replace OUT if it exists
    #[arg(long)]
    pub(crate) force: bool,
}

/// What options take that name causes.
fn causes() -> impl TypedValueParser<Value = Cause> {
    let value = |cause: Cause| PossibleValue::new(cause.key()).help(cause.about());
    PossibleValuesParser::new(Cause::ALL.map(value))
        .map(|key| Cause::from_key(&key).expect("clap has checked it"))
}

/// Show how the verdicts on a frame came about: words, sums, and the causes tried
///
/// For each checksum of the frame: the pseudo-header, the words that it covers, row by row with their sums, the carries, what the field should
/// hold and what it holds; and where those differ, each cause that was tried and what the field would hold. Where the frame has a
/// fragment, the datagram is explained, put together from all of its frames.
#[derive(clap::Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
pub(crate) struct ExplainOptions {
    /// The capture; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: OsString,

    /// The frames, by number, as Wireshark counts: 7, or 7-9
    #[arg(required = true, value_name = "N", value_parser = frames)]
    pub(crate) frames: Vec<RangeInclusive<u64>>,

    /// Explain only checksums of this layer; 1 is the outermost network header
    #[arg(long, value_name = "L")]
    pub(crate) layer: Option<u8>,

    /// Explain only checksums of this protocol
    #[arg(long, value_name = "NAME", value_parser = protocol(), hide_possible_values = true)]
    pub(crate) field: Option<Protocol>,

    /// Print it as JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,
}

const EXPLAIN_EXAMPLES: &str = "\
Exit status:
  0  The frames are explained, whatever the verdicts are.
  2  The file cannot be read, or has no such frame.

Examples:
  wiresum explain office.pcapng 22
  wiresum explain office.pcapng 20-25 --field tcp";

/// A frame number, or two with a hyphen between them.
fn frames(value: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |digits: &str| match digits.parse::<u64>() {
        Ok(0) => Err("frames are counted from 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("it is a number such as 7, or a range such as 7-9".to_owned()),
    };
    let (first, last) = value.split_once('-').unwrap_or((value, value));
    let range = number(first)?..=number(last)?;
    if range.is_empty() {
        return Err("the range ends before it begins".to_owned());
    }
    Ok(range)
}

/// What options take that name protocols.
fn protocol() -> impl TypedValueParser<Value = Protocol> {
    PossibleValuesParser::new(Protocol::ALL.map(Protocol::key)).map(|key| {
        let named = |protocol: &Protocol| protocol.key() == key;
        Protocol::ALL
            .into_iter()
            .find(named)
            .expect("clap has checked it")
    })
}

/// Print the sum of files
///
/// The sum is the one's complement sum of the 16-bit words, as a number read big-endian, as protocol documents write it: the bytes 1C 46 sum
/// to 0x1c46. The checksum is its complement. A last odd byte is the first byte of its word. Files are streamed: any length, and little
/// memory.
#[derive(clap::Args)]
#[command(after_help = "Exit status:\n  0  All is well.\n  2  A file cannot be read.")]
pub(crate) struct SumOptions {
    /// The files; - or none at all is standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<OsString>,

    /// Print the checksum, which is the sum's complement
    #[arg(long)]
    pub(crate) checksum: bool,
}

const BENCH: &str = "\
Measure the kernels on this machine

Every kernel that this CPU supports, on sizes from 20 bytes to what no cache holds, at three alignments, on mixes of
packet lengths, by latency, on headers, in batches and at the ends of pages; beside what the machine can do at all: a loop that
only loads, and the C library's memcpy. All is verified before it is timed. Takes a minute or two on an idle machine; on a
busy one the figures are the minima of many short samples, which still compare.

Cycles are of the core: ticks of the time stamp counter, times a ratio that each round measures anew.";

/// Measure the kernels on this machine
#[derive(clap::Args)]
#[command(long_about = BENCH)]
pub(crate) struct BenchOptions {
    /// Measure less, in about ten seconds
    #[arg(long)]
    pub(crate) quick: bool,

    /// Measure only these kernels, named as `wiresum kernels` lists them
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(crate) kernel: Vec<String>,

    /// Measure only buffers of these sizes, in bytes
    #[arg(long, value_name = "BYTES", value_delimiter = ',', value_parser = size)]
    pub(crate) size: Vec<usize>,

    /// Measure only these sections: sizes, mixes, latency, headers, batch, page_end
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = section)]
    pub(crate) section: Vec<BenchSection>,

    /// Print all numbers as JSON, for programs
    #[arg(long)]
    pub(crate) json: bool,

    /// Write a page with charts to this file as well: one file, to be opened by any browser
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    /// Measure nothing: show what an earlier run printed with --json
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quick", "kernel", "size", "section", "seed"])]
    pub(crate) from: Option<PathBuf>,

    /// The seed of the lengths and the data
    #[arg(long, value_name = "NUMBER", default_value_t = 1071)]
    pub(crate) seed: u64,
}

#[derive(Clone, Copy)]
pub(crate) struct BenchSection(pub(crate) wiresum_bench::Section);

fn section(name: &str) -> Result<BenchSection, String> {
    let known = wiresum_bench::SECTIONS;
    let found = known
        .into_iter()
        .find(|section| section.to_string() == name);
    found.map(BenchSection).ok_or_else(|| {
        let names: Vec<_> = known.iter().map(ToString::to_string).collect();
        format!("there are {}", names.join(", "))
    })
}

/// A size to measure: no more than a machine's memory can be expected to hold several times.
fn size(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(size @ 1..=0x1000_0000) => Ok(size),
        Ok(_) => Err("a size is from 1 to 268435456 bytes".to_owned()),
        Err(_) => Err("it is no number of bytes".to_owned()),
    }
}
