/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Exact arithmetic on unknown bytes.
 *
 * A Form is an integer: a constant plus multiples of atoms. An atom is a byte that the kernel
 * loaded, any number from 0 to 255, or a half of a Split. The Split of a form f at bit k is its
 * quotient and its remainder: f = 2^k × high + low, 0 <= low < 2^k. Nothing is rounded or
 * approximated, so a carry that a kernel loses stays in the result, as a high half with a weight
 * that is no multiple of 65535.
 *
 * A lane of w bits holds a form modulo 2^w. exactly() finds a form that has the value of the lane
 * as an unsigned number; it proves the bounds by range(), or else splits the form.
 */
#ifndef WIRESUM_PROOF_FORM_H
#define WIRESUM_PROOF_FORM_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

typedef __int128 wide;
typedef uint32_t atom_id;

/* What a kernel did that no kernel may do, or what the engine cannot decide. */
struct Refuted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

inline wide power(unsigned k)
{
    if (k > 120)
        throw Refuted("a number has more than 120 bits");
    return (wide)1 << k;
}
inline wide floor_div(wide a, unsigned k)
{
    return a >> k; /* arithmetic: rounds down */
}
inline std::string decimal(wide x)
{
    std::string digits;
    const bool negative = x < 0;
    do
        digits += (char)('0' + (int)(negative ? -(x % 10) : x % 10));
    while ((x /= 10) != 0);
    if (negative)
        digits += '-';
    return { digits.rbegin(), digits.rend() };
}

struct Term {
    atom_id atom;
    wide weight;
    bool operator==(const Term &other) const
    {
        return atom == other.atom && weight == other.weight;
    }
};

/* Terms are in the order of their atoms. Forms share them: each sees the first `size` terms of a
 * list that only grows, so that adding later bytes to an accumulator copies nothing. */
class Form
{
    /* A block of terms. Small blocks are kept for the next form. */
    struct alignas(Term) List {
        unsigned owners;
        uint32_t used, room;
        Term *terms()
        {
            return reinterpret_cast<Term *>(this + 1);
        }
    };
    static constexpr uint32_t SMALL = 4;
    List *list = nullptr;
    uint32_t size_ = 0;

    static std::vector<List *> &spare()
    {
        static std::vector<List *> lists;
        return lists;
    }
    static List *make(uint32_t room)
    {
        List *made;
        if (room <= SMALL && !spare().empty()) {
            made = spare().back();
            spare().pop_back();
        } else {
            made = static_cast<List *>(
                ::operator new(sizeof(List) + std::max(room, SMALL) * sizeof(Term)));
        }
        *made = { 1, 0, std::max(room, SMALL) };
        return made;
    }
    void release()
    {
        if (list && --list->owners == 0) {
            if (list->room == SMALL)
                spare().push_back(list);
            else
                ::operator delete(list);
        }
        list = nullptr;
    }

  public:
    wide constant = 0;

    Form() = default;
    Form(wide number) : constant(number) {}
    Form(const Form &f) : list(f.list), size_(f.size_), constant(f.constant)
    {
        if (list)
            list->owners++;
    }
    Form(Form &&f) noexcept : list(f.list), size_(f.size_), constant(f.constant)
    {
        f.list = nullptr, f.size_ = 0;
    }
    Form &operator=(Form f) noexcept
    {
        std::swap(list, f.list), std::swap(size_, f.size_), std::swap(constant, f.constant);
        return *this;
    }
    ~Form()
    {
        release();
    }

    size_t size() const
    {
        return size_;
    }
    bool known() const
    {
        return size_ == 0;
    }
    const Term *begin() const
    {
        return size_ ? list->terms() : nullptr;
    }
    const Term *end() const
    {
        return begin() + size_;
    }
    bool operator==(const Form &f) const
    {
        return constant == f.constant && size_ == f.size_
               && (list == f.list || std::equal(begin(), end(), f.begin()));
    }

