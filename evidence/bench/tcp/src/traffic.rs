// SPDX-License-Identifier: MIT OR Apache-2.0
//! The paper's five tests, with its jumbo frames of 8000 bytes and today's of 9000.

use std::time::Duration;

use anyhow::{Result, ensure};
use serde::Serialize;

use crate::network::{CLIENT, FRAMES, SERVER};
use crate::stacks::{Queues, Stack};
use crate::task::CHUNK;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub enum Test {
    /// One stream in full segments of 1460 bytes.
    Bulk,
    /// Keystrokes of one or two bytes, each echoed before the next.
    Interactive,
    /// Messages of the sizes of the Internet mix, a segment each.
    Mixed,
    /// Connections that open and close, with no data.
    Connect,
    /// One stream in frames of 8000 bytes.
    Jumbo8000,
    /// One stream in frames of 9000 bytes.
    Jumbo9000,
}

impl Test {
    pub const ALL: [Test; 6] = [
        Test::Bulk,
        Test::Interactive,
        Test::Mixed,
        Test::Connect,
        Test::Jumbo8000,
        Test::Jumbo9000,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Test::Bulk => "bulk",
            Test::Interactive => "interactive",
            Test::Mixed => "mixed",
            Test::Connect => "connect",
            Test::Jumbo8000 => "jumbo 8000",
            Test::Jumbo9000 => "jumbo 9000",
        }
    }

    /// Its name on the command line.
    pub fn key(self) -> String {
        let value = clap::ValueEnum::to_possible_value(&self);
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }

    pub fn mtu(self) -> usize {
        match self {
            Test::Jumbo8000 => 8000,
            Test::Jumbo9000 => 9000,
            _ => 1500,
        }
    }

    /// Whether the rate of the test is bits of a stream, and not exchanges.
    pub fn is_stream(self) -> bool {
        !matches!(self, Test::Interactive | Test::Connect)
    }

    /// The unit of its rate.
    pub fn unit(self) -> &'static str {
        if self.is_stream() {
            "Gbit/s"
        } else {
            "thousand/s"
        }
    }

    /// The bytes or exchanges of a measured run: some 20 to 50 ms.
    pub fn amount(self) -> u64 {
        match self {
            Test::Bulk | Test::Mixed => 24 << 20,
            Test::Jumbo8000 | Test::Jumbo9000 => 48 << 20,
            Test::Interactive => 40_000,
            Test::Connect => 15_000,
        }
    }
}

/// The data of the simple Internet mix. Of its twelve packets seven have 40 bytes, four 576, one
/// 1500. The 40-byte packets hold no data: they are the acknowledgements that the stacks send by
/// themselves.
const MIX: [usize; 5] = [536, 536, 1460, 536, 536];

/// The result of one run.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Payload that arrived at both sides, all of it compared.
    pub payload: u64,
    /// Echoed keystrokes, or connections.
    pub exchanges: u64,
    /// Frames on the network.
    pub frames: u64,
    pub frame_bytes: u64,
    /// Processor time.
    pub time: Duration,
    /// The deepest that was seen of each queue of the client; the input queue is the server's.
    pub deepest: Queues,
    pub deepest_input: usize,
}

struct Driver<'a> {
    stack: &'a mut dyn Stack,
    /// How often in a row the clock went on because no frame moved.
    idle: u32,
    watch: bool,
    deepest: Queues,
}

/// A connection is dead after so many turns without a frame.
const PATIENCE: u32 = 20_000;

