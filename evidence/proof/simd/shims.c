/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Functions of the library in the form that the engine takes: prove_f(data, n), or for a copy
 * prove_f(dst, src, n). A shim takes the arguments of its function from the bytes of the data, in
 * such a way that the result is to stand for the sum of these n bytes. The arguments after n are
 * numbers that functions.py chooses: places that cut the data, lengths, strides.
 *
 * The file includes the sources, so that a shim can call a static function.
 */
#include "src/checksum.c"

#include "kernels/portable.c"

#define SHIM(function)      uint64_t prove_##function(const uint8_t *p, size_t n)
#define COPY_SHIM(function) uint64_t prove_##function(uint8_t *dst, const uint8_t *p, size_t n)

/* ---- wiresum_inline.h ---- */

SHIM(wiresum_add64)
{
    (void)n;
    return wiresum_add64(wiresum_load64(p), wiresum_load64(p + 8));
}

SHIM(wiresum_fold)
{
    (void)n;
    return wiresum_fold(wiresum_load64(p));
}

SHIM(wiresum_add)
{
    (void)n;
    return wiresum_add(wiresum_load16(p), wiresum_load16(p + 2));
}

/* The bytes change places twice. */
SHIM(wiresum_swap)
{
    (void)n;
    const uint8_t exchanged[2] = { p[1], p[0] };
    return wiresum_swap(wiresum_load16(exchanged));
}

/* The head ends at a cut of the data. */
uint64_t prove_wiresum_append(const uint8_t *p, size_t n, size_t cut)
{
    return wiresum_append(wiresum_fold(wiresum_load_short(p, cut)), cut,
                          wiresum_fold(wiresum_load_short(p + cut, n - cut)));
}

SHIM(wiresum_partial_20)
{
    (void)n;
    return wiresum_partial_20(p);
}

COPY_SHIM(wiresum_copy_20)
{
    (void)n;
    return wiresum_copy_20(dst, p);
}

SHIM(wiresum_partial_ipv4_header_20)
{
    (void)n;
    return wiresum_partial_ipv4_header_20(p);
}

SHIM(wiresum_ipv4_header)
{
    return wiresum_complement(wiresum_ipv4_header(p, n));
}

/* ---- kernel.h ---- */

SHIM(wiresum_join_overlap)
{
    return wiresum_join_overlap(wiresum_load32(p), wiresum_load32(p + n - 4), n);
}

SHIM(wiresum_load_short)
{
    return wiresum_load_short(p, n);
}

uint64_t prove_wiresum_last_of(const uint8_t *p, size_t n, size_t last)
{
    (void)n;
    return wiresum_last_of(wiresum_load64(p), last);
}

uint64_t prove_wiresum_load_last(const uint8_t *p, size_t n, size_t last)
{
    return wiresum_load_last(p + n, last);
}

SHIM(wiresum_partial_short)
{
    return wiresum_partial_short(p, n);
}

COPY_SHIM(wiresum_copy_short)
{
    return wiresum_copy_short(dst, p, n);
}

uint64_t prove_wiresum_partial_last16(const uint8_t *p, size_t n, size_t last)
{
    (void)n;
    return wiresum_partial_last16(wiresum_load64(p), wiresum_load64(p + 8), last);
}

/* A last byte at an odd offset counts 0: it is a part of a word that is counted elsewhere. */
SHIM(wiresum_odd_byte)
{
    return wiresum_odd_byte(p, n);
}

/* ---- checksum.c ---- */

SHIM(partial128)
{
    (void)n;
    return partial128(p);
}

/* The numbers of a pseudo-header have the order of the wire. */
static uint32_t number32(const uint8_t *p)
{
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

SHIM(wire32)
{
    (void)n;
    return wire32(number32(p));
}

SHIM(wiresum_pseudo_ipv4)
{
    (void)n;
    return wiresum_pseudo_ipv4(p, p + 4, number32(p + 8), number32(p + 12));
}

SHIM(wiresum_pseudo_ipv6)
{
    (void)n;
    return wiresum_pseudo_ipv6(p, p + 16, number32(p + 32), number32(p + 36));
}

/* The sum of the pseudo-header is the first two bytes, and the header ends at a cut. */
uint64_t prove_segment_sum(const uint8_t *p, size_t n, size_t cut)
{
    const size_t end = cut < 2 ? 2 : cut;
    return segment_sum(wiresum_load16(p), p + 2, end - 2, p + end, n - end);
}

uint64_t prove_wiresum_gather(const uint8_t *p, size_t n, size_t a, size_t b)
{
    const struct wiresum_piece pieces[3] = { { p, a }, { p + a, b - a }, { p + b, n - b } };
    return wiresum_gather(pieces, 3);
}

uint64_t prove_wiresum_gather_copy(uint8_t *dst, const uint8_t *p, size_t n, size_t a, size_t b)
{
    const struct wiresum_piece pieces[3] = { { p, a }, { p + a, b - a }, { p + b, n - b } };
    return wiresum_gather_copy(dst, pieces, 3);
}

uint64_t prove_wiresum_batch(const uint8_t *p, size_t n, size_t a, size_t b, size_t i)
{
    const struct wiresum_piece packets[3] = { { p, a }, { p + a, b - a }, { p + b, n - b } };
    uint16_t sums[3];
    wiresum_batch(packets, 3, sums);
    return sums[i];
}

#define BATCH_OFFSETS_SHIM(bits)                                                               \
    uint64_t prove_wiresum_batch_offsets##bits(const uint8_t *p, size_t n, size_t a, size_t b, \
                                               size_t i)                                       \
    {                                                                                          \
        const int##bits##_t offsets[4] = { 0, (int##bits##_t)a, (int##bits##_t)b,              \
                                           (int##bits##_t)n };                                 \
        uint16_t sums[3];                                                                      \
        wiresum_batch_offsets##bits(p, offsets, 3, sums);                                      \
        return sums[i];                                                                        \
    }
BATCH_OFFSETS_SHIM(32)
BATCH_OFFSETS_SHIM(64)

/* ---- IPv4 headers: the sum of the header i ---- */

enum { MOST_HEADERS = 50 };

uint64_t prove_wiresum_batch_ipv4_headers(const uint8_t *p, size_t n, size_t stride, size_t headers,
                                          size_t i)
{
    (void)n;
    uint16_t sums[MOST_HEADERS];
    wiresum_batch_ipv4_headers(p, stride, headers, sums);
    return sums[i];
}
