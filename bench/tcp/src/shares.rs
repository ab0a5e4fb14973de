// SPDX-License-Identifier: MIT OR Apache-2.0
//! Figure 9: where the time goes. A timer samples what this process executes; callgrind counts instructions, which come out the same
//! on every run. Both give addresses, and the program's own debugging information says what function each belongs to.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use addr2line::Loader;
use anyhow::{Context, Result, anyhow, ensure};
use serde::Serialize;

use crate::stacks::Stack;
use crate::traffic::{self, Test};
use crate::variants::Variant;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Checksum,
    Copy,
    /// A kernel that sums while it copies.
    Fused,
    /// The application's comparison of what arrived.
    Comparison,
    Other,
}

/// Parts of the whole, from 0 to 1; what is left is the stack.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Shares {
    pub variant: String,
    pub test: Option<Test>,
    pub checksum: f64,
    pub copy: f64,
    pub fused: f64,
    pub comparison: f64,
    /// Samples, or instructions.
    pub of: u64,
}

impl Shares {
    fn of(variant: &Variant, test: Test, counts: &[(Part, u64)]) -> Result<Shares> {
        let sum = |wanted: Part| {
            counts
                .iter()
                .filter(|(part, _)| *part == wanted)
                .map(|(_, count)| count)
                .sum::<u64>() as f64
        };
        let of = counts.iter().map(|(_, count)| count).sum::<u64>();
        ensure!(
            of > 0,
            "{}, {}: nothing was counted",
            variant.name(),
            test.name()
        );
        let share = |part| sum(part) / of as f64;
        Ok(Shares {
            variant: variant.name(),
            test: Some(test),
            checksum: share(Part::Checksum),
            copy: share(Part::Copy),
            fused: share(Part::Fused),
            comparison: share(Part::Comparison),
            of,
        })
    }
}

/// Functions of the C library, which has no debugging information here: the nearest of these at or before an address.
const LIBRARY: [(&CStr, Part); 5] = [
    (c"memcpy", Part::Copy),
    (c"memmove", Part::Copy),
    (c"memcmp", Part::Comparison),
    (c"bcmp", Part::Comparison),
    (c"memset", Part::Other),
];

/// No function above is longer.
const LONGEST: u64 = 8192;

