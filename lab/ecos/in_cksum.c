/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The portable checksum over a chain of mbufs, in the manner of 4.4BSD: 16-bit loads, 16 of them
 * unrolled for 32 bytes, then 4 for 8, then single ones; no carry is asked for, because a 32-bit
 * accumulator takes 65,536 words before it needs folding: an mbuf of 128 KiB, where a packet
 * has 64. Written for this laboratory from descriptions of that routine. It keeps the two habits
 * that the experiment is about: the body unrolled by hand, and `register` on what the loop uses.
 */
#include <stdint.h>

#include "mbuf.h"

#define FOLD(sum) ((sum) = ((sum) & 0xffff) + ((sum) >> 16))

unsigned in_cksum(const struct mbuf *m, int len)
{
    register const uint16_t *w;
    register uint32_t sum = 0;
    register int left; /* bytes of this mbuf */
    int swapped = 0;   /* the accumulator stands byte-swapped to the packet */
    int halved = 0;    /* the last mbuf ended amid a word, whose first byte is in `pair` */
    union {
        uint8_t byte[2];
        uint16_t word;
    } pair;

    for (; m && len; m = m->next) {
        if (m->len == 0)
            continue;
        w = (const uint16_t *)m->data;
        left = m->len < len ? m->len : len;
        len -= left;
        if (halved) { /* the first byte here is the second of that word */
            pair.byte[1] = *(const uint8_t *)w;
            sum += pair.word;
            w = (const uint16_t *)((const uint8_t *)w + 1);
            left--;
            halved = 0;
        }
        FOLD(sum);
        if (((uintptr_t)w & 1) && left > 0) { /* go on at an even address, everything swapped */
            FOLD(sum);
            sum <<= 8;
            pair.byte[0] = *(const uint8_t *)w;
            w = (const uint16_t *)((const uint8_t *)w + 1);
            left--;
            swapped = 1;
        }
        while ((left -= 32) >= 0) {
            sum += w[0];
            sum += w[1];
            sum += w[2];
            sum += w[3];
            sum += w[4];
            sum += w[5];
            sum += w[6];
            sum += w[7];
            sum += w[8];
            sum += w[9];
            sum += w[10];
            sum += w[11];
            sum += w[12];
            sum += w[13];
            sum += w[14];
            sum += w[15];
            w += 16;
        }
        left += 32;
        while ((left -= 8) >= 0) {
            sum += w[0];
            sum += w[1];
            sum += w[2];
            sum += w[3];
            w += 4;
        }
        left += 8;
        if (left == 0 && !swapped)
            continue;
        FOLD(sum);
        while ((left -= 2) >= 0)
            sum += *w++;
        if (swapped) { /* back again; the byte put by joins what is left */
            FOLD(sum);
            FOLD(sum);
            sum <<= 8;
            swapped = 0;
            if (left == -1) {
                pair.byte[1] = *(const uint8_t *)w;
                sum += pair.word;
            } else {
                halved = 1;
            }
        } else if (left == -1) {
            pair.byte[0] = *(const uint8_t *)w;
            halved = 1;
        }
    }
    if (halved) {
        pair.byte[1] = 0;
        sum += pair.word;
    }
    FOLD(sum);
    FOLD(sum);
    return ~sum & 0xffff;
}
