/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "src/checksum.c"

#include "kernels/x86_avx512vnni.c"

#define KERNEL(function) wiresum_kernel_x86_avx512vnni##function

#include "shims_headers.h"
