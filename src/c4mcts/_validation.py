"""Checks of arguments: numbers, strings, lists; each error names the argument and the value."""

import reprlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from itertools import islice
from math import inf, isnan
from operator import index
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

T = TypeVar("T")
W = TypeVar("W", bound=str)
F = TypeVar("F", bound=Callable[..., object])

_short = reprlib.Repr()
_short.maxstring, _short.maxother, _short.maxlong = 200, 200, 500
_short.maxlist = _short.maxtuple = _short.maxdict = _short.maxset = 20


def shown(value: object) -> str:
    """The repr of a value for an error message, in one line, shortened if it is long. Never raises."""
    try:
        return " ".join(_short.repr(value).split("\n"))
    except Exception:  # a broken __repr__, or an int with more digits than Python converts
        return f"<{type(value).__name__}, which can't be shown>"


def refused(name: str, wanted: str, value: object) -> str:
    return f"{name} must be {wanted}, not {shown(value)}"


@contextmanager
def naming(prefix: str, kind: Callable[[str], Exception] | None = None) -> Iterator[None]:
    """Prefix the message of a TypeError or ValueError raised in the block; `kind` replaces its type."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise (kind or type(error))(f"{prefix}{error}") from None


def suggestion(name: str, known: Iterable[str], what: str) -> str:
    """The end of a message about an unknown name: the known one that is most like it, or all. what: what they are."""
    from difflib import get_close_matches  # imported here, because it slows down the import of the package

    names = list(known)
    nearest = get_close_matches(name[:MAX_COMPARED], names, 1)
    return f": did you mean {nearest[0]!r}?" if nearest else f"; the {what} are {', '.join(names)}"


def check_keywords(function: Callable[..., object], given: Iterable[str], options: type) -> None:
    """Refuse keyword arguments that a function with `**options` does not have, as Python would. TypeError.

    options: a TypedDict of those it has beside its parameters.
    """
    for name in given:
        if name not in options.__annotations__:
            from inspect import signature  # imported here, because it slows down the import of the package

            own = [each.name for each in signature(function).parameters.values() if each.kind != each.VAR_KEYWORD]
            words = f"{function.__name__}() got an unexpected keyword argument {shown(name)}"
            raise TypeError(words + instead(name, [*own, *options.__annotations__], "arguments"))


def with_hints(function: F) -> F:
    """Make Python's error for wrong arguments of a function say what to write instead; see _hints."""

    @wraps(function)
    def call(*given: Any, **keywords: Any) -> Any:
        try:
            return function(*given, **keywords)
        except TypeError as error:
            if error.__traceback__ is None or error.__traceback__.tb_next is not None:  # not of this call
                raise
            raise TypeError(_hint(function, f"{error}", given, keywords)) from None

    return call  # type: ignore[return-value]


def instead(name: str, known: Collection[str], what: str) -> str:
    """The end of a message about an unknown argument: what to write in its place. known: the arguments there are."""
    from ._hints import ARGUMENTS  # here like all of _hints, which most programs don't need

    for other in ARGUMENTS.get(name.lower(), "").split():
        if other in known:
            return f": write {other}="
        if other.partition("=")[0] in known or "(" in other.partition("=")[0]:
            return f": write {other}"
    return suggestion(name, known, what)


def _hint(function: Callable[..., Any], words: str, given: tuple[Any, ...], keywords: Mapping[str, Any]) -> str:
    """The message of Python's error for a call with wrong arguments, and what to write instead."""
    from inspect import signature

    known = [each.name for each in signature(function).parameters.values() if each.name != "self"]
    for name in keywords:
        if name not in known:
            head = f"{function.__qualname__.removesuffix('.__init__')}() got an unexpected keyword argument"
            return f"{head} {shown(name)}{instead(name, known, 'arguments')}"
    limits = {int: ("simulations", "seconds", "games", "max_nodes"), float: ("seconds",)}
    able = [name for name in limits.get(type(given[-1]) if given else object, ()) if name in known]
    if "positional argument" in words and able:
        return f"{words}: write {' or '.join(f'{name}={given[-1]}' for name in able[:2])}"
    return words


def no_attribute(owner: object, name: str) -> AttributeError:
    """The error for a missing attribute of an object or a class; see _hints for what it says."""
    from ._hints import ATTRIBUTES

    kind = owner if isinstance(owner, type) else type(owner)
    words = f"{kind.__name__!r} {'class' if kind is owner else 'object'} has no attribute {shown(name)}"
    known = ATTRIBUTES.get(kind.__name__, {})
    return AttributeError(words + (f": write {known[name]}" if name in known else ""), name=name, obj=owner)


class _ExplainsNames(type):
    if not TYPE_CHECKING:  # otherwise type checkers would accept every name

        def __getattr__(cls, name):
            raise no_attribute(cls, name)


