/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A stateless translator between IPv6 and IPv4 (RFC 7915), for both interfaces of a router.

   The map hosts6 gives IPv6 hosts an IPv4 address each, and hosts4 holds the same pairs the other
   way round. Every other IPv4 address is the last 4 bytes of an address in 64:ff9b::/96 (RFC 6052).
   TCP, UDP and pings are translated; the kernel then routes the packet. All other packets pass as
   they are: fragments, IPv4 options, extension headers, other ICMP messages, VLAN tags. */
#include <linux/bpf.h>

#include <linux/if_ether.h>
#include <linux/in.h>
#include <linux/ip.h>
#include <linux/ipv6.h>

#include <bpf/bpf_endian.h>
#include <bpf/bpf_helpers.h>

#include "wiresum_bpf.h"

struct address6 {
    __u32 words[4];
};

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 65536);
    __type(key, struct address6);
    __type(value, __u32);
} hosts6 SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 65536);
    __type(key, __u32);
    __type(value, struct address6);
} hosts4 SEC(".maps");

/* In addition to the actions of XDP: the kernel gets the packet after its checksum is filled in. */
enum { FILL = 64 };
enum { ECHO = 8, ECHO_REPLY = 0, ECHO6 = 128, ECHO_REPLY6 = 129 };

/* Returns the IPv4 address of an IPv6 address, or 0. */
static __u32 to_ipv4(const struct address6 *address)
{
    if (address->words[0] == bpf_htonl(0x0064FF9B) && !address->words[1] && !address->words[2])
        return address->words[3];
    const __u32 *const host = bpf_map_lookup_elem(&hosts6, address);
    return host ? *host : 0;
}

static struct address6 to_ipv6(__u32 address)
{
    const struct address6 *const host = bpf_map_lookup_elem(&hosts4, &address);
    if (host)
        return *host;
    return (struct address6){ { bpf_htonl(0x0064FF9B), 0, 0, address } };
}

/* The type and code of an ICMP message of the other version, as they lie in memory, or -1. */
static int other_type(__u16 type_and_code)
{
    switch (bpf_ntohs(type_and_code)) {
    case ECHO << 8:
        return bpf_htons(ECHO6 << 8);
    case ECHO_REPLY << 8:
        return bpf_htons(ECHO_REPLY6 << 8);
    case ECHO6 << 8:
        return bpf_htons(ECHO << 8);
    case ECHO_REPLY6 << 8:
        return bpf_htons(ECHO_REPLY << 8);
    }
    return -1;
}

/* Brings the header of a payload to the other version, whose pseudo-header has the sum is. Returns
   the new protocol, or -1. Stores in *absent whether UDP has no checksum. */
static __always_inline int translate(struct xdp_md *ctx, __u32 at, __u8 protocol, __u16 was,
                                     __u16 is, _Bool *absent)
{
    const __u32 field = at + (protocol == IPPROTO_TCP ? 16 : protocol == IPPROTO_UDP ? 6 : 2);
    __u16 checksum;
    int next = protocol;
    if (bpf_xdp_load_bytes(ctx, field, &checksum, 2))
        return -1;
    if (protocol == IPPROTO_ICMP || protocol == IPPROTO_ICMPV6) {
        __u16 type;
        if (bpf_xdp_load_bytes(ctx, at, &type, 2))
            return -1;
        const int other = other_type(type);
        if (other < 0)
            return -1;
        __u16 new_type = (__u16)other;
        bpf_xdp_store_bytes(ctx, at, &new_type, 2);
        /* ICMP has no pseudo-header; its type changes too. 0xFFFF is right where 0x0000 is, and
           also for a reply of zeros. */
        next = protocol == IPPROTO_ICMP ? IPPROTO_ICMPV6 : IPPROTO_ICMP;
        checksum = wiresum_udp_field(
            wiresum_update_sum(checksum, wiresum_add(was, type), wiresum_add(is, new_type)));
    } else if (protocol == IPPROTO_UDP) {
        *absent = checksum == 0;
        checksum = wiresum_udp_update_sum(checksum, was, is);
    } else if (protocol == IPPROTO_TCP) {
        checksum = wiresum_update_sum(checksum, was, is);
    } else {
        return -1;
    }
    bpf_xdp_store_bytes(ctx, field, &checksum, 2);
    return next;
}

