/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* Executes a program on unknown bytes. Its path never depends on them: a branch, an address or a
 * length that did would be an error. */
#ifndef WIRESUM_PROOF_MACHINE_H
#define WIRESUM_PROOF_MACHINE_H

#include <functional>

#include "program.h"

void run_assembly(Machine &machine, const Instruction &call, std::vector<const Value *> arguments,
                  Value &result);

class Machine
{
  public:
    Arithmetic arithmetic;
    Memory memory{ arithmetic };
    Program program;
    unsigned pointer_bits = 64;
    size_t vector_bytes = 16; /* of a scalable vector */
    /* Functions of other files: what they return does not depend on the data. */
    std::map<std::string, std::function<wide()>> outside;

    Value run(const Function &f, std::vector<Value> arguments, int depth = 0)
    {
        if (depth > 50)
            throw Refuted("50 calls deep");
        std::vector<Value> regs((size_t)f.registers);
        const uint64_t top = memory.stack_top();
        for (size_t i = 0; i < f.parameters.size(); i++) {
            if (f.by_value[i]) { /* the callee has a copy of its own */
                const uint64_t copy = memory.allocate(f.by_value[i]);
                memory.store(copy, memory.load(address(arguments[i]), f.by_value[i], true));
                arguments[i] = pointer(copy);
            }
            regs[(size_t)f.parameters[i]] = std::move(arguments[i]);
        }
        int block = -1, previous = -1;
        size_t at = f.blocks.at(0);
        block = 0;
        std::vector<const Value *> args;
        for (;;) {
            const Instruction &in = f.code[at];
            if (++steps > MOST_STEPS)
                throw Refuted("the kernel does not end");
            if (in.op == Op::PHI) { /* all phis of a block read before one writes */
                std::vector<Value> values;
                size_t end = at;
                for (; f.code[end].op == Op::PHI; end++) {
                    const Instruction &phi = f.code[end];
                    size_t i = 0;
                    while (phi.blocks.at(i) != previous)
                        i++;
                    values.push_back(*get(regs, phi.operands[i]));
                }
                for (size_t i = at; i < end; i++)
                    regs[(size_t)f.code[i].dest] = std::move(values[i - at]);
                at = end;
                continue;
            }
            args.clear();
            for (const Operand &o : in.operands)
                args.push_back(get(regs, o));
            int next = -1;
            switch (in.op) {
            case Op::BR:
                next = in.blocks.size() == 1 || number(*args[0]) ? in.blocks[0] : in.blocks[1];
                break;
            case Op::SWITCH: {
                const wide n = number(*args[0]);
                next = in.blocks[0];
                for (size_t i = 0; i < in.numbers.size(); i++)
                    if (in.numbers[i] == n)
                        next = in.blocks[i + 1];
                break;
            }
            case Op::RET: {
                Value result = args.empty() ? Value() : *args[0];
                memory.free_to(top);
                return result;
            }
            case Op::UNREACHABLE:
                throw Refuted("code that cannot be reached is reached");
            default: {
                Value result = execute(in, args, depth);
                if (in.dest >= 0)
                    regs[(size_t)in.dest] = std::move(result);
            }
            }
            if (next >= 0) {
                previous = block;
                block = next;
                at = f.blocks[(size_t)next];
            } else {
                at++;
            }
        }
    }

    void start()
    {
        arithmetic.atoms.clear();
        memory.clear();
        steps = 0;
    }
    wide number(const Value &v)
    {
        if (v.lanes.size() == 1 && v.lanes[0].width <= 64 && Arithmetic::is_known(v.lanes))
            return v.lanes[0].form.constant & (power(v.lanes[0].width) - 1);
        return arithmetic.number(v.lanes);
    }
    uint64_t address(const Value &v)
    {
        return (uint64_t)number(v);
    }
    Value pointer(uint64_t address) const
    {
        return of(known((wide)address, pointer_bits));
    }
    static Value of(Lane lane)
    {
        Value v;
        v.lanes.push_back(std::move(lane));
        return v;
    }
    static Value of(Lanes lanes)
    {
        Value v;
        v.lanes = std::move(lanes);
        return v;
    }
    const Function &function(const std::string &name) const
    {
        const auto it = program.functions.find("@" + name);
        if (it == program.functions.end())
            throw std::runtime_error("no function is named " + name);
        return *it->second;
    }

  private:
    static constexpr long MOST_STEPS = 2000000000;
    long steps = 0;

    static const Value *get(const std::vector<Value> &regs, const Operand &o)
    {
        return o.reg < 0 ? &o.constant : &regs[(size_t)o.reg];
    }

