"""SearchParams: how a search works; a class for each algorithm."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from functools import partial
from inspect import Signature, signature
from typing import Annotated, Any, ClassVar, Self

from .._layout import (
    CHOICES,
    ESTIMATE_BYTES,
    HALVING,
    MAX_BATCH,
    MAX_NODES,
    MAX_SIDE,
    NODE_BYTES,
    PROBE_TABLE_BITS,
    PUCT,
    RAW_VALUE_BYTES,
    ROLLOUTS,
    SELECTIONS,
    SHARED_NODE_BYTES,
    Settings,
)
from .._validation import an_instance, flag, not_negative, positive, refused, shown, whole_number, word
from .param_checks import (
    MAX_REWARD_UNITS,
    Choice,
    Opponent,
    PuctChoice,
    Rollout,
    Selection,
    TieBreak,
    above_0_to_1,
    alpha_and_fraction,
    draw_fraction,
    factor,
    factor_above_0,
    factor_from_1,
    finite,
    finite_from_0,
    from_to,
    number_or_inf,
    one_of,
    optional,
    three_rewards,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchParams(ABC):
    """How a search works: what all algorithms share. Make one of UctParams, PuctParams and GumbelParams, or a preset.

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

    algorithm: ClassVar[str]  # its name in JSON
    __signature__: ClassVar[Signature]
    needs_evaluator: ClassVar[bool]  # which takes the place of rollouts; see Engine

    # Fields of some algorithms, and what the others have in their place.
    opponent = "minimax"
    discount = 1.0
    probes = False
    book = False
    choice = "visits"
    temperature = 0.0
    keep_tree = False

    def __init_subclass__(cls) -> None:
        """Let help() show the fields and their types; __new__ takes them by name."""
        made = signature(cls.__init__)
        _, *shown_fields = made.parameters.values()
        shown_fields = [each.replace(annotation=each.annotation.__origin__) for each in shown_fields]
        cls.__signature__ = made.replace(parameters=shown_fields, return_annotation=Signature.empty)

    def __new__(cls, /, *_: object, **values: object) -> Self:
        if cls is SearchParams:
            kinds = "UctParams, PuctParams or GumbelParams"
            raise TypeError(f"SearchParams is what all parameters share: use {kinds}, or SearchParams.preset(name)")
        for name in values:
            if name not in _names(cls):
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
        return partial(type(self), **_values(self)), ()

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Self:
        """The parameters of that name (see presets.py), with changes. Raises as their class does."""
        from .presets import PRESETS  # made of these classes

        known = {name: params for name, params in PRESETS.items() if isinstance(params, cls)}
        return known[word("preset", name, tuple(known))].changed(**changes)

    def changed(self, /, **changes: Any) -> Self:
        """A copy with other values for some parameters. Raises as the class does."""
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """The algorithm and all parameters, ready for JSON: tuples as lists, infinity as the string "inf"."""
        listed = {name: list(value) if isinstance(value, tuple) else value for name, value in _values(self).items()}
        plain = {name: "inf" if value == math.inf else value for name, value in listed.items()}
        return {"algorithm": self.algorithm, **plain}

    @staticmethod
    def from_dict(values: dict[str, Any]) -> "SearchParams":
        """The parameters of which `to_dict` has made these values. What is left out has its default.

        Raises TypeError or ValueError as the classes do.
        """
        from .presets import ALGORITHMS  # made of these classes

        given = dict(an_instance("params", values, dict, "a dict"))
        kind = ALGORITHMS[word("algorithm", given.pop("algorithm", None), tuple(ALGORITHMS))]
        fields: dict[str, Any] = {name: math.inf if value == "inf" else value for name, value in given.items()}
        return kind(**fields)

    @abstractmethod
    def settings(self) -> Settings:
        """The parameters as the backends read them: in reward units, integers with a loss worth 0."""

    def _shared_settings(self) -> dict[str, Any]:
        """Those of all algorithms."""
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
        shown_values = {"algorithm": self.algorithm} | _values(self)
        return "\n".join(f"{name} = {value!r}" for name, value in shown_values.items())


