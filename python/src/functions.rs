// SPDX-License-Identifier: MIT OR Apache-2.0
//! The functions on bytes-like objects. Each is the function of the crate `wiresum` with its name.

use std::ffi::CStr;
use std::fmt::Display;

use pyo3::ffi::PyMethodDef;
use pyo3::prelude::*;
use wiresum::packet::{self, Judgment, Refusal};
use wiresum::{Checksum, Sum};

use crate::buffer::{Data, Raised};
use crate::call::{self, Answer, Args, Function, definition, value_error};

/// Adds the functions to the module.
pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    call::add(module, definitions())
}

/// Declares functions: the name, the documentation, how many arguments, and what each does.
macro_rules! functions {
    ($($type:ident $name:literal $doc:literal $fewest:literal..=$most:literal $call:expr;)*) => {
        $(
            struct $type;

            impl Function for $type {
                const NAME: &'static CStr = $name;
                const DOC: &'static CStr = $doc;
                const FEWEST: usize = $fewest;
                const MOST: usize = $most;

                #[inline]
                fn call(args: &Args<'_>) -> Result<Answer, Raised> {
                    let call: fn(&Args<'_>) -> Result<Answer, Raised> = $call;
                    call(args)
                }
            }
        )*

        fn definitions() -> Vec<PyMethodDef> {
            vec![$(definition::<$type>()),*]
        }
    };
}

functions! {
    ChecksumOf c"checksum" c"checksum(data, /)\n--\n\n\
Return the checksum of the bytes (RFC 1071): what to store in a field that was zero,
or left out, in them. 0x1c46 stands for the bytes 1C 46; .to_bytes(2) gives those
bytes.

The last byte of an odd length is the first byte of its word. The bytes are not
copied. If there are more than 16 KiB of them, other threads run meanwhile." 1..=1 |args| {
        let data = args.data(0)?;
        Ok(checksum(args.over(data.len(), || wiresum::checksum(data.as_slice()))))
    };

    SumOf c"sum" c"sum(data, /)\n--\n\n\
Return the one's complement sum of the bytes, of which the checksum is the
complement.

Empty and all-zero bytes sum to 0x0000; all other bytes whose words add up to a
multiple of 0xffff sum to 0xffff." 1..=1 |args| {
        let data = args.data(0)?;
        Ok(sum(args.over(data.len(), || wiresum::sum(data.as_slice()))))
    };

    Ok_ c"ok" c"ok(data, /)\n--\n\n\
Return whether the bytes, which include their checksum field, sum to 0xffff (RFC
1071 section 1).

Empty and all-zero bytes sum to 0x0000, so the result is False for them." 1..=1 |args| {
        let data = args.data(0)?;
        Ok(Answer::Truth(args.over(data.len(), || wiresum::ok(data.as_slice()))))
    };

    Copy c"copy" c"copy(destination, source, /)\n--\n\n\
Copy the source to the destination, which has the same length, and return the sum of
the bytes, in one pass over them." 2..=2 |args| {
        let mut to = args.writable(0)?;
        let from = args.data(1)?;
        if to.len() != from.len() {
            let message = format!(
                "the destination has {} bytes and the source {}; slice a memoryview of the longer \
                 one",
                to.len(),
                from.len()
            );
            return Err(value_error(args, &message));
        }
        let Some(to) = to.as_mut_slice(&[&from]) else {
            return Err(value_error(args, "the destination and the source overlap"));
        };
        Ok(sum(args.over(from.len(), || wiresum::copy(to, from.as_slice()))))
    };

    Append c"append" c"append(head, head_length, tail, /)\n--\n\n\
Return the sum of head_length bytes with the sum head, and of the bytes after them
with the sum tail. The lengths may be odd." 3..=3 |args| {
        let length = args.size(1, "a length")?;
        Ok(sum(args.sum(0)?.append(length, args.sum(2)?)))
    };

    Remove c"remove" c"remove(whole, head_length, tail, /)\n--\n\n\
Return the sum of the first head_length bytes of data with the sum whole, of which
the bytes after them have the sum tail: the inverse of append.

