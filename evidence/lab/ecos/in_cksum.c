/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A portable checksum over a chain of mbufs, written for this laboratory. The post shows no code,
 * and the source of eCos, which comes from BSD under BSD's license, is not here.
 *
 * The routine has the properties of a portable routine that the post's findings rest on: 16-bit
 * loads; a body of 32 bytes, unrolled by hand into sixteen of them; one 32-bit accumulator that
 * takes carries in its upper half; `register` on all variables of the way, which keeps them in
 * registers at -O0; and macros for functions, so that -O0 pays for no call. The way over the chain
 * is RFC 1071's: each mbuf is summed by itself, and the sum of one that begins at an odd offset of
 * the packet has its bytes swapped (section 2 (B)).
 *
 * Overflow: an mbuf may have 128 KiB (65,536 words of 0xFFFF), and a chain 65,537 mbufs.
 */
#include <stdint.h>

#include "mbuf.h"

#define FOLD(sum)   (((sum) >> 16) + ((sum) & 0xffff))
#define SWAP(sum)   (((sum) >> 8) | ((sum) & 0xff) << 8) /* of a folded sum */
#define ADD_4(w, n) (sum += (w)[n], sum += (w)[(n) + 1], sum += (w)[(n) + 2], sum += (w)[(n) + 3])

/* The word in memory whose first byte is `byte` and whose second byte is zero. */
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#  define LONE(byte) (byte)
#else
#  define LONE(byte) ((byte) << 8)
#endif

unsigned in_cksum(const struct mbuf *m, int len)
{
    register const uint16_t *w;
    register uint32_t sum, total = 0;
    register int left;    /* bytes of this mbuf */
    register int odd = 0; /* whether this mbuf begins at an odd offset of the packet */

    for (; m && len > 0; m = m->next) {
        left = m->len < len ? m->len : len;
        if (left <= 0)
            continue;
        len -= left;
        sum = 0;
        w = (const uint16_t *)m->data;
        if ((uintptr_t)w & 1) { /* its first byte joins the rest at the end */
            w = (const uint16_t *)(m->data + 1);
            left--;
        }
        for (; left >= 32; left -= 32, w += 16) {
            ADD_4(w, 0);
            ADD_4(w, 4);
            ADD_4(w, 8);
            ADD_4(w, 12);
        }
        if (left & 16) {
            ADD_4(w, 0);
            ADD_4(w, 4);
            w += 8;
        }
        if (left & 8) {
            ADD_4(w, 0);
            w += 4;
        }
        for (; left & 6; left -= 2)
            sum += *w++;
        if (left & 1)
            sum += LONE(*(const uint8_t *)w);
        sum = FOLD(sum);
        sum = FOLD(sum);
        if ((uintptr_t)m->data & 1) {
            sum = SWAP(sum) + LONE(m->data[0]);
            sum = FOLD(sum);
            left++;
        }
        total += odd ? SWAP(sum) : sum;
        odd ^= left & 1;
    }
    total = FOLD(total);
    total = FOLD(total);
    return ~total & 0xffff;
}
