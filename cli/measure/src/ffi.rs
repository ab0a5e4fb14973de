// SPDX-License-Identifier: MIT OR Apache-2.0
//! The only unsafe code of this crate. It calls `loops.c` on memory that this module has mapped,
//! with functions for which their owners vouch.

use core::ffi::{CStr, c_int, c_void};
use std::slice;

use anyhow::bail;
use wiresum_sys as c;

/// A sum: of the type of the library's kernels. The result is unfolded, in memory order.
pub type SumFunction = unsafe extern "C" fn(data: *const c_void, n: usize) -> u64;
/// A function that copies, and returns the unfolded sum of the data.
pub type CopyFunction = unsafe extern "C" fn(dst: *mut c_void, src: *const c_void, n: usize) -> u64;

pub(crate) type Piece = c::wiresum_piece;

unsafe extern "C" {
    safe fn wiresum_bench_ticks_are_tsc() -> c_int;
    safe fn wiresum_bench_ticks() -> u64;
    safe fn wiresum_bench_48_cycles(reps: usize) -> u64;
    safe fn wiresum_bench_cpuid() -> u64;
    safe fn wiresum_bench_watch(reps: usize) -> u64;
    fn wiresum_bench_partial(data: *const c_void, n: usize) -> u64;
    fn wiresum_bench_sum_by_pointer(data: *const c_void, n: usize) -> u64;
    fn wiresum_bench_touch(data: *const c_void, n: usize) -> u64;
    fn wiresum_bench_memcpy(dst: *mut c_void, src: *const c_void, n: usize) -> u64;
    fn wiresum_bench_sum(f: Option<SumFunction>, p: *const u8, n: usize, reps: usize) -> u64;
    fn wiresum_bench_chain(f: Option<SumFunction>, p: *const u8, n: usize, reps: usize) -> u64;
    fn wiresum_bench_packets(f: Option<SumFunction>, packets: *const Piece, n: usize) -> u64;
    fn wiresum_bench_copy(
        f: Option<CopyFunction>,
        dst: *mut u8,
        p: *const u8,
        n: usize,
        reps: usize,
    ) -> u64;
    fn wiresum_bench_copies(
        f: Option<CopyFunction>,
        dst: *mut u8,
        base: *const u8,
        packets: *const Piece,
        n: usize,
    ) -> u64;
    fn wiresum_bench_batch(packets: *const Piece, n: usize, sums: *mut u16) -> u64;
    fn wiresum_bench_headers_inline(headers: *const u8, n: usize, sums: *mut u16) -> u64;
    fn wiresum_bench_headers_batch(headers: *const u8, n: usize, sums: *mut u16) -> u64;
    safe fn wiresum_bench_map(size: usize) -> *mut u8;
    fn wiresum_bench_renew(map: *mut u8, size: usize) -> c_int;
    fn wiresum_bench_first_loads(map: *mut u8, size: usize) -> u64;
    fn wiresum_bench_first_stores(map: *mut u8, size: usize) -> u64;
    safe fn wiresum_bench_map_has_guard() -> c_int;
    safe fn wiresum_bench_page() -> usize;
}

#[cfg(target_arch = "x86_64")]
unsafe extern "C" {
    fn wiresum_bench_load256(data: *const c_void, n: usize) -> u64;
    fn wiresum_bench_load256_to_64(data: *const c_void, n: usize) -> u64;
    fn wiresum_bench_load256_to_256(data: *const c_void, n: usize) -> u64;
    fn wiresum_bench_load256_to_1500(data: *const c_void, n: usize) -> u64;
    fn wiresum_bench_load512(data: *const c_void, n: usize) -> u64;
    fn wiresum_bench_load512_to_64(data: *const c_void, n: usize) -> u64;
    fn wiresum_bench_load512_to_256(data: *const c_void, n: usize) -> u64;
    fn wiresum_bench_load512_to_1500(data: *const c_void, n: usize) -> u64;
}
#[cfg(not(target_arch = "x86_64"))]
unsafe extern "C" {
    fn wiresum_bench_load128(data: *const c_void, n: usize) -> u64;
    fn wiresum_bench_load128_to_64(data: *const c_void, n: usize) -> u64;
    fn wiresum_bench_load128_to_256(data: *const c_void, n: usize) -> u64;
    fn wiresum_bench_load128_to_1500(data: *const c_void, n: usize) -> u64;
}

