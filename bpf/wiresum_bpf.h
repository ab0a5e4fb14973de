/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/** @file
 * wiresum for eBPF: the Internet checksum (RFC 1071) in XDP and tc, in a form that the kernel's
 * verifier accepts. Names, words and meaning are the same as in wiresum.h and wiresum_packet.h: a
 * *sum* is one folded 16-bit number in memory order, stored as it is; a *partial* sum has 64 bits
 * and is not folded; a *checksum* is the complement of a sum.
 *
 * Include <linux/bpf.h> or vmlinux.h before this file, and <bpf/bpf_helpers.h>. Compile with
 * clang -O2 -g -target bpf. Linux 5.18 or later has every helper that this file calls.
 *
 * Functions with xdp or tc in their names take the context of a program, and offsets from the start
 * of the frame. They are global functions: the verifier judges each of them once, whatever the
 * program does before the call. They read any byte of the frame, also in the frags of a program of
 * SEC("xdp.frags") and in the part of an sk_buff that is not linear. The other functions are
 * inline, and read what a pointer leads to: the stack, a map, or packet bytes that the caller has
 * compared with data_end.
 */
#ifndef WIRESUM_BPF_H
#define WIRESUM_BPF_H

#define WIRESUM_INLINE static inline __attribute__((always_inline))
/* A global function: weak, so that linked objects may each have it. */
#define WIRESUM_GLOBAL __attribute__((weak, noinline))

/* Hides from the compiler what it knows of a number, so that it moves no addition across this line,
   and keeps a comparison where the verifier needs it. */
#define WIRESUM_HIDE(number) asm volatile("" : "+r"(number))

/* Makes the verifier forget what it knows of a number: two numbers that it cannot know cancel.
   Paths that differ in nothing else are then one path to it. */
#define WIRESUM_FORGET(number, unknown) \
    do {                                \
        __u32 mask = (unknown);         \
        (number) ^= mask;               \
        WIRESUM_HIDE(number);           \
        (number) ^= mask;               \
    } while (0)

/* ---- The algebra of sums ---- */

/** Returns the sum that a partial sum stands for: 0 for 0 alone, else 1 to 0xFFFF. */
WIRESUM_INLINE __u16 wiresum_fold(__u64 partial)
{
    partial = (partial >> 32) + (partial & 0xFFFFFFFF);
    partial = (partial >> 32) + (partial & 0xFFFFFFFF);
    partial = (partial >> 16) + (partial & 0xFFFF);
    partial = (partial >> 16) + (partial & 0xFFFF);
    return (__u16)partial;
}

/* Returns whether wiresum_fold(partial) == 0xFFFF: whether 65535 divides a number that is not 0.
   The number times the inverse of 65535 mod 2^64 says so. */
WIRESUM_INLINE _Bool wiresum_folds_to_ones(__u64 partial)
{
    return partial * 0xFFFEFFFEFFFEFFFFull - 1 < 0x0001000100010001ull;
}

/** Returns the complement: the checksum of a sum, or the sum of a checksum. */
WIRESUM_INLINE __u16 wiresum_complement(__u16 sum)
{
    return (__u16)~sum;
}

/** Returns sum with its two bytes exchanged. */
WIRESUM_INLINE __u16 wiresum_swap(__u16 sum)
{
    return (__u16)(sum << 8 | sum >> 8);
}

/** Returns a number in memory order as the number that protocol documents print. */
WIRESUM_INLINE __u16 wiresum_value(__u16 memory_order)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return wiresum_swap(memory_order);
#else
    return memory_order;
#endif
}

/** Returns the sum of two pieces, each at an even offset. */
WIRESUM_INLINE __u16 wiresum_add(__u16 a, __u16 b)
{
    const __u32 s = (__u32)a + b;
    return (__u16)((s >> 16) + s);
}

/** Returns the sum of the rest when a part at an even offset is taken out of a whole. */
WIRESUM_INLINE __u16 wiresum_sub(__u16 whole, __u16 part)
{
    return part ? wiresum_add(whole, wiresum_complement(part)) : whole;
}

/** Returns the sum of a head of head_len bytes and the tail after it. */
WIRESUM_INLINE __u16 wiresum_append(__u16 head, __u32 head_len, __u16 tail)
{
    return wiresum_add(head, head_len & 1 ? wiresum_swap(tail) : tail);
}

/** Returns the sum of the first head_len bytes of a whole whose other bytes sum to tail. */
WIRESUM_INLINE __u16 wiresum_remove(__u16 whole, __u32 head_len, __u16 tail)
{
    return wiresum_sub(whole, head_len & 1 ? wiresum_swap(tail) : tail);
}

/** Returns the sum of the bytes after the first head_len bytes of a whole, whose sum is head. */
WIRESUM_INLINE __u16 wiresum_remove_head(__u16 whole, __u32 head_len, __u16 head)
{
    const __u16 rest = wiresum_sub(whole, head);
    return head_len & 1 ? wiresum_swap(rest) : rest;
}

/* ---- Data of constant size ---- */

/* Words of packets. Their addresses need no alignment: the JIT compilers of CPUs that can load at
   any address emit plain loads, and elsewhere the verifier rejects the program. A struct that is
   declared packed would be loaded byte by byte. */
typedef __u32 __attribute__((may_alias)) wiresum_word;
typedef __u16 __attribute__((may_alias)) wiresum_half;

/* Returns the partial sum of size bytes, a constant that is a multiple of 4, at data. Two sums hold
   it, because a CPU adds to both at once. No sum of less than 2^32 words overflows. WIRESUM_HIDE
   keeps the compiler from loading all words first, for which it has no registers. */
WIRESUM_INLINE __u64 wiresum_partial_const(const void *data, const __u32 size)
{
    const wiresum_word *const w = (const wiresum_word *)data;
    __u64 even = 0, odd = 0;
#pragma clang loop unroll(full)
    for (__u32 i = 0; i < size / 4; i++) {
        if (i & 1) {
            odd += w[i];
            WIRESUM_HIDE(odd);
        } else {
            even += w[i];
            WIRESUM_HIDE(even);
        }
    }
    return even + odd;
}

/* ---- Updates (RFC 1624 equation 3) ---- */

/** Returns the checksum after a change of 16 bits at an even offset, both in memory order. */
WIRESUM_INLINE __u16 wiresum_update16(__u16 checksum, __u16 was, __u16 is)
{
    return wiresum_complement(wiresum_add(wiresum_sub(wiresum_complement(checksum), was), is));
}

