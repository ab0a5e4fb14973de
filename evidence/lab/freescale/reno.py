# SPDX-License-Identifier: MIT OR Apache-2.0
"""The paper's bound on TCP's throughput against the rule that it comes from: a window that grows by
a segment a round trip, and halves on a loss."""

import functools
import math
import random


@functools.cache
def factor(loss, acks, periodic, rounds=60_000):
    """The factor before MSS / (RTT · √loss): segments a round trip, times √loss.

    One acknowledgement is for `acks` segments. Losses come each 1/loss segments, or by chance.
    Timeouts and the receiver's limit are left out: they would only lower the factor.
    """
    draw, window, sent, until = random.Random(1990), 1.0, 0, 1 / loss
    for _ in range(rounds):
        segments = int(window)
        sent += segments
        if periodic:
            until -= segments
            lost = until <= 0
            until += lost / loss
        else:
            lost = draw.random() >= (1 - loss) ** segments
        window = max(window / 2, 1) if lost else window + 1 / acks
    return sent / rounds * math.sqrt(loss)
