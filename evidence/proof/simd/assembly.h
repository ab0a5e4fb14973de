/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Inline assembly of the kernels: exactly the instructions that they use. assembly_*.h say what
 * each of them does; an instruction that is not there is an error.
 */
#ifndef WIRESUM_PROOF_ASSEMBLY_H
#define WIRESUM_PROOF_ASSEMBLY_H

#include <cctype>
#include <cstring>
#include <sstream>

#include "machine.h"

/* An operand as it is written: a register, a number, an address, a label, a list of registers. */
struct Written {
    std::string text;        /* without a register, or whatever else follows */
    int slot = -1;           /* of a general register, an operand of the asm, or a base */
    int vector = -1;         /* the number of a vector register */
    long number = 0;         /* an immediate, or the displacement of an address */
    long length = 0;         /* of an address with a length: 0(256,%r1) */
    int mask = -1;           /* the slot of a mask: %zmm0{%k1} */
    bool write_back = false; /* the address is advanced: r0! */
    bool is_number = false;
    std::vector<int> list;
};

struct Registers;
typedef int (*Step)(Registers &, const std::vector<Written> &);
enum { NEXT = -1 }; /* the step that follows; other results are the index of a step */

struct Line {
    std::string name;
    std::vector<Written> operands;
    Step step = nullptr;
    int target = -1; /* of a branch */
};

struct Block {
    std::vector<Line> lines;
    struct Bound {
        int slot;     /* that holds the operand */
        int argument; /* of the call, or -1 */
        bool is_output;
        bool is_indirect; /* memory, of which the argument is the address */
    };
    std::vector<Bound> bound;
    size_t slots = 0;
};

/* The state of the CPU inside of an asm. */
struct Registers {
    Machine &machine;
    std::vector<Lanes> slots;
    Lanes vectors[64];
    Lane carry = zeros(1);
    bool equal = false;    /* the last comparison with zero or of two numbers */
    bool overflow = false; /* of s390x: condition code 3 */
    wide count = 0;        /* of PowerPC: the count register */
    size_t active = 0, lane_bits = 0, group = 1; /* of RISC-V: vl, SEW, LMUL */
    const Block *block;
    size_t at = 0;

    Registers(Machine &m, const Block &b) : machine(m), slots(b.slots), block(&b) {}

    Arithmetic &arithmetic()
    {
        return machine.arithmetic;
    }
    Lanes &lanes(const Written &w)
    {
        if (w.slot < 0)
            throw std::runtime_error("no register: " + w.text);
        return slots[(size_t)w.slot];
    }
    /* The number in a register, or an immediate. */
    wide number(const Written &w)
    {
        if (w.is_number)
            return w.number;
        if (lanes(w).empty())
            throw Refuted("register " + w.text + " is read before it is written");
        return arithmetic().number(lanes(w));
    }
    void set(const Written &w, wide n)
    {
        lanes(w) = { known(n, machine.pointer_bits) };
    }
    uint64_t address(const Written &w)
    {
        return (uint64_t)(arithmetic().number(lanes(w)) + w.number);
    }
    Lanes load(uint64_t address, size_t size)
    {
        return machine.memory.load(address, size);
    }
    /* A word of general registers, as one lane. */
    Lane word(const Written &w)
    {
        if (w.is_number)
            return known(w.number, machine.pointer_bits);
        if (lanes(w).empty())
            throw Refuted("register " + w.text + " is read before it is written");
        return arithmetic().whole(lanes(w));
    }
    Lanes &vector(const Written &w)
    {
        return vectors[w.vector >= 0 ? w.vector : (int)w.number];
    }
    int target() const
    {
        return block->lines[at].target;
    }
};

typedef std::map<std::string, Step> Steps;
void add_steps_of_x86(Steps &);
void add_steps_of_arm(Steps &);
void add_steps_of_power(Steps &);
void add_steps_of_riscv(Steps &);
void add_steps_of_s390x(Steps &);
void add_steps_of_loongarch(Steps &);

