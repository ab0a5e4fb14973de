/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * Values of the program under proof: lanes of bits in the order in which memory has them.
 *
 * A value keeps the lanes that it came in, a load lanes of bytes, until an operation asks for
 * others: cut() then takes lanes apart or puts them together. So most shifts, masks and conversions
 * only choose lanes. A number is a value with the lanes that its machine's byte order gives it.
 */
#ifndef WIRESUM_PROOF_VALUE_H
#define WIRESUM_PROOF_VALUE_H

#include "form.h"

struct Lane {
    unsigned width = 0;
    Form form; /* modulo 2^width */
    bool undefined = false;
    bool address = false; /* in memory, of a pointer that was stored there */
};

typedef std::vector<Lane> Lanes;

struct Value {
    Lanes lanes;
    std::vector<Value> members; /* of a struct, which has no lanes */
};

inline unsigned width_of(const Lanes &lanes)
{
    unsigned width = 0;
    for (const Lane &lane : lanes)
        width += lane.width;
    return width;
}
inline Lane known(wide number, unsigned width)
{
    return { width, Form(width < 120 ? number & (power(width) - 1) : number) };
}
inline Lane zeros(unsigned width)
{
    return { width, Form() };
}

/* The arithmetic on lanes, for one run of one machine. */
class Arithmetic
{
  public:
    Atoms atoms;
    bool big_endian = false;

    /* Takes lanes apart and puts them together, so that they have these widths. */
    Lanes cut(const Lanes &lanes, const std::vector<unsigned> &widths)
    {
        if (lanes.size() == widths.size()
            && std::equal(lanes.begin(), lanes.end(), widths.begin(),
                          [](const Lane &lane, unsigned width) { return lane.width == width; }))
            return lanes;
        return big_endian ? reversed(cut_up(reversed(lanes), { widths.rbegin(), widths.rend() }))
                          : cut_up(lanes, widths);
    }
    Lanes cut(const Lanes &lanes, unsigned width)
    {
        if (lanes.size() == 1 && lanes[0].width == width)
            return lanes;
        const unsigned total = width_of(lanes);
        if (total % width != 0)
            throw Refuted("a value of " + std::to_string(total) + " bits has no lanes of "
                          + std::to_string(width));
        return cut(lanes, std::vector<unsigned>(total / width, width));
    }
    /* The elements of a vector, each in the lanes that it has, if lanes end where elements do. */
    std::vector<Lanes> elements(const Lanes &lanes, unsigned width)
    {
        std::vector<Lanes> out;
        unsigned bits = width;
        for (const Lane &lane : lanes) {
            if (bits == width)
                out.emplace_back(), bits = 0;
            out.back().push_back(lane);
            bits += lane.width;
            if (bits > width) {
                out.clear();
                for (const Lane &element : cut(lanes, width))
                    out.push_back({ element });
                return out;
            }
        }
        return out;
    }
    /* The lanes of a number, its lowest bits first, and back. */
    Lanes low_first(Lanes lanes) const
    {
        return big_endian ? reversed(std::move(lanes)) : lanes;
    }
    Lane whole(const Lanes &lanes)
    {
        return lanes.size() == 1 ? lanes[0] : cut(lanes, width_of(lanes))[0];
    }

    /* The exact value as an unsigned or a signed number. */
    Form exact(const Lane &lane)
    {
        defined(lane);
        if (lane.width > 64 && lane.form.known() && lane.form.constant >= 0)
            return lane.form;
        return atoms.exactly(lane.form, lane.width);
    }
    Form exact_signed(const Lane &lane)
    {
        defined(lane);
        const wide half = power(lane.width - 1);
        return atoms.exactly(lane.form.plus(Form(half)), lane.width).plus(Form(-half));
    }
    /* A number that does not depend on the data: an address, a length, a mask. */
    wide number(const Lanes &lanes)
    {
        const Form f = exact(whole(lanes));
        if (!f.known())
            throw Refuted("an address, a length, a mask or a branch depends on the data");
        return f.constant;
    }
    static void defined(const Lane &lane)
    {
        if (lane.undefined)
            throw Refuted("an undefined value is used");
    }

