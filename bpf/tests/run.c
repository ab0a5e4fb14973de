/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Loads BPF objects and tests the functions of wiresum_bpf.h by BPF_PROG_TEST_RUN:

       run load OBJECT...          loads each program; prints what the verifier processed
       run test FUNCTIONS [THIN]   the vectors, the lengths, damaged packets, lengths that lie

   Linked statically, the same program is /init of a virtual machine with an old kernel: it takes
   its arguments from the kernel's command line there, and powers the machine off. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <linux/bpf.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "arguments.h"
#include "vectors.h"

enum { MAX_FRAME = 1 << 17, LINEAR = 3500, PAD = 14 };

static struct bpf_object *object;
static struct arguments *arguments;
static unsigned long checks, failures;
static uint8_t frame[MAX_FRAME], out[MAX_FRAME];

static void fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (failures++ < 20) {
        vprintf(format, list);
        putchar('\n');
    }
    va_end(list);
}

static void expect(const char *name, long long is, long long should)
{
    checks++;
    if (is != should)
        fail("%s: %#llx and not %#llx", name, is, should);
}

static int print_nothing(enum libbpf_print_level level, const char *format, va_list list)
{
    (void)level, (void)format, (void)list;
    return 0;
}

/* Opens and loads an object. A program that the kernel rejects ends the test with its log. */
static struct bpf_object *load(const char *path, bool print)
{
    static char logs[64][1 << 16];
    LIBBPF_OPTS(bpf_object_open_opts, opts, .kernel_log_level = 4);
    struct bpf_object *const o = bpf_object__open_file(path, &opts);
    struct bpf_program *p;
    int i = 0;
    if (!o) {
        printf("cannot open %s\n", path);
        exit(1);
    }
    bpf_object__for_each_program(p, o) if (i < 64)
    {
        memset(logs[i], 0, sizeof logs[i]);
        bpf_program__set_log_buf(p, logs[i], sizeof logs[i]);
        i++;
    }
    const int failed = bpf_object__load(o);
    i = 0;
    bpf_object__for_each_program(p, o)
    {
        const char *const processed = strstr(logs[i], "processed ");
        if (failed && logs[i][0] && (!processed || bpf_program__fd(p) < 0))
            printf("%s: %s: %s\n", path, bpf_program__name(p), logs[i]);
        const char *const base = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
        if (!failed && print)
            printf("loaded %s %s %d\n", base, bpf_program__name(p),
                   processed ? atoi(processed + 10) : -1);
        i++;
    }
    if (failed) {
        printf("cannot load %s: %s\n", path, strerror(-failed));
        exit(1);
    }
    return o;
}

/* Runs a program on a frame of n bytes. Returns what it leaves in arguments.result; the frame is
   then in out. */
static long long run(const char *kind, const char *function, uint32_t offset, uint32_t n)
{
    char name[64];
    snprintf(name, sizeof name, "%s_%s", kind, function);
    static struct {
        char name[64];
        int fd;
    } known[64];
    int fd = -1;
    for (int i = 0; i < 64 && fd < 0; i++) {
        if (!known[i].name[0]) {
            strcpy(known[i].name, name);
            known[i].fd = bpf_program__fd(bpf_object__find_program_by_name(object, name));
        }
        if (!strcmp(known[i].name, name))
            fd = known[i].fd;
    }
    LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = frame, .data_size_in = n, .data_out = out,
                .data_size_out = sizeof out, .repeat = 1);
    arguments->offset = offset;
    arguments->result = -99;
    if (bpf_prog_test_run_opts(fd, &opts)) {
        fail("%s on %u bytes: %s", name, n, strerror(errno));
        return -98;
    }
    return arguments->result;
}

/* The kinds of programs, and how long a frame the test interface takes. */
static struct {
    const char *name;
    uint32_t max;
} kinds[] = { { "xdp", LINEAR }, { "frags", 0 }, { "tc", LINEAR } };

/* Finds the longest frame for programs with frags. Beyond 65,535 bytes bpf_xdp_load_bytes() reads
   nothing. */
static void find_max(void)
{
    LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = frame, .repeat = 1);
    const int fd = bpf_program__fd(bpf_object__find_program_by_name(object, "frags_network"));
    for (opts.data_size_in = MAX_FRAME; opts.data_size_in > LINEAR; opts.data_size_in -= 16)
        if (!bpf_prog_test_run_opts(fd, &opts))
            break;
    if (opts.data_size_in > 0xFFFF) {
        arguments->len = 1;
        expect("a byte out of reach", run("frags", "sum", 0x10000, opts.data_size_in), -1);
    }
    kinds[1].max = opts.data_size_in < 0xFFFF ? opts.data_size_in : 0xFFFF;
    printf("the longest frame: %u bytes, with frags %u\n", LINEAR, kinds[1].max);
}

