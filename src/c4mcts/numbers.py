"""Numbers that a caller gives, checked; each error names the argument and the value."""

import math
import operator


def whole_number(name: str, value: object) -> int:
    """The value as an int; numpy integers pass, bools, floats and strings don't: TypeError naming the field."""
    if isinstance(value, bool):
        raise TypeError(f"{name} must be an integer, not {value!r}")
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{name} must be an integer, not {value!r}") from None


def real_number(name: str, value: object) -> float:
    """The value as a float that is not NaN, of an int, a float or a NumPy number. TypeError, ValueError."""
    try:
        number = math.nan if isinstance(value, str | bytes | bool) else float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if math.isnan(number):
        error = ValueError if isinstance(value, float) else TypeError
        raise error(f"{name} must be a number, not {value!r}")
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
