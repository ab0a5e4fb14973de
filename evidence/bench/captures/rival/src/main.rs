// SPDX-License-Identifier: MIT OR Apache-2.0
//! A verifier as one would write it in an afternoon, on etherparse and pcap-file. It counts the bad
//! checksums of the outermost IPv4, TCP and UDP headers of an Ethernet pcap. It names no cause,
//! enters no tunnel, reassembles no fragments and knows no other protocol.

use etherparse::{NetSlice, SlicedPacket, TransportSlice};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).ok_or("a capture is missing")?;
    let file = std::io::BufReader::with_capacity(1 << 20, std::fs::File::open(path)?);
    let mut reader = pcap_file::pcap::PcapReader::new(file)?;
    let [mut packets, mut ipv4, mut tcp, mut udp] = [0_u64, 0, 0, 0];
    while let Some(packet) = reader.next_packet() {
        packets += 1;
        let Ok(packet) = packet else { break };
        let Ok(sliced) = SlicedPacket::from_ethernet(&packet.data) else {
            continue;
        };
        let Some(net) = sliced.net else { continue };
        if let NetSlice::Ipv4(ip) = &net {
            let header = ip.header().to_header();
            ipv4 += u64::from(header.header_checksum != header.calc_header_checksum());
        }
        match sliced.transport {
            Some(TransportSlice::Tcp(segment)) => {
                let right =
                    match &net {
                        NetSlice::Ipv4(ip) => segment
                            .calc_checksum_ipv4(ip.header().source(), ip.header().destination()),
                        NetSlice::Ipv6(ip) => segment
                            .calc_checksum_ipv6(ip.header().source(), ip.header().destination()),
                        _ => continue,
                    };
                tcp += u64::from(right.is_ok_and(|right| right != segment.checksum()));
            }
            Some(TransportSlice::Udp(datagram)) => {
                let (header, payload) = (datagram.to_header(), datagram.payload());
                let right = match &net {
                    NetSlice::Ipv4(ip) => header.calc_checksum_ipv4_raw(
                        ip.header().source(),
                        ip.header().destination(),
                        payload,
                    ),
                    NetSlice::Ipv6(ip) => header.calc_checksum_ipv6_raw(
                        ip.header().source(),
                        ip.header().destination(),
                        payload,
                    ),
                    _ => continue,
                };
                udp += u64::from(
                    header.checksum != 0 && right.is_ok_and(|right| right != header.checksum),
                );
            }
            _ => {}
        }
    }
    println!("{{\"packets\": {packets}, \"ipv4\": {ipv4}, \"tcp\": {tcp}, \"udp\": {udp}}}");
    Ok(())
}
