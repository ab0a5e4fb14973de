/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The PowerPC instructions in the assembly of the kernels: the destination is first. Power ISA,
 * books I and II.
 *
 * The manual numbers the elements of a vector register from the left. A value here has its lanes in
 * the order in which lvx loads them, which is from the right in little-endian mode.
 */
#include "assembly.h"

namespace power_isa
{

typedef const std::vector<Written> &Operands;

inline Registers &numbered_from_left(Registers &r, Lanes &lanes)
{
    if (!r.arithmetic().big_endian)
        std::reverse(lanes.begin(), lanes.end());
    return r;
}
/* Lanes from the left, of a register and back. */
inline Lanes from_left(Registers &r, const Lanes &value, unsigned width)
{
    Lanes lanes = r.arithmetic().cut(value, width);
    numbered_from_left(r, lanes);
    return lanes;
}
inline size_t word_size(const Registers &r)
{
    return r.machine.pointer_bits / 8;
}
/* The address of two operands, of which a first 0 is the number 0. */
inline uint64_t indexed(Registers &r, const Written &a, const Written &b)
{
    return (uint64_t)(r.number(a) + r.number(b));
}

/* Loads and stores of general registers: d(a). Those with update leave the address in a. */
template <bool update> int load(Registers &r, Operands o)
{
    const uint64_t from = r.address(o[1]);
    r.lanes(o[0]) = r.load(from, word_size(r));
    if (update)
        r.set(o[1], (wide)from);
    return NEXT;
}
template <bool update> int store(Registers &r, Operands o)
{
    const uint64_t to = r.address(o[1]);
    r.machine.memory.store(to, r.lanes(o[0]));
    if (update)
        r.set(o[1], (wide)to);
    return NEXT;
}
inline int add(Registers &r, Operands o, const Lane &b, const Lane &carry)
{
    Lane to = r.word(o[1]);
    r.carry = r.arithmetic().add_with_carry(to, b, carry);
    r.lanes(o[0]) = { to };
    return NEXT;
}
inline int result(Registers &r, Operands o, wide n)
{
    r.set(o[0], n);
    r.equal = n == 0;
    return NEXT;
}
inline int shift_right(Registers &r, Operands o)
{
    return result(r, o, r.number(o[1]) >> o[2].number);
}

inline int splat(Registers &r, Operands o, unsigned width)
{
    r.vectors[o[0].number] = Lanes(128 / width, known(o[1].number, width));
    return NEXT;
}
inline int load_aligned(Registers &r, Operands o)
{
    r.vectors[o[0].number] = r.load(indexed(r, o[1], o[2]) & ~UINT64_C(15), 16);
    return NEXT;
}
inline int store_aligned(Registers &r, Operands o)
{
    r.machine.memory.store(indexed(r, o[1], o[2]) & ~UINT64_C(15), r.vectors[o[0].number]);
    return NEXT;
}
/* Products of unsigned halfwords, two a lane, are added to the lanes of c. */
inline int multiply_sum(Registers &r, Operands o)
{
    Arithmetic &a = r.arithmetic();
    const Lanes x = a.cut(r.vectors[o[1].number], 16), y = a.cut(r.vectors[o[2].number], 16);
    Lanes sums = a.cut(r.vectors[o[3].number], 32);
    for (size_t i = 0; i < 8; i++) {
        const Form p = a.exact(x[i]), q = a.exact(y[i]);
        if (!q.known())
            throw Refuted("two unknown numbers are multiplied");
        sums[i / 2].form = sums[i / 2].form.plus(p, q.constant);
    }
    r.vectors[o[0].number] = sums;
    return NEXT;
}
/* The words of a and the last one of b, with signed saturation, in the last word. */
inline int sum_across(Registers &r, Operands o)
{
    Arithmetic &a = r.arithmetic();
    Form sum = a.exact_signed(from_left(r, r.vectors[o[2].number], 32)[3]);
    for (const Lane &lane : from_left(r, r.vectors[o[1].number], 32))
        sum = sum.plus(a.exact_signed(lane));
    const Range range = a.atoms.range(sum);
    if (range.low < -power(31) || range.high >= power(31))
        throw Refuted("vsumsws may saturate");
    Lanes out(4, zeros(32));
    out[3].form = sum;
    numbered_from_left(r, out);
    r.vectors[o[0].number] = out;
    return NEXT;
}
/* The bytes of a control vector for vperm, by the low bits of an address. */
template <bool left> int alignment(Registers &r, Operands o)
{
    const auto shift = (wide)(indexed(r, o[1], o[2]) & 15);
    Lanes bytes;
    for (wide i = 0; i < 16; i++)
        bytes.push_back(known(left ? shift + i : 16 - shift + i, 8));
    numbered_from_left(r, bytes);
    r.vectors[o[0].number] = bytes;
    return NEXT;
}
inline int permute(Registers &r, Operands o)
{
    Lanes from = from_left(r, r.vectors[o[1].number], 8), out;
    for (const Lane &lane : from_left(r, r.vectors[o[2].number], 8))
        from.push_back(lane);
    for (const Lane &index : from_left(r, r.vectors[o[3].number], 8))
        out.push_back(from[(size_t)r.arithmetic().number({ index }) & 31]);
    numbered_from_left(r, out);
    r.vectors[o[0].number] = out;
    return NEXT;
}

/* VSX numbers the registers of AltiVec from 32 on. Its loads and stores take two doublewords in the
 * order from the left. */
inline Lanes &vsx(Registers &r, const Written &w)
{
    if (w.number < 32)
        throw std::runtime_error("no model for the first 32 registers of VSX");
    return r.vectors[w.number - 32];
}
inline Lanes halves_swapped(Registers &r, const Lanes &value)
{
    if (r.arithmetic().big_endian)
        return value;
    Lanes low = value, high;
    unsigned bits = 0;
    size_t i = 0;
    while (bits < 64)
        bits += value.at(i++).width;
    if (bits != 64)
        return halves_swapped(r, r.arithmetic().cut(value, 64));
    high.assign(value.begin() + (long)i, value.end());
    low.resize(i);
    high.insert(high.end(), low.begin(), low.end());
    return high;
}
inline int load_two(Registers &r, Operands o)
{
    vsx(r, o[0]) = halves_swapped(r, r.load(indexed(r, o[1], o[2]), 16));
    return NEXT;
}
inline int store_two(Registers &r, Operands o)
{
    r.machine.memory.store(indexed(r, o[1], o[2]), halves_swapped(r, vsx(r, o[0])));
    return NEXT;
}

} // namespace power_isa

