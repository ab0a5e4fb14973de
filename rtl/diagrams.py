# SPDX-License-Identifier: MIT OR Apache-2.0
"""The timing diagrams of README.md, drawn by WaveDrom. The simulations test what arrows show."""

import json
import re
from xml.etree import ElementTree

import wavedrom

from rtl.environment import Failed
from rtl.sources import ROOT, RTL

FOLDER = RTL / "diagrams"
MADE = "SPDX-License-Identifier: MIT OR Apache-2.0. Made by run.py lint from rtl/diagrams.py."
SVG = "http://www.w3.org/2000/svg"
HREF = "{http://www.w3.org/1999/xlink}href"


def row(name, wave, data=(), node=""):
    return {"name": name, "wave": wave, "data": list(data), "node": node}


CLOCK = row("clk", "p")
DIAGRAMS = {
    # Three frames, of one, one and two beats, at 64 bits.
    "sum_stream": {
        "signal": [
            row("s_axis_tvalid", "1...0......"),
            row("s_axis_tdata", "====x......", ["A", "B", "C", "C"]),
            row("s_axis_tlast", "1.010......", node="...A"),
            {},
            row("m_result_valid", "0.....1.010", node=".........B"),
            row("m_result_sum", "x.....==x=x", ["A", "B", "C"]),
        ],
        "edge": ["A~>B 6 cycles"],
    },
    # Two frames of one beat, at 64 bits.
    "tx_insert": {
        "signal": [
            row("s_command_valid", "1.0.................."),
            row("s_axis_tvalid", "0.1.0................", node="...A"),
            row("s_axis_tdata", "x.==x................", ["A", "B"]),
            {},
            row("m_axis_tvalid", "0................1.0.", node="..................B"),
            row("m_axis_tdata", "x................==x.", ["A", "B"]),
        ],
        "edge": ["A~>B 15 cycles"],
    },
    # A frame of 64 bytes at 64 bits.
    "rx_pass": {
        "signal": [
            row("s_axis_tvalid", "1.......0." + "." * 32),
            row("s_axis_tlast", "0......10." + "." * 32, node=".......A"),
            {},
            row("m_axis_tvalid", "0" + "." * 32 + "1.......0", node="." * 33 + "B"),
            row("m_axis_tuser", "x" + "." * 32 + "=.......x", ["verdict"]),
            row("m_axis_tlast", "0" + "." * 39 + "10"),
        ],
        "edge": ["A~>B 29 cycles"],
    },
    # A frame of 64 bytes, UDP over IPv4, at 64 bits.
    "rx_check": {
        "signal": [
            row("s_axis_tvalid", "1.......0." + "." * 24),
            row("s_axis_tlast", "0......10." + "." * 24, node=".......A"),
            {},
            row("m_result_valid", "0" + "." * 31 + "10", node="." * 32 + "B"),
        ],
        "edge": ["A~>B 28 cycles"],
    },
    # Three commands of three words.
    "update": {
        "signal": [
            row("s_update_valid", "1..0..........", node="..A"),
            row("s_update_id", "===x..........", ["1", "2", "3"]),
            {},
            row("m_update_valid", "0.........1..0", node="............B"),
            row("m_update_id", "x.........===x", ["1", "2", "3"]),
        ],
        "edge": ["A~>B 10 cycles"],
    },
    # A job of one piece, at 64 bits, with a memory that answers in the next cycle.
    "engine": {
        "signal": [
            row("TAIL is written", "10" + "." * 30),
            row("m_axi_arvalid", "0....10..........10" + "." * 13),
            row("m_axi_rvalid", "0......1...0.......1.0" + "." * 10),
            row("m_axi_rdata", "x......=...x.......=.x" + "." * 10, ["a job", "data"]),
            row("m_axi_awvalid", "0" + "." * 28 + "10."),
        ],
    },
}


def drawn(diagram):
    """The text of a diagram's picture, on white and with nothing that it does not use."""
    length = max(len(each.get("wave", "")) for each in diagram["signal"])
    waves = [CLOCK | {"wave": "p" + "." * (length - 1)}, *diagram["signal"]]
    narrow = {"skin": "narrow"} if length > 16 else {}
    described = diagram | {"signal": waves, "head": {"tick": 0}, "config": narrow}
    root = ElementTree.fromstring(wavedrom.render(json.dumps(described)).tostring())
    uses = {each.get(HREF) for each in root.iter(f"{{{SVG}}}use")}
    for definitions in root.iter(f"{{{SVG}}}defs"):
        for each in list(definitions):
            if each.tag.endswith("}g") and f"#{each.get('id')}" not in uses:
                definitions.remove(each)
    white = ElementTree.Element(f"{{{SVG}}}rect", width="100%", height="100%", fill="white")
    root.insert(0, white)
    ElementTree.register_namespace("", SVG)
    ElementTree.register_namespace("xlink", HREF[1:].partition("}")[0])
    text = re.sub(r"\s*\n\s*", " ", ElementTree.tostring(root, encoding="unicode"))
    lines = text.replace("><g", ">\n<g")
    return f"<!-- {MADE} -->\n{lines}\n"


def run(bounded):
    """Writes the pictures. Bounded: fails if a picture is another one."""
    FOLDER.mkdir(exist_ok=True)
    for name, diagram in DIAGRAMS.items():
        path, text = FOLDER / f"{name}.svg", drawn(diagram)
        if bounded and (not path.exists() or path.read_text() != text):
            raise Failed(f"{path.relative_to(ROOT)} is not of diagrams.py: python3 rtl/run.py lint")
        path.write_text(text)
