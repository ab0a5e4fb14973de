/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The LoongArch instructions in the assembly of the kernels: the destination is first. LoongArch
 * Reference Manual, volumes 1 and 2. */
#include "assembly.h"

inline void add_steps_of_loongarch(Steps &s)
{
    typedef const std::vector<Written> &Operands;
    s["vld"] = [](Registers &r, Operands o) {
        r.vector(o[0]) = r.load((uint64_t)(r.number(o[1]) + o[2].number), 16);
        return (int)NEXT;
    };
    s["vst"] = [](Registers &r, Operands o) {
        r.machine.memory.store((uint64_t)(r.number(o[1]) + o[2].number), r.vector(o[0]));
        return (int)NEXT;
    };
    s["vxor.v"] = [](Registers &r, Operands o) {
        const bool same = o[1].vector == o[2].vector;
        r.vector(o[0]) =
            same ? Lanes(2, zeros(64))
                 : r.arithmetic().logic(Arithmetic::XOR, r.vector(o[1]), r.vector(o[2]));
        return (int)NEXT;
    };
    /* The odd words of the first source and the even words of the second one. */
    s["vhaddw.du.wu"] = [](Registers &r, Operands o) {
        const Lanes a = r.arithmetic().cut(r.vector(o[1]), 32);
        const Lanes b = r.arithmetic().cut(r.vector(o[2]), 32);
        Lanes out;
        for (size_t i = 0; i < 4; i += 2)
            out.push_back({ 64, r.arithmetic().exact(a[i + 1]).plus(r.arithmetic().exact(b[i])) });
        r.vector(o[0]) = out;
        return (int)NEXT;
    };
    s["vadd.d"] = [](Registers &r, Operands o) {
        Lanes a = r.arithmetic().cut(r.vector(o[1]), 64);
        const Lanes b = r.arithmetic().cut(r.vector(o[2]), 64);
        for (size_t i = 0; i < 2; i++)
            a[i] = r.arithmetic().add(a[i], b[i]);
        r.vector(o[0]) = a;
        return (int)NEXT;
    };
    s["vpickve2gr.du"] = [](Registers &r, Operands o) {
        r.lanes(o[0]) = { r.arithmetic().cut(r.vector(o[1]), 64).at((size_t)o[2].number) };
        return (int)NEXT;
    };
    s["addi.d"] = [](Registers &r, Operands o) {
        r.set(o[0], r.number(o[1]) + o[2].number);
        return (int)NEXT;
    };
    s["andi"] = [](Registers &r, Operands o) {
        r.set(o[0], r.number(o[1]) & o[2].number);
        return (int)NEXT;
    };
    s["beqz"] = [](Registers &r, Operands o) {
        return r.number(o[0]) == 0 ? r.target() : (int)NEXT;
    };
}
