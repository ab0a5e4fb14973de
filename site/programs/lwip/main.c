/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* lwIP with the checksums of wiresum: an interface whose wire leads back to itself, and damages the
 * second of three datagrams. lwIP calls wiresum through the hooks of lwipopts.h, to compute the
 * checksums and to verify them. */
#include <stdio.h>

#include "lwip/init.h"
#include "lwip/netif.h"
#include "lwip/stats.h"
#include "lwip/udp.h"

enum { PORT = 7 };

/* lwIP's clock; no timer matters here. */
u32_t sys_now(void)
{
    return 0;
}

/* The driver: a packet that leaves comes back as one buffer. */
static err_t driver_output(struct netif *netif, struct pbuf *packet, const ip4_addr_t *next_hop)
{
    static int count;
    struct pbuf *const frame = pbuf_clone(PBUF_RAW, PBUF_RAM, packet);
    (void)next_hop;
    if (!frame)
        return ERR_MEM;
    if (++count == 2)
        ((u8_t *)frame->payload)[frame->len - 1] ^= 0x20;
    return netif->input(frame, netif);
}

static err_t driver_begin(struct netif *netif)
{
    netif->mtu = 1500;
    netif->output = driver_output;
    return ERR_OK;
}

static void receive(void *unused, struct udp_pcb *pcb, struct pbuf *data, const ip_addr_t *from,
                    u16_t port)
{
    (void)unused, (void)pcb, (void)from, (void)port;
    printf("received: %.*s\n", (int)data->len, (const char *)data->payload);
    pbuf_free(data);
}

static void send_text(struct udp_pcb *pcb, const char *text, u16_t len)
{
    struct pbuf *const data = pbuf_alloc(PBUF_TRANSPORT, len, PBUF_RAM);
    if (!data)
        return;
    pbuf_take(data, text, len);
    udp_send(pcb, data);
    pbuf_free(data);
}

int main(void)
{
    struct netif netif;
    ip4_addr_t address, mask, gateway;
    IP4_ADDR(&address, 192, 0, 2, 1);
    IP4_ADDR(&mask, 255, 255, 255, 0);
    IP4_ADDR(&gateway, 0, 0, 0, 0);

    lwip_init();
    netif_add(&netif, &address, &mask, &gateway, NULL, driver_begin, netif_input);
    netif_set_up(&netif);
    netif_set_link_up(&netif);

    struct udp_pcb *const pcb = udp_new();
    udp_bind(pcb, &netif.ip_addr, PORT);
    udp_connect(pcb, &netif.ip_addr, PORT);
    udp_recv(pcb, receive, NULL);

    send_text(pcb, "first", 5);
    send_text(pcb, "second", 6);
    send_text(pcb, "third", 5);
    printf("dropped for its checksum: %d\n", (int)lwip_stats.udp.chkerr);
    return 0;
}
