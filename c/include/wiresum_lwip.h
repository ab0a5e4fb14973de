/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/** @file
 * The checksum of this library for lwIP, 1.4.1 and later. No file of lwIP changes. Put this line
 * into the lwipopts.h of your port:
 *
 *     #include <wiresum_lwip.h>
 *
 * Your build needs the folder of this header, and the library or its sources.
 *
 * lwIP then calls wiresum_sum() in place of lwip_standard_chksum(), through its hook LWIP_CHKSUM.
 * tcp_write() with TCP_WRITE_FLAG_COPY sums data while it copies them, through the hooks
 * LWIP_CHECKSUM_ON_COPY and LWIP_CHKSUM_COPY, so that sending reads them once. This line before the
 * include leaves the copies of lwIP as they are:
 *
 *     #define LWIP_CHECKSUM_ON_COPY 0
 *
 * lwIP's own functions take at most 0x20000 bytes; the functions here have no limit. The hooks are
 * macros because lwIP includes lwipopts.h before it defines its types. lwIP keeps sums in memory
 * order, as this library does.
 */
#ifndef WIRESUM_LWIP_H
#define WIRESUM_LWIP_H

#include "wiresum.h"

/** Returns the sum of data, as wiresum_sum() does. Twenty bytes, an IPv4 or a TCP header without
    options, are summed in the caller on every machine. */
static inline uint16_t wiresum_lwip_sum(const void *data, size_t len)
{
    return len == 20 ? wiresum_fold(wiresum_partial_20(data)) : wiresum_sum(data, len);
}

/* lwIP passes a length as an int that is never negative. */
#define LWIP_CHKSUM(data, len)          wiresum_lwip_sum((data), (size_t)(len))
#define LWIP_CHKSUM_COPY(dst, src, len) wiresum_copy((dst), (src), (size_t)(len))

#ifndef LWIP_CHECKSUM_ON_COPY
#  define LWIP_CHECKSUM_ON_COPY 1
#endif

#endif
