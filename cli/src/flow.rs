// SPDX-License-Identifier: MIT OR Apache-2.0
//! The sender and the receiver of a packet, as text.

use std::net::SocketAddr;

use wiresum_packet::Addresses;

/// The two addresses, each with its port if the protocol has ports: `192.0.2.1:80 >
/// 192.0.2.2:5000`.
pub(crate) fn between(addresses: Option<Addresses>, ports: Option<(u16, u16)>) -> String {
    let Some(addresses) = addresses else {
        return "no addresses".to_owned();
    };
    let (source, destination) = (addresses.source(), addresses.destination());
    match ports {
        None => format!("{source} > {destination}"),
        Some((from, to)) => format!(
            "{} > {}",
            SocketAddr::new(source, from),
            SocketAddr::new(destination, to)
        ),
    }
}
