// SPDX-License-Identifier: MIT OR Apache-2.0
//! The known differences between tshark 4.0 and wiresum.

use wiresum_packet::{Cause, Protocol, Reason, Status};

use crate::compare::code;
use crate::theirs::Theirs;

/// Each difference: the fields to which it applies, who is right ("wiresum", "tshark" or "both"),
/// and why. Such fields are counted.
pub(crate) const DIFFERENCES: [(Applies, &str); 48] = [
    (
        |pair| pair.protocol == Protocol::Sctp && pair.has(Status::Unverified(Reason::Fragment)),
        "wiresum: the CRC of an SCTP packet in fragments covers bytes of all fragments; tshark \
         computes it over the first fragment",
    ),
    (
        |pair| {
            pair.damaged
                && ["ipv6.hopopts", "ipv6.dstopts"]
                    .iter()
                    .any(|options| pair.theirs.protocols.ends_with(options))
                && pair.ours.len() > pair.theirs.of(pair.protocol).len()
        },
        "wiresum: an option that is longer than its header hides nothing of what follows that \
         header; tshark ends at the option",
    ),
    (
        |pair| pair.protocol == Protocol::Sctp && pair.note == "link type 248 (SCTP)",
        "tshark: an SCTP packet with which a frame begins (link type 248) has a checksum; \
         wiresum judges checksums in IP packets only",
    ),
    (
        |pair| pair.protocol == Protocol::Icmpv6 && pair.theirs.has(&["ip", "icmpv6"]),
        "wiresum: no ICMPv6 over IPv4 exists, and no pseudo-header for it; tshark makes one up",
    ),
    (
        |pair| pair.theirs.has(&["ip", "ipv6.*"]),
        "wiresum: IPv6 extension headers do not follow an IPv4 header; tshark walks them anyway",
    ),
    (
        |pair| pair.has(Status::Unverified(Reason::Fragment)) && pair.theirs.layers > 1,
        "wiresum: a packet in a fragmented tunnel is incomplete; tshark judges the part that is \
         there",
    ),
    (
        |pair| {
            pair.protocol == Protocol::Udp
                && pair.differ(|mine, other| mine == Status::Absent && other == ILLEGAL)
        },
        "wiresum: UDP tunnels over IPv6 need no checksum (RFC 6935); tshark calls a missing one \
         illegal unless a preference is set",
    ),
    (
        |pair| pair.has(Status::Unverified(Reason::Quote)),
        "wiresum: an error message quotes a part of a packet; tshark sums up that part",
    ),
    (
        |pair| {
            matches!(
                pair.protocol,
                Protocol::Icmp | Protocol::Icmpv6 | Protocol::Udp
            ) && pair.quoted
                && pair.differ(|_, other| other == UNVERIFIED)
        },
        "wiresum: a quoted ICMP message or UDP datagram that is whole can be judged; tshark does \
         not judge it",
    ),
    (
        |pair| pair.has(Status::Unverified(Reason::Addresses)),
        "wiresum: a packet need not tell the addresses of its pseudo-header (segment routing by \
         RFC 9800, routing headers by RFC 9631, Shim6, ILNP); tshark sums the addresses of the \
         packet",
    ),
    (
        |pair| {
            pair.theirs.has(&["ipv6.dstopts", "*"])
                && pair.differ(|mine, other| mine == Status::Good && other == BAD)
        },
        "wiresum: a Home Address option of another length than 16 holds no address; tshark reads \
         16 bytes all the same",
    ),
    (
        |pair| {
            pair.protocol == Protocol::Ospf
                && pair.theirs.has(&["ipv6", "ospf"])
                && pair.differ(|mine, other| mine == Status::Good && other == BAD)
        },
        "wiresum: an authentication trailer follows the length that the packet claims (RFC 7166 \
         section 4.1), so the sum leaves it out; tshark sums it",
    ),
    (
        |pair| {
            pair.protocol == Protocol::Ipv4
                && pair.theirs.has(&["pim", "ip"])
                && pair.differ(|mine, _| mine == Status::Absent)
        },
        "wiresum: 0 in the header that a Null-Register carries means that no checksum was computed \
         (RFC 7761 section 4.9.3); tshark calls it wrong",
    ),
    (
        |pair| {
            [
                ["l2tp", "data"],
                ["erspan", "data"],
                ["capwap.data", "wlan"],
            ]
            .iter()
            .any(|layers| pair.theirs.has(layers))
                && pair.ours.len() > pair.theirs.of(pair.protocol).len()
        },
        "wiresum: tshark enters sessions of L2TP version 3, and 802.11 over CAPWAP in the order of \
         the standard, only with other preferences, and never IP over ERSPAN type III",
    ),
    (
        |pair| {
            pair.protocol == Protocol::IcmpExtension
                && (pair.ours.is_empty() || pair.theirs.of(pair.protocol).is_empty())
        },
        "both: where an error message does not tell the length of its quote, nothing proves that \
         an extension structure follows 128 bytes; wiresum wants version 2 and whole objects",
    ),
    (
        |pair| {
            MAY_DIFFER.contains(&pair.protocol)
                && pair.note.starts_with("malformed")
                && pair.theirs_have_one_more()
        },
        "wiresum: a packet whose length or header contradicts itself is no packet; tshark sums \
         up the bytes that are there",
    ),
    (
        |pair| {
            matches!(
                pair.protocol,
                Protocol::Dccp | Protocol::Ospf | Protocol::Rsvp
            ) && pair.has(Status::Unverified(Reason::Length))
        },
        "wiresum: a length or coverage past the end of the packet covers missing bytes; tshark \
         sums up the bytes that are there",
    ),
    (
        |pair| {
            pair.protocol == Protocol::Pim
                && (pair.has(Status::Good) || pair.has(Status::Unverified(Reason::Snapped)))
        },
        "wiresum: receivers accept a Register that is summed as a whole (RFC 7761 section 4.9); \
         tshark does not",
    ),
    (
        |pair| {
            pair.protocol == Protocol::Vrrp
                && pair.has(Status::Good)
                && pair.theirs.has(&["ip", "vrrp"])
        },
        "both: some senders of version 3 over IPv4 leave the pseudo-header out; tshark has a \
         preference for that, wiresum accepts both",
    ),
    (
        |pair| {
            pair.protocol == Protocol::Ospf
                && pair.has(Status::Absent)
                && (pair.theirs.has(&["ip", "ospf"]) || pair.theirs.has(&["ipv6", "ospf"]))
        },
        "wiresum: cryptographic authentication replaces the checksum (RFC 2328 section D.4.3, RFC \
         7166 section 4.2); tshark computes one",
    ),
    (
        |pair| pair.protocol == Protocol::Rsvp && pair.differ(|mine, _| mine == Status::Absent),
        "wiresum: 0 means that no checksum was sent (RFC 2205 section 3.1.1); tshark calls it \
         wrong",
    ),
    (
        |pair| pair.protocol == Protocol::Pgm && pair.has(Status::Absent),
        "both: tshark has no status for PGM without a checksum",
    ),
    (
        |pair| {
            pair.protocol == Protocol::Gre
                && pair.ours.is_empty()
                && pair.theirs.of(Protocol::Gre) == [UNVERIFIED]
        },
        "wiresum: without the checksum bit the field means nothing (RFC 1701); tshark shows the \
         field where the routing bit makes room for it",
    ),
    (
        |pair| pair.protocol == Protocol::Gre && pair.note == "GRE",
        "wiresum: nothing says where GRE has its checksum in versions other than 0 and 1; tshark \
         takes them for version 0",
    ),
    (
        |pair| {
            pair.theirs.has(&["mpls", "*"]) && pair.ours.len() > pair.theirs.of(pair.protocol).len()
        },
        "wiresum: nothing says what follows MPLS labels; wiresum looks for IP in more places",
    ),
    (
        |pair| {
            pair.theirs.has(&["udp", "data"])
                && pair.ours.len() > pair.theirs.of(pair.protocol).len()
        },
        "wiresum: tshark does not know VXLAN on the port that Linux first gave it",
    ),
    (
        |pair| pair.theirs.has(&["wlan", "data"]),
        "wiresum: the first fragment of an 802.11 frame begins with IP; tshark does not enter it \
         without the other fragments",
    ),
    (
        |pair| pair.theirs.protocols == "data" || pair.theirs.has(&["clip", "ip"]),
        "wiresum: tshark knows neither the header of SLIP, nor logical link control on classical \
         IP over ATM",
    ),
    (
        |pair| pair.theirs.both_udp(),
        "both: a frame has UDP and UDP-Lite, which tshark shows in one field",
    ),
    (
        |pair| pair.damaged && pair.protocol == Protocol::Igmp && !pair.igmp_is_known,
        "wiresum: the checksum of an IGMP message of any type covers the whole message; tshark \
         has no length or no checksum for types that it does not know",
    ),
    (
        |pair| {
            pair.damaged
                && pair.protocol == Protocol::Pim
                && pair.ours.is_empty()
                && pair.theirs.all(UNVERIFIED)
        },
        "both: neither knows versions of PIM other than 2",
    ),
    (
        |pair| {
            pair.damaged
                && (pair.theirs.of(pair.protocol).is_empty() && MAY_DIFFER.contains(&pair.protocol)
                    || pair.has(Status::Unverified(Reason::Snapped))
                        && MAY_DIFFER.contains(&pair.protocol)
                    || pair.theirs.all(UNVERIFIED) && pair.theirs.layers > 1)
        },
        "wiresum: tshark does not judge what it cannot dissect further, sums up the captured \
         part of EIGRP, and takes everything in a fragment for incomplete",
    ),
    (
        |pair| {
            pair.damaged
                && ["prism", "radiotap", "wlan", "ppi"]
                    .iter()
                    .any(|radio| pair.theirs.protocols.starts_with(radio))
        },
        "both: each finds what it can in a radio header that contradicts itself, and in 802.11 \
         fragments and aggregates",
    ),
    (
        |pair| pair.damaged && (pair.theirs.has(&["macsec"]) || pair.theirs.has(&["cfp"])),
        "wiresum: the integrity check value of MACsec is no part of its data, and FabricPath \
         need not have a frame check sequence; this matters where the length of the IP packet is \
         wrong",
    ),
    (
        |pair| {
            pair.damaged
                && pair.protocol == Protocol::Ospf
                && pair
                    .differ(|mine, other| mine == Status::Bad(Cause::Zeroed) && other == UNVERIFIED)
        },
        "both: tshark takes 0 for no checksum where the authentication type is unknown",
    ),
    (
        |pair| pair.protocol == Protocol::Cdp && pair.theirs.has(&["llc", "udld"]),
        "wiresum: UDLD has the checksum of CDP (RFC 5171); tshark shows it and does not judge it",
    ),
    (
        |pair| {
            pair.damaged
                && pair.protocol == Protocol::IsIs
                && (pair.ours.is_empty() || pair.theirs.of(Protocol::IsIs) == [UNVERIFIED])
        },
        "both: tshark finds link state PDUs after a PPP header that contradicts itself, and does \
         not judge the PDUs whose length differs from the length of their frame",
    ),
    (
        |pair| {
            pair.damaged
                && pair.theirs.protocols.ends_with(":tcp")
                && pair.ours.len() > pair.theirs.of(pair.protocol).len()
        },
        "wiresum: each segment is walked alone; tshark does not dissect data that a segment before \
         had too",
    ),
    (
        |pair| {
            pair.damaged
                && pair.protocol == Protocol::Cdp
                && pair.ours.is_empty()
                && (pair.theirs.has(&["ppp", "cdp"]) || pair.theirs.has(&["fr", "cdp"]))
        },
        "both: tshark looks past any byte in the place of the control field of PPP, and past a \
         frame relay address that does not end",
    ),
    (
        |pair| pair.damaged && pair.protocol == Protocol::Ospf && pair.has(Status::Good),
        "wiresum: the sum ends where the length of the packet says (RFC 2328 section A.3.1); \
         tshark also sums what follows, whose sum is 0 if it is undamaged",
    ),
    (
        |pair| {
            pair.damaged
                && (pair.theirs.has(&["igmp", "*"]) && pair.theirs.all(UNVERIFIED)
                    || pair.theirs.has(&["igmp", "pim"])
                    || pair.theirs.has(&["ppp", "bcp*"])
                    || ["nflog", "ipnet"]
                        .iter()
                        .any(|link| pair.theirs.protocols.starts_with(link)))
        },
        "both: tshark shows PIM version 1 as PIM, wiresum as IGMP; and each finds what it can in \
         a netfilter log, a Solaris header or a bridging header that contradicts itself",
    ),
    (
        |pair| pair.odd_route && pair.differ(|mine, other| mine == Status::Good && other == BAD),
        "wiresum: a source route that is not made of whole addresses gives no address (RFC 791 \
         section 3.1); tshark takes the last 4 bytes for one",
    ),
    (
        |pair| {
            pair.damaged
                && pair.note.starts_with("LLC ")
                && pair.ours.is_empty()
                && pair.theirs.has(&["llc", "*"])
        },
        "both: a packet whose two service access points differ is no packet of RFC 1042, nor of \
         OSI, and wiresum does not enter it; tshark reads only the address of the destination",
    ),
    (
        |pair| {
            pair.damaged
                && pair.theirs.has(&["udp", "sflow"])
                && pair.ours.len() < pair.theirs.of(pair.protocol).len()
        },
        "wiresum: a record of sFlow that is longer than its sample is no record; tshark does not \
         read its length",
    ),
    (
        |pair| {
            pair.damaged
                && ["fragment", "snapped"].contains(&pair.note)
                && pair.ours.is_empty()
                && pair.theirs.of(pair.protocol) == [UNVERIFIED]
        },
        "both: a fragment or a snapped packet that ends in a header cannot be judged; tshark shows \
         the checksum, wiresum what ends the packet",
    ),
    (
        |pair| {
            pair.damaged
                && pair.protocol == Protocol::Rsvp
                && pair.theirs.of(Protocol::Rsvp) == [UNVERIFIED]
        },
        "wiresum: the checksum of RSVP covers the message, whatever the lengths of its objects; \
         tshark does not judge it where an object goes past the end of the message",
    ),
    (
        |pair| {
            pair.damaged
                && pair.theirs.has(&["nsh", "ip"])
                && pair.ours.len() > pair.theirs.of(pair.protocol).len()
        },
        "both: NSH metadata of type 1 has a fixed length (RFC 8300 section 2.4); where the length \
         of the header is another one, wiresum goes by the length, tshark by the type",
    ),
    (
        |pair| {
            pair.protocol == Protocol::EsIs
                && pair.ours.is_empty()
                && pair.note.starts_with("EtherType ")
                && pair.theirs.has(&["fr", "esis"])
        },
        "both: where frame relay has no unnumbered information (RFC 2427 section 3), wiresum takes \
         the control field for Cisco's EtherType; tshark takes it for the control field of \
         numbered information",
    ),
];