/** Returns the checksum after a change of 32 bits at an even offset, both in memory order. */
WIRESUM_INLINE __u16 wiresum_update32(__u16 checksum, __u32 was, __u32 is)
{
    return wiresum_update16(checksum, wiresum_fold(was), wiresum_fold(is));
}

/** Returns the checksum after a change of 16 bytes at an even offset, such as an IPv6 address. */
WIRESUM_INLINE __u16 wiresum_update128(__u16 checksum, const void *was, const void *is)
{
    return wiresum_update16(checksum, wiresum_fold(wiresum_partial_const(was, 16)),
                            wiresum_fold(wiresum_partial_const(is, 16)));
}

/** Returns the checksum after a part with the sum was has given way to one with the sum is. The
    parts may differ in length: NAT64 exchanges pseudo-headers in this way. */
WIRESUM_INLINE __u16 wiresum_update_sum(__u16 checksum, __u16 was, __u16 is)
{
    return wiresum_update16(checksum, was, is);
}

/** Returns the checksum as UDP sends it: 0xFFFF for 0x0000. */
WIRESUM_INLINE __u16 wiresum_udp_field(__u16 checksum)
{
    return checksum ? checksum : 0xFFFF;
}

/** Returns the result of wiresum_update_sum() as UDP sends it. A checksum of 0x0000, "not
    computed", stays 0x0000. */
WIRESUM_INLINE __u16 wiresum_udp_update_sum(__u16 checksum, __u16 was, __u16 is)
{
    return checksum ? wiresum_udp_field(wiresum_update_sum(checksum, was, is)) : 0;
}

/** Returns the sum of an IPv4 address and a port in memory order: what NAT44 exchanges. The new TCP
    checksum is wiresum_update_sum(checksum, wiresum_endpoint(was, was_port), wiresum_endpoint(is,
    is_port)); UDP calls wiresum_udp_update_sum(). */
WIRESUM_INLINE __u16 wiresum_endpoint(__u32 address, __u16 port)
{
    return wiresum_fold((__u64)address + port);
}

/* ---- Pseudo-headers ---- */

/* Returns the partial sum of the end of a pseudo-header: protocol and length. A length above 65,535
   counts as two words, as in Linux. */
WIRESUM_INLINE __u64 wiresum_pseudo_end(__u32 protocol, __u32 len)
{
    return (__u64)wiresum_value((__u16)protocol) + wiresum_value((__u16)len)
           + wiresum_value((__u16)(len >> 16));
}

/** Returns the sum of the IPv4 pseudo-header. source and destination point to 4 bytes. */
WIRESUM_INLINE __u16 wiresum_pseudo_ipv4(const void *source, const void *destination,
                                         __u32 protocol, __u32 len)
{
    return wiresum_fold(wiresum_partial_const(source, 4) + wiresum_partial_const(destination, 4)
                        + wiresum_pseudo_end(protocol, len));
}

/** Returns the sum of the IPv6 pseudo-header. source and destination point to 16 bytes. */
WIRESUM_INLINE __u16 wiresum_pseudo_ipv6(const void *source, const void *destination,
                                         __u32 protocol, __u32 len)
{
    return wiresum_fold(wiresum_partial_const(source, 16) + wiresum_partial_const(destination, 16)
                        + wiresum_pseudo_end(protocol, len));
}

/** Returns the checksum of an IPv4 header of 20 bytes, whatever its field holds. */
WIRESUM_INLINE __u16 wiresum_ipv4_header(const void *header)
{
    const __u16 field = *(const wiresum_half *)((const char *)header + 10);
    return wiresum_complement(wiresum_sub(wiresum_fold(wiresum_partial_const(header, 20)), field));
}

/** Returns whether the checksum of an IPv4 header of 20 bytes is right. */
WIRESUM_INLINE _Bool wiresum_ipv4_header_ok(const void *header)
{
    return wiresum_folds_to_ones(wiresum_partial_const(header, 20));
}

/* ---- Both kinds of programs ----
 *
 * Each function below has a constant argument, tc, which chooses at compile time between struct
 * xdp_md and struct __sk_buff. The macros at the end of this file make the two global functions of
 * each.
 */

/* The first byte of the frame, and the end of its linear part. */
WIRESUM_INLINE const char *wiresum_data(void *ctx, const _Bool tc)
{
    return (const char *)(long)(tc ? ((struct __sk_buff *)ctx)->data
                                   : ((struct xdp_md *)ctx)->data);
}
WIRESUM_INLINE const char *wiresum_data_end(void *ctx, const _Bool tc)
{
    return (const char *)(long)(tc ? ((struct __sk_buff *)ctx)->data_end
                                   : ((struct xdp_md *)ctx)->data_end);
}

/* Returns the length of the frame; in XDP the length of its linear part, if need bytes are there.
   Not to call a helper saves as much time as the sum of 200 bytes takes. */
WIRESUM_INLINE __u32 wiresum_frame_len(void *ctx, const _Bool tc, __u64 need)
{
    if (tc)
        return ((struct __sk_buff *)ctx)->len;
    const __u64 linear = (__u64)(wiresum_data_end(ctx, tc) - wiresum_data(ctx, tc));
    return linear >= need ? (__u32)linear : (__u32)bpf_xdp_get_buff_len((struct xdp_md *)ctx);
}

/* Copies bytes from anywhere in the frame. Returns 0, or a negative number if they are not there.
   size is at least 1. */
WIRESUM_INLINE long wiresum_read(void *ctx, const _Bool tc, __u32 offset, void *to, __u32 size)
{
    return tc ? bpf_skb_load_bytes(ctx, offset, to, size)
              : bpf_xdp_load_bytes((struct xdp_md *)ctx, offset, to, size);
}

/* A pointer to packet bytes may lie at most 65,535 bytes after the start: MAX_PACKET_OFF of the
   verifier. Bytes after that are copied. */
enum { WIRESUM_BLOCK = 256, WIRESUM_COPY = 192, WIRESUM_LAST_BLOCK = 0xFFFF - WIRESUM_BLOCK };

/* Copies bytes from anywhere in the frame, as wiresum_read() does. size is a constant, and even. In
   the linear part no helper is called. */
