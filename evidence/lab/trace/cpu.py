# SPDX-License-Identifier: MIT OR Apache-2.0
"""One bare processor in Unicorn: call a function of an image with data in memory, and trace it."""

import unicorn
from unicorn import arm_const, ppc_const

from ..build import TEXT
from . import Step

STACK = 0x0080_0000  # grows down from here
RETURN = 0x00F0_0000  # a call is over when the program counter gets here
DATA = 0x0100_0000  # buffers of the caller; 64 KiB aligned
DATA_SIZE = 0x0040_0000

# MSR bits: without VEC an AltiVec instruction is an exception, without FP a floating-point one.
_MSR_VEC, _MSR_FP = 1 << 25, 1 << 13

_FAMILIES = {
    "ppc": {
        "arch": unicorn.UC_ARCH_PPC,
        "mode": unicorn.UC_MODE_PPC32 | unicorn.UC_MODE_BIG_ENDIAN,
        "order": "big",
        "arguments": [getattr(ppc_const, f"UC_PPC_REG_{n}") for n in range(3, 11)],
        "stack": ppc_const.UC_PPC_REG_1,
        "link": ppc_const.UC_PPC_REG_LR,
        "pc": ppc_const.UC_PPC_REG_PC,
    },
    "arm": {
        "arch": unicorn.UC_ARCH_ARM,
        "mode": unicorn.UC_MODE_ARM,
        "order": "little",
        "arguments": [getattr(arm_const, f"UC_ARM_REG_R{n}") for n in range(4)],
        "stack": arm_const.UC_ARM_REG_SP,
        "link": arm_const.UC_ARM_REG_LR,
        "pc": arm_const.UC_ARM_REG_PC,
    },
}
_MODELS = {  # of Unicorn, by the names of the processors
    "601": ppc_const.UC_CPU_PPC32_601_V2,
    "604": ppc_const.UC_CPU_PPC32_604,
    "7441": ppc_const.UC_CPU_PPC32_7441_V2_1,
    "7455": ppc_const.UC_CPU_PPC32_7455_V3_2,
    "arm926": arm_const.UC_CPU_ARM_926,
    "sa1110": arm_const.UC_CPU_ARM_SA1110,
    "ti925t": arm_const.UC_CPU_ARM_TI925T,
}


class Fault(Exception):
    """The code touched memory that is not mapped, ran an instruction that the processor lacks, or
    did not return."""


class CPU:
    """A processor with an image loaded. Memory and registers persist between calls."""

    def __init__(self, family, image, model=None):
        self.family, self.image = _FAMILIES[family], image
        self.order = self.family["order"]
        self.uc = unicorn.Uc(self.family["arch"], self.family["mode"])
        if model:
            self.uc.ctl_set_cpu_model(_MODELS[model])
        self.uc.mem_map(0, 0x0100_0000)  # code, stack and the return address
        self.uc.mem_map(DATA, DATA_SIZE)
        self.uc.mem_write(TEXT, image.code)
        if family == "ppc":
            self.uc.reg_write(ppc_const.UC_PPC_REG_MSR, _MSR_VEC | _MSR_FP)
        self._steps = None

    def write(self, address, data):
        self.uc.mem_write(address, bytes(data))

    def read(self, address, size):
        return bytes(self.uc.mem_read(address, size))

    def call(self, symbol, *arguments, trace=False, limit=50_000_000):
        """Calls a function with integer arguments. Returns its first result register; with trace,
        (result, steps)."""
        family = self.family
        for register, value in zip(family["arguments"], arguments, strict=False):
            self.uc.reg_write(register, value & 0xFFFF_FFFF)
        assert len(arguments) <= len(family["arguments"])
        self.uc.reg_write(family["stack"], STACK)
        self.uc.reg_write(family["link"], RETURN)
        hooks, steps = [], []
        if trace:
            self.uc.ctl_flush_tb()  # code translated before a hook is set does not call it
            hooks = self._hook(steps)
        try:
            self.uc.emu_start(self.image.symbols[symbol], RETURN, count=limit)
            if (pc := self.uc.reg_read(family["pc"])) != RETURN:
                raise Fault(f"{symbol}{arguments}: still at {pc:#x} after {limit} instructions")
        except unicorn.UcError as error:
            raise Fault(f"{symbol}{arguments}: {error}") from None
        finally:
            for hook in hooks:
                self.uc.hook_del(hook)
            if hooks:
                self.uc.ctl_flush_tb()
        result = self.uc.reg_read(family["arguments"][0])
        return (result, steps) if trace else result

    def _hook(self, steps):
        words = {}  # an instruction is read from memory once
        order, read = self.order, self.uc.mem_read

        def code(_uc, pc, _size, _data):
            word = words.get(pc)
            if word is None:
                word = words[pc] = int.from_bytes(read(pc, 4), order)
            steps.append(Step(pc, word, None))

        def memory(_uc, _access, address, _size, _value, _data):
            last = steps[-1]
            if last.address is None:
                steps[-1] = Step(last.pc, last.opcode, address)

        return [
            self.uc.hook_add(unicorn.UC_HOOK_CODE, code),
            self.uc.hook_add(unicorn.UC_HOOK_MEM_READ | unicorn.UC_HOOK_MEM_WRITE, memory),
        ]
