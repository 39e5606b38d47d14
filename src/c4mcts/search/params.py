"""How a search works: a class of parameters for each algorithm, and presets of them by name.

https://github.com/c4mcts/c4mcts/blob/main/docs/prior_systems/presets.md compares the presets of five earlier systems
with their sources.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from typing import Any, ClassVar, Literal, Self

import numpy as np

from .. import _layout
from .._hints import instead, with_hints
from .._validation import an_instance, brief, flag, must_be, not_negative, positive, whole_number, word
from .validators import (
    LARGEST,
    MAX_REWARD_UNITS,
    Validator,
    above_0_to,
    alpha_and_fraction,
    draw_fraction,
    factor,
    factor_from_1,
    finite,
    finite_from_0,
    from_to,
    number_or_inf,
    one_of,
    optional,
    rule_of,
    three_rewards,
    validate,
    validated,
)

Selection = Literal["ucb1", "ucb1_tuned"]
Opponent = Literal["minimax", "random"]
Rollout = Literal["random", "decisive", "safe"]
TieBreak = Literal["first", "random"]
UctTieBreak = Literal[TieBreak, "last_added"]
PuctChoice = Literal["visits", "visits_only", "value", "secure"]
Choice = Literal[PuctChoice, "ucb_short_win"]

_EVALUATED_NODE = np.dtype(_layout.NODE_FIELDS + _layout.ESTIMATE_FIELDS[::-1])  # the prior before the value


@dataclass(frozen=True, kw_only=True)
class SearchParams:
    """The parameters that all algorithms share. Make one of UctParams, PuctParams, GumbelParams and
    NetworkParams, or a preset.

    rewards: (win, draw, loss) for the player who makes the move, win > loss; the draw lies between them, at a fraction
        with a denominator of at most 100. A draw that is worth less than the mean of the two makes both sides avoid it.
    proofs: back up exact results along with the means: certain wins, draws and losses, with the plies to the end.
        A move that can't be better than a proven one is not searched; a proven root ends the search (Winands,
        Bjornsson and Saito 2008; Cazenave and Saffidine 2010).
    checks: play an immediate win, and answer an immediate threat, whatever the search has found. False leaves
        that to the search: its proofs decide if there are any, else the `choice` alone. (Not for a Game.)
    tie_break: among equal scores take the "first" column, or one at "random" from the search's own generator.
    max_nodes: size of the node pool, 16 bytes per node in the native backend (20 for a moment, when a tree moves to a
        new root). A full pool is not an error: the search continues without expanding. With less than 1 + columns no
        move can be tried: the search then plays an immediate win, an answer to a threat, or the first legal column.
    max_bytes: limits the pool by the memory of the native backend, tables included; the smaller of the two limits
        holds. On 7x6 a node takes about 42 bytes, 20 without transpositions, and the probes take 4 MB; what they take
        beyond that, with several threads on boards of 59 bits or more, is not counted. None: no such limit.
    """

    rewards: tuple[float, float, float] = validated((1.0, 0.5, 0.0), three_rewards)
    proofs: bool = validated(True, flag)
    checks: bool = validated(True, flag)
    tie_break: UctTieBreak = validated("first", one_of(TieBreak))
    max_nodes: int = validated(1 << 26, from_to(1, _layout.MAX_NODES))
    max_bytes: int | None = validated(None, optional(whole_number))

    algorithm: ClassVar[str]  # its name in JSON
    needs_evaluator: ClassVar[bool]  # which takes the place of rollouts; see Engine
    node_type: ClassVar[np.dtype[np.void]]  # of the rows of Engine.tree
    more_bytes: ClassVar[int] = 0  # that a node takes, with an evaluation
    has_hundredths: ClassVar[bool] = False  # whether rewards count in hundredths, for values between the three

    # Fields that only some algorithms have, and what they are for the others.
    opponent = "minimax"
    discount = 1.0
    probes = False
    book = False
    transpositions = False
    choice = "visits"
    temperature = 0.0
    keep_tree = False

    def __post_init__(self) -> None:
        if type(self) is SearchParams:
            kinds = "UctParams, PuctParams, GumbelParams or NetworkParams"
            raise TypeError(f"SearchParams is their common base: use {kinds}, or SearchParams.preset(name)")
        validate(self)
        if self._affordable_nodes() < 1:
            raise ValueError(f"max_bytes is too small for one node and the tables, {brief(self.max_bytes)}")
        self._check_together()

    def _check_together(self) -> None:
        """Raise ValueError for fields that contradict each other."""

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Self:
        """The parameters of that name (see c4mcts.presets), with changes. Raises as their class does."""
        params = PRESETS[word("preset", name, tuple(PRESETS))]
        if not isinstance(params, cls):
            raise ValueError(f"preset {name!r} is {type(params).__name__}, not {cls.__name__}")
        return params.changed(**changes) if changes else params

    def changed(self, /, **changes: Any) -> Self:
        """A copy with other values for some parameters. Raises as the class does."""
        _check_names(type(self), changes)
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """The algorithm and all parameters, ready for JSON: tuples as lists, infinity as the string "inf"."""
        listed = {name: list(value) if isinstance(value, tuple) else value for name, value in self._values().items()}
        plain = {name: "inf" if value == math.inf else value for name, value in listed.items()}
        return {"algorithm": self.algorithm, **plain}

    @staticmethod
    def from_dict(values: dict[str, Any]) -> "SearchParams":
        """The parameters of which `to_dict` has made these values. Those left out have their defaults."""
        rest = dict(an_instance("params", values, dict, "a dict"))
        kind = ALGORITHMS[word("algorithm", rest.pop("algorithm", None), tuple(ALGORITHMS))]
        _check_names(kind, rest)
        values = {name: math.inf if value == "inf" else value for name, value in rest.items()}
        return kind(**values)

    @cached_property
    def settings(self) -> _layout.Settings:
        """The parameters as the backends read them: in reward units, integers with a loss worth 0."""
        draw, win = draw_fraction(self.rewards)
        scale = MAX_REWARD_UNITS // win if self.has_hundredths or self.discount != 1 else 1
        same = {name: getattr(self, name) for name in _layout.Settings._fields if hasattr(self, name)}
        shared = {
            "win": scale * win,
            "draw": scale * draw,
            "ties": _layout.TIES[self.tie_break],
            "max_nodes": min(self.max_nodes, self._affordable_nodes()),
            "choice": _layout.CHOICES[self.choice],
        }
        named: dict[str, Any] = {name: 0 if value is None else value for name, value in same.items()}
        return _layout.Settings(**named | shared | self._own_settings(scale * win))

    def _own_settings(self, win: int) -> dict[str, Any]:
        """The settings that are not parameters of the same name. win: reward units of a win."""
        raise NotImplementedError

    @classmethod
    @cache
    def _validators(cls) -> dict[str, Validator]:
        return {each.name: each.metadata["validator"] for each in fields(cls)}

    def _values(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self._validators()}

    def _affordable_nodes(self) -> int:
        if self.max_bytes is None:
            return _layout.MAX_NODES
        table = 1 << _layout.PROBE_TABLE_BITS if self.probes else 0
        node = _layout.SHARED_NODE_BYTES if self.transpositions else _layout.NODE_BYTES
        return (self.max_bytes - table) // (node + self.more_bytes)

    def __str__(self) -> str:
        shown_values = {"algorithm": self.algorithm} | self._values()
        return "\n".join(f"{name} = {value!r}" for name, value in shown_values.items())


def _check_names(kind: type[SearchParams], names: Iterable[str]) -> None:
    """TypeError for a name that is not one of this algorithm's parameters: what it may mean."""
    for name in names:
        if name in kind._validators():
            continue
        kinds = (UctParams, PuctParams, GumbelParams, NetworkParams)
        owners = [each.__name__ for each in kinds if name in each._validators()]
        if owners:
            *others, last = owners
            listed = f"{', '.join(others)} and {last}" if others else last
            raise TypeError(f"{name} is a parameter of {listed}, not of {kind.__name__}")
        advice = instead(name, kind._validators(), "parameters")
        raise TypeError(f"{kind.__name__} has no parameter {brief(name)}{advice}")