WIRESUM_INLINE long wiresum_fetch(void *ctx, const _Bool tc, __u64 offset, void *to,
                                  const __u32 size)
{
    const char *p = wiresum_data(ctx, tc);
    if (offset <= WIRESUM_LAST_BLOCK) {
        p += offset;
        if (p + size <= wiresum_data_end(ctx, tc)) {
#pragma clang loop unroll(full)
            for (__u32 i = 0; i < size / 4; i++)
                ((wiresum_word *)to)[i] = ((const wiresum_word *)p)[i];
            if (size & 2)
                ((wiresum_half *)to)[size / 2 - 1] = ((const wiresum_half *)p)[size / 2 - 1];
            return 0;
        }
    }
    return wiresum_read(ctx, tc, (__u32)offset, to, size);
}

/* Writes a checksum anywhere in the frame. In tc the kernel's own sum of the frame
   (CHECKSUM_COMPLETE) follows. */
WIRESUM_INLINE long wiresum_store(void *ctx, const _Bool tc, __u32 offset, __u16 checksum)
{
    return tc ? bpf_skb_store_bytes((struct __sk_buff *)ctx, offset, &checksum, 2,
                                    BPF_F_RECOMPUTE_CSUM)
              : bpf_xdp_store_bytes((struct xdp_md *)ctx, offset, &checksum, 2);
}

/* The state of a sum of blocks. */
struct wiresum_blocks {
    const char *data, *end; /* the linear part of the frame */
    void *ctx;
    __u64 partial;
    __u32 at, last; /* the offsets of the next byte, and of the end */
};

/* Adds a block of the linear part. bpf_loop() calls this function, so the verifier looks at it once
   or twice and not once for each block. */
static long wiresum_add_block(__u32 index, void *context)
{
    struct wiresum_blocks *const blocks = (struct wiresum_blocks *)context;
    const __u64 at = blocks->at;
    (void)index;
    if (at > WIRESUM_LAST_BLOCK)
        return 1;
    const char *const p = blocks->data + at;
    if (p + WIRESUM_BLOCK > blocks->end)
        return 1;
    blocks->partial += wiresum_partial_const(p, WIRESUM_BLOCK);
    blocks->at += WIRESUM_BLOCK;
    return 0;
}

/* Adds a block that is not in the linear part, or the rest that is shorter than a block. */
WIRESUM_INLINE long wiresum_add_copy(void *context, const _Bool tc)
{
    struct wiresum_blocks *const blocks = (struct wiresum_blocks *)context;
    __u64 copy[WIRESUM_COPY / 8] = {};
    /* At least one byte is left. The verifier of Linux 6.1 learns that from an addition, and not
       from a comparison with 0. */
    __u64 size = blocks->last - blocks->at - 1;
    WIRESUM_HIDE(size);
    if (size > WIRESUM_COPY - 1)
        size = WIRESUM_COPY - 1;
    WIRESUM_HIDE(size);
    size++;
    if (wiresum_read(blocks->ctx, tc, blocks->at, copy, size))
        return 1;
    blocks->partial += wiresum_partial_const(copy, WIRESUM_COPY);
    blocks->at += size;
    return 0;
}
static long wiresum_xdp_add_copy(__u32 index, void *context)
{
    (void)index;
    return wiresum_add_copy(context, 0);
}
static long wiresum_tc_add_copy(__u32 index, void *context)
{
    (void)index;
    return wiresum_add_copy(context, 1);
}

/* Adds size bytes, a constant, if the length has this bit, and goes to copy if they are not in the
   linear part. */
#define WIRESUM_STEP(size)                         \
    if (len & (size)) {                            \
        if (p + (size) > end)                      \
            goto copy;                             \
        steps += wiresum_partial_const(p, (size)); \
        p += (size);                               \
    }

/* Adds the bytes [offset, offset + len) of the frame to *sum. Returns 0, or -1 if the frame does
   not have them. No branch depends on the sum, so the verifier need not follow its values. */
WIRESUM_INLINE int wiresum_partial_range(void *ctx, const _Bool tc, __u32 offset, __u32 len,
                                         __u64 *sum)
{
    const char *const data = wiresum_data(ctx, tc), *const end = wiresum_data_end(ctx, tc);
    const __u32 last = offset + len;
    __u64 partial = 0, steps = 0, at = offset;
    if (last < offset)
        return -1;
    struct wiresum_blocks blocks;
    if (len >= WIRESUM_BLOCK) {
        blocks = (struct wiresum_blocks){ .data = data, .end = end, .at = offset };
        bpf_loop(len / WIRESUM_BLOCK, wiresum_add_block, &blocks, 0);
        partial = blocks.partial;
        at = blocks.at;
    }
    const char *p = data;
    if (at > WIRESUM_LAST_BLOCK || last - at >= WIRESUM_BLOCK)
        goto copy;
    p += at;
    WIRESUM_STEP(128)
    WIRESUM_STEP(64)
    WIRESUM_STEP(32)
    WIRESUM_STEP(16)
    WIRESUM_STEP(8)
    WIRESUM_STEP(4)
    if (len & 2) {
        if (p + 2 > end)
            goto copy;
        steps += *(const wiresum_half *)p;
        p += 2;
    }
    if (len & 1) {
        if (p + 1 > end)
            goto copy;
        steps += wiresum_value((__u16)(*(const __u8 *)p << 8));
    }
    *sum += partial + steps;
    return 0;
copy:;
    /* The sum begins anew at the last whole block: what the steps have added is left out. */
    blocks =
        (struct wiresum_blocks){ .ctx = ctx, .partial = partial, .at = (__u32)at, .last = last };
    bpf_loop((last - at + WIRESUM_COPY - 1) / WIRESUM_COPY,
             tc ? wiresum_tc_add_copy : wiresum_xdp_add_copy, &blocks, 0);
    *sum += blocks.partial;
    return blocks.at == blocks.last ? 0 : -1;
}
WIRESUM_INLINE long wiresum_sum_range(void *ctx, const _Bool tc, __u32 offset, __u32 len)
{
    __u64 sum = 0;
    return wiresum_partial_range(ctx, tc, offset, len, &sum) ? -1 : (long)wiresum_fold(sum);
}

/** Returns the sum of the bytes [offset, offset + len) of the frame, 0 to 0xFFFF, or a negative
    number if the frame does not have them. Any offset and any length is right. */