/* The sum by its definition: word by word, with the carry added at once. */
static uint16_t plain_sum(const uint8_t *p, size_t n)
{
    uint32_t s = 0;
    for (size_t i = 0; i < n; i++) {
        s += i & 1 ? p[i] : p[i] << 8;
        s = (s & 0xFFFF) + (s >> 16);
    }
    return htons((uint16_t)s);
}

static uint64_t state = 1071;
static uint8_t random_byte(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint8_t)(state >> 56);
}

/* Every range of bytes: lengths, alignments, fills, ends of the linear part. */
static void test_sums(unsigned thin)
{
    static const uint32_t long_ones[] = { 3400, 3450, 3486, 4096, 8192, 9000, 9014, 65535 };
    for (int fill = 0; fill < 2; fill++) {
        for (size_t i = 0; i < sizeof frame; i++)
            frame[i] = fill ? 0xFF : random_byte();
        for (int k = 0; k < 3; k++) {
            for (uint32_t length = fill; length <= 2100; length += thin)
                for (uint32_t at = PAD; at < PAD + 8; at++) {
                    arguments->len = length;
                    const long long is = run(kinds[k].name, "sum", at, at + length + 3);
                    expect("sum", is, plain_sum(frame + at, length));
                    if (is != plain_sum(frame + at, length))
                        fail("    %s, %u bytes at %u", kinds[k].name, length, at);
                }
            for (size_t i = 0; i < sizeof long_ones / sizeof *long_ones; i++)
                for (uint32_t at = PAD; at < PAD + 8; at++) {
                    arguments->len = long_ones[i];
                    if (at + long_ones[i] <= kinds[k].max)
                        expect(kinds[k].name, run(kinds[k].name, "sum", at, at + long_ones[i]),
                               plain_sum(frame + at, long_ones[i]));
                }
            /* The largest frame, from every side of the places where it is cut. */
            for (uint32_t from = PAD; from < kinds[k].max; from += 509 * thin) {
                arguments->len = kinds[k].max - from;
                expect("to the end", run(kinds[k].name, "sum", from, kinds[k].max),
                       plain_sum(frame + from, kinds[k].max - from));
                arguments->len = from - PAD + 1;
                expect("from the start", run(kinds[k].name, "sum", PAD, kinds[k].max),
                       plain_sum(frame + PAD, from - PAD + 1));
                arguments->len = kinds[k].max - from + 1;
                expect("beyond the end", run(kinds[k].name, "sum", from, kinds[k].max), -1);
            }
            arguments->len = 0xFFFFFFFF;
            expect("a length that wraps", run(kinds[k].name, "sum", 20, 100), -1);
            arguments->len = 1;
            expect("an offset beyond", run(kinds[k].name, "sum", 0x80000000u, 100), -1);
        }
    }
}

static long long algebra(enum algebra function)
{
    arguments->function = function;
    LIBBPF_OPTS(bpf_test_run_opts, opts, .data_in = frame, .data_size_in = 64, .repeat = 1);
    static int fd;
    fd = fd ? fd : bpf_program__fd(bpf_object__find_program_by_name(object, "algebra"));
    arguments->result = -99;
    return bpf_prog_test_run_opts(fd, &opts) ? -98 : arguments->result;
}

