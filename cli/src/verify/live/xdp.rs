// SPDX-License-Identifier: MIT OR Apache-2.0
//! `--xdp`: a program in the kernel (`bpf/xdp_live.bpf.c`) counts the packets that are good, and
//! hands up the others.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;

use anyhow::Context;
use aya::maps::{MapData, PerCpuArray, RingBuf};
use aya::programs::links::FdLink;
use aya::programs::{Xdp as Program, XdpMode, loaded_programs};
use aya::{EbpfLoader, include_bytes_aligned, util::nr_cpus};
use rustix::time::{ClockId, clock_gettime};
use wiresum_packet::walk::may_enter;
use wiresum_packet::{Protocol, Status};

use super::attached::Interface;
use super::{BLOCK, Counted, PAUSE, Source, Watched, add_record};
use crate::args::{Mode, VerifyOptions};

/// The most bytes of a packet that are handed up.
pub(super) const LONGEST: u32 = 2 * 0xffff;
/// The link type of the packets.
pub(super) const ETHERNET: u32 = 1;

const OBJECT: &[u8] = include_bytes_aligned!(concat!(env!("OUT_DIR"), "/xdp_live.o"));

/// The checksums of each kind of packet that the program counts, in the order of its kinds.
const KINDS: [&[(Protocol, Status)]; 8] = {
    use Protocol::{Icmp, Icmpv6, Igmp, Ipv4, Tcp, Udp};
    use Status::{Absent, Good};
    [
        &[(Ipv4, Good), (Tcp, Good)],
        &[(Ipv4, Good), (Udp, Good)],
        &[(Ipv4, Good), (Udp, Absent)],
        &[(Ipv4, Good), (Icmp, Good)],
        &[(Ipv4, Good), (Igmp, Good)],
        &[(Tcp, Good)],
        &[(Udp, Good)],
        &[(Icmpv6, Good)],
    ]
};

/// The program on an interface.
pub(super) struct Xdp {
    /// The kernel takes the program away when this is closed, however this process ends.
    link: Option<FdLink>,
    how: &'static str,
    packets: RingBuf<MapData>,
    counts: PerCpuArray<MapData, [u64; 3]>,
    /// The number of packets that were handed up.
    handed_up: u64,
    /// How many packets end the capture.
    limit: u64,
    watched: Arc<Watched>,
}

impl Xdp {
    pub(super) fn open(
        interface: &str,
        options: &VerifyOptions,
        watched: Arc<Watched>,
    ) -> anyhow::Result<Xdp> {
        let found = find(interface)?;
        let limit = options.count.unwrap_or(0); // 0: the program counts no packets for a limit
        let entered = |protocol: u8| bits::<1024>(|port| may_enter(protocol, port));
        let (tcp_ports, udp_ports) = (entered(6), entered(17));
        let types = |protocol: u8| bits::<4>(|kind| may_enter(protocol, kind));
        let (icmp_types, icmpv6_types) = (types(1), types(58));
        let cpus = nr_cpus().map_err(|(path, error)| anyhow::anyhow!("{path}: {error}"))?;
        let mut program = EbpfLoader::new()
            .map_max_entries("rooms", cpus as u32)
            .override_global("limit", &limit, true)
            .override_global("sample", &options.sample.unwrap_or(0), true)
            .override_global("tcp_ports", &tcp_ports, true)
            .override_global("udp_ports", &udp_ports, true)
            .override_global("icmp_types", &icmp_types, true)
            .override_global("icmpv6_types", &icmpv6_types, true)
            .load(OBJECT)
            .context(NOT_LOADED)?;
        let mut map = |name| program.take_map(name).expect("the program has this map");
        let packets = RingBuf::try_from(map("packets"))?;
        let counts = PerCpuArray::try_from(map("counts"))?;
        let xdp = program.program_mut("xdp_live").expect("it has this name");
        let xdp: &mut Program = xdp.try_into()?;
        xdp.load().context(NOT_LOADED)?;
        let (link, how) = attach(xdp, &found, options.xdp.unwrap_or_default())
            .with_context(|| format!("cannot attach the XDP program to {interface}"))?;
        Ok(Xdp {
            link: Some(link),
            how,
            packets,
            counts,
            handed_up: 0,
            limit: options.count.unwrap_or(u64::MAX),
            watched,
        })
    }

