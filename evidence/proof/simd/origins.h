/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * What the code of a function does with addresses, found without executing it.
 *
 * Each pointer has a region: the source, the destination, or something of the function itself. The
 * number that a pointer becomes keeps the region. A difference or a comparison of two addresses of
 * one region says nothing of where the region lies. Any other use of an address looks at it. A
 * result that depends on two regions, and on more than the lowest six bits of both, stops the
 * proof: no choice of addresses covers it.
 */
#ifndef WIRESUM_PROOF_ORIGINS_H
#define WIRESUM_PROOF_ORIGINS_H

#include <array>
#include <set>

#include "assembly.h"

/* What is known of a value. Its number is the address of `base`, if there is one, plus a number
 * that depends on the addresses of regions as `depends` says. */
struct Origin {
    enum Base { NONE = -1, SOURCE, DESTINATION, OWN };
    enum Depth : uint8_t { NOT, LOW_BITS, ALL_BITS }; /* LOW_BITS: the lowest six alone */
    static constexpr size_t REGIONS = 3;

    bool reached = false; /* no value has come here yet */
    int base = NONE;      /* OWN and more: variables and constants of the function */
    std::array<uint8_t, REGIONS> depends = {};

    static Origin number()
    {
        Origin o;
        o.reached = true;
        return o;
    }
    static Origin pointer(int base)
    {
        Origin o = number();
        o.base = base;
        return o;
    }
    static size_t region(int base)
    {
        return (size_t)std::min(base, (int)OWN);
    }
    bool operator<(const Origin &o) const
    {
        return std::tie(reached, base, depends) < std::tie(o.reached, o.base, o.depends);
    }
    bool operator==(const Origin &o) const
    {
        return reached == o.reached && base == o.base && depends == o.depends;
    }
    bool is_number() const
    {
        return base == NONE && depends == decltype(depends){};
    }
    /* How much of the address of a region the value depends on. */
    uint8_t depth(size_t r) const
    {
        return base != NONE && region(base) == r ? (uint8_t)ALL_BITS : depends[r];
    }
    /* The same without a base. */
    Origin loose() const
    {
        Origin o = *this;
        o.base = NONE;
        for (size_t r = 0; r < REGIONS; r++)
            o.depends[r] = depth(r);
        return o;
    }
    void add(const Origin &o)
    {
        for (size_t r = 0; r < REGIONS; r++)
            depends[r] = std::max(depends[r], o.depends[r]);
    }
    /* The value is this one or that one. */
    void join(const Origin &o)
    {
        if (!o.reached || !reached) {
            if (!reached)
                *this = o;
            return;
        }
        if (base == o.base) {
            add(o);
            return;
        }
        *this = loose();
        add(o.loose());
    }
};

/* Of a struct, each member's; otherwise one. */
typedef std::vector<Origin> Origins;

/* Follows addresses through a function and all that it calls, until nothing new comes up. */
class AddressUse
{
    typedef std::pair<const Function *, std::vector<Origins>> Call;
    struct State {
        std::vector<Origins> registers;
        Origins result;
    };

    const Program &program;
    std::map<Call, State> states;
    std::set<Call> seen;                   /* in this round */
    std::map<const void *, int> variables; /* each its region */
    std::set<const Function *> pointed_at;
    /* What the variables hold, by their region; NONE is for a pointer to any. */
    std::map<int, Origin> pointers_held, numbers_held;
    bool changed = false, settled = false;

  public:
    bool looks = false; /* at bits of an address of the source or the destination */
    bool mixes = false; /* addresses of two regions */

    AddressUse(const Program &p, const Function &f, bool copies) : program(p)
    {
        for (const auto &[name, of] : p.functions)
            for (const Instruction &in : of->code)
                for (const Operand &o : in.operands)
                    if (const Form *const number = constant(o)) {
                        const auto found = p.by_address.find(number->constant);
                        if (found != p.by_address.end())
                            pointed_at.insert(found->second);
                    }
        std::vector<Origins> arguments;
        for (size_t i = 0; i < f.parameters.size(); i++)
            arguments.push_back({ i > copies         ? Origin::number()
                                  : i == 0 && copies ? Origin::pointer(Origin::DESTINATION)
                                                     : Origin::pointer(Origin::SOURCE) });
        for (const bool last : { false, true }) {
            settled = last;
            do {
                changed = false;
                seen.clear();
                call(f, arguments);
            } while (changed);
        }
    }

  private:
    void update(Origin &to, const Origin &from)
    {
        const Origin before = to;
        to.join(from);
        changed |= !(to == before);
    }
    void update(Origins &to, const Origins &from)
    {
        if (to.size() < from.size())
            to.resize(from.size());
        for (size_t i = 0; i < from.size(); i++)
            update(to[i], from[i]);
    }

