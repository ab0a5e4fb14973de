/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Reads the text of LLVM's intermediate representation: the part of it that Clang emits for the
 * kernels. What the parser does not know is an error, and never left out.
 */
#ifndef WIRESUM_PROOF_PARSER_H
#define WIRESUM_PROOF_PARSER_H

#include <cctype>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include "program.h"

std::shared_ptr<Block> parse_assembly(const std::string &text, const std::string &constraints,
                                      const Instruction &call);
Intrinsic find_intrinsic(const std::string &name);

class Parser
{
    Program &program;
    Memory &memory;
    Arithmetic &arithmetic;
    size_t scale; /* vscale: how many times 128 bits a scalable vector has */
    unsigned pointer_bits = 64;
    std::map<std::string, Type> types;
    std::map<std::string, uint64_t> globals;
    std::map<std::string, Function *> local; /* the functions of this file */
    std::string line;
    size_t at = 0;
    int line_number = 0;
    std::string file;
    Function *function = nullptr;
    std::map<std::string, int> registers;
    std::map<std::string, int> blocks;

  public:
    Parser(Program &p, Memory &m, Arithmetic &a, size_t vscale)
        : program(p), memory(m), arithmetic(a), scale(vscale)
    {
    }
    unsigned bits_of_pointers() const
    {
        return pointer_bits;
    }

    void read(const std::string &path)
    {
        static uint64_t next_constant = Memory::CONSTANTS_AT;
        static uint64_t next_function = 0x70000000;
        file = path;
        types.clear(), globals.clear(), local.clear();
        std::ifstream in(path);
        if (!in)
            throw std::runtime_error(path + ": cannot be read");
        std::vector<std::string> lines;
        for (std::string text; std::getline(in, text);)
            lines.push_back(text);
        /* Types, constants and functions first: code may name what comes later. */
        for (size_t i = 0; i < lines.size(); i++) {
            begin(lines[i], (int)i + 1);
            if (accept("target") && accept("datalayout")) {
                arithmetic.big_endian = line.find("\"E") != std::string::npos;
                pointer_bits = line.find("-p:32:32") != std::string::npos ? 32 : 64;
            }
        }
        read_types(lines);
        std::vector<std::pair<uint64_t, size_t>> initializers;
        for (size_t i = 0; i < lines.size(); i++) {
            begin(lines[i], (int)i + 1);
            if (line.rfind("@", 0) == 0) {
                const std::string name = word();
                expect("=");
                while (!accept("constant") && !accept("global"))
                    attribute();
                if (line.find(" external ") != std::string::npos)
                    continue;
                const size_t from = at;
                const Type t = type();
                memory.add(Region::CONSTANT, name, next_constant, t.size());
                globals[name] = next_constant;
                initializers.push_back({ i, from });
                next_constant += (t.size() / 64 + 2) * 64;
            } else if (line.rfind("define", 0) == 0) {
                const size_t a = line.find('@'), b = line.find('(', a);
                const std::string name = line.substr(a, b - a);
                auto made = std::make_unique<Function>();
                made->name = name;
                const bool internal = line.find(" internal ") != std::string::npos;
                local[name] = made.get();
                globals[name] = next_function;
                program.by_address[(wide)next_function] = made.get();
                next_function += 64;
                program.functions[internal ? file + name : name] = std::move(made);
            }
        }
        for (const auto &[i, from] : initializers) {
            begin(lines[i], (int)i + 1);
            const std::string name = word();
            at = from;
            const Type t = type();
            put(globals[name], t, constant(t));
        }
        for (size_t i = 0; i < lines.size(); i++) {
            begin(lines[i], (int)i + 1);
            if (line.rfind("define", 0) == 0)
                i = body(lines, i);
        }
    }

  private:
    /* A type may name others that come later in the file. */
    void read_types(const std::vector<std::string> &lines)
    {
        size_t missing = 0;
        do {
            const size_t before = missing;
            missing = 0;
            for (size_t i = 0; i < lines.size(); i++) {
                begin(lines[i], (int)i + 1);
                if (line.rfind("%", 0) != 0 || types.count(peek_word()))
                    continue;
                const std::string name = word();
                expect("=");
                expect("type");
                bool all = true;
                for (size_t j = line.find('%', at); j != std::string::npos;
                     j = line.find('%', j + 1)) {
                    size_t last = j;
                    while (last < line.size() && in_word(line[last]))
                        last++;
                    all &= types.count(line.substr(j, last - j)) != 0;
                }
                if (all)
                    types[name] = type();
                else
                    missing++;
            }
            if (missing != 0 && missing == before)
                throw std::runtime_error(file + ": a type has a member of an unknown type");
        } while (missing != 0);
    }