    Lane add(const Lane &a, const Lane &b, wide times = 1)
    {
        return { a.width, a.form.plus(b.form, times), a.undefined || b.undefined };
    }
    /* The same for a number, whose carry a later comparison may ask for. A fold adds a number to
     * its own halves instead, and shifts the carry to where it belongs. */
    Lane add_exactly(const Lane &a, const Lane &b, wide times = 1)
    {
        Lane sum = add(a, b, times);
        if (sum.undefined)
            return sum;
        const Form joint = atoms.sum(a.form, b.form, times);
        sum.form = sum.form == joint ? atoms.exactly(joint, sum.width) : joint;
        return sum;
    }
    /* Whether a lane holds the halves of a split in exchanged places, as a rotation leaves them. */
    bool is_rotated(const Lane &lane) const
    {
        if (lane.form.size() != 2 || lane.form.constant != 0)
            return false;
        const Term high = lane.form.begin()[0], low = lane.form.begin()[1];
        const Atom a = atoms.atoms[high.atom];
        if (a.kind != Atom::HIGH || high.weight != 1)
            return false;
        const Split &s = atoms.splits[a.of];
        return s.low == low.atom && s.at < lane.width && low.weight == power(lane.width - s.at);
    }
    /* Adds a carry, and returns the carry out of it. */
    Lane add_with_carry(Lane &to, const Lane &b, const Lane &carry)
    {
        const Form sum = atoms.sum(atoms.sum(exact(to), exact(b)), carry.form);
        auto parts = atoms.divide(sum, to.width);
        to.form = parts.second;
        return { 1, parts.first };
    }
    /* a + b, and the carry is added at the lower end. */
    Lane add_around(const Lane &a, const Lane &b)
    {
        Lane sum = a;
        const Lane carry = add_with_carry(sum, b, zeros(1));
        return { sum.width, atoms.exactly(atoms.sum(sum.form, carry.form), sum.width) };
    }
    /* Whether a < b, unsigned. a - b modulo 2^w, plus b, carries if it is. */
    Lane less(const Lane &a, const Lane &b)
    {
        defined(a), defined(b);
        const Form bottom = atoms.exactly(b.form, b.width);
        const Form gap = atoms.exactly(atoms.sum(a.form, b.form, -1), a.width);
        const Form carry = atoms.divide(atoms.sum(gap, bottom), a.width).first;
        if (!atoms.range(carry).within(1))
            throw Refuted("a comparison has no bounds");
        return { 1, carry };
    }
    Lane multiply(const Lane &a, const Lane &b)
    {
        defined(a), defined(b);
        const Form x = exact(a), y = exact(b);
        if (!x.known() && !y.known())
            throw Refuted("two unknown numbers are multiplied");
        return { a.width, reduced(x.known() ? y.times(x.constant) : x.times(y.constant), a.width) };
    }

    /* Shifts of a number. */
    Lanes shift_left(const Lanes &lanes, unsigned by)
    {
        return shifted(lanes, by, true);
    }
    Lanes shift_right(const Lanes &lanes, unsigned by)
    {
        return shifted(lanes, by, false);
    }
    Lanes rotate_left(const Lanes &lanes, unsigned by)
    {
        const unsigned width = width_of(lanes);
        by %= width;
        if (by == 0)
            return lanes;
        Lanes parts = cut_up(low_first(lanes), { width - by, by });
        std::swap(parts[0], parts[1]);
        return low_first(parts);
    }
    Lanes truncated(const Lanes &lanes, unsigned width)
    {
        return low_first(firsts(cut_at(low_first(lanes), width), width));
    }
    Lanes extended(const Lanes &lanes, unsigned width)
    {
        Lanes low = low_first(lanes);
        const unsigned gap = width - width_of(lanes);
        if (gap)
            low.push_back(zeros(gap));
        return low_first(low);
    }

    enum Logic { AND, OR, XOR };
    Lanes logic(Logic op, const Lanes &a, const Lanes &b)
    {
        const bool a_known = is_known(a);
        if (a_known || is_known(b)) {
            const Lanes mask = low_first(a_known ? a : b), x = low_first(a_known ? b : a);
            return low_first(op == XOR ? flipped(x, mask) : masked(x, mask, op));
        }
        return low_first(joined(op, low_first(a), low_first(b)));
    }
    static bool is_known(const Lanes &lanes)
    {
        return std::all_of(lanes.begin(), lanes.end(),
                           [](const Lane &lane) { return lane.form.known() && !lane.undefined; });
    }

  private:
    static Lanes reversed(Lanes lanes)
    {
        std::reverse(lanes.begin(), lanes.end());
        return lanes;
    }

