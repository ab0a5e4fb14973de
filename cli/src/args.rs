// SPDX-License-Identifier: MIT OR Apache-2.0
//! The command line and its help, which is the manual of the program. Lines that are broken by hand
//! print at most 80 columns, or clap would break them again. clap wraps all other text there.
//!
//! The options of `bench` and `plan` are in the folders of these commands.

use std::ffi::OsString;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::builder::styling::{AnsiColor, Styles};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Parser, Subcommand};
use wiresum_packet::{Cause, Protocol, Reassembly, Repairs};

#[cfg(feature = "bench")]
use crate::bench::BenchOptions;
#[cfg(feature = "bench")]
use crate::plan::PlanOptions;
use crate::values::{Jobs, protocol};

const STYLES: Styles = Styles::styled()
    .header(AnsiColor::Green.on_default().bold())
    .usage(AnsiColor::Green.on_default().bold())
    .literal(AnsiColor::Cyan.on_default().bold())
    .placeholder(AnsiColor::Cyan.on_default());

/// The Internet checksum (RFC 1071): verifies, explains and repairs captures, and sums files
#[derive(Parser)]
#[command(name = "wiresum", version, styles = STYLES, term_width = 80)]
#[command(after_help = ENVIRONMENT)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const ENVIRONMENT: &str = "\
Environment:
  WIRESUM_KERNEL  The kernel that computes all sums, by its name in `wiresum
                  kernels`. A name that is unknown, or that this CPU does not
                  support, is an error.
  NO_COLOR        Any value turns colors off. Only a terminal gets them anyway.";

#[derive(Subcommand)]
pub(crate) enum Command {
    Verify(VerifyOptions),
    Report(ReportOptions),
    Explain(ExplainOptions),
    Fix(FixOptions),
    Undo(UndoOptions),
    Sum(SumOptions),
    /// List the kernels, the best first
    ///
    /// A kernel is a function that computes the sum with the instructions of one instruction set. A
    /// line shows its name, whether this CPU and its operating system support it, and whether it
    /// is in use.
    Kernels,
    #[cfg(feature = "bench")]
    Bench(BenchOptions),
    #[cfg(feature = "bench")]
    Plan(PlanOptions),
}

const VERIFY: &str = "\
Judge every checksum of packet captures, and say why the bad ones are bad

Reads pcap and pcapng in either byte order, and snoop, also compressed with gzip, zstd, lz4 or \
xz. The first bytes of a file tell its format; its name does not matter.

Verifies the checksums of IPv4 headers, TCP, UDP, UDP-Lite, DCCP, SCTP, ICMP, ICMPv6, IGMP, PIM, \
OSPF, VRRP, EIGRP, RSVP, GRE, the mobility header of IPv6, HIP, Shim6, PGM, CDP, NHRP, the \
extensions of ICMP errors, IS-IS, ES-IS and CLNP. Tunnels are followed inward (IP in IP, GRE, \
VXLAN, Geneve, GTP-U, Teredo, L2TP, PPPoE, MPLS and others), and fragments are put together. For \
each file, a table counts the checksums by their status. The words have the meaning that Wireshark \
gives them:

  good        The checksum is right.
  bad         The checksum is wrong. The table shows the cause if it can be
              told. \"offload\" means that the checksum was left to the network
              card. The packet was captured on the machine that sent it, before
              the card finished the checksum; or on the machine that received
              it, which merged it from segments that the card had verified.
              Nothing was wrong on the wire.
  unverified  The checksum cannot be judged. \"snapped\": the packet was not
              captured whole. \"fragment\": a fragment of the datagram is missing.
              \"length\": a length in the header is impossible, or goes past the
              end of the packet.
              \"addresses\": the pseudo-header may hold other addresses.
  absent      The sender computed no checksum. UDP over IPv4, tunnels over IPv6,
              RSVP, PGM, the extensions of ICMP errors, IS-IS, ES-IS and CLNP
              allow that. In OSPF, a digest may take its place.
  illegal     The field holds a value that must not be sent: 0x0000 in UDP over
              IPv6, except in tunnels, and in UDP-Lite.

