/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* What evidence/bench/bpf/measure.py times. Each program returns the sum of the bytes after the
   first 34, except pass, which returns 0, and verify, which judges the packet. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

#include "../../../bpf/wiresum_bpf.h"

enum { START = 34, LONGEST = 9216 };

SEC("xdp.frags")
int pass(struct xdp_md *ctx)
{
    (void)ctx;
    return 0;
}

SEC("xdp.frags")
int ours(struct xdp_md *ctx)
{
    const __u64 linear = (__u64)(ctx->data_end - ctx->data);
    const __u32 len = linear >= 3000 ? (__u32)bpf_xdp_get_buff_len(ctx) : (__u32)linear;
    return (int)wiresum_xdp_sum(ctx, START, len - START);
}

SEC("xdp.frags")
int verify(struct xdp_md *ctx)
{
    return wiresum_xdp_verify(ctx, 14);
}

/* The helper over blocks of constant sizes: the largest that Linux before 6.13 takes, and the rest.
 */
SEC("xdp")
int helper(struct xdp_md *ctx)
{
    const char *p = (const char *)(long)ctx->data + START;
    const char *const end = (const char *)(long)ctx->data_end;
    __s64 sum = 0;
    for (int i = 0; i < LONGEST / 512; i++) {
        if (p + 512 > end)
            break;
        sum = bpf_csum_diff(0, 0, (__be32 *)p, 512, sum);
        p += 512;
    }
#pragma clang loop unroll(full)
    for (int size = 256; size >= 4; size /= 2)
        if (p + size <= end) {
            sum = bpf_csum_diff(0, 0, (__be32 *)p, size, sum);
            p += size;
        }
    if (p + 2 <= end)
        sum += *(const __u16 *)p;
    return wiresum_fold(sum);
}

/* The helper over copies of blocks, for frames that are not in one piece. */
SEC("xdp.frags")
int helper_copies(struct xdp_md *ctx)
{
    const __u32 len = (__u32)bpf_xdp_get_buff_len(ctx);
    __u32 block[64], at = START;
    __s64 sum = 0;
    for (int i = 0; i < LONGEST / 256 && at + 256 <= len; i++, at += 256) {
        if (bpf_xdp_load_bytes(ctx, at, block, 256))
            return -1;
        sum = bpf_csum_diff(0, 0, block, 256, sum);
    }
#pragma clang loop unroll(full)
    for (int size = 128; size >= 4; size /= 2)
        if (at + size <= len) {
            if (bpf_xdp_load_bytes(ctx, at, block, size))
                return -1;
            sum = bpf_csum_diff(0, 0, block, size, sum);
            at += size;
        }
    block[0] = 0;
    if (at + 2 <= len && bpf_xdp_load_bytes(ctx, at, block, 2))
        return -1;
    return wiresum_fold(sum + block[0]);
}

/* The loop over 16-bit words that programs use where a length is not constant. */
SEC("xdp")
int words(struct xdp_md *ctx)
{
    const char *p = (const char *)(long)ctx->data + START;
    const char *const end = (const char *)(long)ctx->data_end;
    __u32 sum = 0;
    for (int i = 0; i < LONGEST / 2; i++) {
        if (p + 2 > end)
            break;
        sum += *(const volatile __u16 *)p;
        p += 2;
    }
    return wiresum_fold(sum);
}

char _license[] SEC("license") = "Dual MIT/GPL";