    /* Takes the lowest bits of a lane off. */
    Lane take(Lane &lane, unsigned bits)
    {
        if (bits == lane.width) {
            Lane all = std::move(lane);
            lane = Lane();
            return all;
        }
        Lane low = { bits, Form(), lane.undefined };
        if (lane.form.known()) {
            low.form = lane.form.constant & (power(bits) - 1);
            lane.form = floor_div(lane.form.constant, bits);
        } else {
            const Form all = atoms.before_shift(lane.form, lane.width, bits);
            const auto parts = atoms.divide(all, bits);
            low.form = parts.second;
            lane.form = reduced(parts.first, lane.width - bits);
        }
        lane.width -= bits;
        return low;
    }

    Lanes cut_up(const Lanes &lanes, const std::vector<unsigned> &widths)
    {
        Lanes out;
        out.reserve(widths.size());
        size_t next = 0;
        Lane left;
        for (const unsigned width : widths) {
            Lane lane = { width, Form() };
            for (unsigned done = 0; done < width;) {
                if (left.width == 0)
                    left = lanes.at(next++);
                Lane part = take(left, std::min(left.width, width - done));
                const unsigned bits = part.width;
                lane.undefined |= part.undefined;
                if (bits == width)
                    lane.form = std::move(part.form);
                else if (!part.undefined)
                    lane.form = atoms.sum(lane.form, exact(part).times(power(done)));
                done += bits;
            }
            out.push_back(std::move(lane));
        }
        return out;
    }

    /* Cuts so that one lane ends at a bit. The lowest bits come first. */
    Lanes cut_at(const Lanes &lanes, unsigned bit)
    {
        std::vector<unsigned> widths;
        unsigned at = 0;
        for (const Lane &lane : lanes) {
            if (at < bit && bit < at + lane.width) {
                widths.push_back(bit - at);
                widths.push_back(at + lane.width - bit);
            } else {
                widths.push_back(lane.width);
            }
            at += lane.width;
        }
        return widths.size() == lanes.size() ? lanes : cut_up(lanes, widths);
    }
    static Lanes firsts(const Lanes &lanes, unsigned width)
    {
        Lanes out;
        for (unsigned done = 0; done < width; done += out.back().width)
            out.push_back(lanes.at(out.size()));
        return out;
    }

    Lanes shifted(const Lanes &lanes, unsigned by, bool left)
    {
        const unsigned width = width_of(lanes);
        if (by == 0)
            return lanes;
        if (by >= width)
            throw Refuted("a shift by all bits is undefined");
        const Lanes low = low_first(lanes);
        if (left) {
            Lanes out = firsts(cut_at(low, width - by), width - by);
            out.insert(out.begin(), zeros(by));
            return low_first(out);
        }
        const Lanes parts = cut_at(low, by);
        Lanes out(parts.begin() + (long)firsts(parts, by).size(), parts.end());
        out.push_back(zeros(by));
        return low_first(out);
    }

    /* The runs of equal bits in a mask, as widths, the lowest first. */
    static std::vector<std::pair<unsigned, bool>> runs(const Lanes &mask)
    {
        std::vector<std::pair<unsigned, bool>> out;
        for (const Lane &lane : mask)
            for (unsigned i = 0; i < lane.width; i++) {
                const bool bit = lane.form.constant >> i & 1;
                if (out.empty() || out.back().second != bit)
                    out.push_back({ 0, bit });
                out.back().first++;
            }
        return out;
    }

    Lanes masked(const Lanes &x, const Lanes &mask, Logic op)
    {
        std::vector<unsigned> ends;
        const auto parts = runs(mask);
        unsigned end = 0;
        for (const auto &part : parts)
            ends.push_back(end += part.first);
        const Lanes lanes = cut_to_ends(x, ends);
        Lanes out;
        size_t part = 0;
        unsigned at = 0;
        for (const Lane &lane : lanes) {
            while (at >= ends[part])
                part++;
            at += lane.width;
            if (parts[part].second == (op == AND))
                out.push_back(lane);
            else
                out.push_back(known(op == AND ? 0 : -1, lane.width));
        }
        return out;
    }