WIRESUM_GLOBAL long wiresum_xdp_sum(struct xdp_md *ctx, __u32 offset, __u32 len)
{
    return wiresum_sum_range(ctx, 0, offset, len);
}
WIRESUM_GLOBAL long wiresum_tc_sum(struct __sk_buff *ctx, __u32 offset, __u32 len)
{
    return wiresum_sum_range(ctx, 1, offset, len);
}

/* ---- Whole packets ---- */

/** The results of wiresum_packet.h, with its meaning. */
enum wiresum_packet_result {
    WIRESUM_PACKET_GOOD,       /**< each checksum of the packet is right, or has been filled in */
    WIRESUM_PACKET_BAD,        /**< the checksum of the payload is wrong */
    WIRESUM_PACKET_BAD_HEADER, /**< the checksum of the IPv4 header is wrong */
    WIRESUM_PACKET_ABSENT,     /**< UDP over IPv4 without a checksum, which is allowed */
    WIRESUM_PACKET_ILLEGAL,    /**< a field or a coverage that no sender may send */
    WIRESUM_PACKET_FRAGMENT,   /**< the checksum of the payload covers other packets too */
    WIRESUM_PACKET_UNKNOWN,    /**< no known checksum, or a packet beyond the bounds below */
    WIRESUM_PACKET_ROUTED,     /**< an unknown routing header hides the final destination */
    WIRESUM_PACKET_SHORT,      /**< the frame ends before the packet does */
    WIRESUM_PACKET_MALFORMED   /**< a version, length or option is wrong */
};

/** The bounds of the walk, which wiresum_packet.h has not: the extension headers of a packet, the
    options of one extension header (a Pad1 byte is an option), and the VLAN tags of a frame. A
    packet beyond a bound is WIRESUM_PACKET_UNKNOWN. */
enum { WIRESUM_MAX_EXTENSIONS = 16, WIRESUM_MAX_OPTIONS = 64, WIRESUM_MAX_TAGS = 4 };

/** Where the checksum of a packet's payload is, and what it covers. Offsets count from the start of
    the frame. A packet that the walk did not pass has zeros after the point where it ended. */
struct wiresum_found {
    __u32 ipv4_header_len; /**< 0 for IPv6 */
    __u32 start, covers;   /**< the bytes that the checksum covers */
    __u32 field;           /**< the offset of the field */
    __u32 pseudo_len;      /**< the length in the pseudo-header */
    __u8 protocol;         /**< of the payload */
    __u8 udp;              /**< whether 0x0000 is sent as 0xFFFF */
    __u8 zero;             /**< the result for a field of 0x0000 that was found, or GOOD */
    __u8 version;          /**< 4, 6, or 0 */
    __u16 ipv4_checksum;   /**< what belongs in the IPv4 header */
    __u64 pseudo;          /**< the partial sum of the pseudo-header, or 0 */
};

/* The options of an IPv4 header, whose bytes are copied. */
struct wiresum_options {
    __u8 bytes[64]; /* at most 40 are options; each index is masked */
    __u32 at, len, destination;
    _Bool bad;
};

/* Takes one option. */
static long wiresum_add_option(__u32 index, void *context)
{
    enum { END = 0, NO_OPERATION = 1, LOOSE = 131, STRICT = 137 };
    struct wiresum_options *const o = (struct wiresum_options *)context;
    const __u32 at = o->at, left = o->len - at;
    if (at >= o->len || o->bytes[at & 63] == END)
        return 1;
    const __u8 type = o->bytes[at & 63], pointer = o->bytes[(at + 2) & 63];
    __u32 len = o->bytes[(at + 1) & 63];
    if (type == NO_OPERATION)
        len = 1;
    else if (left < 2 || len < 2 || len > left)
        return o->bad = 1;
    /* The type, the length, the pointer, and addresses. The pointer counts from 1. */
    __u32 destination = o->destination;
    if (type == LOOSE || type == STRICT) {
        if ((len & 3) != 3 || pointer < 4)
            return o->bad = 1;
        if (pointer < len)
            destination = at + len - 4;
    }
    __u32 next = at + len;
    WIRESUM_FORGET(next, index);
    WIRESUM_FORGET(destination, index);
    o->at = next;
    o->destination = destination;
    return 0;
}

/* What the options of an IPv4 header say. */
struct wiresum_route {
    __u32 destination; /* the offset of the final destination, or 0 */
    __u16 sum;         /* the sum of the options */
    _Bool bad;
};

WIRESUM_INLINE int wiresum_walk_options(void *ctx, const _Bool tc, __u32 at, __u32 len,
                                        struct wiresum_route *route)
{
    struct wiresum_options o = { .len = len };
    __u64 size = len - 1;
    WIRESUM_HIDE(size);
    if (!route || size > 39)
        return -1;
    WIRESUM_HIDE(size);
    if (wiresum_read(ctx, tc, at, o.bytes, (__u32)size + 1))
        return -1;
    route->sum = wiresum_fold(wiresum_partial_const(o.bytes, 40));
    bpf_loop(40, wiresum_add_option, &o, 0);
    route->bad = o.bad;
    route->destination = o.destination ? at + o.destination : 0;
    return 0;
}

/* The options of an IPv6 extension header. */
struct wiresum_options6 {
    void *ctx;
    __u32 at, end, value;
    __u8 type, size;
    _Bool bad;
};

/* Takes one option. */
WIRESUM_INLINE long wiresum_add_option6(__u32 index, void *context, const _Bool tc)
{
    enum { PAD_ONE = 0 };
    struct wiresum_options6 *const o = (struct wiresum_options6 *)context;
    __u8 head[2] = {};
    __u32 at = o->at, value = o->value, len = 1;
    const __u32 left = o->end - at;
    if (at >= o->end)
        return 1;
    if (wiresum_read(o->ctx, tc, at, head, 1))
        return o->bad = 1;
    if (head[0] != PAD_ONE) {
        if (left < 2 || wiresum_read(o->ctx, tc, at, head, 2) || head[1] > left - 2)
            return o->bad = 1;
        len = 2u + head[1];
        if (head[0] == o->type) {
            if (head[1] != o->size || value)
                return o->bad = 1;
            value = at + 2;
        }
    }
    at += len;
    WIRESUM_FORGET(at, index);
    WIRESUM_FORGET(value, index);
    o->at = at;
    o->value = value;
    return 0;
}
static long wiresum_xdp_add_option6(__u32 index, void *context)
{
    return wiresum_add_option6(index, context, 0);
}
static long wiresum_tc_add_option6(__u32 index, void *context)
{
    return wiresum_add_option6(index, context, 1);
}

