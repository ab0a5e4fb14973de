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
 *
 * lwIP 2.1.0 and later can also sum data while tcp_write() copies them (TCP_WRITE_FLAG_COPY), so
 * that sending reads the data once. The option is lwIP's own, and off by default:
 *
 *     #define LWIP_CHECKSUM_ON_COPY 1
 *
 * With the option lwIP calls wiresum_copy(), through its hook LWIP_CHKSUM_COPY. The option pays for
 * segments of thousands of bytes, and costs time where segments are small. Versions before 2.1.0
 * send wrong checksums with the option, whoever sums (lwIP's bugs 36153, 43840, 50914 and 54506).
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

/** lwIP's hook for the sum of data. lwIP passes a length as an int that is never negative. */
#define LWIP_CHKSUM(data, len) wiresum_lwip_sum((data), WIRESUM_CAST(size_t, (len)))

/** lwIP's hook for a copy that sums. */
#define LWIP_CHKSUM_COPY(dst, src, len) wiresum_copy((dst), (src), WIRESUM_CAST(size_t, (len)))

#endif