@dataclass(frozen=True, kw_only=True)
class _CoreParams(SearchParams):
    """Parameters of the searches without an evaluator; UctParams explains them."""

    probes: bool = validated(True, flag)
    book: bool = validated(False, flag)
    transpositions: bool = validated(True, flag)
    choice: Choice = validated("visits", one_of(PuctChoice))
    temperature: float = validated(0.0, not_negative)
    keep_tree: bool = validated(True, flag)

    needs_evaluator = False

    def _check_together(self) -> None:
        for name in ("probes", "book"):
            if getattr(self, name) and not self.proofs:
                raise ValueError(f"{name}=True needs proofs: set {name}=False too, or proofs=True")


@dataclass(frozen=True, kw_only=True)
class UctParams(_CoreParams):
    """UCT: a search by rollouts (Kocsis and Szepesvari 2006). The defaults are the preset "strong".

    selection: "ucb1" selects the child with the highest mean + c sqrt(ln N / n); "ucb1_tuned" explores less where
        results vary less (Auer, Cesa-Bianchi and Fischer 2002, sections 2 and 4).
    exploration: the factor c, with rewards as given; any finite number. UCB1-tuned was published with 1.
    first_play: value of a child without visits, on the scale of the rewards; infinite (the default) tries every child
        once before any is tried twice (Gelly and Wang 2006, first-play urgency).
    opponent: "minimax" selects for both players alike; "random" draws the moves of the root's opponent at random, so
        that values are for play against a random player. Needs proofs=False, since nothing is forced then. A tree
        serves the player it was grown for: a search for the other player starts a new one.
    discount: a result n plies after a node counts draw + (result - draw) * discount ** n there, so that near wins count
        more than far ones, and losses the other way round; above 0, and 1 for no discount. Rewards are then counted in
        hundredths, which limits a tree to 2**32 / 100 visits.
    rollout: "random" is uniform over the legal columns. "decisive" plays an immediate win and answers an immediate
        threat (Teytaud and Teytaud 2010). "safe" does that, and never puts a disc under a cell in which the opponent
        would then win, as long as there is a choice.
    probes: call the exact solver for a node whenever its visits reach a power of two, from 64 on. The solver may search
        about as many nodes as the node has visits (16 times as many for the children of the root), and its answer is
        kept as bounds. Once the root is proven, the rest of the limits goes into the exact scores of the columns: 16
        of the solver's nodes for a simulation. On boards of more than 64 bits, width * (height + 1), all but the first
        call for a node wait until few cells are empty. Needs proofs; does nothing on boards of more than 128 bits.
        Takes 4 MB.
    book: mark positions that are in a book as proven, with the exact distance: the one of the package, which holds
        all positions on 7x6 with up to 12 discs, or the Engine's. With fewer discs than that the search is over
        at once. Has no effect on boards that the book is not for. Needs proofs.
    transpositions: nodes that different orders of moves lead to share their children if they are the same position
        (Childs, Brodeur and Kocsis 2008).
    choice: which move is played.
        "visits": the one with the most visits; of equals the one with the highest mean value.
        "visits_only": the one with the most visits; between equals `tie_break` decides, and nothing else.
        "value": the one with the highest mean value.
        "secure": the one with the highest lower confidence bound, mean - c sqrt(ln N / n) (Chaslot et al. 2008).
        "ucb_short_win": the one with the highest upper confidence bound, mean + c sqrt(ln N / n); of equals the one
        through which a simulation has won soonest.
        With proofs, they come before any `choice`: the fastest proven win is played; a proven loss is played only if
        all moves are, and then the slowest; a proven draw is preferred to a move of less value.
    tie_break: also "last_added": among equal scores, and equal values of the `choice`, the child that was visited first
        latest, while children without visits are tried in a random order. Needs an infinite first_play. A tree serves
        the position it was grown for: a search of a later one starts a new tree.
    temperature: above 0, the move is drawn at random with chances in proportion to visits ** (1 / temperature), among
        the moves that no proof makes worse than others, by the search's own generator. 0: `choice` decides.
    keep_tree: whether a search starts from what earlier ones know of the position. False: it starts a new tree; the
        random numbers continue.

    For the other parameters see SearchParams.
    """

    selection: Selection = validated("ucb1", rule_of(Selection))
    exploration: float = validated(1.0, finite)
    first_play: float = validated(math.inf, number_or_inf)
    opponent: Opponent = validated("minimax", one_of(Opponent))
    discount: float = validated(1.0, above_0_to(1))
    rollout: Rollout = validated("safe", rule_of(Rollout))
    choice: Choice = validated("visits", one_of(Choice))
    tie_break: UctTieBreak = validated("first", one_of(UctTieBreak))

    algorithm = "uct"
    node_type = np.dtype(_layout.NODE_FIELDS)

    def _check_together(self) -> None:
        if self.opponent == "random" and self.proofs:
            raise ValueError('opponent="random" forces nothing, so nothing can be proven: set proofs=False too')
        super()._check_together()
        if self.tie_break == "last_added" and self.first_play < math.inf:
            raise ValueError(f'tie_break="last_added" needs first_play=inf, not {self.first_play!r}')
        if not math.isfinite(self.settings.exploration):
            raise ValueError(f"exploration is too large for the rewards, {self.exploration!r}")
        if math.isnan(self.settings.first_play):
            raise ValueError(f"rewards: win and loss are too close for numbers to tell apart, {self.rewards!r}")

    def _own_settings(self, win: int) -> dict[str, Any]:
        units = win / (self.rewards[0] - self.rewards[2])
        return {
            "selection": _layout.SELECTIONS[self.selection],
            "exploration": self.exploration * units,
            "first_play": (self.first_play - self.rewards[2]) * units,
            "random_opponent": self.opponent == "random",
            "rollout": _layout.ROLLOUTS[self.rollout],
            "short_wins": self.choice == "ucb_short_win",
        }