/* Returns the offset of the value of the option of this type, which has size bytes, in an extension
   header of len bytes at at: 0 if there is none, -1 if the options are malformed, and -2 if they
   are too many. */
WIRESUM_INLINE long wiresum_find_option6(void *ctx, const _Bool tc, __u32 at, __u32 len, __u8 type,
                                         __u8 size)
{
    struct wiresum_options6 o = {
        .ctx = ctx, .at = at + 2, .end = at + len, .type = type, .size = size
    };
    bpf_loop(WIRESUM_MAX_OPTIONS, tc ? wiresum_tc_add_option6 : wiresum_xdp_add_option6, &o, 0);
    return o.bad ? -1 : o.at < o.end ? -2 : (long)o.value;
}

WIRESUM_GLOBAL long wiresum_xdp_find_option6(struct xdp_md *ctx, __u32 at, __u32 len, __u8 type,
                                             __u8 size)
{
    return wiresum_find_option6(ctx, 0, at, len, type, size);
}
WIRESUM_GLOBAL long wiresum_tc_find_option6(struct __sk_buff *ctx, __u32 at, __u32 len, __u8 type,
                                            __u8 size)
{
    return wiresum_find_option6(ctx, 1, at, len, type, size);
}
/* A walk over extension headers. */
struct wiresum_extensions {
    __u32 first, at, end;    /* the offsets of the first header, of the next one, of the end */
    __u32 home, destination; /* the offsets of addresses that take the place of those, or 0 */
    __u8 next;               /* the protocol at at */
    __u8 ipv4;               /* over IPv4 only the authentication header is one */
};

enum { WIRESUM_ICMP = 1, WIRESUM_IGMP = 2, WIRESUM_TCP = 6, WIRESUM_UDP = 17 };
enum { WIRESUM_ICMPV6 = 58, WIRESUM_UDP_LITE = 136 };
enum { WIRESUM_HOP_BY_HOP = 0, WIRESUM_ROUTING = 43, WIRESUM_FRAGMENT = 44 };
enum { WIRESUM_AUTHENTICATION = 51, WIRESUM_DESTINATION_OPTIONS = 60 };

WIRESUM_INLINE _Bool wiresum_is_extension(const struct wiresum_extensions *e)
{
    const __u8 next = e->next;
    return next == WIRESUM_AUTHENTICATION
           || (!e->ipv4
               && (next == WIRESUM_ROUTING || next == WIRESUM_FRAGMENT
                   || next == WIRESUM_DESTINATION_OPTIONS
                   || (next == WIRESUM_HOP_BY_HOP && e->at == e->first)));
}

/* Takes a routing header of len bytes, of which head has the first 8. */
WIRESUM_INLINE int wiresum_add_routing(struct wiresum_extensions *e, const __u8 *head, __u32 len)
{
    enum { SOURCE_ROUTE = 0, MOBILE = 2, SEGMENT_ROUTING = 4 };
    const __u32 left = head[3], addresses = (len - 8) >> 4; /* of 16 bytes */
    if (left == 0)
        return WIRESUM_PACKET_GOOD;
    if (head[2] == SOURCE_ROUTE) {
        if ((len & 15) != 8 || left > addresses)
            return WIRESUM_PACKET_MALFORMED;
        e->destination = e->at + len - 16;
        return WIRESUM_PACKET_GOOD;
    }
    if (head[2] == MOBILE ? len != 24 || left != 1 : head[4] >= addresses || left > head[4] + 1u)
        return head[2] == MOBILE || head[2] == SEGMENT_ROUTING ? WIRESUM_PACKET_MALFORMED
                                                               : WIRESUM_PACKET_ROUTED;
    if (head[2] != MOBILE && head[2] != SEGMENT_ROUTING)
        return WIRESUM_PACKET_ROUTED;
    e->destination = e->at + 8;
    return WIRESUM_PACKET_GOOD;
}

/* Takes one extension header. Returns a result, GOOD if the walk goes on. */
WIRESUM_INLINE int wiresum_add_extension(void *ctx, const _Bool tc, struct wiresum_extensions *e)
{
    enum { HOME_ADDRESS = 0xC9 };
    __u8 head[8] = {};
    if (e->end - e->at < 8 || wiresum_read(ctx, tc, e->at, head, 8))
        return WIRESUM_PACKET_MALFORMED;
    const __u32 len = e->next == WIRESUM_FRAGMENT         ? 8
                      : e->next == WIRESUM_AUTHENTICATION ? 4u * head[1] + 8u
                                                          : 8u * head[1] + 8u;
    if (len > e->end - e->at)
        return WIRESUM_PACKET_MALFORMED;
    if (e->next == WIRESUM_FRAGMENT && (head[2] || head[3] & 0xF9))
        return WIRESUM_PACKET_FRAGMENT; /* an offset, or more fragments */
    if (e->next == WIRESUM_DESTINATION_OPTIONS) {
        const long home =
            tc ? wiresum_tc_find_option6((struct __sk_buff *)ctx, e->at, len, HOME_ADDRESS, 16)
               : wiresum_xdp_find_option6((struct xdp_md *)ctx, e->at, len, HOME_ADDRESS, 16);
        if (home == -2)
            return WIRESUM_PACKET_UNKNOWN;
        if (home < 0 || (home && e->home))
            return WIRESUM_PACKET_MALFORMED;
        if (home)
            e->home = (__u32)home;
    }
    if (e->next == WIRESUM_ROUTING) {
        const int result = wiresum_add_routing(e, head, len);
        if (result != WIRESUM_PACKET_GOOD)
            return result;
    }
    e->next = head[0];
    e->at += len;
    return WIRESUM_PACKET_GOOD;
}

WIRESUM_INLINE int wiresum_walk_extensions(void *ctx, const _Bool tc, struct wiresum_extensions *e)
{
    if (!e)
        return WIRESUM_PACKET_MALFORMED;
#pragma clang loop unroll(disable)
    for (__u32 i = 0; i < WIRESUM_MAX_EXTENSIONS; i++) {
        if (!wiresum_is_extension(e))
            return WIRESUM_PACKET_GOOD;
        const int result = wiresum_add_extension(ctx, tc, e);
        if (result != WIRESUM_PACKET_GOOD)
            return result;
    }
    return wiresum_is_extension(e) ? WIRESUM_PACKET_UNKNOWN : WIRESUM_PACKET_GOOD;
}

