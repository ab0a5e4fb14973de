/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* lwIP's port to this process: the definitions that lwIP needs in addition to stdint.h and
   stdlib.h. */
#ifndef TCP_BENCH_ARCH_CC_H
#define TCP_BENCH_ARCH_CC_H

#include <stdio.h>
#include <stdlib.h>

#define LWIP_PLATFORM_DIAG(message) \
    do {                            \
        printf message;             \
    } while (0)
#define LWIP_PLATFORM_ASSERT(message)                                      \
    do {                                                                   \
        fprintf(stderr, "lwIP: %s, %s:%d\n", message, __FILE__, __LINE__); \
        abort();                                                           \
    } while (0)
#define LWIP_RAND() ((u32_t)rand())

#endif
