// SPDX-License-Identifier: MIT OR Apache-2.0
//! What all commands share: help, version, colors and closed pipes.

use snapbox::cmd::{Command, cargo_bin};
use snapbox::str;

use super::{folder, wiresum};

#[test]
fn help_is_the_manual() {
    wiresum(&["--help"]).assert().code(0).stdout_eq(str![[r#"
The Internet checksum (RFC 1071): judges and repairs captures, sums files

Usage: wiresum <COMMAND>

Commands:
  verify   Judge every checksum of packet captures, and say why the bad ones are bad
  explain  Show how the verdicts on a frame came about: words, sums, and the causes tried
  fix      Write a capture in which every checksum that can be computed is right
  undo     Restore a capture that was repaired
  sum      Print the sum of files
  kernels  List the kernels, the best first
  bench    Measure the kernels on this machine
  help     Print this message or the help of the given subcommand(s)

Options:
  -h, --help     Print help
  -V, --version  Print version

Environment:
  WIRESUM_KERNEL  Sums with the kernel of that name, one of those that `wiresum kernels` lists.
                  A name that is unknown, or that this CPU does not support, is an error.
  NO_COLOR        Set to anything, keeps colours off; they are on only on a terminal anyway.

"#]]);
    wiresum(&["verify", "--help"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
Judge every checksum of packet captures, and say why the bad ones are bad

Reads pcap, pcapng and snoop, in either byte order, also compressed with gzip, zstd, lz4 or xz: how
a file begins tells which. Every checksum of every frame is judged: of IPv4 headers, TCP, UDP,
UDP-Lite, DCCP, SCTP, ICMP, ICMPv6, IGMP, PIM, OSPF, VRRP, EIGRP, RSVP, GRE, the mobility header of
IPv6, HIP, Shim6 and PGM; also inside tunnels (IP in IP, GRE, VXLAN, Geneve, GTP-U, Teredo, L2TP,
PPPoE, MPLS and others), and of datagrams that are put together from fragments. For each file, a
table tells how many are

  good        right
  bad         wrong, and why, if that can be told: "offload" means that the packet was captured on
              the machine that sent it, before the network card finished the checksum, so that
              nothing was wrong on the wire
  unverified  not to be judged: the packet is "snapped" (not captured whole), or a "fragment"
              whose datagram never came together, or a "length" in its header goes past its end,
              or it is a frame of a link type that is not known here
  absent      not computed by the sender, as UDP over IPv4, tunnels over IPv6, RSVP and PGM allow
  illegal     a value that must not be sent: 0x0000 in UDP over IPv6, and in UDP-Lite

with the meaning that Wireshark gives these words. A packet that an ICMP error quotes is a copy,
changed on its way and seldom whole: its checksums are "quoted", counted apart, and never make a
file fail. What cannot be read, such as a truncated last
record, is counted as malformed and passed over; that is not a failure.

Usage: wiresum verify [OPTIONS] [FILE]...

Arguments:
  [FILE]...
          The captures; - is standard input

Options:
      --follow
          Wait at the end of the capture for more, as it is still being written, until ctrl-C
          
          Of one capture only. With --list or --csv, lines come out as packets come in; the other outputs are written after ctrl-C, and the exit status is as always. A second ctrl-C ends the program at once.

      --no-reassemble
          Judge packets alone: fragments are not put together
          
          What a fragment carries is then unverified. Without this option, a datagram is judged in the frame that brings its last missing fragment, and is unverified only if that never comes.

      --allow <CAUSE>
          Do not fail because of checksums that are bad for this cause
          
          They are still counted and listed, but alone they leave the exit status at 0.

          Possible values:
          - offload:          the network card was to finish the checksum
          - negative-zero:    0xffff was stored where 0x0000 is due
          - udp-zero:         0x0000 was stored where UDP sends 0xffff
          - zeroed:           no checksum was stored
          - rewritten:        an address was changed, and no checksum with it
          - not-complemented: the sum was stored without being complemented
          - byte-swapped:     the checksum was stored in the wrong byte order
          - no-pseudo-header: the pseudo-header was left out of the sum
          - next-hop:         the next hop was summed instead of the final destination
          - wrong-length:     the pseudo-header was summed with another length
          - padding:          what is behind the packet was summed as well
          - adler-32:         it is the Adler-32 checksum that SCTP used before its CRC32c
          - header-changed:   a field of the header was changed, and the checksum was not
          - one-bit:          it is wrong as if one bit had flipped
          - one-byte:         it is wrong as if one byte had changed
          - unknown:          none of the known causes explains it

  -h, --help
          Print help (see a summary with '-h')

Live capture:
      --live <INTERFACE>
          Capture on a network interface, and verify as it goes, until ctrl-C; any is all interfaces
          
          A line a second on standard error tells how it goes, and the outputs come as for a file. Needs a build with the feature live, and the right to capture.

      --count <N>
          End after so many packets

      --snaplen <BYTES>
          Capture so many bytes of each packet at most; what is longer is unverified
          
          [default: 262144]

      --filter <EXPRESSION>
          Capture only what matches, in the language of pcap-filter(7): "tcp port 80"

Outputs, at most one of them to standard output:
      --json
          Print the numbers as JSON, for programs
          
          The schema is stable, and described in the README of this program: members are added to it, but none is taken away or changes its meaning.

      --list
          Print a line for each bad or illegal checksum, instead of the table
          
          File and frame number, time, protocol, layer (1 is the outermost network header), addresses and ports, the checksum found and the one expected, the cause.

      --csv <FILE>
          Write a row for each checksum, good or bad, as CSV; - is standard output
          
          The columns are described in the README of this program, and stable as the schema of the JSON is.

      --parquet <FILE>
          Write the same rows as Apache Parquet
          
          Needs a build with the feature parquet.

      --html <FILE>
          Write a page for a browser: totals, causes over time, who sends what is bad, the first bad packets explained; - is standard output
          
          It is one file, and loads nothing from elsewhere.

Exit status:
  0  Nothing is bad or illegal, but for what is allowed.
  1  Something is.
  2  The command failed: a file cannot be read, or is no capture. The others are judged anyway.

Examples:
  wiresum verify office.pcapng
  wiresum verify --list --allow offload *.pcap
  wiresum verify --html report.html --csv checksums.csv office.pcapng
  wiresum verify --list --follow growing.pcapng
  tcpdump -c 1000 -w - | wiresum verify --json - | jq '.files[0].checksums.tcp.bad'

"#]]);
    wiresum(&[]).assert().code(2);
    wiresum(&["verify"]).assert().code(2);
}

#[test]
fn version_is_that_of_the_workspace() {
    let version = concat!("wiresum ", env!("CARGO_PKG_VERSION"), "\n");
    wiresum(&["--version"]).assert().code(0).stdout_eq(version);
}

#[test]
fn colors_appear_on_terminals_only() {
    let output = wiresum(&["verify", "mixed.pcap"])
        .output()
        .expect("it runs");
    assert!(!output.stdout.contains(&0x1b));
    let forced = |command: Command| {
        command
            .env("CLICOLOR_FORCE", "1")
            .output()
            .expect("it runs")
    };
    let output = forced(wiresum(&["verify", "mixed.pcap"]));
    assert!(
        output.stdout.contains(&0x1b),
        "the test above sees something"
    );
}

/// `wiresum … | head` must end without a word.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_program_silently() {
    for command in [
        "kernels",
        "sum bytes",
        "verify mixed.pcap",
        "verify --list mixed.pcap",
        "verify --csv - mixed.pcap",
        "verify --html - mixed.pcap",
    ] {
        let program = cargo_bin!("wiresum").display();
        // The shell sleeps, so that nobody reads when the program writes.
        let script = format!("(sleep 0.2; '{program}' {command}; echo status $? >&2) | true");
        Command::new("sh")
            .args(["-c", &script])
            .current_dir(folder())
            .assert()
            .success()
            .stdout_eq("")
            .stderr_eq("status 141\n");
    }
}
