// SPDX-License-Identifier: MIT OR Apache-2.0
//! A host that answers pings over IPv4. It trusts no byte of a packet, and updates the checksum of
//! an answer from the one byte that changes.

use std::error::Error;

use wiresum::Checksum;
use wiresum::packet::{self, Judgment};

const PROTOCOL: usize = 9;
const SOURCE: usize = 12;
const DESTINATION: usize = 16;
const ICMP: u8 = 1;
const ECHO: u8 = 8;
const REPLY: u8 = 0;

/// Makes the answer of a ping, in place. Returns why the host stays silent, if it does.
fn answer(packet: &mut [u8]) -> Result<(), Box<dyn Error>> {
    let judgment = packet::verify(packet)?;
    if judgment != Judgment::Good {
        return Err(judgment.to_string().into());
    }
    let header = usize::from(packet[0] & 15) * 4;
    if packet[0] >> 4 != 4 || packet[PROTOCOL] != ICMP || packet[header] != ECHO {
        return Err("the packet is no ping over IPv4".into());
    }
    // A sum does not depend on the order of its words: the header's checksum stays right.
    let (head, tail) = packet.split_at_mut(DESTINATION);
    head[SOURCE..].swap_with_slice(&mut tail[..4]);

    let message = &mut packet[header..];
    let checksum = Checksum::from_wire([message[2], message[3]]).update(0, &[ECHO], &[REPLY]);
    message[0] = REPLY;
    message[2..4].copy_from_slice(&checksum.to_wire());
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut ping = *b"\x45\0\0\x21\0\x01\x40\0\x40\x01\0\0\xc0\0\x02\x01\xc0\0\x02\x02\
                      \x08\0\0\0\0\x07\0\x01hello";
    packet::fill(&mut ping)?;

    let mut damaged = ping;
    damaged[30] ^= 1;
    for (name, mut packet) in [("ping", ping), ("damaged", damaged)] {
        match answer(&mut packet) {
            Ok(()) => println!("{name}: answered; {}", packet::verify(&packet)?),
            Err(why) => println!("{name}: dropped; {why}"),
        }
    }
    let short = answer(&mut ping[..30]).expect_err("a ping that was cut gets no answer");
    println!("cut: dropped; {short}");
    Ok(())
}
