// SPDX-License-Identifier: MIT OR Apache-2.0
//! Shares of time: a timer samples which function this process executes.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Result, ensure};

use crate::functions::{Parts, Program, Shares, in_library, library};
use crate::stacks::Stack;
use crate::traffic::{self, Test};
use crate::variants::Variant;

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

/// Runs a test again and again for `time`, and samples the instruction pointer every 200 µs.
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
    let mut samples = Parts::default();
    for address in &ADDRESSES[..taken] {
        let address = address.load(Ordering::Relaxed) as u64;
        let part = match address.checked_sub(library_base) {
            Some(offset) if offset < 1 << 24 => in_library(&functions, offset),
            _ => program.part(address.wrapping_sub(base) + program.loader.relative_address_base()),
        };
        samples.add(part, 1);
    }
    let (variant, name) = (variant.name(), test.name());
    ensure!(samples.all > 0, "{variant}, {name}: there is no sample");
    Ok(Shares::new(variant, test, &samples))
}
