# SPDX-License-Identifier: MIT OR Apache-2.0
"""The same vectors as a C header."""

import json

from groups.inputs import length_of, pattern_of

C_TYPES = """\
/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The test vectors, made by spec/make_vectors.py; spec/checksum.md says what each field means.
 * Every sum and checksum is the number that its two bytes make when read big-endian, as on the wire. */
#ifndef WIRESUM_VECTORS_H
#define WIRESUM_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An input is its parts one after the other; a part is its `size` bytes over and over, cut off at `length`. */
struct vector_part { const uint8_t *bytes; size_t size; uint64_t length; };
struct vector_data { const struct vector_part *parts; size_t count; uint64_t length; };
struct vector_piece { uint64_t length; uint16_t sum; };
enum vector_status { VECTOR_GOOD, VECTOR_BAD, VECTOR_BAD_HEADER, VECTOR_ABSENT, VECTOR_ILLEGAL, VECTOR_FRAGMENT,
                     VECTOR_UNKNOWN, VECTOR_ROUTED, VECTOR_SHORT, VECTOR_MALFORMED };

struct vector_sum { const char *name, *catches; struct vector_data data; uint16_t sum, checksum; bool huge; };
struct vector_split { const char *name, *catches; struct vector_data data; const struct vector_piece *pieces;
                      size_t count; uint16_t sum; };
struct vector_subtract { const char *name, *catches; uint16_t whole, part, rest; };
struct vector_update { const char *name, *catches; uint16_t checksum; uint64_t offset; struct vector_data was, is;
                       uint16_t after, udp_after; };
struct vector_verify { const char *name, *catches; struct vector_data data; uint16_t sum; bool ok; };
struct vector_pseudo { const char *name, *catches; int family; uint8_t source[16], destination[16], protocol;
                       uint32_t length; uint16_t sum; };
struct vector_ipv4_header { const char *name, *catches; uint8_t header[60]; size_t length;
                            uint16_t checksum; bool ok; };
struct vector_segment { const char *name, *catches; int family; uint8_t protocol, source[16], destination[16];
                        struct vector_data segment; size_t field_offset; uint16_t seed, checksum, field;
                        enum vector_status status; };
struct vector_range { const char *name, *catches; struct vector_data data; const struct vector_piece *pieces;
                      size_t count; uint64_t offset, length; uint16_t sum; const struct vector_piece *rooms;
                      size_t rooms_count; uint64_t copied; uint16_t copied_sum; };
struct vector_remove_head { const char *name, *catches; uint16_t whole; uint64_t length, head_length;
                            uint16_t head, rest; };
struct vector_replace { const char *name, *catches; uint16_t checksum, was, is, after, udp_after; };
struct vector_finish { const char *name, *catches; struct vector_data frame; uint64_t start, offset; bool ok;
                       uint16_t field; };
struct vector_udplite { const char *name, *catches; int family; uint8_t source[16], destination[16];
                        struct vector_data segment; uint16_t seed; uint64_t coverage; uint16_t field; bool ok; };
struct vector_packet { const char *name, *catches; struct vector_data packet; enum vector_status result, fill;
                       struct vector_data filled; uint64_t end; };

/* Writes the from->length bytes that a recipe describes. Not for vectors marked huge. */
static inline void vector_fill(uint8_t *to, const struct vector_data *from)
{
    for (size_t i = 0; i < from->count; i++)
        for (uint64_t j = 0; j < from->parts[i].length; j++)
            *to++ = from->parts[i].bytes[j % from->parts[i].size];
}

"""

