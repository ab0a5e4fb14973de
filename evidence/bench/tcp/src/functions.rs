// SPDX-License-Identifier: MIT OR Apache-2.0
//! Says what an address of this program is part of: a checksum, a copy, or neither. The program's
//! own debugging information names the function, inlined ones included.

use std::collections::BTreeMap;
use std::ffi::CStr;

use addr2line::Loader;
use anyhow::{Result, anyhow};
use serde::Serialize;

use crate::traffic::Test;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    Checksum,
    Copy,
    /// A kernel that sums while it copies.
    Fused,
    /// The application's comparison of the data that arrived.
    Comparison,
    Other,
}

/// How many samples or instructions each part has, of `all`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Parts {
    pub checksum: u64,
    pub copy: u64,
    pub fused: u64,
    pub comparison: u64,
    pub all: u64,
}

impl Parts {
    pub fn add(&mut self, part: Part, count: u64) {
        self.all += count;
        match part {
            Part::Checksum => self.checksum += count,
            Part::Copy => self.copy += count,
            Part::Fused => self.fused += count,
            Part::Comparison => self.comparison += count,
            Part::Other => {}
        }
    }
}

/// The shares of the parts, from 0 to 1. The stack has the rest.
#[derive(Clone, Debug, Serialize)]
pub struct Shares {
    pub variant: String,
    pub test: Test,
    pub checksum: f64,
    pub copy: f64,
    pub fused: f64,
    pub comparison: f64,
    /// Samples, or instructions.
    pub of: u64,
}

impl Shares {
    pub fn new(variant: String, test: Test, parts: &Parts) -> Shares {
        let share = |count: u64| count as f64 / parts.all as f64;
        Shares {
            variant,
            test,
            checksum: share(parts.checksum),
            copy: share(parts.copy),
            fused: share(parts.fused),
            comparison: share(parts.comparison),
            of: parts.all,
        }
    }
}

/// Functions of the C library, which has no debugging information here. An address belongs to the
/// nearest of them at or before it.
pub const LIBRARY: [(&CStr, Part); 5] = [
    (c"memcpy", Part::Copy),
    (c"memmove", Part::Copy),
    (c"memcmp", Part::Comparison),
    (c"bcmp", Part::Comparison),
    (c"memset", Part::Other),
];

/// The bytes of a function above, at most.
const LONGEST: u64 = 8192;

/// Where the C library lies, and where in it the functions are that the dynamic linker chose for
/// this CPU.
pub fn library() -> (u64, BTreeMap<u64, Part>) {
    let mut base = 0;
    let mut functions = BTreeMap::new();
    for (name, part) in LIBRARY {
        // SAFETY: dlsym takes a C string and dladdr an address; the structure is plain data.
        unsafe {
            let address = libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr());
            let mut info: libc::Dl_info = std::mem::zeroed();
            if !address.is_null() && libc::dladdr(address, &mut info) != 0 {
                base = info.dli_fbase as u64;
                functions.insert(address as u64 - base, part);
            }
        }
    }
    (base, functions)
}

pub fn in_library(functions: &BTreeMap<u64, Part>, offset: u64) -> Part {
    functions
        .range(..=offset)
        .next_back()
        .filter(|(start, _)| offset - **start < LONGEST)
        .map_or(Part::Other, |(_, part)| *part)
}

/// This program's functions by address, inlined ones included.
pub struct Program {
    pub loader: Loader,
    known: BTreeMap<u64, Part>,
}

impl Program {
    pub fn load() -> Result<Program> {
        let loader = Loader::new("/proc/self/exe")
            .map_err(|error| anyhow!("this program's debugging information: {error}"))?;
        Ok(Program {
            loader,
            known: BTreeMap::new(),
        })
    }

    pub fn part(&mut self, address: u64) -> Part {
        if let Some(part) = self.known.get(&address) {
            return *part;
        }
        let mut names: Vec<String> = self
            .loader
            .find_symbol(address)
            .map(str::to_owned)
            .into_iter()
            .collect();
        // By its file: functions of a kernel that are not inlined have names of all kinds.
        let mut is_kernel = false;
        if let Ok(mut frames) = self.loader.find_frames(address) {
            while let Ok(Some(frame)) = frames.next() {
                let file = frame.location.as_ref().and_then(|location| location.file);
                is_kernel |= file.is_some_and(|file| file.contains("/c/kernels/"));
                if let Some(Ok(name)) = frame
                    .function
                    .as_ref()
                    .map(|function| function.raw_name().map(|name| name.into_owned()))
                {
                    names.push(name);
                }
            }
        }
        let any = |words: &[&str]| {
            names
                .iter()
                .any(|name| words.iter().any(|word| name.contains(word)))
        };
        let words = [
            "chksum",
            "checksum",
            "wiresum_sum",
            "wiresum_fold",
            "wiresum_lwip",
        ];
        let part = if is_kernel && any(&["copy"]) || names.iter().any(|name| name == "wiresum_copy")
        {
            Part::Fused
        } else if is_kernel || any(&words) {
            Part::Checksum
        } else {
            Part::Other
        };
        self.known.insert(address, part);
        part
    }
}