    /* Two numbers that are known, as most are: addresses, lengths, masks. */
    static bool both_known(const Instruction &in, const std::vector<const Value *> &args)
    {
        return in.type.kind != Type::VECTOR && in.type.bits <= 64
               && Arithmetic::is_known(args[0]->lanes) && Arithmetic::is_known(args[1]->lanes);
    }
    Value on_known(const Instruction &in, const std::vector<const Value *> &args)
    {
        const unsigned w = in.type.bits;
        const wide x = number(*args[0]), y = number(*args[1]);
        const wide half = power(w - 1);
        const wide sx = x >= half ? x - 2 * half : x, sy = y >= half ? y - 2 * half : y;
        const bool shift = in.op == Op::SHL || in.op == Op::LSHR || in.op == Op::ASHR;
        if (shift && y >= (wide)w)
            throw Refuted("a shift by all bits is undefined");
        if ((in.op == Op::UDIV || in.op == Op::UREM || in.op == Op::SDIV || in.op == Op::SREM)
            && y == 0)
            throw Refuted("a division by zero");
        switch (in.op) {
        case Op::ADD:
            return of(known(x + y, w));
        case Op::SUB:
            return of(known(x - y, w));
        case Op::MUL:
            return of(known(x * y, w));
        case Op::UDIV:
            return of(known(x / y, w));
        case Op::UREM:
            return of(known(x % y, w));
        case Op::SDIV:
            return of(known(sx / sy, w));
        case Op::SREM:
            return of(known(sx % sy, w));
        case Op::SHL:
            return of(known(x << (unsigned)y, w));
        case Op::LSHR:
            return of(known(x >> (unsigned)y, w));
        case Op::ASHR:
            return of(known(sx >> (unsigned)y, w));
        case Op::AND:
            return of(known(x & y, w));
        case Op::OR:
            return of(known(x | y, w));
        case Op::XOR:
            return of(known(x ^ y, w));
        default:
            break;
        }
        const std::string &p = in.name;
        return of(known(p == "eq"    ? x == y
                        : p == "ne"  ? x != y
                        : p == "ult" ? x < y
                        : p == "ule" ? x <= y
                        : p == "ugt" ? x > y
                        : p == "uge" ? x >= y
                        : p == "slt" ? sx < sy
                        : p == "sle" ? sx <= sy
                        : p == "sgt" ? sx > sy
                                     : sx >= sy,
                        1));
    }

    Value binary(const Instruction &in, const std::vector<const Value *> &args)
    {
        if (both_known(in, args))
            return on_known(in, args);
        const unsigned w = in.type.bits;
        const bool vector = in.type.kind == Type::VECTOR;
        switch (in.op) {
        case Op::AND:
        case Op::OR:
        case Op::XOR:
            return of(arithmetic.logic(in.op == Op::AND  ? Arithmetic::AND
                                       : in.op == Op::OR ? Arithmetic::OR
                                                         : Arithmetic::XOR,
                                       args[0]->lanes, args[1]->lanes));
        case Op::ADD:
        case Op::SUB:
        case Op::MUL: {
            Lanes a = arithmetic.cut(args[0]->lanes, w);
            const Lanes b = arithmetic.cut(args[1]->lanes, w);
            const wide times = in.op == Op::SUB ? -1 : 1;
            for (size_t i = 0; i < a.size(); i++) {
                const bool folds = arithmetic.is_rotated(a[i]) || arithmetic.is_rotated(b[i]);
                a[i] = in.op == Op::MUL   ? arithmetic.multiply(a[i], b[i])
                       : vector && !folds ? arithmetic.add(a[i], b[i], times)
                                          : arithmetic.add_exactly(a[i], b[i], times);
            }
            return of(std::move(a));
        }
        case Op::ASHR:
        case Op::SHL:
        case Op::LSHR: {
            if (in.op == Op::ASHR && (vector || !positive(args[0]->lanes)))
                throw Refuted("an arithmetic shift of a number that may be negative");
            const Lanes by = arithmetic.cut(args[1]->lanes, w);
            Lanes out;
            if (!vector)
                return of(shift(in.op, args[0]->lanes, (unsigned)arithmetic.number(by)));
            const Lanes a = arithmetic.cut(args[0]->lanes, w);
            for (size_t i = 0; i < a.size(); i++)
                for (Lane &lane : shift(in.op, { a[i] }, (unsigned)arithmetic.number({ by[i] })))
                    out.push_back(std::move(lane));
            return of(std::move(out));
        }
        default:
            throw Refuted("a division or a shift of unknown numbers");
        }
    }
    Lanes shift(Op op, const Lanes &lanes, unsigned by)
    {
        return op == Op::SHL ? arithmetic.shift_left(lanes, by) : arithmetic.shift_right(lanes, by);
    }