    /* Adds a term whose atom comes after all others. */
    void append(Term t)
    {
        if (t.weight == 0)
            return;
        if (!list || list->used != size_ || list->used == list->room) {
            List *own = make(2 * size_);
            std::copy(begin(), end(), own->terms());
            own->used = size_;
            release();
            list = own;
        }
        list->terms()[list->used++] = t;
        size_++;
    }
    static Form atom(atom_id id)
    {
        Form f;
        f.append({ id, 1 });
        return f;
    }

    /* Returns the form plus `times` the other. */
    Form plus(const Form &f, wide times = 1) const
    {
        if (f.size_ == 0 || times == 0) {
            Form sum = *this;
            sum.constant += times * f.constant;
            return sum;
        }
        if (size_ == 0 || (end() - 1)->atom < f.begin()->atom) {
            Form sum = *this;
            sum.constant += times * f.constant;
            for (size_t i = 0; i < f.size_; i++)
                sum.append({ f.begin()[i].atom, times * f.begin()[i].weight });
            return sum;
        }
        Form sum = constant + times * f.constant;
        const Term *a = begin(), *b = f.begin();
        while (a != end() || b != f.end()) {
            if (b == f.end() || (a != end() && a->atom < b->atom))
                sum.append(*a++);
            else if (a == end() || b->atom < a->atom)
                sum.append({ b->atom, times * b->weight }), b++;
            else
                sum.append({ a->atom, a->weight + times * b->weight }), a++, b++;
        }
        return sum;
    }
    Form times(wide factor) const
    {
        return Form().plus(*this, factor);
    }

    template <class Function> Form each(Function function) const
    {
        Form out = function(constant, true);
        for (size_t i = 0; i < size_; i++)
            out.append({ begin()[i].atom, function(begin()[i].weight, false) });
        return out;
    }
    size_t hash() const
    {
        size_t h = (size_t)constant;
        for (size_t i = 0; i < size_; i++)
            h = (h ^ begin()[i].atom ^ (size_t)begin()[i].weight << 20) * 0x9E3779B97F4A7C15u;
        return h;
    }
};

/* The form modulo 2^k with the smallest weights, and a constant from 0 on. */
inline Form reduced(const Form &f, unsigned k)
{
    const wide modulus = power(k);
    return f.each([&](wide weight, bool is_constant) {
        const wide rest = weight & (modulus - 1);
        return !is_constant && rest > modulus / 2 ? rest - modulus : rest;
    });
}

struct Range {
    wide low, high;
    bool within(unsigned bits) const
    {
        return low >= 0 && high < power(bits);
    }
};

struct Split {
    Form whole;
    unsigned at;
    Range range; /* of the whole */
    atom_id high, low;
};

/* What an atom is. */
struct Atom {
    enum Kind : uint8_t { BYTE, NIBBLE, HIGH, LOW } kind; /* a nibble: the upper half of a byte */
    uint32_t of; /* the offset of the byte in the source, or the number of the split */

    bool is_of_data() const
    {
        return kind == BYTE || kind == NIBBLE;
    }
    wide most() const /* of the data */
    {
        return kind == BYTE ? 255 : 15;
    }
};

/* What is known of a byte of the data: all of it, or its lower half. */
struct Fixed {
    uint8_t value;
    bool whole;
};

/* All atoms of one run of a kernel. */
class Atoms
{
    std::unordered_multimap<size_t, uint32_t> by_hash;
    /* Splits: see find_lost_carries. A form is divided like one of them if it has few more terms.
     */
    std::set<uint32_t> divided_before;
    static constexpr size_t MOST_OTHERS = 8;

  public:
    std::vector<Atom> atoms;
    std::vector<Split> splits;
    std::map<size_t, Fixed> fixed; /* bytes of the data that are not all unknown */
    std::vector<uint8_t> given;    /* all bytes of the data, where none is unknown */

