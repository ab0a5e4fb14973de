// SPDX-License-Identifier: MIT OR Apache-2.0
//! `verify --live`: gives the packets of an interface the form of a pcap file, so that they are
//! read as a file is.

#[cfg(feature = "xdp")]
mod attached;
#[cfg(feature = "live")]
mod libpcap;
#[cfg(feature = "xdp")]
mod xdp;

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::HumanCount;
use wiresum_packet::{Collector, Tally};

use super::counted::Counted;
use super::examined::{Examined, Failure};
use super::read::read_stream;
use crate::args::VerifyOptions;
use crate::interrupt;

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
    let watched = Arc::new(Watched::default());
    let (stream, how) = open(interface, options, &watched)?;
    interrupt::catch()?;
    let workers = options.jobs.threads();
    anstream::eprintln!("wiresum: verifying on {interface}{how}; ctrl-C ends it");

    let (ended, waits) = mpsc::channel::<()>();
    let result = thread::scope(|scope| {
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
    });
    watched.say_what_was_lost(interface, options.xdp.is_some());
    result.map(|result| {
        result.map(|mut examined| {
            examined.counted += &watched.elsewhere();
            examined
        })
    })
}

/// Opens the source that the options name, and says how it captures.
fn open(
    interface: &str,
    options: &VerifyOptions,
    watched: &Arc<Watched>,
) -> anyhow::Result<(Stream, &'static str)> {
    if options.xdp.is_some() {
        return open_xdp(interface, options, watched);
    }
    #[cfg(feature = "live")]
    {
        let (source, bytes) = libpcap::Libpcap::open(interface, options, Arc::clone(watched))?;
        let source = Box::new(source);
        Ok((Stream { source, bytes }, ""))
    }
    #[cfg(not(feature = "live"))]
    Err(super::without_live())
}

#[cfg(feature = "xdp")]
fn open_xdp(
    interface: &str,
    options: &VerifyOptions,
    watched: &Arc<Watched>,
) -> anyhow::Result<(Stream, &'static str)> {
    let source = xdp::Xdp::open(interface, options, Arc::clone(watched))?;
    let how = source.how();
    let source = Box::new(source);
    let bytes = pcap_header(xdp::LONGEST, xdp::ETHERNET);
    Ok((Stream { source, bytes }, how))
}

#[cfg(not(feature = "xdp"))]
fn open_xdp(
    _: &str,
    _: &VerifyOptions,
    _: &Arc<Watched>,
) -> anyhow::Result<(Stream, &'static str)> {
    Err(super::without_xdp())
}

/// The counts for the line of each second. The workers update them meanwhile.
#[derive(Default)]
struct Watched {
    tally: Mutex<Tally>,
    /// The packets that the kernel has judged, so that they did not come here.
    elsewhere: Mutex<Counted>,
    lost: AtomicU64,
    /// The lost packets whose checksums are known to be bad.
    lost_bad: AtomicU64,
}

impl Watched {
    fn elsewhere(&self) -> MutexGuard<'_, Counted> {
        self.elsewhere
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn say(&self, interface: &str, elapsed: Duration) {
        let mut counted =
            Counted::from(&*self.tally.lock().unwrap_or_else(PoisonError::into_inner));
        counted += &self.elsewhere();
        let total = counted.total();
        let seconds = elapsed.as_secs();
        let (packets, sums) = (HumanCount(counted.packets), HumanCount(total.total()));
        let wrong = HumanCount(total.bad + total.illegal);
        let mut line = format!(
            "{interface}, {seconds} s: {packets} packets, {sums} checksums, {wrong} bad or illegal"
        );
        let lost = self.lost.load(Ordering::Relaxed);
        if lost > 0 {
            line += &format!(", {} packets lost", HumanCount(lost));
        }
        anstream::eprintln!("{line}");
    }

    fn say_what_was_lost(&self, interface: &str, xdp: bool) {
        let lost = self.lost.load(Ordering::Relaxed);
        if lost == 0 {
            return;
        }
        let bad = HumanCount(self.lost_bad.load(Ordering::Relaxed));
        let more = match xdp {
            true => format!("{bad} of them have a bad checksum"),
            false => "--filter and --snaplen help".to_owned(),
        };
        let lost = HumanCount(lost);
        anstream::eprintln!(
            "wiresum: {interface}: {lost} packets arrived too fast and are not counted; {more}"
        );
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

/// Where packets come from.
trait Source: Send {
    /// Adds the packets that have arrived, as records of a pcap file, until there are `BLOCK`
    /// bytes. Returns whether more may come.
    fn take(&mut self, bytes: &mut VecDeque<u8>) -> io::Result<bool>;

    /// Lets no more packets in.
    fn stop(&mut self);
}

/// The packets of a source, as the bytes of a pcap file without an end.
struct Stream {
    source: Box<dyn Source>,
    /// The bytes that were captured and not read yet.
    bytes: VecDeque<u8>,
}

/// The header of a pcap file.
fn pcap_header(longest: u32, link_type: u32) -> VecDeque<u8> {
    const NANOSECONDS: u32 = 0xa1b2_3c4d;
    const VERSION: u32 = 4 << 16 | 2; // 2.4, with the minor part in the upper half
    let mut bytes = VecDeque::with_capacity(BLOCK);
    for word in [NANOSECONDS, VERSION, 0, 0, longest, link_type] {
        bytes.extend(word.to_le_bytes());
    }
    bytes
}

/// Adds a record of a pcap file. The time is in seconds and nanoseconds.
fn add_record(bytes: &mut VecDeque<u8>, time: (u32, u32), original_len: u32, data: &[u8]) {
    for word in [time.0, time.1, data.len() as u32, original_len] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.extend(data);
}

impl Read for Stream {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while self.bytes.is_empty() {
            if interrupt::happened() {
                self.source.stop();
            }
            let more = self.source.take(&mut self.bytes)?;
            if !self.bytes.is_empty() {
                break;
            }
            if !more {
                return Ok(0);
            }
            thread::sleep(PAUSE);
        }
        self.bytes.read(buf)
    }
}