static __attribute__((noinline)) int from_ipv6(struct xdp_md *ctx)
{
    struct {
        struct ethhdr ethernet;
        struct ipv6hdr ip;
    } __attribute__((packed)) old;
    struct {
        struct ethhdr ethernet;
        struct iphdr ip;
    } __attribute__((packed)) new = {};
    struct address6 source, destination;
    _Bool absent = 0;
    if (bpf_xdp_load_bytes(ctx, 0, &old, sizeof old))
        return XDP_PASS;
    __builtin_memcpy(&source, &old.ip.saddr, 16);
    __builtin_memcpy(&destination, &old.ip.daddr, 16);
    new.ip.saddr = to_ipv4(&source);
    new.ip.daddr = to_ipv4(&destination);
    if (!new.ip.saddr || !new.ip.daddr)
        return XDP_PASS;

    const __u32 len = bpf_ntohs(old.ip.payload_len);
    const __u8 protocol = old.ip.nexthdr;
    const __u16 was = wiresum_pseudo_ipv6(&source, &destination, protocol, len);
    __u16 is = 0;
    if (protocol != IPPROTO_ICMPV6) {
        const __u32 addresses[2] = { new.ip.saddr, new.ip.daddr };
        is = wiresum_pseudo_ipv4(&addresses[0], &addresses[1], protocol, len);
    }
    if (protocol == IPPROTO_ICMP || len > 0xFFFF - 20)
        return XDP_PASS;
    const int next = translate(ctx, sizeof old, protocol, was, is, &absent);
    if (next < 0)
        return XDP_PASS;

    new.ethernet = old.ethernet;
    new.ethernet.h_proto = bpf_htons(ETH_P_IP);
    new.ip.version = 4;
    new.ip.ihl = 5;
    new.ip.tos = (__u8)(old.ip.priority << 4 | old.ip.flow_lbl[0] >> 4);
    new.ip.tot_len = bpf_htons((__u16)(len + 20));
    new.ip.frag_off = len + 20 > 1260 ? bpf_htons(0x4000) : 0; /* RFC 7915 section 5.1 */
    new.ip.ttl = old.ip.hop_limit;
    new.ip.protocol = (__u8)next;
    __u32 header[5];
    __builtin_memcpy(header, &new.ip, 20);
    new.ip.check = wiresum_ipv4_header(header);
    if (bpf_xdp_adjust_head(ctx, sizeof old - sizeof new))
        return XDP_DROP;
    bpf_xdp_store_bytes(ctx, 0, &new, sizeof new);
    return XDP_PASS;
}

static __attribute__((noinline)) int from_ipv4(struct xdp_md *ctx)
{
    struct {
        struct ethhdr ethernet;
        struct iphdr ip;
    } __attribute__((packed)) old;
    struct {
        struct ethhdr ethernet;
        struct ipv6hdr ip;
    } __attribute__((packed)) new = {};
    _Bool absent = 0;
    if (bpf_xdp_load_bytes(ctx, 0, &old, sizeof old))
        return XDP_PASS;
    const __u32 addresses[2] = { old.ip.saddr, old.ip.daddr };
    const __u32 len = (__u32)bpf_ntohs(old.ip.tot_len) - 20;
    const __u8 protocol = old.ip.protocol;
    if (old.ip.ihl != 5 || old.ip.frag_off & bpf_htons(0x3FFF) || len > 0xFFFF - 20
        || !bpf_map_lookup_elem(&hosts4, &addresses[1]))
        return XDP_PASS;
    const struct address6 source = to_ipv6(addresses[0]), destination = to_ipv6(addresses[1]);
    __u16 was = 0;
    __u8 next = protocol;
    if (protocol == IPPROTO_ICMP)
        next = IPPROTO_ICMPV6;
    else
        was = wiresum_pseudo_ipv4(&addresses[0], &addresses[1], protocol, len);
    if (protocol == IPPROTO_ICMPV6
        || translate(ctx, sizeof old, protocol, was,
                     wiresum_pseudo_ipv6(&source, &destination, next, len), &absent)
               < 0)
        return XDP_PASS;

    new.ethernet = old.ethernet;
    new.ethernet.h_proto = bpf_htons(ETH_P_IPV6);
    new.ip.version = 6;
    new.ip.priority = old.ip.tos >> 4;
    new.ip.flow_lbl[0] = (__u8)(old.ip.tos << 4);
    new.ip.payload_len = bpf_htons((__u16)len);
    new.ip.nexthdr = next;
    new.ip.hop_limit = old.ip.ttl;
    __builtin_memcpy(&new.ip.saddr, &source, 16);
    __builtin_memcpy(&new.ip.daddr, &destination, 16);
    if (bpf_xdp_adjust_head(ctx, -(int)(sizeof new - sizeof old)))
        return XDP_DROP;
    bpf_xdp_store_bytes(ctx, 0, &new, sizeof new);
    /* IPv6 has no UDP without a checksum (RFC 7915 section 4.5). */
    return absent ? FILL : XDP_PASS;
}

SEC("xdp.frags")
int nat64(struct xdp_md *ctx)
{
    __u16 type;
    if (bpf_xdp_load_bytes(ctx, 12, &type, 2))
        return XDP_PASS;
    if (type == bpf_htons(ETH_P_IPV6))
        return from_ipv6(ctx);
    if (type != bpf_htons(ETH_P_IP))
        return XDP_PASS;
    int action = from_ipv4(ctx);
    if (action == FILL) {
        wiresum_xdp_fill(ctx, sizeof(struct ethhdr));
        action = XDP_PASS;
    }
    return action;
}

char _license[] SEC("license") = "Dual MIT/GPL";