    /* Flips the bits of x that the mask has. The lanes of the result end where a flipped bit does,
     * because to flip the top bit of a lane is to add it. A bit that is known, and begins a lane,
     * joins no unknown ones. */
    Lanes flipped(const Lanes &x, const Lanes &mask)
    {
        std::vector<unsigned> ends;
        std::vector<char> flips; /* 0: none, 1: the top bit, 2: all */
        unsigned at = 0, begin = 0;
        size_t next = 0;
        for (const auto &run : runs(mask)) {
            while (begin < at)
                begin += x[next++].width;
            const bool begins = begin == at && bits_known(x[next]) != 0;
            if (!run.second) {
                ends.push_back(at += run.first);
                flips.push_back(0);
                continue;
            }
            if (run.first > 1 || begins || ends.empty() || flips.back() != 0) {
                ends.push_back(at += run.first);
                flips.push_back(2);
            } else {
                ends.back() = at += 1;
                flips.back() = 1;
            }
        }
        /* A lane of which only the top bit flips must be whole. */
        std::vector<unsigned> widths;
        std::vector<char> flip;
        unsigned lane_end = 0, from = 0;
        size_t part = 0;
        for (const Lane &lane : x) {
            lane_end += lane.width;
            while (part < ends.size() && ends[part] <= lane_end) {
                widths.push_back(ends[part] - from), flip.push_back(flips[part]);
                from = ends[part++];
            }
            if (from < lane_end && flips[part] != 1) {
                widths.push_back(lane_end - from), flip.push_back(flips[part]);
                from = lane_end;
            }
        }
        Lanes out = cut_up(x, widths);
        for (size_t i = 0; i < out.size(); i++)
            if (flip[i] == 1)
                out[i].form.constant += power(out[i].width - 1);
            else if (flip[i] == 2)
                out[i].form = Form(-1).plus(out[i].form, -1);
        return out;
    }

    Lanes cut_to_ends(const Lanes &x, const std::vector<unsigned> &ends)
    {
        std::vector<unsigned> widths;
        unsigned at = 0;
        size_t next = 0;
        for (const Lane &lane : x) {
            const unsigned end = at + lane.width;
            for (; next < ends.size() && ends[next] <= end; at = ends[next++])
                if (ends[next] > at)
                    widths.push_back(ends[next] - at);
            if (end > at)
                widths.push_back(end - at);
            at = end;
        }
        return cut_up(x, widths);
    }

    /* Two unknown values share no bit that both may have, or else are equal. Otherwise the result
     * is as an undefined one: it may be masked away, and may not be used. */
    Lanes joined(Logic op, const Lanes &a, const Lanes &b)
    {
        std::vector<unsigned> ends_a, ends_b;
        unsigned at = 0;
        for (const Lane &lane : a)
            ends_a.push_back(at += lane.width);
        at = 0;
        for (const Lane &lane : b)
            ends_b.push_back(at += lane.width);
        const Lanes x = cut_to_ends(a, ends_b), y = cut_to_ends(b, ends_a);
        Lanes out;
        for (size_t i = 0; i < x.size(); i++) {
            const unsigned width = x[i].width;
            const bool zero_x = is_zero(x[i]), zero_y = is_zero(y[i]);
            if (x[i].undefined || y[i].undefined) {
                out.push_back({ width, Form(), true });
            } else if (zero_x || zero_y) {
                out.push_back(op == AND ? zeros(width) : zero_x ? y[i] : x[i]);
            } else if (x[i].form == y[i].form) {
                out.push_back(op == XOR ? zeros(width) : x[i]);
            } else if (op != AND && (disjoint(x[i], y[i]) || disjoint(y[i], x[i]))) {
                out.push_back({ width, atoms.sum(exact(x[i]), exact(y[i])) });
            } else {
                const unsigned bits = std::min({ bits_known(x[i]), bits_known(y[i]), width });
                if (bits != 0) {
                    const wide a = x[i].form.constant, b = y[i].form.constant;
                    out.push_back(known(op == AND ? a & b : op == OR ? a | b : a ^ b, bits));
                }
                if (bits != width)
                    out.push_back({ width - bits, Form(), true });
            }
        }
        return out;
    }
    static bool is_zero(const Lane &lane)
    {
        const wide n = lane.form.constant;
        return !lane.undefined && lane.form.known()
               && (n == 0 || (lane.width <= 120 && (n & (power(lane.width) - 1)) == 0));
    }
    /* How many of the lowest bits no unknown byte changes. */
    static unsigned bits_known(const Lane &lane)
    {
        unsigned bits = std::min(lane.width, 120u);
        for (const Term &t : lane.form)
            while ((t.weight & (power(bits) - 1)) != 0)
                bits--;
        return bits;
    }
    bool disjoint(const Lane &above, const Lane &below)
    {
        wide bits = exact(above).constant;
        for (const Term &t : exact(above))
            bits |= t.weight;
        const wide unit = bits & -bits;
        return atoms.range(exact(below)).high < unit;
    }
};

#endif
