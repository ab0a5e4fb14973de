/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The exported functions of wiresum.h, except the functions of its last section, "Kernels". */
#include "dispatch.h"

/* A note and no warning, because a build may turn warnings into errors. Only GCC and Clang say
   whether they optimize. A build that is slow on purpose defines WIRESUM_UNOPTIMIZED. */
#if WIRESUM_GNU && !defined(__OPTIMIZE__) && !defined(WIRESUM_UNOPTIMIZED)
#  pragma message("wiresum is slow without -O2; a build that means it defines WIRESUM_UNOPTIMIZED")
#endif

/* ---- buffers ---- */

/* wiresum_sum and wiresum_copy for the other functions of this file. A call of an exported function
   would go through the procedure linkage table of a shared library. */
static inline uint16_t sum_of(const void *data, size_t len)
{
    return len == 20 ? wiresum_fold(wiresum_partial_20(data)) : wiresum_active_sum(data, len);
}

static inline uint16_t copy_of(void *dst, const void *src, size_t len)
{
    return len == 20 ? wiresum_fold(wiresum_copy_20(dst, src)) : wiresum_active_copy(dst, src, len);
}

uint16_t wiresum_sum(const void *data, size_t len)
{
    return sum_of(data, len);
}

uint16_t wiresum_checksum(const void *data, size_t len)
{
    return len == 20 ? wiresum_complement(wiresum_fold(wiresum_partial_20(data)))
                     : wiresum_active_checksum(data, len);
}

bool wiresum_ok(const void *data, size_t len)
{
    return sum_of(data, len) == 0xFFFF;
}

uint16_t wiresum_copy(void *dst, const void *src, size_t len)
{
    return copy_of(dst, src, len);
}

uint64_t wiresum_partial(const void *data, size_t len, uint64_t seed)
{
    return wiresum_add64(len == 20 ? wiresum_partial_20(data) : wiresum_active_partial(data, len),
                         seed);
}

/* ---- gather lists ---- */

uint16_t wiresum_gather(const struct wiresum_piece *pieces, size_t n)
{
    uint16_t sum = 0;
    size_t done = 0; /* may wrap: only its parity counts, and SIZE_MAX + 1 is even */
    for (size_t i = 0; i < n; i++) {
        sum = wiresum_append(sum, done, sum_of(pieces[i].data, pieces[i].len));
        done += pieces[i].len;
    }
    return sum;
}

uint16_t wiresum_gather_copy(void *dst, const struct wiresum_piece *pieces, size_t n)
{
    uint8_t *out = dst;
    uint16_t sum = 0;
    size_t done = 0;
    for (size_t i = 0; i < n; i++) {
        if (pieces[i].len == 0)
            continue; /* dst may be null if all pieces are empty, and C does not define null + 0 */
        sum = wiresum_append(sum, done, copy_of(out + done, pieces[i].data, pieces[i].len));
        done += pieces[i].len;
    }
    return sum;
}

/* ---- incremental update ---- */

uint16_t wiresum_update(uint16_t checksum, size_t offset, const void *was, const void *is,
                        size_t len)
{
    const uint16_t old_sum = sum_of(was, len);
    const uint16_t new_sum = sum_of(is, len);
    return offset & 1 ? wiresum_update16(checksum, wiresum_swap(old_sum), wiresum_swap(new_sum))
                      : wiresum_update16(checksum, old_sum, new_sum);
}

static uint64_t partial128(const void *p)
{
    return wiresum_add64(wiresum_load64(p), wiresum_load64((const uint8_t *)p + 8));
}

uint16_t wiresum_update128(uint16_t checksum, const void *was, const void *is)
{
    return wiresum_update16(checksum, wiresum_fold(partial128(was)), wiresum_fold(partial128(is)));
}

uint16_t wiresum_udp_update(uint16_t checksum, size_t offset, const void *was, const void *is,
                            size_t len)
{
    return checksum ? wiresum_udp_field(wiresum_update(checksum, offset, was, is, len)) : 0;
}

