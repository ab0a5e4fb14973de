/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * wiresum: the Internet checksum (RFC 1071), correct for every input and as fast as the machine
 * allows.
 *
 * Two words, never mixed:
 *   sum        the one's complement sum of the 16-bit words (RFC 1071 section 1). Sums are combined
 * and compared. checksum   its one's complement, ~sum. Checksums are stored in a packet's field.
 *
 * Byte order. Every sum and every checksum here is a uint16_t in MEMORY ORDER: the two bytes, as
 * they stand on the wire, read by this machine's native load. Storing one natively (memcpy,
 * *(uint16_t *)) is right on every machine, and no ntohs/htons belongs anywhere near it. To print
 * one as protocol documents do, use wiresum_value().
 *
 * Zero. Empty and all-zero data sum to 0x0000; all other data whose words add up to a multiple of
 * 0xFFFF sum to 0xFFFF (RFC 1071 section 1; RFC 1624 section 3). Data that includes a right
 * checksum field sums to 0xFFFF.
 *
 * Contract of all functions. Lengths are in bytes; every length up to SIZE_MAX is right; any
 * alignment is; a pointer may be null where its length is 0. Only [data, data + len) is read: no
 * byte before it, none after. No function allocates, fails, blocks or keeps a pointer. All may be
 * called from any number of threads at once. The only state is the choice of the kernel, one atomic
 * pointer (see "Kernels" at the end); the environment is never read.
 */
#ifndef WIRESUM_H
#define WIRESUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#  if defined(WIRESUM_BUILD_SHARED)
#    define WIRESUM_API __declspec(dllexport)
#  elif defined(WIRESUM_SHARED)
#    define WIRESUM_API __declspec(dllimport)
#  else
#    define WIRESUM_API
#  endif
#else
#  define WIRESUM_API __attribute__((visibility("default")))
#endif

/* On x86-64 the shortest functions are inline, and call the kernel in use with nothing in between:
   of 20 to 64 bytes a call into the library, which then jumps on, would be a fifth of the time. The
   library exports them all the same, for other languages and compilers. */
#if defined(__x86_64__) && !defined(__ILP32__) && defined(__GNUC__)
#  define WIRESUM_CALLS_KERNEL 1
#endif
#if defined(WIRESUM_CALLS_KERNEL) \
    && !defined(WIRESUM_EXPORTS_ALL) /* which is for the library itself */
#  define WIRESUM_SHORT static inline
#else
#  define WIRESUM_SHORT WIRESUM_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* -------------------------------------------------------------------------------------------------------------------
 * Buffers
 * ----------------------------------------------------------------------------------------------------------------
 */

/* Returns the SUM of data. A last odd byte is the first byte of its word (RFC 1071 section 4.1). */
WIRESUM_SHORT uint16_t wiresum_sum(const void *data, size_t len);

/* Returns the CHECKSUM of data, to store in a field that was zero (or left out) while summing. */
WIRESUM_SHORT uint16_t wiresum_checksum(const void *data, size_t len);

/* Returns whether data, which includes its checksum field, sums to 0xFFFF (RFC 1071 section 1, step
   3). False for empty and for all-zero data, whose sum is 0x0000. */
WIRESUM_SHORT bool wiresum_ok(const void *data, size_t len);

/* Returns the SUM of data, added to a copy of it in dst: dst[0, len) is written exactly, and
   nothing beside it. dst and src must not overlap, not even exactly. Never slower than a copy and
   then a sum. */
WIRESUM_SHORT uint16_t wiresum_copy(void *dst, const void *src, size_t len);

/* Returns the unfolded SUM of data and seed, for a caller that adds up many pieces and folds once:
   seed is 0, or what an earlier call returned, and all pieces before data must together have an
   even length (else use wiresum_append). The result is in memory order too, but its value depends
   on the machine and kernel: fold before storing or comparing. */