    Origin variable(const void *key)
    {
        const int number = (int)variables.size();
        return Origin::pointer(Origin::OWN + (1 << 28)
                               + variables.emplace(key, number).first->second);
    }
    static Origin held(const std::map<int, Origin> &by_region, int base)
    {
        Origin joint;
        for (const auto &[region, o] : by_region)
            if (base == Origin::NONE || region == base || region == Origin::NONE)
                joint.join(o);
        return joint;
    }
    /* Variables that are copied as a whole. */
    void copy(const Origin &to, const Origin &from)
    {
        if (from.depth(Origin::OWN) == 0 || to.depth(Origin::OWN) == 0)
            return;
        for (auto *const by_region : { &pointers_held, &numbers_held }) {
            const Origin o = held(*by_region, from.base);
            if (o.reached)
                update((*by_region)[to.base], o);
        }
    }

    Origins call(const Function &f, const std::vector<Origins> &arguments)
    {
        const Call key = { &f, arguments };
        State &state = states[key];
        if (!seen.insert(key).second)
            return state.result;
        state.registers.resize((size_t)f.registers);
        for (size_t i = 0; i < f.parameters.size(); i++) {
            Origins &parameter = state.registers[(size_t)f.parameters[i]];
            parameter = arguments[i];
            if (f.by_value[i]) {
                parameter = { variable(&f.parameters[i]) };
                copy(parameter[0], one(arguments[i]));
            }
        }
        for (bool again = true; again;) {
            const bool before = changed;
            changed = false;
            for (const Instruction &in : f.code) {
                const Origins result = of(in, state);
                if (in.dest >= 0)
                    update(state.registers[(size_t)in.dest], result);
            }
            again = changed;
            changed |= before;
        }
        return state.result;
    }

    /* ---- What an operation does ---- */

    void look(const Origin &o)
    {
        looks |= o.depth(Origin::SOURCE) != 0 || o.depth(Origin::DESTINATION) != 0;
    }
    /* Two values meet in one operation. */
    void meet(const Origin &a, const Origin &b)
    {
        for (size_t r = 0; r < Origin::REGIONS; r++)
            for (size_t s = 0; s < Origin::REGIONS; s++)
                mixes |= r != s && a.depth(r) == Origin::ALL_BITS && b.depth(s) == Origin::ALL_BITS;
    }
    Origin mixture(const Origin &a, const Origin &b)
    {
        if (!a.reached || !b.reached)
            return {};
        meet(a, b);
        look(a), look(b);
        Origin result = a.loose();
        result.add(b.loose());
        return result;
    }
    Origin sum(const Origin &a, const Origin &b)
    {
        if (!a.reached || !b.reached || (a.base != Origin::NONE && b.base != Origin::NONE))
            return mixture(a, b);
        meet(a, b);
        Origin result = a.base != Origin::NONE ? a : b;
        result.add(a.base != Origin::NONE ? b : a);
        return result;
    }
    Origin difference(const Origin &a, const Origin &b)
    {
        if (!a.reached || !b.reached || (b.base != Origin::NONE && a.base != b.base))
            return mixture(a, b);
        meet(a, b);
        Origin result = a;
        if (b.base != Origin::NONE)
            result.base = Origin::NONE;
        result.add(b);
        return result;
    }
    void compare(const Origin &a, const Origin &b)
    {
        if (a.base == Origin::NONE || a.base != b.base || a.depends != b.depends)
            mixture(a, b);
    }
    static Origin low_bits(Origin o)
    {
        for (uint8_t &depth : o.depends)
            depth = std::min(depth, (uint8_t)Origin::LOW_BITS);
        return o;
    }

    /* ---- Instructions ---- */

    static const Form *constant(const Operand &o)
    {
        return o.reg < 0 && o.constant.lanes.size() == 1 ? &o.constant.lanes[0].form : nullptr;
    }
    static Origins origins(const Operand &o, const State &state)
    {
        if (o.reg >= 0)
            return state.registers[(size_t)o.reg];
        const Form *const number = constant(o);
        const bool is_address = number && number->known()
                                && number->constant >= (wide)Memory::CONSTANTS_AT
                                && number->constant < (wide)Memory::STACK_AT;
        return { is_address ? Origin::pointer(Origin::OWN + (int)(number->constant / 64))
                            : Origin::number() };
    }
    static Origin one(const Origins &all)
    {
        Origin joint;
        for (const Origin &o : all)
            joint.join(o);
        return joint;
    }