A sum does not tell what it is made of, so a head of zeros gives 0xffff if tail is
not 0x0000." 3..=3 |args| {
        let length = args.size(1, "a length")?;
        Ok(sum(args.sum(0)?.remove(length, args.sum(2)?)))
    };

    RemoveHead c"remove_head" c"remove_head(whole, head_length, head, /)\n--\n\n\
Return the sum of the bytes after the first head_length bytes of data with the sum
whole. head is the sum of those first bytes.

A sum does not tell what it is made of, so a rest of zeros, or of no bytes, gives
0xffff if head is not 0x0000." 3..=3 |args| {
        let length = args.size(1, "a length")?;
        Ok(sum(args.sum(0)?.remove_head(length, args.sum(2)?)))
    };

    Update c"update" c"update(checksum, offset, was, now, /)\n--\n\n\
Return the checksum of data in which the bytes at an offset, even or odd, go from
was to now (RFC 1624 equation 3). The offset counts from the first byte of the data.

Data that become all zero get 0x0000 and not 0xffff (RFC 1624 section 3). For UDP
use update_udp." 4..=4 |args| {
        change(args, Checksum::update)
    };

    UpdateUdp c"update_udp" c"update_udp(checksum, offset, was, now, /)\n--\n\n\
Return the checksum of a UDP datagram in which the bytes at an offset go from was to
now.

0x0000, which means \"not computed\", stays 0x0000. A computed 0x0000 becomes 0xffff
(RFC 768)." 4..=4 |args| {
        change(args, Checksum::update_udp)
    };

    UpdateSum c"update_sum" c"update_sum(checksum, was, now, /)\n--\n\n\
Return the checksum of data in which bytes with the sum was, at an even offset, give
way to bytes with the sum now: of a translation from IPv6 to IPv4, whose
pseudo-headers have different lengths, or of sums that are known anyway.

Data that become all zero get 0x0000 and not 0xffff, as in update. For UDP use
update_udp_sum." 3..=3 |args| {
        change_of_sums(args, Checksum::update_sum)
    };

    UpdateUdpSum c"update_udp_sum" c"update_udp_sum(checksum, was, now, /)\n--\n\n\
Return the checksum of a UDP datagram in which bytes with the sum was, at an even
offset, give way to bytes with the sum now.

0x0000, which means \"not computed\", stays 0x0000. A computed 0x0000 becomes 0xffff
(RFC 768)." 3..=3 |args| {
        change_of_sums(args, Checksum::update_udp_sum)
    };

    PseudoIpv4 c"pseudo_ipv4" c"pseudo_ipv4(source, destination, protocol, length, /)\n--\n\n\
Return the sum of the IPv4 pseudo-header (RFC 9293 section 3.1): protocol 6 is TCP,
protocol 17 is UDP. The length covers the header and its payload,
in bytes.

An address is text, four bytes, or an ipaddress.IPv4Address."
    4..=4 |args| {
        let (protocol, length) = (protocol(args)?, length(args)?);
        Ok(sum(wiresum::pseudo::ipv4(args.ipv4(0)?, args.ipv4(1)?, protocol, length)))
    };

    PseudoIpv6 c"pseudo_ipv6" c"pseudo_ipv6(source, destination, protocol, length, /)\n--\n\n\
Return the sum of the IPv6 pseudo-header (RFC 8200 section 8.1): protocol 58 is
ICMPv6. The length covers the upper-layer header and its payload, in
bytes.

An address is text, 16 bytes, or an ipaddress.IPv6Address."
    4..=4 |args| {
        let (protocol, length) = (protocol(args)?, length(args)?);
        Ok(sum(wiresum::pseudo::ipv6(args.ipv6(0)?, args.ipv6(1)?, protocol, length)))
    };

    Ipv4Header c"ipv4_header" c"ipv4_header(header, /)\n--\n\n\
Return the checksum of an IPv4 header with its options (RFC 791), whatever its field
holds.

