"""Equal seeds give equal trees with every interpreter, compiler and machine. Run before a release (Linux).

    python tools/platforms.py                # here: each Python from 3.11 on, GCC and Clang, -O1 and -O3
    python tools/platforms.py --only 3.12    # those builds whose name contains the text
    python tools/platforms.py aarch64        # another machine, emulated; s390x: big-endian; i386, armhf: 32 bits

Each build must print the signature of seeds.SIGNATURE with both backends and pass tests/parity.

For emulation: `apt-get install mmdebstrap qemu-user gcc-aarch64-linux-gnu` (or gcc-s390x-linux-gnu). mmdebstrap fetches
that machine's Python, NumPy and pytest from Debian into build/roots and unpacks them; nothing is installed. The C files
are compiled here by a cross compiler, and QEMU runs the rest. --suite chooses another release of Debian, and so of
Python.
"""

import argparse
import shutil
import sys
import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from environments import ROOT, SIGNATURE, environment, exported, pythons, run, say

COMPILERS, LEVELS = ("gcc", "clang"), ("-O1", "-O3")
NEEDS = ("numpy>=2.0", "rich>=13", "pytest>=8", "hypothesis>=6.100")
PACKAGES = "python3-numpy,python3-rich,python3-pytest,python3-hypothesis,libpython3-dev"
SIGNED = (
    "import sys, warnings; warnings.simplefilter('ignore');"
    "from c4mcts.signature import parts, signature; print(signature(parts(sys.argv[1])))"
)
MIRROR = "http://deb.debian.org/debian"  # only the release, without its updates
PYTEST = ("-m", "pytest", "-q", "-p", "no:cacheprovider")


@dataclass(frozen=True)
class Machine:
    """What Debian, GCC and QEMU call a machine."""

    debian: str
    gcc: str
    qemu: str
    native: bool = True  # whether the native backend compiles: it needs 64 bits
    cpu: str = ""  # for QEMU, if its default is not the best


MACHINES = {
    # the first generation: signed pointers, which later ones have, make QEMU forty times slower
    "aarch64": Machine("arm64", "aarch64-linux-gnu", "aarch64", cpu="cortex-a72"),
    "s390x": Machine("s390x", "s390x-linux-gnu", "s390x"),
    # without AVX2, with which NumPy's sort crashes in QEMU 7.2
    "i386": Machine("i386", "i386-linux-gnu", "i386", native=False, cpu="n270"),
    "armhf": Machine("armhf", "arm-linux-gnueabihf", "arm", native=False),
    "x86_64": Machine("amd64", "x86_64-linux-gnu", "x86_64"),  # for a Python that this machine lacks
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("machine", nargs="?", choices=MACHINES, help="default: this one, not emulated")
    parser.add_argument("--only", metavar="TEXT", default="", help="of the builds here, those whose name contains TEXT")
    parser.add_argument("--suite", default="trixie", help="release of Debian for emulation (default trixie)")
    parser.add_argument("--tests", nargs="*", default=["tests/parity"], help="arguments for pytest")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="c4mcts-platforms-") as folder:
        if options.machine:
            emulate(Path(folder), MACHINES[options.machine], options.suite, options.tests)
        else:
            build_here(Path(folder), options.only, options.tests)


def build_here(work: Path, only: str, tests: list[str]) -> None:
    """All builds with the interpreters and compilers of this machine."""
    found = pythons()
    source = exported(work / "source")
    oldest, *_ = found
    for compiler, level, version in product(filter(shutil.which, COMPILERS), LEVELS, found):
        name = f"{version} {compiler} {level}"
        if only in name:
            # one wheel for all, as on the package index, except for the free-threaded ones
            builder = version if version.endswith("t") else oldest
            wheel = built(work / f"{builder}-{compiler}{level}", found[builder], compiler, level)
            python = with_needs(work / version, found[version])
            run(python, "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", wheel)
            check(name, [python], ("native", "pure"), tests, cwd=source)