@dataclass(frozen=True, kw_only=True, slots=True)
class UctParams(SearchParams):
    """UCT: a search by rollouts (Kocsis and Szepesvari 2006). The defaults are the preset "strong".

    selection: "ucb1" selects the child with the highest mean + c sqrt(ln N / n); "ucb1_tuned" explores less where
        results vary less (Auer, Cesa-Bianchi and Fischer 2002, sections 2 and 4).
    exploration: the factor c, with rewards as given; any finite number. UCB1-tuned was published with 1.
    first_play: value of a child without visits, on the scale of the rewards; infinite (the default) tries every child
        once before any is tried twice (Gelly and Wang 2006, first-play urgency).
    opponent: "minimax" selects for both players alike; "random" draws the moves of the root's opponent at random, so
        that values are those of play against a random player. Needs proofs=False, since nothing is forced then. A tree
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
        of the solver's nodes for a simulation. Needs proofs; does nothing on boards of more than 64 bits, width *
        (height + 1). Takes 4 MB; with several threads from 59 bits on twice as much with each bit, 256 MB on 8x7.
    book: mark positions that are in a book as proven, with the exact distance: the one of the package, which holds
        all positions on 7x6 with up to 8 discs, or that of the Engine. With fewer discs than that the search is over
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
    temperature: above 0, the move is drawn at random with chances in proportion to visits ** (1 / temperature), among
        the moves that no proof makes worse than others, by the search's own generator. 0: the move is that of `choice`.
    keep_tree: whether a search starts from what earlier ones know of the position. False: it starts a new tree; the
        random numbers continue.

    The other parameters are those of SearchParams.
    """

    selection: Annotated[Selection, one_of(Selection)] = "ucb1"
    exploration: Annotated[float, finite] = 1.0
    first_play: Annotated[float, number_or_inf] = math.inf
    opponent: Annotated[Opponent, one_of(Opponent)] = "minimax"
    discount: Annotated[float, above_0_to_1] = 1.0
    rollout: Annotated[Rollout, one_of(Rollout)] = "safe"
    probes: Annotated[bool, flag] = True
    book: Annotated[bool, flag] = False
    transpositions: Annotated[bool, flag] = True
    choice: Annotated[Choice, one_of(Choice)] = "visits"
    temperature: Annotated[float, not_negative] = 0.0
    keep_tree: Annotated[bool, flag] = True

    algorithm = "uct"
    needs_evaluator = False

    def _check(self) -> None:
        if self.opponent == "random" and self.proofs:
            raise ValueError('opponent="random" forces nothing, so nothing can be proven: set proofs=False too')
        for name in ("probes", "book"):
            if getattr(self, name) and not self.proofs:
                raise ValueError(f"{name}=True needs proofs: set {name}=False too, or proofs=True")
        SearchParams._check(self)
        settings = self.settings()
        if not math.isfinite(settings.exploration):
            raise ValueError(f"exploration is too large for the rewards, {self.exploration!r}")
        if math.isnan(settings.first_play):
            raise ValueError(f"rewards: win and loss are too close for numbers to tell apart, {self.rewards!r}")

    def settings(self) -> Settings:
        shared = self._shared_settings()
        win, _, loss = self.rewards
        scale = 1 if self.discount == 1 else MAX_REWARD_UNITS // shared["win"]  # finer, for parts of a reward
        shared |= {name: scale * shared[name] for name in ("win", "draw")}
        units = shared["win"] / (win - loss)
        return Settings(
            **shared,
            selection=SELECTIONS[self.selection],
            exploration=self.exploration * units,
            first_play=(self.first_play - loss) * units,
            random_opponent=self.opponent == "random",
            discount=self.discount,
            rollout=ROLLOUTS[self.rollout],
            probes=self.probes,
            transpositions=self.transpositions,
            short_wins=self.choice == "ucb_short_win",
            choice=CHOICES[self.choice],
            temperature=self.temperature,
        )

    def _memory(self) -> tuple[int, int]:
        table = 1 << PROBE_TABLE_BITS if self.probes else 0
        return table, SHARED_NODE_BYTES if self.transpositions else NODE_BYTES


