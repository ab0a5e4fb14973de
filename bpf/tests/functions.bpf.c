/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Programs that each call one function of wiresum_bpf.h, for tests/run.c. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "../wiresum_bpf.h"
#include "arguments.h"

struct arguments arguments;

/* The functions of one kind of program: xdp or tc. */
#define PROGRAMS(section, kind, prefix, context)                                       \
    SEC(section) int prefix##sum(context *ctx)                                         \
    {                                                                                  \
        arguments.result = wiresum_##kind##_sum(ctx, arguments.offset, arguments.len); \
        return 0;                                                                      \
    }                                                                                  \
    SEC(section) int prefix##verify(context *ctx)                                      \
    {                                                                                  \
        arguments.result = wiresum_##kind##_verify(ctx, arguments.offset);             \
        return 0;                                                                      \
    }                                                                                  \
    SEC(section) int prefix##fill(context *ctx)                                        \
    {                                                                                  \
        arguments.result = wiresum_##kind##_fill(ctx, arguments.offset);               \
        return 0;                                                                      \
    }                                                                                  \
    SEC(section) int prefix##seeded(context *ctx)                                      \
    {                                                                                  \
        arguments.result = wiresum_##kind##_seeded(ctx, arguments.offset);             \
        return 0;                                                                      \
    }                                                                                  \
    SEC(section) int prefix##network(context *ctx)                                     \
    {                                                                                  \
        arguments.result = wiresum_##kind##_network(ctx);                              \
        return 0;                                                                      \
    }

PROGRAMS("xdp", xdp, xdp_, struct xdp_md)
PROGRAMS("xdp.frags", xdp, frags_, struct xdp_md)
PROGRAMS("tc", tc, tc_, struct __sk_buff)

SEC("xdp") int algebra(struct xdp_md *ctx)
{
    struct arguments *const g = &arguments;
    const __u16 a = g->a, b = g->b, c = g->c;
    const __u32 was = *(__u32 *)g->was, is = *(__u32 *)g->is;
    (void)ctx;
    switch (g->function) {
    case FOLD:
        g->result = wiresum_fold(*(__u64 *)g->was);
        break;
    case COMPLEMENT:
        g->result = wiresum_complement(a);
        break;
    case SWAP:
        g->result = wiresum_swap(a);
        break;
    case ADD:
        g->result = wiresum_add(a, b);
        break;
    case SUB:
        g->result = wiresum_sub(a, b);
        break;
    case APPEND:
        g->result = wiresum_append(a, g->len, b);
        break;
    case REMOVE:
        g->result = wiresum_remove(a, g->len, b);
        break;
    case REMOVE_HEAD:
        g->result = wiresum_remove_head(a, g->len, b);
        break;
    case UPDATE16:
        g->result = wiresum_update16(a, b, c);
        break;
    case UPDATE32:
        g->result = wiresum_update32(a, was, is);
        break;
    case UPDATE128:
        g->result = wiresum_update128(a, g->was, g->is);
        break;
    case UPDATE_SUM:
        g->result = wiresum_update_sum(a, b, c);
        break;
    case UDP_UPDATE_SUM:
        g->result = wiresum_udp_update_sum(a, b, c);
        break;
    case UDP_FIELD:
        g->result = wiresum_udp_field(a);
        break;
    case ENDPOINT:
        g->result = wiresum_endpoint(was, a);
        break;
    case PSEUDO_IPV4:
        g->result = wiresum_pseudo_ipv4(g->was, g->is, g->protocol, g->len);
        break;
    case PSEUDO_IPV6:
        g->result = wiresum_pseudo_ipv6(g->was, g->is, g->protocol, g->len);
        break;
    case IPV4_HEADER:
        g->result = wiresum_ipv4_header(g->header);
        break;
    case IPV4_HEADER_OK:
        g->result = wiresum_ipv4_header_ok(g->header);
        break;
    }
    return 0;
}

char _license[] SEC("license") = "Dual MIT/GPL";