pub(crate) fn ticks_are_tsc() -> bool {
    wiresum_bench_ticks_are_tsc() != 0
}

pub(crate) fn ticks() -> u64 {
    wiresum_bench_ticks()
}

/// Ticks of `reps` times 48 cycles of the core; 0 where that is not known.
pub(crate) fn ticks_of_48_cycles(reps: usize) -> u64 {
    wiresum_bench_48_cycles(reps)
}

/// Ticks of one CPUID instruction; none on a CPU without it.
pub(crate) fn ticks_of_cpuid() -> Option<u64> {
    Some(wiresum_bench_cpuid()).filter(|&ticks| ticks > 0)
}

/// Ticks of `reps` copies of 4 KiB, each time the same ones.
pub(crate) fn ticks_of_watch(reps: usize) -> u64 {
    wiresum_bench_watch(reps)
}

pub(crate) fn page() -> usize {
    wiresum_bench_page()
}

/// Memory to measure on: on large pages if the system has them, with a page after it that cannot
/// be read. The memory lives as long as the program.
pub(crate) struct Memory {
    bytes: &'static mut [u8],
}

impl Memory {
    /// Maps `size` bytes, rounded up to whole pages.
    pub(crate) fn new(size: usize) -> anyhow::Result<Memory> {
        let size = size.next_multiple_of(page());
        let start = wiresum_bench_map(size);
        if start.is_null() {
            bail!("there are no {} MiB of memory to measure on", size >> 20);
        }
        // SAFETY: a fresh, zeroed map of that size. Nothing else has its address, and nothing
        // unmaps it.
        let bytes = unsafe { slice::from_raw_parts_mut(start, size) };
        Ok(Memory { bytes })
    }

    /// Whether a page that cannot be read lies after it.
    pub(crate) fn has_guard() -> bool {
        wiresum_bench_map_has_guard() != 0
    }

    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        self.bytes
    }

    pub(crate) fn as_slice(&self) -> &[u8] {
        self.bytes
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Puts fresh pages of the usual size, which are zero, in the place of its pages: the next
    /// access to each is the first one. False where the system cannot.
    pub(crate) fn renew(&mut self) -> bool {
        // SAFETY: the map is this memory's own, and no reference to its bytes is alive. Bytes of
        // any value are valid.
        unsafe { wiresum_bench_renew(self.bytes.as_mut_ptr(), self.bytes.len()) != 0 }
    }

    /// Ticks of one access to each page, in their order.
    pub(crate) fn time_access(&mut self, access: Access) -> u64 {
        let time = match access {
            Access::Load => wiresum_bench_first_loads,
            Access::Store => wiresum_bench_first_stores,
        };
        // SAFETY: it reads or writes bytes of this memory, to which no reference is alive.
        unsafe { time(self.bytes.as_mut_ptr(), self.bytes.len()) }
    }

    /// Packets that lie in this memory, each an offset and a length.
    pub(crate) fn pieces(&self, packets: impl Iterator<Item = (usize, usize)>) -> Pieces<'_> {
        let pieces = packets
            .map(|(at, len)| Piece {
                data: self.bytes[at..at + len].as_ptr().cast(),
                len,
            })
            .collect();
        Pieces { pieces, of: self }
    }
}

/// How a page is touched.
#[derive(Clone, Copy)]
pub(crate) enum Access {
    Load,
    Store,
}

/// Packets that lie in a memory.
pub(crate) struct Pieces<'a> {
    pieces: Vec<Piece>,
    of: &'a Memory,
}

impl Pieces<'_> {
    pub(crate) fn len(&self) -> usize {
        self.pieces.len()
    }
}

