// SPDX-License-Identifier: MIT OR Apache-2.0
//! smoltcp leaves its checksums to the device, and the device computes them with wiresum. A TCP
//! connection runs from the interface to itself over a wire that damages each seventh packet.

use std::collections::VecDeque;

use smoltcp::iface::{Config, Interface, SocketSet};
use smoltcp::phy::{Checksum, Device, DeviceCapabilities, Medium, RxToken, TxToken};
use smoltcp::socket::tcp;
use smoltcp::time::{Duration, Instant};
use smoltcp::wire::{HardwareAddress, IpAddress, IpCidr};
use wiresum::packet::{self, Judgment};

const BYTES: usize = 100_000;
const PORT: u16 = 7;

/// A wire that leads back to its beginning.
#[derive(Default)]
struct Wire {
    packets: VecDeque<Vec<u8>>,
    sent: usize,
    refused: usize,
}

struct Received(Vec<u8>);

struct Sending<'a>(&'a mut Wire);

impl Device for Wire {
    type RxToken<'a> = Received;
    type TxToken<'a> = Sending<'a>;

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ip;
        capabilities.max_transmission_unit = 1500;
        capabilities.checksum.ipv4 = Checksum::None; // the device does what the stack would do
        capabilities.checksum.tcp = Checksum::None;
        capabilities
    }

    fn receive(&mut self, _: Instant) -> Option<(Received, Sending<'_>)> {
        loop {
            let packet = self.packets.pop_front()?;
            if packet::verify(&packet) == Ok(Judgment::Good) {
                return Some((Received(packet), Sending(self)));
            }
            self.refused += 1;
        }
    }

    fn transmit(&mut self, _: Instant) -> Option<Sending<'_>> {
        Some(Sending(self))
    }
}

impl RxToken for Received {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, read: F) -> R {
        read(&self.0)
    }
}

impl TxToken for Sending<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, write: F) -> R {
        let mut packet = vec![0; len];
        let result = write(&mut packet);
        packet::fill(&mut packet).expect("smoltcp sends whole packets of TCP over IPv4");
        self.0.sent += 1;
        if self.0.sent.is_multiple_of(7) {
            packet[len - 1] ^= 0x10;
        }
        self.0.packets.push_back(packet);
        result
    }
}

fn socket() -> tcp::Socket<'static> {
    let buffer = || tcp::SocketBuffer::new(vec![0; 16 << 10]);
    tcp::Socket::new(buffer(), buffer())
}

fn main() {
    let mut wire = Wire::default();
    let mut now = Instant::ZERO;
    let mut interface = Interface::new(Config::new(HardwareAddress::Ip), &mut wire, now);
    let address = IpAddress::v4(192, 0, 2, 1);
    interface.update_ip_addrs(|all| all.push(IpCidr::new(address, 24)).expect("there is room"));

    let mut sockets = SocketSet::new(vec![]);
    let (server, client) = (sockets.add(socket()), sockets.add(socket()));
    sockets
        .get_mut::<tcp::Socket>(server)
        .listen(PORT)
        .expect("the port is free");
    sockets
        .get_mut::<tcp::Socket>(client)
        .connect(interface.context(), (address, PORT), 49152)
        .expect("the address belongs to the interface");

    let data: Vec<u8> = (0..BYTES).map(|at| (at % 251) as u8).collect();
    let (mut written, mut read) = (0, Vec::new());
    while read.len() < BYTES {
        interface.poll(now, &mut wire, &mut sockets);
        let from = sockets.get_mut::<tcp::Socket>(client);
        if from.can_send() {
            written += from
                .send_slice(&data[written..])
                .expect("the client is connected");
        }
        let to = sockets.get_mut::<tcp::Socket>(server);
        while to.can_recv() {
            let taken = to.recv(|bytes| (bytes.len(), bytes.to_vec()));
            read.extend(taken.expect("the server is connected"));
        }
        now += Duration::from_millis(1);
    }
    assert_eq!(read, data);
    println!("{} bytes arrived as they were sent", read.len());
    println!("{} packets sent, {} refused", wire.sent, wire.refused);
}
