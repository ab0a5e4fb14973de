# SPDX-License-Identifier: MIT OR Apache-2.0
"""What is made from the engine's registers, src/engine/wiresum_engine.rdl (SystemRDL 2.0).

`run.py lint` writes the module that answers on AXI4-Lite, the header of the C driver, a description
in IP-XACT, and the table in rtl/README.md; its bounded run fails if one of them has other text.
"""

import re
import xml.etree.ElementTree as xml

from systemrdl import RDLCompiler
from systemrdl.rdltypes import OnWriteType

from rtl.environment import Failed, tool
from rtl.results import put_table
from rtl.sources import ENGINE, ROOT, RTL

RDL = ENGINE / "wiresum_engine.rdl"
MODULE = ENGINE / "wiresum_engine_registers.sv"
HEADER = RTL / "driver/wiresum_engine_registers.h"
IP_XACT = ENGINE / "wiresum_engine.xml"
SPDX = "SPDX-License-Identifier: MIT OR Apache-2.0"
MADE = "Made by rtl/run.py lint, from rtl/src/engine/wiresum_engine.rdl."


class Field:
    """A field, and what the engine and software do with it."""

    def __init__(self, register, node):
        self.register, self.name = register, node.inst_name
        self.low, self.high, self.width = node.low, node.high, node.width
        self.about = node.get_property("desc")
        self.reset = node.get_property("reset") or 0
        self.port = f"{register.name}_{self.name}"
        self.counts = bool(node.get_property("counter"))
        self.is_set = bool(node.get_property("hwset"))  # by the engine
        self.on_write = node.get_property("onwrite")
        self.says_written = bool(node.get_property("swmod"))
        self.writable = node.is_sw_writable
        self.from_engine = node.is_hw_writable and not self.is_set
        self.stored = self.counts or self.writable

    @property
    def range(self):
        return f"[{self.width - 1}:0]" if self.width > 1 else ""

    @property
    def constant(self):
        return f"{self.width}'h{self.reset:0{(self.width + 3) // 4}X}"

    @property
    def access(self):
        if self.on_write == OnWriteType.woclr:
            return "W1C"
        if self.on_write == OnWriteType.woset:
            return "W1S"
        return "RW" if self.writable else "R"


class Register:
    def __init__(self, node):
        self.name, self.offset = node.inst_name, node.absolute_address
        self.about = node.get_property("desc")
        self.fields = [Field(self, field) for field in node.fields()]

    @property
    def writable(self):
        return any(field.writable for field in self.fields)


def registers():
    compiler = RDLCompiler()
    compiler.compile_file(str(RDL))
    return [Register(node) for node in compiler.elaborate().top.registers()]


def ports(fields):
    """The ports of the fields: (direction, range, name)."""
    for field in fields:
        if field.writable:
            yield "output", field.range, field.port
        if field.says_written:
            yield "output", "", f"{field.port}_written"
        if field.is_set:
            yield "input", "", f"{field.port}_set"
        if field.counts:
            yield "input", "", f"{field.port}_increment"
        if field.from_engine:
            yield "input", field.range, field.port


def value(field):
    return field.port if field.stored or field.from_engine else field.constant


def word(register):
    """The 32 bits that a read gives."""
    parts, at = [], 32
    for field in sorted(register.fields, key=lambda field: -field.low):
        if at > field.high + 1:
            parts.append(f"{at - field.high - 1}'d0")
        parts.append(value(field))
        at = field.low
    if at:
        parts.append(f"{at}'d0")
    return parts[0] if len(parts) == 1 else "{" + ", ".join(parts) + "}"


def changes(field):
    """The statements that change a field."""
    place = f"[{field.high}:{field.low}]" if field.width > 1 else f"[{field.low}]"
    written = f"write && index == {field.register.offset >> 2}"
    data = f"data{place}"
    if field.counts:
        yield f"if ({field.port}_increment) {field.port} <= {field.port} + 1'b1;"
    elif field.on_write == OnWriteType.woclr:
        yield f"if ({written}) {field.port} <= {field.port} & ~{data};"
        yield f"if ({field.port}_set) {field.port} <= 1'b1;"
    elif field.on_write == OnWriteType.woset:
        yield f"if ({written}) {field.port} <= {field.port} | {data};"
    elif field.writable:
        yield f"if ({written}) {field.port} <= {data};"
    if field.says_written:
        yield f"{field.port}_written <= {written};"