@dataclass(frozen=True, kw_only=True)
class PuctParams(SearchParams):
    """PUCT: a search with an evaluator, as in AlphaZero (Silver et al. 2017). The preset "alphazero" adds noise.

    The child with the highest Q + c P sqrt(N) / (1 + n) is selected, where the evaluator gives the prior P and takes
    the place of rollouts (see Engine). Its values lie in [-1, 1], and Q, c and first_play are on that scale for all
    rewards.

    exploration: the factor c, any finite number.
    exploration_base: None, or a number b from 1 on: c grows with the visits N of a position, exploration + ln((1 + N +
        b) / b) (Silver et al. 2018, pseudocode; b is 19652 there).
    first_play: value of a child without visits; infinite values try every child once before any is tried twice.
    first_play_reduction: None, or a number r that takes the place of first_play: a child without visits has the value
        V - r sqrt(sum of the priors of its visited siblings), V the mean of their parent ("FPU reduction" in Leela
        Chess Zero and KataGo, there usually 0.2 to 0.4).
    root_noise: (alpha, fraction): the priors of the root's children are mixed with this fraction of a sample from a
        symmetric Dirichlet distribution, a new one for each root, so that games differ (Silver et al. 2017). None: no
        noise.
    root_policy_temperature: the priors P of the root's children are replaced by shares in proportion to
        P ** (1 / temperature) before the noise: above 1 they become more equal (Wu 2019, KataGo's documentation).
    forced_visits: k, above 0: a child of the root that has a visit is searched until it has sqrt(k P N) visits, N those
        of all children. In the policy the visits that the scores alone would not have given are taken off again:
        forced playouts and policy target pruning (Wu, "Accelerating self-play learning in Go", 2019, section 3.2,
        where k is 2).
    batch_size: how many positions the evaluator gets at once, at most; it gets fewer while the tree is small, since a
        simulation can't continue below a position that waits for its evaluation. None: one, and one more for each 32
        visits of the root, up to 64, so that a search of up to 32 simulations is sequential, and later at most one
        visit in 16 waits at a time. 1: each simulation knows the results of all earlier ones, as published.
    virtual_loss: as how many losses a simulation counts while it waits for its evaluation.
    choice: which move is played: "visits", "visits_only", "value" or "secure", as in UctParams. But for "visits_only",
        the prior decides between moves without visits: the search may have one simulation.
    temperature, keep_tree: as in UctParams.

    For the other parameters see SearchParams.
    """

    exploration: float = validated(1.25, finite)
    exploration_base: float | None = validated(None, optional(factor_from_1))
    first_play: float = validated(0.0, number_or_inf)
    first_play_reduction: float | None = validated(None, optional(factor))
    root_noise: tuple[float, float] | None = validated(None, optional(alpha_and_fraction))
    root_policy_temperature: float = validated(1.0, above_0_to(LARGEST))
    forced_visits: float = validated(0.0, factor)
    batch_size: int | None = validated(None, optional(from_to(1, _layout.MAX_BATCH)))
    virtual_loss: float = validated(1.0, finite_from_0)
    choice: PuctChoice = validated("visits", one_of(PuctChoice))
    temperature: float = validated(0.0, not_negative)
    keep_tree: bool = validated(True, flag)

    algorithm = "puct"
    needs_evaluator = True
    node_type = _EVALUATED_NODE
    more_bytes = _layout.ESTIMATE_BYTES

    def _own_settings(self, win: int) -> dict[str, Any]:
        alpha, noise = self.root_noise or (0.0, 0.0)
        return {
            "selection": _layout.PUCT,
            "from_parent": self.first_play_reduction is not None,
            "reduction": self.first_play_reduction or 0.0,
            "alpha": alpha,
            "noise": noise,
            "root_temperature": self.root_policy_temperature,
        }


