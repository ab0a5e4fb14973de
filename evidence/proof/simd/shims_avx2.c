/* SPDX-License-Identifier: MIT OR Apache-2.0 */
#include "src/checksum.c"

#include "kernels/x86_avx2.c"

#define KERNEL(function) wiresum_kernel_x86_avx2##function

#include "shims_headers.h"
