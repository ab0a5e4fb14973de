/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * A QEMU plugin that counts the instructions that a program executes between two marks. The mark is
 * close(MARK): a system call is the same on every machine, so the plugin needs no address of any
 * binary. It writes one number a line, for each pair of marks. With ways=on, the blocks of code
 * that the program executed between the marks follow on that line, in order: "address+bytes", in
 * hexadecimal. A block ends with a branch, taken or not.
 *
 *   qemu-ARCH -plugin ./plugin.so,out=FILE[,ways=on] PROGRAM
 *
 * Debian ships QEMU's plugin interface without its header. The declarations below are the ones of
 * version 1 that this plugin uses, as QEMU documents them.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mark.h"

struct qemu_plugin_tb;
struct qemu_plugin_insn;
enum { QEMU_PLUGIN_INLINE_ADD_U64 = 0, QEMU_PLUGIN_CB_NO_REGS = 0 };
typedef void tb_trans_cb(uint64_t id, struct qemu_plugin_tb *tb);
typedef void syscall_cb(uint64_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2,
                        uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7,
                        uint64_t a8);
extern void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, tb_trans_cb *cb);
extern void qemu_plugin_register_vcpu_syscall_cb(uint64_t id, syscall_cb *cb);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *tb);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *tb, size_t i);
extern uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *tb);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn);
typedef void exec_cb(unsigned vcpu, void *data);
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *tb, exec_cb *cb, int flags,
                                                 void *data);
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *insn, int op,
                                                       void *counter, uint64_t by);
__attribute__((visibility("default"))) int qemu_plugin_version = 1;
__attribute__((visibility("default"))) int qemu_plugin_install(uint64_t id, const void *info,
                                                               int argc, char **argv);

static uint64_t executed, begun_at;
static bool begun, ways;
static FILE *out;

struct block {
    uint64_t address;
    size_t bytes;
};
static const struct block **way;
static size_t length, room;

static void entered(unsigned vcpu, void *data)
{
    (void)vcpu;
    if (!begun)
        return;
    if (length == room) {
        room = 2 * room + 1024;
        way = realloc(way, room * sizeof *way);
        if (!way)
            abort();
    }
    way[length++] = data;
}

static void translated(uint64_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    size_t bytes = 0;
    for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
        struct qemu_plugin_insn *const insn = qemu_plugin_tb_get_insn(tb, i);
        bytes += qemu_plugin_insn_size(insn);
        qemu_plugin_register_vcpu_insn_exec_inline(insn, QEMU_PLUGIN_INLINE_ADD_U64, &executed, 1);
    }
    if (!ways)
        return;
    struct block *const block = malloc(sizeof *block);
    if (!block)
        abort();
    *block = (struct block){ qemu_plugin_tb_vaddr(tb), bytes };
    qemu_plugin_register_vcpu_tb_exec_cb(tb, entered, QEMU_PLUGIN_CB_NO_REGS, block);
}

static void called(uint64_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2,
                   uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id, (void)vcpu, (void)number, (void)a2, (void)a3, (void)a4, (void)a5, (void)a6, (void)a7,
        (void)a8;
    if ((uint32_t)a1 != MARK)
        return;
    if (begun) {
        fprintf(out, "%" PRIu64, executed - begun_at);
        for (size_t i = 0; i < length; i++)
            fprintf(out, " %" PRIx64 "+%zx", way[i]->address, way[i]->bytes);
        fprintf(out, "\n");
        fflush(out);
    }
    length = 0;
    begun = !begun;
    begun_at = executed;
}

int qemu_plugin_install(uint64_t id, const void *info, int argc, char **argv)
{
    (void)info;
    if (argc < 1 || argc > 2 || strncmp(argv[0], "out=", 4) != 0)
        return -1;
    ways = argc == 2;
    if ((ways && strcmp(argv[1], "ways=on") != 0) || !(out = fopen(argv[0] + 4, "w")))
        return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    qemu_plugin_register_vcpu_syscall_cb(id, called);
    return 0;
}
