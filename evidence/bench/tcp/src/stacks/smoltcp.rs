// SPDX-License-Identifier: MIT OR Apache-2.0
//! smoltcp on a device that copies each frame from the stack's memory to the network's, and back.
//! The stack computes the checksums, or the device while it copies, or nobody.

use smoltcp::iface::{
    Config, Interface, PollIngressSingleResult, PollResult, SocketHandle, SocketSet,
};
use smoltcp::phy::{
    Checksum, ChecksumCapabilities, Device, DeviceCapabilities, Medium, RxToken, TxToken,
};
use smoltcp::socket::tcp;
use smoltcp::time::{Duration, Instant};
use smoltcp::wire::{HardwareAddress, IpAddress, IpCidr};

use super::{Queues, Stack};
use crate::network::{CLIENT, FRAME_SIZE, SERVER};
use crate::offload;
use crate::task::{Rejected, World};

/// Socket buffers; build.rs sets the same for lwIP.
const WINDOW: usize = 64 * 1024;
const PORT: u16 = 5001;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// smoltcp's own checksums.
    Own,
    /// The device's, while it copies.
    Device,
    /// None.
    Off,
}

/// The network card of one side.
struct Card {
    side: usize,
    variant: Variant,
    mtu: usize,
    world: &'static World,
    /// The memory into which the stack writes a packet, and from which it reads one.
    outgoing: Box<[u8]>,
    incoming: Box<[u8]>,
    incoming_len: usize,
    /// Frames sent.
    sent: u64,
}

pub struct Incoming<'a>(&'a [u8]);

impl RxToken for Incoming<'_> {
    fn consume<R, F: FnOnce(&[u8]) -> R>(self, f: F) -> R {
        f(self.0)
    }
}

pub struct Outgoing<'a> {
    buffer: &'a mut [u8],
    world: &'static World,
    side: usize,
    variant: Variant,
    sent: &'a mut u64,
}

impl TxToken for Outgoing<'_> {
    fn consume<R, F: FnOnce(&mut [u8]) -> R>(self, len: usize, f: F) -> R {
        let packet = &mut self.buffer[..len];
        let result = f(packet);
        let mut network = self.world.network.borrow_mut();
        // A card whose ring is full drops the frame, and TCP sends it again.
        if let Some(frame) = network.allocate(len) {
            let to = network.bytes(frame);
            match self.variant {
                Variant::Device => offload::transmit(to, packet),
                Variant::Own | Variant::Off => to.copy_from_slice(packet),
            }
            network.send(self.side, frame);
            *self.sent += 1;
        }
        result
    }
}

impl Card {
    /// Takes a frame off the ring into the stack's memory; false if the device refuses it.
    fn take(&mut self, frame: u32, len: usize) -> bool {
        let mut network = self.world.network.borrow_mut();
        let to = &mut self.incoming[..len];
        let right = match self.variant {
            Variant::Device => offload::receive(to, network.bytes(frame)),
            Variant::Own | Variant::Off => {
                to.copy_from_slice(network.bytes(frame));
                true
            }
        };
        network.release(frame);
        self.incoming_len = if right { len } else { 0 };
        right
    }
}

impl Device for Card {
    type RxToken<'a> = Incoming<'a>;
    type TxToken<'a> = Outgoing<'a>;

    fn receive(&mut self, _: Instant) -> Option<(Incoming<'_>, Outgoing<'_>)> {
        let len = std::mem::take(&mut self.incoming_len);
        (len > 0).then_some((
            Incoming(&self.incoming[..len]),
            Outgoing {
                buffer: &mut self.outgoing,
                world: self.world,
                side: self.side,
                variant: self.variant,
                sent: &mut self.sent,
            },
        ))
    }