def with_needs(folder: Path, python: Path) -> Path:
    """The interpreter of a virtual environment with the requirements of the tests; it is made once."""
    there = folder / "bin" / "python"
    if not there.exists():
        environment(folder, python)
        run(there, "-m", "pip", "install", "-q", *NEEDS)
    return there


def built(folder: Path, python: Path, compiler: str, level: str) -> Path:
    """A wheel of the last commit; it is built once."""
    if not folder.exists():
        settings = {"C4MCTS_BUILD": "require", "CC": compiler, "LDSHARED": f"{compiler} -shared", "CFLAGS": level}
        run(python, "-m", "pip", "wheel", "-q", "--no-deps", "-w", folder, exported(folder / "source"), **settings)
    (wheel,) = folder.glob("*.whl")
    return wheel


def check(name: str, python: list[object], backends: tuple[str, ...], tests: list[str], cwd: Path, **env: str) -> None:
    """Compare the signature of each backend, and run tests if there are two; ends the program after a failure."""
    for backend in backends:
        printed = run(*python, "-c", SIGNED, backend, cwd=cwd, **env).strip()
        if printed != SIGNATURE:
            sys.exit(f"{name}: the signature of the {backend} backend is {printed}, not {SIGNATURE}")
        say(f"{name}: signature {printed}, {backend}")
    if len(backends) == 2 and tests:
        last = run(*python, *PYTEST, *tests, cwd=cwd, **env).strip().splitlines()[-1]
        say(f"{name}: {last}")


def emulate(work: Path, machine: Machine, suite: str, tests: list[str]) -> None:
    """Build for another machine and run it there."""
    root = root_of(machine, suite)
    (interpreter,) = (path for path in (root / "usr/bin").glob("python3.*") if path.suffix[1:].isdigit())
    package = work / "package"
    source = exported(work / "source")
    compile_for(machine, root, interpreter.name, source, package)
    libraries = ":".join(f"{root}/usr/lib/{machine.gcc}/{name}" for name in ("blas", "lapack"))  # of NumPy
    cpu = ["-cpu", machine.cpu] if machine.cpu else []
    python = [f"qemu-{machine.qemu}", *cpu, "-L", root, "-E", f"LD_LIBRARY_PATH={libraries}", interpreter]
    variables = {"PYTHONHOME": f"{root}/usr", "PYTHONPATH": str(package)}
    name = f"{machine.qemu}, {interpreter.name} of Debian {suite}"
    backends = ("native", "pure") if machine.native else ("pure",)
    check(name, python, backends, tests, cwd=source, **variables)


def root_of(machine: Machine, suite: str) -> Path:
    """The folder with that machine's system, fetched once."""
    root = ROOT / "build" / "roots" / f"{suite}-{machine.debian}"
    if not root.exists():
        say(f"fetching Debian {suite} for {machine.debian} ...")
        root.parent.mkdir(parents=True, exist_ok=True)
        part = root.with_suffix(".part")
        shutil.rmtree(part, ignore_errors=True)
        options = ("--variant=extract", f"--architectures={machine.debian}", f"--include={PACKAGES}")
        run("mmdebstrap", *options, suite, part, MIRROR)
        for library in (part / "usr").glob("lib*"):  # nothing was installed, so these links are missing
            (part / library.name).symlink_to(Path("usr") / library.name)
        part.rename(root)
    return root


def compile_for(machine: Machine, root: Path, python: str, source: Path, package: Path) -> None:
    """Compile into a folder, with the cross compiler and that machine's headers of Python."""
    headers = f"-I{root}/usr/include/{python} -idirafter {root}/usr/include"
    compiler = f"{machine.gcc}-gcc {headers}"
    settings = {"C4MCTS_BUILD": "require" if machine.native else "pure", "CC": compiler}
    settings["LDSHARED"] = f"{machine.gcc}-gcc -shared"
    builder = environment(package.with_name("builder"))
    run(builder, "-m", "pip", "install", "-q", "setuptools>=77", "Cython>=3.3")
    run(builder, "setup.py", "-q", "build", "--build-lib", package, cwd=source, **settings)


if __name__ == "__main__":
    main()