An ICMP error quotes the packet that it is about. The quoted packet is a copy, changed on its \
way and seldom whole. Its checksums are counted apart, as \"quoted\", and never change the exit \
status. So are checksums of packets that sFlow samples, and that a switch and its OpenFlow \
controller send each other.

A frame whose encapsulation is not known or is encrypted, or which holds a fragment without its \
datagram, is counted as \"not entered\", with what stopped the walk. It does not change the exit \
status.

A record that cannot be read, such as a truncated last one, is counted as malformed and skipped. \
It does not change the exit status either.";

const OUTPUTS: &str = "Outputs (at most one to standard output)";

const TABLE: &str = "The table";

/// What `verify` and `report` show of the counts.
#[derive(clap::Args)]
pub(crate) struct Shown {
    /// Print the counts as JSON, for programs
    ///
    /// The README of this program describes the members. Later versions add members. If one is
    /// removed or changes its meaning, the number `schema` goes up.
    #[arg(long, display_order = 0, help_heading = OUTPUTS)]
    pub(crate) json: bool,

    /// Print a line of JSON for each file as soon as it is judged, and a summary as the last line
    ///
    /// The lines are in the order of the files, and have the members of --json.
    #[arg(long, conflicts_with = "json", display_order = 0, help_heading = OUTPUTS)]
    pub(crate) jsonl: bool,

    /// Write a page for a browser; - is standard output
    ///
    /// The page shows the totals, the causes over time, the senders of bad checksums, and the
    /// arithmetic of the first bad packets. It is one file, and loads nothing from elsewhere.
    #[arg(long, value_name = "FILE", help_heading = OUTPUTS)]
    pub(crate) html: Option<OsString>,

    /// Print one line for each file, and one for all
    #[arg(long, conflicts_with_all = ["json", "jsonl"], help_heading = TABLE)]
    pub(crate) brief: bool,

    /// Leave out the files in which nothing is bad, or nothing that --allow does not name
    ///
    /// The table of all files still counts them.
    #[arg(long, conflicts_with_all = ["json", "jsonl"], help_heading = TABLE)]
    pub(crate) only_bad: bool,

    /// Print no table; the exit status says whether a checksum is bad
    ///
    /// Errors are still printed.
    #[arg(
        short, long, conflicts_with_all = ["json", "jsonl", "brief", "only_bad"],
        help_heading = TABLE
    )]
    pub(crate) quiet: bool,

    /// Do not fail because of checksums that are bad for this cause
    ///
    /// They are still counted and listed. The exit status is 0 if no other checksum is bad or
    /// illegal.
    #[arg(long, value_name = "CAUSE", value_delimiter = ',', value_parser = causes())]
    pub(crate) allow: Vec<Cause>,

    /// Fail if no checksum of a capture could be verified
    ///
    /// The exit status is then 1, as for a bad checksum. Unverified and absent checksums, frames
    /// that were not entered and malformed records alone are not enough.
    #[arg(long)]
    pub(crate) require_verified: bool,
}

impl Shown {
    /// Whether the output is JSON of either form.
    pub(crate) fn is_json(&self) -> bool {
        self.json || self.jsonl
    }
}

const LIVE: &str = "Live capture";

/// Judge every checksum of packet captures, and say why the bad ones are bad
#[derive(clap::Args)]
#[command(long_about = VERIFY, after_help = EXIT_STATUS)]
pub(crate) struct VerifyOptions {
    /// The captures, and folders of captures; - is standard input
    ///
    /// A folder stands for all captures in it and in its folders. The first bytes of a file tell
    /// whether it is one; links in the folder are not followed. Without any FILE, the command reads
    /// standard input, if that is not a terminal.
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<OsString>,

