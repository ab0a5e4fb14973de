// SPDX-License-Identifier: MIT OR Apache-2.0
//! A file that is mapped into memory, which saves the copy that a read makes of each byte. This
//! module has all unsafe code of the program.
//!
//! A mapping is safe only as long as the file keeps its bytes. Two things see to that:
//!
//! - A lease of Linux (`fcntl`, `F_SETLEASE`). It is refused if a process has the file open for
//!   writing. Whoever opens or cuts the file later waits until the lease is given back, and
//!   [`Memory::check`] notices that somebody waits.
//! - A handler of SIGBUS, which Linux sends where a page cannot be read: the disk failed, or the
//!   lease was taken away after 45 seconds and the file was cut. The handler puts zeros in the
//!   place of the pages, and `check` notices.
//!
//! Where the lease is refused, and after a failed check, the caller reads the file instead.
#![expect(unsafe_code, reason = "to map a file is unsafe")]

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::fs::File;
use std::io;
use std::mem::{self, MaybeUninit};
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::ptr;
use std::slice;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

use wiresum_packet::{FETCHED, Memory};

use crate::progress::Progress;

/// A shorter file is read: to map it saves nothing.
const LEAST: usize = 1 << 20;
/// How many bytes are mapped before they are examined, and how many stay mapped after that.
const WINDOW: usize = 4 << 20;

/// `libc` lacks this number of Linux, which is the same on all machines.
const F_SETSIG: c_int = 10;

pub(crate) struct Mapped {
    start: *mut c_void,
    len: usize,
    slot: &'static Slot,
    file: File,
    /// How many bytes were examined, and of how many the pages were asked for.
    examined: Cell<usize>,
    populated: Cell<usize>,
    progress: Progress,
}

/// The place of a mapping, for the handler of SIGBUS, which can take no lock.
struct Slot {
    used: AtomicBool,
    start: AtomicUsize,
    end: AtomicUsize,
    failed: AtomicBool,
}

/// There is one for each mapping at the same time. With more of them, files are read.
static SLOTS: [Slot; 64] = [const {
    Slot {
        used: AtomicBool::new(false),
        start: AtomicUsize::new(0),
        end: AtomicUsize::new(0),
        failed: AtomicBool::new(false),
    }
}; 64];

/// What handled SIGBUS before, and the size of a page.
static BEFORE: OnceLock<Option<(libc::sigaction, usize)>> = OnceLock::new();

impl Mapped {
    /// Maps a file. Returns `None` if the file must be read instead.
    pub(crate) fn of(file: File, progress: Progress) -> Option<Mapped> {
        let metadata = file.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let len = usize::try_from(metadata.len()).ok()?;
        if len < LEAST || !handle_faults() || !lease(&file) {
            return None;
        }
        let slot = SLOTS.iter().find(|slot| !slot.used.swap(true, SeqCst))?;
        let (protection, flags) = (libc::PROT_READ, libc::MAP_PRIVATE);
        // SAFETY: the kernel chooses a place where nothing is.
        let start =
            unsafe { libc::mmap(ptr::null_mut(), len, protection, flags, file.as_raw_fd(), 0) };
        if start == libc::MAP_FAILED {
            slot.used.store(false, SeqCst);
            return None;
        }
        slot.failed.store(false, SeqCst);
        slot.start.store(start.addr(), SeqCst);
        slot.end.store(start.addr() + len, SeqCst);
        Some(Mapped {
            start,
            len,
            slot,
            file,
            examined: Cell::new(0),
            populated: Cell::new(0),
            progress,
        })
    }

    /// Advises the kernel about a part of the mapping. The advice changes speed and memory alone,
    /// so an error of an old kernel does not matter.
    fn advise(&self, range: Range<usize>, advice: c_int) {
        let range = range.start.min(self.len)..range.end.min(self.len);
        // SAFETY: the range is in the mapping, whose bytes come from the file again if they are
        // dropped.
        unsafe { libc::madvise(self.start.byte_add(range.start), range.len(), advice) };
    }
}

impl Memory for Mapped {
    fn bytes(&self) -> &[u8] {
        // SAFETY: the mapping has these bytes until it is dropped. Nobody writes them while the
        // lease is held.
        unsafe { slice::from_raw_parts(self.start.cast(), self.len) }
    }

    fn check(&self, examined: usize) -> io::Result<()> {
        // SAFETY: this asks for the lease of a file that is open.
        let lease = unsafe { libc::fcntl(self.file.as_raw_fd(), libc::F_GETLEASE) };
        if self.slot.failed.load(SeqCst) || lease != libc::F_RDLCK {
            return Err(io::Error::other("the file changed while it was read"));
        }
        self.progress
            .add(examined - self.examined.replace(examined));
        while self.populated.get() < self.len.min(examined + WINDOW) {
            let next = self.populated.get();
            self.advise(next..next + WINDOW, libc::MADV_POPULATE_READ);
            if let Some(gone) = next.checked_sub(3 * WINDOW) {
                self.advise(gone..gone + WINDOW, libc::MADV_DONTNEED);
            }
            self.populated.set(next + WINDOW);
        }
        Ok(())
    }