/// Where the C library lies, and where in it the functions are that the dynamic linker chose for this CPU.
fn library() -> (u64, BTreeMap<u64, Part>) {
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

fn in_library(functions: &BTreeMap<u64, Part>, offset: u64) -> Part {
    functions
        .range(..=offset)
        .next_back()
        .filter(|(start, _)| offset - **start < LONGEST)
        .map_or(Part::Other, |(_, part)| *part)
}

/// This program's functions by address, inlined ones included.
struct Program {
    loader: Loader,
    known: BTreeMap<u64, Part>,
}

impl Program {
    fn load() -> Result<Program> {
        let loader = Loader::new("/proc/self/exe")
            .map_err(|error| anyhow!("this program's debugging information: {error}"))?;
        Ok(Program {
            loader,
            known: BTreeMap::new(),
        })
    }

    fn part(&mut self, address: u64) -> Part {
        if let Some(part) = self.known.get(&address) {
            return *part;
        }
        let mut names: Vec<String> = self
            .loader
            .find_symbol(address)
            .map(str::to_owned)
            .into_iter()
            .collect();
        // By its file: what of a kernel is not inlined has names of all kinds.
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

// ---- samples ----

const SAMPLES: usize = 1 << 16;
static ADDRESSES: [AtomicUsize; SAMPLES] = [const { AtomicUsize::new(0) }; SAMPLES];
static TAKEN: AtomicUsize = AtomicUsize::new(0);

extern "C" fn on_timer(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
    // SAFETY: a handler installed with SA_SIGINFO is given a ucontext_t.
    let context = unsafe { &(*context.cast::<libc::ucontext_t>()).uc_mcontext };
    #[cfg(target_arch = "x86_64")]
    let address = context.gregs[libc::REG_RIP as usize] as usize;
    #[cfg(target_arch = "aarch64")]
    let address = context.pc as usize;
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    let address = std::ptr::from_ref(context) as usize & 0;
    let number = TAKEN.fetch_add(1, Ordering::Relaxed);
    if number < SAMPLES {
        ADDRESSES[number].store(address, Ordering::Relaxed);
    }
}

fn timer(every: Duration) {
    let every = libc::timeval {
        tv_sec: 0,
        tv_usec: every.as_micros() as libc::suseconds_t,
    };
    let value = libc::itimerval {
        it_interval: every,
        it_value: every,
    };
    // SAFETY: the handler only touches atomics; both structures live through the calls.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = on_timer as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        libc::sigaction(libc::SIGALRM, &action, std::ptr::null_mut());
        libc::setitimer(libc::ITIMER_REAL, &value, std::ptr::null_mut());
    }
}

/// Runs a test again and again for `time`, and looks every 200 µs at where it is.
pub fn sample(
    variant: &Variant,
    stack: &mut dyn Stack,
    test: Test,
    time: Duration,
) -> Result<Shares> {
    let (library_base, functions) = library();
    let mut program = Program::load()?;
    let mut anchor = unsafe { std::mem::zeroed::<libc::Dl_info>() };
    // SAFETY: an address of this program; the structure is plain data.
    unsafe { libc::dladdr(on_timer as *const libc::c_void, &mut anchor) };
    let base = anchor.dli_fbase as u64;
    TAKEN.store(0, Ordering::Relaxed);
    let end = Instant::now() + time;
    timer(Duration::from_micros(200));
    let mut ran = Ok(());
    while ran.is_ok() && Instant::now() < end {
        ran = traffic::run(stack, test, test.amount(), false).map(|_| ());
    }
    timer(Duration::ZERO);
    ran?;
    let taken = TAKEN.load(Ordering::Relaxed).min(SAMPLES);
    let counts: Vec<(Part, u64)> = ADDRESSES[..taken]
        .iter()
        .map(|address| {
            let address = address.load(Ordering::Relaxed) as u64;
            let part = match address.checked_sub(library_base) {
                Some(offset) if offset < 1 << 24 => in_library(&functions, offset),
                _ => program
                    .part(address.wrapping_sub(base) + program.loader.relative_address_base()),
            };
            (part, 1)
        })
        .collect();
    Shares::of(variant, test, &counts)
}

// ---- instructions ----

pub fn have_valgrind() -> bool {
    Command::new("valgrind")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// For the program under callgrind: one run, and where the functions of its C library are.
pub fn once(variant: &Variant, test: Test, seed: u64) -> Result<()> {
    let mut stack = variant.start(seed);
    let amount = if test.is_stream() { 4 << 20 } else { 2_000 };
    traffic::run(stack.as_mut(), test, amount, false)?;
    for (offset, part) in library().1 {
        println!("library {offset:#x} {part:?}");
    }
    Ok(())
}

/// Instructions by part. valgrind knows no AVX-512, so that the AVX2 kernels run, and the C library's.
pub fn count(variant: &Variant, test: Test, seed: u64, folder: &Path) -> Result<Shares> {
    let out = folder.join(format!(
        "callgrind-{}-{}.out",
        variant.name().replace('/', "-"),
        test.name().replace(' ', "-")
    ));
    let program = std::env::current_exe()?;
    let output = Command::new("valgrind")
        .args([
            "-q",
            "--tool=callgrind",
            "--dump-instr=yes",
            "--compress-strings=no",
            "--compress-pos=no",
        ])
        .args([
            "--collect-atstart=no",
            "--toggle-collect=wiresum_bench_measured",
        ])
        .arg(format!("--callgrind-out-file={}", out.display()))
        .arg(&program)
        .args([
            "once",
            "--variant",
            &variant.name(),
            "--seed",
            &seed.to_string(),
            "--test",
        ])
        .arg(serde_json::to_value(test)?.as_str().unwrap_or_default())
        .output()
        .context("valgrind")?;
    ensure!(
        output.status.success(),
        "valgrind: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    let mut functions = BTreeMap::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some((offset, part)) = line
            .strip_prefix("library 0x")
            .and_then(|rest| rest.split_once(' '))
        {
            let part = LIBRARY
                .iter()
                .map(|(_, part)| *part)
                .find(|known| format!("{known:?}") == part);
            functions.insert(
                u64::from_str_radix(offset, 16)?,
                part.unwrap_or(Part::Other),
            );
        }
    }
    let mut program_functions = Program::load()?;
    let name = program.display().to_string();
    let text = std::fs::read_to_string(&out)?;
    let mut counts = Vec::new();
    let (mut object, mut skip) = (String::new(), false);
    for line in text.lines() {
        if let Some(of) = line.strip_prefix("ob=") {
            object = of.to_owned();
        } else if line.starts_with("calls=") {
            skip = true; // the next line is what the called function took, which is counted there
        } else if line.starts_with("0x") {
            if std::mem::take(&mut skip) {
                continue;
            }
            let mut words = line.split_whitespace();
            let (Some(address), Some(cost)) = (words.next(), words.nth(1)) else {
                continue;
            };
            let address = u64::from_str_radix(&address[2..], 16)?;
            let part = if object == name {
                program_functions.part(address)
            } else if object.contains("libc.so") || object.contains("libc-") {
                in_library(&functions, address)
            } else {
                Part::Other
            };
            counts.push((part, cost.parse()?));
        }
    }
    Shares::of(variant, test, &counts)
}