    [[noreturn]] void fail(const std::string &what)
    {
        throw std::runtime_error(file + ":" + std::to_string(line_number) + ": " + what
                                 + " at: " + line.substr(std::min(at, line.size()), 60));
    }

    /* ---- Words ---- */

    void begin(const std::string &text, int number)
    {
        line = text, at = 0, line_number = number;
        bool quoted = false;
        for (size_t i = 0; i < line.size(); i++) {
            quoted ^= line[i] == '"';
            if (!quoted && line[i] == ';')
                line.resize(i);
        }
    }
    void blanks()
    {
        while (at < line.size() && line[at] == ' ')
            at++;
    }
    static bool in_word(char c)
    {
        return isalnum((unsigned char)c) || strchr("_.%@-+$#", c);
    }
    char peek()
    {
        blanks();
        return at < line.size() ? line[at] : '\0';
    }
    std::string peek_word()
    {
        blanks();
        size_t end = at;
        while (end < line.size() && in_word(line[end]))
            end++;
        return line.substr(at, end - at);
    }
    std::string word()
    {
        if (peek() == '%' && line.compare(at, 2, "%\"") == 0)
            fail("a quoted name");
        const std::string w = peek_word();
        if (w.empty())
            fail("a word is missing");
        at += w.size();
        return w;
    }
    bool accept(const std::string &text)
    {
        blanks();
        if (in_word(text[0]) ? peek_word() != text : line.compare(at, text.size(), text) != 0)
            return false;
        at += text.size();
        return true;
    }
    void expect(const std::string &text)
    {
        if (!accept(text))
            fail("'" + text + "' is missing");
    }
    std::string quoted()
    {
        expect("\"");
        std::string out;
        for (; at < line.size() && line[at] != '"'; at++) {
            if (line[at] == '\\') {
                out += (char)std::stoi(line.substr(at + 1, 2), nullptr, 16);
                at += 2;
            } else {
                out += line[at];
            }
        }
        expect("\"");
        return out;
    }
    void parentheses()
    {
        int depth = 0;
        do {
            if (at >= line.size())
                fail("no closing parenthesis");
            depth += line[at] == '(' ? 1 : line[at] == ')' ? -1 : 0;
            at++;
        } while (depth);
    }
    /* Skips a word that says nothing about what the program computes. */
    void attribute()
    {
        if (accept("align")) {
            if (peek() == '(')
                parentheses();
            else
                word();
            return;
        }
        word();
        if (at < line.size() && line[at] == '(')
            parentheses();
    }
    void skip(std::initializer_list<const char *> words)
    {
        for (bool found = true; found;) {
            found = false;
            for (const char *w : words)
                found |= accept(w);
        }
    }

    /* ---- Types ---- */

    Type type()
    {
        Type t;
        const std::string w = peek_word();
        if (accept("void")) {
        } else if (accept("ptr")) {
            t.kind = Type::POINTER;
            t.bits = pointer_bits;
        } else if (w.size() > 1 && w[0] == 'i' && isdigit((unsigned char)w[1])) {
            word();
            t.kind = Type::INTEGER;
            t.bits = (unsigned)std::stoul(w.substr(1));
        } else if (w[0] == '%' && types.count(w)) {
            word();
            t = types[w];
        } else if (accept("<{") || accept("{")) {
            t.packed = line[at - 2] == '<';
            t.kind = Type::STRUCT;
            while (!accept("}")) {
                t.members.push_back(type());
                accept(",");
            }
            if (t.packed)
                expect(">");
        } else if (accept("<")) {
            t.kind = Type::VECTOR;
            size_t times = 1;
            if (accept("vscale")) {
                expect("x");
                times = scale;
            }
            t.count = times * std::stoul(word());
            expect("x");
            t.bits = type().bits;
            expect(">");
        } else if (accept("[")) {
            t.kind = Type::ARRAY;
            t.count = std::stoul(word());
            expect("x");
            t.members.push_back(type());
            expect("]");
        } else {
            fail("an unknown type");
        }
        return t;
    }

    /* ---- Constants ---- */

