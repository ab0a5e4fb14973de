/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The x86 instructions in the assembly of the kernels, with AT&T operands: the destination is last.
 * Intel SDM, volume 2. */
#include "assembly.h"
#include "intrinsics.h"

namespace x86
{

typedef const std::vector<Written> &Operands;

inline bool is_memory(const Written &w)
{
    return w.text.find('(') != std::string::npos;
}
inline Lane source(Registers &r, const Written &w)
{
    return is_memory(w) ? r.arithmetic().whole(r.load(r.address(w), 8)) : r.word(w);
}
inline int add_carry(Registers &r, Operands o, const Lane &carry)
{
    Lane to = r.word(o[1]);
    r.carry = r.arithmetic().add_with_carry(to, source(r, o[0]), carry);
    r.lanes(o[1]) = { to };
    return NEXT;
}
inline int move(Registers &r, Operands o)
{
    if (is_memory(o[1]))
        r.machine.memory.store(r.address(o[1]), r.lanes(o[0]));
    else
        r.lanes(o[1]) = is_memory(o[0]) ? r.load(r.address(o[0]), 8) : r.lanes(o[0]);
    return NEXT;
}
inline int all_ones(Registers &r, Operands o)
{
    /* Of a vector of an unknown width: compared with itself, so the result gives the width. */
    const size_t lanes = r.block->lines[r.at].name[0] == 'v' ? 8 : 4;
    r.lanes(o.back()) = Lanes(lanes, known(-1, 32));
    return NEXT;
}
template <unsigned width> int add_words(Registers &r, Operands o)
{
    Lanes a = r.arithmetic().cut(r.lanes(o[o.size() - 2]), width);
    const Lanes b = r.arithmetic().cut(r.lanes(o[0]), width);
    if (o.size() == 2)
        a = r.arithmetic().cut(r.lanes(o[1]), width);
    for (size_t i = 0; i < a.size(); i++)
        a[i] = r.arithmetic().add(a[i], b[i]);
    r.lanes(o.back()) = a;
    return NEXT;
}
/* vpaddb memory, b, to{mask}: masked bytes of the memory are not read. */
inline int add_masked_bytes(Registers &r, Operands o)
{
    Lanes to = r.arithmetic().cut(r.lanes(o[2]), 8);
    const Lanes b = r.arithmetic().cut(r.lanes(o[1]), 8);
    const wide mask = r.arithmetic().number(r.slots.at((size_t)o[2].mask));
    const uint64_t from = r.address(o[0]);
    for (size_t i = 0; i < to.size(); i++)
        if (mask >> i & 1)
            to[i] = r.arithmetic().add(b[i], r.load(from + i, 1)[0]);
    r.lanes(o[2]) = to;
    return NEXT;
}

} // namespace x86

inline void add_steps_of_x86(Steps &s)
{
    using x86::Operands;
    s["clc"] = [](Registers &r, Operands) {
        r.carry = zeros(1);
        return (int)NEXT;
    };
    s["addq"] = [](Registers &r, Operands o) { return x86::add_carry(r, o, zeros(1)); };
    s["adcq"] = [](Registers &r, Operands o) { return x86::add_carry(r, o, r.carry); };
    s["movq"] = x86::move;
    s["leaq"] = [](Registers &r, Operands o) {
        r.set(o[1], (wide)r.address(o[0]));
        return (int)NEXT;
    };
    s["decq"] = [](Registers &r, Operands o) { /* the carry stays */
                                               const wide n = r.number(o[0]) - 1;
                                               r.set(o[0], n);
                                               r.equal = n == 0;
                                               return (int)NEXT;
    };
    s["jnz"] = [](Registers &r, Operands) { return r.equal ? (int)NEXT : r.target(); };
    s["pcmpeqd"] = x86::all_ones;
    s["vpcmpeqd"] = x86::all_ones;
    s["paddd"] = x86::add_words<32>;
    s["vpaddd"] = x86::add_words<32>;
    s["vpaddq"] = x86::add_words<64>;
    s["vpaddb"] = x86::add_masked_bytes;
    s["pxor"] = [](Registers &r, Operands o) {
        r.lanes(o[1]) = r.arithmetic().logic(Arithmetic::XOR, r.lanes(o[1]), r.lanes(o[0]));
        return (int)NEXT;
    };
    s["pmaddwd"] = [](Registers &r, Operands o) {
        r.lanes(o[1]) = models::dot(r.machine, Lanes(4, zeros(32)), Machine::of(r.lanes(o[1])),
                                    Machine::of(r.lanes(o[0])), true);
        return (int)NEXT;
    };
}
