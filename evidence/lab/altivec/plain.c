/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The article's listing 1 as a function of its own, for every compiler and every machine; with
 * -DWORDS its listing 2. The laboratory quotes both to compile and run them. */
#ifndef WORDS
unsigned plain(const unsigned char *data, int len)
{
    unsigned sum = 0;
    len = (len + 1) >> 1;
    while (len > 0) {
        sum += *(const unsigned short *)data;
        data += sizeof(unsigned short);
        len--;
    }
    sum = (sum >> 16) + (sum & 0xffff);
    sum += sum >> 16;
    return (unsigned short)~sum;
}

#else
unsigned plain(const unsigned char *data, int len)
{
    unsigned long long sum = 0;
    len >>= 2;
    while (len > 0) {
        sum += *(const unsigned *)data;
        data += sizeof(unsigned);
        --len;
    }
    while (sum > 0xffffffffULL)
        sum = (sum & 0xffffffffULL) + (sum >> 32);
    sum = (sum & 0xffff) + (sum >> 16);
    sum += sum >> 16;
    return (unsigned short)~sum;
}
#endif
