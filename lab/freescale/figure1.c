/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Figure 1 of the paper as it prints it, and glibc's way to copy on a machine without a routine of
 * its own: word by word. */
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
