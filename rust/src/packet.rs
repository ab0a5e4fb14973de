// SPDX-License-Identifier: MIT OR Apache-2.0
//! Whole packets, which may hold any bytes.
//!
//! A packet begins with its IPv4 or IPv6 header. Bytes after the end that the header gives, such
//! as the padding of Ethernet, do not count. The functions know the checksums of the IPv4 header,
//! TCP, UDP, UDP-Lite (RFC 3828), ICMP and IGMP over IPv4, and ICMPv6 over IPv6. A packet in a
//! tunnel is a packet of its own. No function panics, whatever the bytes are.
//!
//! The walk passes IPv4 options, the authentication header, and the extension headers Hop-by-Hop
//! Options, Routing, Fragment and Destination Options. What they change in the pseudo-header
//! counts:
//!
//! - The last address of an unfinished source route is the destination: in IPv4 options (RFC 791
//!   section 3.1), and in routing headers of types 0 (RFC 8200 section 8.1), 2 (RFC 6275 section
//!   6.4) and 4 (RFC 8754 section 2).
//! - The Home Address option is the source (RFC 6275 section 11.3.1).
//! - The Jumbo Payload option is the length (RFC 2675). A TCP packet without the option that is
//!   longer than 65,535 bytes, with a length of 0, is one before segmentation (Linux's BIG TCP): it
//!   ends where the data end.
//!
//! The UDP length, and not the length of the IP packet, says how many bytes a UDP checksum covers.

use core::error::Error;
use core::fmt;

use crate::sum::Sum;
use crate::{ipv4, pseudo, udplite};

/// What the checksums of a packet say about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Judgment {
    /// Each checksum of the packet is right.
    Good,
    /// The checksum of the payload is wrong.
    Bad,
    /// The checksum of the IPv4 header is wrong. Nothing else has been checked, because the header
    /// says where the rest is.
    BadHeader,
    /// The UDP field over IPv4 is 0x0000: the sender computed no checksum, as it may (RFC 768). The
    /// IPv4 header is right.
    Absent,
    /// The packet holds what no sender may send: a UDP field of 0x0000 over IPv6, which only the
    /// tunnels of RFC 6935 may have; a UDP-Lite field of 0x0000; a UDP-Lite coverage of 1 to 7 or
    /// beyond the datagram.
    Illegal,
}

impl fmt::Display for Judgment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Judgment::Good => "each checksum is right",
            Judgment::Bad => "the checksum of the payload is wrong",
            Judgment::BadHeader => "the checksum of the IPv4 header is wrong",
            Judgment::Absent => "the sender computed no UDP checksum, as it may over IPv4",
            Judgment::Illegal => {
                "the checksum field or the coverage has a value that no sender may send"
            }
        })
    }
}

/// Why the checksum of a payload can be neither judged nor filled in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// The packet is a fragment: its payload's checksum covers other packets too.
    Fragment,
    /// The payload's protocol has no checksum, is encrypted, or is unknown here.
    Unknown,
    /// A routing header of a type that this module does not know has segments left. Nothing here
    /// gives the final destination, which the checksum covers.
    Routed,
    /// The data end before the packet does.
    Short,
    /// The packet contradicts itself: a version, length or option is wrong.
    Malformed,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Fragment => {
                "the packet is a fragment, and its checksum covers other packets too"
            }
            Refusal::Unknown => "the protocol of the payload has no known checksum",
            Refusal::Routed => "the routing header does not tell the final destination",
            Refusal::Short => "the data end before the packet does",
            Refusal::Malformed => "a version, length or option of the packet is wrong",
        })
    }
}

impl Error for Refusal {}