@dataclass(frozen=True, kw_only=True)
class GumbelParams(SearchParams):
    """Gumbel AlphaZero: a search with an evaluator that learns from few simulations. The defaults are mctx's.

    As mctx.gumbel_muzero_policy (Danihelka et al., "Policy improvement by planning with Gumbel", 2022): sequential
    halving divides the simulations of the search, which needs a limit in simulations, among the moves with the highest
    g + ln P, where the evaluator gives the prior P and g is drawn from a Gumbel distribution. The most visited move
    with the highest g + ln P + sigma(Q) is played. The policy is proportional to P exp(sigma(Q)), and below the root
    moves are selected so that their visits approach that policy. Each search starts a new tree.

    max_num_considered_actions: how many moves of the root sequential halving starts with, at most.
    gumbel_scale: factor of g. 1, as published, makes the moves random; 0, for play, leaves g out.
    maxvisit_init, value_scale: in sigma(Q) = (maxvisit_init + most visits of a child) * value_scale * Q, where the Q of
        the children are stretched to 0 .. 1. (The paper names them c_visit and c_scale.)
    batch_size: how many positions the evaluator gets at once, at most, as in PuctParams.

    For the other parameters see SearchParams.
    """

    max_num_considered_actions: int = validated(16, positive)
    gumbel_scale: float = validated(1.0, factor)
    maxvisit_init: float = validated(50.0, factor)
    value_scale: float = validated(0.1, factor)
    batch_size: int | None = validated(None, optional(from_to(1, _layout.MAX_BATCH)))

    algorithm = "gumbel"
    needs_evaluator = True
    node_type = _EVALUATED_NODE
    more_bytes = _layout.ESTIMATE_BYTES + _layout.RAW_VALUE_BYTES

    def _own_settings(self, win: int) -> dict[str, Any]:
        considered = min(self.max_num_considered_actions, _layout.MAX_SIDE)
        return {"selection": _layout.PUCT, "choice": _layout.HALVING, "gumbel": True, "considered": considered}


