# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is proved of each kernel: for which machines, with which lower blocks, against which faults.

A seam or a fault is one replacement in one source. The text must be there exactly once.
"""

from dataclasses import dataclass, field

KERNEL_H = "c/src/kernel.h"


@dataclass
class Machine:
    name: str  # as in c/tests/cross/targets.py
    triple: str  # of zig
    flags: list = field(default_factory=list)
    cpu: str = ""  # the CPU model of targets.py that runs the kernel; "": this CPU


@dataclass
class Change:
    about: str
    file: str
    text: str
    to: str
    lengths: str = "0-700"  # at which a fault shows
    copies: bool = False  # whether it shows in the copy, and not in the sum
    options: tuple = ("--offsets", "0-9")  # of the engine


@dataclass
class Kernel:
    name: str
    machines: list
    seams: list  # what lowers its blocks
    faults: list
    folds: bool = False
    beside: list = field(default_factory=list)  # other sources whose functions it calls
    vectors: list = field(default_factory=lambda: [16])  # the bytes of a vector, where they vary
    block: int = 0  # bytes between two flushes, as shipped
    comment: str = ""  # the bound, as the comment of the kernel states it
    comment_in: str = ""  # the file of the comment, if it is not the source
    bits: int = 0  # of that total; 0: the result of the kernel is another number
    # Numbers beyond the proof, other than `block`, that the code compares with: tests surround them
    limits: tuple = ()

    @property
    def source(self):
        return f"c/kernels/{self.name}.c"


def seam(file, text, to):
    return Change("a lower block", file, text, to)


# Every offset, with numbers in place of unknown bytes: see ranges() of run.py.
NUMERIC = ("--offsets", "0-63", "--numeric")

# Data of 4 GiB and more goes through wiresum_partial_in_blocks. Here 600 bytes do.
HUGE = [
    seam(KERNEL_H, "#define WIRESUM_IS_HUGE(n) WIRESUM_UNLIKELY((uint64_t)(n) >> 32 != 0)",
         "#define WIRESUM_IS_HUGE(n) WIRESUM_UNLIKELY((n) > 600)"),
    seam(KERNEL_H, "enum { WIRESUM_HUGE_BLOCK = 1 << 30 };", "enum { WIRESUM_HUGE_BLOCK = 600 };"),
]  # fmt: skip

X86_64 = Machine("x86_64", "x86_64-linux-musl")
X86_64_CLANG = Machine("x86_64-clang", "x86_64-linux-musl")
AARCH64 = Machine("aarch64", "aarch64-linux-musl", cpu="max")
AARCH64_BE = Machine("aarch64_be", "aarch64_be-linux-musl", cpu="max")
ARM = Machine("armhf", "arm-linux-musleabihf", ["-mcpu=cortex_a8"], cpu="max")
PPC = Machine("ppc", "powerpc-linux-musleabihf", ["-mcpu=7450"], cpu="7450 (G4)")
PPC64 = Machine("ppc64", "powerpc64-linux-musl", cpu="power8")
PPC64LE = Machine("ppc64le", "powerpc64le-linux-musl", cpu="power8")
RISCV64 = Machine("riscv64", "riscv64-linux-musl", cpu="rv64 with V")
S390X = Machine("s390x", "s390x-linux-musl", ["-mcpu=z13"], cpu="max")
WASM = Machine("wasm", "wasm32-wasi", ["-mcpu=generic+simd128"], cpu="wasmtime")
LOONGARCH = Machine("loongarch64", "loongarch64-linux-musl", ["-mcpu=baseline-lsx"], cpu="la464")

AVERAGES_H = "c/kernels/averages.h"
AVX2_H = "c/kernels/x86_avx2.h"
AVXVNNI_H = "c/kernels/x86_avxvnni.h"
AVX512_H = "c/kernels/x86_avx512.h"
VNNI_H = "c/kernels/x86_avx512vnni.h"
WORDS_H = "c/kernels/ppc_words.h"


def c(name):
    return f"c/kernels/{name}.c"


AVXVNNI_SEAM = [seam(AVXVNNI_H, "enum { BLOCK = 64 << 10 };", "enum { BLOCK = 512 };")]
# The walk of two 256-bit kernels has the tail and the steps; each kernel its own arithmetic.
AVXVNNI_FAULTS = [
    Change("a tail mask off by one", AVXVNNI_H, "const uint8_t *)(none_then_one + 64) + r;",
           "const uint8_t *)(none_then_one + 64) + r + 2;"),
    Change("a vector counted twice", AVXVNNI_H,
           "add(s.c, load(p + 64), k), add(s.d, load(p + 96), k)",
           "add(s.c, load(p + 64), k), add(s.d, load(p + 64), k)"),
]  # fmt: skip

# averages_walk.h has the walk of three kernels; each kernel has its own arithmetic.
WALK_H = "c/kernels/averages_walk.h"
WALK_BOUND = "So with k <= 3 and N <= 2^14 + 2^6 the estimate 2^k t is less than 2^15 from T"
WALK_FAULTS = [
    Change("a tail mask off by one", WALK_H, "(none_then_all + 32) + r;",
           "(none_then_all + 32) + r + 1;"),
    Change("a vector counted twice", WALK_H, "y = take(d, at + VECTOR);",
           "y = take(d, at);"),
    Change("an average of other vectors", WALK_H, "return average(x, y);",
           "return average(x, x);"),
    Change("an estimate that counts too often", WALK_H, "top(quarter), 4, odd);",
           "top(quarter), 5, odd);"),
    Change("an odd byte that is lost", WALK_H, "s.tops, STEP, odd);", "s.tops, STEP, 0);"),
]  # fmt: skip

KERNELS = [
    Kernel(
        "x86_avx512vnni",
        [X86_64],
        [seam(c("x86_avx512vnni"), "enum { BLOCK = 128 << 10 };", "enum { BLOCK = 1 << 10 };")],
        [
            Change("a lane too narrow", c("x86_avx512vnni"), "enum { BLOCK = 128 << 10 };",
                   "enum { BLOCK = 256 << 10 };", lengths="262144"),
            Change("a tail mask off by one", c("x86_avx512vnni"),
                   "k->all_bytes >> (-((uintptr_t)p + n) & 63);",
                   "k->all_bytes >> (-((uintptr_t)p + n + 1) & 63);"),
            Change(
                   "a vector counted "
                   "twice", VNNI_H, "z = load(from + 192);", "z = load(from + 128);"),
            Change("a read past the data at one offset and length", c("x86_avx512vnni"),
                   "    return wiresum_fold32(exchanged(sum, (unsigned)(uintptr_t)p));",
                   "    if (begin == 63 && n == 700)\n        return wiresum_fold32(sum + p[n]);\n"
                   "    return wiresum_fold32(exchanged(sum, (unsigned)(uintptr_t)p));",
                   lengths="690-710", options=NUMERIC),
        ],
        folds=True,
        block=128 << 10,
        comment="The total is therefore below 2^32",
        limits=((128 << 10) - 257, 8 << 20),  # BLOCK - 257, WIRESUM_ASK_CACHES_FROM
    ),
    Kernel(
        "x86_avx512bw",
        [X86_64],
        [seam(c("x86_avx512bw"), "enum { BLOCK = 128 << 10 };", "enum { BLOCK = 512 };")],
        [
            Change("a block too long for its averages", c("x86_avx512bw"),
                   "enum { BLOCK = 128 << 10 };", "enum { BLOCK = 512 << 10 };", lengths="524288"),
            Change("a shift that keeps too many bits", c("x86_avx512bw"),
                   "_mm512_srli_epi64(x, 48)", "_mm512_srli_epi64(x, 47)"),
            *WALK_FAULTS,
        ],
        block=128 << 10,
        comment=WALK_BOUND,
        comment_in=AVERAGES_H,
    ),
    Kernel(
        "x86_vnni_int16",
        [X86_64_CLANG],
        AVXVNNI_SEAM,
        [Change("a lane too narrow", AVXVNNI_H, "enum { BLOCK = 64 << 10 };",
                "enum { BLOCK = 256 << 10 };", lengths="262144"), *AVXVNNI_FAULTS],
        block=64 << 10,
        comment="All lanes together are below 2^32",
        comment_in=AVXVNNI_H,
        bits=32,
    ),
    Kernel(
        "x86_avxvnni",
        [X86_64],
        AVXVNNI_SEAM,
        [Change("a lane too narrow", AVXVNNI_H, "enum { BLOCK = 64 << 10 };",
                "enum { BLOCK = 256 << 10 };", lengths="262144"), *AVXVNNI_FAULTS],
        block=64 << 10,
        comment="All lanes together are below 2^32",
        comment_in=AVXVNNI_H,
        bits=32,
    ),
    Kernel(
        "x86_avx2",
        [X86_64],
        [seam(c("x86_avx2"), "enum { BLOCK = 128 << 10 };", "enum { BLOCK = 512 };")],
        [
            Change("a block too long for its averages", c("x86_avx2"),
                   "enum { BLOCK = 128 << 10 };", "enum { BLOCK = 256 << 10 };", lengths="262400"),
            Change("a tail mask off by one", c("x86_avx2"), "*const masks = masks_of(t, rest);",
                   "*const masks = masks_of(t, rest + 2);", lengths="1665-1930"),
            Change("a tail weight off by one", AVX2_H,
                   "(const uint8_t *)(t->none_then_one + 64) + r;",
                   "(const uint8_t *)(t->none_then_one + 64) + r + 2;"),
            Change("a vector counted twice", AVX2_H, "load(p + 64), load(p + 96)",
                   "load(p + 64), load(p + 64)"),
            Change("a vector of averages counted twice", AVX2_H,
                   "load_once(p + 64), load_once(p + 96)", "load_once(p + 64), load_once(p + 64)",
                   lengths="1665-1930"),
            Change("an average of other vectors", AVX2_H,
                   "_mm256_avg_epu16(average(x), average(y));",
                   "_mm256_avg_epu16(average(x), average(x));", lengths="1665-1930"),
            Change("carries that are not rounded", AVERAGES_H,
                   "carries = (estimate + (1 << 15) -", "carries = (estimate + (1 << 6) -",
                   lengths="1665-1930"),
            Change("a shift that keeps too many bits", AVX2_H, "_mm256_srli_epi64(eighth, 48)",
                   "_mm256_srli_epi64(eighth, 47)", lengths="1665-1930"),
            Change("a masked load past the end of a page", c("x86_avx2"),
                   "first_masks(t, (n - 1) & ~(size_t)3);", "first_masks(t, n & ~(size_t)3);",
                   lengths="4-68"),
            Change("a half step counted twice", c("x86_avx2"),
                   "load((const uint8_t *)t->none_then_all + 2 * half);",
                   "load((const uint8_t *)t->none_then_all + 256);", lengths="1665-1930",
                   copies=True),
            Change("a first block counted past its end", c("x86_avx2"),
                   "load(first_masks(t, 32 - past)));", "load(first_masks(t, 32)));",
                   lengths="513-700", copies=True),
        ],
        folds=True,
        block=128 << 10,
        comment="With N <= 2^14 + 2^6 for a BLOCK and its ends, the estimate is less than 2^15 "
        "from T",
        comment_in=AVX2_H,
    ),
    Kernel(
        "x86_sse2",
        [X86_64, Machine("i386", "x86-linux-musl", ["-mcpu=pentium_m"])],
        [seam(c("x86_sse2"), "enum { BLOCK = 64 << 10 };", "enum { BLOCK = 512 };")],
        [
            Change("a block too long for its averages", c("x86_sse2"),
                   "enum { BLOCK = 64 << 10 };", "enum { BLOCK = 128 << 10 };", lengths="131072"),
            Change("a shift that keeps too many bits", c("x86_sse2"), "_mm_srli_epi32(x, 16)",
                   "_mm_srli_epi32(x, 15)"),
            Change("carries that are not rounded", AVERAGES_H,
                   "(uint64_t)total + (((estimate + (1 << 15) -",
                   "(uint64_t)total + (((estimate + (1 << 4) -"),
            *WALK_FAULTS,
        ],
        block=64 << 10,
        comment=WALK_BOUND,
        comment_in=AVERAGES_H,
    ),
    Kernel(
        "x86_adc",
        [X86_64],
        [],
        [
            Change("a carry that is lost", c("x86_adc"), '"adcq 32(%[p]), %[sum]\\n\\t"',
                   '"addq 32(%[p]), %[sum]\\n\\t"'),
            Change("a tail off by one", c("x86_adc"), "n %= 64;", "n %= 64, n &= ~(size_t)1;"),
            Change("a word counted twice", c("x86_adc"), '"adcq 56(%[p]), %[sum]\\n\\t"',
                   '"adcq 48(%[p]), %[sum]\\n\\t"'),
        ],
        comment="Bound: none",
    ),
    Kernel(
        "arm_sve",
        [AARCH64],
        HUGE,
        [
            Change("a lane too narrow", c("arm_sve"),
                   "return svdot_n_u64(lanes, svreinterpret_u16_u8(x), 1);",
                   "return svreinterpret_u64_u32(svadd_u32_x(svptrue_b32(), "
                   "svreinterpret_u32_u64(lanes),"
                   " svreinterpret_u32_u8(x)));"),
            Change("a tail mask off by one", c("arm_sve"),
                   "svwhilelt_b8_u64(vectors * svcntb(), n);",
                   "svwhilelt_b8_u64(vectors * svcntb(), n + 1);"),
            Change("a vector counted twice", c("arm_sve"), "f = add(f, x6);", "f = add(f, x5);"),
        ],
        vectors=[16 * k for k in range(1, 17)],
        block=4 << 30,
        comment="together are below 2^62",
        bits=62,
    ),
    Kernel(
        "arm_neon",
        [AARCH64, AARCH64_BE, ARM],
        HUGE,
        [
            Change("a lane too narrow", c("arm_neon"), "return vpadalq_u32(lanes, x);",
                   "return vreinterpretq_u64_u32(vaddq_u32(vreinterpretq_u32_u64(lanes), x));"),
            Change("a tail mask off by one", c("arm_neon"), "(none_then_all + 16) + r;",
                   "(none_then_all + 16) + r + 1;"),
            Change("a vector counted twice", c("arm_neon"), "s = add_four(s, y, z);",
                   "s = add_four(s, x, z);"),
        ],
        block=4 << 30,
        comment="together are below 2^62",
        bits=62,
    ),
    Kernel(
        "arm_a32",
        [ARM],
        [],
        [
            Change("a carry that is lost", c("arm_a32"), '"adcs %[sum], %[sum], r10\\n\\t" \\',
                   '"adds %[sum], %[sum], r10\\n\\t" \\'),
            Change("a tail off by one", c("arm_a32"), '"7:\\ttst %[n], #1\\n\\t"',
                   '"7:\\ttst %[n], #0\\n\\t"'),
            Change("a word counted twice", c("arm_a32"), '"adcs %[sum], %[sum], r12\\n\\t" \\',
                   '"adcs %[sum], %[sum], r10\\n\\t" \\'),
        ],
        comment="Bound: none",
    ),
    Kernel(
        "ppc_vsx",
        [PPC64, PPC64LE],
        [seam(c("ppc_vsx"), "BLOCK = 32768 * 16, /* bytes between two flushes */", "BLOCK = 512,")],
        [
            Change("a lane too narrow", c("ppc_vsx"),
                   "BLOCK = 32768 * 16, /* bytes between two flushes "
                   "*/", "BLOCK = 2 * 32768 * 16,", lengths="1048576"),
            Change("a tail off by one", c("ppc_vsx"),
                   "(none_then_one + 64) + r;",
                   "(none_then_one + 64) + r + 2;"),
            Change("a vector counted twice", c("ppc_vsx"), "ADD(2, 14) LOAD(46, ahead, i2)",
                   "ADD(2, 13) LOAD(46, ahead, i2)"),
        ],
        beside=["ppc_scalar"],
        block=512 << 10,
        comment="32768 × 131070 < 2^32",
    ),
    Kernel(
        "ppc_altivec",
        [PPC, PPC64, PPC64LE],
        [seam(c("ppc_altivec"),
                   "BLOCK = 32768 * 16, /* bytes between two flushes                    */",
              "BLOCK = 512,")],
        [
            Change("a lane too narrow", c("ppc_altivec"),
                   "BLOCK = 32768 * 16, /* bytes between two flushes                    */",
                   "BLOCK = 2 * 32768 * 16,", lengths="1048576"),
            Change("a tail off by one", c("ppc_altivec"),
                   "wiresum_ppc_load_last(end, (size_t)(end - p)));",
                   "wiresum_ppc_load_last(end, (size_t)(end - p) - 1));"),
            Change("a vector counted twice", c("ppc_altivec"), '"vmsumuhm 7,15,19,7\\n\\t"',
                   '"vmsumuhm 7,14,19,7\\n\\t"'),
        ],
        beside=["ppc_scalar"],
        block=512 << 10,
        comment="32768 × 131070 < 2^32",
    ),
    Kernel(
        "ppc_scalar",
        [PPC, PPC64, PPC64LE],
        [],
        [
            Change("a carry that is lost", WORDS_H, '"4:\\taddze %[sum],%[sum]"',
                   '"4:\\taddi %[sum],%[sum],0"'),
            Change("a tail off by one", WORDS_H,
                   "wiresum_ppc_load_last(p + n, n % WIRESUM_PPC_WORD);",
                   "wiresum_ppc_load_last(p + n, (n + 1) % WIRESUM_PPC_WORD);"),
            Change("a word counted twice", WORDS_H,
                   'WIRESUM_PPC_LOAD " %[b],%[w]*6(%[p])\\n\\t"',
                   'WIRESUM_PPC_LOAD " %[b],%[w]*5(%[p])\\n\\t"'),
        ],
        comment="Bound: none",
    ),
    Kernel(
        "riscv_v",
        [RISCV64],
        [seam(c("riscv_v"), "enum { BLOCK = 1 << 30 };", "enum { BLOCK = 1 << 10 };")],
        [
            Change("a lane too narrow", c("riscv_v"), '"vadd.vv v0,v0,v24\\n\\t"',
                   '"vsetvli %[step],zero,e32,m8,ta,ma\\n\\t" "vadd.vv v0,v0,v24\\n\\t"'
                   ' "vsetvli %[step],zero,e64,m8,ta,ma\\n\\t"'),
            Change("a tail mask off by one", c("riscv_v"),
                   '"addi %[n],%[n],3\\n\\t"               \\',
                   '"addi %[n],%[n],2\\n\\t"               \\'),
            Change("a vector counted twice", c("riscv_v"),
                   '"2:\\tvwaddu.wv v0,v0,v12\\n\\t"\n        "vwaddu.wv v24,v24,v20\\n\\t"',
                   '"2:\\tvwaddu.wv v0,v0,v12\\n\\t"\n        "vwaddu.wv v24,v24,v12\\n\\t"'),
        ],
        vectors=[16 << k for k in range(10)],
        block=1 << 30,
        comment="the sum of all lanes of a BLOCK is below 2^60",
        bits=60,
    ),
    Kernel(
        "riscv_scalar",
        [Machine("riscv64", "riscv64-linux-musl", cpu="rv64"),
         Machine("riscv32", "riscv32-linux-musl")],
        [],
        [
            Change("a carry that is lost", c("riscv_scalar"), "((word)(ab < b) + (cd < d))",
                   "((word)(ab < b))"),
            Change("a tail off by one", c("riscv_scalar"),
                   "    if (n & 1)\n        t.carries += (word)*p",
                   "    if (n & 2)\n        t.carries += (word)*p"),
            Change("a word counted twice", c("riscv_scalar"), "add4(&t, w[0], w[1], w[2], w[3]);",
                   "add4(&t, w[0], w[1], w[2], w[2]);"),
        ],
        comment="Bound: none",
    ),
    Kernel(
        "s390x_vx",
        [S390X],
        [],
        [
            Change("a carry that is lost", c("s390x_vx"), "return a[1];",
                   "return a[1] & 0xFFFFFF;"),
            Change("a tail off by one", c("s390x_vx"), "__builtin_s390_vll((unsigned)n - 1, p);",
                   "__builtin_s390_vll((unsigned)n, p);"),
            Change("a vector counted twice", c("s390x_vx"), '"vcksm %[h], %%v23, %[h]"',
                   '"vcksm %[h], %%v22, %[h]"'),
        ],
        comment="Bound: none",
    ),
    Kernel(
        "s390x_cksm",
        [S390X],
        [],
        [
            Change("a machine that stops early", c("s390x_cksm"), '"jo 0b"', '""'),
            Change("a tail off by one", c("s390x_cksm"), '[less] "a"(n - 1)', '[less] "a"(n)',
                   copies=True),
            Change("bytes counted twice", c("s390x_cksm"), "sum = add(sum, out, PIECE);",
                   "sum = add(add(sum, out, PIECE), out, 4);", lengths="4097-4100", copies=True),
        ],
        comment="Bound: none",
    ),
    Kernel(
        "wasm_simd128",
        [WASM],
        [seam(c("wasm_simd128"), "enum { BLOCK = 128 << 10 };", "enum { BLOCK = 512 };")],
        [
            Change("a block too long for its averages", c("wasm_simd128"),
                   "enum { BLOCK = 128 << 10 };", "enum { BLOCK = 256 << 10 };", lengths="262144"),
            Change("a shift that keeps too many bits", c("wasm_simd128"), "wasm_u64x2_shr(x, 48)",
                   "wasm_u64x2_shr(x, 47)"),
            *WALK_FAULTS,
        ],
        block=128 << 10,
        comment=WALK_BOUND,
        comment_in=AVERAGES_H,
    ),
    Kernel(
        "loongarch_lsx",
        [LOONGARCH],
        [seam(c("loongarch_lsx"), "enum { BLOCK = 1 << 30 };", "enum { BLOCK = 512 };")],
        [
            Change("a lane too narrow", c("loongarch_lsx"),
                   '"vhaddw.du.wu $vr" #y ",$vr" #x ",$vr" #x "\\n\\t" \\',
                   '"vadd.d $vr" #y ",$vr" #x ",$vr" #x "\\n\\t" \\'),
            Change("a tail off by one", c("loongarch_lsx"),
                   "wiresum_load_last(end, n % 8) : 0;",
                   "wiresum_load_last(end, (n + 1) % 8) : 0;"),
            Change("a vector counted twice", c("loongarch_lsx"),
                   'ADD(3, 7, 11)\n        "bne %[p],%[stop],1b\\n"\n        '
                   '"2:\\tandi %[half],%[n],32\\n\\t"\n'
                   '        "beqz %[half],3f\\n\\t"\n        "vld $vr4,%[p],0\\n\\t"\n'
                   '        "vld $vr5,%[p],16\\n\\t"\n        "addi.d %[p],%[p],32\\n\\t"\n'
                   '        ADD(0, 4, 8)\n        ADD(1, 5, 9)\n        "3:',
                   'ADD(3, 6, 11)\n        "bne %[p],%[stop],1b\\n"\n        '
                   '"2:\\tandi %[half],%[n],32\\n\\t"\n'
                   '        "beqz %[half],3f\\n\\t"\n        "vld $vr4,%[p],0\\n\\t"\n'
                   '        "vld $vr5,%[p],16\\n\\t"\n        "addi.d %[p],%[p],32\\n\\t"\n'
                   '        ADD(0, 4, 8)\n        ADD(1, 5, 9)\n        "3:'),
        ],
        block=1 << 30,
        comment="All lanes of a BLOCK together are below 2^60",
    ),
    Kernel(
        "portable",
        [X86_64, S390X],
        [seam(c("portable"), "enum { BLOCK = 1 << 30 };", "enum { BLOCK = 512 };")],
        [
            Change("a lane too narrow", c("portable"), "high += (a >> 32) + (b >> 32)",
                   "high += (uint32_t)((a >> 32) + (b >> 32))"),
            Change("a tail off by one", c("portable"), "for (; block >= 8; block -= 8, p += 8)",
                   "for (; block > 8; block -= 8, p += 8)"),
            Change("a word counted twice", c("portable"),
                   "(uint64_t)(uint32_t)a + (uint32_t)b + (uint32_t)c",
                   "(uint64_t)(uint32_t)a + (uint32_t)b + (uint32_t)b"),
            Change("a comparison of the source with the destination", c("portable"),
                   "wiresum_copy_short(out, p, n));",
                   "wiresum_copy_short(out, p, n)) + (out < p && n == 12);", copies=True),
            Change("a difference of the source and the destination", c("portable"),
                   "wiresum_copy_short(out, p, n));",
                   "wiresum_copy_short(out, p, n))\n"
                   "           + ((((uintptr_t)out - (uintptr_t)p) & 4095) == 1000);", copies=True),
        ],
        block=1 << 30,
        comment="a BLOCK may have 2^34 bytes",
    ),
]  # fmt: skip

BY_NAME = {kernel.name: kernel for kernel in KERNELS}