    Origins of(const Instruction &in, State &state)
    {
        std::vector<Origins> all;
        std::vector<Origin> args;
        for (const Operand &o : in.operands) {
            all.push_back(origins(o, state));
            args.push_back(one(all.back()));
        }
        switch (in.op) {
        case Op::ADD:
            return { sum(args[0], args[1]) };
        case Op::SUB:
            return { difference(args[0], args[1]) };
        case Op::AND:
        case Op::UREM: {
            const Form *const by = constant(in.operands[1]);
            const Origin result = mixture(args[0], args[1]);
            const wide most = !by || by->constant < 0 ? 64 : by->constant - (in.op == Op::UREM);
            const bool of_bits = in.op == Op::AND || (most & (most + 1)) == 0;
            return { most < 64 && of_bits ? low_bits(result) : result };
        }
        case Op::ICMP: {
            const Form *const to = constant(in.operands[1]);
            const bool with_null =
                to && to->known() && to->constant == 0 && (in.name == "eq" || in.name == "ne");
            if (!with_null || args[0].base == Origin::NONE)
                compare(args[0], args[1]);
            return { Origin::number() };
        }
        case Op::SELECT:
            return { one({ args[1], args[2] }) };
        case Op::PHI: {
            Origins result;
            for (const Origins &o : all)
                for (size_t i = 0; i < o.size(); i++) {
                    result.resize(std::max(result.size(), o.size()));
                    result[i].join(o[i]);
                }
            return result;
        }
        case Op::CAST:
        case Op::FREEZE:
            return all[0];
        case Op::GEP: {
            Origin result = args[0];
            for (size_t i = 1; i < args.size(); i++)
                result = sum(result, args[i]);
            return { result };
        }
        case Op::ALLOCA:
            return { variable(&in) };
        case Op::LOAD:
            return loaded(in.type, args[0]);
        case Op::STORE:
            stored(in.type, all[0], args[1]);
            return {};
        case Op::EXTRACTVALUE:
            return { all[0].size() > (size_t)in.numbers[0] ? all[0][(size_t)in.numbers[0]]
                                                           : args[0] };
        case Op::INSERTVALUE: {
            Origins result = all[0];
            result.resize(std::max(result.size(), (size_t)in.numbers[0] + 1), Origin::number());
            result[(size_t)in.numbers[0]] = args[1];
            return result;
        }
        case Op::CALL:
            return called(in, all, args);
        case Op::ASM:
            return assembly(in, args);
        case Op::RET:
            if (!all.empty())
                update(state.result, all[0]);
            return {};
        case Op::BR:
        case Op::SWITCH:
        case Op::UNREACHABLE:
            for (const Origin &o : args)
                look(o);
            return {};
        default: {
            Origin result = Origin::number();
            for (const Origin &o : args)
                result = mixture(result, o);
            return { result };
        }
        }
    }
    Origins loaded(const Type &t, const Origin &from)
    {
        if (t.kind == Type::STRUCT) {
            Origins result;
            for (const Type &member : t.members)
                result.push_back(one(loaded(member, from)));
            return result;
        }
        if (t.kind == Type::ARRAY)
            return loaded(t.members[0], from);
        if (!from.reached || from.depth(Origin::OWN) == 0)
            return { from.reached ? Origin::number() : Origin() };
        Origin o = held(numbers_held, from.base);
        if (t.kind == Type::POINTER)
            o.join(held(pointers_held, from.base));
        if (!o.reached && (settled || t.kind != Type::POINTER))
            o = t.kind == Type::POINTER ? Origin::pointer(Origin::OWN) : Origin::number();
        return { o };
    }
    void stored(const Type &t, const Origins &value, const Origin &to)
    {
        if (t.kind == Type::STRUCT)
            for (size_t i = 0; i < t.members.size(); i++)
                stored(t.members[i], { value.size() > i ? value[i] : one(value) }, to);
        else if (t.kind == Type::ARRAY)
            stored(t.members[0], value, to);
        else if (!one(value).is_number() && to.depth(Origin::OWN) != 0)
            update((t.kind == Type::POINTER ? pointers_held : numbers_held)[to.base], one(value));
    }