def module(found):
    fields = [field for register in found for field in register.fields]
    listed = [f"{way} logic {size} {name}" for way, size, name in ports(fields)]
    stored = [field for field in fields if field.counts]
    reads = [f"{r.offset >> 2}: read_data = {word(r)};" for r in found]
    writable = ", ".join(str(r.offset >> 2) for r in found if r.writable)
    resets = [f"{field.port} <= {field.constant};" for field in fields if field.stored]
    resets += [f"{field.port}_written <= 1'b0;" for field in fields if field.says_written]
    return f"""// {SPDX}
// {MADE}
// The engine's registers on AXI4-Lite. An access to an address without a register, a write to a
// register that software cannot write, and a write of less than a word have SLVERR and no effect.
//
// `clear` gives all registers their reset values; an access under way still ends. Timing: a write
// shows two cycles after the later of its two handshakes, and is answered then. A read is answered
// two cycles after its handshake. All outputs are registers, or depend on registers alone.
module wiresum_engine_registers (
    input logic clk,
    input logic rst,    // synchronous, active high
    input logic clear,  // the values alone

    input  logic        s_axil_awvalid,
    output logic        s_axil_awready,
    input  logic [ 7:0] s_axil_awaddr,
    input  logic        s_axil_wvalid,
    output logic        s_axil_wready,
    input  logic [31:0] s_axil_wdata,
    input  logic [ 3:0] s_axil_wstrb,
    output logic        s_axil_bvalid,
    input  logic        s_axil_bready,
    output logic [ 1:0] s_axil_bresp,
    input  logic        s_axil_arvalid,
    output logic        s_axil_arready,
    input  logic [ 7:0] s_axil_araddr,
    output logic        s_axil_rvalid,
    input  logic        s_axil_rready,
    output logic [31:0] s_axil_rdata,
    output logic [ 1:0] s_axil_rresp,

    {("," + chr(10)).join(listed)}
);
  {chr(10).join(f"logic {field.range} {field.port};" for field in stored)}

  // A write waits in these until both its halves are there, and the answer before it is taken.
  logic have_address, have_data, whole, fire, write, right;
  logic [5:0] index;
  logic [31:0] data;
  assign s_axil_awready = !have_address;
  assign s_axil_wready  = !have_data;
  assign fire = have_address && have_data && (!s_axil_bvalid || s_axil_bready);
  assign write = fire && whole;
  always_comb
    case (index)
      {writable}: right = whole;
      default: right = 1'b0;
    endcase
  always_ff @(posedge clk) begin
    if (s_axil_awvalid && s_axil_awready) index <= s_axil_awaddr[7:2];
    if (s_axil_wvalid && s_axil_wready) begin
      data  <= s_axil_wdata;
      whole <= s_axil_wstrb == 4'hF;
    end
    have_address <= (s_axil_awvalid || have_address) && !fire && !rst;
    have_data <= (s_axil_wvalid || have_data) && !fire && !rst;
    if (fire) s_axil_bresp <= right ? 2'b00 : 2'b10;
    s_axil_bvalid <= (fire || s_axil_bvalid && !s_axil_bready) && !rst;
  end

  // A read.
  logic have_read, read, known;
  logic [5:0] read_index;
  logic [31:0] read_data;
  assign s_axil_arready = !have_read;
  assign read = have_read && (!s_axil_rvalid || s_axil_rready);
  always_comb begin
    known = 1'b1;
    read_data = 32'd0;
    case (read_index)
      {chr(10).join(reads)}
      default: known = 1'b0;
    endcase
  end
  always_ff @(posedge clk) begin
    if (s_axil_arvalid && s_axil_arready) read_index <= s_axil_araddr[7:2];
    have_read <= (s_axil_arvalid || have_read) && !read && !rst;
    if (read) begin
      s_axil_rdata <= read_data;
      s_axil_rresp <= known ? 2'b00 : 2'b10;
    end
    s_axil_rvalid <= (read || s_axil_rvalid && !s_axil_rready) && !rst;
  end

  // The values.
  always_ff @(posedge clk) begin
    {chr(10).join(line for field in fields for line in changes(field))}
    if (rst || clear) begin
      {chr(10).join(resets)}
    end
  end

  logic [3:0] unused;
  assign unused = {{s_axil_awaddr[1:0], s_axil_araddr[1:0]}};
endmodule
"""


