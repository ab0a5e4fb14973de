/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Proves a function for all bytes of the data, at lengths and addresses one by one: a kernel, or
 * one of shims.c. README.md says what is proved and what is assumed.
 *
 *   prove [option…] FUNCTION FILE…
 *
 * FUNCTION is in the first FILE; the files are LLVM's intermediate representation as text.
 *
 *   --copy                 the function copies: (destination, source, length)
 *   --folded               the function returns a folded sum
 *   --complement           the function returns the complement of it
 *   --lengths A-B[:STEP]   default 0-4096
 *   --offsets A-B          of the data in a page, default 0-63
 *   --wander K             in place of all offsets, K of them, which differ from length to length
 *   --to A-B               offsets of the destination, default: see addresses()
 *   --end-of-page          places the end of a page before, inside of and after the data
 *   --vector BYTES         the length of a scalable vector
 *   --number N             one more argument after the length
 *   --cuts K               K more arguments: all K places, in order, that cut the data into pieces
 *   --piece I              one more argument, I: the sum has the piece I alone, counted from 0
 *   --only A+N             the sum has N bytes alone, the first at A
 *   --without A+N          the sum leaves out the N bytes from A on
 *   --fixed A=V            the byte A of the data is V
 *   --fixed A=V/15         the lower half of the byte A is V
 *   --numeric              the bytes of the data are random numbers, and a copy takes one offset of
 *                          the source for each one of the destination: that is faster
 *   --word                 the result is the word of the bytes that count, with zeros after them
 *   --gives N              the result is the number N
 *   --bound                prints how large the result of the longest data may be
 *   --show                 prints the splits and the result that are refuted
 *   --evaluate             prints results of random inputs: see results.c
 *
 * Exit status: 0 proved, 1 refuted, 2 the input is wrong.
 */
#include <cstdio>
#include <iostream>

#include "assembly.h"
#include "assembly_arm.h"
#include "assembly_loongarch.h"
#include "assembly_power.h"
#include "assembly_riscv.h"
#include "assembly_s390x.h"
#include "assembly_x86.h"
#include "inputs.h"
#include "intrinsics.h"
#include "machine.h"
#include "origins.h"
#include "parser.h"

namespace
{

struct Span {
    size_t first, size;
    bool has(size_t i) const
    {
        return i - first < size;
    }
};

struct Options {
    bool copy = false, folded = false, bound = false, end_of_page = false, evaluate = false;
    bool show = false, numeric = false, complement = false;
    size_t from = 0, to = 4096, step = 1, first = 0, last = 63, to_first = 0, to_last = 0;
    size_t wander = 0;
    bool destinations = false;
    size_t vector_bytes = 16;
    /* of functions with other arguments than a kernel has */
    bool word = false, only = false, gives = false, has_piece = false;
    size_t cuts = 0, piece = 0;
    Span counted = { 0, 0 }, left_out = { 0, 0 };
    wide given = 0;
    std::vector<size_t> numbers;
    std::map<size_t, Fixed> fixed;
};

/* One run of a kernel, and the check of what it did. */
class Run
{
    Machine &m;
    const Function &function;
    const Options &options;
    size_t n;
    Span counted = { 0, 0 }; /* the data that the sum is of */
    Lanes returned;

  public:
    Form result; /* exact, unsigned */
    std::vector<size_t> cuts;

    Run(Machine &machine, const Function &f, const Options &o) : m(machine), function(f), options(o)
    {
    }

