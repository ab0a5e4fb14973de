/* SPDX-License-Identifier: MIT OR Apache-2.0
   Calls DPDK's functions of rte_ip.h on packets in one buffer and in chains of buffers.

     chains [EAL options] -- check          reads "offset segment hex…" lines, and prints the sum of
                                            the data from the offset, in a chain of such segments
     chains [EAL options] -- run SEGMENT N  computes the TCP checksum of 1,514-byte frames N times
     chains [EAL options] -- tests          runs DPDK's cksum_autotest */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eal.h>
#include <rte_ip.h>
#include <rte_mbuf.h>

#include "test.h"

enum { FRAME = 1514, PACKETS = 32, HEADERS = 14 };

static struct rte_mempool *pool;
static struct test_command *command;

/* What REGISTER_TEST_COMMAND() of DPDK's tests calls before main(). */
void add_test_command(struct test_command *t)
{
    command = t;
}

/* A chain of buffers with the data; each but the last has `segment` bytes. */
static struct rte_mbuf *chain(const uint8_t *data, unsigned len, unsigned segment)
{
    struct rte_mbuf *head = NULL;

    do {
        const unsigned part = len < segment ? len : segment;
        struct rte_mbuf *m = rte_pktmbuf_alloc(pool);
        char *room = m ? rte_pktmbuf_append(m, (uint16_t)part) : NULL;
        if (!room)
            rte_exit(2, "no buffer for %u bytes\n", part);
        memcpy(room, data, part);
        data += part;
        len -= part;
        if (!head)
            head = m;
        else if (rte_pktmbuf_chain(head, m))
            rte_exit(2, "the chain is too long\n");
    } while (len);
    return head;
}

static int check(void)
{
    static char line[20000];
    static uint8_t data[9000];
    unsigned offset, segment;
    int read;

    while (fgets(line, sizeof line, stdin)) {
        unsigned len = 0;
        uint16_t sum;

        if (sscanf(line, "%u %u %n", &offset, &segment, &read) != 2)
            return 2;
        for (unsigned byte; sscanf(line + read + 2 * len, "%2x", &byte) == 1;)
            data[len++] = (uint8_t)byte;
        struct rte_mbuf *m = chain(data, len, segment);
        if (rte_raw_cksum_mbuf(m, offset, len - offset, &sum))
            return 3;
        printf("%u\n", rte_be_to_cpu_16(sum));
        rte_pktmbuf_free(m);
    }
    return 0;
}

static int run(unsigned segment, unsigned long times)
{
    static uint8_t data[FRAME];
    struct rte_mbuf *packets[PACKETS];
    unsigned total = 0;

    for (unsigned i = 0; i < FRAME; i++)
        data[i] = (uint8_t)(i * 2654435761u >> 13);
    data[14] = 0x45;
    data[16] = (FRAME - HEADERS) >> 8;
    data[17] = (FRAME - HEADERS) & 255;
    data[23] = IPPROTO_TCP;
    for (unsigned i = 0; i < PACKETS; i++)
        packets[i] = chain(data, FRAME, segment);
    for (unsigned long i = 0; i < times; i++) {
        const struct rte_mbuf *m = packets[i % PACKETS];
        const struct rte_ipv4_hdr *ip =
            rte_pktmbuf_mtod_offset(m, const struct rte_ipv4_hdr *, HEADERS);
        total += rte_ipv4_udptcp_cksum_mbuf(m, ip, HEADERS + sizeof *ip);
    }
    printf("%u\n", total);
    return 0;
}

int main(int argc, char **argv)
{
    const int used = rte_eal_init(argc, argv);

    if (used < 0)
        return 2;
    argc -= used;
    argv += used;
    pool = rte_pktmbuf_pool_create("chains", 8191, 0, 0, RTE_MBUF_DEFAULT_BUF_SIZE, SOCKET_ID_ANY);
    if (!pool)
        return 2;
    if (argc == 2 && !strcmp(argv[1], "check"))
        return check();
    if (argc == 2 && !strcmp(argv[1], "tests"))
        return command->callback();
    if (argc == 4 && !strcmp(argv[1], "run"))
        return run((unsigned)atoi(argv[2]), strtoul(argv[3], NULL, 10));
    fprintf(stderr, "usage: chains [EAL options] -- check | run SEGMENT N | tests\n");
    return 2;
}
