/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* As much of a BSD mbuf as a checksum looks at. */
struct mbuf {
    struct mbuf *next;
    unsigned char *data;
    int len;
};

/* Returns the CHECKSUM of the first len bytes of a chain, in memory order. */
unsigned in_cksum(const struct mbuf *m, int len);