WIRESUM_SHORT uint64_t wiresum_partial(const void *data, size_t len, uint64_t seed);

/* -------------------------------------------------------------------------------------------------------------------
 * The algebra of sums (RFC 1071 section 2)
 * ----------------------------------------------------------------------------------------------------------------
 */

/* Returns the 16-bit SUM that an unfolded one stands for: 0 for 0 only, else 1 to 0xFFFF. */
static inline uint16_t wiresum_fold(uint64_t unfolded)
{
    /* A number added to itself with its halves exchanged has in its upper half the end-around sum
     * of the two. */
    const uint64_t twice = unfolded + (unfolded << 32 | unfolded >> 32);
    const uint32_t half = (uint32_t)(twice >> 32);
    return (uint16_t)((half + (half << 16 | half >> 16)) >> 16);
}

/* Returns the one's complement: of a sum the CHECKSUM, of a checksum the sum. */
static inline uint16_t wiresum_complement(uint16_t sum)
{
    return (uint16_t)~sum;
}

/* Returns the two bytes exchanged: the SUM of the same bytes begun at an offset of the other
 * parity. */
static inline uint16_t wiresum_swap(uint16_t sum)
{
    return (uint16_t)(sum << 8 | sum >> 8);
}

/* Returns a SUM or checksum as the number that protocol documents print (0x1C46 for the bytes 1C
 * 46), in host order. */
static inline uint16_t wiresum_value(uint16_t memory_order)
{
    const union {
        uint16_t word;
        uint8_t first;
    } one = { 1 };
    return one.first ? wiresum_swap(memory_order) : memory_order;
}

/* Returns the SUM of two pieces, each at an even offset. */
static inline uint16_t wiresum_add(uint16_t a, uint16_t b)
{
    const uint32_t s = (uint32_t)a + b;
    return (uint16_t)((s >> 16) + s);
}

/* Returns the SUM of what is left of a whole when a part of it, at an even offset, is taken out:
   whole + ~part (RFC 1624). Sums do not tell what they are made of, so an all-zero rest comes out
   as 0xFFFF (but wiresum_sub(s, 0) is s). */
static inline uint16_t wiresum_sub(uint16_t whole, uint16_t part)
{
    return part ? wiresum_add(whole, (uint16_t)~part) : whole;
}

/* Returns the SUM of a head of head_len bytes and the tail after it: after an odd head the tail's
 * bytes change places (RFC 1071 2(B)). */
static inline uint16_t wiresum_append(uint16_t head, size_t head_len, uint16_t tail)
{
    return wiresum_add(head, head_len & 1 ? wiresum_swap(tail) : tail);
}

/* Returns the SUM of a head of head_len bytes when its tail is taken away: the inverse of
 * wiresum_append, as wiresum_sub. */
static inline uint16_t wiresum_remove(uint16_t whole, size_t head_len, uint16_t tail)
{
    return wiresum_sub(whole, head_len & 1 ? wiresum_swap(tail) : tail);
}

/* -------------------------------------------------------------------------------------------------------------------
 * Gather lists
 * ----------------------------------------------------------------------------------------------------------------
 */

/* A piece of a packet. Laid out as POSIX struct iovec, so that an array of those can be passed with
 * a cast. */
struct wiresum_piece {
    const void *data;
    size_t len;
};

/* Returns the SUM of n pieces taken as one stream of bytes: any may be odd, empty, unaligned.
   A chain (mbuf, pbuf) needs no array: sum = wiresum_append(sum, done, wiresum_sum(m->data,
   m->len)); done += m->len. */
WIRESUM_API uint16_t wiresum_gather(const struct wiresum_piece *pieces, size_t n);

/* Returns the SUM of n pieces, copied one after the other to dst, which must overlap none of them.
 */
WIRESUM_API uint16_t wiresum_gather_copy(void *dst, const struct wiresum_piece *pieces, size_t n);

