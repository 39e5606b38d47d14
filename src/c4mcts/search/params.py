"""SearchParams: how a search works."""

import math
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from .._layout import (
    ESTIMATE_BYTES,
    MAX_NODES,
    MAX_SIDE,
    NODE_BYTES,
    PROBE_TABLE_BITS,
    RAW_VALUE_BYTES,
    ROLLOUTS,
    SELECTIONS,
    SHARED_NODE_BYTES,
    Settings,
)
from .._validation import an_instance, shown, word
from ..board.planes import Planes
from .param_checks import (
    CHECKS,
    MAX_REWARD_UNITS,
    Backup,
    Choice,
    Expansion,
    FirstChild,
    Opponent,
    Rollout,
    Root,
    Selection,
    TieBreak,
    check_combinations,
    draw_fraction,
)


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchParams:
    """How a search selects, expands, rewards and chooses the move. The defaults are the preset "strong".

    selection: "uct" selects by UCB1, mean + c sqrt(ln N / n); "ucb1_tuned" by a rule that explores less where results
        vary less (Auer, Cesa-Bianchi and Fischer 2002, sections 2 and 4); "puct" by Q + c P sqrt(N) / (1 + n), where
        an evaluator gives the prior P and takes the place of rollouts (see Engine; Silver et al. 2017). The evaluator's
        values lie in [-1, 1], and Q, c and first_play are on that scale whatever the rewards. Needs probes=False,
        transpositions=False.
    exploration: the factor c, with rewards as given below; any finite number. UCB1-tuned was published with 1.
    exploration_base: None, or with "puct" a number b from 1 on: c grows with the visits N of a position, exploration +
        ln((1 + N + b) / b) (Silver et al. 2018, pseudocode; b is 19652 there).
    opponent: "minimax" selects for both players alike; "random" draws the moves of the root's opponent at random, so
        that values are those of play against a random player. Needs proofs=False, since nothing is forced then. A tree
        serves the player it was grown for: a search for the other player starts a new one.
    first_play: value of a child without visits, on the scale of the rewards; infinite (the default) tries every child
        once before any is tried twice (Gelly and Wang 2006, first-play urgency).
    first_play_reduction: None, or with "puct" a number r that takes the place of first_play: a child without visits has
        the value V - r sqrt(sum of the priors of its visited siblings), V the mean of their parent ("FPU reduction" in
        Leela Chess Zero and KataGo, there usually 0.2 to 0.4).
    expansion: a leaf gets its children when it is reached for the second time.
        "one": the root counts as reached, so each simulation, from the first on, adds one visited node to the tree.
        "all": the root, too, is first rolled out itself, as every other node is.
    rewards: (win, draw, loss) for the player who makes the move, win > loss; the draw lies between them, at a fraction
        with a denominator of at most 100. A draw that is worth less than the mean of the two makes both sides avoid it.
    discount: a result n plies after a node counts draw + (result - draw) * discount ** n there, so that near wins count
        more than far ones, and losses the other way round; above 0, and 1 for no discount. Needs rollouts. Rewards are
        then counted in hundredths, which limits a tree to 2**32 / 100 visits.
    rollout: "random" is uniform over the legal columns. "decisive" plays an immediate win and answers an immediate
        threat (Teytaud and Teytaud 2010). "safe" does that, and never puts a disc under a cell in which the opponent
        would then win, as long as there is a choice.
    proofs: back up exact results beside the means: wins, draws and losses that are certain, with the plies to the end.
        A move that can't be better than a proven one is not searched; a proven root ends the search (Winands,
        Bjornsson and Saito 2008; Cazenave and Saffidine 2010).
    probes: call the exact solver for a node whenever its visits reach a power of two, from 64 on. The solver may search
        about as many nodes as the node has visits (16 times as many for the children of the root), and its answer is
        kept as bounds. Once the root is proven, the rest of the limits goes into the exact scores of the columns: 16
        of the solver's nodes for a simulation. Needs proofs; does nothing on boards of more than 64 bits, width *
        (height + 1). Takes 4 MB, and from 59 bits on twice as much with each bit: 256 MB on 8x7.
    book: mark positions that are in a book as proven, with the exact distance: the one of the package, which holds
        all positions on 7x6 with up to 8 discs, or that of the Engine. With fewer discs than that the search is over
        at once. Has no effect on boards that the book is not for. Needs proofs, and no evaluator.
    transpositions: nodes that different orders of moves lead to share their children if they are the same position
        (Childs, Brodeur and Kocsis 2008).
    tie_break: among equal scores take the "first" column, or one at "random" from the search's own generator.
    backup: what the nodes above an evaluated one average: its "value", or each the new "mean" of the node below it.
    first_child: which child of an evaluated node is tried first: the "best" by its score, or "any", since all score the
        same until one of them has been backed up (proven losses apart): `tie_break` decides.
    prove_draws: whether proofs with an evaluator include draws, or wins and losses alone.
    choice: which move is played.
        "visits": the one with the most visits; of equals the one with the highest mean value.
        "visits_only": the one with the most visits; between equals `tie_break` decides, and nothing else.
        "value": the one with the highest mean value.
        "secure": the one with the highest lower confidence bound, mean - c sqrt(ln N / n) (Chaslot et al. 2008).
        "ucb_short_win": the one with the highest upper confidence bound, mean + c sqrt(ln N / n); of equals the one
        through which a simulation has won soonest.
        With proofs, they come before any `choice`: the fastest proven win is played; a proven loss is played only if
        all moves are, and then the slowest; a proven draw is preferred to a move of less value.
    checks: play an immediate win, and answer an immediate threat, whatever the search has found. False leaves that to
        the search: its proofs decide if there are any, else the `choice` alone. (A Game is not looked at for this.)
    temperature: above 0, the move is drawn at random with chances in proportion to visits ** (1 / temperature), among
        the moves that no proof makes worse than others, by the search's own generator. 0: the move is that of `choice`.
    batch_size: how many positions the evaluator gets at once, at most. It gets fewer while the tree is small, since a
        simulation can't go on below a position that waits for its evaluation.
    virtual_loss: as how many losses a simulation counts while it waits for its evaluation.
    root_noise: (alpha, fraction): the priors of the root's children are mixed with this fraction of a sample from a
        symmetric Dirichlet distribution, a new one for each root, so that games differ (Silver et al. 2017). None: no
        noise.
    root_policy_temperature: the priors P of the root's children are replaced by shares in proportion to
        P ** (1 / temperature) before the noise: above 1 they become more equal (Wu 2019, KataGo's documentation).
    forced_visits: k, above 0: a child of the root that has a visit is searched until it has sqrt(k P N) visits, N those
        of all children. In the policy the visits that the scores alone would not have given are taken off again:
        forced playouts and policy target pruning (Wu, "Accelerating self-play learning in Go", 2019, section 3.2,
        where k is 2).
    root: what a search with an evaluator does at its root, and what its policy is. "puct": as below the root.
        "gumbel": Gumbel AlphaZero, as in mctx.gumbel_muzero_policy (Danihelka et al., "Policy improvement by planning
        with Gumbel", 2022). Sequential halving divides the simulations of the search, which needs a limit in
        simulations, among the moves with the highest g + ln P, where g is drawn from a Gumbel distribution. The most
        visited move with the highest g + ln P + sigma(Q) is played. The policy is proportional to P exp(sigma(Q)), and
        below the root moves are selected so that their visits approach that policy; exploration, first_play and
        virtual_loss are not used. Needs keep_tree=False.
    max_num_considered_actions: how many moves of the root sequential halving starts with, at most.
    gumbel_scale: factor of g. 1, as published, makes the moves random; 0, for play, leaves g out.
    maxvisit_init, value_scale: in sigma(Q) = (maxvisit_init + most visits of a child) * value_scale * Q, where the Q of
        the children are stretched to 0 .. 1. (The paper names them c_visit and c_scale.)
    planes: what the evaluator sees: "binary", two planes of 0 and 1, or "signed", one of 1, 0 and -1 (see Engine).
    keep_tree: whether a search starts from what earlier ones know of the position. False: it starts a new tree; the
        random numbers go on.
    max_nodes: size of the node pool, 16 bytes a node in the native backend (20 for a moment, when a tree moves to a new
        root). A full pool is not an error: the search goes on without expanding. With less than 1 + columns no move
        can be tried: the search then plays an immediate win, an answer to a threat, or the first legal column.
    max_bytes: limits the pool by the memory of the native backend, tables included; the smaller of the two limits
        holds. On 7x6 a node takes about 42 bytes, 20 without transpositions, beside the 4 MB of the probes. What the
        probes take beyond 4 MB on boards of 59 bits or more is not counted. None: no such limit.

    Raises TypeError or ValueError, naming the field and the value.
    """

    selection: Selection = "uct"
    exploration: float = 1.0
    exploration_base: float | None = None
    opponent: Opponent = "minimax"
    first_play: float = math.inf
    first_play_reduction: float | None = None
    expansion: Expansion = "one"
    rewards: tuple[float, float, float] = (1.0, 0.5, 0.0)
    discount: float = 1.0
    rollout: Rollout = "safe"
    proofs: bool = True
    probes: bool = True
    book: bool = False
    transpositions: bool = True
    tie_break: TieBreak = "first"
    backup: Backup = "value"
    first_child: FirstChild = "best"
    prove_draws: bool = True
    choice: Choice = "visits"
    checks: bool = True
    temperature: float = 0.0
    batch_size: int = 1
    virtual_loss: float = 1.0
    root_noise: tuple[float, float] | None = None
    root_policy_temperature: float = 1.0
    forced_visits: float = 0.0
    root: Root = "puct"
    max_num_considered_actions: int = 16
    gumbel_scale: float = 1.0
    maxvisit_init: float = 50.0
    value_scale: float = 0.1
    planes: Planes = "binary"
    keep_tree: bool = True
    max_nodes: int = 1 << 26
    max_bytes: int | None = None

    def __post_init__(self) -> None:
        for name, check in CHECKS.items():
            object.__setattr__(self, name, check(name, getattr(self, name)))  # the way to normalise a frozen dataclass
        check_combinations(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy through the constructor, which validates."""
        return partial(type(self), **{field.name: getattr(self, field.name) for field in fields(self)}), ()

    @classmethod
    def preset(cls, name: str, **changes: Any) -> "SearchParams":
        """The parameters of that name (see presets.py), with changes. Raises as the class does."""
        from .presets import PRESETS  # made of this class

        return PRESETS[word("preset", name, tuple(PRESETS))].changed(**changes)

    def changed(self, /, **changes: Any) -> "SearchParams":
        """A copy with other values for some parameters. Raises as the class does."""
        names = [field.name for field in fields(self)]
        for name in changes:
            if name not in names:
                raise TypeError(f"there is no parameter {shown(name)}; the parameters are {', '.join(names)}")
        return replace(self, **changes)

    def to_dict(self) -> dict[str, Any]:
        """All parameters, ready for JSON: tuples as lists, infinity as the string "inf"."""
        found = {field.name: getattr(self, field.name) for field in fields(self)}
        listed = {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}
        return {name: "inf" if value == math.inf else value for name, value in listed.items()}

    def settings(self) -> Settings:
        """The parameters as the backends read them: in reward units, integers with a loss worth 0."""
        win, _, loss = self.rewards
        draw, whole = draw_fraction(self.rewards)
        scale = 1 if self.discount == 1 else MAX_REWARD_UNITS // whole  # finer, for parts of a reward
        units = scale * whole / (win - loss)
        puct = self.selection == "puct"
        return Settings(
            selection=SELECTIONS[self.selection],
            random_opponent=self.opponent == "random",
            win=scale * whole,
            draw=scale * draw,
            discount=self.discount,
            exploration=self.exploration if puct else self.exploration * units,
            first_play=self.first_play if puct else (self.first_play - loss) * units,
            random_ties=self.tie_break == "random",
            roll_root=self.expansion == "all",
            rollout=ROLLOUTS[self.rollout],
            proofs=self.proofs,
            probes=self.probes,
            transpositions=self.transpositions,
            prove_draws=self.prove_draws,
            mean_backup=self.backup == "mean",
            equal_start=self.first_child == "any",
            short_wins=self.choice == "ucb_short_win",
            max_nodes=min(self.max_nodes, self.affordable_nodes()),
            virtual_loss=self.virtual_loss,
            exploration_base=0.0 if self.exploration_base is None else self.exploration_base,
            from_parent=self.first_play_reduction is not None,
            reduction=self.first_play_reduction or 0.0,
            noise=0.0 if self.root_noise is None else self.root_noise[1],
            root_temperature=self.root_policy_temperature,
            forced_visits=self.forced_visits,
            gumbel=self.root == "gumbel",
            considered=min(self.max_num_considered_actions, MAX_SIDE),
            gumbel_scale=self.gumbel_scale,
            maxvisit_init=self.maxvisit_init,
            value_scale=self.value_scale,
            batch_size=self.batch_size,
            signed_planes=self.planes == "signed",
            threads=1,
        )

    def affordable_nodes(self) -> int:
        """How many nodes max_bytes allows."""
        if self.max_bytes is None:
            return MAX_NODES
        table = 1 << PROBE_TABLE_BITS if self.probes else 0
        node = SHARED_NODE_BYTES if self.transpositions else NODE_BYTES
        if self.selection == "puct":
            node += ESTIMATE_BYTES + (RAW_VALUE_BYTES if self.root == "gumbel" else 0)
        return (self.max_bytes - table) // node

    def __str__(self) -> str:
        """One line a field."""
        return "\n".join(f"{field.name} = {getattr(self, field.name)!r}" for field in fields(self))


def search_params(params: object, name: str = "params") -> SearchParams:
    """A validated copy, since fields can be set past __post_init__. TypeError, ValueError."""
    from .presets import PRESETS  # made of this class

    if isinstance(params, str) and params in PRESETS:
        raise TypeError(f"{name} must be a SearchParams, not {params!r}: write SearchParams.preset({params!r})")
    given = an_instance(name, params, SearchParams, "a SearchParams")
    try:
        return SearchParams(**{field.name: getattr(given, field.name) for field in fields(SearchParams)})
    except AttributeError:
        raise TypeError(f"{name} must be a SearchParams, not an object without fields") from None
