/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Counts the instructions that a program executes between two marks, on the CPU itself, by single
 * steps: for instructions that QEMU does not emulate (AVX-512). The mark is SIGUSR1, which this
 * program does not deliver. It writes one number a line, for each pair of marks.
 *
 *   step FILE PROGRAM [ARGUMENT...]
 */
#define _GNU_SOURCE 1

#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    FILE *const out = argc >= 3 ? fopen(argv[1], "w") : NULL;
    if (!out)
        return 2;
    const pid_t child = fork();
    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        execv(argv[2], argv + 2);
        _exit(127);
    }
    uint64_t steps = 0;
    int status;
    for (bool counting = false; waitpid(child, &status, 0) == child && WIFSTOPPED(status);) {
        const int stopped_by = WSTOPSIG(status);
        if (stopped_by == SIGUSR1) {
            if (counting)
                fprintf(out, "%" PRIu64 "\n", steps);
            counting = !counting;
            steps = 0;
        } else if (stopped_by == SIGTRAP) {
            steps++;
        }
        const intptr_t deliver = stopped_by == SIGUSR1 || stopped_by == SIGTRAP ? 0 : stopped_by;
        if (ptrace(counting ? PTRACE_SINGLESTEP : PTRACE_CONT, child, NULL, deliver) != 0)
            return 1;
    }
    return fclose(out) != 0 || !WIFEXITED(status) || WEXITSTATUS(status);
}