    Value zero(const Type &t)
    {
        Value v;
        if (t.kind == Type::STRUCT)
            for (const Type &member : t.members)
                v.members.push_back(zero(member));
        else if (t.kind == Type::ARRAY)
            v.members.resize(t.count, zero(t.members[0]));
        else
            v.lanes.resize(t.kind == Type::VECTOR ? t.count : 1, zeros(t.bits));
        return v;
    }
    void make_undefined(Value &v)
    {
        for (Lane &lane : v.lanes)
            lane.undefined = true;
        for (Value &member : v.members)
            make_undefined(member);
    }
    Value constant(const Type &t)
    {
        Value v;
        if (accept("zeroinitializer") || accept("null") || accept("false") || accept("none"))
            return zero(t);
        if (accept("undef") || accept("poison")) {
            v = zero(t);
            make_undefined(v);
            return v;
        }
        if (accept("true")) {
            v.lanes = { known(1, 1) };
        } else if (accept("splat")) {
            expect("(");
            const Type of = type();
            v.lanes.resize(t.count, constant(of).lanes[0]);
            expect(")");
        } else if (peek() == 'c' && line[at + 1] == '"') {
            at++;
            for (const char byte : quoted()) {
                v.members.emplace_back();
                v.members.back().lanes = { known((uint8_t)byte, 8) };
            }
        } else if (accept("<{") || accept("<") || accept("[") || accept("{")) {
            while (!accept("}>") && !accept(">") && !accept("]") && !accept("}")) {
                const Type of = type();
                Value member = constant(of);
                if (t.kind == Type::VECTOR)
                    v.lanes.push_back(member.lanes[0]);
                else
                    v.members.push_back(std::move(member));
                accept(",");
            }
        } else if (accept("getelementptr")) {
            skip({ "inbounds", "nuw", "nusw" });
            expect("(");
            v.lanes = { known(element(), pointer_bits) };
        } else if (peek() == '@') {
            const std::string name = word();
            if (!globals.count(name))
                fail("an unknown name: " + name);
            v.lanes = { known((wide)globals[name], pointer_bits) };
        } else {
            const std::string digits = word();
            wide number = 0;
            for (size_t i = digits[0] == '-'; i < digits.size(); i++) {
                if (!isdigit((unsigned char)digits[i]))
                    fail("an unknown constant: " + digits);
                number = 10 * number + (digits[i] - '0');
            }
            v.lanes = { known(digits[0] == '-' ? -number : number, t.bits) };
        }
        return v;
    }
    /* The address that a constant getelementptr gives. */
    wide element()
    {
        Type of = type();
        expect(",");
        const Type pointer = type();
        wide address = constant(pointer).lanes[0].form.constant;
        for (bool first = true; accept(","); first = false) {
            const Type index_type = type();
            Form f = constant(index_type).lanes[0].form;
            wide index = f.constant;
            if (index >= power(index_type.bits - 1))
                index -= power(index_type.bits);
            if (first)
                address += index * (wide)of.size();
            else if (of.kind == Type::STRUCT) {
                address += (wide)of.offset((size_t)index);
                of = Type(of.members[(size_t)index]);
            } else {
                of = Type(of.members[0]);
                address += index * (wide)of.size();
            }
        }
        expect(")");
        return address;
    }
    /* Stores a constant. */
    void put(uint64_t address, const Type &t, const Value &v)
    {
        if (t.kind == Type::STRUCT || t.kind == Type::ARRAY) {
            if (t.kind == Type::STRUCT && v.members.size() < t.size())
                memory.initialize(address, Lanes(t.size(), zeros(8))); /* the padding */
            for (size_t i = 0; i < v.members.size(); i++)
                put(address + (t.kind == Type::ARRAY ? i * t.members[0].size() : t.offset(i)),
                    t.members[t.kind == Type::ARRAY ? 0 : i], v.members[i]);
        } else {
            memory.initialize(address, v.lanes);
        }
    }

    /* ---- Code ---- */

    int reg(const std::string &name)
    {
        const auto found = registers.emplace(name, function->registers);
        if (found.second)
            function->registers++;
        return found.first->second;
    }
    int block(const std::string &name)
    {
        const auto found = blocks.emplace(name, (int)blocks.size());
        return found.first->second;
    }
    Operand operand(const Type &t)
    {
        Operand o;
        if (peek() == '%')
            o.reg = reg(word());
        else
            o.constant = constant(t);
        return o;
    }
    Operand typed(Type *t = nullptr)
    {
        const Type of = type();
        while (isalpha((unsigned char)peek()) && !is_constant(peek_word()))
            attribute();
        if (t)
            *t = of;
        return operand(of);
    }
    static bool is_constant(const std::string &w)
    {
        static const std::set<std::string> words = { "null",  "undef", "poison",
                                                     "true",  "false", "zeroinitializer",
                                                     "splat", "none",  "getelementptr" };
        return words.count(w) != 0;
    }

