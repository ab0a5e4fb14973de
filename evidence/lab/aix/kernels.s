# SPDX-License-Identifier: MIT OR Apache-2.0
#
# The loops of IBM's disclosure "Transmission Control Protocol/Internet Protocol Checksum
# Improvement for AIX 3.2 under RISC System/6000", in the POWER mnemonics that it prints. Assemble
# with -m601 -mregnames. The scan misreads three of them: "ac" and "as" are ae, "bit" is blt. gas
# has no bz, which is beq.
#
# Origin: the instructions of `current` and `printed` are the disclosure's two listings, which the
# laboratory quotes to run them. The macros around them, the corrections and the loops of STEP were
# written for this laboratory.
#
# r5 = checksum, r6 = mbuf dynamic address pointer, r7 = mbuf dynamic counter, as in the document.
# The routine around saves r16 to r31. The document leaves out the code for short remains ("...."),
# and so do we: ENTER and LEAVE make C functions of the pieces, (data, length, sum) → sum. If
# `remains` is not null, they store there the counter and the pointer as the code for short remains
# would find them.

        .macro  ENTER name
        .globl  \name
        .type   \name, @function
\name:  stm     r16, -64(r1)
        oril    r10, r6, 0              # remains
        oril    r6, r3, 0
        oril    r7, r4, 0
        # Between these two are the document's own instructions.
        .globl  \name\()_begins, \name\()_ends
\name\()_begins:
        .endm

        .macro  LEAVE name
\name\()_ends:
        oril    r3, r5, 0
        cmpi    0, r10, 0
        beq     1f
        st      r6, 0(r10)
        st      r7, 4(r10)
1:      lm      r16, -64(r1)
        br
        .size   \name, . - \name
        .endm

        .macro  SUM_16_WORDS
        ae      r5, r5, r16
        ae      r5, r5, r17
        ae      r5, r5, r18
        ae      r5, r5, r19
        ae      r5, r5, r20
        ae      r5, r5, r21
        ae      r5, r5, r22
        ae      r5, r5, r23
        ae      r5, r5, r24
        ae      r5, r5, r25
        ae      r5, r5, r26
        ae      r5, r5, r27
        ae      r5, r5, r28
        ae      r5, r5, r29
        ae      r5, r5, r30
        ae      r5, r5, r31
        .endm

# ---- Current AIX 3.2 code, as printed. -----------------------------------------------------------

        .globl  sum_64loop, sum_64end
        ENTER   current
sum_fast64:
        cmpi    0, r7, 64
        blt     sum_fast16
sum_64loop:
        lm      r16, 0(r6)
        ai      r7, r7, -64
        ai      r6, r6, 64              # CLEARS CO bit
        SUM_16_WORDS
        aze     r5, r5                  # fold in carry bit!
        cmpi    0, r7, 64
        bge     sum_64loop
sum_64end:
sum_fast16:
        LEAVE   current

# ---- New code, as printed, and with one or both of its faults corrected. -------------------------
#
# set_back = 1: `ai r6,r6,-4` is where the document prints it. It adds 0xFFFFFFFC, and carries for
#               every pointer except 0, 1, 2 and 3.
# set_back = 0: it comes first. `ai r8,r7,0` then is the last instruction to touch CA, which it
#               clears; and on both ways to sum_fast2 the pointer is four short of the remains.
# shift: sri, as printed, leaves CR0 as `andil.` set it. The branch needs sri.

        .macro  NEW name, set_back, shift
        .globl  \name\()_8loop, \name\()_8end
        ENTER   \name
        .ifeq   \set_back
        ai      r6, r6, -4
        .endif
        ai      r8, r7, 0
        andil.  r7, r7, 0x7
        \shift  r8, r8, 3
        beq     2f
        mtctr   r8
        .if     \set_back
        ai      r6, r6, -4
        .endif
\name\()_8loop:
        lu      r16, 4(r6)
        lu      r17, 4(r6)
        ae      r5, r5, r16
        ae      r5, r5, r17
        bdn     \name\()_8loop
\name\()_8end:
        aze     r5, r5
2:
        LEAVE   \name
        .endm

        NEW     printed, 1, sri
        NEW     carry_mended, 0, sri
        NEW     branch_mended, 1, sri.
        NEW     corrected, 0, sri.

# ---- From one to the other, an idea at a time, for the saving of each. ---------------------------
#
# Each is a 64-byte loop made from `current`: fold = 0 keeps the carry from turn to turn (`cal` adds
# without touching CA), update = 1 loads with update, count = 1 counts in CTR. All are compared with
# `no_fold`.

        .macro  STEP name, fold, update, count
        .globl  \name\()_loop, \name\()_end
        ENTER   \name
        cmpi    0, r7, 64
        blt     \name\()_ends
        .if     \update
        ai      r6, r6, -4
        .endif
        .if     \count
        sri     r8, r7, 6
        mtctr   r8
        .endif
        ai      r9, r7, 0               # adds nothing: CA is clear
\name\()_loop:
        .if     \update
        .irp    word, 16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
        lu      r\word, 4(r6)
        .endr
        .else
        lm      r16, 0(r6)
        .endif
        .ifeq   \count
        cal     r7, -64(r7)
        .endif
        .ifeq   \update
        .if     \fold
        ai      r6, r6, 64
        .else
        cal     r6, 64(r6)
        .endif
        .endif
        SUM_16_WORDS
        .if     \fold
        aze     r5, r5
        .endif
        .if     \count
        bdn     \name\()_loop
        .else
        cmpi    0, r7, 64
        bge     \name\()_loop
        .endif
\name\()_end:
        .ifeq   \fold
        aze     r5, r5
        .endif
        LEAVE   \name
        .endm

        STEP    no_fold, 0, 0, 0
        STEP    update_only, 0, 1, 0
        STEP    count_only, 0, 0, 1
        STEP    all_three, 0, 1, 1
