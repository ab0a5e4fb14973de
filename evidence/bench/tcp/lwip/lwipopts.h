/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* lwIP's configuration: one thread, raw API, TCP over IPv4, windows large enough that the stack and
 * not its memory is measured. */
#ifndef TCP_BENCH_LWIPOPTS_H
#define TCP_BENCH_LWIPOPTS_H

/* ---- the variants: build.rs defines one VARIANT_… ---- */
#if defined(VARIANT_WIRESUM)
#  include <wiresum_lwip.h>
#elif defined(VARIANT_WIRESUM_COPY)
#  define LWIP_CHECKSUM_ON_COPY 1
#  include <wiresum_lwip.h>
#elif defined(VARIANT_SCALAR)
#  include "scalar.h"
#elif defined(VARIANT_OFF)
#  define CHECKSUM_GEN_IP    0
#  define CHECKSUM_GEN_TCP   0
#  define CHECKSUM_CHECK_IP  0
#  define CHECKSUM_CHECK_TCP 0
#elif defined(VARIANT_STOCK_COPY)
#  define LWIP_CHKSUM_ALGORITHM 2
#  define LWIP_CHECKSUM_ON_COPY 1
#else
#  define LWIP_CHKSUM_ALGORITHM VARIANT_STOCK
#endif

/* ---- one thread, no operating system; the clock is the benchmark's ---- */
#define NO_SYS               1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_SOCKET          0
#define LWIP_NETCONN         0

/* ---- protocols ---- */
#define LWIP_IPV4                1
#define LWIP_IPV6                0
#define LWIP_ARP                 0
#define LWIP_ETHERNET            0
#define LWIP_ICMP                0
#define LWIP_RAW                 0
#define LWIP_UDP                 0
#define LWIP_DHCP                0
#define LWIP_DNS                 0
#define LWIP_TCP                 1
#define IP_REASSEMBLY            0
#define IP_FRAG                  0
#define LWIP_SUPPORT_CUSTOM_PBUF 1
#define LWIP_HAVE_LOOPIF         0
#define LWIP_NETIF_LOOPBACK      0
#define LWIP_SINGLE_NETIF        0

/* ---- sizes; the netif's MTU sets the MSS of a test ---- */
#define TCP_MSS          8960
#define LWIP_WND_SCALE   1
#define TCP_RCV_SCALE    3
#define TCP_WND          WINDOW
#define TCP_SND_BUF      WINDOW
#define TCP_SND_QUEUELEN 4096
#define TCP_SNDLOWAT     16384
/* The checks are of a pool of pbufs that nothing uses: frames arrive in pbufs of the driver. */
#define LWIP_DISABLE_TCP_SANITY_CHECKS 1
#define MEMP_NUM_TCP_SEG               16384
#define MEMP_NUM_TCP_PCB               8
#define MEMP_NUM_TCP_PCB_LISTEN        2
#define MEMP_NUM_PBUF                  8192
#define PBUF_POOL_SIZE                 4
#define MEM_ALIGNMENT                  8
#define MEM_SIZE                       (8 * 1024 * 1024)
#define TCP_LISTEN_BACKLOG             0

/* The most attempts that lwIP allows, as the network may lose many frames. */
#define TCP_MAXRTX    12
#define TCP_SYNMAXRTX 12

/* ---- counters of rejected packets ---- */
#define LWIP_STATS         1
#define LWIP_STATS_DISPLAY 0
#define LWIP_STATS_LARGE   1
#define LINK_STATS         0
#define ETHARP_STATS       0
#define MEM_STATS          0
#define MEMP_STATS         0
#define SYS_STATS          0

#endif