/* -------------------------------------------------------------------------------------------------------------------
 * Incremental update (RFC 1624 equation 3: HC' = ~(~HC + ~m + m'))
 *
 * All return the new CHECKSUM, equal to one computed afresh, but for one case: data that the update
 * turns into all zeros gets 0x0000, not 0xFFFF (RFC 1624 section 3; it cannot happen where a
 * pseudo-header or a version is summed in). Offsets count from where the sum begins. For UDP see
 * the next section.
 * ----------------------------------------------------------------------------------------------------------------
 */

/* A 16-bit word at an even offset goes from was to is, both in memory order. */
static inline uint16_t wiresum_update16(uint16_t checksum, uint16_t was, uint16_t is)
{
    return (uint16_t)~wiresum_add(wiresum_sub((uint16_t)~checksum, was), is);
}

/* 32 bits at an even offset (an IPv4 address, a sequence number), both in memory order. */
static inline uint16_t wiresum_update32(uint16_t checksum, uint32_t was, uint32_t is)
{
    return wiresum_update16(checksum, wiresum_fold(was), wiresum_fold(is));
}

/* 128 bits at an even offset (an IPv6 address). */
WIRESUM_API uint16_t wiresum_update128(uint16_t checksum, const void *was, const void *is);

/* Any run of len bytes at any offset, odd ones too. */
WIRESUM_API uint16_t wiresum_update(uint16_t checksum, size_t offset, const void *was,
                                    const void *is, size_t len);

/* -------------------------------------------------------------------------------------------------------------------
 * The UDP rule (RFC 768; RFC 8200 section 8.1; RFC 6935 and 6936)
 *
 * A computed 0x0000 is sent as 0xFFFF. A received 0x0000 means "not computed": a receiver accepts
 * it on IPv4, and refuses it on IPv6 but in the tunnels of RFC 6935. The rule lives in the
 * functions with udp in their names, and in no other.
 * ----------------------------------------------------------------------------------------------------------------
 */

/* Returns the CHECKSUM as UDP sends it: 0xFFFF for 0x0000. */
static inline uint16_t wiresum_udp_field(uint16_t checksum)
{
    return checksum ? checksum : 0xFFFF;
}

/* Returns the updated CHECKSUM as UDP sends it; 0x0000 ("not computed") stays as it is. Else as
 * wiresum_update. */
WIRESUM_API uint16_t wiresum_udp_update(uint16_t checksum, size_t offset, const void *was,
                                        const void *is, size_t len);

/* Returns whether the UDP header at header (8 bytes) says "not computed". */
WIRESUM_API bool wiresum_udp_absent(const void *header);

/* -------------------------------------------------------------------------------------------------------------------
 * Pseudo-headers (RFC 9293 section 3.1, RFC 768, RFC 8200 section 8.1)
 *
 * Addresses are as on the wire, 4 or 16 bytes; with an IPv6 routing header, destination is the
 * final one. protocol is TCP 6, UDP 17, ICMPv6 58 …, for IPv6 the one after all extension headers.
 * len is that of header and payload, in host order.
 *
 * The value is also the seed of CHECKSUM_PARTIAL: Linux and virtio store it, as it is, in the
 * checksum field, and the device finishes it (wiresum_partial_finish). Under segmentation offload
 * the length is not known yet, and the seed has len 0.
 * ----------------------------------------------------------------------------------------------------------------
 */

/* Returns the SUM of the IPv4 pseudo-header. */
WIRESUM_API uint16_t wiresum_pseudo_ipv4(const void *source, const void *destination,
                                         uint8_t protocol, uint16_t len);

/* Returns the SUM of the IPv6 pseudo-header; len is 32 bits wide there (jumbograms, RFC 2675
 * section 4). */
WIRESUM_API uint16_t wiresum_pseudo_ipv6(const void *source, const void *destination,
                                         uint8_t protocol, uint32_t len);

