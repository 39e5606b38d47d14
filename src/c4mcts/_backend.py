"""Loads a backend by its name. No other module imports `_native` or `_pure`."""

import importlib
import warnings
from functools import cache, cached_property
from types import ModuleType
from typing import Any, Literal, get_args

from . import _platform
from ._layout import MAX_THREADS
from ._validation import between, word
from ._weights import NETWORK, read_network, read_order
from .rules import DEFAULT_RULES, Rules, fits_solver, fits_word

BackendName = Literal["auto", "native", "pure"]

POLL_EVERY = {"native": 1 << 12, "pure": 1 << 8}  # most nodes between two calls of `poll`: about 1 ms, 15 ms
TABLE_BITS = 16, 28  # logarithms of the bytes of a solver's table, at first and at most


class Backend:
    """The modules of the package `_native` or `_pure` as attributes; each is imported when it is first used.

    ImportError for a module that the package does not have.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.bitboard = self._import("bitboard")  # fails here if the backend is missing

    def __getattr__(self, module_name: str) -> ModuleType:
        if module_name.startswith("_"):  # Python asks for methods that it could use
            raise AttributeError(module_name)
        module = self._import(module_name)
        setattr(self, module_name, module)
        return module

    def solver_for(self, rules: Rules) -> ModuleType | None:
        """The module `solver` for boards of this size; the native backend has none for more than 128 bits."""
        if self.name == "pure" or fits_word(rules):
            return self.solver
        return self._import("wide.solver") if fits_solver(rules) else None

    def new_solver(
        self, rules: Rules, threads: int = 1, table_bits: tuple[int, int] = TABLE_BITS, is_for_probes: bool = False
    ) -> Any:
        """A solver for boards of this size, which must have one. threads: see c4mcts.solve.

        table_bits: logarithms of the bytes of its table, at first and at most (native). is_for_probes: whether its
        searches are short, so that the weights that order moves in long ones need not be read.
        """
        module, (least, most) = self.solver_for(rules), table_bits
        assert module is not None
        order = self._order if rules == DEFAULT_RULES and not is_for_probes else None
        return module.AlphaBetaSolver(rules, least, POLL_EVERY[self.name], threads, most, order)

    @cached_property
    def _order(self) -> Any:
        """What ranks the moves in large searches of 7x6: the network of the package, and weights."""
        flat = {name: array.reshape(-1) for name, array in read_network(NETWORK).items()}
        return self.network.Network(DEFAULT_RULES, flat), read_order()

    def book_for(self, rules: Rules) -> ModuleType:
        """The module `book` for boards of this size, at most 128 bits."""
        return self.book if self.name == "pure" or fits_word(rules) else self._import("wide.book")

    def _import(self, module_name: str) -> ModuleType:
        full_name = f"{__package__}._{self.name}.{module_name}"
        try:
            return importlib.import_module(full_name)
        except SystemError as error:  # free-threaded CPython 3.14 opens a binary of the Limited API, which it can't run
            raise ImportError(f"{full_name} was compiled for another Python: {error}") from error


def load(name: str = "auto") -> Backend:
    """The backend "native" or "pure"; "auto" is native where it is installed, otherwise pure, with one warning.

    Raises ValueError for another name, ImportError if "native" is requested but missing.
    """
    name = word("backend", name, get_args(BackendName))
    return _best() if name == "auto" else _load(name)


def load_solver(name: str, rules: Rules) -> Backend:
    """The backend that solves boards of this size: `load(name)`, or pure, with one warning, if that has no solver."""
    kind = load(name)
    if kind.solver_for(rules) is not None:
        return kind
    _warn_of_size()
    return _load("pure")


def load_native(name: str, what: str, instead: str) -> Backend:
    """The native backend, for what the pure one does not have; raises as `load`, and ValueError for the pure one.

    what: the caller's name, for the error. instead: advice to users of the pure backend.
    """
    loaded = load(name)
    if loaded.name == "pure":
        raise ValueError(f"backend must be native for {what}, not pure: {instead}")
    return loaded


def backend() -> str:
    """The backend that "auto" stands for here: "native" or "pure"."""
    return load().name


def thread_count(threads: object, backend: Backend) -> int:
    """A number of threads, checked: the pure backend has one, and so have some platforms. TypeError, ValueError."""
    number = between("threads", threads, 1, MAX_THREADS)
    if number > 1 and not _platform.HAS_THREADS:
        raise ValueError(f"threads must be 1 on this platform, which has no threads to start, not {number}")
    if number > 1 and backend.name == "pure":
        raise ValueError(f"threads must be 1 for the pure backend, not {number}")
    return number


_load = cache(Backend)


@cache
def _best() -> Backend:
    try:
        return _load("native")
    except ImportError as error:
        warnings.warn(
            "c4mcts runs on its pure-Python backend, about a hundred times slower than the native one, "
            f"which could not be loaded: {error}",
            RuntimeWarning,
            stacklevel=4,
        )
        return _load("pure")


@cache
def _warn_of_size() -> None:
    warnings.warn(
        "boards of more than 128 bits, width * (height + 1), are solved by the pure-Python backend, "
        "about a hundred times slower than the native one, which has no solver for them",
        RuntimeWarning,
        stacklevel=4,
    )
