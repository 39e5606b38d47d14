"""Validators: each checks the value of a parameter, and returns it in the type of its field."""

import math
from collections.abc import Callable
from dataclasses import field, fields
from functools import partial
from typing import Any, get_args

from .._validation import between, brief, members, must_be, number_between, number_that, real_number, word

Validator = Callable[[str, object], Any]  # (name of the field, its value) -> the value; TypeError, ValueError

MAX_REWARD_UNITS = 100
LARGEST = 1e9  # factors of a search with an evaluator: so that no score overflows


def validated(default: object, validator: Validator) -> Any:
    """A field of a dataclass, with its default value and its validator."""
    return field(default=default, metadata={"validator": validator})


def validate(params: Any) -> None:
    """Check the fields of a frozen dataclass that have validators, and replace the values by their results."""
    for each in fields(params):
        if "validator" in each.metadata:
            object.__setattr__(params, each.name, each.metadata["validator"](each.name, getattr(params, each.name)))


share = partial(number_between, low=0, high=1)
factor = partial(number_between, low=0, high=LARGEST)
factor_from_1 = partial(number_between, low=1, high=LARGEST)
finite = number_that("finite", math.isfinite)
finite_from_0 = number_that("finite and at least 0", lambda number: 0 <= number < math.inf)
number_or_inf = number_that("a number or inf", lambda number: number > -math.inf)


def above_0_to(high: float) -> Validator:
    return number_that(f"above 0 and at most {high:g}", lambda number: 0 < number <= high)


def from_to(low: int, high: int) -> Validator:
    return partial(between, low=low, high=high)


def optional(validator: Validator) -> Validator:
    """A validator that accepts None, and what another one accepts."""
    return lambda name, value: None if value is None else validator(name, value)


def _floats(name: str, value: object, requirement: str, count: int) -> tuple[float, ...]:
    items = members(name, value, requirement, count)
    if len(items) != count:
        raise TypeError(must_be(name, requirement, value))
    return tuple(real_number(name, number) for number in items)


def alpha_and_fraction(name: str, value: object) -> tuple[float, float]:
    """(alpha, fraction) as floats. TypeError, ValueError."""
    alpha, fraction = _floats(name, value, "two numbers (alpha, fraction) or None", 2)
    if not (0 < alpha < math.inf and 0 <= fraction <= 1):
        raise ValueError(f"{name} must have alpha > 0 and a fraction from 0 to 1, not {brief(value)}")
    return alpha, fraction


def three_rewards(name: str, value: object) -> tuple[float, float, float]:
    """(win, draw, loss) as floats. TypeError, ValueError."""
    win, draw, loss = rewards = _floats(name, value, "three numbers (win, draw, loss)", 3)
    if not all(map(math.isfinite, rewards)) or not math.isfinite(win - loss):
        raise ValueError(must_be(name, "finite", rewards))
    if not (win > loss and win >= draw >= loss):
        raise ValueError(f"{name} must have win >= draw >= loss and win > loss, not {rewards!r}")
    draw_fraction((win, draw, loss))
    return win, draw, loss


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


def one_of(kind: Any) -> Validator:
    return partial(word, allowed=get_args(kind))


def rule_of(kind: Any) -> Validator:
    """A validator for names of a rule; for a function it says that GameSearch takes one."""

    def check(name: str, value: object) -> Any:
        if callable(value):
            raise TypeError(must_be(name, f"one of {get_args(kind)}: a function needs c4mcts.games.GameSearch", value))
        return word(name, value, get_args(kind))

    return check