    size_t body(const std::vector<std::string> &lines, size_t i)
    {
        const size_t a = line.find('@');
        at = a;
        function = local.at(word());
        registers.clear(), blocks.clear();
        expect("(");
        int unnamed = 0;
        while (!accept(")")) {
            type();
            size_t copied = 0;
            while (isalpha((unsigned char)peek())) {
                if (accept("byval")) {
                    expect("(");
                    copied = type().size();
                    expect(")");
                } else {
                    attribute();
                }
            }
            const std::string name = peek() == '%' ? word() : "%" + std::to_string(unnamed);
            unnamed++;
            function->parameters.push_back(reg(name));
            function->by_value.push_back(copied);
            accept(",");
        }
        std::vector<std::string> pending;
        bool first = true;
        for (i++;; i++) {
            begin(lines.at(i), (int)i + 1);
            if (line == "}")
                break;
            if (peek() == '\0')
                continue;
            if (line[0] != ' ') { /* a label */
                const size_t colon = line.find(':');
                label("%" + line.substr(0, colon));
                first = false;
                continue;
            }
            if (first)
                label("%" + std::to_string(unnamed));
            first = false;
            if (line.find(" switch ") != std::string::npos)
                while (lines.at(i).find(']') == std::string::npos)
                    line += lines.at(++i);
            instruction();
        }
        return i;
    }
    void label(const std::string &name)
    {
        const size_t number = (size_t)block(name);
        if (function->blocks.size() <= number)
            function->blocks.resize(number + 1);
        function->blocks[number] = function->code.size();
    }

