// SPDX-License-Identifier: MIT OR Apache-2.0
//! The variants: each stack with each way to compute its checksums.

use crate::stacks::{Stack, lwip, smoltcp};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Lwip(lwip::Variant),
    Smoltcp(smoltcp::Variant),
}

/// One column of the tables.
pub struct Variant {
    pub stack: &'static str,
    pub key: &'static str,
    pub about: &'static str,
    pub kind: Kind,
}

use Kind::{Lwip, Smoltcp};

pub const VARIANTS: [Variant; 11] = [
    Variant {
        stack: "lwIP",
        key: "stock",
        about: "as it comes: algorithm 2, 16 bits at a time, in C",
        kind: Lwip(lwip::Variant::Stock2),
    },
    Variant {
        stack: "lwIP",
        key: "stock-1",
        about: "its algorithm 1, byte by byte",
        kind: Lwip(lwip::Variant::Stock1),
    },
    Variant {
        stack: "lwIP",
        key: "stock-3",
        about: "its algorithm 3, unrolled, 32 bits at a time",
        kind: Lwip(lwip::Variant::Stock3),
    },
    Variant {
        stack: "lwIP",
        key: "stock-on-copy",
        about: "algorithm 2 with LWIP_CHECKSUM_ON_COPY",
        kind: Lwip(lwip::Variant::Stock2Copy),
    },
    Variant {
        stack: "lwIP",
        key: "scalar",
        about: "additions with carry, 64 bits at a time, on copy: the paper's \"Linux assembly\"",
        kind: Lwip(lwip::Variant::Scalar),
    },
    Variant {
        stack: "lwIP",
        key: "wiresum",
        about: "wiresum_lwip.h: wiresum_sum",
        kind: Lwip(lwip::Variant::Wiresum),
    },
    Variant {
        stack: "lwIP",
        key: "wiresum-copy",
        about: "the same with LWIP_CHECKSUM_ON_COPY: wiresum_copy where lwIP copies",
        kind: Lwip(lwip::Variant::WiresumCopy),
    },
    Variant {
        stack: "lwIP",
        key: "off",
        about: "no checksums at all: the ceiling",
        kind: Lwip(lwip::Variant::Off),
    },
    Variant {
        stack: "smoltcp",
        key: "own",
        about: "its own checksums",
        kind: Smoltcp(smoltcp::Variant::Own),
    },
    Variant {
        stack: "smoltcp",
        key: "device",
        about: "the device's, by wiresum, while it copies",
        kind: Smoltcp(smoltcp::Variant::Device),
    },
    Variant {
        stack: "smoltcp",
        key: "off",
        about: "no checksums at all: the ceiling",
        kind: Smoltcp(smoltcp::Variant::Off),
    },
];

impl Variant {
    /// The variant by its name, `lwip/stock`.
    pub fn named(name: &str) -> Result<&'static Variant, String> {
        VARIANTS
            .iter()
            .find(|variant| variant.name() == name)
            .ok_or_else(|| {
                let names: Vec<String> = VARIANTS.iter().map(Variant::name).collect();
                format!("no variant has that name; there are {}", names.join(", "))
            })
    }

    pub fn name(&self) -> String {
        format!("{}/{}", self.stack.to_lowercase(), self.key)
    }

    pub fn is_off(&self) -> bool {
        self.key == "off"
    }

    /// The first variant of its stack, with which the others are compared.
    pub fn baseline(&self) -> usize {
        VARIANTS
            .iter()
            .position(|other| other.stack == self.stack)
            .expect("it is one of them")
    }

    /// Starts the stack. Only once a process for a build of lwIP.
    pub fn start(&self, seed: u64) -> Box<dyn Stack> {
        match self.kind {
            Lwip(variant) => Box::new(lwip::Lwip::new(variant, seed)),
            Smoltcp(variant) => Box::new(smoltcp::Smoltcp::new(variant, seed)),
        }
    }
}