/// A function that sums. Whoever makes one of a foreign function vouches for it.
#[derive(Clone, Copy)]
pub struct Summer(Option<SumFunction>);

/// A function that sums while it copies, or that only copies.
#[derive(Clone, Copy)]
pub struct Copier(Option<CopyFunction>);

impl Summer {
    /// The library's public function, called directly.
    pub(crate) const LIBRARY: Summer = Summer(None);

    /// # Safety
    /// The function reads nothing but the cache lines of its data, and writes nothing.
    pub const unsafe fn new(f: SumFunction) -> Summer {
        Summer(Some(f))
    }

    /// The library's `wiresum_partial`, whose sum is unfolded.
    pub(crate) fn partial() -> Summer {
        Summer(Some(wiresum_bench_partial))
    }

    /// The library's `wiresum_sum` through a pointer, as each rival is called.
    pub(crate) fn by_pointer() -> Summer {
        Summer(Some(wiresum_bench_sum_by_pointer))
    }

    pub(crate) fn touch() -> Summer {
        Summer(Some(wiresum_bench_touch))
    }

    /// The load-only loops that this CPU can run, with their names.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn loads() -> Vec<(&'static str, Summer)> {
        let mut loads: Vec<(_, Summer)> = Vec::new();
        if is_x86_feature_detected!("avx") {
            loads.push(("load-only 256", Summer(Some(wiresum_bench_load256))));
        }
        if is_x86_feature_detected!("avx512f") {
            loads.push(("load-only 512", Summer(Some(wiresum_bench_load512))));
        }
        loads
    }

    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn loads() -> Vec<(&'static str, Summer)> {
        vec![("load-only 128", Summer(Some(wiresum_bench_load128)))]
    }

    /// The load-only loops without a branch for data of at most `longest` bytes that this CPU can
    /// run, with their names. There are none for more than 1500 bytes.
    #[cfg(target_arch = "x86_64")]
    pub(crate) fn unbranched_loads(longest: usize) -> Vec<(&'static str, Summer)> {
        let [load256, load512]: [SumFunction; 2] = match longest {
            0..=64 => [wiresum_bench_load256_to_64, wiresum_bench_load512_to_64],
            65..=256 => [wiresum_bench_load256_to_256, wiresum_bench_load512_to_256],
            257..=1500 => [wiresum_bench_load256_to_1500, wiresum_bench_load512_to_1500],
            _ => return Vec::new(),
        };
        let mut loads: Vec<(_, Summer)> = Vec::new();
        if is_x86_feature_detected!("avx") {
            loads.push(("load-only 256, no branch", Summer(Some(load256))));
        }
        if is_x86_feature_detected!("avx512f") {
            loads.push(("load-only 512, no branch", Summer(Some(load512))));
        }
        loads
    }

    #[cfg(not(target_arch = "x86_64"))]
    pub(crate) fn unbranched_loads(longest: usize) -> Vec<(&'static str, Summer)> {
        let load: SumFunction = match longest {
            0..=64 => wiresum_bench_load128_to_64,
            65..=256 => wiresum_bench_load128_to_256,
            257..=1500 => wiresum_bench_load128_to_1500,
            _ => return Vec::new(),
        };
        vec![("load-only 128, no branch", Summer(Some(load)))]
    }

    /// The unfolded sum.
    pub(crate) fn call(self, data: &[u8]) -> u64 {
        match self.0 {
            // SAFETY: a slice can be read; the function does no more, as its owner vouches.
            Some(f) => unsafe { f(data.as_ptr().cast(), data.len()) },
            // SAFETY: as above.
            None => unsafe { c::wiresum_sum(data.as_ptr().cast(), data.len()) }.into(),
        }
    }

    pub(crate) fn time(self, data: &[u8], reps: usize) -> u64 {
        // SAFETY: as call.
        unsafe { wiresum_bench_sum(self.0, data.as_ptr(), data.len(), reps) }
    }

    pub(crate) fn time_chain(self, data: &[u8], reps: usize) -> u64 {
        // SAFETY: as call.
        unsafe { wiresum_bench_chain(self.0, data.as_ptr(), data.len(), reps) }
    }

    pub(crate) fn time_packets(self, packets: &Pieces, from: usize, to: usize) -> u64 {
        let some = &packets.pieces[from..to];
        // SAFETY: every piece lies in the memory that packets borrows; as call.
        unsafe { wiresum_bench_packets(self.0, some.as_ptr(), some.len()) }
    }
}

