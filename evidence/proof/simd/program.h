/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* A program in LLVM's intermediate representation, as the parser leaves it to the machine. */
#ifndef WIRESUM_PROOF_PROGRAM_H
#define WIRESUM_PROOF_PROGRAM_H

#include <memory>

#include "memory.h"

struct Type {
    enum Kind { VOID, INTEGER, POINTER, VECTOR, ARRAY, STRUCT } kind = VOID;
    unsigned bits = 0;         /* of an integer, a pointer, or an element of a vector */
    size_t count = 0;          /* of a vector or an array */
    bool packed = false;       /* a struct */
    std::vector<Type> members; /* of a struct; the element of an array */

    size_t total_bits() const
    {
        return kind == VECTOR ? bits * count : bits;
    }
    size_t alignment() const;
    size_t size() const; /* in memory, in bytes */
    size_t offset(size_t member) const;
};

struct Operand {
    int reg = -1; /* -1: a constant */
    Value constant;
};

enum class Op {
    ADD,
    SUB,
    MUL,
    UDIV,
    SDIV,
    UREM,
    SREM,
    SHL,
    LSHR,
    ASHR,
    AND,
    OR,
    XOR,
    ICMP,
    SELECT,
    ZEXT,
    SEXT,
    TRUNC,
    CAST,
    FREEZE,
    GEP,
    LOAD,
    STORE,
    ALLOCA,
    BR,
    SWITCH,
    PHI,
    CALL,
    ASM,
    RET,
    EXTRACTVALUE,
    INSERTVALUE,
    EXTRACTELEMENT,
    INSERTELEMENT,
    SHUFFLE,
    UNREACHABLE,
};

struct Function;
struct Block;
class Machine;
struct Instruction;
typedef Value (*Intrinsic)(Machine &, const Instruction &, const std::vector<const Value *> &);

struct Instruction {
    Op op;
    int dest = -1;
    Type type; /* of the result; of what is compared or stored */
    Type from; /* of the operand of a conversion, or of the first operand */
    std::vector<Operand> operands;
    std::vector<wide> numbers; /* of GEP: strides; of a shuffle: lanes; of a switch: cases */
    wide offset = 0;           /* of GEP */
    std::vector<int> blocks;
    std::vector<Type> types; /* of the operands of a call */
    std::string name;        /* of a predicate, or of what is called */
    Function *function = nullptr;
    Intrinsic intrinsic = nullptr;
    std::shared_ptr<Block> assembly;
};

struct Function {
    std::string name;
    int registers = 0;
    std::vector<int> parameters;
    std::vector<size_t> by_value; /* the size of each parameter that is passed as a copy, or 0 */
    std::vector<Instruction> code;
    std::vector<size_t> blocks; /* where each begins */
};

struct Program {
    std::map<std::string, std::unique_ptr<Function>> functions;
    std::map<wide, Function *> by_address;
};

inline size_t Type::alignment() const
{
    switch (kind) {
    case ARRAY:
        return members[0].alignment();
    case STRUCT: {
        size_t most = 1;
        for (const Type &member : members)
            most = std::max(most, packed ? 1 : member.alignment());
        return most;
    }
    case VECTOR:
        return 1; /* no struct of a kernel has vectors among other members */
    default:
        return std::max(bits / 8, 1u);
    }
}
inline size_t Type::size() const
{
    switch (kind) {
    case ARRAY:
        return count * members[0].size();
    case STRUCT: {
        const size_t end = members.empty() ? 0 : offset(members.size() - 1) + members.back().size();
        return (end + alignment() - 1) / alignment() * alignment();
    }
    default:
        return (total_bits() + 7) / 8;
    }
}
inline size_t Type::offset(size_t member) const
{
    size_t at = 0;
    for (size_t i = 0;; i++) {
        const size_t alignment = packed ? 1 : members[i].alignment();
        at = (at + alignment - 1) / alignment * alignment;
        if (i == member)
            return at;
        at += members[i].size();
    }
}

#endif
