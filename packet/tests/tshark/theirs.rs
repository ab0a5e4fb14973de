// SPDX-License-Identifier: MIT OR Apache-2.0
//! Runs tshark, and reads its verdicts.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use wiresum_packet::Protocol;

use crate::Fragments;

/// The verdicts of tshark on a frame.
pub(crate) struct Theirs {
    pub(crate) statuses: BTreeMap<Protocol, Vec<u8>>,
    pub(crate) layers: usize,
    pub(crate) protocols: String,
    /// Whether tshark stopped before the frame's end, because it is malformed or a fragment ends.
    pub(crate) gave_up: bool,
}

impl Theirs {
    pub(crate) fn all(&self, code: u8) -> bool {
        self.statuses
            .values()
            .flatten()
            .filter(|&&other| other == code)
            .count()
            > 0
    }

    pub(crate) fn both_udp(&self) -> bool {
        let has = |name| self.protocols.split(':').any(|other| other == name);
        has("udp") && has("udplite")
    }

    pub(crate) fn of(&self, protocol: Protocol) -> &[u8] {
        self.statuses.get(&protocol).map_or(&[], Vec::as_slice)
    }

    /// Returns whether these protocols follow each other in the frame. A star stands for the rest
    /// of a name.
    pub(crate) fn has(&self, protocols: &[&str]) -> bool {
        let all: Vec<_> = self.protocols.split(':').collect();
        let matches = |(name, pattern): (&&str, &&str)| match pattern.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == pattern,
        };
        all.windows(protocols.len())
            .any(|some| some.iter().zip(protocols).all(matches))
    }
}

/// The fields in which tshark shows its verdicts. Protocols that share IGMP's number have
/// dissectors of their own.
const STATUS_FIELDS: [(Protocol, &str); 27] = [
    (Protocol::Ipv4, "ip.checksum.status"),
    (Protocol::Tcp, "tcp.checksum.status"),
    (Protocol::Udp, "udp.checksum.status"),
    (Protocol::Icmp, "icmp.checksum.status"),
    (Protocol::Icmpv6, "icmpv6.checksum.status"),
    (Protocol::Dccp, "dccp.checksum.status"),
    (Protocol::Sctp, "sctp.checksum.status"),
    (Protocol::Igmp, "igmp.checksum.status"),
    (Protocol::Igmp, "dvmrp.checksum.status"),
    (Protocol::Igmp, "igap.checksum.status"),
    (Protocol::Igmp, "mrdisc.checksum.status"),
    (Protocol::Igmp, "msnip.checksum.status"),
    (Protocol::Igmp, "rgmp.checksum.status"),
    (Protocol::Pim, "pim.cksum.status"),
    (Protocol::Vrrp, "vrrp.checksum.status"),
    (Protocol::Vrrp, "carp.checksum.status"),
    (Protocol::Eigrp, "eigrp.checksum.status"),
    (Protocol::Gre, "gre.checksum.status"),
    (Protocol::Hip, "hip.checksum.status"),
    (Protocol::Shim6, "shim6.checksum.status"),
    (Protocol::Pgm, "pgm.hdr.cksum.status"),
    (Protocol::Cdp, "cdp.checksum.status"),
    (Protocol::IcmpExtension, "icmp.ext.checksum.status"),
    (Protocol::Nhrp, "nhrp.hdr.chksum.status"),
    (Protocol::IsIs, "isis.lsp.checksum.status"),
    (Protocol::EsIs, "esis.chksum.status"),
    (Protocol::Clnp, "clnp.checksum.status"),
];