    void clear()
    {
        atoms.clear(), splits.clear(), by_hash.clear(), divided_before.clear();
    }

    /* A byte as one load sees it. Another load of the same byte gets an atom of its own, because
     * another thread may write the source in between. */
    Form byte(size_t offset)
    {
        if (offset < given.size())
            return given[offset];
        if (!fixed.empty()) {
            const auto it = fixed.find(offset);
            if (it != fixed.end() && it->second.whole)
                return it->second.value;
            if (it != fixed.end()) {
                atoms.push_back({ Atom::NIBBLE, (uint32_t)offset });
                return Form(it->second.value).plus(Form::atom((atom_id)atoms.size() - 1), 16);
            }
        }
        atoms.push_back({ Atom::BYTE, (uint32_t)offset });
        return Form::atom((atom_id)atoms.size() - 1);
    }

    Range range(const Form &f) const
    {
        Range r = { f.constant, f.constant };
        for (const Term *t = f.begin(); t != f.end(); t++) {
            const Atom atom = atoms[t->atom];
            Range of;
            if (atom.is_of_data()) {
                of = { 0, atom.most() };
            } else {
                const Split &s = splits[atom.of];
                const bool both = atom.kind == Atom::HIGH && t + 1 != f.end() && t[1].atom == s.low;
                const wide high = atom.kind == Atom::HIGH ? t->weight : 0;
                const wide low = both ? t[1].weight : atom.kind == Atom::LOW ? t->weight : 0;
                of = range(s, high, low);
                r.low += of.low, r.high += of.high;
                t += both;
                continue;
            }
            r.low += t->weight * (t->weight > 0 ? of.low : of.high);
            r.high += t->weight * (t->weight > 0 ? of.high : of.low);
        }
        return r;
    }

    /* Returns the quotient and the remainder of f by 2^k. */
    std::pair<Form, Form> divide(const Form &f, unsigned k)
    {
        const Form rest = reduced(f, k);
        Form above = f.plus(rest, -1).each([&](wide weight, bool) { return floor_div(weight, k); });
        const Range r = closest(rest, k);
        const wide least = floor_div(r.low, k);
        if (least == floor_div(r.high, k)) {
            above.constant += least;
            return { above, rest.plus(Form(least * power(k)), -1) };
        }
        for (const uint32_t number : divided_before) {
            const Split lower = splits[number];
            if (lower.at >= k)
                continue;
            const Form others = rest.plus(lower.whole, -1);
            const Form less = reduced(others, lower.at);
            if (MOST_OTHERS * less.size() > lower.whole.size())
                continue;
            const Form upper = others.plus(less, -1).each(
                [&](wide weight, bool) { return floor_div(weight, lower.at); });
            const auto parts = divide(upper.plus(Form::atom(lower.high)), k - lower.at);
            const Form joint = parts.second.times(power(lower.at)).plus(Form::atom(lower.low));
            const auto last = divide(sum(joint, less), k);
            return { sum(sum(above, parts.first), last.first), last.second };
        }
        const Split s = split(rest, k, r);
        return { sum(above, Form::atom(s.high)), Form::atom(s.low) };
    }

    /* The lane of w bits that holds a form may be the low half of a split at w. Modulo 2^w it is
     * the whole as well. The whole serves better where its quotient by 2^k has bounds: so it is
     * where a fold has added a number to its own halves. */
    Form before_shift(const Form &f, unsigned w, unsigned k)
    {
        if (f.size() != 1 || f.constant != 0 || f.begin()->weight != 1)
            return f;
        const Atom a = atoms[f.begin()->atom];
        if (a.kind != Atom::LOW || splits[a.of].at != w)
            return f;
        const Form whole = splits[a.of].whole;
        const Form above = reduced(divide(whole, k).first, w - k);
        return range(above).within(w - k) ? whole : f;
    }