    /// Capture on a network interface and verify as it goes, until ctrl-C; any is all interfaces
    ///
    /// A line each second on standard error shows the counts so far. The outputs are the same as
    /// for a file. This option needs a build with the feature live, and the right to capture.
    #[arg(
        long, value_name = "INTERFACE", conflicts_with_all = ["files", "follow"],
        help_heading = LIVE, hide_short_help = !cfg!(any(feature = "live", feature = "xdp"))
    )]
    pub(crate) live: Option<String>,

    /// End after N packets
    #[arg(
        long, value_name = "N", conflicts_with = "files", requires = "live", help_heading = LIVE,
        hide_short_help = !cfg!(any(feature = "live", feature = "xdp"))
    )]
    pub(crate) count: Option<u64>,

    /// Capture at most BYTES of each packet; a checksum that covers more is unverified
    #[arg(
        long, value_name = "BYTES", conflicts_with = "files", requires = "live",
        default_value_t = 262_144, help_heading = LIVE,
        hide_short_help = !cfg!(feature = "live"),
        value_parser = clap::value_parser!(u32).range(1..=262_144)
    )]
    pub(crate) snaplen: u32,

    /// Capture only packets that match, in the language of pcap-filter(7): "tcp port 80"
    #[arg(
        long, value_name = "EXPRESSION", conflicts_with = "files", requires = "live",
        help_heading = LIVE, hide_short_help = !cfg!(feature = "live")
    )]
    pub(crate) filter: Option<String>,

    /// Judge packets in the kernel, by XDP, and examine only those that are not known to be good
    ///
    /// This takes less CPU time. XDP sees the packets that the interface receives, and not
    /// those that it sends. --csv, --parquet and --list have rows only of packets that were
    /// examined, and number these. MODE is native (in the driver), generic, or any: native if
    /// the driver can do it. This option needs a build with the feature xdp, Linux 6.1 or later,
    /// and root. It is an error if the interface has another XDP program.
    #[arg(
        long, value_name = "MODE", num_args = 0..=1, require_equals = true,
        default_missing_value = "any", requires = "live",
        conflicts_with_all = ["files", "filter", "snaplen"],
        help_heading = LIVE, hide_short_help = !cfg!(feature = "xdp")
    )]
    pub(crate) xdp: Option<Mode>,

    /// With --xdp, examine one in N good packets, too
    #[arg(
        long, value_name = "N", conflicts_with = "files", requires = "xdp", help_heading = LIVE,
        hide_short_help = !cfg!(feature = "xdp"), value_parser = clap::value_parser!(u64).range(1..)
    )]
    pub(crate) sample: Option<u64>,

    /// Print a line for each bad or illegal checksum, instead of the table
    ///
    /// A line has the file and the frame number, the time, the protocol, the layer (1 is the
    /// outermost network header), the addresses and ports, the checksum found, the checksum
    /// expected, and the cause.
    #[arg(
        long, conflicts_with_all = ["brief", "only_bad", "quiet"], help_heading = OUTPUTS
    )]
    pub(crate) list: bool,

    /// List also each unverified checksum, and each frame that is malformed or was not entered
    ///
    /// --list has more lines, --csv more rows, and --json and --jsonl the member unjudged of each
    /// file. With --csv, every frame then has a row, except frames whose protocols have no
    /// checksum.
    #[arg(long, help_heading = OUTPUTS)]
    pub(crate) unjudged: bool,

    /// Write a row for each checksum, good or bad, as CSV; - is standard output
    ///
    /// The README of this program describes the columns. Later versions add columns at the end.
    #[arg(long, value_name = "FILE", help_heading = OUTPUTS)]
    pub(crate) csv: Option<OsString>,

    /// Write the same rows as Apache Parquet
    ///
    /// This option needs a build with the feature parquet.
    #[arg(
        long, value_name = "FILE", help_heading = OUTPUTS,
        hide_short_help = !cfg!(feature = "parquet")
    )]
    pub(crate) parquet: Option<OsString>,

    /// Wait for more at the end of a capture that is still being written, until ctrl-C
    ///
    /// This option takes one capture. --list and --csv write their lines as packets arrive. The
    /// other outputs are written after ctrl-C. A second ctrl-C ends the program at once. A capture
    /// that becomes shorter is an error.
    #[arg(long)]
    pub(crate) follow: bool,

    /// Judge each packet alone, and put no fragments together
    ///
    /// A checksum that covers a fragmented datagram is then unverified. Without this option, a
    /// datagram is judged in the frame that brings its last missing fragment.
    #[arg(long)]
    pub(crate) no_reassemble: bool,

    #[command(flatten)]
    pub(crate) shown: Shown,

    /// Replace the files of --csv, --parquet and --html if they exist
    ///
    /// A file that is itself a capture is never replaced.
    #[arg(long, help_heading = OUTPUTS)]
    pub(crate) force: bool,

    #[command(flatten)]
    pub(crate) jobs: Jobs,
}