    void execute(size_t length, size_t offset, size_t to)
    {
        n = length;
        counted = options.only ? options.counted : Span{ 0, n };
        if (options.has_piece) {
            const size_t i = options.piece, first = i == 0 ? 0 : cuts.at(i - 1);
            counted = { first, (i < cuts.size() ? cuts[i] : n) - first };
        }
        m.start();
        if (options.numeric) {
            m.arithmetic.atoms.given.resize(n);
            input_fill(m.arithmetic.atoms.given.data(), n, 64 * n + offset);
        }
        m.memory.add(Region::SOURCE, "the data", Memory::SOURCE_AT + offset, n);
        std::vector<Value> arguments;
        if (options.copy) {
            m.memory.add(Region::DESTINATION, "the destination", Memory::DESTINATION_AT + to, n);
            arguments.push_back(m.pointer(Memory::DESTINATION_AT + to));
        }
        arguments.push_back(m.pointer(Memory::SOURCE_AT + offset));
        const auto number = [&](size_t x) {
            arguments.push_back(Machine::of(known((wide)x, m.pointer_bits)));
        };
        number(n);
        for (const size_t at : cuts)
            number(at);
        if (options.has_piece)
            number(options.piece);
        for (const size_t x : options.numbers)
            number(x);
        if (arguments.size() != function.parameters.size())
            throw std::runtime_error(function.name + " has another number of parameters");
        const Value value = m.run(function, std::move(arguments));
        returned = value.lanes;
        if (value.members.size() == 2) { /* a 64-bit result of a 32-bit machine */
            returned = value.members[0].lanes;
            for (const Lane &lane : value.members[1].lanes)
                returned.push_back(lane);
        }
        if (width_of(returned) != (options.folded ? 16u : 64u))
            throw Refuted("the result has another width");
        result = m.arithmetic.exact(m.arithmetic.whole(returned));
        if (options.complement)
            result = Form(0xFFFF).plus(result, -1);
    }

    /* Prints the result and the splits that it is made of. */
    void show() const
    {
        const Atoms &atoms = m.arithmetic.atoms;
        const auto text = [&](const Form &f) {
            std::string out;
            size_t shown = 0;
            for (const Term &t : f) {
                if (++shown > 8) {
                    out += " + ... (" + std::to_string(f.size()) + " terms)";
                    break;
                }
                const Atom a = atoms.atoms[t.atom];
                out += " + " + decimal(t.weight)
                       + (a.kind == Atom::BYTE     ? " b"
                          : a.kind == Atom::NIBBLE ? " nibble"
                          : a.kind == Atom::HIGH   ? " high"
                                                   : " low")
                       + std::to_string(a.of);
            }
            return decimal(f.constant) + out;
        };
        for (size_t i = 0; i < atoms.splits.size(); i++) {
            const Split &s = atoms.splits[i];
            printf("  split %zu at bit %u, %s to %s: %s\n", i, s.at, decimal(s.range.low).c_str(),
                   decimal(s.range.high).c_str(), text(s.whole).c_str());
        }
        printf("  result: %s\n", text(result).c_str());
    }

    void check(size_t to)
    {
        std::vector<atom_id> loads; /* the one of each byte that the sum has to have */
        if (options.copy)
            loads = copied(to);
        if (options.gives) {
            if (!result.known() || result.constant != options.given)
                refute("the result is not " + decimal(options.given));
            return;
        }
        if (options.numeric)
            return numbers();
        if (options.word)
            word();
        congruent(loads);
        zero_iff_zero(loads);
    }

    /* What the result is where the bytes are these. */
    wide evaluate(const std::vector<uint8_t> &bytes) const
    {
        const Atoms &atoms = m.arithmetic.atoms;
        std::vector<wide> values(atoms.atoms.size());
        const auto value = [&](const Form &f) {
            wide sum = f.constant;
            for (const Term &t : f)
                sum += t.weight * values[t.atom];
            return sum;
        };
        for (size_t i = 0; i < values.size(); i++) {
            const Atom a = atoms.atoms[i];
            if (a.is_of_data()) {
                values[i] = a.kind == Atom::BYTE ? bytes[a.of] : bytes[a.of] >> 4;
                continue;
            }
            const Split &s = atoms.splits[a.of];
            const wide whole = value(s.whole), high = floor_div(whole, s.at);
            values[i] = a.kind == Atom::HIGH ? high : whole - high * power(s.at);
        }
        return value(result);
    }

