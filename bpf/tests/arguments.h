/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What the test passes to a program of functions.bpf.c, and what comes back: one global variable.
 */
struct arguments {
    __u32 offset, len;
    __u16 a, b, c;            /* sums and checksums, in memory order */
    __u8 was[16], is[16];     /* addresses, or the bytes of an update */
    __u8 header[20];          /* an IPv4 header */
    __u32 protocol, function; /* function: which of enum algebra */
    __s64 result;
};

enum algebra {
    FOLD,
    COMPLEMENT,
    SWAP,
    ADD,
    SUB,
    APPEND,
    REMOVE,
    REMOVE_HEAD,
    UPDATE16,
    UPDATE32,
    UPDATE128,
    UPDATE_SUM,
    UDP_UPDATE_SUM,
    UDP_FIELD,
    ENDPOINT,
    PSEUDO_IPV4,
    PSEUDO_IPV6,
    IPV4_HEADER,
    IPV4_HEADER_OK
};