inline void add_steps_of_power(Steps &s)
{
    using namespace power_isa;
    s["ld"] = s["lwz"] = load<false>;
    s["ldu"] = s["lwzu"] = load<true>;
    s["std"] = s["stw"] = store<false>;
    s["stdu"] = s["stwu"] = store<true>;
    s["addi"] = [](Registers &r, Operands o) { /* also of RISC-V; sets no flag */
                                               r.set(o[0], r.number(o[1]) + r.number(o[2]));
                                               return (int)NEXT;
    };
    s["addic"] = [](Registers &r, Operands o) { return add(r, o, r.word(o[2]), zeros(1)); };
    s["addc"] = [](Registers &r, Operands o) { return add(r, o, r.word(o[2]), zeros(1)); };
    s["adde"] = [](Registers &r, Operands o) { return add(r, o, r.word(o[2]), r.carry); };
    s["addze"] = [](Registers &r, Operands o) {
        return add(r, o, zeros(r.machine.pointer_bits), r.carry);
    };
    s["srwi."] = s["srdi."] = shift_right;
    s["andi."] = [](Registers &r, Operands o) {
        return result(r, o, r.number(o[1]) & o[2].number);
    };
    s["rldicl."] = [](Registers &r,
                      Operands o) { /* rotates left, keeps the bits from o[3] on */
                                    const auto by = (unsigned)o[2].number;
                                    const auto x = (uint64_t)r.number(o[1]);
                                    const uint64_t rotated = by ? x << by | x >> (64 - by) : x;
                                    return result(r, o,
                                                  (wide)(rotated & ~UINT64_C(0) >> o[3].number));
    };
    s["cmplwi"] = s["cmpldi"] = [](Registers &r, Operands o) {
        r.equal = r.number(o[0]) == o[1].number;
        return (int)NEXT;
    };
    s["mtctr"] = [](Registers &r, Operands o) {
        r.count = r.number(o[0]);
        return (int)NEXT;
    };
    s["bdnz"] = [](Registers &r, Operands) { return --r.count != 0 ? r.target() : (int)NEXT; };
    s["vspltish"] = [](Registers &r, Operands o) { return splat(r, o, 16); };
    s["vspltisw"] = [](Registers &r, Operands o) { return splat(r, o, 32); };
    s["lvx"] = load_aligned;
    s["stvx"] = store_aligned;
    s["vmsumuhm"] = multiply_sum;
    s["vsumsws"] = sum_across;
    s["lvsl"] = alignment<true>;
    s["lvsr"] = alignment<false>;
    s["vperm"] = permute;
    s["vadduwm"] = [](Registers &r, Operands o) {
        Lanes a = r.arithmetic().cut(r.vectors[o[1].number], 32);
        const Lanes b = r.arithmetic().cut(r.vectors[o[2].number], 32);
        for (size_t i = 0; i < 4; i++)
            a[i] = r.arithmetic().add(a[i], b[i]);
        r.vectors[o[0].number] = a;
        return (int)NEXT;
    };
    s["vor"] = [](Registers &r, Operands o) { /* a move */
                                              r.vectors[o[0].number] = r.arithmetic().logic(
                                                  Arithmetic::OR, r.vectors[o[1].number],
                                                  r.vectors[o[2].number]);
                                              return (int)NEXT;
    };
    s["vspltw"] = [](Registers &r, Operands o) {
        const Lanes words = from_left(r, r.vectors[o[1].number], 32);
        r.vectors[o[0].number] = Lanes(4, words.at((size_t)o[2].number));
        return (int)NEXT;
    };
    s["stvewx"] = [](Registers &r, Operands o) { /* the word whose place in 16 bytes this is */
                                                 const uint64_t to =
                                                     indexed(r, o[1], o[2]) & ~UINT64_C(3);
                                                 const Lanes words =
                                                     r.arithmetic().cut(r.vectors[o[0].number], 32);
                                                 r.machine.memory.store(to, { words[to % 16 / 4] });
                                                 return (int)NEXT;
    };
    s["lxvd2x"] = load_two;
    s["stxvd2x"] = store_two;
    s["xxpermdi"] = [](Registers &r, Operands o) {
        const Lanes a = from_left(r, vsx(r, o[1]), 64), b = from_left(r, vsx(r, o[2]), 64);
        Lanes out = { a[(size_t)o[3].number >> 1 & 1], b[(size_t)o[3].number & 1] };
        numbered_from_left(r, out);
        vsx(r, o[0]) = out;
        return (int)NEXT;
    };
    s["mfvsrd"] = [](Registers &r, Operands o) {
        r.lanes(o[0]) = { from_left(r, vsx(r, o[1]), 64)[0] };
        return (int)NEXT;
    };
}