/* The parts of the walk that few packets need are functions of their own. */
WIRESUM_GLOBAL int wiresum_xdp_walk_options(struct xdp_md *ctx, __u32 at, __u32 len,
                                            struct wiresum_route *route)
{
    return wiresum_walk_options(ctx, 0, at, len, route);
}
WIRESUM_GLOBAL int wiresum_tc_walk_options(struct __sk_buff *ctx, __u32 at, __u32 len,
                                           struct wiresum_route *route)
{
    return wiresum_walk_options(ctx, 1, at, len, route);
}
WIRESUM_GLOBAL int wiresum_xdp_walk_extensions(struct xdp_md *ctx, struct wiresum_extensions *e)
{
    return wiresum_walk_extensions(ctx, 0, e);
}
WIRESUM_GLOBAL int wiresum_tc_walk_extensions(struct __sk_buff *ctx, struct wiresum_extensions *e)
{
    return wiresum_walk_extensions(ctx, 1, e);
}

/* Finds the checksum of a payload of n bytes at found->start. addresses is the partial sum of both
   addresses. */
WIRESUM_INLINE int wiresum_find_payload(void *ctx, const _Bool tc, __u8 protocol, __u32 n,
                                        __u64 addresses, struct wiresum_found *found)
{
    const _Bool ipv4 = found->ipv4_header_len != 0;
    _Bool pseudo = 1;
    __u32 least = 8;
    found->protocol = protocol;
    found->zero = WIRESUM_PACKET_GOOD;
    found->udp = 0;
    if (protocol == WIRESUM_TCP) {
        found->field = found->start + 16;
        least = 20;
    } else if (protocol == WIRESUM_UDP || protocol == WIRESUM_UDP_LITE) {
        found->field = found->start + 6;
        found->udp = 1;
    } else if (protocol == WIRESUM_ICMPV6 && !ipv4) {
        found->field = found->start + 2;
        least = 4;
    } else if ((protocol == WIRESUM_ICMP || protocol == WIRESUM_IGMP) && ipv4) {
        found->field = found->start + 2;
        least = protocol == WIRESUM_ICMP ? 4 : 8;
        pseudo = 0;
    } else {
        return WIRESUM_PACKET_UNKNOWN;
    }
    if (n < least)
        return WIRESUM_PACKET_MALFORMED;
    found->covers = n;
    if (found->udp) {
        __u16 head[2]; /* the length or the coverage, and the checksum */
        if (wiresum_fetch(ctx, tc, found->start + 4, head, 4))
            return WIRESUM_PACKET_SHORT;
        const __u32 says = wiresum_value(head[0]);
        if (protocol == WIRESUM_UDP_LITE) {
            if (says && (says < 8 || says > n))
                return WIRESUM_PACKET_ILLEGAL;
            found->covers = says ? says : n;
        } else if (says || ipv4 || n <= 0xFFFF) { /* else a jumbogram (RFC 2675 section 4) */
            if (says < 8 || says > n)
                return WIRESUM_PACKET_MALFORMED;
            found->covers = n = says;
        }
        if (head[1] == 0)
            found->zero =
                protocol == WIRESUM_UDP && ipv4 ? WIRESUM_PACKET_ABSENT : WIRESUM_PACKET_ILLEGAL;
    }
    found->pseudo = pseudo ? addresses + wiresum_pseudo_end(protocol, n) : 0;
    found->pseudo_len = n;
    return WIRESUM_PACKET_GOOD;
}

WIRESUM_INLINE int wiresum_find_ipv4(void *ctx, const _Bool tc, __u32 offset, const __u32 *h,
                                     _Bool verify, struct wiresum_found *found)
{
    const __u8 *const bytes = (const __u8 *)h;
    const wiresum_half *const halves = (const wiresum_half *)h;
    const __u32 header_len = 4u * (bytes[0] & 15u);
    __u32 total = wiresum_value(halves[1]), destination = h[4];
    __u64 sum = wiresum_partial_const(h, 20);
    struct wiresum_route route = {};
    const __u32 len =
        wiresum_frame_len(ctx, tc, (__u64)offset + (total ? total : 0x10000)) - offset;
    if (header_len < 20)
        return WIRESUM_PACKET_MALFORMED;
    if (header_len > 20) {
        const int failed = tc ? wiresum_tc_walk_options(ctx, offset + 20, header_len - 20, &route)
                              : wiresum_xdp_walk_options(ctx, offset + 20, header_len - 20, &route);
        if (failed)
            return WIRESUM_PACKET_SHORT;
        sum += route.sum;
    }
    if (verify && !wiresum_folds_to_ones(sum))
        return WIRESUM_PACKET_BAD_HEADER;
    if (!verify)
        found->ipv4_checksum = wiresum_complement(wiresum_sub(wiresum_fold(sum), halves[5]));
    if (total == 0 && len > 0xFFFF && bytes[9] == WIRESUM_TCP)
        total = len;
    if (total < header_len)
        return WIRESUM_PACKET_MALFORMED;
    if (total > len)
        return WIRESUM_PACKET_SHORT;
    if (halves[3] & wiresum_value(0x3FFF)) /* more fragments, or an offset */
        return WIRESUM_PACKET_FRAGMENT;
    if (route.bad)
        return WIRESUM_PACKET_MALFORMED;
    if (route.destination && wiresum_fetch(ctx, tc, route.destination, &destination, 4))
        return WIRESUM_PACKET_SHORT;
    found->ipv4_header_len = header_len;
    found->start = offset + header_len;
    __u8 protocol = bytes[9];
    if (protocol == WIRESUM_AUTHENTICATION) {
        struct wiresum_extensions e = {
            .at = found->start,
            .end = offset + total,
            .next = protocol,
            .ipv4 = 1,
        };
        const int result =
            tc ? wiresum_tc_walk_extensions(ctx, &e) : wiresum_xdp_walk_extensions(ctx, &e);
        if (result != WIRESUM_PACKET_GOOD)
            return result;
        protocol = e.next;
        found->start = e.at;
    }
    return wiresum_find_payload(ctx, tc, protocol, offset + total - found->start,
                                (__u64)h[3] + destination, found);
}