# Of each group: the C struct and, in the order of its members, how each member is written.
C_GROUPS = {
    "sum": ("sum", "data:data sum:word checksum:word huge:bool"),
    "split": ("split", "data:data pieces:pieces sum:word"),
    "subtract": ("subtract", "whole:word part:word rest:word"),
    "update": ("update", "checksum:word offset:int was:data is:data after:word udp_after:word"),
    "verify": ("verify", "data:data sum:word ok:bool"),
    "pseudo": (
        "pseudo",
        "family:int source:bytes destination:bytes protocol:int length:int sum:word",
    ),
    "ipv4_header": ("ipv4_header", "header:sized checksum:word ok:bool"),
    "range": (
        "range",
        "data:data pieces:pieces offset:int length:int sum:word rooms:pieces copied:int copied_sum:word",
    ),
    "remove_head": ("remove_head", "whole:word length:int head_length:int head:word rest:word"),
    "replace": ("replace", "checksum:word was:word is:word after:word udp_after:word"),
    "finish": ("finish", "frame:data start:int offset:int ok:bool field:word"),
    "udplite": (
        "udplite",
        "family:int source:bytes destination:bytes segment:data seed:word coverage:int field:word ok:bool",
    ),
    "packet": ("packet", "packet:data result:status fill:status filled:data end:int"),
} | dict.fromkeys(
    ("tcp", "udp", "icmp", "icmpv6"),
    (
        "segment",
        "family:int protocol:int source:bytes destination:bytes segment:data field_offset:int seed:word"
        " checksum:word field:word status:status",
    ),
)


RECIPES = ("data", "segment", "was", "is", "frame", "packet", "filled")


def render_c(vectors):
    """The vectors as arrays of structs. Patterns stand once, in one pool, and are shared wherever they recur."""
    pool = bytearray()

    def every_part(v):
        recipes = [v[key] for key in RECIPES if isinstance(v.get(key), list)]
        return [part for parts in recipes for part in parts]

    everything = [v for group in C_GROUPS for v in vectors[group]]
    for pattern in sorted(
        {pattern_of(part) for v in everything for part in every_part(v)}, key=lambda p: (-len(p), p)
    ):
        if pattern not in pool:
            pool += pattern

    parts, pieces = [], []

    def c_bytes(data):
        return "{" + ",".join(map(str, data)) + "}"

    def c_data(recipe):
        start = len(parts)
        for part in recipe:
            pattern = pattern_of(part)
            parts.append(
                f"{{vector_bytes + {pool.index(pattern)}, {len(pattern)}, {length_of(part)}u}}"
            )
        return f"{{vector_parts + {start}, {len(recipe)}, {sum(map(length_of, recipe))}u}}"

    def c_pieces(rows):
        start = len(pieces)
        pieces.extend(f"{{{row['length']}u, {row['sum']}}}" for row in rows)
        return f"vector_pieces + {start}, {len(rows)}"

    write = {
        "data": c_data,
        "pieces": c_pieces,
        "word": str,
        "int": lambda number: f"{number}u",
        "bool": lambda flag: "true" if flag else "false",
        "bytes": lambda text: c_bytes(bytes.fromhex(text)),
        "sized": lambda text: f"{c_bytes(bytes.fromhex(text))}, {len(text) // 2}",
        "status": lambda text: f"VECTOR_{text.upper()}",
    }
    arrays = []
    for group, (struct, members) in C_GROUPS.items():
        rows = []
        for v in vectors[group]:
            columns = [json.dumps(v["name"]), json.dumps(v["catches"])]
            for member in members.split():
                key, kind = member.split(":")
                columns.append(write[kind](v.get(key, False)))
            rows.append("    {" + ", ".join(columns) + "},\n")
        count = f"static const size_t vectors_{group}_count = {len(rows)};\n\n"
        arrays.append(
            f"static const struct vector_{struct} vectors_{group}[] = {{\n"
            + "".join(rows)
            + "};\n"
            + count
        )

    def table(declaration, rows, per_line):
        lines = [", ".join(rows[i : i + per_line]) for i in range(0, len(rows), per_line)]
        return f"static const {declaration}[] = {{\n    " + ",\n    ".join(lines) + "\n};\n\n"

    return (
        C_TYPES
        + f"#define VECTORS_SEED {json.dumps(vectors['seed'])}\n\n"
        + table("uint8_t vector_bytes", [f"0x{byte:02x}" for byte in pool], 20)
        + table("struct vector_part vector_parts", parts, 3)
        + table("struct vector_piece vector_pieces", pieces, 6)
        + "".join(arrays)
        + "#endif\n"
    )