    void instruction()
    {
        Instruction in;
        if (peek() == '%') {
            in.dest = reg(word());
            expect("=");
        }
        skip({ "tail", "notail", "musttail" });
        const std::string name = word();
        static const std::map<std::string, Op> two = {
            { "add", Op::ADD },   { "sub", Op::SUB },   { "mul", Op::MUL },   { "udiv", Op::UDIV },
            { "sdiv", Op::SDIV }, { "urem", Op::UREM }, { "srem", Op::SREM }, { "shl", Op::SHL },
            { "lshr", Op::LSHR }, { "ashr", Op::ASHR }, { "and", Op::AND },   { "or", Op::OR },
            { "xor", Op::XOR },
        };
        static const std::map<std::string, Op> conversions = {
            { "zext", Op::ZEXT },    { "sext", Op::SEXT },     { "trunc", Op::TRUNC },
            { "bitcast", Op::CAST }, { "ptrtoint", Op::CAST }, { "inttoptr", Op::CAST },
        };
        if (two.count(name)) {
            in.op = two.at(name);
            skip({ "nuw", "nsw", "exact", "disjoint" });
            in.type = type();
            in.operands = { operand(in.type) };
            expect(",");
            in.operands.push_back(operand(in.type));
        } else if (conversions.count(name)) {
            in.op = conversions.at(name);
            skip({ "nneg", "nuw", "nsw" });
            in.operands = { typed(&in.from) };
            expect("to");
            in.type = type();
        } else if (name == "icmp") {
            in.op = Op::ICMP;
            skip({ "samesign" });
            in.name = word();
            in.type = type();
            in.operands = { operand(in.type) };
            expect(",");
            in.operands.push_back(operand(in.type));
        } else if (name == "select") {
            in.op = Op::SELECT;
            operands(in, 3);
        } else if (name == "freeze") {
            in.op = Op::FREEZE;
            in.operands = { typed(&in.type) };
        } else if (name == "getelementptr") {
            address(in);
        } else if (name == "load") {
            in.op = Op::LOAD;
            skip({ "volatile", "atomic" });
            in.type = type();
            expect(",");
            in.operands = { typed() };
        } else if (name == "store") {
            in.op = Op::STORE;
            skip({ "volatile", "atomic" });
            in.operands = { typed(&in.type) };
            expect(",");
            in.operands.push_back(typed());
        } else if (name == "alloca") {
            in.op = Op::ALLOCA;
            in.type = type();
            if (accept(",") && !accept("align"))
                fail("a number of variables");
        } else if (name == "br") {
            in.op = Op::BR;
            if (!accept("label")) {
                in.operands = { typed() };
                expect(",");
                expect("label");
            }
            in.blocks.push_back(block(word()));
            if (!in.operands.empty()) {
                expect(",");
                expect("label");
                in.blocks.push_back(block(word()));
            }
        } else if (name == "switch") {
            in.op = Op::SWITCH;
            in.operands = { typed(&in.type) };
            expect(",");
            expect("label");
            in.blocks.push_back(block(word()));
            expect("[");
            while (!accept("]")) {
                const Type t = type();
                in.numbers.push_back(constant(t).lanes[0].form.constant);
                expect(",");
                expect("label");
                in.blocks.push_back(block(word()));
            }
        } else if (name == "phi") {
            in.op = Op::PHI;
            in.type = type();
            do {
                expect("[");
                in.operands.push_back(operand(in.type));
                expect(",");
                in.blocks.push_back(block(word()));
                expect("]");
            } while (accept(","));
        } else if (name == "ret") {
            in.op = Op::RET;
            if (!accept("void"))
                in.operands = { typed(&in.type) };
        } else if (name == "extractvalue" || name == "insertvalue") {
            in.op = name == "extractvalue" ? Op::EXTRACTVALUE : Op::INSERTVALUE;
            operands(in, in.op == Op::INSERTVALUE ? 2 : 1);
            while (accept(","))
                in.numbers.push_back(std::stoi(word()));
        } else if (name == "extractelement" || name == "insertelement") {
            in.op = name == "extractelement" ? Op::EXTRACTELEMENT : Op::INSERTELEMENT;
            operands(in, in.op == Op::INSERTELEMENT ? 3 : 2);
        } else if (name == "shufflevector") {
            shuffle(in);
        } else if (name == "call") {
            call(in);
        } else if (name == "unreachable") {
            in.op = Op::UNREACHABLE;
        } else {
            fail("an unknown instruction: " + name);
        }
        function->code.push_back(std::move(in));
    }
    /* Operands with a type each; `from` is the type of the first. */
    void operands(Instruction &in, size_t number)
    {
        for (size_t i = 0; i < number; i++) {
            if (i)
                expect(",");
            Type t;
            in.operands.push_back(typed(&t));
            if (i == 0)
                in.from = t;
            in.types.push_back(t);
        }
    }
    void address(Instruction &in)
    {
        in.op = Op::GEP;
        skip({ "inbounds", "nuw", "nusw" });
        Type of = type();
        expect(",");
        in.operands = { typed() };
        for (bool first = true; accept(","); first = false) {
            Type index_type;
            const Operand index = typed(&index_type);
            if (!first && of.kind == Type::STRUCT) {
                const auto member = (size_t)index.constant.lanes[0].form.constant;
                in.offset += (wide)of.offset(member);
                of = Type(of.members[member]);
                continue;
            }
            if (!first)
                of = Type(of.members.at(0));
            in.operands.push_back(index);
            in.numbers.push_back((wide)of.size());
        }
    }
    void shuffle(Instruction &in)
    {
        in.op = Op::SHUFFLE;
        operands(in, 2);
        expect(",");
        const Type mask = type();
        const Value lanes = constant(mask);
        for (const Lane &lane : lanes.lanes)
            in.numbers.push_back(lane.undefined ? -1 : lane.form.constant);
    }
    void call(Instruction &in)
    {
        in.op = Op::CALL;
        while (isalpha((unsigned char)peek()) && !is_type(peek_word()))
            attribute();
        in.type = type();
        if (accept("asm")) {
            skip({ "sideeffect", "alignstack", "inteldialect" });
            const std::string text = quoted();
            expect(",");
            const std::string constraints = quoted();
            arguments(in);
            in.op = Op::ASM;
            in.assembly = parse_assembly(text, constraints, in);
            return;
        }
        if (peek() == '%') { /* through a pointer */
            Operand callee;
            callee.reg = reg(word());
            arguments(in);
            in.operands.insert(in.operands.begin(), callee);
            in.name = "";
            return;
        }
        in.name = word();
        arguments(in);
        if (local.count(in.name))
            in.function = local[in.name];
        else if (in.name.rfind("@llvm.", 0) == 0)
            in.intrinsic = find_intrinsic(in.name.substr(6));
    }
    static bool is_type(const std::string &w)
    {
        return w == "void" || w == "ptr"
               || (w[0] == 'i' && w.size() > 1 && isdigit((unsigned char)w[1]));
    }
    void arguments(Instruction &in)
    {
        expect("(");
        while (!accept(")")) {
            if (accept("metadata")) {
                in.operands.clear(), in.types.clear();
                return;
            }
            Type t;
            in.operands.push_back(typed(&t));
            in.types.push_back(t);
            accept(",");
        }
    }
};

#endif