/// Judges the checksums of a packet: the checksum of the IPv4 header, and then the checksum of the
/// payload.
///
/// # Errors
/// If the checksum of the payload cannot be judged. With [`Refusal::Fragment`] and
/// [`Refusal::Unknown`], the IPv4 header is right.
///
/// ```
/// use wiresum::packet::{self, Judgment, Refusal};
///
/// let mut ping = [
///     0x45, 0, 0, 28, 0x57, 0x40, 0x40, 0, 0x40, 1, 0, 0, 192, 0, 2, 1, 192, 0, 2, 2,
///     8, 0, 0, 0, 0x11, 0x93, 0, 1,
/// ];
/// packet::fill(&mut ping)?;
/// assert_eq!(packet::verify(&ping), Ok(Judgment::Good));
/// assert_eq!(packet::verify(&ping[..27]), Err(Refusal::Short));
/// ping[25] ^= 1;
/// assert_eq!(packet::verify(&ping), Ok(Judgment::Bad));
/// ping[8] -= 1;
/// assert_eq!(packet::verify(&ping), Ok(Judgment::BadHeader));
/// # Ok::<(), Refusal>(())
/// ```
pub fn verify(packet: &[u8]) -> Result<Judgment, Refusal> {
    let payload = match walk(packet, true) {
        Ok(payload) => payload,
        Err(Stop::Judged(judgment)) => return Ok(judgment),
        Err(Stop::Cannot(refusal)) => return Err(refusal),
    };
    let covered = &packet[payload.start..payload.start + payload.covers];
    if let Some(judgment) = payload.zero
        && covered[payload.field..payload.field + 2] == [0, 0]
    {
        return Ok(judgment);
    }
    Ok(if (payload.pseudo + Sum::of(covered)).is_ok() {
        Judgment::Good
    } else {
        Judgment::Bad
    })
}

/// Fills in the checksums of a packet, whatever their fields hold: the checksum of the IPv4 header
/// and the checksum of the payload. [`ipv4::header`] computes the checksum of the header alone.
///
/// # Errors
/// If the checksum of the payload cannot be computed. The function writes nothing then. An illegal
/// coverage of UDP-Lite is [`Refusal::Malformed`].
///
/// ```
/// use wiresum::packet::{self, Refusal};
///
/// let mut fragment = [0x45, 0, 0, 24, 0, 1, 0x20, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2,
///     0xd4, 0x31, 0, 53];
/// assert_eq!(packet::fill(&mut fragment), Err(Refusal::Fragment));
/// assert_eq!(fragment[10..12], [0, 0]);
/// ```
pub fn fill(packet: &mut [u8]) -> Result<(), Refusal> {
    let payload = match walk(packet, false) {
        Ok(payload) => payload,
        Err(Stop::Judged(_)) => return Err(Refusal::Malformed),
        Err(Stop::Cannot(refusal)) => return Err(refusal),
    };
    let covered = &mut packet[payload.start..payload.start + payload.covers];
    covered[payload.field..payload.field + 2].fill(0);
    let checksum = (payload.pseudo + Sum::of(covered)).checksum();
    let checksum = if payload.zero.is_some() {
        checksum.udp()
    } else {
        checksum
    };
    covered[payload.field..payload.field + 2].copy_from_slice(&checksum.to_wire());
    if payload.ipv4_header_len > 0 {
        let checksum = ipv4::header(&packet[..payload.ipv4_header_len]);
        packet[10..12].copy_from_slice(&checksum.to_wire());
    }
    Ok(())
}

/// Finishes a checksum that a stack has left to its device (`CHECKSUM_PARTIAL`; `NEEDS_CSUM` of
/// virtio 1.2 section 5.1.6.2): stores the checksum of the bytes from `start` to the end of the
/// frame at `start + offset`, where the seed is. Stores 0xFFFF for 0x0000, as Linux does, because
/// UDP needs it and every other protocol accepts it. The frame must end with its packet: no padding
/// follows.
///
/// # Errors
/// If the field is not inside of the frame, or if `offset` is odd, where no protocol has a
/// checksum. The function writes nothing then.
///
/// ```
/// use wiresum::{packet, pseudo, udp};
///
/// let mut datagram = [0xd4, 0x31, 0, 53, 0, 11, 0, 0, b'd', b'i', b'g'];
/// let seed = pseudo::ipv4([10, 0, 0, 1], [10, 0, 0, 2], 17, 11);
/// datagram[6..8].copy_from_slice(&seed.to_wire()); // what a stack leaves to its device
/// packet::finish(&mut datagram, 0, 6)?;
/// assert!(udp::ok(seed, &datagram, &[]));
/// assert!(packet::finish(&mut datagram, 0, 10).is_err());
/// # Ok::<(), packet::FieldError>(())
/// ```
pub fn finish(frame: &mut [u8], start: usize, offset: usize) -> Result<(), FieldError> {
    let error = FieldError {
        len: frame.len(),
        start,
        offset,
    };
    let data = frame.get_mut(start..).ok_or(error)?;
    let checksum = crate::checksum(data).udp();
    let field = data
        .get_mut(offset..)
        .and_then(<[u8]>::first_chunk_mut::<2>)
        .filter(|_| offset.is_multiple_of(2));
    *field.ok_or(error)? = checksum.to_wire();
    Ok(())
}

