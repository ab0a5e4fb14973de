/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The RISC-V instructions in the assembly of the kernels: the destination is first. The RISC-V
 * Instruction Set Manual, volume I, and "V" Standard Extension for Vector Operations 1.0. What an
 * agnostic tail leaves in a register is undefined here.
 */
#include "assembly.h"

namespace riscv
{

typedef const std::vector<Written> &Operands;

/* Branches on two registers, or on the last comparison, as ARM and PowerPC write them. */
template <bool if_equal> int branch_equal(Registers &r, Operands o)
{
    const bool equal = o.size() == 2 ? r.number(o[0]) == r.number(o[1]) : r.equal;
    return equal == if_equal ? r.target() : (int)NEXT;
}
template <bool if_less> int branch_less(Registers &r, Operands o)
{
    return (r.number(o[0]) < r.number(o[1])) == if_less ? r.target() : (int)NEXT;
}

inline size_t bits_of(const Registers &r)
{
    return 8 * r.machine.vector_bytes;
}
/* The elements of a group of registers. */
inline Lanes elements(Registers &r, int from, size_t registers, unsigned width)
{
    Lanes out;
    for (size_t i = 0; i < registers; i++) {
        const Lanes &lanes = r.vectors[(size_t)from + i];
        if (lanes.empty())
            out.resize(out.size() + bits_of(r) / width, { width, Form(), true });
        else
            for (Lane &lane : r.arithmetic().cut(lanes, width))
                out.push_back(std::move(lane));
    }
    return out;
}
inline void set_elements(Registers &r, int to, const Lanes &lanes)
{
    size_t at = 0;
    while (at < lanes.size()) {
        Lanes one;
        for (size_t bits = 0; bits < bits_of(r); bits += lanes[at++].width)
            one.push_back(lanes[at]);
        r.vectors[to++] = one;
    }
}
/* Leaves the elements beyond the active ones undefined. */
inline void agnostic(Registers &r, Lanes &lanes)
{
    for (size_t i = r.active; i < lanes.size(); i++)
        lanes[i].undefined = true;
}

/* vsetvli and vsetivli: to, length, SEW, LMUL, tail, mask. */
inline int set_length(Registers &r, Operands o)
{
    const auto after = [](const Written &w) { return std::stoul(w.text.substr(1)); };
    const bool to_zero = o[0].text == "zero", all = o[1].text == "zero";
    const size_t lane_bits = after(o[2]), group = after(o[3]);
    const size_t most = bits_of(r) / lane_bits * group;
    if (all && to_zero) {
        if (r.lane_bits * group != lane_bits * r.group)
            throw Refuted("vsetvli keeps a length that is not there");
    } else {
        r.active = all ? most : (size_t)std::min(r.number(o[1]), (wide)most);
        if (!to_zero)
            r.set(o[0], (wide)r.active);
    }
    r.lane_bits = lane_bits, r.group = group;
    return NEXT;
}
inline int load_whole(Registers &r, Operands o)
{
    for (size_t i = 0; i < 4; i++)
        r.vectors[(size_t)o[0].vector + i] =
            r.load(r.address(o[1]) + i * r.machine.vector_bytes, r.machine.vector_bytes);
    return NEXT;
}
inline int store_whole(Registers &r, Operands o)
{
    for (size_t i = 0; i < 4; i++)
        r.machine.memory.store(r.address(o[1]) + i * r.machine.vector_bytes,
                               r.vectors[(size_t)o[0].vector + i]);
    return NEXT;
}
/* Loads the active bytes, and leaves the others as they are (tail undisturbed). */
inline int load_bytes(Registers &r, Operands o)
{
    if (r.lane_bits != 8)
        throw std::runtime_error("no model for vle8 with lanes wider than bytes");
    if (r.active == 0)
        return NEXT;
    Lanes lanes = elements(r, o[0].vector, r.group, 8);
    const Lanes loaded = r.load(r.address(o[1]), r.active);
    std::copy(loaded.begin(), loaded.end(), lanes.begin());
    set_elements(r, o[0].vector, lanes);
    return NEXT;
}
inline int store_bytes(Registers &r, Operands o)
{
    if (r.active == 0)
        return NEXT;
    Lanes lanes = elements(r, o[0].vector, r.group, 8);
    lanes.resize(r.active);
    r.machine.memory.store(r.address(o[1]), lanes);
    return NEXT;
}
/* Adds elements of b, half as wide as the elements of the result, to elements of a. */
template <bool a_is_wide> int add_widening(Registers &r, Operands o)
{
    const auto w = (unsigned)r.lane_bits;
    const Lanes a =
        elements(r, o[1].vector, a_is_wide ? 2 * r.group : r.group, a_is_wide ? 2 * w : w);
    const Lanes b = elements(r, o[2].vector, r.group, w);
    Lanes out;
    for (size_t i = 0; i < b.size(); i++) {
        const Form x = a_is_wide ? a[i].form : r.arithmetic().exact(a[i]);
        Arithmetic::defined(a[i]);
        out.push_back({ 2 * w, x.plus(r.arithmetic().exact(b[i])) });
    }
    agnostic(r, out);
    set_elements(r, o[0].vector, out);
    return NEXT;
}
/* Element 0 of the result is element 0 of b and the active elements of a. */
template <bool widening> int reduce(Registers &r, Operands o)
{
    const auto w = (unsigned)r.lane_bits;
    const unsigned to = widening ? 2 * w : w;
    if (r.active == 0)
        return NEXT;
    const Lanes a = elements(r, o[1].vector, r.group, w);
    Lanes out = elements(r, o[2].vector, 1, to);
    Lane sum = out[0];
    for (size_t i = 0; i < r.active; i++)
        sum = r.arithmetic().add(sum, widening ? Lane{ to, r.arithmetic().exact(a[i]) } : a[i]);
    for (Lane &lane : out)
        lane = { to, Form(), true };
    out[0] = sum;
    set_elements(r, o[0].vector, out);
    return NEXT;
}

} // namespace riscv