@dataclass(frozen=True, kw_only=True)
class NetworkParams(_CoreParams):
    """PUCT with a network in the core instead of rollouts, as in AlphaZero; nothing is drawn at random.

    The network is the package's or another PolicyValueNetwork (see Engine); it is for four in a row, diagonals
    included, on boards of every size. The child with the highest Q + c P sqrt(N) / (1 + n) is selected, as
    with PuctParams.

    exploration: the factor c, on the scale of values in [-1, 1].
    first_play_reduction: r. A child without visits has the value V - r sqrt(sum of the priors of its visited siblings),
        V their mean.
    probes, book, transpositions, choice, temperature, keep_tree: as in UctParams; choice without "ucb_short_win".

    For the other parameters see SearchParams. Rewards are counted in hundredths, which limits a tree to 2**32 /
    100 visits. A node takes 32 bytes.
    """

    exploration: float = validated(1.25, finite)
    first_play_reduction: float = validated(0.2, factor)

    algorithm = "network"
    node_type = np.dtype([*_layout.NODE_FIELDS, _layout.ESTIMATE_FIELDS[1]])  # with its prior; its mean is in value_sum
    more_bytes = _layout.ESTIMATE_BYTES
    has_hundredths = True

    def _own_settings(self, win: int) -> dict[str, Any]:
        units = win / 2  # of 1 on the scale [-1, 1]
        factors = {"exploration": self.exploration * units, "reduction": self.first_play_reduction * units}
        return {"selection": _layout.PUCT, "rollout": _layout.NETWORK, **factors}


