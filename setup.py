"""The compiled part of the build: extensions and flags. Everything else is in pyproject.toml.

Environment variables:

C4MCTS_BUILD      auto (the default): without a working compiler install the pure-Python backend alone, with a warning
                  require: fail instead
                  pure: don't compile anything
C4MCTS_TWO_WORDS  1: sets of 128 cells are a class of C++, as on Windows, whose compiler has no integers of 128 bits,
                  and on Linux if there is a C++ compiler, as GCC's code for such integers is slower
                  0: they are integers of C, as on other platforms
C4MCTS_CHECKS     1: Cython checks the indices of memoryviews
C4MCTS_SANITIZE   the value for -fsanitize= (GCC, Clang), for example address,undefined
CFLAGS            is obeyed: with -g the binaries keep their names and line numbers, with -O1 and so on there is no -O3
SOURCE_DATE_EPOCH seconds since 1970, the time of all files in the sdist and the wheel: two builds have the same bytes
"""

import gc
import gzip
import logging
import os
import re
import shutil
import sys
import sysconfig
import tarfile
import threading
import time
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_ext import build_ext  # with Cython installed, it compiles .pyx files
from setuptools.command.sdist import sdist
from setuptools.errors import BaseError, CCompilerError

NATIVE = "src/c4mcts/_native"
MODULES = sorted(path.stem for path in Path(NATIVE).glob("*.pyx"))
WIDE = sorted(f"wide.{path.stem}" for path in Path(NATIVE).glob("wide/*.pyx"))  # see cells.pxd
SHARED = "_shared"  # a module that Cython writes: what typed memoryviews need, which took half of each binary
# The modules that prepare the work of others, or whose functions others inline: a search spends hardly any instructions
# in them. So -O1 is enough, which takes the compiler half the time of -O3.
COLD = {
    *(SHARED, "book_reader", "cells", "consistency", "features", "launch", "moves", "poll", "pool", "prober", "proofs"),
    *("search", "selection", "solver", "team", "threads"),
}
C_TYPES = {"bool": "bint", "float": "double", "int": "int64_t"}  # of the settings in _layout/settings.py

MODE = os.environ.get("C4MCTS_BUILD") or "auto"
FORM = os.environ.get("C4MCTS_TWO_WORDS", "")
CHECKS = os.environ.get("C4MCTS_CHECKS", "0") not in ("", "0")
SANITIZE = os.environ.get("C4MCTS_SANITIZE", "")
# The Limited API gives one binary for this CPython and every later one (wheels are built on 3.11). Free-threaded
# CPython has another one from 3.15 on, abi3t, which Cython 3.3 does not write. A binary made on 3.12 must not run on
# 3.11, since it does not count references to True.
LIMITED_API = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
MINOR = sys.version_info.minor
IS_WASM = "wasm32" in sysconfig.get_platform()  # that of the wheel: the interpreter that builds it runs on another one
CXX = (os.environ.get("CXX") or sysconfig.get_config_var("CXX") or "c++").split()[0]
IS_CXX_FASTER = sys.platform == "linux" and not IS_WASM and shutil.which(CXX) is not None
TWO_WORDS = sys.platform == "win32" or (FORM != "0" if FORM else IS_CXX_FASTER)

# Builds with different variables use different folders, so that none takes object files of another.
CHOSEN = [name for name, chosen in ((f"two_words{FORM}", FORM), ("checks", CHECKS)) if chosen]
VARIANT = "-".join([MODE, *CHOSEN, *SANITIZE.split(",")]).strip("-")

if MODE not in ("auto", "require", "pure"):
    raise SystemExit(f"C4MCTS_BUILD must be auto, require or pure, not {MODE!r}")

# Both backends must agree to the last bit: the compiler must not fuse a multiplication and an addition.
level, cold_level = [], []  # of optimisation
if sys.platform == "win32":
    compile_args, link_args = ["/O2", "/fp:precise"], []