    /// How the program runs, for the first line.
    pub(super) fn how(&self) -> &'static str {
        self.how
    }

    /// Adds up what the program has counted. Returns how many packets it has seen.
    fn count(&self) -> io::Result<u64> {
        let mut counted = Counted::default();
        let sums = |key: u32| {
            let cpus = self.counts.get(&key, 0).map_err(io::Error::other)?;
            let add = |[a, b]: [u64; 2], cpu: &[u64; 3]| [a + cpu[0], b + cpu[1]];
            Ok::<_, io::Error>(cpus.iter().fold([0, 0], add))
        };
        for (key, checksums) in KINDS.iter().enumerate() {
            let [packets, bytes] = sums(key as u32)?;
            counted.add_packets(packets, bytes, checksums);
        }
        let [lost, bad] = sums(KINDS.len() as u32)?;
        let seen = counted.packets + self.handed_up + lost;
        self.watched.lost.store(lost, Ordering::Relaxed);
        self.watched.lost_bad.store(bad, Ordering::Relaxed);
        *self.watched.elsewhere() = counted;
        Ok(seen)
    }
}

impl Source for Xdp {
    fn take(&mut self, bytes: &mut VecDeque<u8>) -> io::Result<bool> {
        // The program takes the time that a reset of the clock does not change.
        let ahead = nanoseconds(ClockId::Realtime).saturating_sub(nanoseconds(ClockId::Monotonic));
        let running = self.link.is_some();
        let mut empty = false;
        while bytes.len() < BLOCK {
            let Some(packet) = self.packets.next() else {
                empty = true;
                break;
            };
            let (time, rest) = packet.split_first_chunk().expect("the time");
            let (len, data) = rest.split_first_chunk().expect("the length");
            let time = u64::from_ne_bytes(*time) + ahead;
            let time = ((time / SECOND) as u32, (time % SECOND) as u32);
            add_record(bytes, time, u32::from_ne_bytes(*len), data);
            self.handed_up += 1;
        }
        if self.count()? >= self.limit {
            self.stop();
        }
        Ok(running || !empty)
    }

    fn stop(&mut self) {
        if self.link.take().is_some() {
            thread::sleep(PAUSE); // the program may still be running on another CPU
        }
    }
}

const NOT_LOADED: &str = "cannot load the XDP program, for which Linux 6.1 or later and root, or \
                          CAP_BPF and CAP_NET_ADMIN, are needed";

const SECOND: u64 = 1_000_000_000;

fn nanoseconds(clock: ClockId) -> u64 {
    let time = clock_gettime(clock);
    time.tv_sec as u64 * SECOND + time.tv_nsec as u64
}

/// One bit for each number that is chosen.
fn bits<const N: usize>(chosen: impl Fn(u16) -> bool) -> [u64; N] {
    let mut bits = [0; N];
    for number in 0..N * 64 {
        bits[number / 64] |= u64::from(chosen(number as u16)) << (number % 64);
    }
    bits
}

/// Finds an interface of Ethernet frames that has no XDP program.
fn find(interface: &str) -> anyhow::Result<Interface> {
    const ETHERNET: u16 = 1; // ARPHRD_ETHER
    const LOOPBACK: u16 = 772; // ARPHRD_LOOPBACK, whose frames have the same header
    if interface == "any" {
        anyhow::bail!("--xdp takes one interface, and any is not one");
    }
    let cannot = || format!("cannot capture on {interface}");
    let found = Interface::by_name(interface).with_context(cannot)?;
    if found.kind != ETHERNET && found.kind != LOOPBACK {
        anyhow::bail!("{interface} has no Ethernet frames, which --xdp needs; leave --xdp out");
    }
    if let Some(number) = found.program {
        let programs = loaded_programs().filter_map(Result::ok);
        let program = programs.into_iter().find(|program| program.id() == number);
        let name = program.as_ref().and_then(|program| program.name_as_str());
        let name = name.unwrap_or("?");
        anyhow::bail!(
            "{interface} already has an XDP program, which stays: id {number}, name {name}; \
             leave --xdp out to capture next to it"
        );
    }
    Ok(found)
}

/// Attaches the program by a link, which never takes the place of another program.
fn attach(
    program: &mut Program,
    interface: &Interface,
    mode: Mode,
) -> anyhow::Result<(FdLink, &'static str)> {
    let mut attach = |mode| {
        let id = program.attach_to_if_index(interface.index, mode)?;
        anyhow::Ok(FdLink::try_from(program.take_link(id)?)?)
    };
    let native = match mode {
        Mode::Generic => None,
        Mode::Native => Some(attach(XdpMode::Driver)?),
        Mode::Any => attach(XdpMode::Driver).ok(),
    };
    match native {
        Some(link) => Ok((link, " by XDP in the driver")),
        None => Ok((attach(XdpMode::Skb)?, " by generic XDP")),
    }
}