/// The checksum field of [`finish`] is outside of its frame, or at an odd offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldError {
    len: usize,
    start: usize,
    offset: usize,
}

impl fmt::Display for FieldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FieldError { len, start, offset } = self;
        let why = if offset % 2 == 1 {
            "is at an odd offset of the frame"
        } else {
            "is not inside of the frame"
        };
        write!(
            f,
            "a checksum field at {start} + {offset} {why}, which has {len} bytes"
        )
    }
}

impl Error for FieldError {}

// ---- The walk ----

const ICMP: u8 = 1;
const IGMP: u8 = 2;
const TCP: u8 = 6;
const UDP: u8 = 17;
const ICMPV6: u8 = 58;
const UDP_LITE: u8 = 136;

const HOP_BY_HOP: u8 = 0;
const ROUTING: u8 = 43;
const FRAGMENT: u8 = 44;
const AUTHENTICATION: u8 = 51;
const DESTINATION_OPTIONS: u8 = 60;

/// The checksum of a packet's payload: where it is, and what it covers. All of it is in the packet.
struct Payload {
    /// 0 for IPv6.
    ipv4_header_len: usize,
    /// The offset of the payload in the packet.
    start: usize,
    /// The number of bytes that the checksum covers.
    covers: usize,
    /// The even offset of the checksum field in the payload.
    field: usize,
    pseudo: Sum,
    /// The judgment of a field of 0x0000, where it is no checksum.
    zero: Option<Judgment>,
}

/// Why a walk ends before the checksum of the payload.
enum Stop {
    Judged(Judgment),
    Cannot(Refusal),
}

impl From<Refusal> for Stop {
    fn from(refusal: Refusal) -> Stop {
        Stop::Cannot(refusal)
    }
}

/// The addresses of the pseudo-header.
#[derive(Clone, Copy)]
enum Addresses {
    V4([u8; 4], [u8; 4]),
    V6([u8; 16], [u8; 16]),
}

/// Returns the number of two bytes, if they are there.
fn number16(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    Some(u16::from_be_bytes(*bytes).into())
}

fn walk(packet: &[u8], verify: bool) -> Result<Payload, Stop> {
    match packet.first().map(|first| first >> 4) {
        None => Err(Refusal::Short.into()),
        Some(4) => walk_ipv4(packet, verify),
        Some(6) => walk_ipv6(packet),
        Some(_) => Err(Refusal::Malformed.into()),
    }
}

fn walk_ipv4(packet: &[u8], verify: bool) -> Result<Payload, Stop> {
    let fixed = packet.first_chunk::<20>().ok_or(Refusal::Short)?;
    let header_len = usize::from(fixed[0] & 15) * 4;
    if header_len < 20 {
        return Err(Refusal::Malformed.into());
    }
    let header = packet.get(..header_len).ok_or(Refusal::Short)?;
    if verify && !ipv4::header_ok(header) {
        return Err(Stop::Judged(Judgment::BadHeader));
    }
    let [_, _, t0, t1, _, _, f0, f1, _, mut protocol, ..] = *fixed;
    let total = match u16::from_be_bytes([t0, t1]) {
        0 if packet.len() > 0xFFFF && protocol == TCP => packet.len(),
        total => total.into(),
    };
    if total < header_len {
        return Err(Refusal::Malformed.into());
    }
    let packet = packet.get(..total).ok_or(Refusal::Short)?;
    if u16::from_be_bytes([f0, f1]) & 0x3FFF != 0 {
        return Err(Refusal::Fragment.into()); // more fragments, or an offset
    }
    let [.., s0, s1, s2, s3, d0, d1, d2, d3] = *fixed;
    let route = walk_options(&header[20..])?;
    let destination = route.unwrap_or([d0, d1, d2, d3]);
    let mut at = header_len;
    while protocol == AUTHENTICATION {
        let extension = extension(protocol, &packet[at..]).ok_or(Refusal::Malformed)?;
        protocol = extension[0];
        at += extension.len();
    }
    let addresses = Addresses::V4([s0, s1, s2, s3], destination);
    Ok(Payload {
        ipv4_header_len: header_len,
        ..walk_payload(packet, at, protocol, addresses)?
    })
}

