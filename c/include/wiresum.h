/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/** @file
 * wiresum: the Internet checksum (RFC 1071), correct for every input and as fast as the machine
 * allows. This file is the whole contract; callers need nothing of wiresum_inline.h.
 *
 * This file uses three words, and never mixes them:
 *
 *     sum           the one's complement sum of the 16-bit words of data (RFC 1071 section 1).
 *                   Sums are combined and compared.
 *     partial sum   a sum that is not folded to 16 bits yet: a uint64_t, for further addition.
 *     checksum      the complement of a sum, ~sum. The field of a packet holds a checksum.
 *
 * Byte order. Each sum and each checksum is a uint16_t in memory order: the two bytes of the wire,
 * read by the native load of this machine. A native store (memcpy, *(uint16_t *)) puts them back in
 * the right order on every machine, so no caller needs ntohs or htons. wiresum_value() returns the
 * number that documents print.
 *
 * Zero. Empty data and all-zero data sum to 0x0000. All other data whose words add up to a multiple
 * of 0xFFFF sum to 0xFFFF (RFC 1071 section 1; RFC 1624 section 3). Data that include a right
 * checksum field sum to 0xFFFF.
 *
 * All functions. Every length up to SIZE_MAX bytes and every alignment is right. A pointer may be
 * null if its length is 0. A function reads [data, data + len) and no byte outside of it. No
 * function allocates memory, blocks or keeps a pointer. Any number of threads may call any of them
 * at once. The only state is the choice of the kernel (see "Kernels" below), and it is atomic. The
 * library never reads the environment.
 *
 * Windows. A program that links the DLL defines WIRESUM_SHARED before it includes this file.
 */
#ifndef WIRESUM_H
#define WIRESUM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Defines WIRESUM_VERSION_MAJOR, _MINOR and _PATCH, WIRESUM_MAY_ALIAS, and the marks of functions:
   WIRESUM_API of exported ones, WIRESUM_SHORT of those that are inline on x86-64. */
#include "wiresum_inline.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Buffers ---- */

/** Returns the sum of data. The last byte of an odd length is the first byte of its word (RFC 1071
    section 4.1). */
WIRESUM_SHORT uint16_t wiresum_sum(const void *data, size_t len);

/** Returns the checksum of data, to store in a field that was zero, or left out, in data. */
WIRESUM_SHORT uint16_t wiresum_checksum(const void *data, size_t len);

/** Returns whether data, which include their checksum field, sum to 0xFFFF (RFC 1071 section 1,
    step 3). Empty data and all-zero data sum to 0x0000, so the result is false for them. */
WIRESUM_SHORT bool wiresum_ok(const void *data, size_t len);

/** Copies src to dst in the same pass, and returns the sum of the bytes. Writes all of
    [dst, dst + len) and nothing outside of it. dst and src must not overlap; dst == src is an
    overlap too. If other threads or processes write src meanwhile, as in a ring that is shared,
    each byte of dst is one that src held, and the result is the sum of dst. */
WIRESUM_SHORT uint16_t wiresum_copy(void *dst, const void *src, size_t len);

/** Returns the partial sum of data and seed, for a caller that adds up many pieces and folds once.
    seed is 0 or the result of an earlier call. The total length of all pieces before data must be
    even; wiresum_append() joins other pieces. The value of a partial sum depends on the machine and
    on the kernel, so fold it with wiresum_fold() before you store or compare it. */
WIRESUM_SHORT uint64_t wiresum_partial(const void *data, size_t len, uint64_t seed);

/* ---- The algebra of sums (RFC 1071 section 2) ---- */

/** Returns the sum that a partial sum stands for: 0 for 0 alone, else 1 to 0xFFFF. */
static inline uint16_t wiresum_fold(uint64_t partial);

/** Returns the complement: the checksum of a sum, or the sum of a checksum. */
static inline uint16_t wiresum_complement(uint16_t sum);

/** Returns sum with its two bytes exchanged: the sum of the same bytes at offsets of the other
    parity. */
static inline uint16_t wiresum_swap(uint16_t sum);

/** Returns a sum or checksum as the number that protocol documents print, in host order: 0x1C46 for
    the bytes 1C 46. */
