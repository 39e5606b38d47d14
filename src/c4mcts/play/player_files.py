"""Players in files: a Python file, a folder with one, or an archive that was made for Kaggle."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from importlib import import_module
from operator import attrgetter
from pathlib import Path
from symtable import Class, Function, SymbolTable, symtable
from threading import RLock
from types import ModuleType
from typing import Any

from .identity import file_digest, is_installed
from .player import Player, maker

KAGGLE = "c4mcts.adapters.kaggle"
MAIN = ("bot.py", "main.py")  # the file of a player among others in a folder
# of a text that names a file: whether it is an agent on Kaggle whatever it defines, the path, and the player's name
TEXT = re.compile(r"(kaggle:)?(.+?\.(?:py|tar\.gz))(?::([\w.]+))?", re.DOTALL)


@dataclass(frozen=True, slots=True)
class PlayerFile:
    """A maker of a file's player; the file is read and run again for each game. Executors of processes pickle it.

    path: absolute, of a Python file or of a folder with one (see `file_in`). name: of the player in the file, which is
    what it can be in a module (see player_specs), or an agent as on Kaggle; "": the player is `choose`, or the one
    class with a method `choose`, or else, as on Kaggle, the last callable. is_agent: it is an agent in any case.
    """

    path: str
    name: str = ""
    is_agent: bool = False

    @classmethod
    def named(cls, text: str) -> "PlayerFile | None":
        """The file that a text names; None if it names none. An archive is unpacked. OSError, ValueError."""
        match = TEXT.fullmatch(text)
        path = match[2] if match else text.removeprefix("kaggle:")
        if match is None and not os.path.isdir(path):
            return None
        file = cls(os.path.abspath(path), (match and match[3]) or "", text.startswith("kaggle:"))
        if not path.endswith(".tar.gz"):
            return file
        from .archives import main_of  # imported here: few programs need it

        return cls(main_of(file.path), file.name, True)

    @property
    def fingerprint(self) -> str:
        """The digest of the file and of what it uses beside it; see identity. It is empty for a folder without one."""
        with suppress(ValueError):
            return f"{file_digest(file_in(self.path))} {self.name} {self.is_agent}"
        return ""

    def __call__(self) -> Player:
        path = file_in(self.path)
        try:
            source: Any = source_of(path)  # bytes, which have an encoding
        except OSError as error:
            raise ValueError(error.strerror or f"{error}") from None
        table = symtable(source, path, "exec")
        if self.is_agent or _is_agent(table, self.name):
            player: Player = import_module(KAGGLE).KagglePlayer(path, name=self.name)
            return player
        name = self.name or _name_in(table)
        try:
            defined = attrgetter(name)(module_of(path))
        except AttributeError as error:
            if error.name not in name.split("."):
                raise
            raise ValueError(f"{os.path.basename(path)} has no {name}") from None
        return maker(name, defined)()


def file_in(path: str) -> str:
    """A Python file, or the one in a folder that defines a player: the only one, or bot.py or main.py. ValueError."""
    if not os.path.isdir(path):
        return path
    sources = sorted(Path(folder, each) for folder, _, names in os.walk(path) for each in names if each.endswith(".py"))
    named = [each for each in sources if each.name in MAIN]
    for few in ([each for each in named if each.parent == Path(path)], sources, named):
        if len(few) == 1:
            return str(few[0])
    raise ValueError("the folder must have one Python file, or one that is called bot.py or main.py")


def _is_agent(table: SymbolTable, name: str) -> bool:
    """Whether the player of a file is an agent as on Kaggle. name: of the player, if it is known. ValueError."""
    functions = [each for each in table.get_children() if isinstance(each, Function)]
    agents = {each.get_name() for each in functions if "".join(each.get_parameters()[:1]).startswith("obs")}
    if name:
        return name in agents
    defined = _defined(table)
    if not (agents or "agent" in defined):
        return not ("choose" in defined or _classes(table))
    if "choose" in defined:
        raise ValueError("it defines choose(board) and an agent for Kaggle: write FILE:choose or kaggle:FILE")
    return True


def _defined(table: SymbolTable) -> set[str]:
    symbols = table.get_symbols()
    return {each.get_name() for each in symbols if each.is_assigned() or each.is_imported() or each.is_namespace()}


def _classes(table: SymbolTable) -> list[str]:
    tables = [each for each in table.get_children() if isinstance(each, Class)]
    return [each.get_name() for each in tables if "choose" in _defined(each)]


def _name_in(table: SymbolTable) -> str:
    """The name of the player of a file that is no agent. ValueError."""
    if "choose" in _defined(table):
        return "choose"
    name, *others = _classes(table)
    if others:
        raise ValueError(f"it defines several players: write FILE:{name} or FILE:{others[0]}")
    return name


def source_of(path: str) -> bytes:
    """The text of a Python file. OSError; ValueError if it is none."""
    source = Path(path).read_bytes()
    try:
        compile(source, path, "exec")
    except (SyntaxError, ValueError) as error:  # ValueError: null bytes
        raise ValueError(f"it must be a Python file, but: {error}") from None
    return source


def run_file(path: str, names: dict[str, Any]) -> None:
    """Run a Python file, which adds to the names. Raises as `source_of`, and what the file raises."""
    with imports_beside(path):
        exec(compile(source_of(path), path, "exec"), names)


def module_of(path: str) -> ModuleType:
    """A Python file as a module of its own, whichever others have its name. Raises as `run_file`."""
    module = ModuleType(f"player_{sha256(os.fsencode(path)).hexdigest()[:12]}")
    module.__file__ = path
    sys.modules[module.__name__] = module  # dataclasses look it up
    run_file(path, vars(module))
    return module


_IMPORTING = RLock()
_folders: list[str] = []  # of players; at the end of sys.path, since a player may import others later


@contextmanager
def imports_beside(path: str) -> Iterator[None]:
    """Let code import the modules beside its file, also if another player's modules have the same names."""
    folder = Path(path).absolute().parent
    modules = [each.stem for each in folder.glob("*.py")] + [each.parent.name for each in folder.glob("*/__init__.py")]
    beside = {each for each in modules if not (each.startswith("__") or is_installed(each))}

    def remove() -> dict[str, Any]:
        return {name: sys.modules.pop(name) for name in [*sys.modules] if name.partition(".")[0] in beside}

    with _IMPORTING:
        others = remove()
        _folders[:] = [str(folder), *(each for each in _folders if each != str(folder))]
        sys.path[:] = [*(each for each in sys.path if each not in _folders), *_folders]
        try:
            yield
        finally:
            remove()
            sys.modules.update(others)
