# SPDX-License-Identifier: MIT OR Apache-2.0
"""The places of the hardware's sources."""

from pathlib import Path

RTL = Path(__file__).resolve().parent
ROOT = RTL.parent
BUILD = ROOT / "build" / "rtl"
TCOE = RTL / "src/tcoe"
SOURCES = [
    TCOE / line for line in (TCOE / "tcoe.f").read_text().splitlines() if not line.startswith("//")
]
STREAM = RTL / "src/stream"
ENGINE = RTL / "src/engine"
MODELS = sorted((RTL / "models").glob("*.sv"))
