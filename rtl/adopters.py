# SPDX-License-Identifier: MIT OR Apache-2.0
"""The packages for adopters: FuseSoC lints and simulates the cores as they are shipped."""

from rtl.environment import Failed, tool
from rtl.sources import BUILD, RTL


def fusesoc(target, core, *words):
    place = BUILD / "fusesoc" / f"{core}-{target}{''.join(words)}"
    return tool(
        *("fusesoc", "--cores-root", RTL, "run", f"--work-root={place}", "--target", target),
        *(f"wiresum:rtl:{core}", *words),
        cwd=BUILD,
    )


def run(bounded):
    for core in ("stream", "engine"):
        fusesoc("lint", core)
    for width in (64, 256):
        output = fusesoc("sim", "stream", "--DATA_WIDTH", str(width))
        if f"PASS: 39 frames at {width} bits" not in output:
            raise Failed(f"{output}\nfusesoc: the simulation at {width} bits fails")
