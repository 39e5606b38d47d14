"""Checks of the fields of SearchParams: each returns its value in the right type, or raises."""

import math
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, get_args

from .._validation import between, numbers, real_number, refused, shown, word

Selection = Literal["ucb1", "ucb1_tuned"]
Opponent = Literal["minimax", "random"]
Rollout = Literal["random", "decisive", "safe"]
TieBreak = Literal["first", "random"]
PuctChoice = Literal["visits", "visits_only", "value", "secure"]
Choice = Literal[PuctChoice, "ucb_short_win"]

Check = Callable[[str, object], Any]  # (name of the field, its value) -> the value in the right type

MAX_REWARD_UNITS = 100
LARGEST = 1e9  # factors of a search with an evaluator: so that no score overflows


def finite(name: str, value: object) -> float:
    """A finite number. TypeError, ValueError."""
    number = real_number(name, value)
    if math.isinf(number):
        raise ValueError(f"{name} must be finite, not {number}")
    return number


def finite_from_0(name: str, value: object) -> float:
    """A finite number of at least 0. TypeError, ValueError."""
    number = real_number(name, value)
    if not 0 <= number < math.inf:
        raise ValueError(f"{name} must be finite and at least 0, not {number}")
    return number


def factor(name: str, value: object, low: float = 0.0) -> float:
    """A number from `low` to LARGEST. TypeError, ValueError."""
    number = real_number(name, value)
    if not low <= number <= LARGEST:
        raise ValueError(f"{name} must be {low:g} to {LARGEST:g}, not {number}")
    return number


def from_to(low: int, high: int) -> Check:
    """A check for a whole number from `low` to `high`."""
    return partial(between, low=low, high=high)


def optional(check: Check) -> Check:
    """A check for None, or for what another check accepts."""
    return lambda name, value: None if value is None else check(name, value)


def number_or_inf(name: str, value: object) -> float:
    """A number or infinity. TypeError, ValueError."""
    number = real_number(name, value)
    if number == -math.inf:
        raise ValueError(f"{name} must be a number or inf, not -inf")
    return number


def above_0_to_1(name: str, value: object) -> float:
    """A number above 0 and at most 1. TypeError, ValueError."""
    number = real_number(name, value)
    if not 0 < number <= 1:
        raise ValueError(f"{name} must be above 0 and at most 1, not {number}")
    return number


def factor_from_1(name: str, value: object) -> float:
    """A number from 1 to LARGEST. TypeError, ValueError."""
    return factor(name, value, low=1.0)


def factor_above_0(name: str, value: object) -> float:
    """A number above 0, at most LARGEST. TypeError, ValueError."""
    number = real_number(name, value)
    if not 0 < number <= LARGEST:
        raise ValueError(f"{name} must be above 0 and at most {LARGEST:g}, not {number}")
    return number


def alpha_and_fraction(name: str, value: object) -> tuple[float, float]:
    """(alpha, fraction) as floats. TypeError, ValueError."""
    wanted = "two numbers (alpha, fraction) or None"
    pair = numbers(name, value, wanted, 2)
    if len(pair) != 2:
        raise TypeError(refused(name, wanted, value))
    alpha, fraction = (real_number(name, number) for number in pair)
    if not (0 < alpha < math.inf and 0 <= fraction <= 1):
        raise ValueError(f"{name} must have alpha > 0 and a fraction from 0 to 1, not {shown(value)}")
    return alpha, fraction


def three_rewards(name: str, value: object) -> tuple[float, float, float]:
    """(win, draw, loss) as floats. TypeError, ValueError."""
    wanted = "three numbers (win, draw, loss)"
    triple = numbers(name, value, wanted, 3)
    if len(triple) != 3:
        raise TypeError(refused(name, wanted, value))
    win, draw, loss = (real_number(name, number) for number in triple)
    found = (win, draw, loss)
    if not all(map(math.isfinite, found)) or not math.isfinite(win - loss):
        raise ValueError(refused(name, "finite", found))
    if not (win > loss and win >= draw >= loss):
        raise ValueError(f"{name} must have win >= draw >= loss and win > loss, not {found!r}")
    draw_fraction(found)
    return found


def draw_fraction(rewards: tuple[float, float, float]) -> tuple[int, int]:
    """Where the draw lies between a loss (0) and a win (1): numerator and denominator, in lowest terms. ValueError."""
    win, draw, loss = rewards
    exact = (draw - loss) / (win - loss)
    for denominator in range(1, MAX_REWARD_UNITS + 1):
        numerator = round(exact * denominator)
        if abs(numerator / denominator - exact) <= 1e-9:
            return numerator, denominator
    raise ValueError(
        f"rewards: the draw must lie at a fraction with a denominator of at most {MAX_REWARD_UNITS} "
        f"between loss and win, not {rewards!r}"
    )


def one_of(kind: Any) -> Check:
    """A check for one of the strings of a Literal."""
    return partial(word, allowed=get_args(kind))
