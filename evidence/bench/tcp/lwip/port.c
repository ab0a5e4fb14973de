/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* One build of lwIP, driven through struct stack. Compiled once a variant; build.rs makes all but
 * STACK local to its object. */
#include "port.h"

#include "lwip/init.h"
#include "lwip/ip4.h"
#include "lwip/netif.h"
#include "lwip/pbuf.h"
#include "lwip/priv/tcp_priv.h"
#include "lwip/stats.h"
#include "lwip/tcp.h"
#include "lwip/timeouts.h"

#include <string.h>

enum { SIDES = 2, PORT = 5001 };

static struct host host;
static uint32_t now;
static struct netif netifs[SIDES];
static struct tcp_pcb *listener;
static struct tcp_pcb *pcbs[SIDES];
static uint8_t established[SIDES];

/* A frame of the network that the stack holds, without a copy, until it frees its pbuf. */
struct held {
    struct pbuf_custom custom;
    uint32_t frame;
};
static struct held held[FRAMES];

u32_t sys_now(void)
{
    return now;
}

static void free_held(struct pbuf *p)
{
    host.release(host.world, ((struct held *)p)->frame);
}

/* The driver: the pbufs of a packet are copied into one frame, as a network card without scatter
 * and gather has it. */
static err_t driver_output(struct netif *netif, struct pbuf *p, const ip4_addr_t *next_hop)
{
    uint32_t frame;
    uint8_t *to = host.allocate(host.world, p->tot_len, &frame);
    (void)next_hop;
    if (!to)
        return ERR_MEM;
    for (const struct pbuf *q = p; q; q = q->next) {
        MEMCPY(to, q->payload, q->len);
        to += q->len;
    }
    host.send(host.world, netif == &netifs[1], frame);
    return ERR_OK;
}

static err_t netif_begin(struct netif *netif)
{
    netif->name[0] = 'b';
    netif->name[1] = (char)('0' + (netif == &netifs[1]));
    netif->output = driver_output;
    netif->mtu = 1500;
    netif->flags = NETIF_FLAG_LINK_UP;
    return ERR_OK;
}

static void start(const struct host *given)
{
    host = *given;
    lwip_init();
    for (int side = 0; side < SIDES; side++) {
        ip4_addr_t address, mask, gateway;
        IP4_ADDR(&address, 10, 0, (u8_t)side, 1);
        IP4_ADDR(&mask, 255, 255, 255, 0);
        IP4_ADDR(&gateway, 0, 0, 0, 0);
        netif_add(&netifs[side], &address, &mask, &gateway, NULL, netif_begin, ip4_input);
        netif_set_up(&netifs[side]);
    }
}

static void mtu(uint16_t value)
{
    netifs[0].mtu = netifs[1].mtu = value;
}

static int side_of(void *argument)
{
    return argument == &pcbs[1];
}

static void gone(int side)
{
    pcbs[side] = NULL;
    established[side] = 0;
}

static err_t on_receive(void *argument, struct tcp_pcb *pcb, struct pbuf *p, err_t error)
{
    const int side = side_of(argument);
    (void)error;
    if (!p) {
        host.end(host.world, side);
        return ERR_OK;
    }
    for (const struct pbuf *q = p; q; q = q->next)
        host.receive(host.world, side, q->payload, q->len);
    tcp_recved(pcb, p->tot_len);
    pbuf_free(p);
    return ERR_OK;
}

static void on_error(void *argument, err_t error)
{
    (void)error;
    gone(side_of(argument));
    host.end(host.world, side_of(argument));
}

static void take(int side, struct tcp_pcb *pcb)
{
    pcbs[side] = pcb;
    tcp_arg(pcb, &pcbs[side]);
    tcp_recv(pcb, on_receive);
    tcp_err(pcb, on_error);
    tcp_nagle_disable(pcb);
}

static err_t on_accept(void *argument, struct tcp_pcb *pcb, err_t error)
{
    (void)argument;
    if (error != ERR_OK || !pcb)
        return ERR_VAL;
    take(1, pcb);
    established[1] = 1;
    return ERR_OK;
}

static err_t on_connected(void *argument, struct tcp_pcb *pcb, err_t error)
{
    (void)pcb;
    (void)error;
    established[side_of(argument)] = 1;
    return ERR_OK;
}

static int connect_both(void)
{
    if (!listener) {
        struct tcp_pcb *pcb = tcp_new();
        /* One stack has two interfaces: each packet leaves by the interface of its side. */
        tcp_bind_netif(pcb, &netifs[1]);
        err_t error = tcp_bind(pcb, netif_ip_addr4(&netifs[1]), PORT);
        if (error != ERR_OK)
            return error;
        listener = tcp_listen(pcb);
        tcp_accept(listener, on_accept);
    }
    struct tcp_pcb *pcb = tcp_new();
    if (!pcb)
        return ERR_MEM;
    take(0, pcb);
    tcp_bind_netif(pcb, &netifs[0]);
    return tcp_connect(pcb, netif_ip_addr4(&netifs[1]), PORT, on_connected);
}

static size_t write_side(int side, const void *data, size_t len)
{
    struct tcp_pcb *pcb = pcbs[side];
    if (!pcb || tcp_sndqueuelen(pcb) > TCP_SND_QUEUELEN - 64)
        return 0;
    const size_t room = tcp_sndbuf(pcb);
    if (len > room)
        len = room;
    if (len > 0xFFFF)
        len = 0xFFFF;
    if (len == 0 || tcp_write(pcb, data, (u16_t)len, TCP_WRITE_FLAG_COPY) != ERR_OK)
        return 0;
    return len;
}

static void output(int side)
{
    if (pcbs[side])
        tcp_output(pcbs[side]);
}

static void input(int side, uint32_t frame, uint8_t *bytes, size_t len)
{
    struct held *to = &held[frame];
    to->frame = frame;
    to->custom.custom_free_function = free_held;
    struct pbuf *p =
        pbuf_alloced_custom(PBUF_RAW, (u16_t)len, PBUF_REF, &to->custom, bytes, (u16_t)len);
    if (netifs[side].input(p, &netifs[side]) != ERR_OK)
        pbuf_free(p);
}

static void close_side(int side)
{
    struct tcp_pcb *pcb = pcbs[side];
    if (pcb && tcp_close(pcb) == ERR_OK) {
        tcp_arg(pcb, NULL);
        tcp_recv(pcb, NULL);
        tcp_err(pcb, NULL);
        gone(side);
    }
}

static void advance(uint32_t milliseconds)
{
    now += milliseconds;
    sys_check_timeouts();
}

static int is_established(int side)
{
    return established[side];
}

static int is_open(void)
{
    return pcbs[0] || pcbs[1] || tcp_active_pcbs;
}

static size_t count(const struct tcp_seg *segment)
{
    size_t n = 0;
    for (; segment; segment = segment->next)
        n++;
    return n;
}

static struct queues queues(int side)
{
    const struct tcp_pcb *pcb = pcbs[side];
    return pcb ? (struct queues){ count(pcb->unsent), count(pcb->unacked) }
               : (struct queues){ 0, 0 };
}

static struct rejections rejections(void)
{
    return (struct rejections){
        (uint64_t)lwip_stats.ip.chkerr + lwip_stats.tcp.chkerr,
        (uint64_t)lwip_stats.ip.drop
            + lwip_stats.tcp.lenerr, /* ip.drop counts drops for a bad checksum too */
    };
}

const struct stack STACK = {
    start,      mtu,     connect_both,   write_side, output, input,
    close_side, advance, is_established, is_open,    queues, rejections,
};