inline const Steps &all_steps()
{
    static const Steps steps = [] {
        Steps s;
        add_steps_of_x86(s), add_steps_of_arm(s), add_steps_of_power(s);
        add_steps_of_riscv(s), add_steps_of_s390x(s), add_steps_of_loongarch(s);
        return s;
    }();
    return steps;
}

/* Reads the text and the constraints of an asm. */
class AssemblyParser
{
    static constexpr char REFERENCE = '\1'; /* before the number of an operand of the asm */
    Block &block;
    std::map<std::string, int> names;

  public:
    explicit AssemblyParser(Block &b) : block(b) {}

    void read(const std::string &text, const std::string &constraints, const Instruction &call)
    {
        std::map<int, std::string> immediates;
        int argument = 0;
        for (const std::string &c : split(constraints, ',')) {
            if (c[0] == '~')
                continue;
            const int number = (int)block.bound.size();
            const bool output = c[0] == '=';
            const bool indirect = c.find('*') != std::string::npos;
            Block::Bound b = { (int)block.slots, -1, output && !indirect, indirect };
            if (isdigit((unsigned char)c[0]))
                b.slot = block.bound.at((size_t)std::stoi(c)).slot;
            else
                block.slots++;
            if (!b.is_output) {
                const Operand &o = call.operands.at((size_t)argument);
                if ((c == "n" || c == "i") && o.reg < 0)
                    immediates[number] = decimal(o.constant.lanes[0].form.constant);
                b.argument = argument++;
            }
            block.bound.push_back(b);
        }
        lines(referenced(text, immediates));
    }

  private:
    static std::vector<std::string> split(const std::string &text, char by)
    {
        std::vector<std::string> out(1);
        int depth = 0;
        for (const char c : text) {
            depth += c == '{' || c == '(' || c == '['   ? 1
                     : c == '}' || c == ')' || c == ']' ? -1
                                                        : 0;
            if (c == by && depth == 0)
                out.emplace_back();
            else
                out.back() += c;
        }
        return out;
    }
    static std::string trimmed(const std::string &text)
    {
        const size_t from = text.find_first_not_of(" \t"), to = text.find_last_not_of(" \t");
        return from == std::string::npos ? "" : text.substr(from, to - from + 1);
    }

    /* Marks $0 and ${0:h} as references to operands. */
    static std::string referenced(const std::string &text, const std::map<int, std::string> &given)
    {
        std::string out;
        for (size_t i = 0; i < text.size(); i++) {
            if (text[i] != '$') {
                out += text[i];
                continue;
            }
            if (text[++i] == '$') {
                out += '$';
                continue;
            }
            const bool braces = text[i] == '{';
            size_t end = i + braces;
            int number = 0;
            while (end < text.size() && isdigit((unsigned char)text[end]))
                number = 10 * number + (text[end++] - '0');
            if (braces)
                end = text.find('}', end) + 1;
            out += given.count(number) ? given.at(number) : REFERENCE + std::to_string(number);
            i = end - 1;
        }
        return out;
    }

    void lines(const std::string &text)
    {
        std::map<std::string, std::vector<int>> labels;
        std::vector<std::string> targets;
        std::stringstream in(text);
        for (std::string raw; std::getline(in, raw);) {
            std::string line = trimmed(raw);
            while (!line.empty() && isdigit((unsigned char)line[0])) {
                const size_t colon = line.find(':');
                labels[line.substr(0, colon)].push_back((int)block.lines.size());
                line = trimmed(line.substr(colon + 1));
            }
            if (line.empty() || line[0] == '.') /* a directive */
                continue;
            const size_t end = std::min(line.find_first_of(" \t"), line.size());
            Line l;
            l.name = line.substr(0, end);
            const auto found = all_steps().find(l.name);
            if (found == all_steps().end())
                throw std::runtime_error("no model for the instruction " + l.name);
            l.step = found->second;
            std::string target;
            for (const std::string &operand : split(trimmed(line.substr(end)), ',')) {
                const std::string o = trimmed(operand);
                if (o.size() >= 2 && isdigit((unsigned char)o[0])
                    && (o.back() == 'f' || o.back() == 'b') && o.find('(') == std::string::npos)
                    target = o;
                else if (!o.empty())
                    l.operands.push_back(written(o));
            }
            targets.push_back(target);
            block.lines.push_back(std::move(l));
        }
        for (size_t i = 0; i < block.lines.size(); i++) {
            if (targets[i].empty())
                continue;
            const bool forward = targets[i].back() == 'f';
            for (const int to : labels.at(targets[i].substr(0, targets[i].size() - 1)))
                if (forward ? to > (int)i && block.lines[i].target < 0 : to <= (int)i)
                    block.lines[i].target = to;
            if (block.lines[i].target < 0)
                throw std::runtime_error("no label " + targets[i]);
        }
    }