  private:
    [[noreturn]] static void refute(const std::string &what)
    {
        throw Refuted(what);
    }

    /* The destination holds each byte of the source; returns which load each one comes from. */
    std::vector<atom_id> copied(size_t to)
    {
        std::vector<atom_id> from;
        if (n == 0)
            return from;
        const Lanes lanes = m.arithmetic.cut(m.memory.load(Memory::DESTINATION_AT + to, n), 8);
        for (size_t i = 0; i < n; i++) {
            const Form f = m.arithmetic.exact(lanes[i]);
            if (options.numeric && f == Form(m.arithmetic.atoms.given[i]))
                continue;
            if (f.size() != 1 || f.constant != 0 || f.begin()->weight != 1
                || atom(f.begin()->atom).kind != Atom::BYTE || atom(f.begin()->atom).of != i)
                refute("byte " + std::to_string(i) + " of the copy is not that of the source");
            from.push_back(f.begin()->atom);
        }
        return from;
    }
    Atom atom(atom_id id) const
    {
        return m.arithmetic.atoms.atoms[id];
    }

    /* The result is the word whose first bytes in memory are those that count. */
    void word()
    {
        const Lanes lanes = m.arithmetic.cut(returned, 8);
        for (size_t i = 0; i < lanes.size(); i++) {
            const Form f = m.arithmetic.exact(lanes[i]);
            const bool is_zero = f.known() && f.constant == 0;
            const bool is_byte = f.size() == 1 && f.constant == 0 && f.begin()->weight == 1
                                 && atom(f.begin()->atom).kind == Atom::BYTE
                                 && atom(f.begin()->atom).of == counted.first + i;
            if (!(i < counted.size ? is_byte : is_zero))
                refute("byte " + std::to_string(i) + " of the word is another one");
        }
    }

    /* The sum of the bytes that are given. */
    void numbers() const
    {
        int64_t sum = 0;
        for (size_t i = 0; i < n; i++)
            sum += weight_of(i) * m.arithmetic.atoms.given[i];
        if (result.constant % 65535 != sum % 65535 || (result.constant == 0) != (sum == 0))
            refute("the sum of the bytes that are given is another one");
    }

    bool counts(size_t i) const
    {
        return counted.has(i) && !options.left_out.has(i);
    }
    /* The weight of a byte modulo 65535, in the sum of the bytes that count. */
    int64_t weight_of(size_t i) const
    {
        if (!counts(i))
            return 0;
        return ((i - counted.first) % 2 == 1) != m.arithmetic.big_endian ? 256 : 1;
    }