/* Returns the CHECKSUM that a device stores to finish a CHECKSUM_PARTIAL packet (virtio 1.2
   section 5.1.6.2): data begins at csum_start, and its field holds the seed. For UDP, pass the
   result through wiresum_udp_field. */
static inline uint16_t wiresum_partial_finish(const void *data, size_t len)
{
    return wiresum_checksum(data, len);
}

/* -------------------------------------------------------------------------------------------------------------------
 * Headers and segments
 *
 * The functions without _ok return the CHECKSUM to store, whatever the field holds now. Those with
 * _ok return whether the field is right. header begins at the protocol's own header, which must be
 * whole (TCP 20 bytes, UDP 8, ICMP and ICMPv6 4, IPv4 20); payload follows it in the packet, and in
 * memory too where payload_len is 0 and header_len counts all. pseudo is what wiresum_pseudo_ipv4
 * or _ipv6 returned.
 * ----------------------------------------------------------------------------------------------------------------
 */

/* IPv4 header (RFC 791 section 3.1): len is its length with options, 4 × IHL. Twenty bytes take the
 * short path, inline. */
static inline uint16_t wiresum_ipv4_header(const void *header, size_t len);
static inline bool wiresum_ipv4_header_ok(const void *header, size_t len);

/* TCP (RFC 9293 section 3.1). */
WIRESUM_API uint16_t wiresum_tcp(uint16_t pseudo, const void *header, size_t header_len,
                                 const void *payload, size_t payload_len);
WIRESUM_API bool wiresum_tcp_ok(uint16_t pseudo, const void *header, size_t header_len,
                                const void *payload, size_t payload_len);

/* UDP (RFC 768): never returns 0x0000, and _ok is false for a field of 0x0000, which
 * wiresum_udp_absent tells apart. */
WIRESUM_API uint16_t wiresum_udp(uint16_t pseudo, const void *header, size_t header_len,
                                 const void *payload, size_t payload_len);
WIRESUM_API bool wiresum_udp_ok(uint16_t pseudo, const void *header, size_t header_len,
                                const void *payload, size_t payload_len);

/* ICMP (RFC 792): no pseudo-header. */
WIRESUM_API uint16_t wiresum_icmp(const void *header, size_t header_len, const void *payload,
                                  size_t payload_len);
WIRESUM_API bool wiresum_icmp_ok(const void *header, size_t header_len, const void *payload,
                                 size_t payload_len);

/* ICMPv6 (RFC 4443 section 2.3). */
WIRESUM_API uint16_t wiresum_icmpv6(uint16_t pseudo, const void *header, size_t header_len,
                                    const void *payload, size_t payload_len);
WIRESUM_API bool wiresum_icmpv6_ok(uint16_t pseudo, const void *header, size_t header_len,
                                   const void *payload, size_t payload_len);

/* -------------------------------------------------------------------------------------------------------------------
 * Batches: many packets, one call; sums[i] receives the SUM of packet i
 * ----------------------------------------------------------------------------------------------------------------
 */

/* n packets, each with its pointer and length. */
WIRESUM_API void wiresum_batch(const struct wiresum_piece *packets, size_t n, uint16_t *sums);

/* n packets one after the other: packet i is base[offsets[i], offsets[i + 1]), so there are n + 1
   offsets, ascending and not negative. The layouts of Arrow's Binary (32) and LargeBinary (64). */
WIRESUM_API void wiresum_batch_offsets32(const void *base, const int32_t *offsets, size_t n,
                                         uint16_t *sums);
WIRESUM_API void wiresum_batch_offsets64(const void *base, const int64_t *offsets, size_t n,
                                         uint16_t *sums);

/* n IPv4 headers, header i at first + i × stride, each as long as its own IHL says: 0xFFFF means
   that its checksum is right. An IHL below 5 gives 0x0000, which no header sums to. */
WIRESUM_API void wiresum_batch_ipv4_headers(const void *first, size_t stride, size_t n,
                                            uint16_t *sums);

