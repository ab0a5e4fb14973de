# SPDX-License-Identifier: MIT OR Apache-2.0
"""The instantiation templates of README.md: each block with its parameters and its ports.

They are made from the blocks' own headers. `run.py lint` takes them from the page, declares a
signal for each port, and has Verilator and Icarus elaborate that. Its bounded run fails if a
template is of another header.
"""

import re

from rtl.environment import Failed, tool
from rtl.results import put_table
from rtl.sources import BUILD, ENGINE, RTL, STREAM

BLOCKS = {  # with the list of the files that it needs
    **dict.fromkeys(
        ("sum_stream", "tx_insert", "rx_check", "rx_pass", "port", "update"), (STREAM, "stream.f")
    ),
    "engine": (ENGINE, "engine.f"),
}


class Header:
    """The parameters and the ports of a module."""

    def __init__(self, text):
        head = text[text.index("\nmodule ") : text.index("\n);\n")]
        head = re.sub(r"//[^\n]*", "", head)
        first, _, second = head.partition("\n) (\n")
        one = r"parameter ([\w :\[\]]+?)\s+(\w+)\s*=([^;]*?)(?=,\s*parameter|$)"
        found = re.findall(one, first)
        self.parameters = [(kind, name, " ".join(value.split())) for kind, name, value in found]
        self.ports = re.findall(r"(input|output)\s+logic\s*(?:\[\s*([^]]*?):0\])?\s*(\w+)", second)

    def free(self):
        """The parameters that do not follow from others, with their values."""
        names = {name for _, name, _ in self.parameters}
        return [
            (name, value)
            for _, name, value in self.parameters
            if not names & {*re.findall(r"[A-Z]\w+", value)}
        ]


def bits(high):
    """The width of a port, from its highest bit."""
    if not high:
        return "1"
    high = high.replace(" ", "")
    if high.isdigit():
        return str(int(high) + 1)
    if high.endswith("-1"):
        return high[:-2]
    name, _, more = high.partition("+")
    return f"{name} + {int(more or 0) + 1}"


def template(name, header):
    lines = [f"wiresum_{name} #("]
    lines += [f"    .{one}({value})," for one, value in header.free()]
    lines[-1] = lines[-1][:-1]
    lines.append(f") {name}_0 (")
    size = max(len(port) for *_, port in header.ports)
    for number, (way, high, port) in enumerate(header.ports, 1):
        end = "," if number < len(header.ports) else ""
        joined = f"    .{port:{size}}({port}){end}"
        lines.append(f"{joined:{2 * size + 9}}// {way[:-3]:3} {bits(high)}")
    return "\n".join([*lines, ");"])


def built(name, header, text):
    """Elaborates the template as the page has it."""
    place = BUILD / "templates" / f"{name}.sv"
    place.parent.mkdir(parents=True, exist_ok=True)
    lines = ["module template;"]
    lines += [f"localparam {kind} {one} = {value};" for kind, one, value in header.parameters]
    for _, high, port in header.ports:
        lines.append(f"logic {f'[{high}:0] ' if high else ''}{port};")
    place.write_text("\n".join([*lines, text, "endmodule", ""]))
    folder, files = BLOCKS[name]
    tool(
        *("verilator", "--lint-only", "-Wall", "-Wno-DECLFILENAME", "-Wno-UNUSEDSIGNAL"),
        *("-Wno-UNUSEDPARAM", "-Wno-UNDRIVEN", "--top-module", "template"),
        *("-F", folder / files, place),
    )
    tool("iverilog", "-g2012", "-t", "null", "-s", "template", "-f", files, place, cwd=folder)


def run(bounded):
    for name, (folder, _) in BLOCKS.items():
        header = Header((folder / f"wiresum_{name}.sv").read_text())
        if not header.ports or not header.parameters:
            raise Failed(f"templates: nothing is found in the header of {name}")
        text = f"```systemverilog\n{template(name, header)}\n```"
        put_table(f"template {name}", text, bounded)
        page = (RTL / "README.md").read_text()
        shown = page.split(f"<!-- template {name}: made by run.py -->")[1]
        built(name, header, shown.split("```")[1].partition("\n")[2])
