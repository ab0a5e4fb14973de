# SPDX-License-Identifier: MIT OR Apache-2.0
"""A system of LiteX without a processor: the engine, memory, and a port for the testbench.

python soc.py FOLDER    writes litex_soc.v, and the contents of its memories, into the folder
"""

import sys
from pathlib import Path

from litex.build.generic_platform import Pins
from litex.build.sim import SimPlatform
from litex.soc.integration.soc_core import SoCCore
from litex.soc.interconnect import axi
from migen import ClockDomain

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "litex"))
from wiresum_engine import WiresumEngine

RAM, ENGINE = 0x1000_0000, 0x9000_0000


class Soc(SoCCore):
    def __init__(self, standard):
        platform = SimPlatform("SIM", [("sys_clk", 0, Pins(1)), ("sys_rst", 0, Pins(1))])
        self.cd_sys = ClockDomain()
        self.comb += [
            self.cd_sys.clk.eq(platform.request("sys_clk")),
            self.cd_sys.rst.eq(platform.request("sys_rst")),
        ]
        super().__init__(
            platform,
            clk_freq=100_000_000,
            cpu_type=None,
            bus_standard=standard,
            integrated_sram_size=0,
            with_uart=False,
            with_timer=False,
            ident="",
        )
        self.add_ram("ram", RAM, 0x10000)
        self.wiresum = WiresumEngine(platform)
        self.wiresum.connect(self, ENGINE)
        host = axi.AXILiteInterface(data_width=32, address_width=32)
        platform.add_extension(host.get_ios("host"))
        self.comb += host.connect_to_pads(platform.request("host"), mode="slave")
        platform.add_extension([("irq", 0, Pins(1))])
        self.comb += platform.request("irq").eq(self.wiresum.ev.engine.status)
        self.bus.add_master("host", host)


if __name__ == "__main__":
    folder, standard = sys.argv[1:]
    soc = Soc(standard)
    soc.finalize()
    soc.platform.get_verilog(soc, name="litex_soc").write(str(Path(folder) / "litex_soc.v"))