impl Driver<'_> {
    /// Both sides take the frames that have arrived. The clock goes on where there is none.
    fn turn(&mut self) -> Result<()> {
        if self.watch {
            let queues = self.stack.queues(CLIENT);
            self.deepest.unsent = self.deepest.unsent.max(queues.unsent);
            self.deepest.unacknowledged = self.deepest.unacknowledged.max(queues.unacknowledged);
        }
        let moved = self.stack.input(SERVER) | self.stack.input(CLIENT);
        if moved {
            self.idle = 0;
        } else {
            self.idle += 1;
            ensure!(self.idle < PATIENCE, "the connection is stuck");
            self.stack.advance();
        }
        Ok(())
    }

    /// A connection opens and closes on a good network: on a bad one it may stay half open, since a
    /// stack sends its SYN and FIN again only a few times.
    fn on_a_good_network(&mut self, step: fn(&mut Self) -> Result<()>) -> Result<()> {
        let world = self.stack.world();
        let faults = std::mem::take(&mut world.network.borrow_mut().faults);
        let done = step(self);
        world.network.borrow_mut().faults = faults;
        done
    }

    fn open(&mut self) -> Result<()> {
        self.on_a_good_network(Self::handshake)
    }

    fn close(&mut self) -> Result<()> {
        self.on_a_good_network(Self::teardown)
    }

    fn handshake(&mut self) -> Result<()> {
        self.stack.world().reset();
        self.stack.connect()?;
        while !(self.stack.is_established(CLIENT) && self.stack.is_established(SERVER)) {
            self.turn()?;
        }
        Ok(())
    }

    fn teardown(&mut self) -> Result<()> {
        let world = self.stack.world();
        self.stack.close(CLIENT);
        while !world.tasks[SERVER].borrow().ended {
            self.turn()?;
        }
        self.stack.close(SERVER);
        while self.stack.is_open()
            || world.network.borrow().waiting(CLIENT) + world.network.borrow().waiting(SERVER) > 0
        {
            self.turn()?;
        }
        Ok(())
    }

    /// Hands `len` bytes of that side's stream to the stack, as much as it takes.
    fn write(&mut self, side: usize, len: usize) -> usize {
        let world = self.stack.world();
        let written = self.stack.write(side, world.outgoing(side, len));
        world.tasks[side].borrow_mut().sent += written as u64;
        written
    }

    fn stream(&mut self, amount: u64) -> Result<()> {
        let world = self.stack.world();
        loop {
            let mut left = amount - world.tasks[CLIENT].borrow().sent;
            while left > 0 {
                let written = self.write(CLIENT, left.min(CHUNK as u64) as usize);
                if written == 0 {
                    break;
                }
                left -= written as u64;
            }
            self.stack.output(CLIENT);
            if left == 0 && world.tasks[SERVER].borrow().received >= amount {
                return Ok(());
            }
            self.turn()?;
        }
    }

    fn messages(&mut self, amount: u64) -> Result<()> {
        let world = self.stack.world();
        let (mut left, mut number) = (amount, 0);
        while left > 0 {
            let mut message = (MIX[number % MIX.len()] as u64).min(left) as usize;
            number += 1;
            left -= message as u64;
            while message > 0 {
                let written = self.write(CLIENT, message);
                message -= written;
                if written == 0 {
                    self.turn()?;
                }
            }
            self.stack.output(CLIENT);
            // Before the window is full: else the stacks join waiting messages into full segments.
            if number % 32 == 0 {
                self.turn()?;
            }
        }
        while world.tasks[SERVER].borrow().received < amount {
            self.turn()?;
        }
        Ok(())
    }

    /// Side `from` sends `len` bytes, and the other has them.
    fn pass(&mut self, from: usize, len: usize) -> Result<()> {
        let world = self.stack.world();
        let mut left = len;
        while left > 0 {
            left -= self.write(from, left);
        }
        self.stack.output(from);
        let sent = world.tasks[from].borrow().sent;
        while world.tasks[1 - from].borrow().received < sent {
            if !self.stack.input(1 - from) {
                self.turn()?;
            }
        }
        Ok(())
    }

    fn keystrokes(&mut self, amount: u64) -> Result<()> {
        for number in 0..amount {
            let len = 1 + (number % 2) as usize;
            self.pass(CLIENT, len)?;
            self.pass(SERVER, len)?;
        }
        Ok(())
    }
}

/// The processor time of this thread. The time of other programs on the same processor does not
/// count.
fn processor_time() -> Duration {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: writes the structure, which is as the system declares it.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Runs a test, and verifies that each byte arrived. A connection that carries data opens before
/// the clock starts and closes after it stops.
pub fn run(stack: &mut dyn Stack, test: Test, amount: u64, watch: bool) -> Result<Run> {
    let world = stack.world();
    stack.mtu(test.mtu());
    {
        let mut network = world.network.borrow_mut();
        network.counts = Default::default();
        network.deepest_input = [0; 2];
    }
    *world.rejected.borrow_mut() = Default::default();
    let mut driver = Driver {
        stack,
        idle: 0,
        watch,
        deepest: Queues::default(),
    };
    let (mut payload, mut exchanges) = (0, 0);
    let time;
    if test == Test::Connect {
        let start = processor_time();
        measured(|| -> Result<()> {
            for _ in 0..amount {
                driver.open()?;
                driver.close()?;
            }
            Ok(())
        })?;
        time = processor_time() - start;
        exchanges = amount;
    } else {
        driver.open()?;
        let start = processor_time();
        measured(|| match test {
            Test::Interactive => driver.keystrokes(amount),
            Test::Mixed => driver.messages(amount),
            _ => driver.stream(amount),
        })?;
        time = processor_time() - start;
        let [client, server] = [CLIENT, SERVER].map(|side| *world.tasks[side].borrow());
        ensure!(
            client.mismatches + server.mismatches == 0,
            "the payload is not what was sent"
        );
        ensure!(
            server.received == client.sent && client.received == server.sent && client.sent > 0,
            "{} of {} bytes arrived, and {} of {} back",
            server.received,
            client.sent,
            client.received,
            server.sent
        );
        payload = server.received + client.received;
        if test == Test::Interactive {
            exchanges = amount;
        }
        driver.close()?;
    }
    let deepest = driver.deepest;
    let network = world.network.borrow();
    // lwIP may hold frames that came early, or again, until its connection is gone; all come back.
    ensure!(
        network.unused() == FRAMES,
        "{} frames were never given back",
        FRAMES - network.unused()
    );
    Ok(Run {
        payload,
        exchanges,
        frames: network.counts.frames,
        frame_bytes: network.counts.bytes,
        time,
        deepest,
        deepest_input: network.deepest_input[SERVER],
    })
}

/// Runs the measured work. callgrind is told the name of this function, and counts only in it.
#[inline(never)]
#[unsafe(export_name = "wiresum_bench_measured")]
pub extern "Rust" fn measured_hook(work: &mut dyn FnMut()) {
    work();
}

fn measured<R>(work: impl FnOnce() -> R) -> R {
    let mut work = Some(work);
    let mut result = None;
    measured_hook(&mut || result = work.take().map(|work| work()));
    result.expect("measured_hook calls its argument")
}