    fn transmit(&mut self, _: Instant) -> Option<Outgoing<'_>> {
        Some(Outgoing {
            buffer: &mut self.outgoing,
            world: self.world,
            side: self.side,
            variant: self.variant,
            sent: &mut self.sent,
        })
    }

    fn capabilities(&self) -> DeviceCapabilities {
        let mut capabilities = DeviceCapabilities::default();
        capabilities.medium = Medium::Ip;
        capabilities.max_transmission_unit = self.mtu;
        if self.variant != Variant::Own {
            let mut checksum = ChecksumCapabilities::default();
            checksum.ipv4 = Checksum::None;
            checksum.tcp = Checksum::None;
            capabilities.checksum = checksum;
        }
        capabilities
    }
}

struct Side {
    card: Card,
    interface: Interface,
    sockets: SocketSet<'static>,
    socket: SocketHandle,
    ended: bool,
}

impl Side {
    fn socket(&self) -> &tcp::Socket<'static> {
        self.sockets.get(self.socket)
    }

    fn socket_mut(&mut self) -> &mut tcp::Socket<'static> {
        self.sockets.get_mut(self.socket)
    }

    fn egress(&mut self, now: Instant) {
        while self
            .interface
            .poll_egress(now, &mut self.card, &mut self.sockets)
            != PollResult::None
        {}
    }

    /// Hands over the data that have arrived, without a copy.
    fn read(&mut self, world: &World) {
        let side = self.card.side;
        while self.socket().can_recv() {
            let read = self.socket_mut().recv(|data| {
                world.receive(side, data);
                (data.len(), ())
            });
            if read.is_err() {
                break;
            }
        }
        if !self.ended && !self.socket().may_recv() && self.socket().state() != tcp::State::Listen {
            match self.socket().state() {
                tcp::State::SynSent | tcp::State::SynReceived => {}
                _ => {
                    self.ended = true;
                    world.end(side);
                }
            }
        }
    }

    /// The state that an accepted segment changes. smoltcp answers other protocols with ICMP, which
    /// is no acceptance.
    fn footprint(&self, is_tcp: bool) -> (usize, usize, tcp::State, u64) {
        (
            self.socket().recv_queue(),
            self.socket().send_queue(),
            self.socket().state(),
            if is_tcp { self.card.sent } else { 0 },
        )
    }
}

pub struct Smoltcp {
    world: &'static World,
    sides: [Side; 2],
    variant: Variant,
    now: Instant,
    local_port: u16,
    started: bool,
}

fn address(side: usize) -> IpAddress {
    IpAddress::v4(10, 0, 0, 1 + side as u8)
}

impl Smoltcp {
    pub fn new(variant: Variant, seed: u64) -> Smoltcp {
        let world = World::leak(seed);
        Smoltcp {
            world,
            sides: [CLIENT, SERVER].map(|side| Smoltcp::side(side, variant, world, 1500)),
            variant,
            now: Instant::from_millis(0),
            local_port: 49_152,
            started: false,
        }
    }

    fn side(side: usize, variant: Variant, world: &'static World, mtu: usize) -> Side {
        let mut card = Card {
            side,
            variant,
            mtu,
            world,
            outgoing: vec![0; FRAME_SIZE].into_boxed_slice(),
            incoming: vec![0; FRAME_SIZE].into_boxed_slice(),
            incoming_len: 0,
            sent: 0,
        };
        let mut config = Config::new(HardwareAddress::Ip);
        config.random_seed = 1 + side as u64;
        let mut interface = Interface::new(config, &mut card, Instant::from_millis(0));
        interface.update_ip_addrs(|addresses| {
            addresses
                .push(IpCidr::new(address(side), 24))
                .expect("an interface has room for one address");
        });
        let buffer = || tcp::SocketBuffer::new(vec![0; WINDOW]);
        let mut socket = tcp::Socket::new(buffer(), buffer());
        socket.set_ack_delay(None);
        socket.set_nagle_enabled(false);
        let mut sockets = SocketSet::new(Vec::new());
        let socket = sockets.add(socket);
        Side {
            card,
            interface,
            sockets,
            socket,
            ended: false,
        }
    }
}