/// Where an XDP program runs.
#[derive(Clone, Copy, Default, clap::ValueEnum)]
pub(crate) enum Mode {
    /// In the driver if it can, and after it if it cannot
    #[default]
    Any,
    /// In the driver
    Native,
    /// After the driver
    Generic,
}

impl VerifyOptions {
    /// What puts fragments together, unless each packet is judged alone.
    pub(crate) fn reassembly(&self) -> Option<Reassembly> {
        (!self.no_reassemble).then(Reassembly::default)
    }
}

const EXIT_STATUS: &str = "\
Exit status:
  0  No checksum is bad or illegal, except for the causes that --allow names.
  1  A checksum is bad or illegal; or, with --require-verified, no checksum of
     a capture could be verified.
  2  The command failed: a file cannot be read, or is not a capture. The other
     files are judged anyway.

Examples:
  wiresum verify office.pcapng
  wiresum verify --list --allow offload *.pcap
  wiresum verify --brief --only-bad captures/
  wiresum verify --html report.html --csv checksums.csv office.pcapng
  wiresum verify --list --follow growing.pcapng
  tcpdump -c 1000 -w - | wiresum verify --json | jq '.files[0].malformed'";

const REPORT: &str = "\
Show the results of an archive, as verify shows captures

FOLDER is what `write` of wiresum.duckdb, wiresum.ray or wiresum.spark makes of an archive of \
captures. The table, the JSON and the page are the same as from `wiresum verify` on the \
same captures, which are not read again.

A capture that cannot be read to its end is an error, as it is for verify. So is a capture of \
which the folder lacks parts, because `write` was cut off.

This command needs a build with the feature parquet.";

const REPORT_EXIT_STATUS: &str = "\
Exit status:
  0  No checksum is bad or illegal, except for the causes that --allow names.
  1  A checksum is bad or illegal; or, with --require-verified, no checksum of
     a capture could be verified.
  2  The command failed: FOLDER cannot be read, or has no results of a capture.
     The other captures are shown anyway.

Examples:
  wiresum report results/
  wiresum report --quiet --html report.html results/";

/// Show the results of an archive, as verify shows captures
#[derive(clap::Args)]
#[command(long_about = REPORT, after_help = REPORT_EXIT_STATUS)]
pub(crate) struct ReportOptions {
    /// The folder of results
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,

    #[command(flatten)]
    pub(crate) shown: Shown,

    /// Replace the page if it exists
    #[arg(long, requires = "html", help_heading = OUTPUTS)]
    pub(crate) force: bool,
}

const FIX: &str = "\
Write a capture in which every checksum that can be computed is right

Copies the input byte for byte, and changes only the bytes of checksum fields and one flag. \
Timestamps, pcapng blocks and options, padding, and records that cannot be read stay as they are.