    #[inline]
    fn prefetch(&self, start: usize) {
        #[cfg(target_arch = "x86_64")]
        for line in 0..FETCHED / 64 {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let at = self.start.wrapping_byte_add(start + line * 64);
            // SAFETY: a prefetch of any address is allowed, and has no effect that a program sees.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) };
        }
    }
}

impl Drop for Mapped {
    fn drop(&mut self) {
        self.slot.start.store(0, SeqCst);
        self.slot.end.store(0, SeqCst);
        // SAFETY: no slice of the mapping outlives it.
        unsafe { libc::munmap(self.start, self.len) };
        self.slot.used.store(false, SeqCst);
    }
}

/// Takes a lease, which keeps others from writing the file. It ends when the file is closed.
fn lease(file: &File) -> bool {
    let file = file.as_raw_fd();
    // A process that waits for the file has the kernel send this signal, which is ignored unless
    // somebody asks for it.
    // SAFETY: both calls change the state of an open file alone.
    unsafe {
        libc::fcntl(file, F_SETSIG, libc::SIGURG) == 0
            && libc::fcntl(file, libc::F_SETLEASE, libc::F_RDLCK) == 0
    }
}

/// Has `on_fault` handle SIGBUS. Returns whether it does.
fn handle_faults() -> bool {
    let before = BEFORE.get_or_init(|| {
        let mut before = MaybeUninit::uninit();
        // SAFETY: zeros are valid for all members, the handler has the type that SA_SIGINFO asks
        // for, and the kernel writes `before` if it returns 0.
        unsafe {
            let mut action: libc::sigaction = mem::zeroed();
            action.sa_sigaction = on_fault as *const () as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            let page = usize::try_from(libc::sysconf(libc::_SC_PAGESIZE)).ok()?;
            let done = libc::sigaction(libc::SIGBUS, &raw const action, before.as_mut_ptr()) == 0;
            done.then(|| (before.assume_init(), page))
        }
    });
    before.is_some()
}

/// Puts zeros in the place of what cannot be read of a mapping. A fault elsewhere is left to what
/// handled it before: it comes again when this function returns.
extern "C" fn on_fault(_: c_int, info: *mut libc::siginfo_t, _: *mut c_void) {
    let Some(Some((before, page))) = BEFORE.get() else {
        return; // the handler is installed before
    };
    // SAFETY: the kernel gives the information. It has the address of a fault.
    let at = unsafe { (*info).si_addr() };
    let of = |slot: &&Slot| (slot.start.load(SeqCst)..slot.end.load(SeqCst)).contains(&at.addr());
    if let Some(slot) = SLOTS.iter().find(of) {
        slot.failed.store(true, SeqCst);
        let start = at.map_addr(|at| at & !(page - 1));
        let len = slot.end.load(SeqCst) - start.addr();
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_FIXED;
        // SAFETY: these pages are within the mapping. What is computed from them is dropped,
        // because the mapping has failed. The call takes no lock of this process.
        if unsafe { libc::mmap(start, len, libc::PROT_READ, flags, -1, 0) } != libc::MAP_FAILED {
            return;
        }
    }
    // SAFETY: this is what the kernel gave.
    unsafe { libc::sigaction(libc::SIGBUS, before, ptr::null_mut()) };
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lease would keep the file from being cut, so the test gives it back first.
    #[test]
    fn a_file_that_is_cut_fails_its_check() {
        let path = tempfile::NamedTempFile::new()
            .expect("room")
            .into_temp_path();
        std::fs::write(&path, vec![7; 3 * LEAST]).expect("room");
        let open = || File::open(&path).expect("it is there");
        let mapped = Mapped::of(open(), Progress::new(None)).expect("a lease");
        mapped.check(0).expect("nothing has happened");
        let of = mapped.file.as_raw_fd();
        // SAFETY: this gives back the lease of an open file.
        assert_eq!(
            unsafe { libc::fcntl(of, libc::F_SETLEASE, libc::F_UNLCK) },
            0
        );
        let writer = File::options().write(true).open(&path).expect("no lease");
        writer.set_len(LEAST as u64).expect("cut");
        let sum: usize = mapped.bytes().iter().copied().map(usize::from).sum();
        assert_eq!(sum, 7 * LEAST, "zeros follow");
        assert!(mapped.slot.failed.load(SeqCst));
        assert!(mapped.check(LEAST).is_err());
        drop(mapped);
        assert!(
            Mapped::of(open(), Progress::new(None)).is_none(),
            "a writer has it open"
        );
        drop(writer);
        assert!(Mapped::of(open(), Progress::new(None)).is_some());
    }

    /// Whoever opens the file to write waits, and goes on when the mapping is gone.
    #[test]
    fn a_file_that_is_opened_to_write_fails_its_check() {
        let path = tempfile::NamedTempFile::new()
            .expect("room")
            .into_temp_path();
        std::fs::write(&path, vec![7; LEAST]).expect("room");
        let mapped = Mapped::of(File::open(&path).expect("it is there"), Progress::new(None));
        let mapped = mapped.expect("a lease");
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| File::options().write(true).open(&path).is_ok());
            while mapped.check(0).is_ok() {
                std::thread::yield_now();
            }
            assert!(!writer.is_finished());
            drop(mapped);
            assert!(writer.join().expect("no panic"));
        });
    }
}