bool wiresum_udp_absent(const void *header)
{
    return wiresum_load16((const uint8_t *)header + 6) == 0;
}

/* ---- pseudo-headers ---- */

/* Returns the number in memory order: the native load of its two bytes on the wire. */
static uint64_t wire16(uint16_t value)
{
    return WIRESUM_BIG_ENDIAN ? value : wiresum_swap(value);
}

/* Returns the partial sum of the two words of a number. */
static uint64_t wire32(uint32_t value)
{
    return wire16((uint16_t)(value >> 16)) + wire16((uint16_t)value);
}

uint16_t wiresum_pseudo_ipv4(const void *source, const void *destination, uint32_t protocol,
                             uint32_t len)
{
    return wiresum_fold((uint64_t)wiresum_load32(source) + wiresum_load32(destination)
                        + wire32(protocol) + wire32(len));
}

uint16_t wiresum_pseudo_ipv6(const void *source, const void *destination, uint32_t protocol,
                             uint32_t len)
{
    const uint64_t addresses = wiresum_add64(partial128(source), partial128(destination));
    return wiresum_fold(wiresum_add64(addresses, wire32(protocol) + wire32(len)));
}

/* ---- headers and segments ---- */

/* Returns the sum of pseudo-header, header and payload as found, the checksum field included. */
static uint16_t segment_sum(uint16_t pseudo, const void *header, size_t header_len,
                            const void *payload, size_t payload_len)
{
    uint64_t s = (uint64_t)pseudo + sum_of(header, header_len);
    if (payload_len) {
        const uint16_t tail = sum_of(payload, payload_len);
        s += header_len & 1 ? wiresum_swap(tail) : tail;
    }
    return wiresum_fold(s);
}

enum { TCP_FIELD = 16, UDP_FIELD = 6, ICMP_FIELD = 2 };
enum { TCP_HEADER = 20, UDP_HEADER = 8, ICMP_HEADER = 4 }; /* the least length in bytes */

/* Returns the checksum of pseudo-header, header and payload, with zero for the checksum field,
   which is at the even offset field of the header. A header has least bytes at least. */
static uint16_t segment_checksum(uint16_t pseudo, const void *header, size_t header_len,
                                 size_t field, size_t least, const void *payload,
                                 size_t payload_len)
{
    WIRESUM_REQUIRE(header_len >= least);
    const uint8_t *const h = header;
    const uint16_t all = segment_sum(pseudo, header, header_len, payload, payload_len);
    uint16_t sum = wiresum_sub(all, wiresum_load16(h + field));
    if (sum == 0xFFFF) {
        /* Subtraction cannot tell all-zero data from a multiple of 0xFFFF. The sum of the bytes
           before the field and of the bytes after it can. */
        sum =
            wiresum_add(sum_of(h, field), segment_sum(pseudo, h + field + 2, header_len - field - 2,
                                                      payload, payload_len));
    }
    return wiresum_complement(sum);
}

uint16_t wiresum_tcp(uint16_t pseudo, const void *header, size_t header_len, const void *payload,
                     size_t payload_len)
{
    return segment_checksum(pseudo, header, header_len, TCP_FIELD, TCP_HEADER, payload,
                            payload_len);
}

bool wiresum_tcp_ok(uint16_t pseudo, const void *header, size_t header_len, const void *payload,
                    size_t payload_len)
{
    return header_len >= TCP_HEADER
           && segment_sum(pseudo, header, header_len, payload, payload_len) == 0xFFFF;
}

uint16_t wiresum_udp(uint16_t pseudo, const void *header, size_t header_len, const void *payload,
                     size_t payload_len)
{
    return wiresum_udp_field(
        segment_checksum(pseudo, header, header_len, UDP_FIELD, UDP_HEADER, payload, payload_len));
}