class ExplainsNames(metaclass=_ExplainsNames):
    """A class that explains its missing attributes and those of its objects."""

    __slots__ = ()

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            raise no_attribute(self, name)


MAX_COMPARED = 200  # characters of a name that is compared with others


def whole_number(name: str, value: object) -> int:
    """The value as an int; numpy integers pass, bools, floats and strings don't. TypeError, ValueError."""
    if type(value) is bool:
        raise TypeError(refused(name, "an integer", value))
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(refused(name, "an integer", value)) from None


def between(name: str, value: object, low: int, high: int) -> int:
    """A whole number from `low` to `high`. TypeError, ValueError."""
    number = whole_number(name, value)
    if not low <= number <= high:
        raise ValueError(refused(name, f"{low} to {high}", number))
    return number


def positive(name: str, value: object, maximum: int | None = None) -> int:
    """A whole number of at least 1, and at most `maximum` if that is given. TypeError, ValueError."""
    number = whole_number(name, value)
    if number < 1:
        raise ValueError(refused(name, "at least 1", number))
    return number if maximum is None else between(name, number, 1, maximum)


def real_number(name: str, value: object) -> float:
    """An int, a float or a NumPy number as a float; NaN is refused. TypeError, ValueError."""
    # float() would also parse strings, and drop the imaginary part of NumPy numbers
    if isinstance(value, np.ndarray | np.generic):
        is_real = value.ndim == 0 and value.dtype.kind in "iuf"
    else:
        is_real = type(value) is not bool and (hasattr(type(value), "__float__") or hasattr(type(value), "__index__"))
    if not is_real:
        raise TypeError(refused(name, "a number", value))
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        raise ValueError(refused(name, "a number that a float can hold", value)) from None
    if isnan(number):
        raise ValueError(refused(name, "a number", value))
    return number


def number_between(name: str, value: object, low: float, high: float) -> float:
    """A number from `low` to `high` as a float. TypeError, ValueError."""
    return number_that(f"{low:g} to {high:g}", lambda number: low <= number <= high)(name, value)


def number_that(wanted: str, is_allowed: Callable[[float], bool]) -> Callable[[str, object], float]:
    """A check for a number, called with a name and a value. wanted: which numbers, in the error."""

    def check(name: str, value: object) -> float:
        number = real_number(name, value)
        if not is_allowed(number):
            raise ValueError(refused(name, wanted, value))
        return number

    return check


not_negative = number_that("at least 0", lambda number: number >= 0)
positive_seconds = number_that("positive and finite", lambda number: 0 < number < inf)


def flag(name: str, value: object) -> bool:
    """True or False, NumPy's too. TypeError."""
    if not isinstance(value, bool | np.bool):
        raise TypeError(refused(name, "True or False", value))
    return bool(value)


def string(name: str, value: object) -> str:
    """A string, as a plain str. TypeError."""
    return str(an_instance(name, value, str, "a string"))


def word(name: str, value: object, allowed: tuple[W, ...]) -> W:
    """One of the allowed strings. ValueError for anything else."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(refused(name, f"one of {', '.join(map(repr, allowed))}", value))
    return allowed[allowed.index(value)]


def members(name: str, values: object, wanted: str, most: int, least: int | None = None) -> list[Any]:
    """The members of an iterable, of which `most` + 1 are read, since it may be endless. TypeError, also for a text.

    least: how many there must be; more than `most` are then refused, too. ValueError.
    """
    if isinstance(values, str | bytes | bytearray):
        raise TypeError(refused(name, wanted, values))
    try:
        found = list(islice(values, most + 1))  # type: ignore[call-overload]
    except TypeError:
        raise TypeError(refused(name, wanted, values)) from None
    if least is not None and not least <= len(found) <= most:
        raise ValueError(f"{name} must be {wanted}, {least} to {most:,} of them, not {len(found):,}")
    return found


def an_instance(name: str, value: object, kind: type[T], wanted: str) -> T:
    """Check that the value is an instance of `kind`. wanted: its name in the error. TypeError."""
    if not isinstance(value, kind):
        raise TypeError(refused(name, wanted, value))
    return value


def unlocked(lock: Lock, words: str) -> Lock:
    """The lock to hold during a call; RuntimeError with these words if it is held.

    `with` takes a lock that is written in C in one step, so that Ctrl-C can't leave it locked.
    """
    if lock.locked():
        raise RuntimeError(words)
    return lock


def function(name: str, value: object) -> Any:
    """Check that the value is callable. TypeError."""
    if not callable(value):
        raise TypeError(refused(name, "callable", value))
    return value


def nothing(*_: object) -> None:
    """What is called instead of a callback that is not given."""


def callback(name: str, value: object) -> Any:
    """Check that the value is callable, or None for `nothing`. TypeError."""
    return nothing if value is None else function(name, value)
