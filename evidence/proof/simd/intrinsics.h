/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What LLVM's intrinsics compute: those into which Clang's headers turn the intrinsics of the
 * kernels, and the few of LLVM itself.
 */
#ifndef WIRESUM_PROOF_INTRINSICS_H
#define WIRESUM_PROOF_INTRINSICS_H

#include "machine.h"

namespace models
{

typedef const std::vector<const Value *> &Arguments;

inline Lanes lanes_of(Machine &m, const Value &v, unsigned width)
{
    return m.arithmetic.cut(v.lanes, width);
}

/* ---- LLVM's own ---- */

inline Value nothing(Machine &, const Instruction &, Arguments)
{
    return {};
}
inline Value first(Machine &, const Instruction &, Arguments args)
{
    return *args[0];
}
inline Value copy_memory(Machine &m, const Instruction &, Arguments args)
{
    const auto size = (size_t)m.number(*args[2]);
    if (size)
        m.memory.store(m.address(*args[0]), m.memory.load(m.address(*args[1]), size, true));
    return {};
}
inline Value set_memory(Machine &m, const Instruction &, Arguments args)
{
    const auto size = (size_t)m.number(*args[2]);
    if (size)
        m.memory.store(m.address(*args[0]), Lanes(size, known(m.number(*args[1]), 8)));
    return {};
}
inline Value funnel_left(Machine &m, const Instruction &in, Arguments args)
{
    const unsigned w = in.type.bits;
    const Lanes a = lanes_of(m, *args[0], w), b = lanes_of(m, *args[1], w);
    const Lanes by = lanes_of(m, *args[2], w);
    Lanes out;
    for (size_t i = 0; i < a.size(); i++) {
        if (!(a[i].form == b[i].form) || a[i].undefined || b[i].undefined)
            throw Refuted("a funnel shift of two numbers");
        const auto n = (unsigned)(m.arithmetic.number({ by[i] }) % (wide)w);
        for (Lane &lane : m.arithmetic.rotate_left({ a[i] }, n))
            out.push_back(std::move(lane));
    }
    return Machine::of(std::move(out));
}
inline Value reduce_add(Machine &m, const Instruction &in, Arguments args)
{
    Lane sum = zeros(in.type.bits);
    for (const Lane &lane : lanes_of(m, *args[0], in.type.bits))
        sum = m.arithmetic.add(sum, lane);
    return Machine::of(sum);
}
inline Value masked_load(Machine &m, const Instruction &in, Arguments args)
{
    Lanes out = lanes_of(m, *args[2], in.type.bits);
    const Lanes mask = lanes_of(m, *args[1], 1);
    const uint64_t from = m.address(*args[0]);
    const size_t size = in.type.bits / 8;
    for (size_t i = 0; i < out.size(); i++)
        if (m.arithmetic.number({ mask[i] }))
            out[i] = m.arithmetic.whole(m.memory.load(from + i * size, size));
    return Machine::of(std::move(out));
}
inline Value masked_store(Machine &m, const Instruction &in, Arguments args)
{
    const unsigned width = in.types[0].bits;
    const Lanes lanes = lanes_of(m, *args[0], width), mask = lanes_of(m, *args[2], 1);
    const uint64_t to = m.address(*args[1]);
    for (size_t i = 0; i < lanes.size(); i++)
        if (m.arithmetic.number({ mask[i] }))
            m.memory.store(to + i * width / 8, { lanes[i] });
    return {};
}

/* An intrinsic in code that is never reached may be one that has no model. */
inline Value unknown(Machine &, const Instruction &in, Arguments)
{
    throw std::runtime_error("no model for the intrinsic " + in.name);
}

/* ---- x86 ---- */

/* Adds the products of neighboring words to lanes of 32 bits. */
inline Lanes dot(Machine &m, Lanes sums, const Value &a, const Value &b, bool is_signed)
{
    const Lanes x = lanes_of(m, a, 16), y = lanes_of(m, b, 16);
    for (size_t i = 0; i < x.size(); i++) {
        Form p, q;
        if (is_signed)
            p = m.arithmetic.exact_signed(x[i]), q = m.arithmetic.exact_signed(y[i]);
        else
            p = m.arithmetic.exact(x[i]), q = m.arithmetic.exact(y[i]);
        if (!p.known() && !q.known())
            throw Refuted("two unknown numbers are multiplied");
        Form &sum = sums[i / 2].form;
        sum = p.known() ? sum.plus(q, p.constant) : sum.plus(p, q.constant);
    }
    return sums;
}
inline Value multiply_add_words(Machine &m, const Instruction &in, Arguments args)
{
    return Machine::of(dot(m, Lanes(in.type.count, zeros(32)), *args[0], *args[1], true));
}
inline Value dot_signed(Machine &m, const Instruction &, Arguments args)
{
    return Machine::of(dot(m, lanes_of(m, *args[0], 32), *args[1], *args[2], true));
}
inline Value dot_unsigned(Machine &m, const Instruction &, Arguments args)
{
    return Machine::of(dot(m, lanes_of(m, *args[0], 32), *args[1], *args[2], false));
}
/* (a + b + 1) / 2 of each two words, rounded down. */
inline Value average_words(Machine &m, const Instruction &, Arguments args)
{
    const Lanes a = lanes_of(m, *args[0], 16), b = lanes_of(m, *args[1], 16);
    Lanes out;
    for (size_t i = 0; i < a.size(); i++) {
        const Form sum = m.arithmetic.exact(a[i]).plus(m.arithmetic.exact(b[i])).plus(Form(1));
        out.push_back({ 16, m.arithmetic.atoms.divide(sum, 1).first });
    }
    return Machine::of(std::move(out));
}
/* Loads the lanes whose masks have the top bit, and zeros in place of the others. */
inline Value load_lanes(Machine &m, const Instruction &in, Arguments args)
{
    const unsigned width = in.type.bits;
    Lanes out;
    for (const Lane &mask : lanes_of(m, *args[1], width)) {
        const uint64_t from = m.address(*args[0]) + out.size() * width / 8;
        const bool loads = m.arithmetic.number({ mask }) >> (width - 1) & 1;
        out.push_back(loads ? m.arithmetic.whole(m.memory.load(from, width / 8)) : zeros(width));
    }
    return Machine::of(std::move(out));
}
/* Whether two vectors share no bit. */
inline Value share_no_bit(Machine &m, const Instruction &in, Arguments args)
{
    bool none = true;
    for (const Lane &lane :
         m.arithmetic.cut(m.arithmetic.logic(Arithmetic::AND, args[0]->lanes, args[1]->lanes), 32))
        none &= m.arithmetic.number({ lane }) == 0;
    return Machine::of(known(none, in.type.bits));
}
/* Words of 32 bits as words of 16 bits, which hold them here. */
inline Value pack_words(Machine &m, const Instruction &, Arguments args)
{
    Lanes out;
    for (const Value *const half : args)
        for (const Lane &lane : lanes_of(m, *half, 32)) {
            const Form f = m.arithmetic.exact(lane);
            if (!m.arithmetic.atoms.range(f).within(16))
                throw Refuted("a word of more than 16 bits is packed");
            out.push_back({ 16, f });
        }
    return Machine::of(std::move(out));
}
/* The lowest bits of a number, as many as the lowest byte of the second operand says. */
inline Value zero_high_bits(Machine &m, const Instruction &in, Arguments args)
{
    const auto keep = (unsigned)(m.number(*args[1]) & 0xFF);
    if (keep >= in.type.bits)
        return *args[0];
    return Machine::of(m.arithmetic.logic(Arithmetic::AND, args[0]->lanes,
                                          { known(power(keep) - 1, in.type.bits) }));
}
/* Shifts each lane; all bits leave it where the count is not below its width. */
template <bool left> Value shift_lanes(Machine &m, const Instruction &in, Arguments args)
{
    const auto by = (unsigned)m.number(*args[1]);
    Lanes out;
    for (const Lanes &lanes : m.arithmetic.elements(args[0]->lanes, in.type.bits)) {
        if (by >= in.type.bits)
            out.push_back(zeros(in.type.bits));
        else
            for (Lane &part :
                 left ? m.arithmetic.shift_left(lanes, by) : m.arithmetic.shift_right(lanes, by))
                out.push_back(std::move(part));
    }
    return Machine::of(std::move(out));
}

/* A logic function of three bits, given by its table: here x op (y other z) in any order. */
inline Value ternary_logic(Machine &m, const Instruction &in, Arguments args)
{
    const wide table = m.number(*args[3]);
    const auto of_bits = [](Arithmetic::Logic op, wide a, wide b) {
        return op == Arithmetic::AND ? a & b : op == Arithmetic::OR ? a | b : a ^ b;
    };
    const wide columns[3] = { 0xF0, 0xCC, 0xAA };
    for (const auto op : { Arithmetic::AND, Arithmetic::OR, Arithmetic::XOR })
        for (const auto other : { Arithmetic::AND, Arithmetic::OR, Arithmetic::XOR })
            for (size_t i = 0; i < 3; i++) {
                const size_t j = (i + 1) % 3, k = (i + 2) % 3;
                if (of_bits(op, columns[i], of_bits(other, columns[j], columns[k])) == table)
                    return Machine::of(m.arithmetic.logic(
                        op, args[i]->lanes,
                        m.arithmetic.logic(other, args[j]->lanes, args[k]->lanes)));
            }
    throw std::runtime_error("no model for the table of " + in.name);
}

/* ---- ARM: NEON ---- */

inline Value add_pairs_long(Machine &m, const Instruction &in, Arguments args)
{
    const Lanes x = lanes_of(m, *args[0], in.type.bits / 2);
    Lanes out;
    for (size_t i = 0; i < x.size(); i += 2)
        out.push_back(
            { in.type.bits, m.arithmetic.exact(x[i]).plus(m.arithmetic.exact(x[i + 1])) });
    return Machine::of(std::move(out));
}
inline Value add_pairs_long_to(Machine &m, const Instruction &in, Arguments args)
{
    Lanes out = lanes_of(m, *args[0], in.type.bits);
    const Lanes x = lanes_of(m, *args[1], in.type.bits / 2);
    for (size_t i = 0; i < x.size(); i++)
        out[i / 2].form = out[i / 2].form.plus(m.arithmetic.exact(x[i]));
    return Machine::of(std::move(out));
}
inline Value load_vector(Machine &m, const Instruction &in, Arguments args)
{
    return Machine::of(m.memory.load(m.address(*args[0]), in.type.size()));
}
inline Value store_vector(Machine &m, const Instruction &, Arguments args)
{
    m.memory.store(m.address(*args[0]), args[1]->lanes);
    return {};
}
inline Value load_two_vectors(Machine &m, const Instruction &in, Arguments args)
{
    Value out;
    uint64_t from = m.address(*args[0]);
    for (const Type &member : in.type.members) {
        out.members.push_back(Machine::of(m.memory.load(from, member.size())));
        from += member.size();
    }
    return out;
}
/* Looks bytes up in one or more vectors; an index beyond them gives 0. */
inline Value look_up(Machine &m, const Instruction &in, Arguments args)
{
    Lanes table;
    for (size_t i = 0; i + 1 < args.size(); i++)
        for (const Lane &lane : lanes_of(m, *args[i], 8))
            table.push_back(lane);
    Lanes out;
    for (const Lane &lane : lanes_of(m, *args.back(), 8)) {
        const auto index = (size_t)m.arithmetic.number({ lane });
        out.push_back(index < table.size() ? table[index] : zeros(8));
    }
    (void)in;
    return Machine::of(std::move(out));
}

/* ---- ARM: SVE. A predicate has a bit a byte; for wider lanes the first bit of each counts. ----
 */

inline Value count_bytes(Machine &m, const Instruction &in, Arguments args)
{
    if (m.number(*args[0]) != 31)
        throw std::runtime_error("cntb with a pattern other than all");
    return Machine::of(known((wide)m.vector_bytes, in.type.bits));
}
inline Value while_lower(Machine &m, const Instruction &in, Arguments args)
{
    const wide from = m.number(*args[0]), to = m.number(*args[1]);
    Lanes out;
    for (size_t i = 0; i < in.type.count; i++)
        out.push_back(known(from + (wide)i < to, 1));
    return Machine::of(std::move(out));
}
inline Value all_true(Machine &m, const Instruction &in, Arguments args)
{
    if (m.number(*args[0]) != 31)
        throw std::runtime_error("ptrue with a pattern other than all");
    return Machine::of(Lanes(in.type.count, known(1, 1)));
}
inline Value from_bytes_predicate(Machine &m, const Instruction &in, Arguments args)
{
    const Lanes bits = lanes_of(m, *args[0], 1);
    Lanes out;
    for (size_t i = 0; i < in.type.count; i++)
        out.push_back(bits[i * (bits.size() / in.type.count)]);
    return Machine::of(std::move(out));
}
inline Value to_bytes_predicate(Machine &m, const Instruction &in, Arguments args)
{
    const Lanes bits = lanes_of(m, *args[0], 1);
    Lanes out(in.type.count, zeros(1));
    for (size_t i = 0; i < bits.size(); i++)
        out[i * (out.size() / bits.size())] = bits[i];
    return Machine::of(std::move(out));
}
/* Whether the first lane that the first predicate chooses is true in the second. */
inline Value first_true(Machine &m, const Instruction &, Arguments args)
{
    const Lanes chosen = lanes_of(m, *args[0], 1), bits = lanes_of(m, *args[1], 1);
    for (size_t i = 0; i < chosen.size(); i++)
        if (m.arithmetic.number({ chosen[i] }))
            return Machine::of(bits[i]);
    return Machine::of(known(0, 1));
}
inline Value predicated_load(Machine &m, const Instruction &in, Arguments args)
{
    const Lanes bits = lanes_of(m, *args[0], 1);
    const uint64_t from = m.address(*args[1]);
    Lanes out;
    for (size_t i = 0; i < bits.size(); i++)
        out.push_back(m.arithmetic.number({ bits[i] }) ? m.memory.load(from + i, 1)[0] : zeros(8));
    if (in.type.bits != 8)
        throw std::runtime_error("a predicated load of lanes wider than bytes");
    return Machine::of(std::move(out));
}
inline Value predicated_store(Machine &m, const Instruction &in, Arguments args)
{
    const Lanes lanes = lanes_of(m, *args[0], 8), bits = lanes_of(m, *args[1], 1);
    const uint64_t to = m.address(*args[2]);
    if (in.types[0].bits != 8)
        throw std::runtime_error("a predicated store of lanes wider than bytes");
    for (size_t i = 0; i < lanes.size(); i++)
        if (m.arithmetic.number({ bits[i] }))
            m.memory.store(to + i, { lanes[i] });
    return {};
}
inline Value fill(Machine &m, const Instruction &in, Arguments args)
{
    return Machine::of(Lanes(in.type.count, m.arithmetic.whole(args[0]->lanes)));
}
/* A lane that the predicate leaves out is undefined: the .u forms. */
inline Lane chosen(Machine &m, const Lane &bit, Lane lane)
{
    lane.undefined |= !m.arithmetic.number({ bit });
    return lane;
}
template <int times> Value add_chosen(Machine &m, const Instruction &in, Arguments args)
{
    const unsigned w = in.type.bits;
    const Lanes bits = lanes_of(m, *args[0], 1);
    const Lanes a = lanes_of(m, *args[1], w), b = lanes_of(m, *args[2], w);
    Lanes out;
    for (size_t i = 0; i < a.size(); i++)
        out.push_back(chosen(m, bits[i], m.arithmetic.add(a[i], b[i], times)));
    return Machine::of(std::move(out));
}
template <bool left> Value shift_chosen(Machine &m, const Instruction &in, Arguments args)
{
    const unsigned w = in.type.bits;
    const Lanes bits = lanes_of(m, *args[0], 1);
    const Lanes a = lanes_of(m, *args[1], w), b = lanes_of(m, *args[2], w);
    Lanes out;
    for (size_t i = 0; i < a.size(); i++) {
        const wide by = m.arithmetic.number({ b[i] });
        if (by >= (wide)w)
            out.push_back(chosen(m, bits[i], zeros(w)));
        else
            for (Lane &part : left ? m.arithmetic.shift_left({ a[i] }, (unsigned)by)
                                   : m.arithmetic.shift_right({ a[i] }, (unsigned)by))
                out.push_back(chosen(m, bits[i], std::move(part)));
    }
    return Machine::of(std::move(out));
}
inline Value dot_four(Machine &m, const Instruction &in, Arguments args)
{
    Lanes out = lanes_of(m, *args[0], in.type.bits);
    const unsigned w = in.type.bits / 4;
    const Lanes x = lanes_of(m, *args[1], w), y = lanes_of(m, *args[2], w);
    for (size_t i = 0; i < x.size(); i++) {
        const Form p = m.arithmetic.exact(x[i]), q = m.arithmetic.exact(y[i]);
        if (!q.known())
            throw Refuted("two unknown numbers are multiplied");
        out[i / 4].form = out[i / 4].form.plus(p, q.constant);
    }
    return Machine::of(std::move(out));
}
inline Value sum_chosen(Machine &m, const Instruction &in, Arguments args)
{
    const Lanes bits = lanes_of(m, *args[0], 1);
    const Lanes lanes = lanes_of(m, *args[1], in.types[1].bits);
    Lane sum = zeros(in.type.bits);
    for (size_t i = 0; i < lanes.size(); i++)
        if (m.arithmetic.number({ bits[i] }))
            sum = m.arithmetic.add(sum, { in.type.bits, m.arithmetic.exact(lanes[i]) });
    return Machine::of(sum);
}

/* ---- s390x ---- */

/* Loads or stores bytes up to an index, at most as many as a vector has; zeros follow them. */
inline Value load_to_index(Machine &m, const Instruction &, Arguments args)
{
    const auto bytes = (size_t)std::min(m.number(*args[0]) + 1, (wide)16);
    Lanes out = m.memory.load(m.address(*args[1]), bytes);
    out.resize(16, zeros(8));
    return Machine::of(std::move(out));
}
inline Value store_to_index(Machine &m, const Instruction &, Arguments args)
{
    const auto bytes = (size_t)std::min(m.number(*args[1]) + 1, (wide)16);
    Lanes lanes = lanes_of(m, *args[0], 8);
    lanes.resize(bytes);
    m.memory.store(m.address(*args[2]), lanes);
    return {};
}
/* Adds the words of the first operand to word 1 of the second, with end-around carry. */
inline Lanes sum_words_around(Machine &m, const Lanes &x, const Lanes &sum)
{
    Lanes out(4, zeros(32));
    out[1] = m.arithmetic.cut(sum, 32)[1];
    for (const Lane &word : m.arithmetic.cut(x, 32))
        out[1] = m.arithmetic.add_around(out[1], word);
    return out;
}
inline Value vector_checksum(Machine &m, const Instruction &, Arguments args)
{
    return Machine::of(sum_words_around(m, args[0]->lanes, args[1]->lanes));
}

} // namespace models

