/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A QEMU plugin: writes each instruction that runs in [low, high), and the memory that it touches,
 * to a file, a line each:
 *
 *     I <pc> <opcode>
 *     M <address>
 *
 * Debian ships qemu-user with plugins enabled but without their header. The functions that are used
 * are declared here by the documentation of plugin API version 1 (QEMU 7.2).
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t,
                                                  void (*)(qemu_plugin_id_t,
                                                           struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *,
                                                   void (*)(unsigned, void *), int, void *);
extern void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *,
                                             void (*)(unsigned, qemu_plugin_meminfo_t, uint64_t,
                                                      void *),
                                             int, int, void *);
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *),
                                           void *);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);

__attribute__((visibility("default"))) int qemu_plugin_version = 1;

struct instruction {
    uint64_t pc;
    uint32_t opcode;
};
static uint64_t low, high;
static bool big_endian;
static FILE *out;

static void ran(unsigned cpu, void *data)
{
    const struct instruction *i = data;
    (void)cpu;
    fprintf(out, "I %" PRIx64 " %" PRIx32 "\n", i->pc, i->opcode);
}

static void touched(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t address, void *data)
{
    (void)cpu;
    (void)info;
    (void)data;
    fprintf(out, "M %" PRIx64 "\n", address);
}

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *block)
{
    (void)id;
    for (size_t n = 0; n < qemu_plugin_tb_n_insns(block); n++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(block, n);
        const uint64_t pc = qemu_plugin_insn_vaddr(insn);
        if (pc < low || pc >= high)
            continue;
        /* It lives as long as the translated block: until the end. */
        struct instruction *i = malloc(sizeof *i);
        const uint8_t *b = qemu_plugin_insn_data(insn);
        i->pc = pc;
        i->opcode = big_endian ? (uint32_t)b[0] << 24 | b[1] << 16 | b[2] << 8 | b[3]
                               : (uint32_t)b[3] << 24 | b[2] << 16 | b[1] << 8 | b[0];
        qemu_plugin_register_vcpu_insn_exec_cb(insn, ran, 0, i);
        qemu_plugin_register_vcpu_mem_cb(insn, touched, 0, 3 /* reads and writes */, NULL);
    }
}

static void ended(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    fclose(out);
}

__attribute__((visibility("default"))) int
qemu_plugin_install(qemu_plugin_id_t id, const void *info, int argc, char **argv)
{
    (void)info;
    for (int n = 0; n < argc; n++) {
        if (!strncmp(argv[n], "low=", 4))
            low = strtoull(argv[n] + 4, NULL, 16);
        else if (!strncmp(argv[n], "high=", 5))
            high = strtoull(argv[n] + 5, NULL, 16);
        else if (!strncmp(argv[n], "order=", 6))
            big_endian = !strcmp(argv[n] + 6, "big");
        else if (!strncmp(argv[n], "out=", 4))
            out = fopen(argv[n] + 4, "w");
    }
    if (!out)
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_atexit_cb(id, ended, NULL);
    return 0;
}
