"""The identity of a player: a digest that changes with its code and its files, by which checkpoints recognise it."""

import dis
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from hashlib import sha256
from types import CodeType, FunctionType, MappingProxyType, MethodType, ModuleType
from typing import Any

import numpy as np

from .._validation import described
from .player import Player
from .seats import ask

ATOMS = (type(None), bool, int, float, complex, bytes, type(...), type(NotImplemented))
OPTIMISED = "_abc_impl"  # of an abstract class: what it has found out, which is no part of it


def identity_of(name: str, make: Callable[[], Player]) -> str:
    """The digest of what makes a player, or of the player that it makes, when a game begins with a fixed seed.

    It is made of the code of functions and classes, with the global objects that they use, of files that a text names,
    and of what objects hold. Packages that are installed are known by their names alone. An object with a
    `fingerprint`, a text, is known by that alone. name: of the player. ValueError if part of it has no stable form.
    """
    try:
        if hasattr(make, "fingerprint"):
            return digest_of(make)
        player = make()
        ask(player, "begin", np.random.SeedSequence(0))
        try:
            return digest_of(player)
        finally:
            ask(player, "end")
    except Exception as error:
        reason = f"can't tell whether {name} has changed ({described(error)})"
        raise ValueError(f"checkpoint: {reason}; give the player a fingerprint, a text") from None


def digest_of(value: object) -> str:
    """The digest of an object and of all that it refers to. Raises what objects raise that can't be pickled."""
    done: dict[int, tuple[str, object]] = {}  # by id; the objects are kept, or others could get their ids

    def digest(value: object) -> str:
        if id(value) not in done:
            done[id(value)] = "a circle", value
            label, parts = _parts(value)
            lines = [type(value).__name__, label, *map(digest, parts)]
            if isinstance(value, set | frozenset):
                lines[2:] = sorted(lines[2:])
            done[id(value)] = sha256("\n".join(map(repr, lines)).encode()).hexdigest(), value
        return done[id(value)][0]

    return digest(value)


def _parts(value: Any) -> tuple[str, Iterable[object]]:
    """A text for an object itself, and the other objects that belong to it."""
    if isinstance(fingerprint := getattr(value, "fingerprint", None), str):
        return fingerprint, ()
    if isinstance(value, ATOMS):
        return repr(value), ()
    if isinstance(value, str):
        return (os.path.basename(value), (file_digest(value).encode(),)) if os.path.isfile(value) else (value, ())
    if isinstance(value, ModuleType):
        file = getattr(value, "__file__", None)
        return value.__name__, () if file is None or is_installed(value.__name__) else (file,)
    if isinstance(value, type | FunctionType) and is_installed(value.__module__):
        return f"{value.__module__}.{value.__qualname__}", ()
    if isinstance(value, dict | MappingProxyType):
        return "", [part for pair in value.items() for part in pair]
    if isinstance(value, list | tuple | set | frozenset):
        return "", value
    return _code_parts(value) or _state_parts(value)


def _code_parts(value: Any) -> tuple[str, Iterable[object]] | None:
    """The parts of an object with code; None for others."""
    if isinstance(value, CodeType):
        numbers = value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount, value.co_flags
        return repr(numbers), (value.co_code, value.co_names, value.co_freevars, value.co_consts)
    if isinstance(value, FunctionType):
        looked_up = [each for code in _codes(value.__code__) for each in dis.get_instructions(code)]
        names = {each.argval for each in looked_up if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        used = {name: value.__globals__[name] for name in sorted(names & value.__globals__.keys())}
        return "", (value.__code__, value.__defaults__, value.__kwdefaults__, cells, used)
    if isinstance(value, type):
        members = {n: each for n, each in vars(value).items() if n[:2] != "__" or isinstance(each, FunctionType)}
        members.pop(OPTIMISED, None)
        return "", (value.__bases__, members)
    if isinstance(value, MethodType):
        return "", (value.__self__, value.__func__)
    if isinstance(value, staticmethod | classmethod):
        return "", (value.__func__,)
    if isinstance(value, property):
        return "", (value.fget, value.fset)
    return ("", (value.func,)) if isinstance(value, cached_property) else None


def _state_parts(value: Any) -> tuple[str, Iterable[object]]:
    """The parts with which an object would be pickled."""
    reduced = value.__reduce_ex__(4)
    if isinstance(reduced, str):
        return reduced, ()
    return "", [list(part) if isinstance(part, Iterator) else part for part in reduced]


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Code, and the code of the functions inside it."""
    yield code
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield from _codes(part)


def is_installed(module: str | None) -> bool:
    root = (module or "").partition(".")[0]
    file = getattr(sys.modules.get(root), "__file__", None) or ""
    return root in ("c4mcts", *sys.stdlib_module_names) or "site-packages" in file or "dist-packages" in file


def file_digest(path: str) -> str:
    """The digest of a file; with a Python file go the modules beside it that it imports, and files that they name.

    Nothing of it is run. OSError.
    """
    from modulefinder import ModuleFinder  # imported here: few programs need it

    folder, files = os.path.dirname(os.path.abspath(path)), {os.path.abspath(path)}
    if path.endswith(".py"):
        finder: Any = ModuleFinder(path=[folder])
        try:
            finder.run_script(path)
        except (SyntaxError, ValueError):  # it is no module; ValueError: null bytes
            finder.modules.clear()
        for module in finder.modules.values():
            files |= {module.__file__} - {None}
            codes = [] if module.__code__ is None else _codes(module.__code__)
            texts = [part for code in codes for part in code.co_consts if isinstance(part, str)]
            files |= {each for text in texts if os.path.isfile(each := os.path.join(folder, text))}
    digest = sha256()
    for file in sorted(files):
        with open(file, "rb") as data:
            digest.update(f"{os.path.relpath(file, folder)} {os.path.getsize(file)} ".encode() + data.read())
    return digest.hexdigest()
