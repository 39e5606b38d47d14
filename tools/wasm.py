"""Build a wheel for WebAssembly with Clang, for tests only: what is published is built by cibuildwheel with Emscripten.

    apt-get install clang-16 lld-16 wasi-libc
    python tools/wasm.py build/wasm         # the folder for the wheel

The wheel is for Pyodide 0.27 (Python 3.12), of which there is a NumPy on the package index. A binary is linked without
libraries: it gets its C functions from Pyodide. tools/wasm has the headers that differ from wasi-libc and
the interpreter.
"""

import argparse
import shutil
import sys
from pathlib import Path

from environments import ROOT, environment, run, say

COMPILER, LINKER = "clang-16", "wasm-ld-16"
HEADERS = Path("/usr/include/wasm32-wasi")
PLATFORM = "pyodide_2024_0_wasm32"
CFLAGS = (
    *("--target=wasm32-unknown-emscripten", "-D__wasi__", "-nostdlibinc", "-fvisibility=hidden", "-w"),
    *("-I" + str(ROOT / "tools/wasm"), "-isystem", str(HEADERS), "-include", "sizes.h", "-DCYTHON_ATOMICS=0"),
)
LDFLAGS = ("-shared", "--experimental-pic", "--unresolved-symbols=import-dynamic", "--no-entry", "--strip-all")


def missing() -> str:
    """What must be installed first; empty if nothing is missing."""
    needed = {
        "clang-16": shutil.which(COMPILER),
        "lld-16": shutil.which(LINKER),
        "wasi-libc": HEADERS.is_dir(),
    }
    return ", ".join(package for package, found in needed.items() if not found)


def build(folder: Path) -> Path:
    """Build the wheel of the working tree; its path in the folder."""
    venv = ROOT / ".venv-wasm"
    python = venv / "bin" / "python"
    if not python.exists():
        environment(venv)
        run(python, "-m", "pip", "install", "-q", "setuptools>=77", "Cython>=3.3")
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.whl"):
        old.unlink()
    run(
        *(python, "setup.py", "-q"),
        *("bdist_wheel", "--plat-name", PLATFORM, "--dist-dir", folder.resolve()),
        C4MCTS_BUILD="require",
        CC=" ".join((COMPILER, *CFLAGS)),
        LDSHARED=" ".join((LINKER, *LDFLAGS)),
        _PYTHON_HOST_PLATFORM="emscripten_3_1_58_wasm32",  # for sysconfig.get_platform(), as pyodide-build does
    )
    (wheel,) = folder.glob("*.whl")
    return wheel


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    packages = missing()
    if packages:
        sys.exit(f"needs the Debian packages {packages}")
    wheel = build(options.folder)
    say(f"{wheel}: {wheel.stat().st_size:,} bytes, for tests only: built with another toolchain than its platform's")


if __name__ == "__main__":
    main()