/* -------------------------------------------------------------------------------------------------------------------
 * Kernels
 *
 * A kernel is one way to sum, made for one instruction set. The first call picks the best that this
 * CPU and its operating system support; all give the same sums, so most programs never need this
 * section.
 * ----------------------------------------------------------------------------------------------------------------
 */

struct wiresum_kernel {
    const char *name;           /* such as "x86_avx2": of [a-z0-9_], never null */
    bool (*is_supported)(void); /* whether this CPU and its operating system run it; to call the
                                   others is undefined  */
    uint64_t (*sum)(const void *data, size_t len); /* the unfolded SUM: see wiresum_fold */
    uint64_t (*copy_sum)(void *dst, const void *src,
                         size_t len); /* the same of a copy: as wiresum_copy               */
};

/* Returns the kernels built into this library, best first, "portable" last, and their number in
 * *count. */
WIRESUM_API const struct wiresum_kernel *wiresum_kernels(size_t *count);

/* Returns the kernel of that name, supported or not, or null. */
WIRESUM_API const struct wiresum_kernel *wiresum_kernel_by_name(const char *name);

/* Returns the kernel that all functions above use. */
WIRESUM_API const struct wiresum_kernel *wiresum_kernel_in_use(void);

/* Makes all functions above use this kernel, from this call on, in every thread. Returns false, and
   changes nothing, if kernel is null or not supported here. For tests, for measuring, and for
   machines on which nothing tells what the CPU has (no operating system, say): is_supported there
   knows only what the compiler was told, and this call takes any kernel of the list. */
WIRESUM_API bool wiresum_use_kernel(const struct wiresum_kernel *kernel);

/* -------------------------------------------------------------------------------------------------------------------
 * The inline functions: twenty bytes are three words, so that the compiler keeps all in registers
 * ----------------------------------------------------------------------------------------------------------------
 */

#if defined(__GNUC__)
struct __attribute__((packed, may_alias)) wiresum_unaligned16 {
    uint16_t word;
};
struct __attribute__((packed, may_alias)) wiresum_unaligned32 {
    uint32_t word;
};
struct __attribute__((packed, may_alias)) wiresum_unaligned64 {
    uint64_t word;
};
static inline uint16_t wiresum_load16(const void *p)
{
    return ((const struct wiresum_unaligned16 *)p)->word;
}
static inline uint32_t wiresum_load32(const void *p)
{
    return ((const struct wiresum_unaligned32 *)p)->word;
}
static inline uint64_t wiresum_load64(const void *p)
{
    return ((const struct wiresum_unaligned64 *)p)->word;
}
#else
#  include <string.h>
static inline uint16_t wiresum_load16(const void *p)
{
    uint16_t word;
    memcpy(&word, p, 2);
    return word;
}
static inline uint32_t wiresum_load32(const void *p)
{
    uint32_t word;
    memcpy(&word, p, 4);
    return word;
}
static inline uint64_t wiresum_load64(const void *p)
{
    uint64_t word;
    memcpy(&word, p, 8);
    return word;
}
#endif

/* End-around addition: congruent mod 2^64 - 1, so mod 0xFFFF too; 0 only for 0 + 0. */
static inline uint64_t wiresum_add64(uint64_t a, uint64_t b)
{
    const uint64_t s = a + b;
    return s + (s < b);
}

/* The unfolded sum of 20 bytes: an IPv4 header, or one of TCP, without options. */
static inline uint64_t wiresum_sum_20(const void *data)
{
    const uint8_t *const p = (const uint8_t *)data;
#if UINTPTR_MAX > 0xFFFFFFFFu
    return wiresum_add64(wiresum_add64(wiresum_load64(p), wiresum_load64(p + 8)),
                         wiresum_load32(p + 16));
#else
    return (uint64_t)wiresum_load32(p) + wiresum_load32(p + 4) + wiresum_load32(p + 8)
           + wiresum_load32(p + 12) + wiresum_load32(p + 16);
#endif
}

