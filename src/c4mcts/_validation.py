"""Checks of arguments: numbers, strings, lists; each error names the argument and the value."""

import reprlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from math import inf, isnan
from operator import index
from typing import Any, TypeVar

import numpy as np

T = TypeVar("T")
W = TypeVar("W", bound=str)

_short = reprlib.Repr()
_short.maxstring, _short.maxother, _short.maxlong = 200, 200, 500
_short.maxlist = _short.maxtuple = _short.maxdict = _short.maxset = 20


def brief(value: object) -> str:
    """The repr of a value for an error message, in one line, shortened if it is long. Never raises."""
    try:
        return " ".join(_short.repr(value).split("\n"))
    except Exception:  # a broken __repr__, or an int with more digits than Python converts
        return f"<{type(value).__name__}, which can't be shown>"


def described(error: BaseException) -> str:
    """The kind of an error, and its message if it has one. Never raises."""
    try:
        text = str(error)
    except Exception:
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def counted(number: float | str, noun: str, plural: str = "") -> str:
    """A number with its noun, such as "1 disc" or "1,200 discs". plural: by default the noun with an s."""
    text = number if isinstance(number, str) else f"{number:,}".removesuffix(".0")
    return f"{text} {noun if text == '1' else plural or noun + 's'}"


def must_be(name: str, requirement: str, value: object) -> str:
    return f"{name} must be {requirement}, not {brief(value)}"


@contextmanager
def naming(prefix: str, kind: Callable[[str], Exception] | None = None) -> Iterator[None]:
    """Prefix the message of a TypeError or ValueError raised in the block; `kind` replaces its type."""
    try:
        yield
    except (TypeError, ValueError) as error:
        raise (kind or type(error))(f"{prefix}{error}") from None


def suggestion(name: str, candidates: Iterable[str], what: str) -> str:
    """The end of a message about an unknown name: the known one that is most like it, or all. what: what they are."""
    from difflib import get_close_matches  # imported here, because it slows down the import of the package

    names = list(candidates)
    nearest = get_close_matches(name[:MAX_COMPARED], names, 1)
    return f": did you mean {nearest[0]!r}?" if nearest else f"; the {what} are {', '.join(names)}"


MAX_COMPARED = 200  # characters of a name that is compared with others


def whole_number(name: str, value: object) -> int:
    """The value as an int; numpy integers pass, bools, floats and strings don't. TypeError, ValueError."""
    if type(value) is bool:
        raise TypeError(must_be(name, "an integer", value))
    try:
        return index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(must_be(name, "an integer", value)) from None


def between(name: str, value: object, low: int, high: int) -> int:
    """A whole number from `low` to `high`. TypeError, ValueError."""
    number = whole_number(name, value)
    if not low <= number <= high:
        raise ValueError(must_be(name, f"{low} to {high}", number))
    return number


def positive(name: str, value: object, maximum: int | None = None) -> int:
    """A whole number of at least 1, and at most `maximum` if that is given. TypeError, ValueError."""
    number = whole_number(name, value)
    if number < 1:
        raise ValueError(must_be(name, "at least 1", number))
    return number if maximum is None else between(name, number, 1, maximum)


def real_number(name: str, value: object) -> float:
    """An int, a float or a NumPy number as a float; NaN is refused. TypeError, ValueError."""
    # float() would also parse strings, and drop the imaginary part of NumPy numbers
    if isinstance(value, np.ndarray | np.generic):
        is_real = value.ndim == 0 and value.dtype.kind in "iuf"
    else:
        is_real = type(value) is not bool and (hasattr(type(value), "__float__") or hasattr(type(value), "__index__"))
    if not is_real:
        raise TypeError(must_be(name, "a number", value))
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        raise ValueError(must_be(name, "a number that a float can hold", value)) from None
    if isnan(number):
        raise ValueError(must_be(name, "a number", value))
    return number


def number_between(name: str, value: object, low: float, high: float) -> float:
    """A number from `low` to `high` as a float. TypeError, ValueError."""
    return number_that(f"{low:g} to {high:g}", lambda number: low <= number <= high)(name, value)


def number_that(requirement: str, is_allowed: Callable[[float], bool]) -> Callable[[str, object], float]:
    """A check for a number, called with a name and a value. requirement: which numbers, in the error."""

    def check(name: str, value: object) -> float:
        number = real_number(name, value)
        if not is_allowed(number):
            raise ValueError(must_be(name, requirement, value))
        return number

    return check


not_negative = number_that("at least 0", lambda number: number >= 0)
positive_seconds = number_that("positive and finite", lambda number: 0 < number < inf)


def flag(name: str, value: object) -> bool:
    """True or False, NumPy's too. TypeError."""
    if not isinstance(value, bool | np.bool):
        raise TypeError(must_be(name, "True or False", value))
    return bool(value)


def string(name: str, value: object) -> str:
    """A string, as a plain str. TypeError."""
    return str(an_instance(name, value, str, "a string"))


def word(name: str, value: object, allowed: tuple[W, ...]) -> W:
    """One of the allowed strings. ValueError for anything else."""
    if not isinstance(value, str) or value not in allowed:
        raise ValueError(must_be(name, f"one of {', '.join(map(repr, allowed))}", value))
    return allowed[allowed.index(value)]


def members(name: str, values: object, requirement: str, most: int, least: int | None = None) -> list[Any]:
    """The members of an iterable, of which `most` + 1 are read, since it may be endless. TypeError, also for a text.

    least: how many there must be; more than `most` are then refused, too. ValueError.
    """
    if isinstance(values, str | bytes | bytearray):
        raise TypeError(must_be(name, requirement, values))
    try:
        iterator = iter(values)  # type: ignore[call-overload]
    except TypeError:
        raise TypeError(must_be(name, requirement, values)) from None
    items = list(islice(iterator, most + 1))
    if least is not None and not least <= len(items) <= most:
        raise ValueError(f"{name} must be {requirement}, {least} to {most:,} of them, not {len(items):,}")
    return items


def an_instance(name: str, value: object, kind: type[T], requirement: str) -> T:
    """Check that the value is an instance of `kind`. requirement: its name in the error. TypeError."""
    if not isinstance(value, kind):
        raise TypeError(must_be(name, requirement, value))
    return value


def function(name: str, value: object) -> Any:
    """Check that the value is callable. TypeError."""
    if not callable(value):
        raise TypeError(must_be(name, "callable", value))
    return value


def nothing(*_: object) -> None:
    """The default of callbacks: does nothing."""


def callback(name: str, value: object) -> Any:
    """Check that the value is callable, or None for `nothing`. TypeError."""
    return nothing if value is None else function(name, value)