impl Copier {
    /// The library's public function, called directly.
    pub(crate) const LIBRARY: Copier = Copier(None);

    /// # Safety
    /// The function reads its data and writes as many bytes of its destination, and nothing else.
    pub const unsafe fn new(f: CopyFunction) -> Copier {
        Copier(Some(f))
    }

    pub(crate) fn memcpy() -> Copier {
        Copier(Some(wiresum_bench_memcpy))
    }

    pub(crate) fn call(self, dst: &mut [u8], src: &[u8]) -> u64 {
        assert_eq!(dst.len(), src.len());
        let (to, from) = (dst.as_mut_ptr().cast(), src.as_ptr().cast());
        match self.0 {
            // SAFETY: both are as long as src, and do not overlap; the function does no more, as
            // its owner vouches.
            Some(f) => unsafe { f(to, from, src.len()) },
            // SAFETY: as above.
            None => unsafe { c::wiresum_copy(to, from, src.len()) }.into(),
        }
    }

    pub(crate) fn time(self, dst: &mut [u8], src: &[u8], reps: usize) -> u64 {
        assert_eq!(dst.len(), src.len());
        // SAFETY: as call.
        unsafe { wiresum_bench_copy(self.0, dst.as_mut_ptr(), src.as_ptr(), src.len(), reps) }
    }

    pub(crate) fn time_packets(
        self,
        dst: &mut Memory,
        packets: &Pieces,
        from: usize,
        to: usize,
    ) -> u64 {
        assert!(dst.len() >= packets.of.len());
        let some = &packets.pieces[from..to];
        let base = packets.of.bytes.as_ptr();
        // SAFETY: a packet has the same place in dst as in its own memory, which is no longer than
        // dst. The two are different maps.
        unsafe {
            wiresum_bench_copies(
                self.0,
                dst.bytes.as_mut_ptr(),
                base,
                some.as_ptr(),
                some.len(),
            )
        }
    }
}

pub(crate) fn time_batch(packets: &Pieces, from: usize, to: usize, sums: &mut [u16]) -> u64 {
    let some = &packets.pieces[from..to];
    assert!(sums.len() >= some.len());
    // SAFETY: every piece lies in the memory that packets borrows, and there is a sum for each.
    unsafe { wiresum_bench_batch(some.as_ptr(), some.len(), sums.as_mut_ptr()) }
}

/// How headers of 20 bytes are verified.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Headers {
    Inline,
    Batch,
}

pub(crate) fn time_headers(how: Headers, headers: &[u8], sums: &mut [u16]) -> u64 {
    let n = headers.len() / 20;
    assert!(sums.len() >= n);
    // A header with a longer IHL would have the batch read up to 60 bytes.
    assert!(headers.chunks_exact(20).all(|header| header[0] & 15 == 5));
    let time = match how {
        Headers::Inline => wiresum_bench_headers_inline,
        Headers::Batch => wiresum_bench_headers_batch,
    };
    // SAFETY: n headers of 20 bytes lie there, each with an IHL of 5, and there is a sum for each.
    unsafe { time(headers.as_ptr(), n, sums.as_mut_ptr()) }
}

/// The kernels that this CPU supports, best first.
pub(crate) fn kernels() -> Vec<(&'static str, Summer, Copier)> {
    let mut count = 0;
    // SAFETY: C writes the number of kernels, and returns the first of them, all constant.
    let list = unsafe { slice::from_raw_parts(c::wiresum_kernels(&raw mut count), count) };
    list.iter()
        // SAFETY: is_supported has no precondition.
        .filter(|kernel| unsafe { (kernel.is_supported)() })
        .map(|kernel| {
            // SAFETY: a name is never null, ends with NUL, and is constant.
            let name = unsafe { CStr::from_ptr(kernel.name) };
            let name = name.to_str().expect("the name of a kernel is of [a-z0-9_]");
            (
                name,
                Summer(Some(kernel.partial)),
                Copier(Some(kernel.copy_partial)),
            )
        })
        .collect()
}