/* The same of an IPv4 header, but for its checksum field. */
static inline uint64_t wiresum_ipv4_header_20(const void *header)
{
    const uint8_t *const h = (const uint8_t *)header;
#if UINTPTR_MAX > 0xFFFFFFFFu
    const union {
        uint8_t bytes[8];
        uint64_t word;
    } field = { { 0, 0, 0xFF, 0xFF, 0, 0, 0, 0 } };
    return wiresum_add64(wiresum_add64(wiresum_load64(h), wiresum_load64(h + 8) & ~field.word),
                         wiresum_load32(h + 16));
#else
    return (uint64_t)wiresum_load32(h) + wiresum_load32(h + 4) + wiresum_load16(h + 8)
           + wiresum_load32(h + 12) + wiresum_load32(h + 16);
#endif
}

/* Whether wiresum_fold(unfolded) == 0xFFFF, by one multiplication: 65535 divides a number if that
   times the inverse of 65535 mod 2^64 is at most (2^64 - 1) / 65535 (Granlund and Montgomery 1994,
   section 9); and zero, which folds to zero, becomes 2^64 - 1. */
static inline bool wiresum_folds_to_ones(uint64_t unfolded)
{
    return unfolded * UINT64_C(0xFFFEFFFEFFFEFFFF) - 1 < UINT64_C(0x0001000100010001);
}

/* What the inline functions call. */
struct wiresum_functions {
    uint16_t (*sum)(const void *data, size_t len);            /* as wiresum_sum                 */
    uint16_t (*copy)(void *dst, const void *src, size_t len); /* as wiresum_copy                */
    uint64_t (*partial)(const void *data, size_t len);        /* as wiresum_partial with seed 0 */
};

#if defined(WIRESUM_CALLS_KERNEL)
/* Those of the kernel in use: to be read only. The first call and wiresum_use_kernel write it. */
WIRESUM_API extern const struct wiresum_functions *wiresum_active;
#endif

#if defined(WIRESUM_CALLS_KERNEL) && !defined(WIRESUM_EXPORTS_ALL)

static inline uint16_t wiresum_sum(const void *data, size_t len)
{
    return len == 20 ? wiresum_fold(wiresum_sum_20(data))
                     : __atomic_load_n(&wiresum_active, __ATOMIC_RELAXED)->sum(data, len);
}

static inline uint16_t wiresum_checksum(const void *data, size_t len)
{
    return wiresum_complement(wiresum_sum(data, len));
}

static inline bool wiresum_ok(const void *data, size_t len)
{
    return wiresum_sum(data, len) == 0xFFFF;
}

static inline uint16_t wiresum_copy(void *dst, const void *src, size_t len)
{
    return __atomic_load_n(&wiresum_active, __ATOMIC_RELAXED)->copy(dst, src, len);
}

static inline uint64_t wiresum_partial(const void *data, size_t len, uint64_t seed)
{
    return wiresum_add64(
        len == 20 ? wiresum_sum_20(data)
                  : __atomic_load_n(&wiresum_active, __ATOMIC_RELAXED)->partial(data, len),
        seed);
}

#endif

static inline uint16_t wiresum_ipv4_header(const void *header, size_t len)
{
    uint64_t s = wiresum_ipv4_header_20(header);
    if (len > 20)
        s = wiresum_add64(s, wiresum_sum((const uint8_t *)header + 20, len - 20));
    return (uint16_t)~wiresum_fold(s);
}

static inline bool wiresum_ipv4_header_ok(const void *header, size_t len)
{
    uint64_t s = wiresum_sum_20(header);
    if (len > 20)
        s = wiresum_add64(s, wiresum_sum((const uint8_t *)header + 20, len - 20));
    return wiresum_folds_to_ones(s);
}

#ifdef __cplusplus
}
#endif

#endif
