/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* `checksum` is figure 1 of the paper as printed, which the laboratory quotes to run it. `copy`
 * stands for the C library's copy, word by word, and was written for this laboratory, as
 * copy_checksum was. */
unsigned short checksum(unsigned short *addr, int len, unsigned long sum, int byte_swap)
{
    unsigned short *pData = addr;
    while (len > 1) {
        sum += *pData++;
        len -= 2;
    }
    /* process odd byte */
    if (len == 1) {
        if (byte_swap == 0) {
            sum += *(unsigned char *)pData;
        } else {
            sum += (*(unsigned char *)pData) << 8;
        }
    }
    /* add sum of carry bits back */
    sum = (sum >> 16) + (sum & 0xffff);
    sum += (sum >> 16);
    return (~sum);
}

#ifdef __powerpc__
void copy(const unsigned *from, int len, unsigned *to)
{
    for (; len > 3; len -= 4)
        *to++ = *from++;
}

unsigned short copy_checksum(unsigned *from, int len, unsigned *to)
{
    copy(from, len, to);
    return checksum((unsigned short *)to, len, 0, 1);
}
#endif
