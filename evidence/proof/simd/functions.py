# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is proved of each function that is no kernel: shims.c calls it with arguments of the data.

A function is proved at the lengths of its row: at each that it has, if its size has a bound. Its
faults are planted as in the kernels.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from .kernels import BY_NAME, KERNEL_H, PPC, S390X, X86_64, Change, Machine

INLINE_H = "c/include/wiresum_inline.h"
CHECKSUM_C = "c/src/checksum.c"
HEADERS_H = "c/kernels/x86_avx512vnni_headers.h"
AVX2_HEADERS_H = "c/kernels/x86_avx2_headers.h"

I386 = Machine("i386", "x86-linux-musl", ["-mcpu=pentium_m"])
# Either byte order, with words of 64 and of 32 bits.
EVERY = [X86_64, S390X, I386, PPC]


@dataclass
class Fault(Change):
    machine: str = "x86_64"  # the one whose code has the text


@dataclass
class Function:
    name: str
    given: str  # for the table: which arguments and bytes are fixed
    # full → (shim, options of the engine) of each run; the bounded form takes fewer
    runs: Callable
    faults: list
    machines: list = field(default_factory=lambda: EVERY)
    file: str = "shims.c"
    flags: list = field(default_factory=lambda: ["-DWIRESUM_ONLY_PORTABLE"])


def at(shim, lengths, *options):
    """One run, the same in either form."""
    return lambda full: [(shim, ["--lengths", lengths, *options])]


def fewer(shim, lengths, bounded, *options):
    """One run, with fewer lengths in the bounded form."""
    return lambda full: [(shim, ["--lengths", lengths if full else bounded, *options])]


def last_bytes(shim, size, counts):
    """The last bytes of so many, one number of them a run."""
    return lambda full: [
        (shim, ["--lengths", size, "--number", n, "--only", f"{size - n}+{n}", "--word"])
        for n in counts
    ]


def last16(full):
    for n in range(32):
        r = n % 16
        yield "wiresum_partial_last16", ["--lengths", 16, "--number", n, "--only", f"{16 - r}+{r}"]


def odd_bytes(full):
    for n in range(1, 40):
        counted = ["--only", f"{n - 1}+1"] if n % 2 else ["--gives", 0]
        yield "wiresum_odd_byte", ["--lengths", n, *counted]


def pieces(shim, lengths, bounded, *options):
    """The sum of each of three packets that two cuts make of the data."""
    return lambda full: [
        (shim, ["--lengths", lengths if full else bounded, "--cuts", 2, "--piece", i, *options])
        for i in range(3)
    ]


# ---- IPv4 headers ----


def fixed(headers, stride):
    """The IHL of each header is fixed, and its version is any number of four bits."""
    words = []
    for i, ihl in enumerate(headers):
        words += ["--fixed", f"{i * stride}={ihl}/15"]
    return words


def size(headers, stride):
    """The bytes of an array that ends where its last header does. No IHL is known before the first
    byte is read."""
    ends = (i * stride + (4 * ihl if ihl >= 5 else 1) for i, ihl in enumerate(headers))
    return max(ends, default=0)


def one_sum(shim, headers, stride, i):
    """The sum that is stored for the header i; 0 if it is no header."""
    counts = ["--only", f"{i * stride}+{4 * headers[i]}"] if headers[i] >= 5 else ["--gives", 0]
    numbers = ["--number", stride, "--number", len(headers), "--number", i]
    return shim, ["--lengths", size(headers, stride), *fixed(headers, stride), *counts, *numbers]


def end(headers, stride, summed):
    """Where the kernel stops."""
    return "end_of_headers", [
        *("--lengths", size(headers, stride) if stride >= 20 else 0),
        *(fixed(headers, stride) if stride >= 20 else []),
        *("--gives", summed, "--number", stride, "--number", len(headers)),
    ]


def other_at(place, ihl, number):
    return [ihl if i == place else 5 for i in range(number)]


OTHER_IHLS = [ihl for ihl in range(16) if ihl != 5]