static inline uint16_t wiresum_value(uint16_t memory_order);

/** Returns the sum of two pieces whose sums are a and b, each piece at an even offset. */
static inline uint16_t wiresum_add(uint16_t a, uint16_t b);

/** Returns the sum of the rest when a part at an even offset is taken out of a whole: whole + ~part
    (RFC 1624). A sum does not tell what it is made of, so an all-zero rest gives 0xFFFF if part is
    not 0x0000; wiresum_sub(whole, 0) is whole. */
static inline uint16_t wiresum_sub(uint16_t whole, uint16_t part);

/** Returns the sum of a head of head_len bytes and the tail after it. After an odd head the bytes
    of the tail change places (RFC 1071 section 2 (B)). */
static inline uint16_t wiresum_append(uint16_t head, size_t head_len, uint16_t tail);

/** Returns the sum of the first head_len bytes of a whole whose other bytes sum to tail. The
    function is the inverse of wiresum_append(). An all-zero head gives what an all-zero rest gives
    in wiresum_sub(). */
static inline uint16_t wiresum_remove(uint16_t whole, size_t head_len, uint16_t tail);

/* ---- Gather lists ---- */

/** A piece of a packet, with the layout of POSIX struct iovec. A pointer to an array of struct
    iovec can be cast to a pointer to pieces: the type may alias others. */
struct WIRESUM_MAY_ALIAS wiresum_piece {
    const void *data; /**< the first byte; may be null if len is 0 */
    size_t len;       /**< the number of bytes */
};

/** Returns the sum of n pieces as one stream of bytes. Any piece may be odd, empty or unaligned. A
    chain (mbuf, pbuf) needs no array:
    sum = wiresum_append(sum, done, wiresum_sum(m->data, m->len)); done += m->len; */
WIRESUM_API uint16_t wiresum_gather(const struct wiresum_piece *pieces, size_t n);

/** Copies n pieces to dst, one after the other, and returns the sum of all. dst must overlap no
    piece. */
WIRESUM_API uint16_t wiresum_gather_copy(void *dst, const struct wiresum_piece *pieces, size_t n);

/* ---- Incremental update (RFC 1624 equation 3: HC' = ~(~HC + ~m + m')) ----
 *
 * Each function returns the new checksum when some bytes of the data go from was to is. Offsets
 * count from the first byte of the data. The result equals a new computation, with one
 * exception: data that become all zero get 0x0000 and not 0xFFFF (RFC 1624 section 3). Data with a
 * pseudo-header or an IP version among them are never all zero. 0xFFFF, which is never the checksum
 * of data that are not all zero, gives the result of 0x0000, with one exception: if the old bytes
 * sum to 0xFFFF or are all zero, and the new ones are all zero, 0xFFFF stays 0xFFFF. UDP has a
 * section of its own.
 */

/** Returns the checksum after a change of 16 bits at an even offset, both in memory order. */
static inline uint16_t wiresum_update16(uint16_t checksum, uint16_t was, uint16_t is);

/** Returns the checksum after a change of 32 bits at an even offset (an IPv4 address, a sequence
    number), both in memory order. */
static inline uint16_t wiresum_update32(uint16_t checksum, uint32_t was, uint32_t is);

/** Returns the checksum after a change of 16 bytes at an even offset (an IPv6 address). */
WIRESUM_API uint16_t wiresum_update128(uint16_t checksum, const void *was, const void *is);

/** Returns the checksum after a change of len bytes at any offset, even or odd. */
WIRESUM_API uint16_t wiresum_update(uint16_t checksum, size_t offset, const void *was,
                                    const void *is, size_t len);

/* ---- The UDP rule (RFC 768; RFC 8200 section 8.1; RFC 6935 and 6936) ----
 *
 * A computed 0x0000 is sent as 0xFFFF. A received 0x0000 means "not computed": a receiver accepts
 * it on IPv4, and refuses it on IPv6 except in the tunnels of RFC 6935. Only functions with udp in
 * their names, and the functions of wiresum_packet.h for whole packets, know this rule.
 */