/// The protocols that tshark may judge differently in malformed packets.
const MAY_DIFFER: [Protocol; 15] = [
    Protocol::Igmp,
    Protocol::Eigrp,
    Protocol::Gre,
    Protocol::UdpLite,
    Protocol::Sctp,
    Protocol::Pgm,
    Protocol::Dccp,
    Protocol::Pim,
    Protocol::Ospf,
    Protocol::Rsvp,
    Protocol::Vrrp,
    Protocol::Hip,
    Protocol::Nhrp,
    Protocol::EsIs,
    Protocol::Clnp,
];
pub(crate) const IGMP_TYPES: [u8; 5] = [0x11, 0x12, 0x16, 0x17, 0x22];
pub(crate) const UNVERIFIED: u8 = 2;
const BAD: u8 = 0;
const ILLEGAL: u8 = 4;

pub(crate) type Applies = fn(&Pair<'_>) -> bool;

/// The statuses that wiresum and tshark give to the fields of one protocol in a frame.
pub(crate) struct Pair<'a> {
    pub(crate) protocol: Protocol,
    pub(crate) ours: &'a [(Status, bool)],
    pub(crate) theirs: &'a Theirs,
    /// The obstacle or the malformed header that the walk reported; empty if there is none.
    pub(crate) note: &'a str,
    /// Whether an error message in the frame quotes a packet.
    pub(crate) quoted: bool,
    /// Whether the frame was damaged on purpose.
    pub(crate) damaged: bool,
    /// Whether tshark knows the types of all IGMP messages in the frame.
    pub(crate) igmp_is_known: bool,
    /// Whether an IPv4 header has a source route that is not made of whole addresses.
    pub(crate) odd_route: bool,
}

impl Pair<'_> {
    fn has(&self, status: Status) -> bool {
        self.ours.iter().any(|&(ours, _)| ours == status)
    }

    /// Returns whether both have the same number of fields, and `so` is true of each pair that
    /// differs.
    fn differ(&self, so: impl Fn(Status, u8) -> bool) -> bool {
        let theirs = self.theirs.of(self.protocol);
        let same = |&(&(mine, _), &other): &(&(Status, bool), &u8)| code(mine) == other;
        let snapped = self
            .ours
            .iter()
            .skip(theirs.len())
            .all(|&(_, snapped)| snapped);
        theirs.len() <= self.ours.len()
            && snapped
            && self
                .ours
                .iter()
                .zip(theirs)
                .filter(|pair| !same(pair))
                .all(|(&(mine, _), &other)| so(mine, other))
    }

    fn theirs_have_one_more(&self) -> bool {
        self.theirs.of(self.protocol).len() == self.ours.len() + 1
    }
}