inline Intrinsic find_intrinsic(const std::string &name)
{
    using namespace models;
    static const std::vector<std::pair<const char *, Intrinsic>> all = {
        { "expect.", first },
        { "lifetime.", nothing },
        { "experimental.noalias.scope.decl", nothing },
        { "assume", nothing },
        { "prefetch", nothing },
        { "memcpy.", copy_memory },
        { "memset.", set_memory },
        { "fshl.", funnel_left },
        { "vector.reduce.add.", reduce_add },
        { "masked.load.", masked_load },
        { "masked.store.", masked_store },
        { "x86.sse.sfence", nothing },
        { "x86.sse2.pmadd.wd", multiply_add_words },
        { "x86.avx2.pmadd.wd", multiply_add_words },
        { "x86.avx512.pmaddw.d.512", multiply_add_words },
        { "x86.avx2.pavg.w", average_words },
        { "x86.avx.ptestz.256", share_no_bit },
        { "x86.sse41.packusdw", pack_words },
        { "x86.avx2.maskload.d.256", load_lanes },
        { "x86.avx512.vpdpwssd.", dot_signed },
        { "x86.avx2.vpdpwuud.", dot_unsigned },
        { "x86.avx512.pternlog.", ternary_logic },
        { "x86.bmi.bzhi.", zero_high_bits },
        { "x86.sse2.psrli.", shift_lanes<false> },
        { "x86.sse2.pslli.", shift_lanes<true> },
        { "x86.avx2.psrli.", shift_lanes<false> },
        { "x86.avx2.pslli.", shift_lanes<true> },
        { "x86.avx512.psrli.", shift_lanes<false> },
        { "x86.avx512.pslli.", shift_lanes<true> },
        { "aarch64.neon.uaddlp.", add_pairs_long },
        { "aarch64.neon.tbl1.", look_up },
        { "arm.neon.vpaddlu.", add_pairs_long },
        { "arm.neon.vpadalu.", add_pairs_long_to },
        { "arm.neon.vtbl2", look_up },
        { "arm.neon.vld1.", load_vector },
        { "arm.neon.vst1.", store_vector },
        { "arm.neon.vld1x2.", load_two_vectors },
        { "wasm.extadd.pairwise.unsigned.", add_pairs_long },
        { "wasm.swizzle", look_up },
        { "aarch64.sve.cntb", count_bytes },
        { "aarch64.sve.whilelo.", while_lower },
        { "aarch64.sve.ptrue.", all_true },
        { "aarch64.sve.ptest.first.", first_true },
        { "aarch64.sve.convert.from.svbool.", from_bytes_predicate },
        { "aarch64.sve.convert.to.svbool.", to_bytes_predicate },
        { "aarch64.sve.ld1.", predicated_load },
        { "aarch64.sve.st1.", predicated_store },
        { "aarch64.sve.dup.x.", fill },
        { "aarch64.sve.add.u.", add_chosen<1> },
        { "aarch64.sve.sub.u.", add_chosen<-1> },
        { "aarch64.sve.lsl.u.", shift_chosen<true> },
        { "aarch64.sve.lsr.u.", shift_chosen<false> },
        { "aarch64.sve.udot.", dot_four },
        { "aarch64.sve.uaddv.", sum_chosen },
        { "s390.vll", load_to_index },
        { "s390.vstl", store_to_index },
        { "s390.vcksm", vector_checksum },
    };
    for (const auto &[prefix, model] : all)
        if (name.compare(0, strlen(prefix), prefix) == 0)
            return model;
    return unknown;
}

#endif