WIRESUM_INLINE int wiresum_find_ipv6(void *ctx, const _Bool tc, __u32 offset, const __u32 *h,
                                     struct wiresum_found *found)
{
    enum { JUMBO_PAYLOAD = 0xC2 };
    __u64 source = wiresum_partial_const(h + 2, 16), destination = wiresum_partial_const(h + 6, 16);
    __u32 payload = wiresum_value(((const wiresum_half *)h)[2]);
    const __u32 len =
        wiresum_frame_len(ctx, tc, (__u64)offset + 40 + (payload ? payload : 0x10000)) - offset;
    struct wiresum_extensions e = {
        .first = offset + 40,
        .at = offset + 40,
        .next = ((const __u8 *)h)[6],
    };
    if (payload == 0 && e.next == WIRESUM_HOP_BY_HOP) {
        __u8 head[4];
        __u16 jumbo[2];
        if (len < 48 || wiresum_fetch(ctx, tc, e.at, head, 4) || 8u * head[1] + 8u > len - 40)
            return WIRESUM_PACKET_SHORT;
        const long value =
            tc ? wiresum_tc_find_option6(ctx, e.at, 8u * head[1] + 8u, JUMBO_PAYLOAD, 4)
               : wiresum_xdp_find_option6(ctx, e.at, 8u * head[1] + 8u, JUMBO_PAYLOAD, 4);
        if (value == -2)
            return WIRESUM_PACKET_UNKNOWN;
        if (value <= 0 || wiresum_fetch(ctx, tc, value, jumbo, 4) || jumbo[0] == 0)
            return WIRESUM_PACKET_MALFORMED;
        payload = (__u32)wiresum_value(jumbo[0]) << 16 | wiresum_value(jumbo[1]);
    } else if (payload == 0 && e.next == WIRESUM_TCP && len - 40 > 0xFFFF) {
        payload = len - 40;
    }
    if (payload > len - 40)
        return WIRESUM_PACKET_SHORT;
    e.end = offset + 40 + payload;
    if (wiresum_is_extension(&e)) {
        __u32 address[4];
        const int result =
            tc ? wiresum_tc_walk_extensions(ctx, &e) : wiresum_xdp_walk_extensions(ctx, &e);
        if (result != WIRESUM_PACKET_GOOD)
            return result;
        if (e.home) {
            if (wiresum_fetch(ctx, tc, e.home, address, 16))
                return WIRESUM_PACKET_SHORT;
            source = wiresum_partial_const(address, 16);
        }
        if (e.destination) {
            if (wiresum_fetch(ctx, tc, e.destination, address, 16))
                return WIRESUM_PACKET_SHORT;
            destination = wiresum_partial_const(address, 16);
        }
    }
    found->ipv4_header_len = 0;
    found->start = e.at;
    return wiresum_find_payload(ctx, tc, e.next, e.end - e.at, source + destination, found);
}

/* Finds the checksum of the packet whose IP header is at offset. */
WIRESUM_INLINE int wiresum_find(void *ctx, const _Bool tc, __u32 offset, _Bool verify,
                                struct wiresum_found *found)
{
    __u32 h[10];
    if (wiresum_fetch(ctx, tc, offset, h, 20)) {
        __u8 version;
        if (wiresum_read(ctx, tc, offset, &version, 1))
            return WIRESUM_PACKET_SHORT;
        version >>= 4;
        return version == 4 || version == 6 ? WIRESUM_PACKET_SHORT : WIRESUM_PACKET_MALFORMED;
    }
    const __u8 version = *(const __u8 *)h >> 4;
    found->version = version;
    found->protocol = ((const __u8 *)h)[version == 4 ? 9 : 6];
    if (version == 4)
        return wiresum_find_ipv4(ctx, tc, offset, h, verify, found);
    if (version != 6)
        return WIRESUM_PACKET_MALFORMED;
    if (wiresum_fetch(ctx, tc, offset + 20, h + 5, 20))
        return WIRESUM_PACKET_SHORT;
    return wiresum_find_ipv6(ctx, tc, offset, h, found);
}

/* Adds the bytes that a checksum covers to the sum of its pseudo-header. */
WIRESUM_INLINE int wiresum_sum_found(void *ctx, const _Bool tc, struct wiresum_found *found,
                                     __u64 *sum)
{
    *sum = found->pseudo;
    WIRESUM_FORGET(found->start, (__u32)found->pseudo);
    WIRESUM_FORGET(found->covers, (__u32)found->pseudo);
    return wiresum_partial_range(ctx, tc, found->start, found->covers, sum);
}

/* Stores where the checksum is in *out before it sums, so that the verifier need not remember. */
WIRESUM_INLINE int wiresum_judge(void *ctx, const _Bool tc, __u32 offset, struct wiresum_found *out)
{
    struct wiresum_found found = {};
    const int result = wiresum_find(ctx, tc, offset, 1, &found);
    if (out)
        *out = found;
    if (result != WIRESUM_PACKET_GOOD)
        return result;
    if (found.zero != WIRESUM_PACKET_GOOD)
        return found.zero;
    __u64 sum;
    if (wiresum_sum_found(ctx, tc, &found, &sum))
        return WIRESUM_PACKET_SHORT;
    return wiresum_folds_to_ones(sum) ? WIRESUM_PACKET_GOOD : WIRESUM_PACKET_BAD;
}

/** Finds the checksum of the packet whose IP header is at offset, and judges nothing. Returns GOOD
    and stores in *found, which is not null, where it is, or returns why there is none. */
WIRESUM_GLOBAL int wiresum_xdp_find(struct xdp_md *ctx, __u32 offset, struct wiresum_found *found)
{
    return found ? wiresum_find(ctx, 0, offset, 0, found) : -1;
}
WIRESUM_GLOBAL int wiresum_tc_find(struct __sk_buff *ctx, __u32 offset, struct wiresum_found *found)
{
    return found ? wiresum_find(ctx, 1, offset, 0, found) : -1;
}
WIRESUM_INLINE int wiresum_find_apart(void *ctx, const _Bool tc, __u32 offset,
                                      struct wiresum_found *found)
{
    return tc ? wiresum_tc_find((struct __sk_buff *)ctx, offset, found)
              : wiresum_xdp_find((struct xdp_md *)ctx, offset, found);
}