    bool positive(const Lanes &lanes) const
    {
        const Lane top = arithmetic.low_first(lanes).back();
        return top.form.known() && !top.undefined
               && (top.form.constant >> (top.width - 1) & 1) == 0;
    }
    Value select(const Instruction &in, const std::vector<const Value *> &args)
    {
        if (in.from.kind != Type::VECTOR)
            return number(*args[0]) ? *args[1] : *args[2];
        const Lanes conditions = arithmetic.cut(args[0]->lanes, 1);
        Lanes out = arithmetic.cut(args[1]->lanes, in.types[1].bits);
        const Lanes others = arithmetic.cut(args[2]->lanes, in.types[2].bits);
        for (size_t i = 0; i < out.size(); i++)
            if (!arithmetic.number({ conditions[i] }))
                out[i] = others[i];
        return of(std::move(out));
    }
    Value compare(const Instruction &in, const std::vector<const Value *> &args)
    {
        if (both_known(in, args))
            return on_known(in, args);
        const unsigned w = in.type.bits;
        const Lanes a = arithmetic.cut(args[0]->lanes, w), b = arithmetic.cut(args[1]->lanes, w);
        Lanes out;
        for (size_t i = 0; i < a.size(); i++) {
            if (in.type.kind == Type::VECTOR && (in.name == "eq" || in.name == "ne")) {
                /* A mask may leave out a lane of which nothing is known. */
                const Lane difference = arithmetic.add(a[i], b[i], -1);
                const bool sure = difference.form.known() && !difference.undefined;
                const bool zero = (difference.form.constant & (power(w) - 1)) == 0;
                out.push_back(sure ? known(zero == (in.name == "eq"), 1) : Lane{ 1, Form(), true });
            } else if (in.name == "ult" || in.name == "uge")
                out.push_back(arithmetic.less(a[i], b[i]));
            else if (in.name == "ugt" || in.name == "ule")
                out.push_back(arithmetic.less(b[i], a[i]));
            else
                throw Refuted("a comparison (" + in.name + ") depends on the data");
            if (in.name == "uge" || in.name == "ule")
                out.back().form = Form(1).plus(out.back().form, -1);
        }
        return of(std::move(out));
    }

    Value execute(const Instruction &in, std::vector<const Value *> &args, int depth)
    {
        switch (in.op) {
        case Op::ADD:
        case Op::SUB:
        case Op::MUL:
        case Op::UDIV:
        case Op::SDIV:
        case Op::UREM:
        case Op::SREM:
        case Op::SHL:
        case Op::LSHR:
        case Op::ASHR:
        case Op::AND:
        case Op::OR:
        case Op::XOR:
            return binary(in, args);
        case Op::ICMP:
            return compare(in, args);
        case Op::SELECT:
            return select(in, args);
        case Op::CAST:
        case Op::FREEZE:
            return *args[0];
        case Op::ZEXT: {
            Lanes out;
            if (in.type.kind != Type::VECTOR)
                return of(arithmetic.extended(args[0]->lanes, in.type.bits));
            for (const Lane &lane : arithmetic.cut(args[0]->lanes, in.from.bits))
                out.push_back({ in.type.bits, arithmetic.exact(lane) });
            return of(std::move(out));
        }
        case Op::SEXT: {
            Lanes out;
            for (const Lane &lane : arithmetic.cut(args[0]->lanes, in.from.bits))
                out.push_back(lane.form.known() && !lane.undefined
                                  ? known(arithmetic.exact_signed(lane).constant, in.type.bits)
                                  : Lane{ in.type.bits, arithmetic.exact_signed(lane) });
            return of(std::move(out));
        }
        case Op::TRUNC: {
            if (in.type.kind != Type::VECTOR)
                return of(arithmetic.truncated(args[0]->lanes, in.type.bits));
            Lanes out;
            for (const Lane &lane : arithmetic.cut(args[0]->lanes, in.from.bits))
                out.push_back({ in.type.bits, lane.form, lane.undefined });
            return of(std::move(out));
        }
        case Op::GEP: {
            wide at = number(*args[0]) + in.offset;
            for (size_t i = 0; i < in.numbers.size(); i++) {
                const Lanes &index = args[i + 1]->lanes;
                wide n = number(*args[i + 1]);
                const wide half = power(width_of(index) - 1);
                n = n >= half ? n - 2 * half : n;
                at += n * in.numbers[i];
            }
            return of(known(at, pointer_bits));
        }
        case Op::LOAD:
            return load(address(*args[0]), in.type);
        case Op::STORE:
            store(address(*args[1]), *args[0], in.type);
            return {};
        case Op::ALLOCA:
            return pointer(memory.allocate(in.type.size()));
        case Op::EXTRACTVALUE:
            return member(*args[0], in.numbers, 0);
        case Op::INSERTVALUE: {
            Value v = *args[0];
            Value *place = &v;
            for (const wide index : in.numbers)
                place = &place->members.at((size_t)index);
            *place = *args[1];
            return v;
        }
        case Op::EXTRACTELEMENT: {
            const auto index = (size_t)number(*args[1]);
            return of(arithmetic.elements(args[0]->lanes, in.from.bits).at(index));
        }
        case Op::INSERTELEMENT: {
            Lanes lanes = arithmetic.cut(args[0]->lanes, in.from.bits);
            lanes.at((size_t)number(*args[2])) = arithmetic.whole(args[1]->lanes);
            return of(std::move(lanes));
        }
        case Op::SHUFFLE: {
            const auto a = arithmetic.elements(args[0]->lanes, in.from.bits);
            const auto b = arithmetic.elements(args[1]->lanes, in.from.bits);
            Lanes out;
            for (const wide number : in.numbers) {
                const auto index = (size_t)number;
                if (number < 0) {
                    out.push_back({ in.from.bits, Form(), true });
                    continue;
                }
                for (const Lane &lane : index < a.size() ? a[index] : b.at(index - a.size()))
                    out.push_back(lane);
            }
            return of(std::move(out));
        }
        case Op::CALL:
            return call(in, args, depth);
        case Op::ASM: {
            Value result;
            run_assembly(*this, in, args, result);
            return result;
        }
        default:
            throw std::runtime_error("an instruction that the machine does not know");
        }
    }

