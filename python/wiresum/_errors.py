# SPDX-License-Identifier: MIT OR Apache-2.0
"""The exception of this package."""


class CaptureError(Exception):
    """A capture cannot be read, or cannot be repaired. The message says what is wrong and where."""

    file: str | None
    """The name of the capture, if it has one."""
    offset: int
    """How many bytes of the capture, compressed as it is, had been read."""

    def __init__(self, message: str, file: str | None = None, offset: int = 0) -> None:
        super().__init__(message)
        self.file = file
        self.offset = offset

    def __reduce__(self) -> tuple[type, tuple[str, str | None, int]]:
        return type(self), (str(self), self.file, self.offset)
