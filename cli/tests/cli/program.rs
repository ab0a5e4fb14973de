// SPDX-License-Identifier: MIT OR Apache-2.0
//! The behavior that all commands share: help, version, colors and closed pipes.

use snapbox::cmd::{Command, cargo_bin};
use snapbox::str;

use super::{folder, wiresum};

#[cfg(feature = "bench")]
#[test]
fn help_is_the_manual() {
    wiresum(&["--help"]).assert().code(0).stdout_eq(str![[r#"
The Internet checksum (RFC 1071): verifies, explains and repairs captures, and
sums files

Usage: wiresum <COMMAND>

Commands:
  verify   Judge every checksum of packet captures, and say why the bad ones are
           bad
  report   Show the results of an archive, as verify shows captures
  explain  Show the arithmetic of the verdicts on a frame
  fix      Write a capture in which every checksum that can be computed is right
  undo     Restore a capture that was repaired
  sum      Print the sum of files
  kernels  List the kernels, the best first
  bench    Measure the kernels on this machine
  plan     Say which way of summing is the cheapest for each length of your
           traffic
  help     Print this message or the help of the given subcommand(s)

Options:
  -h, --help     Print help
  -V, --version  Print version

Environment:
  WIRESUM_KERNEL  The kernel that computes all sums, by its name in `wiresum
                  kernels`. A name that is unknown, or that this CPU does not
                  support, is an error.
  NO_COLOR        Any value turns colors off. Only a terminal gets them anyway.

"#]]);
}

#[cfg(not(feature = "bench"))]
#[test]
fn a_build_without_bench_has_no_such_commands() {
    let help = wiresum(&["--help"]).output().expect("it runs");
    let help = String::from_utf8(help.stdout).expect("text");
    assert!(help.contains("  kernels  ") && !help.contains("bench") && !help.contains("plan"));
    for command in ["bench", "plan"] {
        wiresum(&[command]).assert().code(2).stdout_eq("");
    }
}

#[test]
fn short_help_leaves_out_what_this_build_lacks() {
    let help = wiresum(&["verify", "-h"]).output().expect("it runs");
    let help = String::from_utf8(help.stdout).expect("text");
    for (option, here) in [
        ("--csv <FILE>", true),
        ("--parquet <FILE>", cfg!(feature = "parquet")),
        ("--live <INTERFACE>", cfg!(feature = "live")),
        ("--snaplen <BYTES>", cfg!(feature = "live")),
    ] {
        assert_eq!(help.contains(option), here, "{option}");
    }
}

#[test]
fn help_of_verify_is_the_manual() {
    wiresum(&["verify", "--help"])
        .assert()
        .code(0)
        .stdout_eq(str![[r#"
Judge every checksum of packet captures, and say why the bad ones are bad

Reads pcap and pcapng in either byte order, and snoop, also compressed with
gzip, zstd, lz4 or xz. The first bytes of a file tell its format; its name does
not matter.

Verifies the checksums of IPv4 headers, TCP, UDP, UDP-Lite, DCCP, SCTP, ICMP,
ICMPv6, IGMP, PIM, OSPF, VRRP, EIGRP, RSVP, GRE, the mobility header of IPv6,
HIP, Shim6, PGM, CDP, NHRP, the extensions of ICMP errors, IS-IS, ES-IS and
CLNP. Tunnels are followed inward (IP in IP, GRE, VXLAN, Geneve, GTP-U, Teredo,
L2TP, PPPoE, MPLS and others), and fragments are put together. For each file, a
table counts the checksums by their status. The words have the meaning that
Wireshark gives them:

  good        The checksum is right.
  bad         The checksum is wrong. The table shows the cause if it can be
              told. "offload" means that the checksum was left to the network
              card. The packet was captured on the machine that sent it, before
              the card finished the checksum; or on the machine that received
              it, which merged it from segments that the card had verified.
              Nothing was wrong on the wire.
  unverified  The checksum cannot be judged. "snapped": the packet was not
              captured whole. "fragment": a fragment of the datagram is missing.
              "length": a length in the header is impossible, or goes past the
              end of the packet.
              "addresses": the pseudo-header may hold other addresses.
  absent      The sender computed no checksum. UDP over IPv4, tunnels over IPv6,
              RSVP, PGM, the extensions of ICMP errors, IS-IS, ES-IS and CLNP
              allow that. In OSPF, a digest may take its place.
  illegal     The field holds a value that must not be sent: 0x0000 in UDP over
              IPv6, except in tunnels, and in UDP-Lite.

An ICMP error quotes the packet that it is about. The quoted packet is a copy,
changed on its way and seldom whole. Its checksums are counted apart, as
"quoted", and never change the exit status. So are checksums of packets that
sFlow samples, and that a switch and its OpenFlow controller send each other.

A frame whose encapsulation is not known or is encrypted, or which holds a
fragment without its datagram, is counted as "not entered", with what stopped
the walk. It does not change the exit status.

A record that cannot be read, such as a truncated last one, is counted as
malformed and skipped. It does not change the exit status either.

Usage: wiresum verify [OPTIONS] [FILE]...

Arguments:
  [FILE]...
          The captures, and folders of captures; - is standard input
          
          A folder stands for all captures in it and in its folders. The first
          bytes of a file tell whether it is one; links in the folder are not
          followed. Without any FILE, the command reads standard input, if that
          is not a terminal.

Options:
      --follow
          Wait for more at the end of a capture that is still being written,
          until ctrl-C
          
          This option takes one capture. --list and --csv write their lines as
          packets arrive. The other outputs are written after ctrl-C. A second
          ctrl-C ends the program at once. A capture that becomes shorter is an
          error.

      --no-reassemble
          Judge each packet alone, and put no fragments together
          
          A checksum that covers a fragmented datagram is then unverified.
          Without this option, a datagram is judged in the frame that brings its
          last missing fragment.

      --allow <CAUSE>
          Do not fail because of checksums that are bad for this cause
          
          They are still counted and listed. The exit status is 0 if no other
          checksum is bad or illegal.

          Possible values:
          - offload:          the network card was to finish the checksum
          - negative-zero:    0xffff was stored where 0x0000 is due
          - udp-zero:         0x0000 was stored where UDP sends 0xffff
          - zeroed:           no checksum was stored
          - rewritten:        an address was changed, and no checksum with it
          - not-complemented: the sum was stored without being complemented
          - byte-swapped:     the checksum was stored in the wrong byte order
          - no-pseudo-header: the pseudo-header was left out of the sum
          - next-hop:         the next hop was summed instead of the final
            destination
          - wrong-length:     the pseudo-header was summed with another length
          - padding:          the bytes after the packet were summed as well
          - adler-32:         it is the Adler-32 checksum that SCTP used before
            its CRC32c
          - header-changed:   a field of the header was changed, and the
            checksum was not
          - same-difference:  the packets of its flow are wrong by the same
            amount
          - one-bit:          it is wrong as if one bit had flipped
          - no-carry:         the carries were left out of the sum
          - one-byte:         it is wrong as if one byte had changed
          - unknown:          none of the known causes explains it

      --require-verified
          Fail if no checksum of a capture could be verified
          
          The exit status is then 1, as for a bad checksum. Unverified and
          absent checksums, frames that were not entered and malformed records
          alone are not enough.

  -j, --jobs <N>
          Use at most N threads; without this option, one for each CPU

  -h, --help
          Print help (see a summary with '-h')

Live capture:
      --live <INTERFACE>
          Capture on a network interface and verify as it goes, until ctrl-C;
          any is all interfaces
          
          A line each second on standard error shows the counts so far. The
          outputs are the same as for a file. This option needs a build with the
          feature live, and the right to capture.

      --count <N>
          End after N packets

      --snaplen <BYTES>
          Capture at most BYTES of each packet; a checksum that covers more is
          unverified
          
          [default: 262144]

      --filter <EXPRESSION>
          Capture only packets that match, in the language of pcap-filter(7):
          "tcp port 80"

      --xdp[=<MODE>]
          Judge packets in the kernel, by XDP, and examine only those that are
          not known to be good
          
          This takes less CPU time. XDP sees the packets that the interface
          receives, and not those that it sends. --csv, --parquet and --list
          have rows only of packets that were examined, and number these. MODE
          is native (in the driver), generic, or any: native if the driver can
          do it. This option needs a build with the feature xdp, Linux 6.1 or
          later, and root. It is an error if the interface has another XDP
          program.

          Possible values:
          - any:     In the driver if it can, and after it if it cannot
          - native:  In the driver
          - generic: After the driver

      --sample <N>
          With --xdp, examine one in N good packets, too

Outputs (at most one to standard output):
      --json
          Print the counts as JSON, for programs
          
          The README of this program describes the members. Later versions add
          members. If one is removed or changes its meaning, the number `schema`
          goes up.

      --jsonl
          Print a line of JSON for each file as soon as it is judged, and a
          summary as the last line
          
          The lines are in the order of the files, and have the members of
          --json.

      --list
          Print a line for each bad or illegal checksum, instead of the table
          
          A line has the file and the frame number, the time, the protocol, the
          layer (1 is the outermost network header), the addresses and ports,
          the checksum found, the checksum expected, and the cause.

      --unjudged
          List also each unverified checksum, and each frame that is malformed
          or was not entered
          
          --list has more lines, --csv more rows, and --json and --jsonl the
          member unjudged of each file. With --csv, every frame then has a row,
          except frames whose protocols have no checksum.

      --csv <FILE>
          Write a row for each checksum, good or bad, as CSV; - is standard
          output
          
          The README of this program describes the columns. Later versions add
          columns at the end.

      --parquet <FILE>
          Write the same rows as Apache Parquet
          
          This option needs a build with the feature parquet.

      --html <FILE>
          Write a page for a browser; - is standard output
          
          The page shows the totals, the causes over time, the senders of bad
          checksums, and the arithmetic of the first bad packets. It is one
          file, and loads nothing from elsewhere.

      --force
          Replace the files of --csv, --parquet and --html if they exist
          
          A file that is itself a capture is never replaced.

The table:
      --brief
          Print one line for each file, and one for all

      --only-bad
          Leave out the files in which nothing is bad, or nothing that --allow
          does not name
          
          The table of all files still counts them.

  -q, --quiet
          Print no table; the exit status says whether a checksum is bad
          
          Errors are still printed.

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
  tcpdump -c 1000 -w - | wiresum verify --json | jq '.files[0].malformed'

"#]]);
    wiresum(&[]).assert().code(2);
    wiresum(&["verify"]).stdin("").assert().code(2);
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

/// `wiresum … | head` must print no error.
#[cfg(unix)]
#[test]
fn a_closed_pipe_ends_the_program_silently() {
    for command in [
        "kernels",
        "sum bytes",
        "verify mixed.pcap",
        "verify --json mixed.pcap",
        "explain --json mixed.pcap 1",
        "fix --json --dry-run mixed.pcap",
        "verify --list mixed.pcap",
        "verify --csv - mixed.pcap",
        "verify --html - mixed.pcap",
    ] {
        let program = cargo_bin!("wiresum").display();
        // The shell sleeps, so that the reader is gone when the program writes.
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
