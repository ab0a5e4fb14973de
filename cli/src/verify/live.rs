// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify --live`: gives the packets that libpcap captures the form of a pcap file, so that they
//! are read as a file is.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Context;
use indicatif::HumanCount;
use pcap::{Active, Capture, Precision};
use wiresum_packet::{Collector, Tally};

use super::examined::{Examined, Failure};
use super::read::read_stream;
use crate::args::VerifyOptions;
use crate::interrupt;

/// The longest time that a packet waits in the kernel for more packets.
const PATIENCE: Duration = Duration::from_millis(100);
/// The time between two looks for packets and for ctrl-C. libpcap itself may wait forever if no
/// packet arrives.
const PAUSE: Duration = Duration::from_millis(20);
/// The most bytes that are read at a time.
const BLOCK: usize = 256 << 10;

/// Captures until ctrl-C, or until the packets of `--count` have arrived.
pub(super) fn verify(
    interface: &str,
    options: &VerifyOptions,
    collector: impl Collector + Send,
) -> anyhow::Result<Result<Examined, Failure>> {
    let stream = Live::open(interface, options)?;
    interrupt::catch()?;
    let watched = Arc::clone(&stream.watched);
    let workers = options.jobs.threads();
    anstream::eprintln!("wiresum: verifying on {interface}; ctrl-C ends it");

    let (ended, waits) = mpsc::channel::<()>();
    thread::scope(|scope| {
        let watched = &watched;
        scope.spawn(move || {
            let started = Instant::now();
            while let Err(RecvTimeoutError::Timeout) = waits.recv_timeout(Duration::from_secs(1)) {
                watched.say(interface, started.elapsed());
            }
        });
        let collector = (Watch(Arc::clone(watched)), collector);
        let result = read_stream(interface, stream, options.reassembly(), workers, collector);
        drop(ended);
        result
    })
    .inspect(|_| watched.say_what_was_lost(interface))
}

/// The counts for the line of each second. The workers update them meanwhile.
#[derive(Default)]
struct Watched {
    tally: Mutex<Tally>,
    dropped: AtomicU64,
}

impl Watched {
    fn say(&self, interface: &str, elapsed: Duration) {
        let tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        let total = tally.total();
        let seconds = elapsed.as_secs();
        let (packets, sums) = (HumanCount(tally.packets), HumanCount(total.total()));
        let wrong = HumanCount(total.bad + total.illegal);
        let mut line = format!(
            "{interface}, {seconds} s: {packets} packets, {sums} checksums, {wrong} bad or illegal"
        );
        let dropped = self.dropped.load(Ordering::Relaxed);
        if dropped > 0 {
            line += &format!(", {} packets lost", HumanCount(dropped));
        }
        anstream::eprintln!("{line}");
    }

    fn say_what_was_lost(&self, interface: &str) {
        let dropped = self.dropped.load(Ordering::Relaxed);
        if dropped > 0 {
            let dropped = HumanCount(dropped);
            anstream::eprintln!(
                "wiresum: {interface}: {dropped} packets arrived too fast and are not counted; \
                 --filter and --snaplen help"
            );
        }
    }
}

/// A tally that the printing thread can read.
struct Watch(Arc<Watched>);

impl Collector for Watch {
    type Part = Tally;

    fn part(&self) -> Tally {
        Tally::default()
    }

    fn take(&mut self, part: &mut Tally) -> io::Result<()> {
        let mut tally = self.0.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.take(part)
    }
}

/// A capture on an interface, as the bytes of a pcap file without an end.
struct Live {
    capture: Capture<Active>,
    watched: Arc<Watched>,
    /// The bytes that were captured and not read yet.
    bytes: VecDeque<u8>,
    /// How many more packets to capture.
    left: u64,
}

impl Live {
    fn open(interface: &str, options: &VerifyOptions) -> anyhow::Result<Live> {
        let capture = Capture::from_device(interface)?
            .promisc(true)
            .snaplen(options.snaplen as i32)
            .timeout(PATIENCE.as_millis() as i32)
            .buffer_size(64 << 20)
            .precision(Precision::Nano)
            .open();
        let mut capture = capture.with_context(|| format!("cannot capture on {interface}"))?;
        if let Some(filter) = &options.filter {
            let filtered = capture.filter(filter, true);
            filtered.with_context(|| format!("not a filter: {filter}"))?;
        }
        let capture = capture.setnonblock()?;
        let mut bytes = VecDeque::with_capacity(BLOCK);
        const NANOSECONDS: u32 = 0xa1b2_3c4d;
        const VERSION: u32 = 4 << 16 | 2; // 2.4, with the minor part in the upper half
        let link_type = capture.get_datalink().0 as u32;
        for word in [NANOSECONDS, VERSION, 0, 0, options.snaplen, link_type] {
            bytes.extend(word.to_le_bytes());
        }
        Ok(Live {
            capture,
            watched: Arc::default(),
            bytes,
            left: options.count.unwrap_or(u64::MAX),
        })
    }

    /// Waits for packets. Returns false at the end of the capture.
    fn wait(&mut self) -> io::Result<bool> {
        while self.left > 0 && self.bytes.len() < BLOCK && !interrupt::happened() {
            match self.capture.next_packet() {
                Ok(packet) => {
                    let header = packet.header;
                    let (seconds, nanoseconds) =
                        (header.ts.tv_sec as u32, header.ts.tv_usec as u32);
                    for word in [seconds, nanoseconds, packet.data.len() as u32, header.len] {
                        self.bytes.extend(word.to_le_bytes());
                    }
                    self.bytes.extend(packet.data);
                    self.left -= 1;
                }
                Err(pcap::Error::TimeoutExpired) if self.bytes.is_empty() => thread::sleep(PAUSE),
                Err(pcap::Error::TimeoutExpired | pcap::Error::NoMorePackets) => break,
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        if let Ok(stat) = self.capture.stats() {
            let dropped = u64::from(stat.dropped) + u64::from(stat.if_dropped);
            self.watched.dropped.store(dropped, Ordering::Relaxed);
        }
        Ok(!self.bytes.is_empty())
    }
}

impl Read for Live {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.bytes.is_empty() && !self.wait()? {
            return Ok(0);
        }
        self.bytes.read(buf)
    }
}