pub(crate) fn tshark(path: &Path, fragments: Fragments) -> Result<Vec<Theirs>, String> {
    let mut command = Command::new("tshark");
    command.arg("-n").arg("-r").arg(path);
    for preference in [
        "ip.check_checksum:TRUE",
        "tcp.check_checksum:TRUE",
        "udp.check_checksum:TRUE",
        "udplite.check_checksum:TRUE",
        "sctp.checksum:CRC-32c",
        match fragments {
            Fragments::Alone => "ip.defragment:FALSE",
            Fragments::Together => "ip.defragment:TRUE",
        },
        match fragments {
            Fragments::Alone => "ipv6.defragment:FALSE",
            Fragments::Together => "ipv6.defragment:TRUE",
        },
        // A length of 0 means segmentation offload; for IPv4 this is tshark's default.
        "ipv6.tso_support:TRUE",
    ] {
        command.arg("-o").arg(preference);
    }
    command.args([
        "-T",
        "fields",
        "-E",
        "occurrence=a",
        "-e",
        "frame.protocols",
        "-e",
        "_ws.malformed",
        "-e",
        "_ws.unreassembled",
    ]);
    for (_, field) in STATUS_FIELDS {
        command.arg("-e").arg(field);
    }
    let output = command.output().map_err(|e| format!("tshark: {e}"))?;
    if !output.status.success() && output.stdout.is_empty() {
        let error = String::from_utf8_lossy(&output.stderr);
        return Err(error.lines().last().unwrap_or("tshark fails").to_owned());
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let mut frames: Vec<_> = text.lines().map(line).collect();
    read_text(path, &mut frames)?;
    Ok(frames)
}

/// The verdicts that tshark shows only as text: a line after the heading of the protocol in the
/// frame.
const IN_WORDS: [(Protocol, &str, &str, &str); 2] = [
    (
        Protocol::Ospf,
        "ospf",
        "Open Shortest Path First",
        "Checksum: 0x",
    ),
    (
        Protocol::Rsvp,
        "rsvp",
        "Resource ReserVation Protocol",
        "Message Checksum: 0x",
    ),
];

fn read_text(path: &Path, frames: &mut [Theirs]) -> Result<(), String> {
    for (protocol, name, heading, start) in IN_WORDS {
        if !frames.iter().any(|frame| frame.has(&[name])) {
            continue;
        }
        let mut command = Command::new("tshark");
        command.arg("-n").arg("-r").arg(path).arg("-O").arg(name);
        let output = command.output().map_err(|e| format!("tshark: {e}"))?;
        let (mut number, mut due) = (0, false);
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            if let Some(rest) = line.strip_prefix("Frame ") {
                let digits = rest
                    .split(':')
                    .next()
                    .and_then(|digits| digits.parse().ok());
                number = digits.unwrap_or(number);
            }
            due |= line.starts_with(heading);
            if due && line.trim_start().starts_with(start) {
                let code = match line {
                    _ if line.contains("[correct]") => 1,
                    _ if line.contains("[incorrect") => 0,
                    _ => 2,
                };
                frames[number - 1]
                    .statuses
                    .entry(protocol)
                    .or_default()
                    .push(code);
                due = false; // the next such line belongs to another header
            }
        }
    }
    Ok(())
}

fn line(line: &str) -> Theirs {
    let mut columns = line.split('\t');
    let protocols = columns.next().unwrap_or_default().to_owned();
    let reasons = [columns.next(), columns.next()];
    let gave_up = reasons.iter().flatten().any(|reason| !reason.is_empty());
    let layers = protocols
        .split(':')
        .filter(|name| matches!(*name, "ip" | "ipv6"))
        .count();
    let mut statuses = BTreeMap::<_, Vec<u8>>::new();
    for ((protocol, _), column) in STATUS_FIELDS.into_iter().zip(columns) {
        let codes = column.split(',').filter_map(|code| code.parse::<u8>().ok());
        // tshark shows the field of PGM twice, the first time with a byte of the checksum as the
        // status.
        let odd = codes.clone().skip(1).step_by(2);
        let all = statuses.entry(protocol).or_default();
        match protocol {
            Protocol::Pgm => all.extend(odd),
            _ => all.extend(codes),
        }
    }
    // tshark shows UDP-Lite in the field of UDP.
    if protocols.split(':').any(|name| name == "udplite") {
        let udp = statuses.remove(&Protocol::Udp).unwrap_or_default();
        statuses.insert(Protocol::UdpLite, udp);
    }
    Theirs {
        statuses,
        layers,
        protocols,
        gave_up,
    }
}