class UctTimedParams(UctParams):
    """UCT in which the root is first rolled out itself, as every other node is, before it gets its children."""

    algorithm = "uct-timed"

    def _own_settings(self, win: int) -> dict[str, Any]:
        return super()._own_settings(win) | {"roll_root": True}


class PuctNodeParams(PuctParams):
    """PUCT with other planes, backups and proofs.

    - The evaluator gets one plane with 1 for the player to move and -1 for the other, of shape (B, height, width, 1).
    - A node averages in the new mean of its child, and not the value of the leaf.
    - All children of a node score the same until one of them has been backed up (proven losses apart), so that
      `tie_break` decides which is tried first.
    - Wins and losses are proven, but not draws.
    """

    algorithm = "puct-node"

    def _own_settings(self, win: int) -> dict[str, Any]:
        own = {"signed_planes": True, "mean_backup": True, "equal_start": True, "prove_draws": False}
        return super()._own_settings(win) | own


ALGORITHMS: dict[str, type[SearchParams]] = {
    kind.algorithm: kind
    for kind in (UctParams, PuctParams, GumbelParams, NetworkParams, UctTimedParams, PuctNodeParams)
}
for _kind in (UctParams, PuctParams, GumbelParams, NetworkParams):
    _kind.__init__ = with_hints(_kind.__init__)  # type: ignore[method-assign]

_PLAIN = UctParams(exploration=math.sqrt(2), rollout="random", proofs=False, probes=False, transpositions=False)
_BARE: dict[str, Any] = {"tie_break": "random", "choice": "visits_only", "checks": False}  # as published
_REPORT = _PLAIN.changed(**_BARE, rewards=(1, 0, -1), transpositions=True)
_NOTEBOOK: dict[str, Any] = {**_BARE, "choice": "value", "tie_break": "last_added", "keep_tree": False}

PRESETS: dict[str, SearchParams] = {
    "strong": UctParams(),  # all that helps: effectively perfect play on 7 x 6 (docs/guide/strength.md)
    "uct": _PLAIN,  # as in the textbooks: the teaching baseline
    "perfect": UctParams(book=True),  # "strong" with the book
    "network": NetworkParams(),  # PUCT with the network of the package
    # Earlier systems:
    "uct-timed": UctTimedParams(**_PLAIN._values() | _BARE | {"rewards": (1, 0, 0)}),
    "report-minimax": _REPORT,
    "report-random": _REPORT.changed(opponent="random"),
    "notebook-uct": _PLAIN.changed(**_NOTEBOOK, rewards=(1, 0, 0)),
    "puct-node": PuctNodeParams(**_BARE, exploration=1, rewards=(1, 0, -1), batch_size=1),
    "no-diagonals": _PLAIN.changed(tie_break="random", choice="ucb_short_win", keep_tree=False, rewards=(2, 1, 0)),
    # For other networks: PUCT as in Silver et al. 2018, with c = 1.25 and noise of 10 / (number of columns).
    "alphazero": PuctParams(rewards=(1, 0, -1), root_noise=(1.4, 0.25)),
    # The same for Gumbel AlphaZero (Danihelka et al. 2022).
    "gumbel": GumbelParams(rewards=(1, 0, -1)),
}


def presets() -> list[str]:
    """The names that SearchParams.preset and Engine(preset=...) take. What each of them is:
    https://github.com/c4mcts/c4mcts/blob/main/docs/prior_systems/presets.md
    """
    return list(PRESETS)


def search_params(params: object, name: str = "params") -> SearchParams:
    """The parameters of any search, checked. TypeError."""
    if isinstance(params, SearchParams):
        return params
    advice = f": write SearchParams.preset({brief(params)})" if isinstance(params, str) else ""
    raise TypeError(must_be(name, "a SearchParams", params) + advice)


def uct_params(params: object, name: str = "params") -> UctParams:
    """The parameters, checked, of a search by rollouts. TypeError, ValueError."""
    result = search_params(params, name)
    if not isinstance(result, UctParams):
        why = "need an evaluator" if result.needs_evaluator else "have no rollouts"
        raise ValueError(f"{name} must be UctParams, not {type(result).__name__}, which {why}")
    return result
