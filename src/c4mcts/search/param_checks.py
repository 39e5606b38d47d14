"""What the fields of SearchParams accept, one by one and together."""

import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Literal, get_args

from .._layout import MAX_BATCH, MAX_NODES
from .._validation import (
    between,
    flag,
    not_negative,
    numbers,
    positive,
    real_number,
    refused,
    shown,
    whole_number,
    word,
)
from ..board.planes import Planes

if TYPE_CHECKING:
    from .params import SearchParams

Selection = Literal["uct", "ucb1_tuned", "puct"]
Root = Literal["puct", "gumbel"]
Opponent = Literal["minimax", "random"]
Expansion = Literal["one", "all"]
Rollout = Literal["random", "decisive", "safe"]
TieBreak = Literal["first", "random"]
Backup = Literal["value", "mean"]
FirstChild = Literal["best", "any"]
Choice = Literal["visits", "visits_only", "value", "secure", "ucb_short_win"]

MAX_REWARD_UNITS = 100
LARGEST = 1e9  # factors of a search with an evaluator: so that no score overflows

# For each choice of selection or root, the values that other fields must have.
NEEDED_BY_PUCT = {"probes": False, "book": False, "transpositions": False, "opponent": "minimax", "discount": 1.0}
NEEDED_WITHOUT_PUCT = {
    "root": "puct",
    "root_noise": None,
    "root_policy_temperature": 1.0,
    "forced_visits": 0.0,
    "first_play_reduction": None,
    "exploration_base": None,
    "backup": "value",
    "first_child": "best",
    "prove_draws": True,
}
NEEDED_BY_GUMBEL = {
    "keep_tree": False,
    "choice": "visits",
    "temperature": 0.0,
    "root_noise": None,
    "root_policy_temperature": 1.0,
    "forced_visits": 0.0,
}


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


def optional(check: Callable[[str, object], Any], name: str, value: object) -> Any:
    """None, or what the check makes of the value."""
    return None if value is None else check(name, value)


def first_play(name: str, value: object) -> float:
    """A number or infinity. TypeError, ValueError."""
    number = real_number(name, value)
    if number == -math.inf:
        raise ValueError(f"{name} must be a number or inf, not -inf")
    return number


def discount(name: str, value: object) -> float:
    """A number above 0 and at most 1. TypeError, ValueError."""
    number = real_number(name, value)
    if not 0 < number <= 1:
        raise ValueError(f"{name} must be above 0 and at most 1, not {number}")
    return number


def policy_temperature(name: str, value: object) -> float:
    """A number above 0, at most LARGEST. TypeError, ValueError."""
    number = real_number(name, value)
    if not 0 < number <= LARGEST:
        raise ValueError(f"{name} must be above 0 and at most {LARGEST:g}, not {number}")
    return number


def root_noise(name: str, value: object) -> tuple[float, float]:
    """(alpha, fraction) as floats. TypeError, ValueError."""
    wanted = "two numbers (alpha, fraction) or None"
    pair = numbers(name, value, wanted, 2)
    if len(pair) != 2:
        raise TypeError(refused(name, wanted, value))
    alpha, fraction = (real_number(name, number) for number in pair)
    if not (0 < alpha < math.inf and 0 <= fraction <= 1):
        raise ValueError(f"{name} must have alpha > 0 and a fraction from 0 to 1, not {shown(value)}")
    return alpha, fraction


def rewards(name: str, value: object) -> tuple[float, float, float]:
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


def one_of(kind: Any) -> Callable[[str, object], str]:
    """A check for one of the strings of a Literal."""
    return partial(word, allowed=get_args(kind))


CHECKS: dict[str, Callable[[str, object], Any]] = {  # by field: returns its value in the right type, or raises
    "selection": one_of(Selection),
    "exploration": finite,
    "exploration_base": partial(optional, partial(factor, low=1.0)),
    "opponent": one_of(Opponent),
    "first_play": first_play,
    "first_play_reduction": partial(optional, factor),
    "expansion": one_of(Expansion),
    "rewards": rewards,
    "discount": discount,
    "rollout": one_of(Rollout),
    "proofs": flag,
    "probes": flag,
    "book": flag,
    "transpositions": flag,
    "tie_break": one_of(TieBreak),
    "backup": one_of(Backup),
    "first_child": one_of(FirstChild),
    "prove_draws": flag,
    "choice": one_of(Choice),
    "checks": flag,
    "temperature": not_negative,
    "batch_size": partial(between, low=1, high=MAX_BATCH),
    "virtual_loss": finite_from_0,
    "root_noise": partial(optional, root_noise),
    "root_policy_temperature": policy_temperature,
    "forced_visits": factor,
    "root": one_of(Root),
    "max_num_considered_actions": positive,
    "gumbel_scale": factor,
    "maxvisit_init": factor,
    "value_scale": factor,
    "planes": one_of(Planes),
    "keep_tree": flag,
    "max_nodes": partial(between, low=1, high=MAX_NODES),
    "max_bytes": partial(optional, whole_number),
}


def check_combinations(params: "SearchParams") -> None:
    """Raise ValueError for fields that contradict each other."""
    if params.selection == "puct":
        _require(params, NEEDED_BY_PUCT, 'selection="puct" needs {name}={needed!r}, not {found!r}')
    else:
        _require(params, NEEDED_WITHOUT_PUCT, f'{{name}}={{found!r}} needs selection="puct", not {params.selection!r}')
    if params.root == "gumbel":
        _require(params, NEEDED_BY_GUMBEL, 'root="gumbel" needs {name}={needed!r}, not {found!r}')
    if params.opponent == "random" and params.proofs:
        raise ValueError('opponent="random" forces nothing, so nothing can be proven: set proofs=False too')
    for name in ("probes", "book"):
        if getattr(params, name) and not params.proofs:
            raise ValueError(f"{name}=True needs proofs: set {name}=False too, or proofs=True")
    if params.max_bytes is not None and params.affordable_nodes() < 1:
        raise ValueError(f"max_bytes is too little for one node and the tables, {shown(params.max_bytes)}")
    win, _, loss = params.rewards
    if not (math.isfinite(params.settings().exploration) and math.isfinite(params.exploration / (win - loss))):
        raise ValueError(f"exploration is too large for the rewards, {params.exploration!r}")
    if math.isnan(params.settings().first_play):
        raise ValueError(f"rewards: win and loss are too close for numbers to tell apart, {params.rewards!r}")


def _require(params: "SearchParams", values: dict[str, Any], message: str) -> None:
    """ValueError with the message if a field has another value than here."""
    for name, needed in values.items():
        found = getattr(params, name)
        if found != needed:
            raise ValueError(message.format(name=name, needed=needed, found=found))
