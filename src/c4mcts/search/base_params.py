"""SearchParams: what the parameters of all algorithms share, and the checks of their fields."""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from inspect import Signature, signature
from typing import Annotated, Any, ClassVar, Literal, Self, get_args

from .._layout import MAX_NODES, Settings
from .._validation import (
    an_instance,
    between,
    flag,
    number_between,
    number_that,
    numbers,
    real_number,
    refused,
    shown,
    suggestion,
    whole_number,
    word,
)

Selection = Literal["ucb1", "ucb1_tuned"]
Opponent = Literal["minimax", "random"]
Rollout = Literal["random", "decisive", "safe"]
TieBreak = Literal["first", "random"]
PuctChoice = Literal["visits", "visits_only", "value", "secure"]
Choice = Literal[PuctChoice, "ucb_short_win"]

Check = Callable[[str, object], Any]  # (name of the field, its value) -> the value in the right type

MAX_REWARD_UNITS = 100
LARGEST = 1e9  # factors of a search with an evaluator: so that no score overflows

factor = partial(number_between, low=0, high=LARGEST)
factor_from_1 = partial(number_between, low=1, high=LARGEST)

# params.py enters its classes and presets here.
ALGORITHMS: dict[str, type["SearchParams"]] = {}
PRESETS: dict[str, "SearchParams"] = {}


finite = number_that("finite", math.isfinite)
finite_from_0 = number_that("finite and at least 0", lambda number: 0 <= number < math.inf)
number_or_inf = number_that("a number or inf", lambda number: number > -math.inf)


def above_0_to(high: float) -> Check:
    """A check for a number above 0, at most `high`."""
    return number_that(f"above 0 and at most {high:g}", lambda number: 0 < number <= high)


def from_to(low: int, high: int) -> Check:
    """A check for a whole number from `low` to `high`."""
    return partial(between, low=low, high=high)


def optional(check: Check) -> Check:
    """A check for None, or for what another check accepts."""
    return lambda name, value: None if value is None else check(name, value)


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


