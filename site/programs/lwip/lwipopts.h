/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The configuration of lwIP. The first line is all that wiresum asks for. */
#ifndef LWIPOPTS_H
#define LWIPOPTS_H

#include <wiresum_lwip.h>

/* One thread, no operating system, UDP over IPv4. */
#define NO_SYS               1
#define SYS_LIGHTWEIGHT_PROT 0
#define LWIP_NETCONN         0
#define LWIP_SOCKET          0
#define LWIP_ARP             0
#define LWIP_TCP             0
#define LWIP_STATS_DISPLAY   0

#endif