    Value call(const Instruction &in, const std::vector<const Value *> &args, int depth)
    {
        if (in.intrinsic)
            return in.intrinsic(*this, in, args);
        const bool indirect = in.name.empty();
        const Function *f = in.function;
        if (indirect)
            f = program.by_address.at(number(*args[0]));
        if (!f) {
            const auto other = program.functions.find(in.name);
            if (other != program.functions.end())
                f = other->second.get();
        }
        if (!f) {
            const auto known_outside = outside.find(in.name);
            if (known_outside == outside.end())
                throw std::runtime_error("no file has the function " + in.name);
            return of(known(known_outside->second(), in.type.bits));
        }
        std::vector<Value> values;
        for (size_t i = indirect; i < args.size(); i++)
            values.push_back(*args[i]);
        return run(*f, std::move(values), depth + 1);
    }

    static Value member(const Value &v, const std::vector<wide> &path, size_t at)
    {
        return at == path.size() ? v : member(v.members.at((size_t)path[at]), path, at + 1);
    }
    Value load(uint64_t at, const Type &t)
    {
        Value v;
        if (t.kind == Type::STRUCT || t.kind == Type::ARRAY) {
            const size_t n = t.kind == Type::ARRAY ? t.count : t.members.size();
            for (size_t i = 0; i < n; i++) {
                const Type &of = t.members[t.kind == Type::ARRAY ? 0 : i];
                v.members.push_back(
                    load(at + (t.kind == Type::ARRAY ? i * of.size() : t.offset(i)), of));
            }
            return v;
        }
        v.lanes = memory.load(at, t.size(), t.kind == Type::POINTER);
        if (t.kind == Type::POINTER)
            for (Lane &lane : v.lanes)
                lane.address = false;
        if (t.total_bits() % 8 != 0) /* an i1 is stored as a byte */
            v.lanes = arithmetic.truncated(v.lanes, (unsigned)t.total_bits());
        return v;
    }
    void store(uint64_t at, const Value &v, const Type &t)
    {
        if (t.kind == Type::STRUCT || t.kind == Type::ARRAY) {
            for (size_t i = 0; i < v.members.size(); i++) {
                const Type &of = t.members[t.kind == Type::ARRAY ? 0 : i];
                store(at + (t.kind == Type::ARRAY ? i * of.size() : t.offset(i)), v.members[i], of);
            }
            return;
        }
        const unsigned bits = width_of(v.lanes);
        Lanes lanes = bits % 8 ? arithmetic.extended(v.lanes, (bits + 7) / 8 * 8) : v.lanes;
        for (Lane &lane : lanes)
            lane.address = t.kind == Type::POINTER;
        memory.store(at, std::move(lanes));
    }
};

#endif
