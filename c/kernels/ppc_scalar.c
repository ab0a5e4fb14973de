/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * PowerPC, 32 and 64 bit, either byte order: eight words a step (32 or 64 bytes) through one chain of adde. The shape is that of
 * the AIX improvement of 1993: the carry stays in XER from the first word to the last, one addze at the end brings it in,
 * the address advances by a load with update, and the loop closes on the count register. None of that touches the carry, so
 * nothing but loads and additions is left. Where the document updates the address with every load, here the last load of a step
 * does it for all: the same number of instructions, and the loads do not wait for one another. In assembly, because no
 * compiler keeps the carry across a loop; the code is in ppc_adde.h, for the vector kernels use it for short data.
 *
 * Bound: none. The carry out of the top bit comes back in at bit 0 with the next adde.
 */
#include "ppc_adde.h"

#if WIRESUM_HAVE_PPC_SCALAR

WIRESUM_DECLARE_KERNEL(ppc_scalar);

uint64_t wiresum_kernel_ppc_scalar(const void *data, size_t n)
{
    return wiresum_ppc_sum(data, n);
}

uint64_t wiresum_kernel_ppc_scalar_copy(void *dst, const void *src, size_t n)
{
    return wiresum_ppc_copy(dst, src, n);
}

#else
typedef int wiresum_ppc_scalar_is_not_for_this_machine;
#endif