Raises ValueError if there are fewer than 20 bytes." 1..=1 |args| {
        let header = long_enough(args, 0, "IPv4", 20)?;
        Ok(checksum(wiresum::ipv4::header(header.as_slice())))
    };

    Ipv4HeaderOk c"ipv4_header_ok" c"ipv4_header_ok(header, /)\n--\n\n\
Return whether the checksum of an IPv4 header is right. In fewer than 20 bytes it is
not." 1..=1 |args| {
        Ok(Answer::Truth(wiresum::ipv4::header_ok(args.data(0)?.as_slice())))
    };

    Tcp c"tcp" c"tcp(pseudo, segment, payload=b'', /)\n--\n\n\
Return the checksum of a TCP segment (RFC 9293 section 3.1), whatever its field
holds. pseudo is the sum of the pseudo-header. The segment may end after its
header, and the payload follow apart.

Raises ValueError if the segment has fewer than 20 bytes." 2..=3 |args| {
        field(args, "TCP", 20, wiresum::tcp::checksum)
    };

    TcpOk c"tcp_ok" c"tcp_ok(pseudo, segment, payload=b'', /)\n--\n\n\
Return whether the checksum of a TCP segment is right. In fewer than 20 bytes it is
not." 2..=3 |args| {
        judge(args, wiresum::tcp::ok)
    };

    Udp c"udp" c"udp(pseudo, datagram, payload=b'', /)\n--\n\n\
Return the checksum of a UDP datagram (RFC 768), whatever its field holds: 0xffff
where it computes to 0x0000. pseudo is the sum of the pseudo-header. The payload may
follow apart.

Raises ValueError if the datagram has fewer than 8 bytes." 2..=3 |args| {
        field(args, "UDP", 8, wiresum::udp::checksum)
    };

    UdpOk c"udp_ok" c"udp_ok(pseudo, datagram, payload=b'', /)\n--\n\n\
Return whether the checksum of a UDP datagram was computed and is right. A field of
0x0000 is not." 2..=3 |args| {
        judge(args, wiresum::udp::ok)
    };

    UdpLite c"udplite" c"udplite(pseudo, datagram, /)\n--\n\n\
Return the checksum of a UDP-Lite datagram (RFC 3828), whatever its field holds:
0xffff where it computes to 0x0000. pseudo is the sum of the pseudo-header with
protocol 136 and the length of the whole datagram. The checksum covers as many bytes
as the header says, and all if it says 0.

Raises ValueError if the datagram has fewer than 8 bytes, or if its coverage is 1 to
7 or more than it has." 2..=2 |args| {
        let pseudo = args.sum(0)?;
        let datagram = long_enough(args, 1, "UDP-Lite", 8)?;
        let data = datagram.as_slice();
        match args.over(data.len(), || wiresum::udplite::checksum(pseudo, data)) {
            Some(field) => Ok(checksum(field)),
            None => {
                let message = format!(
                    "the coverage of a UDP-Lite datagram of {} bytes is 0, or from 8 to that \
                     number, not {}",
                    data.len(),
                    u16::from_be_bytes([data[4], data[5]])
                );
                Err(value_error(args, &message))
            }
        }
    };

    UdpLiteOk c"udplite_ok" c"udplite_ok(pseudo, datagram, /)\n--\n\n\
Return whether the checksum of a UDP-Lite datagram is right. A field of 0x0000 and a
coverage that udplite refuses are not." 2..=2 |args| {
        let pseudo = args.sum(0)?;
        let datagram = args.data(1)?;
        let data = datagram.as_slice();
        Ok(Answer::Truth(args.over(data.len(), || wiresum::udplite::ok(pseudo, data))))
    };

    Icmp c"icmp" c"icmp(message, payload=b'', /)\n--\n\n\
Return the checksum of an ICMP message over IPv4 (RFC 792), whatever its field
holds. No pseudo-header counts. The payload may follow apart.