def several_a_step(step):
    """A kernel that sums `step` headers a step."""

    def runs(full):
        for stride in (20, 21, 24, 40, 64) if full else (20, 21):
            for number in (step - 1, step, step + 1, 2 * step, 2 * step + 1):
                headers, summed = [5] * number, number // step * step
                yield end(headers, stride, summed)
                if full or number == step + 1:
                    for i in range(summed):
                        yield one_sum("sum_of_headers", headers, stride, i)
        for stride in range(20):
            yield end([5] * step, stride, 0)
        for stride in (20, 64) if full else (20,):
            for place in range(2 * step) if full else (0, 6, step - 3, step + 3, 2 * step - 1):
                for ihl in OTHER_IHLS if full else (4, 6):
                    headers = other_at(place, ihl, 2 * step)
                    yield end(headers, stride, place // step * step)
        for i in range(step) if full else (0, step - 1):  # what it sums before it stops
            yield one_sum("sum_of_headers", other_at(step + 4, 6, 2 * step), 24, i)

    return runs


def one_by_one(full):
    for stride in (20, 60, 61) if full else (60,):
        for ihl in range(16):
            headers = [ihl, 5, (ihl + 7) % 16]
            for i in range(3):
                yield one_sum("wiresum_batch_ipv4_headers", headers, stride, i)


def with_the_kernel(full):
    """The kernel takes up the work after the headers that are summed one by one. The other kernel
    functions look at addresses: there are two."""
    for place in range(50) if full else (0, 16, 40):
        for ihl in (4, 6, 15) if full else (6,):
            headers = other_at(place, ihl, 50)
            for i in sorted({0, 16, 33, place, 49} if full else {place, 33}):
                shim, options = one_sum("wiresum_batch_ipv4_headers", headers, 60, i)
                yield shim, [*options, "--wander", 2]


# Numbers beyond 31 that the code of the shims compares with. 31 is the longest data that have a
# function of their own; the others are a sum, the headers of shims.c, and limits of kernels.
LIMITS = {
    "shims.c": {32, 63, 65535, 1 << 30},
    "shims_avx512vnni.c": {
        *(32, 63, 64, 191, 256, 257, 4096 - 64, 65535),
        *BY_NAME["x86_avx512vnni"].limits,
    },
    "shims_avx2.c": {
        *(32, 63, 64, 128, 256, 384, 512, 4096 - 64, 65535),
        *(1664, 128 << 10),  # LONG and BLOCK of the kernel
    },
}

FUNCTIONS = [
    Function(
        "wiresum_fold", "", at("wiresum_fold", 8),
        [
            Fault("a carry that is lost", INLINE_H, "partial + (partial << 32 | partial >> 32);",
                  "partial + (partial << 32);"),
            Fault("the lower half", INLINE_H, "WIRESUM_CAST(uint32_t, twice >> 32);",
                  "WIRESUM_CAST(uint32_t, twice);"),
            Fault("another rotation", INLINE_H, "(half << 16 | half >> 16)) >> 16);",
                  "(half << 8 | half >> 24)) >> 16);"),
        ],
    ),
    Function(
        "wiresum_add64", "", at("wiresum_add64", 16),
        [
            Fault("a carry that is lost", INLINE_H, "return s + (s < b);", "return s;"),
            Fault("another carry", INLINE_H, "return s + (s < b);", "return s + (b < s);"),
            Fault("a word counted twice", INLINE_H, "const uint64_t s = a + b;",
                  "const uint64_t s = b + b;"),
        ],
    ),
    Function(
        "wiresum_add", "", at("wiresum_add", 4),
        [
            Fault("a carry that is lost", INLINE_H, "(s >> 16) + s);", "s);"),
            Fault("another carry", INLINE_H, "(s >> 16) + s);", "(s >> 15) + s);"),
            Fault("a word counted twice", INLINE_H, "WIRESUM_CAST(uint32_t, a) + b;",
                  "WIRESUM_CAST(uint32_t, a) + a;"),
        ],
    ),
    Function(
        "wiresum_swap", "", at("wiresum_swap", 2),
        [
            Fault("no exchange", INLINE_H, "sum << 8 | sum >> 8);", "sum);"),
            Fault("half of it", INLINE_H, "sum << 8 | sum >> 8);", "sum << 8);"),
            Fault("a bit too far", INLINE_H, "sum << 8 | sum >> 8);", "sum << 8 | sum >> 9);"),
        ],
    ),
    Function(
        "wiresum_append", "cut at every place",
        at("wiresum_append", "0-7", "--cuts", 1),
        [
            Fault("no exchange", INLINE_H,
                  "wiresum_add(head, head_len & 1 ? wiresum_swap(tail) : tail);",
                  "wiresum_add(head, tail);"),
            Fault("an exchange always", INLINE_H,
                  "wiresum_add(head, head_len & 1 ? wiresum_swap(tail) : tail);",
                  "wiresum_add(head, wiresum_swap(tail));"),
            Fault("another parity", INLINE_H,
                  "wiresum_add(head, head_len & 1 ? wiresum_swap(tail) : tail);",
                  "wiresum_add(head, head_len & 2 ? wiresum_swap(tail) : tail);"),
        ],
    ),
    Function(
        "wiresum_partial_20", "", at("wiresum_partial_20", 20),
        [
            Fault("a word at another place", INLINE_H, "wiresum_load64(p + 8)),",
                  "wiresum_load64(p + 4)),"),
            Fault("a carry that is lost", INLINE_H,
                  "wiresum_add64(wiresum_add64(wiresum_load64(p), wiresum_load64(p + 8)),",
                  "wiresum_add64(wiresum_load64(p) + wiresum_load64(p + 8),"),
            Fault("a lane too narrow", INLINE_H,
                  "WIRESUM_CAST(uint64_t, wiresum_load32(p)) + wiresum_load32(p + 4)",
                  "wiresum_load32(p) + wiresum_load32(p + 4)", machine="i386"),
        ],
    ),
    Function(
        "wiresum_copy_20", "", at("wiresum_copy_20", 20, "--copy"),
        [
            Fault("a word stored twice", INLINE_H, "wiresum_store64(out + 8, b);",
                  "wiresum_store64(out + 8, a);"),
            Fault("a word loaded again for the sum", INLINE_H,
                  "wiresum_add64(wiresum_add64(a, b), c);",
                  "wiresum_add64(wiresum_add64(a, wiresum_load64_once(p + 8)), c);"),
            Fault("a carry that is lost", INLINE_H, "wiresum_add64(wiresum_add64(a, b), c);",
                  "wiresum_add64(a + b, c);"),
            Fault("a step too far", INLINE_H, "for (size_t i = 0; i < 20; i += 4) {",
                  "for (size_t i = 0; i <= 20; i += 4) {", machine="i386"),
        ],
    ),
    Function(
        "wiresum_partial_ipv4_header_20", "bytes 10 and 11 count nothing",
        at("wiresum_partial_ipv4_header_20", 20, "--without", "10+2"),
        [
            Fault("another field", INLINE_H, "{ { 0, 0, 0xFF, 0xFF, 0, 0, 0, 0 } }",
                  "{ { 0, 0, 0, 0xFF, 0xFF, 0, 0, 0 } }"),
            Fault("the field counts", INLINE_H, "& ~field.word),", "),"),
            Fault("the field counts on 32 bits", INLINE_H, "wiresum_load16(h + 8)",
                  "wiresum_load32(h + 8)", machine="i386"),
        ],
    ),
    Function(
        "wiresum_ipv4_header", "bytes 10 and 11 count nothing",
        at("wiresum_ipv4_header", "20-60", "--without", "10+2"),
        [
            Fault("the field counts", INLINE_H,
                  "uint64_t s = wiresum_partial_ipv4_header_20(header);",
                  "uint64_t s = wiresum_partial_20(header);"),
            Fault("the sum, not the checksum", INLINE_H,
                  "return wiresum_complement(wiresum_fold(s));", "return wiresum_fold(s);"),
            Fault("no options", INLINE_H,
                  "uint64_t s = wiresum_partial_ipv4_header_20(header);\n    if (len > 20)",
                  "uint64_t s = wiresum_partial_ipv4_header_20(header);\n    if (len > 24)"),
        ],
    ),
    Function(
        "wiresum_join_overlap", "the result is a word, byte by byte",
        at("wiresum_join_overlap", "4-7", "--word"),
        [
            Fault("no shift", KERNEL_H, "first | last >> gap << 32;", "first | last << 32;"),
            Fault("a gap too wide", KERNEL_H,
                  "(unsigned)(8 * (8 - n)); /* the two overlap by so many bits */",
                  "(unsigned)(8 * (9 - n));"),
            Fault("half of the bytes", KERNEL_H, "first << 32 | (last << gap & 0xFFFFFFFFu)",
                  "first << 32 | (last << gap & 0xFFFFu)", machine="s390x"),
        ],
    ),
    Function(
        "wiresum_load_short", "the result is a word, byte by byte",
        at("wiresum_load_short", "0-7", "--word"),
        [
            Fault("a read before the data", KERNEL_H, "wiresum_load32(p + n - 4), n);",
                  "wiresum_load32(p + n - 5), n);"),
            Fault("a read past the data", KERNEL_H, "b2 = n > 2 ? p[2] : 0;",
                  "b2 = n > 1 ? p[2] : 0;"),
            Fault("a byte at another place", KERNEL_H, "b0 | b1 << 8 | b2 << 16;",
                  "b0 | b1 << 8 | b2 << 24;"),
            Fault("a byte at another place on s390x", KERNEL_H,
                  "b0 << 56 | b1 << 48 | b2 << 40", "b0 << 56 | b1 << 48 | b2 << 32",
                  machine="s390x"),
        ],
    ),
    Function(
        "wiresum_last_of", "the last 1–8 of 8 bytes, as a word",
        last_bytes("wiresum_last_of", 8, range(1, 9)),
        [
            Fault("the first bytes", KERNEL_H, "word << gap : word >> gap;",
                  "word >> gap : word << gap;"),
            Fault("a gap too wide", KERNEL_H,
                  "(unsigned)(8 * (8 - n));\n    return WIRESUM_BIG_ENDIAN ? word",
                  "(unsigned)(8 * (9 - n));\n    return WIRESUM_BIG_ENDIAN ? word"),
            Fault("the first bytes on s390x", KERNEL_H, "word << gap : word >> gap;",
                  "word >> gap : word >> gap;", machine="s390x"),
        ],
    ),
    Function(
        "wiresum_load_last", "the last 1–8 of 8 bytes, as a word",
        last_bytes("wiresum_load_last", 8, range(1, 9)),
        [
            Fault("a read before the data", KERNEL_H, "wiresum_load64(end - 8), n);",
                  "wiresum_load64(end - 9), n);"),
            Fault("a read past the data", KERNEL_H, "wiresum_load64(end - 8), n);",
                  "wiresum_load64(end - 7), n);"),
            Fault("all bytes", KERNEL_H, "wiresum_load64(end - 8), n);",
                  "wiresum_load64(end - 8), 8);"),
        ],
    ),
    Function(
        "wiresum_partial_short", "", at("wiresum_partial_short", "0-31"),
        [
            Fault("a tail that is left out", KERNEL_H,
                  "n % 8 ? wiresum_add64(s, wiresum_load_last(end, n % 8)) : s;", "s;"),
            Fault("a word counted twice", KERNEL_H,
                  "s = wiresum_add64(s, wiresum_load64(p + 16));",
                  "s = wiresum_add64(s, wiresum_load64(p + 8));"),
            Fault("a step off by one", KERNEL_H, "if (n >= 24)", "if (n > 24)"),
        ],
    ),
    Function(
        "wiresum_copy_short", "", at("wiresum_copy_short", "0-31", "--copy"),
        [
            Fault("the other of two stores last", KERNEL_H,
                  "wiresum_store32(dst + n - 4, last);\n        wiresum_store32(dst, first);",
                  "wiresum_store32(dst, first);\n        wiresum_store32(dst + n - 4, last);"),
            Fault("a step off by one", KERNEL_H, "n - i >= 8; i += 8", "n - i > 8; i += 8"),
            Fault("a byte at another place", KERNEL_H, "(WIRESUM_BIG_ENDIAN ? 7 - i : i);",
                  "(WIRESUM_BIG_ENDIAN ? 7 - i : i + 1);"),
            Fault("a byte at another place on s390x", KERNEL_H,
                  "(WIRESUM_BIG_ENDIAN ? 7 - i : i);", "(WIRESUM_BIG_ENDIAN ? 6 - i : i);",
                  machine="s390x"),
        ],
    ),
    Function(
        "wiresum_partial_last16", "the last n % 16 of 16 bytes, n 0–31", last16,
        [
            Fault("all of a word", KERNEL_H, "return n & 8 ? second : 0;", "return second;"),
            Fault("bytes that are left out", KERNEL_H,
                  "before | (WIRESUM_BIG_ENDIAN ? second >> kept : second << kept)", "before"),
            Fault("another shift", KERNEL_H, "const unsigned kept = (unsigned)(8 * (n % 8));",
                  "const unsigned kept = (unsigned)(8 * (n % 4));"),
        ],
    ),
    Function(
        "wiresum_odd_byte", "the last byte counts if the length is odd", odd_bytes,
        [
            Fault("the byte always", KERNEL_H, "last & (0u - (unsigned)(n & 1));", "last;"),
            Fault("the byte before", KERNEL_H, "wiresum_odd(p[n - 1], n);",
                  "wiresum_odd(p[(n - 1) & ~(size_t)1], n + 1);"),
            Fault("the other half of a word", KERNEL_H, "WIRESUM_BIG_ENDIAN ? byte << 8 : byte;",
                  "byte;", machine="s390x"),
        ],
    ),
    Function(
        "partial128", "", at("partial128", 16),
        [
            Fault("a carry that is lost", CHECKSUM_C,
                  "wiresum_add64(wiresum_load64(p), wiresum_load64((const uint8_t *)p + 8));",
                  "wiresum_load64(p) + wiresum_load64((const uint8_t *)p + 8);"),
            Fault("a word counted twice", CHECKSUM_C, "wiresum_load64((const uint8_t *)p + 8));",
                  "wiresum_load64(p));"),
            Fault("a read past the data", CHECKSUM_C,
                  "wiresum_load64((const uint8_t *)p + 8));",
                  "wiresum_load64((const uint8_t *)p + 10));"),
        ],
    ),
    Function(
        "wire32", "", at("wire32", 4),
        [
            Fault("the lower word twice", CHECKSUM_C, "wire16((uint16_t)(value >> 16)) +",
                  "wire16((uint16_t)value) +"),
            Fault("no exchange", CHECKSUM_C, "WIRESUM_BIG_ENDIAN ? value : wiresum_swap(value);",
                  "value;"),
            Fault("an exchange on s390x", CHECKSUM_C,
                  "WIRESUM_BIG_ENDIAN ? value : wiresum_swap(value);", "wiresum_swap(value);",
                  machine="s390x"),
        ],
    ),
    Function(
        "wiresum_pseudo_ipv4", "", at("wiresum_pseudo_ipv4", 16),
        [
            Fault("a carry that is lost", CHECKSUM_C,
                  "(uint64_t)wiresum_load32(source) + wiresum_load32(destination)",
                  "wiresum_load32(source) + wiresum_load32(destination)"),
            Fault("an address counted twice", CHECKSUM_C,
                  "(uint64_t)wiresum_load32(source) + wiresum_load32(destination)",
                  "(uint64_t)wiresum_load32(source) + wiresum_load32(source)"),
            Fault("a length of 16 bits", CHECKSUM_C,
                  "+ wire32(protocol) + wire32(len));\n}\n\nuint16_t",
                  "+ wire32(protocol) + wire16((uint16_t)len));\n}\n\nuint16_t"),
        ],
    ),
    Function(
        "wiresum_pseudo_ipv6", "", at("wiresum_pseudo_ipv6", 40),
        [
            Fault("a carry that is lost", CHECKSUM_C,
                  "wiresum_add64(partial128(source), partial128(destination));",
                  "partial128(source) + partial128(destination);"),
            Fault("an address counted twice", CHECKSUM_C,
                  "wiresum_add64(partial128(source), partial128(destination));",
                  "wiresum_add64(partial128(source), partial128(source));"),
            Fault("no length", CHECKSUM_C, "wiresum_add64(addresses, wire32(protocol) + "
                  "wire32(len)));", "wiresum_add64(addresses, wire32(protocol)));"),
        ],
    ),
    Function(
        "segment_sum", "the first 2 bytes are the pseudo-header's sum; the header ends at "
        "every place",
        fewer("segment_sum", "2-100", "2-40:3", "--cuts", 1),
        [
            Fault("no exchange", CHECKSUM_C, "header_len & 1 ? wiresum_swap(tail) : tail;",
                  "tail;"),
            Fault("a lane too narrow", CHECKSUM_C,
                  "uint64_t s = (uint64_t)pseudo + sum_of(header, header_len);",
                  "uint16_t s = pseudo + sum_of(header, header_len);"),
            Fault("no pseudo-header", CHECKSUM_C,
                  "(uint64_t)pseudo + sum_of(header, header_len);",
                  "(uint64_t)sum_of(header, header_len);"),
        ],
    ),
    Function(
        "wiresum_gather", "three pieces, cut at every two places",
        fewer("wiresum_gather", "0-40", "0-24:4", "--cuts", 2),
        [
            Fault("the parity of the piece", CHECKSUM_C,
                  "wiresum_append(sum, done, sum_of(pieces[i].data, pieces[i].len));",
                  "wiresum_append(sum, pieces[i].len, sum_of(pieces[i].data, pieces[i].len));"),
            Fault("a piece too short", CHECKSUM_C,
                  "wiresum_append(sum, done, sum_of(pieces[i].data, pieces[i].len));",
                  "wiresum_append(sum, done, sum_of(pieces[i].data, pieces[i].len & ~(size_t)1));"),
            Fault("the last piece alone", CHECKSUM_C,
                  "wiresum_append(sum, done, sum_of(pieces[i].data, pieces[i].len));",
                  "wiresum_append(0, done, sum_of(pieces[i].data, pieces[i].len));"),
        ],
    ),
    Function(
        "wiresum_gather_copy", "three pieces, cut at every two places",
        fewer("wiresum_gather_copy", "0-40", "0-24:4", "--cuts", 2, "--copy"),
        [
            Fault("a piece at another place", CHECKSUM_C, "copy_of(out + done, pieces[i].data,",
                  "copy_of(out + (done & ~(size_t)1), pieces[i].data,"),
            Fault("the source is summed", CHECKSUM_C,
                  "copy_of(out + done, pieces[i].data, pieces[i].len));",
                  "(copy_of(out + done, pieces[i].data, pieces[i].len),\n"
                  "         sum_of(pieces[i].data, pieces[i].len)));"),
            Fault("an empty piece ends the list", CHECKSUM_C,
                  "continue; /* dst may be null", "break; /* dst may be null"),
        ],
    ),
    Function(
        "wiresum_batch", "three packets, cut at every two places; the sum of each",
        pieces("wiresum_batch", "0-24", "0-24:8", "--wander", 2),
        [
            Fault("the first packet", CHECKSUM_C,
                  "sums[i] = sum_of(packets[i].data, packets[i].len);",
                  "sums[i] = sum_of(packets[0].data, packets[i].len);"),
            Fault("a sum at another place", CHECKSUM_C,
                  "sums[i] = sum_of(packets[i].data, packets[i].len);",
                  "sums[n - 1 - i] = sum_of(packets[i].data, packets[i].len);"),
            Fault("a packet too long", CHECKSUM_C,
                  "sums[i] = sum_of(packets[i].data, packets[i].len);",
                  "sums[i] = sum_of(packets[i].data, packets[i].len | 1);"),
        ],
        machines=[X86_64, S390X],
    ),
    *(
        Function(
            f"wiresum_batch_offsets{bits}",
            "three packets, cut at every two places; the sum of each",
            pieces(f"wiresum_batch_offsets{bits}", "0-24", "0-24:8"),
            [
                Fault("the first packet", CHECKSUM_C,
                      "sum_of((const uint8_t *)base + offsets[i], (size_t)(offsets[i + 1]",
                      "sum_of((const uint8_t *)base + offsets[0], (size_t)(offsets[i + 1]"),
                Fault("the length of two packets", CHECKSUM_C,
                      "(size_t)(offsets[i + 1] - offsets[i])); \\",
                      "(size_t)(offsets[i + 1] - offsets[i ? i - 1 : 0])); \\"),
                Fault("a packet too few", CHECKSUM_C,
                      "for (size_t i = 0; i < n; i++)                                         "
                      "                    \\",
                      "for (size_t i = 0; i + 1 < n; i++) \\"),
            ],
        )
        for bits in (32, 64)
    ),
    Function(
        "wiresum_batch_ipv4_headers",
        "three headers of every IHL; the sum of each, or 0",
        one_by_one,
        [
            Fault("no options", CHECKSUM_C, "wiresum_add64(s, sum_of(h + 20, len - 20)));", "s);"),
            Fault("no header counts", CHECKSUM_C, "if (WIRESUM_UNLIKELY(len < 20))",
                  "if (WIRESUM_UNLIKELY(len < 16))"),
            Fault("another stride", CHECKSUM_C, "sums[i] = sum_ipv4_header(h + i * stride);",
                  "sums[i] = sum_ipv4_header(h + i * 20);"),
        ],
    ),
    Function(
        "wiresum_kernel_x86_avx512vnni_headers",
        "15–17, 32 and 33 headers with an IHL of 5, strides 20, 21, 24, 40 and 64: each sum, and "
        "where it stops; another IHL at each of 32 places: where it stops",
        several_a_step(16),
        [
            Fault("four bytes that count twice", HEADERS_H, "_mm512_maskz_mov_epi32(0x8888, ones);",
                  "_mm512_maskz_mov_epi32(0xC888, ones);"),
            Fault("options that are not seen", HEADERS_H, "_mm512_mask_test_epi32_mask(0x1111,",
                  "_mm512_mask_test_epi32_mask(0x1110,"),
            Fault("a sum at another place", HEADERS_H,
                  "_mm512_add_epi32(_mm512_unpacklo_epi64(s01, s23), "
                  "_mm512_unpackhi_epi64(s01, s23));",
                  "_mm512_add_epi32(_mm512_unpacklo_epi64(s23, s01), "
                  "_mm512_unpackhi_epi64(s23, s01));"),
            Fault("a bias too small", HEADERS_H,
                  "_mm512_slli_epi32(_mm512_add_epi16(ones, last_pair), 16);",
                  "_mm512_slli_epi32(ones, 16);"),
            Fault("a read past the last header", HEADERS_H,
                  "(n - done == 16 && (first[(n - 1) * stride] & 15) >= 5)", "n - done == 16"),
        ],
        machines=[X86_64],
        file="shims_avx512vnni.c",
        flags=[],
    ),
    Function(
        "wiresum_kernel_x86_avx2_headers",
        "7–9, 16 and 17 headers with an IHL of 5, strides 20, 21, 24, 40 and 64: each sum, and "
        "where it stops; another IHL at each of 16 places: where it stops",
        several_a_step(8),
        [
            Fault("options that are not seen", AVX2_HEADERS_H, "_mm256_testz_si256(other, ihl)",
                  "_mm256_testz_si256(other, _mm256_setzero_si256())"),
            Fault("a sum at another place", AVX2_HEADERS_H,
                  "_mm256_add_epi32(_mm256_unpacklo_epi64(s01, s23), "
                  "_mm256_unpackhi_epi64(s01, s23));",
                  "_mm256_add_epi32(_mm256_unpacklo_epi64(s23, s01), "
                  "_mm256_unpackhi_epi64(s23, s01));"),
            Fault("a bias too small", AVX2_HEADERS_H,
                  "_mm256_slli_epi32(_mm256_add_epi16(ones, last_pair), 16);",
                  "_mm256_slli_epi32(ones, 16);"),
            Fault("a read after the last header", AVX2_HEADERS_H,
                  "(n - done == 8 && (first[(n - 1) * stride] & 15) >= 5)", "n - done == 8"),
        ],
        machines=[X86_64],
        file="shims_avx2.c",
        flags=[],
    ),
    Function(
        "wiresum_batch_ipv4_headers with x86_avx512vnni",
        "50 headers, one of them with another IHL at each place; 2 addresses",
        with_the_kernel,
        [
            Fault("a header left out", CHECKSUM_C,
                  "for (const size_t stop = n - i < ONE_BY_ONE ? n : i + ONE_BY_ONE; i < stop;",
                  "for (const size_t stop = n - i < ONE_BY_ONE ? n : i++ + ONE_BY_ONE; i < stop;"),
            Fault("a sum at another place", CHECKSUM_C, "stride, n - i, sums + i);",
                  "stride, n - i, sums);"),
            Fault("another header", CHECKSUM_C, "wiresum_active_headers(h + i * stride, stride,",
                  "wiresum_active_headers(h, stride,"),
        ],
        machines=[X86_64],
        file="shims_avx512vnni.c",
        flags=[],
    ),
]  # fmt: skip

FUNCTIONS_BY_NAME = {function.name: function for function in FUNCTIONS}
