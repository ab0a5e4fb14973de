/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/*
 * The memory of the program under proof: regions far from each other, with concrete addresses. An
 * access that is not inside of one region is a fault, and so is a read of a byte that nobody wrote.
 */
#ifndef WIRESUM_PROOF_MEMORY_H
#define WIRESUM_PROOF_MEMORY_H

#include <map>

#include "value.h"

struct Cell {
    Lane lane;          /* in the first cell of the lane */
    int from_first = 0; /* how many cells before this one the lane begins */
    bool written = false;
};

struct Region {
    enum Kind { SOURCE, DESTINATION, STACK, CONSTANT } kind;
    std::string name;
    uint64_t address;
    size_t size;
    std::vector<Cell> cells; /* none for the source */
};

class Memory
{
    Arithmetic &arithmetic;
    std::map<uint64_t, Region> regions;
    uint64_t stack = STACK_AT;

  public:
    static constexpr uint64_t SOURCE_AT = 0x10000000, DESTINATION_AT = 0x20000000,
                              CONSTANTS_AT = 0x30000000, STACK_AT = 0x40000000;

    explicit Memory(Arithmetic &a) : arithmetic(a) {}

    /* Forgets everything except constants. */
    void clear()
    {
        for (auto it = regions.begin(); it != regions.end();)
            it = it->second.kind == Region::CONSTANT ? std::next(it) : regions.erase(it);
        stack = STACK_AT;
    }
    Region &add(Region::Kind kind, const std::string &name, uint64_t address, size_t size)
    {
        Region region = { kind, name, address, size, {} };
        if (kind != Region::SOURCE)
            region.cells.resize(size);
        return regions[address] = std::move(region);
    }
    uint64_t allocate(size_t size)
    {
        const uint64_t at = stack;
        add(Region::STACK, "the stack", at, size);
        stack += (size + 63) / 64 * 64 + 64;
        return at;
    }
    uint64_t stack_top() const
    {
        return stack;
    }
    void free_to(uint64_t top)
    {
        regions.erase(regions.lower_bound(top), regions.end());
        stack = top;
    }
    const Region &at(uint64_t address) const
    {
        return regions.at(address);
    }

    /* A number that is read where a pointer was stored would be one whose region nobody knows. */
    Lanes load(uint64_t address, size_t size, bool with_addresses = false)
    {
        Region &region = find(address, size, "reads");
        const size_t first = address - region.address;
        Lanes lanes;
        if (region.kind == Region::SOURCE) {
            lanes.reserve(size);
            for (size_t i = 0; i < size; i++)
                lanes.push_back({ 8, arithmetic.atoms.byte(first + i) });
            return lanes;
        }
        isolate(region, first);
        isolate(region, first + size);
        for (size_t i = first; i < first + size; i += lanes.back().width / 8) {
            if (!region.cells[i].written)
                throw Refuted("a byte of " + region.name + " is read before it is written");
            lanes.push_back(region.cells[i].lane);
            if (lanes.back().address && !with_addresses)
                throw Refuted("an address is read as a number");
        }
        return lanes;
    }
    void store(uint64_t address, Lanes lanes)
    {
        const unsigned bits = width_of(lanes);
        for (const Lane &lane : lanes)
            if (lane.width % 8 != 0) {
                lanes = arithmetic.cut(lanes, 8);
                break;
            }
        Region &region = find(address, bits / 8, "writes");
        if (region.kind == Region::SOURCE || region.kind == Region::CONSTANT)
            throw Refuted("writes to " + region.name);
        size_t at = address - region.address;
        isolate(region, at);
        isolate(region, at + bits / 8);
        for (Lane &lane : lanes) {
            const int bytes = (int)(lane.width / 8);
            for (int i = 0; i < bytes; i++)
                region.cells[at + (size_t)i] = { Lane(), i, true };
            region.cells[at].lane = std::move(lane);
            at += (size_t)bytes;
        }
    }

    /* What a region of constants holds; the program is not running yet. */
    void initialize(uint64_t address, const Lanes &lanes)
    {
        Region &region = std::prev(regions.upper_bound(address))->second;
        region.kind = Region::STACK;
        store(address, lanes);
        region.kind = Region::CONSTANT;
    }

  private:
    Region &find(uint64_t address, size_t size, const char *what)
    {
        auto it = regions.upper_bound(address);
        if (it != regions.begin() && size != 0) {
            Region &region = std::prev(it)->second;
            if (address - region.address < region.size + 0x1000000) {
                if (address + size <= region.address + region.size)
                    return region;
                throw Refuted(std::string(what) + " " + std::to_string(size) + " bytes at offset "
                              + std::to_string(address - region.address) + " of the "
                              + std::to_string(region.size) + " bytes of " + region.name);
            }
        }
        throw Refuted(std::string(what) + " " + std::to_string(size) + " bytes beside all data"
                      + (it != regions.end() ? ", " + std::to_string(it->first - address)
                                                   + " bytes before " + it->second.name
                                             : ""));
    }

    /* Lets a lane begin at a cell, or none reach across it. */
    void isolate(Region &region, size_t at)
    {
        if (at >= region.cells.size() || region.cells[at].from_first == 0)
            return;
        const size_t first = at - (size_t)region.cells[at].from_first;
        if (region.cells[first].lane.address)
            throw Refuted("a part of an address is read or written");
        const Lanes bytes = arithmetic.cut({ region.cells[first].lane }, 8);
        for (size_t i = 0; i < bytes.size(); i++)
            region.cells[first + i] = { bytes[i], 0, true };
    }
};

#endif
