/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The instructions of z/Architecture in the assembly of the kernels: the destination is first. IBM
 * z/Architecture Principles of Operation, SA22-7832. */
#include "assembly.h"
#include "intrinsics.h"

namespace s390x
{

typedef const std::vector<Written> &Operands;

inline Lanes &vector(Registers &r, const Written &w)
{
    return w.vector >= 0 ? r.vectors[w.vector] : r.lanes(w);
}
inline int load_multiple(Registers &r, Operands o)
{
    uint64_t from = r.address(o[2]);
    for (int v = o[0].vector; v <= o[1].vector; v++, from += 16)
        r.vectors[v] = r.load(from, 16);
    return NEXT;
}
inline int store_multiple(Registers &r, Operands o)
{
    uint64_t to = r.address(o[2]);
    for (int v = o[0].vector; v <= o[1].vector; v++, to += 16)
        r.machine.memory.store(to, r.vectors[v]);
    return NEXT;
}
/* Adds the words of the second operand, address and length, to the low word of the first. The
 * machine may stop early; here it does so after 256 bytes, so that the loop runs again. */
inline int checksum(Registers &r, Operands o)
{
    Arithmetic &a = r.arithmetic();
    const Lanes place = a.cut(r.lanes(o[1]), 64);
    const auto from = (uint64_t)a.number({ place[0] });
    const auto left = (size_t)a.number({ place[1] });
    const size_t now = std::min(left, (size_t)256);
    Lanes sum = a.cut(r.lanes(o[0]), 32);
    for (size_t i = 0; i < now; i += 4) {
        Lanes word = r.load(from + i, std::min(now - i, (size_t)4));
        for (size_t bits = width_of(word); bits < 32; bits += 8)
            word.push_back(zeros(8));
        sum[1] = a.add_around(sum[1], a.whole(word));
    }
    r.lanes(o[0]) = sum;
    r.lanes(o[1]) = { known((wide)(from + now), 64), known((wide)(left - now), 64) };
    r.overflow = now != left;
    return NEXT;
}
inline int move_characters(Registers &r, Operands o, size_t size)
{
    const uint64_t to = r.address(o[0]), from = r.address(o[1]);
    if (to < from + size && from < to + size)
        throw Refuted("mvc between operands that overlap");
    r.machine.memory.store(to, r.load(from, size));
    return NEXT;
}
/* Executes the mvc at an address, whose length code is ORed with the low byte of a register. */
inline int execute(Registers &r, Operands o)
{
    const Line &line = r.block->lines.at((size_t)r.address(o[1]));
    const auto code = (size_t)(line.operands[0].length - 1) | (size_t)(r.number(o[0]) & 255);
    if (line.name != "mvc")
        throw std::runtime_error("no model for ex of " + line.name);
    return move_characters(r, line.operands, code + 1);
}

} // namespace s390x

inline void add_steps_of_s390x(Steps &s)
{
    using namespace s390x;
    s["vlm"] = load_multiple;
    s["vstm"] = store_multiple;
    s["vcksm"] = [](Registers &r, Operands o) {
        vector(r, o[0]) = models::sum_words_around(r.machine, vector(r, o[1]), vector(r, o[2]));
        return (int)NEXT;
    };
    s["cksm"] = checksum;
    s["jo"] = [](Registers &r, Operands) { return r.overflow ? r.target() : (int)NEXT; };
    s["j"] = [](Registers &r, Operands) { return r.target(); };
    s["mvc"] = [](Registers &r, Operands o) { return move_characters(r, o, (size_t)o[0].length); };
    s["larl"] = [](Registers &r, Operands o) {
        r.set(o[0], r.target());
        return (int)NEXT;
    };
    s["ex"] = execute;
}