impl Stack for Smoltcp {
    fn world(&self) -> &'static World {
        self.world
    }

    fn mtu(&mut self, mtu: usize) {
        if self.sides[0].card.mtu != mtu {
            self.sides =
                [CLIENT, SERVER].map(|side| Smoltcp::side(side, self.variant, self.world, mtu));
            self.started = false;
        }
    }

    fn connect(&mut self) -> anyhow::Result<()> {
        // The connection before may still be in TIME-WAIT, which a timer ends.
        for _ in 0..100 {
            if !self.started
                || self
                    .sides
                    .iter()
                    .all(|side| side.socket().state() == tcp::State::Closed)
            {
                break;
            }
            self.advance();
        }
        self.started = true;
        self.local_port = if self.local_port == u16::MAX {
            49_152
        } else {
            self.local_port + 1
        };
        for side in &mut self.sides {
            side.ended = false;
        }
        self.sides[SERVER].socket_mut().listen(PORT)?;
        let (now, local_port) = (self.now, self.local_port);
        let client = &mut self.sides[CLIENT];
        let socket = client.sockets.get_mut::<tcp::Socket>(client.socket);
        socket.connect(
            client.interface.context(),
            (address(SERVER), PORT),
            local_port,
        )?;
        client.egress(now);
        Ok(())
    }

    fn write(&mut self, side: usize, data: &[u8]) -> usize {
        self.sides[side].socket_mut().send_slice(data).unwrap_or(0)
    }

    fn output(&mut self, side: usize) {
        self.sides[side].egress(self.now);
    }

    fn input(&mut self, index: usize) -> bool {
        let (world, now) = (self.world, self.now);
        let side = &mut self.sides[index];
        let mut any = false;
        while let Some(packet) = world.next(index) {
            any = true;
            let is_tcp =
                packet.damaged && world.network.borrow_mut().bytes(packet.frame).get(9) == Some(&6);
            let before = packet.damaged.then(|| side.footprint(is_tcp));
            let taken = side.card.take(packet.frame, packet.len);
            if taken {
                let result =
                    side.interface
                        .poll_ingress_single(now, &mut side.card, &mut side.sockets);
                debug_assert!(result != PollIngressSingleResult::None);
            }
            if let Some(before) = before {
                let mut rejected = world.rejected.borrow_mut();
                *rejected = if !taken {
                    Rejected {
                        by_checksum: rejected.by_checksum + 1,
                        ..*rejected
                    }
                } else if side.footprint(is_tcp) == before {
                    Rejected {
                        silently: rejected.silently + 1,
                        ..*rejected
                    }
                } else {
                    Rejected {
                        accepted: rejected.accepted + 1,
                        ..*rejected
                    }
                };
            }
            side.read(world);
        }
        if any {
            side.egress(now);
        }
        any
    }

    fn close(&mut self, side: usize) {
        self.sides[side].socket_mut().close();
        self.output(side);
    }

    fn advance(&mut self) {
        let due = self
            .sides
            .iter_mut()
            .filter_map(|side| side.interface.poll_delay(self.now, &side.sockets))
            .min()
            .unwrap_or(Duration::from_millis(10));
        self.now += due.max(Duration::from_millis(1));
        for index in [CLIENT, SERVER] {
            self.sides[index].interface.poll_maintenance(self.now);
            self.output(index);
        }
    }

    fn is_established(&self, side: usize) -> bool {
        matches!(
            self.sides[side].socket().state(),
            tcp::State::Established | tcp::State::CloseWait
        )
    }

    fn is_open(&self) -> bool {
        self.sides.iter().any(|side| {
            !matches!(
                side.socket().state(),
                tcp::State::Closed | tcp::State::TimeWait
            )
        })
    }

    fn queues(&self, side: usize) -> Queues {
        // smoltcp has one buffer for both; what of it is under way, it does not tell.
        Queues {
            unsent: 0,
            unacknowledged: self.sides[side].socket().send_queue(),
        }
    }
}