/// Walks IPv4 options, and returns the last address of an unfinished source route.
fn walk_options(mut options: &[u8]) -> Result<Option<[u8; 4]>, Refusal> {
    const END: u8 = 0;
    const NO_OPERATION: u8 = 1;
    const LOOSE: u8 = 131;
    const STRICT: u8 = 137;
    let mut destination = None;
    loop {
        match *options {
            [] | [END, ..] => return Ok(destination),
            [NO_OPERATION, ref rest @ ..] => options = rest,
            [kind, len, ..] if len >= 2 => {
                let (option, rest) = options
                    .split_at_checked(len.into())
                    .ok_or(Refusal::Malformed)?;
                options = rest;
                if !matches!(kind, LOOSE | STRICT) {
                    continue;
                }
                // The type, the length, the pointer, and addresses. The pointer counts from 1.
                match *option {
                    [_, _, pointer, ref route @ ..] if pointer >= 4 && route.len() % 4 == 0 => {
                        if pointer < len {
                            destination = route.last_chunk().copied();
                        }
                    }
                    _ => return Err(Refusal::Malformed),
                }
            }
            _ => return Err(Refusal::Malformed),
        }
    }
}

fn walk_ipv6(packet: &[u8]) -> Result<Payload, Stop> {
    const JUMBO_PAYLOAD: u8 = 0xC2;
    const HOME_ADDRESS: u8 = 0xC9;
    let fixed = packet.first_chunk::<40>().ok_or(Refusal::Short)?;
    let behind = &packet[40..];
    let mut next = fixed[6];
    let len = match u16::from_be_bytes([fixed[4], fixed[5]]) {
        0 if next == HOP_BY_HOP => {
            let options = extension(next, behind).ok_or(Refusal::Short)?;
            let jumbo = find_option::<4>(options, JUMBO_PAYLOAD, None)?;
            match jumbo.map(u32::from_be_bytes) {
                Some(len) if len > 0xFFFF => {
                    usize::try_from(len).map_err(|_| Stop::Cannot(Refusal::Short))?
                }
                _ => return Err(Refusal::Malformed.into()),
            }
        }
        0 if next == TCP && behind.len() > 0xFFFF => behind.len(),
        len => len.into(),
    };
    if behind.len() < len {
        return Err(Refusal::Short.into());
    }
    let packet = &packet[..40 + len];

    let (addresses, _) = fixed[8..].as_chunks::<16>();
    let (source, mut destination) = (addresses[0], addresses[1]);
    let mut home = None;
    let mut at = 40;
    while matches!(
        next,
        ROUTING | FRAGMENT | AUTHENTICATION | DESTINATION_OPTIONS
    ) || (next == HOP_BY_HOP && at == 40)
    {
        let header = extension(next, &packet[at..]).ok_or(Refusal::Malformed)?;
        match next {
            // An offset, or more fragments.
            FRAGMENT if number16(header, 2).is_some_and(|bits| bits & 0xFFF9 != 0) => {
                return Err(Refusal::Fragment.into());
            }
            DESTINATION_OPTIONS => home = find_option(header, HOME_ADDRESS, home)?,
            ROUTING => destination = final_destination(header)?.unwrap_or(destination),
            _ => {}
        }
        next = header[0];
        at += header.len();
    }
    let addresses = Addresses::V6(home.unwrap_or(source), destination);
    walk_payload(packet, at, next, addresses)
}

/// Returns the extension header with which `data` begin, of 8 bytes at least, if all of it is
/// there.
fn extension(kind: u8, data: &[u8]) -> Option<&[u8]> {
    let len = usize::from(data.first_chunk::<8>()?[1]);
    data.get(
        ..match kind {
            FRAGMENT => 8,
            AUTHENTICATION => 4 * len + 8,
            _ => 8 * len + 8,
        },
    )
}