Raises ValueError if the message has fewer than 4 bytes." 1..=2 |args| {
        let header = long_enough(args, 0, "ICMP", 4)?;
        let payload = Payload::of(args, 1)?;
        let (header, payload) = (header.as_slice(), payload.as_slice());
        let length = header.len() + payload.len();
        Ok(checksum(args.over(length, || wiresum::icmp::checksum(header, payload))))
    };

    IcmpOk c"icmp_ok" c"icmp_ok(message, payload=b'', /)\n--\n\n\
Return whether the checksum of an ICMP message is right. In fewer than 4 bytes it is
not." 1..=2 |args| {
        let header = args.data(0)?;
        let payload = Payload::of(args, 1)?;
        let (header, payload) = (header.as_slice(), payload.as_slice());
        let length = header.len() + payload.len();
        Ok(Answer::Truth(args.over(length, || wiresum::icmp::ok(header, payload))))
    };

    Icmpv6 c"icmpv6" c"icmpv6(pseudo, message, payload=b'', /)\n--\n\n\
Return the checksum of an ICMPv6 message (RFC 4443 section 2.3), whatever its field
holds. pseudo is the sum of the IPv6 pseudo-header with protocol 58. The payload may
follow apart.

Raises ValueError if the message has fewer than 4 bytes." 2..=3 |args| {
        field(args, "ICMPv6", 4, wiresum::icmpv6::checksum)
    };

    Icmpv6Ok c"icmpv6_ok" c"icmpv6_ok(pseudo, message, payload=b'', /)\n--\n\n\
Return whether the checksum of an ICMPv6 message is right. In fewer than 4 bytes it
is not." 2..=3 |args| {
        judge(args, wiresum::icmpv6::ok)
    };

    PacketVerify c"packet_verify" c"packet_verify(packet, /)\n--\n\n\
Judge the checksums of a packet that begins with its IPv4 or IPv6 header: the checksum of
the IPv4 header, and then the checksum of TCP, UDP, UDP-Lite, ICMP, IGMP or ICMPv6. Bytes after
the end of the packet do not count. Return one of these words:

good        each checksum is right
bad         the checksum of the payload is wrong
bad-header  the checksum of the IPv4 header is wrong
absent      the sender computed no UDP checksum, as it may over IPv4
illegal     a field of 0x0000 or a UDP-Lite coverage that no sender may send
fragment    the packet is a fragment: the checksum covers other packets, too
unknown     the protocol has no checksum, is encrypted, or is not one of these
routed      a routing header does not tell the final destination
short       the data end before the packet does
malformed   a version, length or option is wrong

For frames of other link types, tunnels and causes use verify_packets or explain."
    1..=1 |args| {
        let packet = args.data(0)?;
        let packet = packet.as_slice();
        Ok(Answer::Text(match args.over(packet.len(), || packet::verify(packet)) {
            Ok(Judgment::Good) => c"good",
            Ok(Judgment::Bad) => c"bad",
            Ok(Judgment::BadHeader) => c"bad-header",
            Ok(Judgment::Absent) => c"absent",
            Ok(Judgment::Illegal) => c"illegal",
            Err(Refusal::Fragment) => c"fragment",
            Err(Refusal::Unknown) => c"unknown",
            Err(Refusal::Routed) => c"routed",
            Err(Refusal::Short) => c"short",
            Err(Refusal::Malformed) => c"malformed",
        }))
    };

    PacketFill c"packet_fill" c"packet_fill(packet, /)\n--\n\n\
Fill in the checksums of a packet that begins with its IPv4 or IPv6 header, whatever
their fields hold: the checksum of the IPv4 header, and the checksums that packet_verify knows. The
packet is a bytearray or another writable buffer.

Raises ValueError if the checksum of the payload cannot be computed: then nothing is
written." 1..=1 |args| {
        fill_in(args, packet::fill)
    };

    PacketFinish c"packet_finish" c"packet_finish(frame, start, offset, /)\n--\n\n\
Finish a checksum that a stack has left to its device (CHECKSUM_PARTIAL of Linux,
VIRTIO_NET_HDR_F_NEEDS_CSUM of a TAP device): store the checksum of the bytes from
start to the end of the frame at start + offset, where the sum of the pseudo-header
is. 0xffff is stored for 0x0000. The frame is a writable buffer without padding.

Raises ValueError if the field is not in the frame, or if the offset is odd: then
nothing is written." 3..=3 |args| {
        let (start, offset) = (args.size(1, "a start")?, args.size(2, "an offset")?);
        fill_in(args, |frame| packet::finish(frame, start, offset))
    };
}

#[inline]
fn sum(sum: Sum) -> Answer {
    Answer::Number(sum.value())
}