/** Returns the checksum as UDP sends it: 0xFFFF for 0x0000. */
static inline uint16_t wiresum_udp_field(uint16_t checksum);

/** Returns the result of wiresum_update() as UDP sends it. A checksum of 0x0000, "not computed",
    stays 0x0000. */
WIRESUM_API uint16_t wiresum_udp_update(uint16_t checksum, size_t offset, const void *was,
                                        const void *is, size_t len);

/** Returns whether the field of the UDP header (8 bytes) is 0x0000, "not computed". */
WIRESUM_API bool wiresum_udp_absent(const void *header);

/* ---- Pseudo-headers (RFC 9293 section 3.1; RFC 768; RFC 8200 section 8.1) ----
 *
 * source and destination point to addresses as on the wire, of 4 or 16 bytes; with an IPv6 routing
 * header, destination is the final one. protocol names the segment: TCP 6, UDP 17, ICMPv6 58.
 * len is the length of its header and payload, in host order. A sum does not depend on order: to
 * exchange source and destination, or protocol and len, changes no result.
 *
 * The sum of a pseudo-header is also the seed of CHECKSUM_PARTIAL: Linux and virtio store it, not
 * complemented, in the checksum field, and the device finishes the checksum. For segmentation
 * offload some drivers store a seed with a len of 0.
 */

/** Returns the sum of the IPv4 pseudo-header. A len above 65535, of a packet before segmentation,
    counts as two words, as in Linux's csum_tcpudp_nofold(). */
WIRESUM_API uint16_t wiresum_pseudo_ipv4(const void *source, const void *destination,
                                         uint32_t protocol, uint32_t len);

/** Returns the sum of the IPv6 pseudo-header. Its length has 32 bits (RFC 2675 section 4). */
WIRESUM_API uint16_t wiresum_pseudo_ipv6(const void *source, const void *destination,
                                         uint32_t protocol, uint32_t len);

/** Returns the checksum that a device stores to finish a CHECKSUM_PARTIAL packet (virtio 1.2
    section 5.1.6.2). data points to csum_start, and the field holds the seed. For UDP, pass the
    result through wiresum_udp_field(). */
static inline uint16_t wiresum_partial_finish(const void *data, size_t len);

/* ---- Headers and segments ----
 *
 * A function without _ok returns the checksum to store, whatever the field holds. A function with
 * _ok returns whether the field is right. header points to the header of the protocol itself. A
 * whole header has 20 bytes for IPv4 and TCP, 8 for UDP, and 4 for ICMP and ICMPv6. If len or
 * header_len is less, a function with _ok returns false and reads nothing, and a function without
 * _ok is undefined; where WIRESUM_DEBUG is defined it traps. payload is the rest of the packet, and
 * may lie elsewhere in memory. If it lies directly after the header, header_len may count both,
 * with a payload_len of 0. pseudo is what wiresum_pseudo_ipv4() or wiresum_pseudo_ipv6() returned.
 */

/** Returns the checksum of an IPv4 header (RFC 791 section 3.1). len is 4 times its IHL. */
static inline uint16_t wiresum_ipv4_header(const void *header, size_t len);

/** Returns whether the checksum of an IPv4 header is right. */
static inline bool wiresum_ipv4_header_ok(const void *header, size_t len);

/** Returns the checksum of a TCP segment (RFC 9293 section 3.1). */
WIRESUM_API uint16_t wiresum_tcp(uint16_t pseudo, const void *header, size_t header_len,
                                 const void *payload, size_t payload_len);

/** Returns whether the checksum of a TCP segment is right. */
WIRESUM_API bool wiresum_tcp_ok(uint16_t pseudo, const void *header, size_t header_len,
                                const void *payload, size_t payload_len);

/** Returns the checksum of a UDP datagram (RFC 768) as UDP sends it, so never 0x0000. */
WIRESUM_API uint16_t wiresum_udp(uint16_t pseudo, const void *header, size_t header_len,
                                 const void *payload, size_t payload_len);

/** Returns whether the checksum of a UDP datagram is right. A field of 0x0000 gives false;
    wiresum_udp_absent() distinguishes it from a wrong one. */