/// Walks the options of an extension header, and returns the value of the option of this type.
/// `before` is the value of such an option that the walk has met. There may be one at most.
fn find_option<const N: usize>(
    header: &[u8],
    kind: u8,
    before: Option<[u8; N]>,
) -> Result<Option<[u8; N]>, Refusal> {
    const PAD_ONE: u8 = 0;
    let mut found = before;
    let mut options = &header[2..];
    loop {
        match *options {
            [] => return Ok(found),
            [PAD_ONE, ref rest @ ..] => options = rest,
            [option, len, ref rest @ ..] => {
                let (value, rest) = rest
                    .split_at_checked(len.into())
                    .ok_or(Refusal::Malformed)?;
                options = rest;
                if option == kind {
                    let value = value.try_into().map_err(|_| Refusal::Malformed)?;
                    if found.replace(value).is_some() {
                        return Err(Refusal::Malformed);
                    }
                }
            }
            [_] => return Err(Refusal::Malformed),
        }
    }
}

/// Returns the final destination of a routing header that has segments left.
fn final_destination(header: &[u8]) -> Result<Option<[u8; 16]>, Refusal> {
    const SOURCE_ROUTE: u8 = 0;
    const MOBILE: u8 = 2;
    const SEGMENT_ROUTING: u8 = 4;
    let (addresses, rest) = header[8..].as_chunks::<16>();
    let left = usize::from(header[3]);
    if left == 0 {
        return Ok(None);
    }
    let last = match header[2] {
        SOURCE_ROUTE if rest.is_empty() && left <= addresses.len() => addresses.last(),
        MOBILE if rest.is_empty() && addresses.len() == 1 && left == 1 => addresses.first(),
        // The entries stand in reverse order, and header[4] is the index of the last of them.
        SEGMENT_ROUTING
            if usize::from(header[4]) < addresses.len() && left <= usize::from(header[4]) + 1 =>
        {
            addresses.first()
        }
        SOURCE_ROUTE | MOBILE | SEGMENT_ROUTING => None,
        _ => return Err(Refusal::Routed),
    };
    last.copied().map(Some).ok_or(Refusal::Malformed)
}

/// Finds the checksum of the payload of a packet, which begins at `start`.
fn walk_payload(
    packet: &[u8],
    start: usize,
    protocol: u8,
    addresses: Addresses,
) -> Result<Payload, Stop> {
    let payload = &packet[start..];
    let (field, least, pseudo) = match (protocol, addresses) {
        (TCP, _) => (16, 20, true),
        (UDP | UDP_LITE, _) => (6, 8, true),
        (ICMPV6, Addresses::V6(..)) => (2, 4, true),
        (ICMP, Addresses::V4(..)) => (2, 4, false),
        (IGMP, Addresses::V4(..)) => (2, 8, false),
        _ => return Err(Refusal::Unknown.into()),
    };
    if payload.len() < least {
        return Err(Refusal::Malformed.into());
    }
    let (mut len, mut covers, mut zero) = (payload.len(), payload.len(), None);
    if protocol == UDP {
        let said = number16(payload, 4).ok_or(Refusal::Malformed)?;
        let jumbo = matches!(addresses, Addresses::V6(..)) && said == 0 && len > 0xFFFF;
        if !jumbo {
            if said < 8 || said > len {
                return Err(Refusal::Malformed.into());
            }
            (len, covers) = (said, said);
        }
        zero = Some(match addresses {
            Addresses::V4(..) => Judgment::Absent,
            Addresses::V6(..) => Judgment::Illegal,
        });
    } else if protocol == UDP_LITE {
        covers = udplite::coverage(payload).ok_or(Stop::Judged(Judgment::Illegal))?;
        zero = Some(Judgment::Illegal);
    }
    let len = u32::try_from(len).map_err(|_| Refusal::Malformed)?;
    let pseudo = match addresses {
        _ if !pseudo => Sum::ZERO,
        Addresses::V4(source, destination) => pseudo::ipv4(source, destination, protocol, len),
        Addresses::V6(source, destination) => pseudo::ipv6(source, destination, protocol, len),
    };
    Ok(Payload {
        ipv4_header_len: 0,
        start,
        covers,
        field,
        pseudo,
        zero,
    })
}