Repairs the innermost checksum of a packet first, and then the checksums that cover it. So one \
run is enough: without --only, a second run changes nothing. A fragmented datagram is repaired in \
its first fragment. A UDP checksum that computes to 0 is written as 0xFFFF. An absent checksum \
stays absent. In pcapng, the flag \"Csum NotReady\" of a packet is cleared if a checksum of TCP, \
UDP or SCTP was repaired and none of them is left bad.

The report counts the checksums that stay as they are:

  snapped, fragment, length  Some of the bytes that the checksum covers are
                             missing.
  addresses                  The pseudo-header may hold other addresses.
  authenticated              A digest or a signature covers the checksum.
  tunneled fragments         The checksum is bad, and is in a fragment that
                             the checksum of a tunnel covers.
  any cause, or illegal      --only does not name it.

The formats are the same as for verify. OUT is compressed if its extension is gz, zst, lz4 or xz; \
an extension of another compression, such as bz2, is refused. Without an extension, and on \
standard output, OUT is compressed as the input is. The program writes a temporary file, which \
takes the place of OUT at the end: OUT is whole, or is not written. A late fragment may change an \
early checksum, so a pipe delivers nothing before the input ends.";

const FIX_EXIT_STATUS: &str = "\
Exit status:
  0  No bad or illegal checksum is left. Unverified ones do not count.
  1  A bad or illegal checksum is left.
  2  The command failed, and OUT is not written. An error while the report is
     written is such a failure.

Examples:
  wiresum fix office.pcapng repaired.pcapng
  wiresum fix --only offload --in-place --undo office.undo office.pcapng
  wiresum fix --dry-run office.pcapng
  tcpdump -c 1000 -w - | wiresum fix - - | tshark -r -";

/// Write a capture in which every checksum that can be computed is right
#[derive(clap::Args)]
#[command(long_about = FIX, after_help = FIX_EXIT_STATUS)]
pub struct FixOptions {
    /// The capture; - is standard input
    #[arg(value_name = "IN")]
    pub input: OsString,

    /// The repaired capture; - is standard output, and then the report goes to standard error
    #[arg(value_name = "OUT")]
    pub out: Option<OsString>,

    /// Repair only checksums that are bad for these causes
    ///
    /// With `--only offload`, the traces of offload go and the evidence of corruption stays. A
    /// checksum that is right and covers a repaired one is repaired as well.
    #[arg(long, value_name = "CAUSE", value_delimiter = ',', value_parser = repairable())]
    pub only: Vec<String>,

    /// Write nothing, and report what would be done
    #[arg(long, conflicts_with = "undo")]
    pub dry_run: bool,

    /// Replace IN by the repaired capture, and keep its permissions
    ///
    /// The program writes a new file in the same folder, which takes the name of IN at the end. At
    /// every moment, the name leads to one whole capture, old or new.
    #[arg(long)]
    pub in_place: bool,

    /// Record the changes in a file, from which `wiresum undo` restores IN
    #[arg(long, value_name = "FILE")]
    pub undo: Option<OsString>,

    /// Replace OUT and the undo record if they exist
    ///
    /// The undo record never replaces a capture.
    #[arg(long)]
    pub force: bool,

    /// Print the counts as JSON, for programs
    ///
    /// The README of this program describes the members.
    #[arg(long)]
    pub json: bool,

    #[command(flatten)]
    pub jobs: Jobs,
}

/// The values of `--only`: the causes, and "illegal" for a checksum without a cause.
fn repairable() -> impl TypedValueParser<Value = String> {
    let value = |cause: Cause| PossibleValue::new(cause.key()).help(cause.about());
    let illegal = PossibleValue::new(Repairs::ILLEGAL)
        .help("a value that must not be sent: 0x0000 in UDP over IPv6");
    PossibleValuesParser::new(Cause::ALL.map(value).into_iter().chain([illegal]))
}

const UNDO: &str = "\
Restore a capture that was repaired

