/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/* The exported functions of wiresum_stream.h. */
#include "kernel.h"

#include "../include/wiresum_stream.h"

bool wiresum_stream_push_chain(struct wiresum_stream *stream, wiresum_next_piece *next,
                               void *position, size_t offset, size_t len)
{
    struct wiresum_stream all = *stream;
    while (offset || len) {
        struct wiresum_piece piece;
        if (!next(position, &piece))
            return false;
        if (piece.len <= offset) { /* an empty piece too */
            offset -= piece.len;
            continue;
        }
        const size_t rest = piece.len - offset, here = rest < len ? rest : len;
        wiresum_stream_push(&all, (const uint8_t *)piece.data + offset, here);
        offset = 0;
        len -= here;
    }
    *stream = all;
    return true;
}

/* The rest of an array of pieces. */
struct array {
    const struct wiresum_piece *next, *end;
};

static bool next_of_array(void *position, struct wiresum_piece *piece)
{
    struct array *const array = position;
    if (array->next == array->end)
        return false;
    *piece = *array->next++;
    return true;
}

bool wiresum_stream_push_range(struct wiresum_stream *stream, const struct wiresum_piece *pieces,
                               size_t n, size_t offset, size_t len)
{
    struct array array = { pieces, n ? pieces + n : pieces }; /* pieces may be null if n is 0 */
    return wiresum_stream_push_chain(stream, next_of_array, &array, offset, len);
}

size_t wiresum_stream_copy(struct wiresum_stream *stream, const struct wiresum_room *rooms,
                           size_t rooms_n, const struct wiresum_piece *pieces, size_t n,
                           size_t offset)
{
    size_t copied = 0, room = 0, used = 0; /* used: the bytes of rooms[room] that are full */
    for (size_t i = 0; i < n; i++) {
        if (pieces[i].len <= offset) {
            offset -= pieces[i].len;
            continue;
        }
        const uint8_t *from = (const uint8_t *)pieces[i].data + offset;
        size_t rest = pieces[i].len - offset;
        offset = 0;
        while (rest) {
            for (; room < rooms_n && used == rooms[room].len; room++)
                used = 0;
            if (room == rooms_n)
                return copied;
            const size_t space = rooms[room].len - used, here = rest < space ? rest : space;
            wiresum_stream_push_sum(
                stream, wiresum_copy((uint8_t *)rooms[room].data + used, from, here), here);
            from += here;
            rest -= here;
            used += here;
            copied += here;
        }
    }
    return copied;
}