static void test_algebra(void)
{
    for (size_t i = 0; i < vectors_subtract_count; i++) {
        const struct vector_subtract *const v = &vectors_subtract[i];
        arguments->a = htons(v->whole), arguments->b = htons(v->part), arguments->len = 2;
        expect(v->name, algebra(SUB), htons(v->rest));
        expect(v->name, algebra(REMOVE), htons(v->rest));
    }
    for (size_t i = 0; i < vectors_remove_head_count; i++) {
        const struct vector_remove_head *const v = &vectors_remove_head[i];
        if (v->head_length == v->length)
            continue; /* a sum alone does not say that no byte is left */
        arguments->a = htons(v->whole), arguments->b = htons(v->head);
        arguments->len = (uint32_t)v->head_length;
        expect(v->name, algebra(REMOVE_HEAD), htons(v->rest));
    }
    for (size_t i = 0; i < vectors_replace_count; i++) {
        const struct vector_replace *const v = &vectors_replace[i];
        arguments->a = htons(v->checksum), arguments->b = htons(v->was);
        arguments->c = htons(v->is);
        expect(v->name, algebra(UPDATE_SUM), htons(v->after));
        expect(v->name, algebra(UDP_UPDATE_SUM), htons(v->udp_after));
    }
    for (size_t i = 0; i < vectors_update_count; i++) {
        const struct vector_update *const v = &vectors_update[i];
        const uint64_t n = v->was.length;
        if (v->offset & 1 || (n != 2 && n != 4 && n != 16))
            continue;
        vector_fill(arguments->was, &v->was);
        vector_fill(arguments->is, &v->is);
        arguments->a = htons(v->checksum);
        memcpy(&arguments->b, arguments->was, 2);
        memcpy(&arguments->c, arguments->is, 2);
        expect(v->name,
               algebra(n == 2   ? UPDATE16
                       : n == 4 ? UPDATE32
                                : UPDATE128),
               htons(v->after));
    }
    for (size_t i = 0; i < vectors_pseudo_count; i++) {
        const struct vector_pseudo *const v = &vectors_pseudo[i];
        memcpy(arguments->was, v->source, 16);
        memcpy(arguments->is, v->destination, 16);
        arguments->protocol = v->protocol, arguments->len = v->length;
        expect(v->name, algebra(v->family == 4 ? PSEUDO_IPV4 : PSEUDO_IPV6), htons(v->sum));
    }
    for (size_t i = 0; i < vectors_ipv4_header_count; i++) {
        const struct vector_ipv4_header *const v = &vectors_ipv4_header[i];
        memcpy(frame + PAD, v->header, v->length);
        arguments->len = (uint32_t)v->length;
        if (v->length >= 20)
            expect(v->name, run("xdp", "sum", PAD, PAD + (uint32_t)v->length) == 0xFFFF, v->ok);
        if (v->length != 20)
            continue;
        memcpy(arguments->header, v->header, 20);
        expect(v->name, algebra(IPV4_HEADER), htons(v->checksum));
        expect(v->name, algebra(IPV4_HEADER_OK), v->ok);
    }
    for (size_t i = 0; i < vectors_split_count; i++) {
        const struct vector_split *const v = &vectors_split[i];
        uint16_t sum = 0;
        uint64_t done = 0;
        for (size_t j = 0; j < v->count; j++) {
            arguments->a = sum, arguments->len = (uint32_t)done;
            arguments->b = htons(v->pieces[j].sum);
            sum = (uint16_t)algebra(APPEND);
            done += v->pieces[j].length;
        }
        expect(v->name, sum, htons(v->sum));
    }
    for (unsigned i = 0; i < 2000; i++) {
        uint8_t bytes[8];
        for (int j = 0; j < 8; j++)
            bytes[j] = i == 0 ? 0 : i == 1 ? 0xFF : random_byte();
        memcpy(arguments->was, bytes, 8);
        expect("fold", algebra(FOLD), plain_sum(bytes, 8));
        memcpy(&arguments->a, bytes + 4, 2);
        memcpy(&arguments->b, bytes, 2);
        expect("endpoint", algebra(ENDPOINT), plain_sum(bytes, 6));
        memcpy(bytes + 2, bytes + 4, 2);
        expect("add", algebra(ADD), plain_sum(bytes, 4));
        expect("swap", algebra(SWAP), (uint16_t)(arguments->a << 8 | arguments->a >> 8));
        expect("complement", algebra(COMPLEMENT), (uint16_t)~arguments->a);
        expect("udp_field", algebra(UDP_FIELD), arguments->a ? arguments->a : 0xFFFF);
    }
}

static void test_sum_vectors(void)
{
    for (size_t i = 0; i < vectors_sum_count; i++)
        for (int k = 0; k < 3; k++) {
            const struct vector_sum *const v = &vectors_sum[i];
            if (v->huge || v->data.length + PAD > kinds[k].max)
                continue;
            vector_fill(frame + PAD, &v->data);
            arguments->len = (uint32_t)v->data.length;
            expect(v->name, run(kinds[k].name, "sum", PAD, PAD + arguments->len), htons(v->sum));
        }
    for (size_t i = 0; i < vectors_range_count; i++)
        for (int k = 0; k < 3; k++) {
            const struct vector_range *const v = &vectors_range[i];
            if (v->data.length + PAD > kinds[k].max)
                continue;
            vector_fill(frame + PAD, &v->data);
            arguments->len = (uint32_t)v->length;
            expect(v->name,
                   run(kinds[k].name, "sum", PAD + (uint32_t)v->offset,
                       PAD + (uint32_t)v->data.length),
                   htons(v->sum));
        }
}

