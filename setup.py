"""The compiled half of the build: extensions, flags and three switches. All the rest is in pyproject.toml.

Switches, read from the environment:

C4MCTS_BUILD      auto (the default): without a working compiler install the pure-Python engine alone, and say so loudly
                  require: fail instead
                  pure: don't compile anything
C4MCTS_CHECKS     1: Cython checks indices, as a Python list would
C4MCTS_SANITIZE   what to hand to -fsanitize= (GCC, Clang), for example address,undefined
"""

import os
import sys
import sysconfig
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext  # with Cython installed, it knows what to do with a .pyx
from setuptools.errors import BaseError, CCompilerError

NATIVE = "src/c4mcts/_native"
MODULES = sorted(path.stem for path in Path(NATIVE).glob("*.pyx"))

MODE = os.environ.get("C4MCTS_BUILD") or "auto"
CHECKS = os.environ.get("C4MCTS_CHECKS", "0") not in ("", "0")
SANITIZE = os.environ.get("C4MCTS_SANITIZE", "")
# One binary for this CPython and every later one (wheels are built on 3.11); free-threaded ones have no such interface
# yet. Not for earlier ones, whatever the interface says: what 3.12 compiles doesn't count references to True and None.
LIMITED_API = sys.implementation.name == "cpython" and not sysconfig.get_config_var("Py_GIL_DISABLED")
MINOR = sys.version_info.minor

# Builds with other switches keep to folders of their own and don't find each other's objects.
VARIANT = "-".join([MODE, *["checks"] * CHECKS, *SANITIZE.split(",")]).strip("-")

if MODE not in ("auto", "require", "pure"):
    raise SystemExit(f"C4MCTS_BUILD must be auto, require or pure, not {MODE!r}")

# Both engines must agree to the last bit: the compiler may not fuse a multiplication and an addition into one rounding.
if sys.platform == "win32":
    compile_args, link_args = ["/O2", "/fp:precise"], []
else:
    compile_args, link_args = ["-O3", "-ffp-contract=off", "-fno-math-errno"], []
    if "-g" not in os.environ.get("CFLAGS", "").split():
        compile_args.append("-g0")  # the interpreter's own flags often say -g, which makes a wheel five times as large
    if SANITIZE:
        link_args += [f"-fsanitize={SANITIZE}"]
        compile_args += [*link_args, "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-O1", "-g"]


class BuildExt(build_ext):
    def run(self):
        try:
            super().run()
        except (BaseError, CCompilerError, OSError) as error:
            if MODE == "require":
                raise
            self.extensions.clear()
            for binary in [*Path(self.build_lib).rglob("*.so"), *Path(self.build_lib).rglob("*.pyd")]:
                binary.unlink()  # what was compiled before the failure, or by an earlier build
            self.warn(
                f"\n{'*' * 100}\n"
                f"c4mcts is installed WITHOUT its native engine, which could not be compiled:\n{error}\n"
                "The pure-Python engine does the same, about a hundred times slower.\n"
                f"C4MCTS_BUILD=require makes this an error, C4MCTS_BUILD=pure silences it.\n{'*' * 100}"
            )

    def copy_extensions_to_source(self):
        # in-place builds only: a binary left by another interpreter or setting may be found before the new one
        for binary in [*Path(NATIVE).glob("*.so"), *Path(NATIVE).glob("*.pyd")]:
            binary.unlink()
        super().copy_extensions_to_source()


def extension(module):
    extension = Extension(
        f"c4mcts._native.{module}",
        [f"{NATIVE}/{module}.pyx"],
        depends=[f"{NATIVE}/portable.h", *map(str, Path(NATIVE).glob("*.pxd"))],
        include_dirs=[NATIVE],
        define_macros=[("Py_LIMITED_API", f"0x03{MINOR:02X}0000")] if LIMITED_API else [],
        py_limited_api=LIMITED_API,
        extra_compile_args=compile_args,
        extra_link_args=link_args,
    )
    # Here and not among the options below: those don't reach an editable install.
    extension.cython_c_in_temp = True
    extension.cython_include_dirs = ["src"]
    extension.cython_directives = {
        "language_level": 3,
        "boundscheck": CHECKS,
        "wraparound": CHECKS,
        "initializedcheck": CHECKS,
        "cdivision": True,
        "freethreading_compatible": True,
    }
    return extension


setup(
    ext_modules=[] if MODE == "pure" else [extension(module) for module in MODULES],
    cmdclass={"build_ext": BuildExt},
    options={
        "build": {"build_base": f"build/{VARIANT}"},
        "bdist_wheel": {"py_limited_api": f"cp3{MINOR}"} if LIMITED_API else {},
    },
)