    /* Returns a form with the value of a lane of w bits which holds f. */
    Form exactly(const Form &f, unsigned w)
    {
        if (range(f).within(w))
            return f;
        const Form least = reduced(f, w);
        for (const bool all : { false, true }) {
            Form g = least;
            bool found = true;
            for (int depth = 0; found && depth < (all ? 8 : 4); depth++) {
                const Range r = range(g);
                const wide wraps = floor_div(r.low, w);
                if (wraps == floor_div(r.high, w)) {
                    g.constant -= wraps * power(w);
                    return g;
                }
                g = reduced(joined(g, w, all, found), w);
            }
        }
        Form with_carries = least;
        if (find_lost_carries(with_carries, w))
            return with_carries;
        return divide(least, w).second;
    }

    /* Adds two forms. Where one holds a half of a split of the other, the other is taken apart too,
     * so that the bounds of the sum come from both halves together. */
    Form sum(const Form &a, const Form &b, wide times = 1)
    {
        return parted(a, b).plus(parted(b, a), times);
    }

  private:
    /* ---- Averages ----
     *
     * An average rounds a sum, so bounds of its atom say nothing of the bytes in it. A form with a
     * multiple of an average has better bounds where the sum takes the average's place: the bytes
     * of the sum may be elsewhere in the form, too. */

    static constexpr unsigned MOST_ROUNDED = 3; /* the bits that one shift rounds off */

    bool is_rounded(atom_id id) const
    {
        return atoms[id].kind == Atom::HIGH && splits[atoms[id].of].at <= MOST_ROUNDED;
    }
    bool has_rounded(const Form &f) const
    {
        return std::any_of(f.begin(), f.end(), [&](Term t) { return is_rounded(t.atom); });
    }
    /* The range of a form, with 2^-k × (whole - low) for each rounded high half whose weight is a
     * multiple of 2^k. The whole of a split has lower atoms than its halves. */
    Range range_unrounded(const Form &f) const
    {
        std::map<atom_id, wide, std::greater<atom_id>> weights;
        for (const Term &t : f)
            weights[t.atom] = t.weight;
        Form left = f.constant;
        std::vector<Term> terms;
        while (!weights.empty()) {
            const auto [id, weight] = *weights.begin();
            weights.erase(weights.begin());
            if (weight == 0)
                continue;
            const Split *const s = atoms[id].is_of_data() ? nullptr : &splits[atoms[id].of];
            if (!s || !is_rounded(id) || (weight & (power(s->at) - 1)) != 0) {
                terms.push_back({ id, weight });
                continue;
            }
            const wide times = floor_div(weight, s->at);
            left.constant += times * s->whole.constant;
            for (const Term &t : s->whole)
                weights[t.atom] += times * t.weight;
            /* The low half has the next atom, whose turn is over. */
            if (!terms.empty() && terms.back().atom == s->low)
                terms.back().weight -= times;
            else
                terms.push_back({ s->low, -times });
        }
        for (size_t i = terms.size(); i-- > 0;)
            left.append(terms[i]);
        return range(left);
    }
    /* The range of a form, as close as the quotient by 2^k needs it. */
    Range closest(const Form &f, unsigned k) const
    {
        const Range r = range(f);
        return floor_div(r.low, k) == floor_div(r.high, k) || !has_rounded(f) ? r
                                                                              : range_unrounded(f);
    }
    /* Averages minus the low half of a split hold its high half, the carries that lanes have lost,
     * if the averages minus the whole are a number from 0 to 2^at. Puts the whole and the high half
     * in the place of the low one then. The whole may hold the high half of a lower split: the
     * quotient of the lanes, whose later quotients are made of these. */
    bool find_lost_carries(Form &f, unsigned w)
    {
        if (!has_rounded(f))
            return false;
        for (const Term &t : f) {
            if (atoms[t.atom].kind != Atom::LOW || t.weight != -1)
                continue;
            const Split &s = splits[atoms[t.atom].of];
            const Form rest = f.plus(Form::atom(s.low)).plus(s.whole, -1);
            if (s.range.low < 0 || s.range.high >= power(w - 1)
                || !range_unrounded(rest).within(s.at))
                continue;
            for (const Term &of : s.whole)
                if (atoms[of.atom].kind == Atom::HIGH && of.weight == 1)
                    divided_before.insert(atoms[of.atom].of);
            f = rest.plus(Form::atom(s.high), power(s.at));
            return true;
        }
        return false;
    }

