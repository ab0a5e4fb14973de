/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A UDP datagram in a chain of mbufs that are cut at odd places, as headers and payloads of an
 * application are. wiresum sums the chain as one stream, and DPDK judges the result. */
#include <rte_eal.h>
#include <rte_ip.h>
#include <rte_mbuf.h>
#include <rte_udp.h>
#include <stdio.h>
#include <string.h>
#include <wiresum_stream.h>

/* Lets a stream walk a chain of mbufs. */
static bool next_mbuf(void *position, struct wiresum_piece *piece)
{
    struct rte_mbuf **const at = position;
    if (!*at)
        return false;
    piece->data = rte_pktmbuf_mtod(*at, const void *);
    piece->len = (*at)->data_len;
    *at = (*at)->next;
    return true;
}

/* The checksum of the datagram after an IPv4 header without options, as UDP sends it. */
static uint16_t udp_checksum(struct rte_mbuf *packet, const struct rte_ipv4_hdr *ip)
{
    const size_t len = packet->pkt_len - sizeof *ip;
    struct wiresum_stream datagram;
    wiresum_stream_init(&datagram);
    if (!wiresum_stream_push_chain(&datagram, next_mbuf, &packet, sizeof *ip, len))
        return 0;
    const uint16_t pseudo =
        wiresum_pseudo_ipv4(&ip->src_addr, &ip->dst_addr, IPPROTO_UDP, (uint32_t)len);
    const uint16_t sum = wiresum_add(pseudo, wiresum_stream_sum(&datagram));
    return wiresum_udp_field(wiresum_complement(sum));
}

/* Adds an mbuf with these bytes to a chain. */
static struct rte_mbuf *append(struct rte_mbuf *chain, struct rte_mempool *pool, const void *data,
                               uint16_t len)
{
    struct rte_mbuf *const piece = rte_pktmbuf_alloc(pool);
    if (!piece)
        rte_exit(EXIT_FAILURE, "no mbuf is left\n");
    memcpy(rte_pktmbuf_append(piece, len), data, len);
    if (!chain)
        return piece;
    if (rte_pktmbuf_chain(chain, piece))
        rte_exit(EXIT_FAILURE, "the chain is too long\n");
    return chain;
}

int main(int argc, char **argv)
{
    if (rte_eal_init(argc, argv) < 0)
        return 1;
    struct rte_mempool *const pool =
        rte_pktmbuf_pool_create("packets", 63, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
    if (!pool)
        rte_exit(EXIT_FAILURE, "there is no memory for mbufs\n");

    const char text[] = "a payload in three pieces";
    const uint16_t len = sizeof(struct rte_udp_hdr) + sizeof text;
    struct {
        struct rte_ipv4_hdr ip;
        struct rte_udp_hdr udp;
    } headers = {
        .ip = { .version_ihl = 0x45,
                .total_length = rte_cpu_to_be_16(sizeof(struct rte_ipv4_hdr) + len),
                .time_to_live = 64,
                .next_proto_id = IPPROTO_UDP,
                .src_addr = RTE_BE32(RTE_IPV4(192, 0, 2, 1)),
                .dst_addr = RTE_BE32(RTE_IPV4(192, 0, 2, 2)) },
        .udp = { .src_port = RTE_BE16(49152), .dst_port = RTE_BE16(7) },
    };
    headers.udp.dgram_len = rte_cpu_to_be_16(len);
    headers.ip.hdr_checksum = wiresum_ipv4_header(&headers.ip, sizeof headers.ip);

    struct rte_mbuf *packet = append(NULL, pool, &headers, sizeof headers);
    packet = append(packet, pool, text, 7);
    packet = append(packet, pool, text + 7, 11);
    packet = append(packet, pool, text + 18, sizeof text - 18);

    struct rte_ipv4_hdr *const ip = rte_pktmbuf_mtod(packet, struct rte_ipv4_hdr *);
    struct rte_udp_hdr *const udp = (struct rte_udp_hdr *)(ip + 1);
    udp->dgram_cksum = udp_checksum(packet, ip);
    printf("%u mbufs, %u bytes, UDP checksum 0x%04x\n", (unsigned)packet->nb_segs,
           (unsigned)packet->pkt_len, wiresum_value(udp->dgram_cksum));

    /* The judge: DPDK's function for a packet in one piece, on a copy without the checksum. */
    _Alignas(8) uint8_t copy[sizeof headers + sizeof text];
    if (rte_pktmbuf_read(packet, 0, sizeof copy, copy) != copy)
        rte_exit(EXIT_FAILURE, "the packet is in one piece, or too short\n");
    struct rte_ipv4_hdr *const copied = (struct rte_ipv4_hdr *)copy;
    ((struct rte_udp_hdr *)(copied + 1))->dgram_cksum = 0;
    printf("DPDK computes 0x%04x\n", wiresum_value(rte_ipv4_udptcp_cksum(copied, copied + 1)));
    ((struct rte_udp_hdr *)(copied + 1))->dgram_cksum = udp->dgram_cksum;

    /* The same sum twice more: DPDK's own walk over the chain, and its sum of the copy. */
    uint16_t chain_sum = 0;
    rte_raw_cksum_mbuf(packet, 0, packet->pkt_len, &chain_sum);
    printf("rte_raw_cksum_mbuf 0x%04x, rte_raw_cksum 0x%04x\n", wiresum_value(chain_sum),
           wiresum_value(rte_raw_cksum(copy, sizeof copy)));

    rte_pktmbuf_free(packet);
    rte_eal_cleanup();
    return 0;
}