else:
    cflags = os.environ.get("CFLAGS", "").split()
    compile_args, link_args = ["-ffp-contract=off", "-fno-math-errno"], []
    if not any(flag.startswith("-O") for flag in cflags):
        level, cold_level = ["-O3"], ["-O1"]
    if IS_WASM:
        compile_args.append("-msimd128")
    elif sys.platform == "linux":  # or GCC would not inline the selection, whose array of scores it takes for too large
        compile_args.append("--param=large-stack-frame=2048")
    if "-g" not in cflags:
        compile_args.append("-g0")  # the interpreter's flags often have -g, which makes a wheel five times as large
        if sys.platform == "linux" and not IS_WASM:
            link_args.append("-s")
    if SANITIZE:
        link_args += [f"-fsanitize={SANITIZE}"]
        compile_args += [*link_args, "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-O1", "-g"]

cxx_compile_args, cxx_link_args = [], []
if sys.platform == "linux" and not IS_WASM:
    # Words that are stored one by one and loaded as a pair would have to wait. GCC would take functions of two words
    # for too large to be inlined. Nothing needs the library of C++.
    cxx_compile_args = [
        "-fno-tree-slp-vectorize",
        "--param=max-inline-insns-single=1000",
        "--param=inline-unit-growth=300",
        "--param=large-function-growth=1000",
    ]
    cxx_link_args = ["-Wl,--as-needed"]


CYTHON = {
    "include_path": ["src", NATIVE],
    "shared_utility_qualified_name": f"c4mcts._native.{SHARED}",
    "compiler_directives": {
        "language_level": 3,
        "boundscheck": CHECKS,
        "wraparound": CHECKS,
        "initializedcheck": CHECKS,
        "cdivision": True,
        "freethreading_compatible": True,
        "emit_code_comments": False,
    },
}


def write_settings():
    """Write settings.pxd: the named tuples of _layout/settings.py as structs, with the comments of their fields."""
    lines = ['"""The settings of _layout as structs; made by setup.py."""', "", "from libc.stdint cimport int64_t"]
    for line in Path("src/c4mcts/_layout/settings.py").read_text(encoding="utf-8").splitlines():
        if found := re.match(r"class (\w+)\(NamedTuple\)", line):
            lines += ["", "", f"cdef struct {found[1]}:"]
        elif found := re.fullmatch(r"    (\w+): (bool|float|int)\b.*?  (# .*)", line):
            name, kind, comment = found.groups()
            lines.append(f"    {C_TYPES[kind]} {name}  {comment}")
    text, path = "\n".join([*lines, ""]), Path(NATIVE, "settings.pxd")
    if not path.exists() or path.read_text(encoding="utf-8") != text:  # its time decides what is compiled again
        path.write_text(text, encoding="utf-8")


class BuildExt(build_ext):
    translating = threading.Lock()  # Cython is not made for threads; the compiler runs in other processes meanwhile
    done = 0
    has_failed = False

    def finalize_options(self):
        super().finalize_options()
        # one more than there are processors, since one may wait for Cython
        self.parallel = self.parallel or (os.cpu_count() or 1) + 1
        gc.disable()  # Cython's trees are large: collecting by the default takes a quarter of its time

    def build_extension(self, ext):
        from Cython.Build import cythonize

        start = time.monotonic()
        with self.translating:
            if self.has_failed:
                return
            ext.sources = cythonize(ext, build_dir=self.build_temp, force=self.force, quiet=True, **CYTHON)[0].sources
            gc.collect()
            gc.freeze()  # what is left serves the next modules, and is not looked at again
        try:
            super().build_extension(ext)
        except Exception:
            self.has_failed = True  # so that the others, which wait for Cython, are not built
            raise
        self.done += 1
        self.announce(
            f"[{self.done}/{len(self.extensions)}] {ext.name}: {time.monotonic() - start:.1f} s", logging.INFO
        )

    def run(self):
        try:
            write_settings()
            super().run()
        except (BaseError, CCompilerError, OSError) as error:
            if MODE == "require":
                raise
            self.extensions.clear()
            for binary in [*Path(self.build_lib).rglob("*.so"), *Path(self.build_lib).rglob("*.pyd")]:
                binary.unlink()  # compiled before the failure, or by an earlier build
            self.warn(
                f"\n{'*' * 100}\n"
                f"c4mcts is installed WITHOUT its native backend, which could not be compiled:\n{error}\n"
                "The pure-Python backend does the same, about a hundred times slower. Once there is a compiler,\n"
                "install again: pip install --force-reinstall, or uv pip install --reinstall --no-cache.\n"
                f"C4MCTS_BUILD=require makes this an error, C4MCTS_BUILD=pure silences it.\n{'*' * 100}"
            )
            wheel = self.distribution.get_command_obj("bdist_wheel", create=False)
            if wheel is not None:
                wheel.root_is_pure = True

    def copy_extensions_to_source(self):
        # in-place builds only: a binary of another interpreter or setting might be imported instead of the new one
        for binary in [*Path(NATIVE).rglob("*.so"), *Path(NATIVE).rglob("*.pyd")]:
            binary.unlink()
        super().copy_extensions_to_source()


