# SPDX-License-Identifier: MIT OR Apache-2.0
"""Functions of other packages, replaced where their modules hold them."""

import sys
from collections.abc import Callable
from typing import Any

Function = Callable[..., Any]


class Replacement:
    """Functions of a package that others stand in for, in every module that has imported them."""

    def __init__(self, package: str) -> None:
        self._package = package
        self._pairs: list[tuple[Function, Function]] = []

    def install(self, pairs: list[tuple[Function, Function]]) -> None:
        """Put the second function of each pair in place of the first. Twice is as once."""
        if not self._pairs:
            self._exchange(pairs)
            self._pairs = pairs

    def uninstall(self) -> None:
        """Put all functions back."""
        self._exchange([(new, old) for old, new in self._pairs])
        self._pairs = []

    @property
    def installed(self) -> bool:
        return bool(self._pairs)

    def _exchange(self, pairs: list[tuple[Function, Function]]) -> None:
        for name, module in list(sys.modules.items()):
            if name != self._package and not name.startswith(f"{self._package}."):
                continue
            for key, value in list(vars(module).items()):
                for old, new in pairs:
                    if value is old:
                        setattr(module, key, new)
