/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The instructions of A32 and Thumb-2 in the assembly of the kernels: the destination is first. Arm
 * Architecture Reference Manual for A-profile, part F. */
#include "assembly.h"

namespace arm
{

typedef const std::vector<Written> &Operands;

inline int load_multiple(Registers &r, Operands o)
{
    uint64_t from = r.address(o[0]);
    if (from % 4 != 0)
        throw Refuted("ldm of an address that is no multiple of 4");
    for (const int slot : o[1].list) {
        r.slots[(size_t)slot] = r.load(from, 4);
        from += 4;
    }
    if (o[0].write_back)
        r.set(o[0], (wide)from);
    return NEXT;
}
inline int store_multiple(Registers &r, Operands o)
{
    uint64_t to = r.address(o[0]);
    if (to % 4 != 0)
        throw Refuted("stm to an address that is no multiple of 4");
    for (const int slot : o[1].list) {
        r.machine.memory.store(to, r.slots[(size_t)slot]);
        to += 4;
    }
    if (o[0].write_back)
        r.set(o[0], (wide)to);
    return NEXT;
}
/* Loads size bytes, and advances the address by the third operand. */
template <size_t size> int load(Registers &r, Operands o)
{
    const uint64_t from = r.address(o[1]);
    if (from % size != 0)
        throw Refuted("a load of an address that is no multiple of its size");
    r.lanes(o[0]) = r.arithmetic().extended(r.load(from, size), 32);
    if (o.size() > 2)
        r.set(o[1], (wide)from + o[2].number);
    return NEXT;
}
/* The last operand may be shifted: r3, lsl #8. */
inline Lane last(Registers &r, Operands o, size_t at)
{
    if (o.size() <= at + 1)
        return r.word(o[at]);
    const std::string &shift = o[at + 1].text;
    if (shift.compare(0, 5, "lsl #") != 0)
        throw std::runtime_error("no model for " + shift);
    return r.arithmetic().whole(
        r.arithmetic().shift_left({ r.word(o[at]) }, (unsigned)std::stoul(shift.substr(5))));
}
inline void add(Registers &r, Operands o, const Lane &carry, bool set_carry)
{
    Lane to = r.word(o[1]);
    const Lane out = r.arithmetic().add_with_carry(to, last(r, o, 2), carry);
    r.lanes(o[0]) = { to };
    if (set_carry)
        r.carry = out;
}

} // namespace arm

inline void add_steps_of_arm(Steps &s)
{
    using arm::Operands;
    s["ldmia"] = arm::load_multiple;
    s["stmia"] = arm::store_multiple;
    s["ldr"] = arm::load<4>;
    s["ldrh"] = arm::load<2>;
    s["ldrb"] = arm::load<1>;
    s["adds"] = [](Registers &r, Operands o) {
        arm::add(r, o, zeros(1), true);
        return (int)NEXT;
    };
    s["adcs"] = [](Registers &r, Operands o) {
        arm::add(r, o, r.carry, true);
        return (int)NEXT;
    };
    s["adc"] = [](Registers &r, Operands o) {
        arm::add(r, o, r.carry, false);
        return (int)NEXT;
    };
    s["bic"] = [](Registers &r, Operands o) {
        r.set(o[0], r.number(o[1]) & ~r.number(o[2]));
        return (int)NEXT;
    };
    /* Both leave the carry: their second operand is a register, or a number of 8 bits. */
    s["teq"] = [](Registers &r, Operands o) {
        r.equal = r.number(o[0]) == r.number(o[1]);
        return (int)NEXT;
    };
    s["tst"] = [](Registers &r, Operands o) {
        if (r.number(o[1]) > 255)
            throw Refuted("tst with this number changes the carry");
        r.equal = (r.number(o[0]) & r.number(o[1])) == 0;
        return (int)NEXT;
    };
}
