// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sender and the receiver of a packet, as text.

use std::net::{IpAddr, SocketAddr};

use wiresum_packet::Addresses;

/// The two addresses, each with its port if the protocol has ports: `192.0.2.1:80 >
/// 192.0.2.2:5000`.
pub(crate) fn between(addresses: Option<(IpAddr, IpAddr)>, ports: Option<(u16, u16)>) -> String {
    let Some((source, destination)) = addresses else {
        return "no addresses".to_owned();
    };
    match ports {
        None => format!("{source} > {destination}"),
        Some((from, to)) => format!(
            "{} > {}",
            SocketAddr::new(source, from),
            SocketAddr::new(destination, to)
        ),
    }
}

/// The source and the destination of a checksum's network header.
pub(crate) fn ends(addresses: Addresses) -> (IpAddr, IpAddr) {
    (addresses.source(), addresses.destination())
}
