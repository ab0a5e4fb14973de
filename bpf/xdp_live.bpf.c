/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The kernel's part of `wiresum verify --live INTERFACE --xdp`: counts the packets whose checksums
   are all good and which hold nothing else that has a checksum, and hands every other packet to
   user space whole. User space walks those, so both together count what a capture would. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "wiresum_bpf.h"

/* The kinds of packets that are counted here. cli/src/verify/live/xdp.rs has the same order, and
   the checksums of each. */
enum { TCP4, UDP4, ABSENT4, ICMP4, IGMP4, TCP6, UDP6, ICMP6, KINDS };

/* For each kind the packets, their bytes, and the packets since one was handed up as a sample. The
   last entry has the packets that found no room in the ring, and how many of them are bad. */
struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, KINDS + 1);
    __type(key, __u32);
    __type(value, __u64[3]);
} counts SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 64 << 20);
} packets SEC(".maps");

/* bpf_xdp_load_bytes() copies at most so many bytes, and none that lies further from the start. */
enum { PIECE = 0xFFFF };

struct packet {
    __u64 time; /* CLOCK_MONOTONIC, in nanoseconds */
    __u32 len;  /* of the packet; only the first 2 * PIECE bytes follow */
    __u8 bytes[2 * PIECE];
} __attribute__((packed));

/* One for each CPU, in which a packet is put together. The loader sets the number. */
struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct packet);
} rooms SEC(".maps");

/* The loader sets these. After so many packets the others pass uncounted, and one in so many good
   packets is handed to user space; 0 sets no limit, and hands up none. */
volatile const __u64 limit = 0;
volatile const __u64 sample = 0;
/* One bit for each port, and for each type of message, after which the walk may find more. */
volatile const __u64 tcp_ports[1024] = {};
volatile const __u64 udp_ports[1024] = {};
volatile const __u64 icmp_types[4] = {};
volatile const __u64 icmpv6_types[4] = {};

__u64 seen = 0;

#define HAS(bits, number) ((bits)[(number) / 64] >> ((number) % 64) & 1)

/* Returns the kind of a packet that has the result good or absent, or -1 if the walk may find
   anything else in it. The walk also says what options and extension headers mean. */
static __always_inline int kind_of(struct xdp_md *ctx, __u32 offset, _Bool absent,
                                   const struct wiresum_found *found)
{
    const _Bool ipv4 = found->version == 4;
    const __u32 start = found->start;
    __u16 head[2], tcp[3];
    if (start != offset + (ipv4 ? 20 : 40) || wiresum_fetch(ctx, 0, start, head, 4))
        return -1;
    const __u16 from = wiresum_value(head[0]), to = wiresum_value(head[1]);
    const __u8 type = from >> 8;
    switch (found->protocol) {
    case WIRESUM_TCP:
        if (HAS(tcp_ports, from) || HAS(tcp_ports, to) || wiresum_fetch(ctx, 0, start + 12, tcp, 6)
            || wiresum_value(tcp[0]) >> 12 < 5 || tcp[2] == 0xFFFF)
            return -1;
        return ipv4 ? TCP4 : TCP6;
    case WIRESUM_UDP:
        if (HAS(udp_ports, from) || HAS(udp_ports, to))
            return -1;
        return absent ? ABSENT4 : ipv4 ? UDP4 : UDP6;
    case WIRESUM_ICMP:
        return HAS(icmp_types, type) ? -1 : ICMP4;
    case WIRESUM_ICMPV6:
        return HAS(icmpv6_types, type) ? -1 : ICMP6;
    case WIRESUM_IGMP:
        return IGMP4;
    }
    return -1;
}

/* Returns how many of so many bytes, at least 1, are copied at once. The verifier of Linux 6.1
   learns from an addition, and not from a comparison, that this is not 0. */
static __always_inline __u64 piece(__u64 left)
{
    left--;
    WIRESUM_HIDE(left);
    if (left > PIECE - 1)
        left = PIECE - 1;
    WIRESUM_HIDE(left);
    return left + 1;
}

/* Hands a packet to user space. Returns 0, or a negative number if there is no room. */
static __attribute__((noinline)) long hand_up(struct xdp_md *ctx)
{
    const __u32 cpu = bpf_get_smp_processor_id();
    struct packet *const room = bpf_map_lookup_elem(&rooms, &cpu);
    const __u64 len = bpf_xdp_get_buff_len(ctx);
    if (!room)
        return -1;
    const __u64 first = piece(len);
    __u64 rest = 0;
    if (bpf_xdp_load_bytes(ctx, 0, room->bytes, first))
        return -1;
    if (len > PIECE) {
        rest = piece(len - PIECE);
        if (bpf_xdp_load_bytes(ctx, PIECE, room->bytes + PIECE, rest))
            return -1;
    }
    room->time = bpf_ktime_get_ns();
    room->len = (__u32)len;
    __u64 size = sizeof *room - sizeof room->bytes + first + rest;
    WIRESUM_HIDE(size);
    return size > sizeof *room ? -1 : bpf_ringbuf_output(&packets, room, size, BPF_RB_NO_WAKEUP);
}

SEC("xdp.frags")
int xdp_live(struct xdp_md *ctx)
{
    struct wiresum_found found = {};
    int result = WIRESUM_PACKET_UNKNOWN, kind = -1;
    if (limit && __sync_fetch_and_add(&seen, 1) >= limit)
        return XDP_PASS;
    const long offset = wiresum_xdp_network(ctx);
    if (offset >= 0)
        result = wiresum_xdp_judge(ctx, (__u32)offset, &found);
    if (result == WIRESUM_PACKET_GOOD || result == WIRESUM_PACKET_ABSENT)
        kind = kind_of(ctx, (__u32)offset, result == WIRESUM_PACKET_ABSENT, &found);
    __u32 key = kind < 0 ? KINDS : (__u32)kind;
    __u64 *const count = bpf_map_lookup_elem(&counts, &key);
    if (!count)
        return XDP_PASS;
    if (kind < 0) {
        if (hand_up(ctx)) {
            count[0]++;
            count[1] += result == WIRESUM_PACKET_BAD || result == WIRESUM_PACKET_BAD_HEADER;
        }
        return XDP_PASS;
    }
    if (sample && ++count[2] >= sample) {
        count[2] = 0;
        if (!hand_up(ctx))
            return XDP_PASS;
    }
    count[0]++;
    count[1] += bpf_xdp_get_buff_len(ctx);
    return XDP_PASS;
}

char _license[] SEC("license") = "Dual MIT/GPL";