static void test_packets(void)
{
    for (size_t i = 0; i < vectors_packet_count; i++)
        for (int k = 0; k < 3; k++)
            for (uint32_t at = PAD; at < PAD + 5; at++) {
                const struct vector_packet *const v = &vectors_packet[i];
                const uint32_t n = (uint32_t)v->packet.length;
                if (v->packet.length + at > kinds[k].max)
                    continue;
                memset(frame, 0xA5, at);
                vector_fill(frame + at, &v->packet);
                const long long is = run(kinds[k].name, "verify", at, at + n);
                expect(v->name, is, (long long)v->result);
                expect(v->name, run(kinds[k].name, "fill", at, at + n), (long long)v->fill);
                checks++;
                static uint8_t filled[MAX_FRAME];
                if (v->filled.length)
                    vector_fill(filled, &v->filled);
                else
                    memcpy(filled, frame + at, n);
                if (memcmp(out, frame, at) || memcmp(out + at, filled, n))
                    fail("%s: filled in wrongly by %s", v->name, kinds[k].name);
            }
}

/* Builds the packet of a segment in the frame at PAD, and returns its length, or 0 if the segment
   has no packet. */
static uint32_t build(const struct vector_segment *v)
{
    const uint32_t header = v->family == 4 ? 20 : 40, n = (uint32_t)v->segment.length;
    if (n > 65000)
        return 0;
    uint8_t *const p = frame + PAD;
    memset(p, 0, header);
    p[0] = v->family == 4 ? 0x45 : 0x60;
    if (v->family == 4) {
        p[2] = (uint8_t)((n + 20) >> 8), p[3] = (uint8_t)(n + 20);
        p[8] = 64, p[9] = v->protocol;
        memcpy(p + 12, v->source, 4);
        memcpy(p + 16, v->destination, 4);
        const uint16_t checksum = (uint16_t)~plain_sum(p, 20);
        memcpy(p + 10, &checksum, 2);
    } else {
        p[4] = (uint8_t)(n >> 8), p[5] = (uint8_t)n;
        p[6] = v->protocol, p[7] = 64;
        memcpy(p + 8, v->source, 16);
        memcpy(p + 24, v->destination, 16);
    }
    vector_fill(p + header, &v->segment);
    return header + n;
}

static void test_segments(const struct vector_segment *vectors, size_t count)
{
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            const struct vector_segment *const v = &vectors[i];
            const uint32_t n = PAD + build(v), header = v->family == 4 ? 20 : 40;
            if (n == PAD || n > kinds[k].max)
                continue;
            const char *const kind = kinds[k].name;
            expect(v->name, run(kind, "verify", PAD, n), (long long)v->status);
            expect(v->name, run(kind, "fill", PAD, n), VECTOR_GOOD);
            uint16_t field;
            memcpy(&field, out + PAD + header + v->field_offset, 2);
            expect(v->name, field, htons(v->field));
            memcpy(frame, out, n);
            if (v->protocol == 1)
                continue;
            const uint16_t seed = htons(v->seed);
            expect("no seed", run(kind, "seeded", PAD, n), field == seed);
            memcpy(frame + PAD + header + v->field_offset, &seed, 2);
            expect("a seed", run(kind, "seeded", PAD, n), 1);
            memcpy(frame + PAD + header + v->field_offset, &field, 2);

            /* Each bit that a checksum covers. */
            if (n - PAD > 200)
                continue;
            for (uint32_t bit = 0; bit < 8 * (n - PAD); bit++) {
                const uint32_t byte = bit >> 3;
                if (v->family == 6 && (byte < 4 || byte == 7))
                    continue; /* what no checksum covers */
                if (v->protocol == 17 && v->family == 4 && field == 0xFFFF)
                    continue; /* not two forms of zero */
                frame[PAD + byte] ^= (uint8_t)(1 << (bit & 7));
                checks++;
                if (run(kind, "verify", PAD, n) == VECTOR_GOOD)
                    fail("%s: bit %u is damaged, and the packet good", v->name, bit);
                frame[PAD + byte] ^= (uint8_t)(1 << (bit & 7));
            }

            /* Each value of the length, with a right IPv4 header. */
            for (uint32_t length = 0; length < 0x10000; length += length < 300 ? 1 : 997) {
                uint8_t *const at = frame + PAD + (v->family == 4 ? 2 : 4);
                const uint32_t right = v->family == 4 ? n - PAD : n - PAD - 40;
                if (length == right)
                    continue;
                at[0] = (uint8_t)(length >> 8), at[1] = (uint8_t)length;
                if (v->family == 4) {
                    memset(frame + PAD + 10, 0, 2);
                    const uint16_t checksum = (uint16_t)~plain_sum(frame + PAD, 20);
                    memcpy(frame + PAD + 10, &checksum, 2);
                }
                const long long is = run(kind, "verify", PAD, n);
                checks++;
                if (length > right ? is != VECTOR_SHORT : is == VECTOR_GOOD && v->protocol != 17)
                    fail("%s: the length %u gives %lld", v->name, length, is);
            }
        }
}

