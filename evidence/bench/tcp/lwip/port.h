/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Between the benchmark (src/stacks/lwip.rs has the same declarations) and one build of lwIP. side:
 * 0 the client, 1 the server. */
#ifndef TCP_BENCH_PORT_H
#define TCP_BENCH_PORT_H

#include <stddef.h>
#include <stdint.h>

/* The functions that the stack calls. */
struct host {
    void *world;
    /* Room for a frame; null if there is none. */
    uint8_t *(*allocate)(void *world, size_t len, uint32_t *frame);
    /* The frame leaves that side. */
    void (*send)(void *world, int side, uint32_t frame);
    /* The stack is done with a frame that input gave it. */
    void (*release)(void *world, uint32_t frame);
    /* Data reach the application, in order. */
    void (*receive)(void *world, int side, const void *data, size_t len);
    /* No more data will reach the application: the connection is closed, or reset. */
    void (*end)(void *world, int side);
};

struct queues {
    size_t unsent, unacknowledged; /* segments */
};

struct rejections {
    uint64_t checksum; /* by a checksum, IPv4's or TCP's */
    /* By IPv4 for any reason: version, lengths, a fragment, another address or protocol. */
    uint64_t format;
};

/* The functions that the benchmark calls. */
struct stack {
    void (*start)(const struct host *host); /* once a process */
    void (*mtu)(uint16_t mtu);
    int (*connect)(void); /* both sides begin; 0, or lwIP's error */
    size_t (*write)(int side, const void *data, size_t len); /* what fits in the send buffer */
    void (*output)(int side);
    void (*input)(int side, uint32_t frame, uint8_t *bytes, size_t len);
    void (*close)(int side);
    void (*advance)(uint32_t milliseconds); /* the clock, and what is due */
    int (*is_established)(int side);
    int (*is_open)(void); /* whether a side still has its connection */
    struct queues (*queues)(int side);
    struct rejections (*rejections)(void);
};

#endif
