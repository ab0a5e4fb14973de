/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The module of wiresum/checksum: the kernel of the C library over a room, into which JavaScript
   copies its bytes. Each browser compiles fewer than 4,096 bytes of a module at once. */
#include "../../c/kernels/wasm_simd128.c"

/* Chromium copies more than 8 KiB by `rep movsb`, which is slow on AMD Zen 4. */
enum { ROOM = 8 << 10 };

static _Alignas(16) uint8_t bytes[ROOM];

__attribute__((export_name("room"))) const uint8_t *room(void)
{
    return bytes;
}

__attribute__((export_name("sum"))) uint32_t sum(size_t n)
{
    return wiresum_value(wiresum_fold(wiresum_kernel_wasm_simd128(bytes, n)));
}