class _Fields:
    """The signature of a class of parameters, which help() shows: the fields and their types; __new__ has none."""

    def __get__(self, _: object, kind: type) -> Signature:
        made = signature(kind.__init__)  # type: ignore[misc]
        _, *shown_fields = made.parameters.values()
        shown_fields = [each.replace(annotation=each.annotation.__origin__) for each in shown_fields]
        return made.replace(parameters=shown_fields, return_annotation=Signature.empty)


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchParams(ABC):
    """How a search works: what all algorithms share. Make one of UctParams, PuctParams, GumbelParams and
    NetworkParams, or a preset.

    rewards: (win, draw, loss) for the player who makes the move, win > loss; the draw lies between them, at a fraction
        with a denominator of at most 100. A draw that is worth less than the mean of the two makes both sides avoid it.
    proofs: back up exact results along with the means: certain wins, draws and losses, with the plies to the end.
        A move that can't be better than a proven one is not searched; a proven root ends the search (Winands,
        Bjornsson and Saito 2008; Cazenave and Saffidine 2010).
    checks: play an immediate win, and answer an immediate threat, no matter what the search has found. False leaves
        that to the search: its proofs decide if there are any, else the `choice` alone. (Not for a Game.)
    tie_break: among equal scores take the "first" column, or one at "random" from the search's own generator.
    max_nodes: size of the node pool, 16 bytes per node in the native backend (20 for a moment, when a tree moves to a
        new root). A full pool is not an error: the search continues without expanding. With less than 1 + columns no
        move can be tried: the search then plays an immediate win, an answer to a threat, or the first legal column.
    max_bytes: limits the pool by the memory of the native backend, tables included; the smaller of the two limits
        holds. On 7x6 a node takes about 42 bytes, 20 without transpositions, and the probes take 4 MB; what they take
        beyond that, with several threads on boards of 59 bits or more, is not counted. None: no such limit.

    Raises TypeError or ValueError, naming the field and the value.
    """

    rewards: Annotated[tuple[float, float, float], three_rewards] = (1.0, 0.5, 0.0)
    proofs: Annotated[bool, flag] = True
    checks: Annotated[bool, flag] = True
    tie_break: Annotated[TieBreak, one_of(TieBreak)] = "first"
    max_nodes: Annotated[int, from_to(1, MAX_NODES)] = 1 << 26
    max_bytes: Annotated[int | None, optional(whole_number)] = None

    __signature__ = _Fields()
    algorithm: ClassVar[str]  # its name in JSON
    needs_evaluator: ClassVar[bool]  # which takes the place of rollouts; see Engine

    # Fields of some algorithms, and what the others have in their place.
    opponent = "minimax"
    discount = 1.0
    probes = False
    book = False
    choice = "visits"
    temperature = 0.0
    keep_tree = False

    def __new__(cls, /, *_: object, **values: object) -> Self:
        if cls is SearchParams:
            kinds = "UctParams, PuctParams, GumbelParams or NetworkParams"
            raise TypeError(f"SearchParams is what all parameters share: use {kinds}, or SearchParams.preset(name)")
        for name in values:
            if name not in names_of(cls):
                raise _unknown(cls, name)
        return object.__new__(cls)

    def __post_init__(self) -> None:
        for field in fields(self):
            (check,) = field.type.__metadata__  # type: ignore[union-attr]
            value = check(field.name, getattr(self, field.name))
            object.__setattr__(self, field.name, value)  # the way to normalise a frozen dataclass
        self._check()

    def _check(self) -> None:
        """Raise ValueError for fields that contradict each other."""
        if self.max_bytes is not None and self.affordable_nodes() < 1:
            raise ValueError(f"max_bytes is too little for one node and the tables, {shown(self.max_bytes)}")

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy through the constructor, which validates."""
        return partial(type(self), **values_of(self)), ()

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Self:
        """The parameters of that name (see c4mcts.presets), with changes. Raises as their class does."""
        known = {name: params for name, params in PRESETS.items() if isinstance(params, cls)}
        return known[word("preset", name, tuple(known))].changed(**changes)

    def changed(self, /, **changes: Any) -> Self:
        """A copy with other values for some parameters. Raises as the class does."""
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """The algorithm and all parameters, ready for JSON: tuples as lists, infinity as the string "inf"."""
        listed = {name: list(value) if isinstance(value, tuple) else value for name, value in values_of(self).items()}
        plain = {name: "inf" if value == math.inf else value for name, value in listed.items()}
        return {"algorithm": self.algorithm, **plain}

    @staticmethod
    def from_dict(values: dict[str, Any]) -> "SearchParams":
        """The parameters of which `to_dict` has made these values. What is left out has its default.

        Raises TypeError or ValueError as the classes do.
        """
        given = dict(an_instance("params", values, dict, "a dict"))
        kind = ALGORITHMS[word("algorithm", given.pop("algorithm", None), tuple(ALGORITHMS))]
        fields: dict[str, Any] = {name: math.inf if value == "inf" else value for name, value in given.items()}
        return kind(**fields)

    @abstractmethod
    def settings(self) -> Settings:
        """The parameters as the backends read them: in reward units, integers with a loss worth 0."""

    def _shared_settings(self) -> dict[str, Any]:
        draw, win = draw_fraction(self.rewards)
        return {
            "win": win,
            "draw": draw,
            "random_ties": self.tie_break == "random",
            "proofs": self.proofs,
            "checks": self.checks,
            "max_nodes": min(self.max_nodes, self.affordable_nodes()),
        }

    def affordable_nodes(self) -> int:
        """How many nodes max_bytes allows."""
        if self.max_bytes is None:
            return MAX_NODES
        tables, node = self._memory()
        return (self.max_bytes - tables) // node

    @abstractmethod
    def _memory(self) -> tuple[int, int]:
        """Bytes of the tables, and of a node."""

    def __str__(self) -> str:
        """One line for the algorithm, and one for each field."""
        shown_values = {"algorithm": self.algorithm} | values_of(self)
        return "\n".join(f"{name} = {value!r}" for name, value in shown_values.items())


def names_of(kind: type[Any]) -> list[str]:
    return [field.name for field in fields(kind)]


def values_of(params: SearchParams) -> dict[str, Any]:
    return {name: getattr(params, name) for name in names_of(type(params))}


def _unknown(kind: type[SearchParams], name: str) -> TypeError:
    kinds = [each for each in ALGORITHMS.values() if SearchParams in each.__bases__]
    owners = [each.__name__ for each in kinds if name in names_of(each)]
    if owners:
        *others, last = owners
        listed = f"{', '.join(others)} and {last}" if others else last
        return TypeError(f"{name} is a parameter of {listed}, not of {kind.__name__}")
    return TypeError(f"{kind.__name__} has no parameter {shown(name)}{suggestion(name, names_of(kind), 'parameters')}")
