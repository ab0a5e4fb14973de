// SPDX-License-Identifier: MIT OR Apache-2.0
//! What the kernel says about an interface: its number, its kind, and its XDP program. This is one
//! question to rtnetlink(7), for which no library is needed.

use std::io;

use rustix::net::{
    AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, netdevice, recv, send,
    socket_with,
};

/// An interface.
pub(super) struct Interface {
    pub(super) index: u32,
    /// The kind of its frames, as `ARPHRD_` of <linux/if_arp.h>.
    pub(super) kind: u16,
    /// The number of its XDP program.
    pub(super) program: Option<u32>,
}

/// The length of the header of a message, and of what follows it here: struct ifinfomsg.
const HEADER: usize = 16;

impl Interface {
    pub(super) fn by_name(name: &str) -> io::Result<Interface> {
        const GET: u16 = 18; // RTM_GETLINK
        const NEW: u16 = 16; // RTM_NEWLINK
        const REQUEST: u16 = 1; // NLM_F_REQUEST
        let socket = socket_with(
            AddressFamily::NETLINK,
            SocketType::RAW,
            SocketFlags::CLOEXEC,
            None, // NETLINK_ROUTE
        )?;
        let index = netdevice::name_to_index(&socket, name)?;
        let mut request = Vec::with_capacity(2 * HEADER);
        request.extend((2 * HEADER as u32).to_ne_bytes());
        request.extend([GET, REQUEST].map(u16::to_ne_bytes).concat());
        request.extend([0; 12]); // no sequence, port, family or type
        request.extend([index, 0, 0].map(u32::to_ne_bytes).concat());
        send(&socket, &request, SendFlags::empty())?;

        let mut answer = vec![0; 1 << 16];
        let (_, len) = recv(&socket, &mut answer[..], RecvFlags::empty())?;
        let message = &answer[..len];
        let strange = || io::Error::new(io::ErrorKind::InvalidData, "an answer that is not known");
        if len < 2 * HEADER || half(message, 4) != NEW {
            return Err(strange());
        }
        Ok(Interface {
            index,
            kind: half(message, HEADER + 2),
            program: program(&message[2 * HEADER..]),
        })
    }
}

/// Finds the number of the XDP program among the attributes of an interface.
fn program(attributes: &[u8]) -> Option<u32> {
    const XDP: u16 = 43; // IFLA_XDP
    const PROGRAM: u16 = 4; // IFLA_XDP_PROG_ID
    const OF_MODE: std::ops::RangeInclusive<u16> = 5..=7; // the same of one mode
    let xdp = each(attributes).find(|(kind, _)| *kind == XDP)?.1;
    let number = |(kind, value): (u16, &[u8])| {
        let is_number = kind == PROGRAM || OF_MODE.contains(&kind);
        let number = u32::from_ne_bytes(value.try_into().ok()?);
        (is_number && number != 0).then_some(number)
    };
    each(xdp).find_map(number)
}

/// The attributes of a message: their types and values.
fn each(mut bytes: &[u8]) -> impl Iterator<Item = (u16, &[u8])> {
    const NESTED: u16 = 1 << 15; // and the byte order
    std::iter::from_fn(move || {
        let len = usize::from(half(bytes.get(..4)?, 0));
        let kind = half(bytes, 2) & (NESTED - 1) >> 1;
        let value = bytes.get(4..len)?;
        bytes = bytes.get(len.next_multiple_of(4)..).unwrap_or_default();
        Some((kind, value))
    })
}

fn half(bytes: &[u8], at: usize) -> u16 {
    u16::from_ne_bytes([bytes[at], bytes[at + 1]])
}