#[inline]
fn checksum(checksum: Checksum) -> Answer {
    Answer::Number(checksum.value())
}

/// Writes checksums to the first argument.
fn fill_in<E: Display>(
    args: &Args<'_>,
    fill: impl FnOnce(&mut [u8]) -> Result<(), E>,
) -> Result<Answer, Raised> {
    let mut packet = args.writable(0)?;
    let length = packet.len();
    let Some(packet) = packet.as_mut_slice(&[]) else {
        return Err(value_error(args, "the bytes are read-only"));
    };
    match args.over(length, || fill(packet)) {
        Ok(()) => Ok(Answer::None),
        Err(error) => Err(value_error(args, &error.to_string())),
    }
}

fn protocol(args: &Args<'_>) -> Result<u8, Raised> {
    Ok(args.number(2, "a protocol number", 0xff)? as u8)
}

fn length(args: &Args<'_>) -> Result<u32, Raised> {
    args.number(3, "the length of a packet", u32::MAX)
}

/// The bytes of an argument, which hold a header of at least this length.
#[inline]
fn long_enough(args: &Args<'_>, index: usize, of: &str, least: usize) -> Result<Data, Raised> {
    let header = args.data(index)?;
    if header.len() < least {
        let len = header.len();
        let message = format!("a header of {of} has {least} bytes at least, not {len}");
        return Err(value_error(args, &message));
    }
    Ok(header)
}

/// The last argument of a function, which may be left out.
struct Payload(Option<Data>);

impl Payload {
    #[inline]
    fn of(args: &Args<'_>, index: usize) -> Result<Payload, Raised> {
        let given = index < args.count();
        Ok(Payload(given.then(|| args.data(index)).transpose()?))
    }

    #[inline]
    fn as_slice(&self) -> &[u8] {
        self.0.as_ref().map_or(&[], Data::as_slice)
    }
}

/// The checksum of a segment after a pseudo-header.
#[inline]
fn field(
    args: &Args<'_>,
    of: &str,
    least: usize,
    compute: fn(Sum, &[u8], &[u8]) -> Checksum,
) -> Result<Answer, Raised> {
    let pseudo = args.sum(0)?;
    let header = long_enough(args, 1, of, least)?;
    let payload = Payload::of(args, 2)?;
    let (header, payload) = (header.as_slice(), payload.as_slice());
    let length = header.len() + payload.len();
    Ok(checksum(
        args.over(length, || compute(pseudo, header, payload)),
    ))
}

/// Whether the checksum of a segment after a pseudo-header is right.
#[inline]
fn judge(args: &Args<'_>, ok: fn(Sum, &[u8], &[u8]) -> bool) -> Result<Answer, Raised> {
    let pseudo = args.sum(0)?;
    let header = args.data(1)?;
    let payload = Payload::of(args, 2)?;
    let (header, payload) = (header.as_slice(), payload.as_slice());
    let length = header.len() + payload.len();
    Ok(Answer::Truth(
        args.over(length, || ok(pseudo, header, payload)),
    ))
}

/// The checksum after bytes with one sum gave way to bytes with another.
fn change_of_sums(
    args: &Args<'_>,
    update: fn(Checksum, Sum, Sum) -> Checksum,
) -> Result<Answer, Raised> {
    let before = Checksum::from_value(args.word(0, "a checksum")?);
    Ok(checksum(update(before, args.sum(1)?, args.sum(2)?)))
}

/// The checksum after some bytes have changed.
fn change(
    args: &Args<'_>,
    update: fn(Checksum, usize, &[u8], &[u8]) -> Checksum,
) -> Result<Answer, Raised> {
    let before = Checksum::from_value(args.word(0, "a checksum")?);
    let offset = args.size(1, "an offset")?;
    let (was, now) = (args.data(2)?, args.data(3)?);
    if was.len() != now.len() {
        let message = format!(
            "the bytes before and after an update must be of one length, not {} and {}",
            was.len(),
            now.len()
        );
        return Err(value_error(args, &message));
    }
    let (was, now) = (was.as_slice(), now.as_slice());
    Ok(checksum(
        args.over(2 * was.len(), || update(before, offset, was, now)),
    ))
}