The record of `wiresum fix --undo` has every changed byte, and the SHA-256 of the capture before \
and after the repair. The capture is restored byte for byte if it is the one that `fix` wrote. Any \
other capture is refused. The digests of a compressed capture are the digests of its contents.";

const UNDO_EXIT_STATUS: &str = "\
Exit status:
  0  The capture is restored.
  2  The command failed, and nothing is written.";

/// Restore a capture that was repaired
#[derive(clap::Args)]
#[command(long_about = UNDO, after_help = UNDO_EXIT_STATUS)]
pub struct UndoOptions {
    /// The record that `wiresum fix --undo` wrote
    #[arg(value_name = "RECORD")]
    pub record: OsString,

    /// The repaired capture; - is standard input
    #[arg(value_name = "CAPTURE")]
    pub capture: OsString,

    /// The restored capture; - is standard output; without OUT, CAPTURE is restored in place
    #[arg(value_name = "OUT")]
    pub out: Option<OsString>,

    /// Replace OUT if it exists
    #[arg(long)]
    pub force: bool,
}

/// The values of options that name causes.
fn causes() -> impl TypedValueParser<Value = Cause> {
    let value = |cause: Cause| PossibleValue::new(cause.key()).help(cause.about());
    PossibleValuesParser::new(Cause::ALL.map(value))
        .map(|key| Cause::from_key(&key).expect("clap has checked it"))
}

/// Show the arithmetic of the verdicts on a frame
///
/// For each checksum of the frame, shows the pseudo-header, the words that the checksum covers, the
/// sum of each row, the carries, the value that the field should hold, and the value that it holds.
/// If the two differ, shows each cause that was tried, with the value that the field would hold.
/// If the frame holds a fragment, explains the whole datagram, put together from all its frames.
#[derive(clap::Args)]
#[command(after_help = EXPLAIN_EXAMPLES)]
pub(crate) struct ExplainOptions {
    /// The capture; - is standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: OsString,

    /// The numbers of the frames, as Wireshark counts them: 7, or 7-9
    #[arg(required = true, value_name = "N", value_parser = frames)]
    pub(crate) frames: Vec<RangeInclusive<u64>>,

    /// Explain only checksums of this layer; 1 is the outermost network header
    #[arg(long, value_name = "L")]
    pub(crate) layer: Option<u8>,

    /// Explain only checksums of this protocol, such as tcp
    #[arg(long, value_name = "NAME", value_parser = protocol(), hide_possible_values = true)]
    pub(crate) field: Option<Protocol>,

    /// Print the explanation as JSON, for programs
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

/// A frame number, or two numbers with a hyphen between them.
fn frames(value: &str) -> Result<RangeInclusive<u64>, String> {
    let number = |digits: &str| match digits.parse::<u64>() {
        Ok(0) => Err("the first frame has the number 1".to_owned()),
        Ok(number) => Ok(number),
        Err(_) => Err("give a number such as 7, or a range such as 7-9".to_owned()),
    };
    let (first, last) = value.split_once('-').unwrap_or((value, value));
    let range = number(first)?..=number(last)?;
    if range.is_empty() {
        return Err("the range ends before it begins; give the lower number first".to_owned());
    }
    Ok(range)
}

const SUM_EXIT_STATUS: &str = "\
Exit status:
  0  All files are summed.
  2  A file cannot be read. The other files are summed anyway.";

/// Print the sum of files
///
/// The sum is the one's complement sum of the 16-bit words. It is printed as protocol documents
/// write it: the bytes 1C 46 sum to 0x1c46. The checksum is its complement. An odd last byte is the
/// first byte of its word. Files are read as a stream, so they may be of any length.
#[derive(clap::Args)]
#[command(after_help = SUM_EXIT_STATUS)]
pub(crate) struct SumOptions {
    /// The files; - is standard input, and so is no file at all
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<OsString>,

    /// Print the checksum, which is the complement of the sum
    #[arg(long)]
    pub(crate) checksum: bool,
}
