/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What a router with network address translation does to a packet: it verifies the checksums, takes
 * one from the time to live, and puts its own address and port in place of the sender's. It updates
 * both checksums from the change alone, and never reads the payload again. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wiresum_packet.h>

enum { TTL = 8, HEADER_CHECKSUM = 10, SOURCE = 12, UDP = 20, UDP_CHECKSUM = UDP + 6 };

static uint16_t field(const uint8_t *at)
{
    uint16_t value;
    memcpy(&value, at, sizeof value); /* no ntohs: the library keeps the order of the wire */
    return value;
}

static void set_field(uint8_t *at, uint16_t value)
{
    memcpy(at, &value, sizeof value);
}

/* One hop less to live. The time to live shares its 16-bit word with the protocol. */
static void forward(uint8_t *packet)
{
    const uint16_t was = field(packet + TTL), checksum = field(packet + HEADER_CHECKSUM);
    packet[TTL]--;
    set_field(packet + HEADER_CHECKSUM, wiresum_update16(checksum, was, field(packet + TTL)));
}

/* Another sender. Its address is in the IPv4 header, and in the pseudo-header of UDP. */
static void translate(uint8_t *packet, const uint8_t address[4], const uint8_t port[2])
{
    uint16_t header = field(packet + HEADER_CHECKSUM), udp = field(packet + UDP_CHECKSUM);
    header = wiresum_update(header, SOURCE, packet + SOURCE, address, 4);
    udp = wiresum_udp_update(udp, SOURCE, packet + SOURCE, address, 4);
    udp = wiresum_udp_update(udp, UDP, packet + UDP, port, 2);
    memcpy(packet + SOURCE, address, 4);
    memcpy(packet + UDP, port, 2);
    set_field(packet + HEADER_CHECKSUM, header);
    set_field(packet + UDP_CHECKSUM, udp);
}

static void show(const char *when, const uint8_t *packet, size_t len)
{
    printf("%-10s  header 0x%04x, UDP 0x%04x: %s\n", when,
           wiresum_value(field(packet + HEADER_CHECKSUM)),
           wiresum_value(field(packet + UDP_CHECKSUM)),
           wiresum_packet_text(wiresum_packet_verify(packet, len)));
}

int main(void)
{
    /* A datagram of five bytes from 192.0.2.1 to 198.51.100.7, with neither checksum. */
    uint8_t packet[] = { 0x45, 0,   0, 33, 0, 1,   0x40, 0,   64,  17,   0,
                         0,    192, 0, 2,  1, 198, 51,   100, 7,   0xD4, 0x31,
                         0,    53,  0, 13, 0, 0,   'h',  'e', 'l', 'l',  'o' };
    const uint8_t address[4] = { 203, 0, 113, 9 }, port[2] = { 0x9C, 0x40 };

    if (wiresum_packet_fill(packet, sizeof packet) != WIRESUM_PACKET_GOOD)
        return 1;
    show("sent", packet, sizeof packet);
    forward(packet);
    show("forwarded", packet, sizeof packet);
    translate(packet, address, port);
    show("translated", packet, sizeof packet);
    packet[sizeof packet - 1] ^= 1; /* a bit flips on the way */
    show("damaged", packet, sizeof packet);
    return 0;
}
