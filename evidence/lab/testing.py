# SPDX-License-Identifier: MIT OR Apache-2.0
"""Functions for the tests of all documents."""

import functools

from .__main__ import recorded, run


@functools.cache
def result(key):
    """The Result of a document on its recorded measurement, computed once a session."""
    return run(key, recorded(key)["numbers"])[1]


def pinned(result, verdicts):
    """Fails unless the rows are exactly these, with these verdicts: {row id: verdict}."""
    found = {row.id: row.verdict for row in result.rows}
    assert len(found) == len(result.rows), "two rows share an id"
    assert found == verdicts