WIRESUM_API bool wiresum_udp_ok(uint16_t pseudo, const void *header, size_t header_len,
                                const void *payload, size_t payload_len);

/** Returns the checksum of an ICMP message (RFC 792), which has no pseudo-header. */
WIRESUM_API uint16_t wiresum_icmp(const void *header, size_t header_len, const void *payload,
                                  size_t payload_len);

/** Returns whether the checksum of an ICMP message is right. */
WIRESUM_API bool wiresum_icmp_ok(const void *header, size_t header_len, const void *payload,
                                 size_t payload_len);

/** Returns the checksum of an ICMPv6 message (RFC 4443 section 2.3). */
WIRESUM_API uint16_t wiresum_icmpv6(uint16_t pseudo, const void *header, size_t header_len,
                                    const void *payload, size_t payload_len);

/** Returns whether the checksum of an ICMPv6 message is right. */
WIRESUM_API bool wiresum_icmpv6_ok(uint16_t pseudo, const void *header, size_t header_len,
                                   const void *payload, size_t payload_len);

/* ---- Batches: one call sums many packets, and sums[i] receives the sum of packet i ---- */

/** Sums n packets, each with its own pointer and length. */
WIRESUM_API void wiresum_batch(const struct wiresum_piece *packets, size_t n, uint16_t *sums);

/** Sums n packets that lie one after the other: packet i is base[offsets[i], offsets[i + 1]). The
    n + 1 offsets ascend and are not negative. Arrow's Binary has this layout. */
WIRESUM_API void wiresum_batch_offsets32(const void *base, const int32_t *offsets, size_t n,
                                         uint16_t *sums);

/** Sums n packets as wiresum_batch_offsets32() does. Arrow's LargeBinary has this layout. */
WIRESUM_API void wiresum_batch_offsets64(const void *base, const int64_t *offsets, size_t n,
                                         uint16_t *sums);

/** Sums n IPv4 headers. Header i begins at first + i * stride and is as long as its own IHL says. A
    sum of 0xFFFF means that its checksum is right. An IHL below 5 gives 0x0000, to which no header
    sums. */
WIRESUM_API void wiresum_batch_ipv4_headers(const void *first, size_t stride, size_t n,
                                            uint16_t *sums);

/* ---- Kernels ----
 *
 * A kernel sums with one instruction set. The first call that needs a kernel chooses the best one
 * that this CPU and its operating system support; where vectors of 512 bits lower the clock
 * (Skylake-SP, Cascade Lake), the best with shorter ones. All kernels give the same sums, so most
 * programs never need this section.
 */

/** A kernel. On a CPU that does not support it, to call partial or copy_partial is undefined. */
struct wiresum_kernel {
    /** The name, such as "x86_avx2". Its characters are of [a-z0-9_], and it is never null. */
    const char *name;
    /** Returns whether this CPU and its operating system support the kernel. */
    bool (*is_supported)(void);
    /** Returns the partial sum of data. */
    uint64_t (*partial)(const void *data, size_t len);
    /** Copies src to dst as wiresum_copy() does, and returns the partial sum. */
    uint64_t (*copy_partial)(void *dst, const void *src, size_t len);
};

/** Returns the kernels, best first and "portable" last. *count receives their number. */
WIRESUM_API const struct wiresum_kernel *wiresum_kernels(size_t *count);

/** Returns the kernel with that name, supported or not, or null if this library has none. */
WIRESUM_API const struct wiresum_kernel *wiresum_kernel_by_name(const char *name);

/** Returns the kernel that all functions above use. */
WIRESUM_API const struct wiresum_kernel *wiresum_kernel_in_use(void);

/** Makes all functions above use this kernel, from this call on, in every thread. Returns false and
    changes nothing if kernel is null, not of the list, or not supported. Without an operating
    system, is_supported() knows only what the compiler was told, and every kernel is accepted.
    Without atomic instructions (ARM before v6) a choice at the same time as another first call may
    be lost. */
WIRESUM_API bool wiresum_use_kernel(const struct wiresum_kernel *kernel);

/* This include defines the inline functions. */
#include "wiresum_inline.h"

#ifdef __cplusplus
}
#endif

#endif
