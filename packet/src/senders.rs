// SPDX-License-Identifier: MIT OR Apache-2.0
//! Who sent wrong checksums.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::ops::AddAssign;

use crate::Cause;

/// How many wrong checksums each address sent with each cause. The counts are exact: if there are
/// more than [`Senders::MOST`], none is kept. So the result does not depend on the order in which
/// checksums are counted.
///
/// The address is the source in the network header, which only on the same link certainly names the
/// sender.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Senders(Option<BTreeMap<Sent, u64>>);

/// What one count is of. A value that must not be sent may have no cause.
type Sent = (IpAddr, Option<Cause>);

impl Default for Senders {
    fn default() -> Senders {
        Senders(Some(BTreeMap::new()))
    }
}

impl Senders {
    /// How many counts are kept.
    pub const MOST: usize = 1024;

    /// Counts wrong checksums of one sender.
    pub fn count(&mut self, address: IpAddr, cause: Option<Cause>, n: u64) {
        let Some(counts) = &mut self.0 else { return };
        *counts.entry((address, cause)).or_default() += n;
        if counts.len() > Senders::MOST {
            self.0 = None;
        }
    }

    /// Returns each count, or `None` if there were too many.
    #[must_use]
    pub fn each(&self) -> Option<impl Iterator<Item = (IpAddr, Option<Cause>, u64)>> {
        let counts = self.0.as_ref()?.iter();
        Some(counts.map(|(&(address, cause), &n)| (address, cause, n)))
    }
}

impl AddAssign<&Senders> for Senders {
    fn add_assign(&mut self, other: &Senders) {
        match &other.0 {
            Some(counts) => {
                for (&(address, cause), &n) in counts {
                    self.count(address, cause, n);
                }
            }
            None => self.0 = None,
        }
    }
}