    /* The result is congruent to the sum of the RFC: each byte has its weight modulo 65535, and no
     * carry is lost. A copy counts the loads that it stored, and no other load of the same byte. */
    void congruent(const std::vector<atom_id> &loads)
    {
        const Atoms &atoms = m.arithmetic.atoms;
        std::vector<int64_t> weights(atoms.atoms.size());
        const auto add = [&](const Form &f, int64_t times) {
            int64_t constant = (int64_t)(f.constant % 65535) * times;
            for (const Term &t : f)
                weights[t.atom] = (weights[t.atom] + (int64_t)(t.weight % 65535) * times) % 65535;
            return constant;
        };
        int64_t constant = add(result, 1) % 65535;
        std::vector<int64_t> of_byte(n);
        std::vector<bool> stored(options.copy ? weights.size() : 0);
        for (const atom_id id : loads)
            stored[id] = true;
        for (size_t id = weights.size(); id-- > 0;) {
            const int64_t weight = (weights[id] + 65535) % 65535;
            const Atom a = atoms.atoms[id];
            if (weight == 0)
                continue;
            if (a.is_of_data()) {
                if (options.copy && !stored[id])
                    refute("the sum counts byte " + std::to_string(a.of)
                           + " as a load found it that is not the one stored");
                of_byte[a.of] += weight;
                continue;
            }
            const Split &s = atoms.splits[a.of];
            if (a.kind == Atom::HIGH)
                refute("a carry into bit " + std::to_string(s.at) + " of a lane is lost: it counts "
                       + std::to_string(weight) + " modulo 65535, not 0");
            constant = (constant + add(s.whole, weight)) % 65535;
            weights[s.high] = (weights[s.high] - weight * (int64_t)(power(s.at) % 65535)) % 65535;
        }
        std::vector<int64_t> right(n);
        for (size_t i = 0; i < n; i++)
            right[i] = weight_of(i);
        for (const auto &[i, byte] : options.fixed) {
            if (i >= n)
                continue;
            constant -= right[i] * byte.value;
            right[i] *= byte.whole ? 0 : 16; /* of the upper half */
        }
        if (constant % 65535 != 0)
            refute("the sum of zeros is " + std::to_string((constant % 65535 + 65535) % 65535));
        for (size_t i = 0; i < n; i++) {
            if (of_byte[i] % 65535 != right[i])
                refute("byte " + std::to_string(i) + " counts " + std::to_string(of_byte[i] % 65535)
                       + " times, not " + std::to_string(right[i]));
        }
    }

