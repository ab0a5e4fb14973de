/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Counts the checksums that an interface receives or sends, per protocol and verdict, and drops the
   packets with bad ones if the map "settings" says so: README.md has the commands. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "wiresum_bpf.h"

/* Verdicts in addition to the results in enum wiresum_packet_result. */
enum {
    OFFLOADED = WIRESUM_PACKET_MALFORMED + 1, /* the field holds the seed for the sender's device */
    NOT_IP,
    VERDICTS
};

/* The number of packets with a verdict and a protocol of IP: the key is 256 * verdict + protocol.
 */
struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 256 * VERDICTS);
    __type(key, __u32);
    __type(value, __u64);
} counts SEC(".maps");

/* 1 drops packets whose verdict is WIRESUM_PACKET_BAD or WIRESUM_PACKET_BAD_HEADER. */
struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u32);
} settings SEC(".maps");

/* Counts a verdict. Returns whether the packet is to be dropped. */
static __always_inline _Bool add(__u32 verdict, __u8 protocol)
{
    const __u32 key = 256 * verdict + protocol, zero = 0;
    __u64 *const count = bpf_map_lookup_elem(&counts, &key);
    if (count)
        ++*count;
    if (verdict != WIRESUM_PACKET_BAD && verdict != WIRESUM_PACKET_BAD_HEADER)
        return 0;
    const __u32 *const drop = bpf_map_lookup_elem(&settings, &zero);
    return drop && *drop;
}

SEC("xdp.frags")
int xdp_verify(struct xdp_md *ctx)
{
    struct wiresum_found found = {};
    const long offset = wiresum_xdp_network(ctx);
    __u32 verdict = NOT_IP;
    if (offset >= 0)
        verdict = (__u32)wiresum_xdp_judge(ctx, (__u32)offset, &found);
    if (verdict == WIRESUM_PACKET_BAD && wiresum_xdp_seeded(ctx, (__u32)offset))
        verdict = OFFLOADED;
    return add(verdict, found.protocol) ? XDP_DROP : XDP_PASS;
}

/* The same for tc, where an interface also sends. */
SEC("tc")
int tc_verify(struct __sk_buff *ctx)
{
    enum { TC_ACT_OK = 0, TC_ACT_SHOT = 2 };
    struct wiresum_found found = {};
    const long offset = wiresum_tc_network(ctx);
    __u32 verdict = NOT_IP;
    if (offset >= 0)
        verdict = (__u32)wiresum_tc_judge(ctx, (__u32)offset, &found);
    if (verdict == WIRESUM_PACKET_BAD && wiresum_tc_seeded(ctx, (__u32)offset))
        verdict = OFFLOADED;
    return add(verdict, found.protocol) ? TC_ACT_SHOT : TC_ACT_OK;
}

char _license[] SEC("license") = "Dual MIT/GPL";