/* Writes the checksums of a packet that the walk has passed. */
WIRESUM_INLINE int wiresum_write(void *ctx, const _Bool tc, __u32 offset,
                                 struct wiresum_found *found)
{
    __u16 old;
    if (!found)
        return WIRESUM_PACKET_SHORT;
    __u64 sum = found->pseudo;
    const __u32 start = found->start, field = found->field;
    if (wiresum_fetch(ctx, tc, field, &old, 2)
        || wiresum_partial_range(ctx, tc, start, found->covers, &sum))
        return WIRESUM_PACKET_SHORT;
    /* The old checksum leaves the 32-bit word in which it was added, so all-zero data are known. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    sum -= (field - start) & 2 ? (__u64)old << 16 : old;
#else
    sum -= (field - start) & 2 ? old : (__u64)old << 16;
#endif
    const __u16 checksum = wiresum_complement(wiresum_fold(sum));
    wiresum_store(ctx, tc, field, found->udp ? wiresum_udp_field(checksum) : checksum);
    if (found->ipv4_header_len)
        wiresum_store(ctx, tc, offset + 10, found->ipv4_checksum);
    return WIRESUM_PACKET_GOOD;
}
WIRESUM_GLOBAL int wiresum_xdp_write(struct xdp_md *ctx, __u32 offset, struct wiresum_found *found)
{
    return wiresum_write(ctx, 0, offset, found);
}
WIRESUM_GLOBAL int wiresum_tc_write(struct __sk_buff *ctx, __u32 offset,
                                    struct wiresum_found *found)
{
    return wiresum_write(ctx, 1, offset, found);
}

WIRESUM_INLINE int wiresum_fill(void *ctx, const _Bool tc, __u32 offset)
{
    struct wiresum_found found = {};
    const int result = wiresum_find_apart(ctx, tc, offset, &found);
    if (result != WIRESUM_PACKET_GOOD)
        return result == WIRESUM_PACKET_ILLEGAL ? WIRESUM_PACKET_MALFORMED : result;
    return tc ? wiresum_tc_write((struct __sk_buff *)ctx, offset, &found)
              : wiresum_xdp_write((struct xdp_md *)ctx, offset, &found);
}

WIRESUM_INLINE _Bool wiresum_seeded(void *ctx, const _Bool tc, __u32 offset)
{
    struct wiresum_found found = {};
    __u16 field;
    if (wiresum_find_apart(ctx, tc, offset, &found) != WIRESUM_PACKET_GOOD || found.pseudo == 0
        || wiresum_fetch(ctx, tc, found.field, &field, 2))
        return 0;
    const __u16 seed = wiresum_fold(found.pseudo);
    return field == seed
           || field == wiresum_sub(seed, wiresum_fold(wiresum_pseudo_end(0, found.pseudo_len)));
}

/** Judges the checksums of the packet whose IP header is at offset, as wiresum_packet_verify()
    does: the checksum of the IPv4 header, and then the checksum of the payload. The packet ends
    where its header says, and bytes after that do not count. */
WIRESUM_GLOBAL int wiresum_xdp_verify(struct xdp_md *ctx, __u32 offset)
{
    return wiresum_judge(ctx, 0, offset, 0);
}
WIRESUM_GLOBAL int wiresum_tc_verify(struct __sk_buff *ctx, __u32 offset)
{
    return wiresum_judge(ctx, 1, offset, 0);
}

/** Judges as the functions above do, and says in *found, which is not null, where the checksum of
    the payload is. */
WIRESUM_GLOBAL int wiresum_xdp_judge(struct xdp_md *ctx, __u32 offset, struct wiresum_found *found)
{
    return wiresum_judge(ctx, 0, offset, found);
}
WIRESUM_GLOBAL int wiresum_tc_judge(struct __sk_buff *ctx, __u32 offset,
                                    struct wiresum_found *found)
{
    return wiresum_judge(ctx, 1, offset, found);
}

/** Fills in the checksums of the packet whose IP header is at offset, as wiresum_packet_fill()
    does. Returns WIRESUM_PACKET_GOOD, or has written nothing. In tc, not for a packet whose
   checksum is left to the device (wiresum_tc_seeded()). */
WIRESUM_GLOBAL int wiresum_xdp_fill(struct xdp_md *ctx, __u32 offset)
{
    return wiresum_fill(ctx, 0, offset);
}
WIRESUM_GLOBAL int wiresum_tc_fill(struct __sk_buff *ctx, __u32 offset)
{
    return wiresum_fill(ctx, 1, offset);
}

/** Returns whether the field of the packet whose IP header is at offset holds the sum of its
    pseudo-header, with the length or without it: the seed of CHECKSUM_PARTIAL, which a sender
    leaves to its device. One damaged packet in 32,768 looks so too. */
WIRESUM_GLOBAL int wiresum_xdp_seeded(struct xdp_md *ctx, __u32 offset)
{
    return wiresum_seeded(ctx, 0, offset);
}
WIRESUM_GLOBAL int wiresum_tc_seeded(struct __sk_buff *ctx, __u32 offset)
{
    return wiresum_seeded(ctx, 1, offset);
}

WIRESUM_INLINE long wiresum_network(void *ctx, const _Bool tc)
{
    __u16 tag[2];
    __u32 at = 12;
    if (wiresum_fetch(ctx, tc, at, tag, 2))
        return -1;
#pragma clang loop unroll(full)
    for (int i = 0; i < WIRESUM_MAX_TAGS; i++) {
        const __u16 type = wiresum_value(tag[0]);
        if (type != 0x8100 && type != 0x88A8 && type != 0x9100)
            break;
        at += 4;
        if (wiresum_fetch(ctx, tc, at, tag, 2))
            return -1;
    }
    const __u16 type = wiresum_value(tag[0]);
    return type == 0x0800 || type == 0x86DD ? (long)at + 2 : -1;
}

/** Returns the offset of the IP header of an Ethernet frame, after its VLAN tags, or a negative
    number if the frame has none. */
WIRESUM_INLINE long wiresum_xdp_network(struct xdp_md *ctx)
{
    return wiresum_network(ctx, 0);
}
WIRESUM_INLINE long wiresum_tc_network(struct __sk_buff *ctx)
{
    return wiresum_network(ctx, 1);
}

#endif