@dataclass(frozen=True, kw_only=True, slots=True)
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
    batch_size: how many positions the evaluator gets at once, at most. It gets fewer while the tree is small, since a
        simulation can't continue below a position that waits for its evaluation.
    virtual_loss: as how many losses a simulation counts while it waits for its evaluation.
    choice: which move is played: "visits", "visits_only", "value" or "secure", as in UctParams.
    temperature, keep_tree: as in UctParams.

    The other parameters are those of SearchParams.
    """

    exploration: Annotated[float, finite] = 1.25
    exploration_base: Annotated[float | None, optional(factor_from_1)] = None
    first_play: Annotated[float, number_or_inf] = 0.0
    first_play_reduction: Annotated[float | None, optional(factor)] = None
    root_noise: Annotated[tuple[float, float] | None, optional(alpha_and_fraction)] = None
    root_policy_temperature: Annotated[float, factor_above_0] = 1.0
    forced_visits: Annotated[float, factor] = 0.0
    batch_size: Annotated[int, from_to(1, MAX_BATCH)] = 16
    virtual_loss: Annotated[float, finite_from_0] = 1.0
    choice: Annotated[PuctChoice, one_of(PuctChoice)] = "visits"
    temperature: Annotated[float, not_negative] = 0.0
    keep_tree: Annotated[bool, flag] = True

    algorithm = "puct"
    needs_evaluator = True

    def settings(self) -> Settings:
        return Settings(
            **self._shared_settings(),
            selection=PUCT,
            exploration=self.exploration,
            exploration_base=self.exploration_base or 0.0,
            first_play=self.first_play,
            from_parent=self.first_play_reduction is not None,
            reduction=self.first_play_reduction or 0.0,
            alpha=0.0 if self.root_noise is None else self.root_noise[0],
            noise=0.0 if self.root_noise is None else self.root_noise[1],
            root_temperature=self.root_policy_temperature,
            forced_visits=self.forced_visits,
            batch_size=self.batch_size,
            virtual_loss=self.virtual_loss,
            choice=CHOICES[self.choice],
            temperature=self.temperature,
        )

    def _memory(self) -> tuple[int, int]:
        return 0, NODE_BYTES + ESTIMATE_BYTES


@dataclass(frozen=True, kw_only=True, slots=True)
class GumbelParams(SearchParams):
    """Gumbel AlphaZero: a search with an evaluator that learns from few simulations. The defaults are those of mctx.

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

    The other parameters are those of SearchParams.
    """

    max_num_considered_actions: Annotated[int, positive] = 16
    gumbel_scale: Annotated[float, factor] = 1.0
    maxvisit_init: Annotated[float, factor] = 50.0
    value_scale: Annotated[float, factor] = 0.1
    batch_size: Annotated[int, from_to(1, MAX_BATCH)] = 16

    algorithm = "gumbel"
    needs_evaluator = True

    def settings(self) -> Settings:
        return Settings(
            **self._shared_settings(),
            selection=PUCT,
            gumbel=True,
            considered=min(self.max_num_considered_actions, MAX_SIDE),
            gumbel_scale=self.gumbel_scale,
            maxvisit_init=self.maxvisit_init,
            value_scale=self.value_scale,
            batch_size=self.batch_size,
            choice=HALVING,
        )

    def _memory(self) -> tuple[int, int]:
        return 0, NODE_BYTES + ESTIMATE_BYTES + RAW_VALUE_BYTES


def search_params(params: object, name: str = "params") -> SearchParams:
    """A validated copy, since fields can be set past __post_init__. TypeError, ValueError."""
    from .presets import PRESETS  # made of these classes

    if isinstance(params, str) and params in PRESETS:
        raise TypeError(f"{name} must be a SearchParams, not {params!r}: write SearchParams.preset({params!r})")
    if not isinstance(params, SearchParams):
        raise TypeError(refused(name, "a SearchParams", params))
    try:
        return type(params)(**_values(params))
    except AttributeError:
        raise TypeError(f"{name} must be a SearchParams, not an object without fields") from None


def uct_params(params: object, name: str = "params") -> UctParams:
    """As `search_params`, for searches without an evaluator. TypeError, ValueError."""
    found = search_params(params, name)
    if not isinstance(found, UctParams):
        raise ValueError(f"{name} must be UctParams, not {type(found).__name__}, which need an evaluator")
    return found


def _names(kind: type[Any]) -> list[str]:
    """The names of the fields of a class."""
    return [field.name for field in fields(kind)]


def _values(params: SearchParams) -> dict[str, Any]:
    """The values of all fields, by name."""
    return {name: getattr(params, name) for name in _names(type(params))}


def _unknown(kind: type[SearchParams], name: str) -> TypeError:
    """The error about a field that a class does not have."""
    from difflib import get_close_matches

    kinds: tuple[type[Any], ...] = (UctParams, PuctParams, GumbelParams)
    owners = [each.__name__ for each in kinds if name in _names(each)]
    if owners:
        return TypeError(f"{name} is a parameter of {' and '.join(owners)}, not of {kind.__name__}")
    nearest = get_close_matches(name, _names(kind), 1)
    hint = f"did you mean {nearest[0]}?" if nearest else f"the parameters are {', '.join(_names(kind))}"
    return TypeError(f"{kind.__name__} has no parameter {shown(name)}: {hint}")