def header(found):
    def name(*parts):
        return "_".join(("WIRESUM_ENGINE", *parts)).upper()

    macros = []
    for register in found:
        macros.append((name(register.name), f"0x{register.offset:02X}u"))
        for field in register.fields:
            mask = ((1 << field.width) - 1) << field.low
            macros.append((name(register.name, field.name, "shift"), str(field.low)))
            macros.append((name(register.name, field.name, "mask"), f"0x{mask:08X}u"))
            if not field.stored and not field.from_engine:
                macros.append((name(register.name, field.name, "value"), f"0x{field.reset:X}u"))
    width = max(len(macro) for macro, _ in macros)
    return "\n".join(
        [
            f"/* {SPDX} */",
            f"/* {MADE}",
            " * rtl/README.md describes the registers. A name is a byte offset; with _SHIFT or",
            " * _MASK it is the place of a field's lowest bit, or the field's bits in place. */",
            "#ifndef WIRESUM_ENGINE_REGISTERS_H",
            "#define WIRESUM_ENGINE_REGISTERS_H",
            "",
            *(f"#define {macro:{width}} {text}" for macro, text in macros),
            "",
            "#endif",
            "",
        ]
    )


def ip_xact(found):
    """The component with its memory map, as IEEE 1685-2014 has it: the few elements that the
    registers need. The exporter of PeakRDL is GPL."""
    space = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"
    xml.register_namespace("ipxact", space)

    def add(parent, name, text=None, **attributes):
        child = xml.SubElement(parent, f"{{{space}}}{name}", attributes)
        child.text = None if text is None else str(text)
        return child

    def named(parent, kind, name, about):
        child = add(parent, kind)
        add(child, "name", name)
        add(child, "description", about.replace("`", ""))
        return child

    version = re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(), re.M)[1]
    component = xml.Element(f"{{{space}}}component")
    component.append(xml.Comment(f" {SPDX} "))
    component.append(xml.Comment(f" {MADE} "))
    for name, text in (("vendor", "wiresum"), ("library", "rtl"), ("name", "wiresum_engine")):
        add(component, name, text)
    add(component, "version", version)
    memory_map = add(add(component, "memoryMaps"), "memoryMap")
    add(memory_map, "name", "s_axil")
    block = add(memory_map, "addressBlock")
    for name, text in (("name", "registers"), ("baseAddress", "'h0"), ("range", "'h100")):
        add(block, name, text)
    add(block, "width", 32)
    add(block, "usage", "register")
    for register in found:
        one = named(block, "register", register.name, register.about)
        add(one, "addressOffset", f"'h{register.offset:02X}")
        add(one, "size", 32)
        for field in register.fields:
            bits = named(one, "field", field.name, field.about)
            add(bits, "bitOffset", field.low)
            if not field.from_engine:
                reset = add(add(bits, "resets"), "reset")
                add(reset, "value", f"'h{field.reset:X}")
            add(bits, "bitWidth", field.width)
            if field.from_engine or field.is_set or field.counts or field.on_write:
                add(bits, "volatile", "true")
            add(bits, "access", "read-write" if field.writable else "read-only")
            if field.on_write:
                clears = field.on_write == OnWriteType.woclr
                add(bits, "modifiedWriteValue", "oneToClear" if clears else "oneToSet")
    add(memory_map, "addressUnitBits", 8)
    xml.indent(component)
    text = xml.tostring(component, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{text}\n'


def table(found):
    lines = ["| offset | register | bits | access | meaning |", "|--|--|--|--|--|"]
    for register in found:
        place = f"| 0x{register.offset:02X} | {register.name.upper()}"
        lines.append(f"{place} | | | {register.about} |")
        for field in register.fields:
            bits = f"{field.high}..{field.low}" if field.width > 1 else str(field.low)
            reset = f" Reset: {field.reset}." if field.writable and field.reset else ""
            lines.append(
                f"| | {field.name.upper()} | {bits} | {field.access} | {field.about}{reset} |"
            )
    return "\n".join(lines)


def formatted(text):
    """SystemVerilog as Verible formats it."""
    place = ROOT / "build/rtl/registers.sv"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("".join(line.rstrip() + "\n" for line in text.splitlines()))
    flags = f"--flagfile={RTL / '.verible_format'}"
    tool("verible-verilog-format", flags, "--inplace", place)
    return place.read_text()


def run(bounded):
    """Writes what is made. Bounded: fails if one of the files has other text."""
    found = registers()
    files = {MODULE: formatted(module(found)), HEADER: header(found), IP_XACT: ip_xact(found)}
    if bounded:
        other = [p for p, text in files.items() if not p.exists() or p.read_text() != text]
        if other:
            names = " ".join(str(path.relative_to(ROOT)) for path in other)
            raise Failed(f"not of {RDL.name}: {names}: python3 rtl/run.py lint")
    for path, text in files.items():
        path.write_text(text)
    put_table("registers", table(found), bounded)