bool wiresum_udp_ok(uint16_t pseudo, const void *header, size_t header_len, const void *payload,
                    size_t payload_len)
{
    return header_len >= UDP_HEADER && !wiresum_udp_absent(header)
           && segment_sum(pseudo, header, header_len, payload, payload_len) == 0xFFFF;
}

uint16_t wiresum_icmp(const void *header, size_t header_len, const void *payload,
                      size_t payload_len)
{
    return segment_checksum(0, header, header_len, ICMP_FIELD, ICMP_HEADER, payload, payload_len);
}

bool wiresum_icmp_ok(const void *header, size_t header_len, const void *payload, size_t payload_len)
{
    return header_len >= ICMP_HEADER
           && segment_sum(0, header, header_len, payload, payload_len) == 0xFFFF;
}

uint16_t wiresum_icmpv6(uint16_t pseudo, const void *header, size_t header_len, const void *payload,
                        size_t payload_len)
{
    return segment_checksum(pseudo, header, header_len, ICMP_FIELD, ICMP_HEADER, payload,
                            payload_len);
}

bool wiresum_icmpv6_ok(uint16_t pseudo, const void *header, size_t header_len, const void *payload,
                       size_t payload_len)
{
    return header_len >= ICMP_HEADER
           && segment_sum(pseudo, header, header_len, payload, payload_len) == 0xFFFF;
}

/* ---- batches ---- */

/* The first 64 bytes of a packet are prefetched this many packets ahead, so that packets that lie
   scattered in memory take less time. The CPU's own prefetchers find the rest of the packet. */
enum { PREFETCH_AHEAD = 16 };

static inline void prefetch(struct wiresum_piece packet)
{
    const uintptr_t first = (uintptr_t)packet.data; /* an integer: packet.data may be null */
    WIRESUM_PREFETCH((const void *)first);
    WIRESUM_PREFETCH((const void *)(first + (packet.len - 1 < 63 ? packet.len - 1 : 63)));
}

void wiresum_batch(const struct wiresum_piece *packets, size_t n, uint16_t *sums)
{
    for (size_t i = 0; i < n; i++) {
        if (n - i > PREFETCH_AHEAD)
            prefetch(packets[i + PREFETCH_AHEAD]);
        sums[i] = sum_of(packets[i].data, packets[i].len);
    }
}

/* Packets that lie one after the other are one stream to the CPU, and need no prefetch. */
#define BATCH_OFFSETS(bits)                                                                        \
    void wiresum_batch_offsets##bits(const void *base, const int##bits##_t *offsets, size_t n,     \
                                     uint16_t *sums)                                               \
    {                                                                                              \
        for (size_t i = 0; i < n; i++)                                                             \
            sums[i] =                                                                              \
                sum_of((const uint8_t *)base + offsets[i], (size_t)(offsets[i + 1] - offsets[i])); \
    }
BATCH_OFFSETS(32)
BATCH_OFFSETS(64)

static uint16_t sum_ipv4_header(const uint8_t *h)
{
    const size_t len = 4u * (h[0] & 15u);
    if (WIRESUM_UNLIKELY(len < 20))
        return 0;
    const uint64_t s = wiresum_partial_20(h);
    return wiresum_fold(WIRESUM_LIKELY(len == 20) ? s : wiresum_add64(s, sum_of(h + 20, len - 20)));
}

/* A kernel with a function for headers sums as many as it can in one call. Where it stops, at a
   header with options for example, the next few headers are summed one by one. */
void wiresum_batch_ipv4_headers(const void *first, size_t stride, size_t n, uint16_t *sums)
{
    enum { ONE_BY_ONE = 16 };
    const uint8_t *const h = first;
    size_t i = 0;
    while (i < n) {
        i += wiresum_active_headers(h + i * stride, stride, n - i, sums + i);
        for (const size_t stop = n - i < ONE_BY_ONE ? n : i + ONE_BY_ONE; i < stop; i++)
            sums[i] = sum_ipv4_header(h + i * stride);
    }
}