    Origins called(const Instruction &in, std::vector<Origins> all, const std::vector<Origin> &args)
    {
        for (const Origin &o : args)
            if (!o.reached)
                return {};
        if (in.intrinsic) {
            if (in.name.find(".expect.") != std::string::npos)
                return { args[0] };
            if (in.name.find(".memcpy.") != std::string::npos)
                copy(args[0], args[1]);
            Origin result = Origin::number();
            for (size_t i = 0; i < args.size(); i++)
                if (in.types[i].kind != Type::POINTER)
                    result = mixture(result, args[i]);
                else if (in.name.find(".ptrmask.") != std::string::npos)
                    look(args[i]);
            return { in.type.kind == Type::POINTER ? args[0] : result };
        }
        if (in.name.empty()) { /* any with so many parameters whose address the code names */
            all.erase(all.begin());
            Origin result;
            for (const Function *const f : pointed_at)
                if (f->parameters.size() == all.size())
                    result.join(one(call(*f, all)));
            return { result };
        }
        const auto other = program.functions.find(in.name);
        const Function *const f = in.function                        ? in.function
                                  : other != program.functions.end() ? other->second.get()
                                                                     : nullptr;
        return f ? call(*f, all) : Origins{ Origin::number() };
    }

    /* ---- Assembly ---- */

    Origins assembly(const Instruction &in, const std::vector<Origin> &args)
    {
        const Block &block = *in.assembly;
        const size_t end = block.lines.size();
        std::vector<Origins> before(end + 1, Origins(block.slots));
        for (const Block::Bound &b : block.bound)
            if (b.argument >= 0)
                before[0][(size_t)b.slot] = args[(size_t)b.argument];
        std::set<int> indirect;
        for (const Block::Bound &b : block.bound)
            if (b.is_indirect)
                indirect.insert(b.slot);
        std::vector<bool> reached(end + 1);
        reached[0] = true;
        for (bool again = true; again;) {
            again = false;
            for (size_t i = 0; i < end; i++) {
                if (!reached[i])
                    continue;
                const Line &line = block.lines[i];
                Origins after = before[i];
                execute(line, indirect, after);
                for (const size_t next : { i + 1, (size_t)std::max(line.target, 0) }) {
                    if (next == 0 && line.target != 0)
                        continue;
                    again |= !reached[next];
                    reached[next] = true;
                    for (size_t slot = 0; slot < after.size(); slot++) {
                        const Origin was = before[next][slot];
                        before[next][slot].join(after[slot]);
                        again |= !(before[next][slot] == was);
                    }
                }
            }
        }
        Origins outputs;
        for (const Block::Bound &b : block.bound)
            if (b.is_output)
                outputs.push_back(before[end][(size_t)b.slot]);
        return outputs;
    }

    static bool is_one_of(const std::string &name, std::initializer_list<const char *> names)
    {
        return std::find(names.begin(), names.end(), name) != names.end();
    }

    void execute(const Line &line, const std::set<int> &indirect, Origins &slots)
    {
        static const Origin none = Origin::number();
        const std::string &name = line.name;
        const auto &o = line.operands;
        const auto value = [&](const Written &w) {
            return w.slot < 0 ? none : slots[(size_t)w.slot];
        };
        const auto set = [&](const Written &w, const Origin &to) {
            if (w.slot >= 0)
                slots[(size_t)w.slot] = to;
        };
        /* These round an address, or want one that is a multiple. */
        const bool aligned = is_one_of(name, { "lvx", "stvx", "lvsl", "lvsr", "stvewx" })
                             || name.rfind("ldm", 0) == 0 || name.rfind("stm", 0) == 0
                             || name.rfind("ldr", 0) == 0;
        /* Their address is in registers, without parentheses. */
        const bool indexed = is_one_of(name, { "lxvd2x", "stxvd2x", "vld", "vst" }) || aligned;
        if (is_one_of(name, { "beq", "bne", "bltu", "bgeu", "teq" })) {
            if (o.size() == 2)
                compare(value(o[0]), value(o[1]));
            return;
        }
        if (is_one_of(name, { "add", "addi", "addi.d" }) && o.size() == 3)
            return set(o[0], sum(value(o[1]), value(o[2])));
        if (name == "sub" && o.size() == 3)
            return set(o[0], difference(value(o[1]), value(o[2])));
        if (name == "leaq")
            return set(o[1], value(o[0]));
        bool accesses = indexed;
        Origin joint = none;
        for (const Written &w : o) {
            const bool is_place = w.text.find_first_of("([") != std::string::npos || w.write_back
                                  || indirect.count(w.slot) != 0;
            accesses |= is_place;
            if (aligned)
                look(value(w));
            if (!is_place && !indexed && value(w).reached)
                joint = mixture(joint, value(w));
        }
        for (const Written &w : o) {
            const bool is_place = w.text.find_first_of("([") != std::string::npos || w.write_back
                                  || indirect.count(w.slot) != 0;
            if (!is_place && (!indexed || value(w).is_number() || !value(w).reached))
                set(w, accesses ? none : joint);
            for (const int slot : w.list)
                slots[(size_t)slot] = none;
        }
    }
};

#endif