    Range range(const Split &s, wide high_weight, wide low_weight) const
    {
        const wide first = floor_div(s.range.low, s.at), last = floor_div(s.range.high, s.at);
        Range r = { 0, 0 };
        bool any = false;
        for (const wide high : { first, first + 1, last - 1, last }) {
            if (high < first || high > last)
                continue;
            const wide base = high * power(s.at);
            const wide from = std::max(s.range.low - base, (wide)0);
            const wide to = std::min(s.range.high - base, power(s.at) - 1);
            for (const wide low : { from, to }) {
                const wide value = high_weight * high + low_weight * low;
                r.low = any ? std::min(r.low, value) : value;
                r.high = any ? std::max(r.high, value) : value;
                any = true;
            }
        }
        return r;
    }

    Split split(const Form &f, unsigned k, Range r)
    {
        const size_t h = f.hash() + k;
        const auto same = by_hash.equal_range(h);
        for (auto it = same.first; it != same.second; ++it) {
            const Split &s = splits[it->second];
            if (s.at == k && s.whole == f)
                return s;
        }
        const uint32_t number = (uint32_t)splits.size();
        const atom_id id = (atom_id)atoms.size();
        atoms.push_back({ Atom::HIGH, number });
        atoms.push_back({ Atom::LOW, number });
        splits.push_back({ f, k, r, id, id + 1 });
        by_hash.emplace(h, number);
        return splits.back();
    }

    static wide weight_of(const Form &f, atom_id atom)
    {
        const Term *t = std::lower_bound(f.begin(), f.end(), atom,
                                         [](const Term &x, atom_id id) { return x.atom < id; });
        return t != f.end() && t->atom == atom ? t->weight : 0;
    }
    Form parted(Form a, const Form &b) const
    {
        if (a.known())
            return a;
        for (const Term &t : b) {
            if (atoms[t.atom].is_of_data())
                continue;
            const Split &s = splits[atoms[t.atom].of];
            for (const unsigned shift : { 0, 8, 16, 24 }) {
                wide times = 0; /* how often the whole is in a */
                if (s.whole.size() == 1 && s.whole.constant == 0)
                    times = weight_of(a, s.whole.begin()->atom) / s.whole.begin()->weight;
                else if (a.size() >= s.whole.size()
                         && reduced(a, s.at + shift) == s.whole.times(power(shift)))
                    times = power(shift);
                if (times == 0)
                    continue;
                a = a.plus(s.whole, -times)
                        .plus(Form::atom(s.high), times * power(s.at))
                        .plus(Form::atom(s.low), times);
                break;
            }
        }
        return a;
    }

    /* Puts the whole in the place of the latest low half, or of all, where that changes nothing
     * modulo 2^w. */
    Form joined(const Form &f, unsigned w, bool all, bool &found) const
    {
        Form g = f;
        found = false;
        for (size_t i = f.size(); i-- > 0 && (all || !found);) {
            const Term &t = f.begin()[i];
            if (atoms[t.atom].kind != Atom::LOW)
                continue;
            const Split &s = splits[atoms[t.atom].of];
            if ((t.weight * power(s.at) & (power(w) - 1)) != 0)
                continue;
            found = true;
            g = g.plus(Form::atom(s.low), -t.weight).plus(s.whole, t.weight);
        }
        return g;
    }
};

#endif
