/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * lwIP with this library's checksum. In your port's lwipopts.h:
 *
 *     #include <wiresum_lwip.h>
 *
 * and in your build the folder of this header, and the library (or its sources). No file of lwIP
 * changes.
 *
 * lwIP then sums by wiresum_sum() in place of lwip_standard_chksum() (its hook LWIP_CHKSUM), and
 * what an application hands to tcp_write() with TCP_WRITE_FLAG_COPY is summed while it is copied
 * (LWIP_CHECKSUM_ON_COPY and LWIP_CHKSUM_COPY), so that sending reads it once. To keep the copies
 * as they are, put
 *
 *     #define LWIP_CHECKSUM_ON_COPY 0
 *
 * before the include. For lwIP 1.4.1 and later, 2.2 included. lwIP limits its own functions to
 * 0x20000 bytes; these have no limit.
 *
 * The hooks are macros, for lwipopts.h comes before lwIP's types. The sum is in memory order on
 * both sides, as lwIP has it.
 */
#ifndef WIRESUM_LWIP_H
#define WIRESUM_LWIP_H

#include "wiresum.h"

/* Twenty bytes, an IPv4 header or a TCP header without options, are summed in the caller, on every
   machine. All else calls the library. The length is an int in lwIP, and never negative. */
static inline uint16_t wiresum_lwip_sum(const void *data, size_t len)
{
    return len == 20 ? wiresum_fold(wiresum_sum_20(data)) : wiresum_sum(data, len);
}

#define LWIP_CHKSUM(data, len)          wiresum_lwip_sum((data), (size_t)(len))
#define LWIP_CHKSUM_COPY(dst, src, len) wiresum_copy((dst), (src), (size_t)(len))

#ifndef LWIP_CHECKSUM_ON_COPY
#  define LWIP_CHECKSUM_ON_COPY 1
#endif

#endif