static void test_tags(void)
{
    for (unsigned tags = 0; tags <= 5; tags++)
        for (int k = 0; k < 3; k++)
            for (int ipv6 = 0; ipv6 < 2; ipv6++) {
                memset(frame, 0, 100);
                for (unsigned i = 0; i < tags; i++)
                    memcpy(frame + 12 + 4 * i, i & 1 ? "\x88\xA8\0\1" : "\x81\0\0\2", 4);
                memcpy(frame + 12 + 4 * tags, ipv6 ? "\x86\xDD" : "\x08\0", 2);
                expect("network", run(kinds[k].name, "network", 0, 100),
                       tags <= 4 ? 14 + 4 * (long long)tags : -1);
                memcpy(frame + 12 + 4 * tags, "\x08\x06", 2);
                expect("arp", run(kinds[k].name, "network", 0, 100), -1);
            }
}

static int test(const char *path, unsigned thin)
{
    object = load(path, false);
    struct bpf_map *map;
    bpf_object__for_each_map(map, object) if (strstr(bpf_map__name(map), ".bss")) arguments =
        mmap(NULL, sizeof *arguments, PROT_READ | PROT_WRITE, MAP_SHARED, bpf_map__fd(map), 0);
    find_max();
    struct {
        const char *name;
        unsigned long before;
    } part = { "the algebra", 0 };
#define PART(next)                                                               \
    printf("%s: %lu checks\n", part.name, checks - part.before), fflush(stdout), \
        part.name = (next), part.before = checks
    test_algebra();
    PART("sums of the vectors");
    test_sum_vectors();
    PART("packets of the vectors");
    test_packets();
    PART("segments of the vectors, damaged ones, lengths that lie");
    test_segments(vectors_tcp, vectors_tcp_count);
    test_segments(vectors_udp, vectors_udp_count);
    test_segments(vectors_icmp, vectors_icmp_count);
    test_segments(vectors_icmpv6, vectors_icmpv6_count);
    PART("VLAN tags");
    test_tags();
    PART("every length, alignment and end");
    test_sums(thin);
    PART("");
    printf("%lu checks, %lu failures\n", checks, failures);
    return failures != 0 || checks == 0;
}

static int start(int argc, char **argv)
{
    struct utsname name;
    uname(&name);
    printf("kernel %s\n", name.release);
    libbpf_set_print(print_nothing);
    if (argc >= 3 && !strcmp(argv[1], "test"))
        return test(argv[2], argc > 3 ? (unsigned)atoi(argv[3]) : 1);
    if (argc >= 3 && !strcmp(argv[1], "load")) {
        for (int i = 2; i < argc; i++)
            bpf_object__close(load(argv[i], true));
        return 0;
    }
    fprintf(stderr, "usage: run load OBJECT... | run test OBJECT [THIN]\n");
    return 2;
}

int main(int argc, char **argv)
{
    setvbuf(stdout, NULL, _IOLBF, 0);
    if (getpid() != 1)
        return start(argc, argv);
    /* The machine: each line of /steps is a list of arguments. */
    mkdir("/proc", 0755), mount("proc", "/proc", "proc", 0, NULL);
    mkdir("/sys", 0755), mount("sysfs", "/sys", "sysfs", 0, NULL);
    FILE *const steps = fopen("/steps", "r");
    char line[4096];
    int failed = !steps;
    while (steps && fgets(line, sizeof line, steps)) {
        char *words[64] = { "run" };
        int n = 1;
        for (char *word = strtok(line, " \n"); word && n < 64; word = strtok(NULL, " \n"))
            words[n++] = word;
        const int child = fork();
        int status = 1;
        if (child == 0) {
            const int result = start(n, words);
            fflush(stdout);
            _exit(result);
        }
        waitpid(child, &status, 0);
        failed |= status != 0;
    }
    printf("machine: %s\n", failed ? "failed" : "passed");
    fflush(stdout);
    sync();
    return reboot(RB_POWER_OFF);
}
