// SPDX-License-Identifier: MIT OR Apache-2.0
//! Packets that libpcap captures.

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use anyhow::Context;
use pcap::{Active, Capture, Precision};

use super::{BLOCK, Source, Watched, add_record, pcap_header};
use crate::args::VerifyOptions;

/// The longest time that a packet waits in the kernel for more packets.
const PATIENCE: Duration = Duration::from_millis(100);

/// A capture on an interface.
pub(super) struct Libpcap {
    capture: Capture<Active>,
    watched: Arc<Watched>,
    /// How many more packets to capture.
    left: u64,
}

impl Libpcap {
    /// Begins to capture. Returns the header of the pcap file, too.
    pub(super) fn open(
        interface: &str,
        options: &VerifyOptions,
        watched: Arc<Watched>,
    ) -> anyhow::Result<(Libpcap, VecDeque<u8>)> {
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
        let header = pcap_header(options.snaplen, capture.get_datalink().0 as u32);
        let left = options.count.unwrap_or(u64::MAX);
        Ok((
            Libpcap {
                capture,
                watched,
                left,
            },
            header,
        ))
    }
}

impl Source for Libpcap {
    fn take(&mut self, bytes: &mut VecDeque<u8>) -> io::Result<bool> {
        while self.left > 0 && bytes.len() < BLOCK {
            match self.capture.next_packet() {
                Ok(packet) => {
                    let ts = packet.header.ts;
                    let time = (ts.tv_sec as u32, ts.tv_usec as u32);
                    add_record(bytes, time, packet.header.len, packet.data);
                    self.left -= 1;
                }
                Err(pcap::Error::TimeoutExpired | pcap::Error::NoMorePackets) => break,
                Err(error) => return Err(io::Error::other(error)),
            }
        }
        if let Ok(stat) = self.capture.stats() {
            let lost = u64::from(stat.dropped) + u64::from(stat.if_dropped);
            self.watched.lost.store(lost, Ordering::Relaxed);
        }
        Ok(self.left > 0)
    }

    fn stop(&mut self) {
        self.left = 0;
    }
}
