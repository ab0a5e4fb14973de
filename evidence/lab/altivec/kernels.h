/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The loops of IBM's article "From the stacks: TCP/IP checksum vectorization using AltiVec, Part
 * 1". Origin: listing1, listing2 and the loops of listing6 and listing7 are the article's listings,
 * which the laboratory quotes to run them. The listings leave out declarations, the length and the
 * epilogue of the vector versions ("long long adds"); those were written for this laboratory, and
 * so was sum4shs. Buffers are padded with zeros to 16 bytes and aligned to 16, as the article
 * assumes.
 */
#include <altivec.h>
#include <stdint.h>

typedef uint8_t uchar;
typedef uint16_t ushort;
typedef uint32_t uint;

static inline uint fold64(unsigned long long sum)
{
    while (sum > 0xffffffffULL)
        sum = (sum & 0xffffffffULL) + (sum >> 32);
    sum = (sum & 0xffff) + (sum >> 16);
    sum += sum >> 16;
    return (ushort)~sum;
}

/* Listing 1: 16-bit half-words into 32 bits. */
static inline uint listing1(uchar *data, int len)
{
    uint sum = 0;
    if ((len & 1) == 0)
        len = len >> 1;
    else
        len = (len >> 1) + 1;
    while (len > 0) {
        sum += *((ushort *)data);
        data += sizeof(ushort);
        len--;
    }
    sum = (sum >> 16) + (sum & 0xffff);
    sum += (sum >> 16);
    return (ushort)~sum;
}

/* Listing 2: 32-bit words into 64 bits. */
static inline uint listing2(uchar *data, int len)
{
    unsigned long long sum = 0;
    len = len >> 2;
    while (len > 0) {
        sum += *((uint *)data);
        data += sizeof(uint);
        --len;
    }
    return fold64(sum);
}

/* Listing 6: Motorola's. A last 16 bytes without a partner is added to zero. */
static inline uint listing6(uchar *data, int len)
{
    vector unsigned int VD1, VD2, V_CC, V_Temp, V_CS;
    vector unsigned int V_Sum = vec_splat_u32(0);
    vector unsigned int VCAR = vec_splat_u32(0);
    int vector_count = len >> 5;
    while (vector_count-- > 0) {
        VD1 = *((vector unsigned int *)data);
        VD2 = *((vector unsigned int *)(data + 16));
        data += 32;
        V_CC = vec_addc(VD1, VD2);
        V_Temp = vec_add(VD1, VD2);
        V_CS = vec_addc(V_Temp, V_Sum);
        V_Sum = vec_add(V_Temp, V_Sum);
        VCAR = vec_add(V_CC, VCAR);
        VCAR = vec_add(V_CS, VCAR);
    }
    if (len & 16) {
        VD1 = *((vector unsigned int *)data);
        VCAR = vec_add(vec_addc(VD1, V_Sum), VCAR);
        V_Sum = vec_add(VD1, V_Sum);
    }
    uint w[8] __attribute__((aligned(16)));
    vec_st(V_Sum, 0, w);
    vec_st(VCAR, 16, w);
    unsigned long long sum = 0;
    for (int n = 0; n < 8; n++)
        sum += w[n]; /* a carry out of 32 bits is worth 1: 2^32 - 1 is a multiple of 65535 */
    return fold64(sum);
}

/* Listing 7: IBM's. 32 bits hold 65535 half-words, so 512 KiB: no lane overflows below that. */
static inline uint listing7(uchar *data, int len)
{
    const vector unsigned short One = vec_splat_u16(1);
    vector unsigned int V_Sum = vec_splat_u32(0);
    int vector_count = len >> 4;
    while (vector_count-- > 0) {
        vector unsigned short VD1 = *((vector unsigned short *)data);
        data += 16;
        V_Sum = vec_msum(VD1, One, V_Sum);
    }
    uint w[4] __attribute__((aligned(16)));
    vec_st(V_Sum, 0, w);
    return fold64((unsigned long long)w[0] + w[1] + w[2] + w[3]);
}

/* "Exactly what you need", but signed and saturating: the loop that the article rejects. */
static inline uint sum4shs(uchar *data, int len)
{
    vector signed int V_Sum = vec_splat_s32(0);
    int vector_count = len >> 4;
    while (vector_count-- > 0) {
        V_Sum = vec_sum4s(*((vector signed short *)data), V_Sum);
        data += 16;
    }
    uint w[4] __attribute__((aligned(16)));
    vec_st(V_Sum, 0, (int *)w);
    return fold64((unsigned long long)w[0] + w[1] + w[2] + w[3]);
}