    int slot(const std::string &name)
    {
        if (name[0] == REFERENCE)
            return block.bound.at((size_t)std::stoi(name.substr(1))).slot;
        const auto found = names.emplace(name, (int)block.slots);
        block.slots += found.second;
        return found.first->second;
    }
    /* A number, or a product of numbers. */
    static bool numeric(const std::string &text, long &number)
    {
        const std::string t = text[0] == '$' || text[0] == '#' ? text.substr(1) : text;
        if (t.empty() || !(isdigit((unsigned char)t[0]) || t[0] == '-'))
            return false;
        number = 1;
        for (const std::string &factor : split(t, '*'))
            number *= std::stol(trimmed(factor));
        return true;
    }

    Written written(std::string text)
    {
        Written w;
        w.text = text[0] == REFERENCE ? "$" + text.substr(1) : text;
        if (text.back() == '!') {
            w.write_back = true;
            text.pop_back();
        }
        if (text[0] == '{') {
            for (const std::string &name : split(text.substr(1, text.size() - 2), ','))
                w.list.push_back(slot(trimmed(name)));
            return w;
        }
        const size_t brace = text.find('{');
        if (brace != std::string::npos) {
            w.mask = slot(text.substr(brace + 1, text.size() - brace - 2));
            text.resize(brace);
        }
        const size_t open = text.find_first_of("([");
        if (open != std::string::npos) {
            const auto inside = split(text.substr(open + 1, text.size() - open - 2), ',');
            if (open > 0)
                numeric(trimmed(text.substr(0, open)), w.number);
            if (inside.size() == 2)
                numeric(trimmed(inside[0]), w.length);
            w.slot = slot(trimmed(inside.back()));
            return w;
        }
        w.is_number = numeric(text, w.number);
        for (const char *prefix : { "v", "%v", "$vr" })
            if (text.compare(0, strlen(prefix), prefix) == 0
                && isdigit((unsigned char)text[strlen(prefix)]))
                w.vector = std::stoi(text.substr(strlen(prefix)));
        if (!w.is_number && w.vector < 0)
            w.slot = slot(text);
        return w;
    }
};

inline std::shared_ptr<Block>
parse_assembly(const std::string &text, const std::string &constraints, const Instruction &call)
{
    auto block = std::make_shared<Block>();
    AssemblyParser(*block).read(text, constraints, call);
    return block;
}

inline void run_assembly(Machine &machine, const Instruction &call,
                         std::vector<const Value *> arguments, Value &result)
{
    const Block &block = *call.assembly;
    Registers r(machine, block);
    for (const Block::Bound &b : block.bound)
        if (b.argument >= 0)
            r.slots[(size_t)b.slot] = arguments[(size_t)b.argument]->lanes;
    while (r.at < block.lines.size()) {
        const Line &line = block.lines[r.at];
        const int next = line.step(r, line.operands);
        r.at = next == NEXT ? r.at + 1 : (size_t)next;
    }
    std::vector<Value> outputs;
    for (const Block::Bound &b : block.bound)
        if (b.is_output)
            outputs.push_back(Machine::of(r.slots[(size_t)b.slot]));
    if (call.type.kind == Type::STRUCT)
        result.members = std::move(outputs);
    else if (!outputs.empty())
        result = std::move(outputs[0]);
}

#endif
