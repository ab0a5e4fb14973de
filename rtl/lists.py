# SPDX-License-Identifier: MIT OR Apache-2.0
"""The lists of the blocks' files for FuseSoC, Bender, and tools that read a .f list.

They have the files of src/stream and of src/engine, which uses some of them, and the version of the
workspace.
"""

import re

from rtl.environment import Failed
from rtl.sources import ENGINE, ROOT, RTL, STREAM

SPDX = "SPDX-License-Identifier: MIT OR Apache-2.0"
MADE = "Made by run.py lint, from the files of src/stream and src/engine."


def lint(top):
    """What a target for lint has, after its file sets."""
    return [
        "    description: Verilator's lint",
        f"    toplevel: {top}",
        "    flow: lint",
        "    flow_options:",
        "      tool: verilator",
        "      verilator_options: [-Wall]",
    ]


def texts():
    """The lists: {path: text}."""
    files, engine = (
        sorted(path.relative_to(RTL).as_posix() for path in folder.glob("*.sv"))
        for folder in (STREAM, ENGINE)
    )
    blocks = [re.sub(r".*/wiresum_(\w+)\.sv", r"\1", file) for file in files]
    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
    core = [
        "CAPI=2:",
        f"# {SPDX}",
        f"# {MADE}",
        f"name: wiresum:rtl:stream:{version}",
        "description: The Internet checksum (RFC 1071) of AXI4-Stream frames",
        "filesets:",
        "  rtl:",
        "    files:",
        *(f"      - {file}" for file in files),
        "    file_type: systemVerilogSource",
        "  page:",
        "    files: [tests/page/rx_pass_tb.sv]",
        "    file_type: systemVerilogSource",
        "targets:",
        "  default: &default",
        "    filesets: [rtl]",
    ]
    core += ["  lint:", "    <<: *default", *lint("wiresum_port")]
    core += [
        "  sim:",
        "    description: Frames through wiresum_rx_pass; prints PASS",
        "    filesets: [rtl, page]",
        "    toplevel: rx_pass_tb",
        "    parameters: [DATA_WIDTH]",
        "    flow: sim",
        "    flow_options:",
        "      tool: icarus",
        "      iverilog_options: [-g2012]",
    ]
    for block in blocks:
        core += [f"  {block}:", "    <<: *default", f"    toplevel: wiresum_{block}"]
    core += [
        "parameters:",
        "  DATA_WIDTH:",
        "    datatype: int",
        "    default: 64",
        "    paramtype: vlogparam",
    ]
    bender = [
        f"# {SPDX}",
        f"# {MADE}",
        "package:",
        "  name: wiresum",
        "sources:",
        *(f"  - {file}" for file in files + engine),
    ]
    memory = [
        "CAPI=2:",
        f"# {SPDX}",
        f"# {MADE}",
        f"name: wiresum:rtl:engine:{version}",
        "description: The Internet checksum (RFC 1071) of data in memory, over AXI4",
        "filesets:",
        "  rtl:",
        f"    depend: [wiresum:rtl:stream:{version}]",
        "    files:",
        *(f"      - {file}" for file in engine),
        "    file_type: systemVerilogSource",
        "targets:",
        "  default: &default",
        "    filesets: [rtl]",
        "    toplevel: wiresum_engine",
        "  lint:",
        "    <<: *default",
        *lint("wiresum_engine"),
    ]
    paths = [f"../{file.partition('/')[2]}" for file in files]
    paths += [file.rsplit("/", 1)[1] for file in engine]
    names = [f"// {SPDX}", f"// {MADE}", *(file.rsplit("/", 1)[1] for file in files)]
    return {
        RTL / "wiresum.core": "\n".join(core) + "\n",
        RTL / "Bender.yml": "\n".join(bender) + "\n",
        STREAM / "stream.f": "\n".join(names) + "\n",
        RTL / "wiresum_engine.core": "\n".join(memory) + "\n",
        ENGINE / "engine.f": "\n".join([f"// {SPDX}", f"// {MADE}", *paths]) + "\n",
    }


def run(bounded):
    """Writes the lists. Bounded: fails if a list has other text."""
    for path, text in texts().items():
        if bounded and (not path.exists() or path.read_text() != text):
            raise Failed(f"{path.relative_to(ROOT)} is not of these files: python3 rtl/run.py lint")
        path.write_text(text)