    /* The result is 0 exactly if all bytes that count are. */
    void zero_iff_zero(const std::vector<atom_id> &loads)
    {
        bool never = false; /* a fixed byte is not 0 */
        for (const auto &[i, byte] : options.fixed)
            never |= i < n && counts(i) && byte.value != 0;
        if (!never && evaluate(std::vector<uint8_t>(n)) != 0)
            refute("the sum of zeros is not 0");
        /* If the result is 0, each atom in it is: they are not negative, nor are their weights. If
         * both halves of a split are 0, so is the whole. A form with a constant above 0 is not 0,
         * and then the result is not either. */
        const Atoms &atoms = m.arithmetic.atoms;
        std::vector<bool> is_zero(atoms.atoms.size());
        bool contradiction = false;
        const auto all_zero = [&](const Form &f) {
            if (f.constant < 0)
                return false;
            for (const Term &t : f) {
                const Atom a = atoms.atoms[t.atom];
                if (t.weight < 0 || (a.kind == Atom::HIGH && atoms.splits[a.of].range.low < 0))
                    return false;
            }
            contradiction |= f.constant > 0;
            for (const Term &t : f)
                is_zero[t.atom] = true;
            return true;
        };
        if (!all_zero(result))
            refute("a result of 0 may have other reasons than zeros");
        for (size_t id = is_zero.size(); id-- > 0;)
            if (is_zero[id] && atoms.atoms[id].kind == Atom::LOW) {
                const Split &s = atoms.splits[atoms.atoms[id].of];
                if (is_zero[s.high] && s.range.low >= 0)
                    all_zero(s.whole);
            }
        if (never) {
            if (!contradiction)
                refute("the sum may be 0 although a fixed byte is not");
            return;
        }
        std::vector<bool> of_byte(n);
        for (size_t id = 0; id < is_zero.size(); id++)
            if (is_zero[id] && atoms.atoms[id].is_of_data())
                of_byte[atoms.atoms[id].of] = true;
        for (const atom_id id : loads)
            if (!is_zero[id])
                refute("the copy of byte " + std::to_string(atom(id).of)
                       + " may be other than 0 where the sum is 0");
        for (size_t i = 0; i < n; i++)
            if (counts(i) && !of_byte[i] && !is_fixed(i))
                refute("the sum may be 0 although byte " + std::to_string(i) + " is not");
    }
    bool is_fixed(size_t i) const
    {
        const auto it = options.fixed.find(i);
        return it != options.fixed.end() && it->second.whole;
    }
};

struct Place {
    size_t offset, to;
};

/* Where the data and the destination lie. A copy takes each offset of the destination with three of
 * the source: the same, one more, and one that wanders through all. */
std::vector<Place> addresses(const Options &o, size_t n, bool all_alike)
{
    std::vector<Place> places;
    if (all_alike)
        return { { o.first, o.to_first } };
    if (o.end_of_page) { /* 4096 - k: the page ends k bytes after the start */
        for (size_t k = 1; k <= n + 64 && k <= 384; k++) {
            places.push_back({ 4096 - k, 4096 - k });
            if (o.copy) {
                places.push_back({ 4096 - k, (n + k) % 64 });
                places.push_back({ (n + k) % 64, 4096 - k });
            }
        }
        return places;
    }
    for (size_t i = 0; i < o.wander; i++) {
        const size_t offset = (17 * n + 64 * i / o.wander + i) % 64;
        places.push_back({ (offset + 11 * n + i) % 64, offset });
    }
    for (size_t offset = o.first; offset <= o.last && !o.wander; offset++) {
        if (!o.copy) {
            places.push_back({ offset, 0 });
        } else if (o.destinations) {
            for (size_t to = o.to_first; to <= o.to_last; to++)
                places.push_back({ offset, to });
        } else {
            if (!o.numeric) {
                places.push_back({ offset, offset });
                places.push_back({ (offset + 1) % 64, offset });
            }
            places.push_back({ (7 * offset + n) % 64, offset });
        }
    }
    return places;
}

/* Goes on to the next places, in order, that cut n bytes; returns whether there are any. */
bool next_cuts(std::vector<size_t> &cuts, size_t n)
{
    for (size_t i = cuts.size(); i-- > 0;)
        if (cuts[i] < n) {
            const size_t at = cuts[i] + 1;
            std::fill(cuts.begin() + (long)i, cuts.end(), at);
            return true;
        }
    return false;
}

int prove(Machine &m, const Function &f, const Options &o)
{
    Run run(m, f, o);
    const AddressUse use(m.program, f, o.copy);
    const bool all_alike = !use.looks;
    size_t cells = 0;
    wide most = 0;
    size_t n = o.from;
    Place place = { 0, 0 };
    try {
        if (use.mixes)
            throw Refuted("an address of one region meets one of another");
        for (; n <= o.to; n += o.step) {
            for (const Place &p : addresses(o, n, all_alike)) {
                place = p;
                run.cuts.assign(o.cuts, 0);
                do {
                    run.execute(n, p.offset, p.to);
                    run.check(p.to);
                    most = m.arithmetic.atoms.range(run.result).high; /* of the longest data */
                    cells++;
                } while (next_cuts(run.cuts, n));
            }
        }
    } catch (const Refuted &r) {
        printf("refuted %s: length %zu, offset %zu, to %zu", f.name.c_str() + 1, n, place.offset,
               place.to);
        for (const size_t at : run.cuts)
            printf(", cut at %zu", at);
        printf(": %s\n", r.what());
        if (o.show)
            run.show();
        return 1;
    }
    printf("proved %s: %zu cells%s", f.name.c_str() + 1, cells,
           all_alike ? ", at every address" : "");
    if (o.bound)
        printf(", at most %s", decimal(most).c_str());
    printf("\n");
    return 0;
}

/* Does what results.c does, with the forms of the kernel's result. */
int evaluate(Machine &m, const Function &f, const Options &o)
{
    Run run(m, f, o);
    size_t length, offset, to, count;
    uint64_t seed;
    while (std::cin >> length >> offset >> to >> seed >> count) {
        run.execute(length, offset, to);
        std::vector<uint8_t> bytes(length);
        for (; count--; seed++) {
            input_fill(bytes.data(), length, seed);
            for (const auto &[i, byte] : o.fixed)
                if (i < length)
                    bytes[i] = (uint8_t)(byte.value | (byte.whole ? 0 : bytes[i] & 0xF0));
            printf("%llx\n", (unsigned long long)run.evaluate(bytes));
        }
    }
    return 0;
}

void read_range(const std::string &text, size_t &from, size_t &to, size_t *step = nullptr)
{
    const size_t dash = text.find('-'), colon = text.find(':');
    from = std::stoul(text);
    to = dash == std::string::npos ? from : std::stoul(text.substr(dash + 1));
    if (step && colon != std::string::npos)
        *step = std::stoul(text.substr(colon + 1));
}

Span read_span(const std::string &text)
{
    return { std::stoul(text), std::stoul(text.substr(text.find('+') + 1)) };
}

void read_fixed(const std::string &text, std::map<size_t, Fixed> &fixed)
{
    const size_t equal = text.find('='), slash = text.find('/');
    const bool whole = slash == std::string::npos;
    const size_t value = equal == std::string::npos ? 256 : std::stoul(text.substr(equal + 1));
    if (value > (whole ? 255 : 15) || (!whole && text.substr(slash) != "/15"))
        throw std::runtime_error("not A=V or A=V/15: " + text);
    fixed[std::stoul(text)] = { (uint8_t)value, whole };
}

} // namespace

