# SPDX-License-Identifier: MIT OR Apache-2.0
"""The memory-to-memory engine in LiteX: registers, a master of the SoC's bus, and an interrupt.

    from wiresum_engine import WiresumEngine

    self.wiresum = WiresumEngine(platform)
    self.wiresum.connect(self, origin=0x9000_0000)

The driver (../driver/wiresum_engine.c) then takes `origin` as the registers' address.
"""

from pathlib import Path

from litex.gen import LiteXModule
from litex.soc.integration.soc import SoCRegion
from litex.soc.interconnect import axi
from litex.soc.interconnect.csr_eventmanager import EventManager, EventSourceLevel
from migen import ClockSignal, Instance, ResetSignal

FILES = Path(__file__).resolve().parents[1] / "src/engine/engine.f"


class WiresumEngine(LiteXModule):
    """`parameters` are the parameters of wiresum_engine, such as LATENCY_CYCLES=128."""

    def __init__(self, platform, data_width=64, address_width=32, **parameters):
        self.registers = axi.AXILiteInterface(data_width=32, address_width=address_width)
        self.memory = axi.AXIInterface(data_width, address_width, id_width=1)
        self.ev = EventManager()
        self.ev.engine = EventSourceLevel()
        self.ev.finalize()
        for line in FILES.read_text().splitlines():
            if not line.startswith("//"):
                platform.add_source(str(FILES.parent / line))
        ports = {
            "p_DATA_WIDTH": data_width,
            "p_ADDR_WIDTH": address_width,
            **{f"p_{name}": value for name, value in parameters.items()},
            "i_clk": ClockSignal(),
            "i_rst": ResetSignal(),
            "o_irq": self.ev.engine.trigger,
        }
        address = "id addr len size burst cache prot"
        for name, bus, channels in (
            (
                "s_axil",
                self.registers,
                {
                    "aw": "addr prot",
                    "w": "data strb",
                    "b": "resp",
                    "ar": "addr prot",
                    "r": "data resp",
                },
            ),
            (
                "m_axi",
                self.memory,
                {
                    **{"aw": address, "w": "data strb last", "b": "id resp"},
                    **{"ar": address, "r": "id data resp last"},
                },
            ),
        ):
            for channel, members in channels.items():
                end = getattr(bus, channel)
                to_engine = (name == "s_axil") == (channel in ("aw", "w", "ar"))
                way, back = "io" if to_engine else "oi"
                ports[f"{way}_{name}_{channel}valid"] = end.valid
                ports[f"{back}_{name}_{channel}ready"] = end.ready
                for member in members.split():
                    signal = getattr(end, member)
                    if name == "s_axil" and member == "addr":
                        signal = signal[:8]  # the bus has found the region
                    ports[f"{way}_{name}_{channel}{member}"] = signal
        self.specials += Instance("wiresum_engine", **ports)

    def connect(self, soc, origin, name="wiresum"):
        """Puts the registers at an address, and the engine on the bus next to the processor."""
        region = SoCRegion(origin=origin, size=0x100, cached=False)
        soc.bus.add_slave(name, self.registers, region)
        soc.bus.add_master(name, self.memory)
