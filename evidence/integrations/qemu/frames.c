/* SPDX-License-Identifier: MIT OR Apache-2.0
   Calls QEMU's functions as its network devices do, without any other source file of QEMU.

     frames check         reads "sequence length hex…" lines, and prints the folded sum of each
     frames run SIZE N    computes the checksums of N frames of SIZE bytes */

#include "qemu/osdep.h"

#include "net/checksum.h"

enum { HEADERS = 14 + 20 + 20, MOST = 65536 + 14 };

/* An Ethernet frame with an IPv4 packet that carries TCP. */
static void fill(uint8_t *frame, unsigned size)
{
    for (unsigned i = 0; i < size; i++)
        frame[i] = (uint8_t)(i * 2654435761u >> 13);
    frame[12] = 0x08;
    frame[13] = 0x00;
    frame[14] = 0x45;
    frame[16] = (uint8_t)((size - 14) >> 8);
    frame[17] = (uint8_t)(size - 14);
    frame[20] = frame[21] = 0;
    frame[23] = 6;
}

static int run(unsigned size, unsigned long frames)
{
    static uint8_t frame[MOST];
    unsigned total = 0;

    if (size < HEADERS || size > sizeof frame)
        return 2;
    fill(frame, size);
    for (unsigned long i = 0; i < frames; i++) {
        frame[size - 1] = (uint8_t)i;
        net_checksum_calculate(frame, (int)size, CSUM_ALL);
        total += frame[50];
    }
    printf("%u\n", total);
    return 0;
}

static int check(void)
{
    static char line[4 * MOST];
    static uint8_t data[MOST];
    int seq, len, read;

    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "%d %d %n", &seq, &len, &read) != 2)
            return 2;
        for (int i = 0; i < len; i++) {
            unsigned byte;
            if (sscanf(line + read + 2 * i, "%2x", &byte) != 1)
                return 2;
            data[i] = (uint8_t)byte;
        }
        printf("%u\n", (uint16_t)~net_checksum_finish(net_checksum_add_cont(len, data, seq)));
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strcmp(argv[1], "check"))
        return check();
    if (argc == 4 && !strcmp(argv[1], "run"))
        return run((unsigned)atoi(argv[2]), strtoul(argv[3], NULL, 10));
    fprintf(stderr, "usage: frames check | frames run SIZE N\n");
    return 2;
}
