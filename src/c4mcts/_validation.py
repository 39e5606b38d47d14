"""Numbers that a caller gives, checked; each error names the argument and the value."""

import math
import operator


def whole_number(name: str, value: object) -> int:
    """The value as an int; numpy integers pass, bools, floats and strings don't. TypeError, ValueError."""
    if isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {value!r}") from None
    if number.bit_length() > 10_000:
        raise ValueError(f"{name} is too large a number")  # also to be shown: Python refuses
    return number


def real_number(name: str, value: object) -> float:
    """The value as a float that is not NaN, of an int, a float or a NumPy number. TypeError, ValueError."""
    if isinstance(value, str | bytes | bytearray | bool):
        raise TypeError(f"{name} must be a number, not {value!r}")
    if isinstance(value, int):
        value = whole_number(name, value)
    try:
        number = float(value)  # type: ignore[arg-type]
    except OverflowError:
        raise ValueError(f"{name} must be a number that a float can hold, not {value!r}") from None
    except (TypeError, ValueError):
        raise TypeError(f"{name} must be a number, not {value!r}") from None
    if math.isnan(number):
        raise ValueError(f"{name} must be a number, not {value!r}")
    return number


def positive(name: str, value: object) -> int:
    """A whole number from 1 on. TypeError, ValueError."""
    number = whole_number(name, value)
    if number < 1:
        raise ValueError(f"{name} must be at least 1, not {number}")
    return number


def not_negative(name: str, value: object) -> float:
    """A float from 0 to infinity. TypeError, ValueError."""
    number = real_number(name, value)
    if number < 0:
        raise ValueError(f"{name} must be at least 0, not {value!r}")
    return number