class BdistWheel(bdist_wheel):
    def get_tag(self):
        """py3-none-any if the extensions could not be compiled, but for pip py3-none-nocompiler.

        pip keeps the wheels that it builds, and would still install this one when there is a compiler. It does not take
        a wheel with an unknown tag from its cache, but installs one that it has just built. uv would refuse it.
        """
        python, abi, platform = super().get_tag()
        failed = MODE == "auto" and not self.distribution.has_ext_modules()
        return python, abi, "nocompiler" if failed and "PIP_BUILD_TRACKER" in os.environ else platform


class Sdist(sdist):
    def make_archive(self, base_name, format, root_dir=None, base_dir=None, owner=None, group=None):
        """Write the files in the order of their names, with one time and one owner, so that two builds are equal."""
        if format != "gztar":
            return super().make_archive(base_name, format, root_dir, base_dir, owner, group)
        path = f"{base_name}.tar.gz"
        self.mkpath(os.path.dirname(path))
        epoch = int(os.environ.get("SOURCE_DATE_EPOCH") or time.time())

        def uniform(member):
            member.mtime, member.uid, member.gid, member.uname, member.gname = epoch, 0, 0, "", ""
            member.mode = 0o755 if member.mode & 0o100 else 0o644
            return member

        with (
            open(path, "wb") as file,
            gzip.GzipFile("", "wb", mtime=epoch, fileobj=file) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as archive,
        ):
            archive.add(base_dir, filter=uniform)
        return path


def extension(module):
    macros = [("Py_LIMITED_API", f"0x03{MINOR:02X}0000")] if LIMITED_API else []
    if module in WIDE:
        macros.append(("C4_CELL_BITS", "128"))
    in_cxx = module in WIDE and TWO_WORDS
    if in_cxx:
        macros.append(("C4_TWO_WORDS", "1"))
    return Extension(
        f"c4mcts._native.{module}",
        [f"{NATIVE}/{module.replace('.', '/')}.{'c' if module == SHARED else 'pyx'}"],
        depends=[*map(str, Path(NATIVE).glob("*.h")), *map(str, Path(NATIVE).glob("*.pxd"))],
        include_dirs=[NATIVE],
        define_macros=macros,
        language="c++" if in_cxx else None,
        py_limited_api=LIMITED_API,
        extra_compile_args=[
            *(cold_level if module.removeprefix("wide.") in COLD else level),
            *compile_args,
            *(cxx_compile_args if in_cxx else []),
        ],
        extra_link_args=[*link_args, *(cxx_link_args if in_cxx else [])],
    )


setup(
    ext_modules=[] if MODE == "pure" else [extension(module) for module in [SHARED, *WIDE, *MODULES]],
    cmdclass={"build_ext": BuildExt, "bdist_wheel": BdistWheel, "sdist": Sdist},
    options={
        "build": {"build_base": f"build/{VARIANT}"},
        "bdist_wheel": {"py_limited_api": f"cp3{MINOR}"} if LIMITED_API else {},
    },
)
