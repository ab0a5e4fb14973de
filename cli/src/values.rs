// SPDX-License-Identifier: MIT OR Apache-2.0
//! Values that options of several commands take.

use std::num::NonZeroUsize;
use std::thread;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use wiresum_packet::Protocol;

/// How many threads a command uses.
#[derive(clap::Args)]
pub struct Jobs {
    /// Use at most N threads; without this option, one for each CPU
    #[arg(short, long, value_name = "N", value_parser = jobs)]
    jobs: Option<NonZeroUsize>,
}

impl Jobs {
    /// The most threads that can be asked for: the threads of a system are not endless.
    pub const MOST: usize = 4096;

    /// At most so many threads, or one for each CPU.
    pub fn at_most(jobs: Option<NonZeroUsize>) -> Jobs {
        Jobs { jobs }
    }

    /// The number of threads.
    pub fn threads(&self) -> NonZeroUsize {
        let cpus = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.jobs.unwrap_or_else(cpus)
    }
}

fn jobs(number: &str) -> Result<NonZeroUsize, &'static str> {
    let number = number
        .parse()
        .ok()
        .filter(|n: &NonZeroUsize| n.get() <= Jobs::MOST);
    number.ok_or("give a number from 1 to 4096")
}

/// The values of options that name protocols.
pub(crate) fn protocol() -> impl TypedValueParser<Value = Protocol> {
    PossibleValuesParser::new(Protocol::ALL.map(Protocol::key)).map(|key| {
        let named = |protocol: &Protocol| protocol.key() == key;
        Protocol::ALL
            .into_iter()
            .find(named)
            .expect("clap has checked it")
    })
}
