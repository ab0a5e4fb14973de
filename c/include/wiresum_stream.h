/* SPDX-License-Identifier: MIT OR Apache-2.0 */
/** @file
 * wiresum: sums of streams and chains, whose pieces have any length, even or odd.
 *
 * This file adds to wiresum.h, whose words, byte order and rules hold here. A stream is a sum that
 * knows its length, so it joins each piece at the right parity. A chain is a list of pieces: an
 * array, or the buffers of a network stack (mbuf, sk_buff, pbuf), which a function of the caller
 * walks.
 */
#ifndef WIRESUM_STREAM_H
#define WIRESUM_STREAM_H

#include "wiresum.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Streams ---- */

/** The sum of a stream of bytes. All zero is the stream of no bytes. Streams can be copied. */
struct wiresum_stream {
    /** The number of bytes, mod 2^64. */
    uint64_t len;
    /** The sum of the bytes. */
    uint16_t sum;
};

/** Makes the stream one of no bytes. */
static inline void wiresum_stream_init(struct wiresum_stream *stream)
{
    stream->len = 0;
    stream->sum = 0;
}

/** Adds at the end len bytes whose sum is sum. */
static inline void wiresum_stream_push_sum(struct wiresum_stream *stream, uint16_t sum,
                                           uint64_t len)
{
    stream->sum = wiresum_append(stream->sum, WIRESUM_CAST(size_t, stream->len & 1), sum);
    stream->len += len;
}

/** Adds data at the end. */
static inline void wiresum_stream_push(struct wiresum_stream *stream, const void *data, size_t len)
{
    wiresum_stream_push_sum(stream, wiresum_sum(data, len), len);
}

/** Adds all bytes of tail at the end. */
static inline void wiresum_stream_join(struct wiresum_stream *stream,
                                       const struct wiresum_stream *tail)
{
    wiresum_stream_push_sum(stream, tail->sum, tail->len);
}

/** Returns the sum of all bytes so far. */
static inline uint16_t wiresum_stream_sum(const struct wiresum_stream *stream)
{
    return stream->sum;
}

/** Returns the checksum of all bytes so far. */
static inline uint16_t wiresum_stream_checksum(const struct wiresum_stream *stream)
{
    return wiresum_complement(stream->sum);
}

/* ---- Removal ----
 *
 * A sum does not tell what it is made of: an all-zero rest that is not empty gives 0xFFFF if the
 * part that is taken away has another sum than 0x0000.
 */

/** Returns the sum of the bytes after the first head_len bytes of a whole. head is the sum of
    those first bytes. A tail after an odd head is at odd offsets in the whole; the result is its
    sum as data of its own. wiresum_remove() takes away the tail. */
static inline uint16_t wiresum_remove_head(uint16_t whole, size_t head_len, uint16_t head)
{
    const uint16_t rest = wiresum_sub(whole, head);
    return head_len & 1 ? wiresum_swap(rest) : rest;
}

/** Takes the first bytes of the stream away, as a receiver does with a header. head is the stream
    of those bytes. Returns false, and changes nothing, if head is longer than the stream. */
static inline bool wiresum_stream_remove_head(struct wiresum_stream *stream,
                                              const struct wiresum_stream *head)
{
    if (head->len > stream->len)
        return false;
    stream->len -= head->len;
    stream->sum = stream->len ? wiresum_remove_head(stream->sum,
                                                    WIRESUM_CAST(size_t, head->len & 1), head->sum)
                              : 0;
    return true;
}

/** Takes the last bytes of the stream away, as a receiver does with padding. tail is the stream of
    those bytes. Returns false, and changes nothing, if tail is longer than the stream. */
static inline bool wiresum_stream_remove_tail(struct wiresum_stream *stream,
                                              const struct wiresum_stream *tail)
{
    if (tail->len > stream->len)
        return false;
    stream->len -= tail->len;
    stream->sum =
        stream->len ? wiresum_remove(stream->sum, WIRESUM_CAST(size_t, stream->len & 1), tail->sum)
                    : 0;
    return true;
}

/* ---- Chains ---- */

/** Adds the bytes [offset, offset + len) of n pieces, counted over all pieces, at the end of the
    stream. Returns false, and changes nothing, if the pieces have fewer bytes. */
WIRESUM_API bool wiresum_stream_push_range(struct wiresum_stream *stream,
                                           const struct wiresum_piece *pieces, size_t n,
                                           size_t offset, size_t len);

/** A function of the caller that walks a chain. Stores the next piece in *piece and returns true,
    or returns false at the end of the chain. position is what the caller passed: it says where the
    walk is, and the function moves it on. For the mbufs of DPDK:

        static bool next(void *position, struct wiresum_piece *piece)
        {
            struct rte_mbuf **const m = position;
            if (!*m)
                return false;
            piece->data = rte_pktmbuf_mtod(*m, const void *);
            piece->len = (*m)->data_len;
            *m = (*m)->next;
            return true;
        } */
typedef bool wiresum_next_piece(void *position, struct wiresum_piece *piece);

/** Adds the bytes [offset, offset + len) of a chain at the end of the stream, as
    wiresum_stream_push_range() does. Asks for no piece after the last byte. The chain must end:
    a ring of empty pieces is walked forever. */
WIRESUM_API bool wiresum_stream_push_chain(struct wiresum_stream *stream, wiresum_next_piece *next,
                                           void *position, size_t offset, size_t len);

/** A piece of memory to write to, with the layout of POSIX struct iovec. A pointer to an array of
    struct iovec can be cast to a pointer to rooms: the type may alias others. */
struct WIRESUM_MAY_ALIAS wiresum_room {
    /** The first byte; may be null if len is 0. */
    void *data;
    /** The number of bytes. */
    size_t len;
};

/** Copies the bytes of n pieces, from offset on, to rooms in their order, and adds them at the end
    of the stream. Ends where the rooms are full or the pieces end, and returns the number of bytes
    copied. Rooms and pieces may be cut at different places, even or odd, and may be empty. No room
    may overlap a piece or another room. To go on with other rooms, call again with an offset that
    is greater by the result. */
WIRESUM_API size_t wiresum_stream_copy(struct wiresum_stream *stream,
                                       const struct wiresum_room *rooms, size_t rooms_n,
                                       const struct wiresum_piece *pieces, size_t n, size_t offset);

#ifdef __cplusplus
}
#endif

#endif