/// The name of the kernel that the library's public functions use.
pub(crate) fn kernel_in_use() -> &'static str {
    // SAFETY: C returns one of its list, whose names are constant.
    let name = unsafe { CStr::from_ptr((*c::wiresum_kernel_in_use()).name) };
    name.to_str().expect("the name of a kernel is of [a-z0-9_]")
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" {
        fn wiresum_bench_note_vectors(
            bytes: usize,
            longest: usize,
            data: *const c_void,
            n: usize,
            notes: *mut usize,
        ) -> usize;
    }

    /// The vectors that the walk without a branch visits. None of data is read.
    fn visited(bytes: usize, longest: usize, data: usize, n: usize) -> Vec<usize> {
        let mut notes = vec![0; 200];
        let to = notes.as_mut_ptr();
        // SAFETY: 1500 bytes touch 95 vectors of 16 bytes, and there is room for more.
        let count =
            unsafe { wiresum_bench_note_vectors(bytes, longest, data as *const c_void, n, to) };
        notes.truncate(count);
        notes
    }

    #[test]
    fn loads_without_a_branch_visit_each_vector_of_the_data_and_no_other() {
        for (bytes, longest) in [(64, 64), (64, 256), (64, 1500), (32, 256), (16, 1500)] {
            let count = visited(bytes, longest, 1 << 20, longest).len();
            for offset in 0..bytes {
                for n in (1..=longest.min(300)).chain([longest - 1, longest]) {
                    let data = (1 << 20) + offset;
                    let mut found = visited(bytes, longest, data, n);
                    assert_eq!(found.len(), count, "the length must not decide: {n}");
                    found.dedup();
                    let last = (data + n - 1) / bytes;
                    let expected: Vec<_> = (data / bytes..=last).map(|at| at * bytes).collect();
                    assert_eq!(found, expected, "{n} bytes at offset {offset}, {bytes}");
                }
            }
            let of_nothing = visited(bytes, longest, 1 << 20, 0);
            assert!(of_nothing.len() == count && !of_nothing.contains(&(1 << 20)));
        }
    }

    #[test]
    fn loads_without_a_branch_stay_on_the_page_of_the_data() {
        let memory = Memory::new(2 * page()).expect("two pages");
        let end = memory.len();
        for longest in [64, 256, 1500] {
            let loads = Summer::unbranched_loads(longest);
            for (_, load) in &loads {
                for n in 0..=longest {
                    // A load after the data would hit the page that cannot be read.
                    assert_eq!(load.call(&memory.as_slice()[end - n..]), 0);
                }
            }
            let plain = Summer::loads().len();
            assert_eq!(
                loads.len(),
                plain,
                "each load-only loop has one without a branch"
            );
        }
        assert!(Summer::unbranched_loads(1501).is_empty());
    }

    #[test]
    fn wiresum_sum_behind_a_pointer_is_folded() {
        let data = [0xFF; 4096];
        assert_eq!(Summer::by_pointer().call(&data), 0xFFFF);
    }

    #[cfg(unix)]
    #[test]
    fn renewed_pages_are_zero_and_can_be_written() {
        let mut memory = Memory::new(4 * page()).expect("four pages");
        memory.bytes().fill(0xA5);
        assert!(memory.renew());
        assert!(memory.as_slice().iter().all(|&byte| byte == 0));
        for access in [Access::Load, Access::Store] {
            assert!(memory.renew() && memory.time_access(access) > 0);
        }
        let written: usize = memory
            .as_slice()
            .iter()
            .map(|&byte| usize::from(byte))
            .sum();
        assert_eq!(written, 4, "a store to each page");
    }
}