inline void add_steps_of_riscv(Steps &s)
{
    using namespace riscv;
    s["beq"] = branch_equal<true>;
    s["bne"] = branch_equal<false>;
    s["bltu"] = branch_less<true>;
    s["bgeu"] = branch_less<false>;
    s["add"] = [](Registers &r, Operands o) { /* also of ARM */
                                              r.set(o[0], r.number(o[1]) + r.number(o[2]));
                                              return (int)NEXT;
    };
    s["sub"] = [](Registers &r, Operands o) {
        r.set(o[0], r.number(o[1]) - r.number(o[2]));
        return (int)NEXT;
    };
    s["neg"] = [](Registers &r, Operands o) {
        r.set(o[0], -r.number(o[1]));
        return (int)NEXT;
    };
    s["and"] = [](Registers &r, Operands o) {
        r.set(o[0], r.number(o[1]) & r.number(o[2]));
        return (int)NEXT;
    };
    s["slli"] = [](Registers &r, Operands o) {
        r.set(o[0], r.number(o[1]) << o[2].number);
        return (int)NEXT;
    };
    s["srli"] = [](Registers &r, Operands o) {
        r.set(o[0], r.number(o[1]) >> o[2].number);
        return (int)NEXT;
    };
    s["vsetvli"] = s["vsetivli"] = set_length;
    s["vl4re8.v"] = load_whole;
    s["vs4r.v"] = store_whole;
    s["vle8.v"] = load_bytes;
    s["vse8.v"] = store_bytes;
    s["vwaddu.vv"] = add_widening<false>;
    s["vwaddu.wv"] = add_widening<true>;
    s["vredsum.vs"] = reduce<false>;
    s["vwredsumu.vs"] = reduce<true>;
    s["vmv.v.i"] = [](Registers &r, Operands o) {
        Lanes out(bits_of(r) * r.group / r.lane_bits, known(o[1].number, (unsigned)r.lane_bits));
        agnostic(r, out);
        set_elements(r, o[0].vector, out);
        return (int)NEXT;
    };
    s["vmv1r.v"] = [](Registers &r, Operands o) {
        r.vectors[o[0].vector] = r.vectors[o[1].vector];
        return (int)NEXT;
    };
    s["vadd.vv"] = [](Registers &r, Operands o) {
        const auto w = (unsigned)r.lane_bits;
        Lanes a = elements(r, o[1].vector, r.group, w);
        const Lanes b = elements(r, o[2].vector, r.group, w);
        for (size_t i = 0; i < a.size(); i++)
            a[i] = r.arithmetic().add(a[i], b[i]);
        agnostic(r, a);
        set_elements(r, o[0].vector, a);
        return (int)NEXT;
    };
    s["vmv.x.s"] = [](Registers &r, Operands o) {
        const auto w = (unsigned)r.lane_bits;
        if (w != r.machine.pointer_bits)
            throw std::runtime_error("no model for vmv.x.s of an element narrower than a register");
        r.lanes(o[0]) = { elements(r, o[1].vector, 1, w)[0] };
        return (int)NEXT;
    };
}
