# SPDX-License-Identifier: MIT OR Apache-2.0
"""The command line: `python -m wiresum` is the program `wiresum`."""

import signal
import sys

from . import _wiresum


def main() -> int:
    """Run the program with the arguments of this process, and return its exit status."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Python only notes it while the program runs
    return _wiresum.run(["wiresum", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