int main(int argc, char **argv)
try {
    Options o;
    std::vector<std::string> names;
    for (int i = 1; i < argc; i++) {
        const std::string word = argv[i];
        const auto next = [&] { return std::string(i + 1 < argc ? argv[++i] : ""); };
        if (word == "--copy")
            o.copy = true;
        else if (word == "--folded")
            o.folded = true;
        else if (word == "--complement")
            o.complement = true;
        else if (word == "--bound")
            o.bound = true;
        else if (word == "--end-of-page")
            o.end_of_page = true;
        else if (word == "--show")
            o.show = true;
        else if (word == "--evaluate")
            o.evaluate = true;
        else if (word == "--lengths")
            read_range(next(), o.from, o.to, &o.step);
        else if (word == "--offsets")
            read_range(next(), o.first, o.last);
        else if (word == "--to")
            read_range(next(), o.to_first, o.to_last), o.destinations = true;
        else if (word == "--wander")
            o.wander = std::stoul(next());
        else if (word == "--vector")
            o.vector_bytes = std::stoul(next());
        else if (word == "--number")
            o.numbers.push_back(std::stoul(next()));
        else if (word == "--cuts")
            o.cuts = std::stoul(next());
        else if (word == "--piece")
            o.piece = std::stoul(next()), o.has_piece = true;
        else if (word == "--only")
            o.counted = read_span(next()), o.only = true;
        else if (word == "--without")
            o.left_out = read_span(next());
        else if (word == "--fixed")
            read_fixed(next(), o.fixed);
        else if (word == "--numeric")
            o.numeric = true;
        else if (word == "--word")
            o.word = true;
        else if (word == "--gives")
            o.given = (wide)std::stoul(next()), o.gives = true;
        else
            names.push_back(word);
    }
    if (names.size() < 2)
        throw std::runtime_error("usage: prove [option…] FUNCTION FILE…");
    Machine m;
    m.vector_bytes = o.vector_bytes;
    m.arithmetic.atoms.fixed = o.fixed;
    /* The size of a cache, which is asked of the CPU: as small as can be, so that a copy goes
     * around the caches. */
    m.outside["@wiresum_copy_around_caches_from"] = [] { return (wide)0; };
    Parser parser(m.program, m.memory, m.arithmetic, o.vector_bytes / 16);
    for (size_t i = 1; i < names.size(); i++)
        parser.read(names[i]);
    m.pointer_bits = parser.bits_of_pointers();
    const Function &f = m.function(names[0]);
    return o.evaluate ? evaluate(m, f, o) : prove(m, f, o);
} catch (const std::exception &error) {
    fprintf(stderr, "prove: %s\n", error.what());
    return 2;
}
