"""SearchParams: how a search works, and the named presets."""

import math
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any, Literal, get_args

from .._layout import (
    ESTIMATE_BYTES,
    MAX_BATCH,
    MAX_NODES,
    NODE_BYTES,
    PROBE_TABLE_BITS,
    ROLLOUTS,
    SELECTIONS,
    SHARED_NODE_BYTES,
    Settings,
)
from .._validation import (
    an_instance,
    between,
    flag,
    not_negative,
    numbers,
    real_number,
    refused,
    shown,
    whole_number,
    word,
)
from ..board.planes import Planes

Selection = Literal["uct", "ucb1_tuned", "puct"]
Opponent = Literal["minimax", "random"]
Expansion = Literal["one", "all"]
Rollout = Literal["random", "decisive", "safe"]
TieBreak = Literal["first", "random"]
Backup = Literal["value", "mean"]
FirstChild = Literal["best", "any"]
Choice = Literal["visits", "visits_only", "value", "secure", "ucb_short_win"]

ALLOWED = {  # the values of the fields that take one of a few strings
    "selection": get_args(Selection),
    "opponent": get_args(Opponent),
    "expansion": get_args(Expansion),
    "rollout": get_args(Rollout),
    "tie_break": get_args(TieBreak),
    "backup": get_args(Backup),
    "first_child": get_args(FirstChild),
    "choice": get_args(Choice),
    "planes": get_args(Planes),
}
MAX_REWARD_UNITS = 100


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchParams:
    """How a search selects, expands, rewards and chooses the move. The defaults are the preset "strong".

    selection: "uct" selects by UCB1, mean + c sqrt(ln N / n); "ucb1_tuned" by a rule that explores less where results
        vary less (Auer, Cesa-Bianchi and Fischer 2002, sections 2 and 4); "puct" by Q + c P sqrt(N) / (1 + n), where
        an evaluator gives the prior P and takes the place of rollouts (see Engine; Silver et al. 2017). The evaluator's
        values lie in [-1, 1], and Q, c and first_play are on that scale whatever the rewards. Needs probes=False,
        transpositions=False.
    exploration: the factor c, with rewards as given below; any finite number. UCB1-tuned was published with 1.
    opponent: "minimax" selects for both players alike; "random" draws the moves of the root's opponent at random, so
        that values are those of play against a random player. Needs proofs=False, since nothing is forced then. A tree
        serves the player it was grown for: a search for the other player starts a new one.
    first_play: value of a child without visits, on the scale of the rewards; infinite (the default) tries every child
        once before any is tried twice (Gelly and Wang 2006, first-play urgency).
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
    opponent: Opponent = "minimax"
    first_play: float = math.inf
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
    planes: Planes = "binary"
    keep_tree: bool = True
    max_nodes: int = 1 << 26
    max_bytes: int | None = None

    def __post_init__(self) -> None:
        put = object.__setattr__  # the way to normalise a frozen dataclass
        put(self, "exploration", real_number("exploration", self.exploration))
        if math.isinf(self.exploration):
            raise ValueError(f"exploration must be finite, not {self.exploration}")
        put(self, "first_play", real_number("first_play", self.first_play))
        if self.first_play == -math.inf:
            raise ValueError("first_play must be a number or inf, not -inf")
        put(self, "rewards", _rewards(self.rewards))
        put(self, "max_nodes", between("max_nodes", self.max_nodes, 1, MAX_NODES))
        for name, allowed in ALLOWED.items():
            put(self, name, word(name, getattr(self, name), allowed))
        for name in ("proofs", "probes", "book", "transpositions", "prove_draws", "checks", "keep_tree"):
            put(self, name, flag(name, getattr(self, name)))
        if self.max_bytes is not None:
            put(self, "max_bytes", whole_number("max_bytes", self.max_bytes))
            if self._affordable_nodes() < 1:
                raise ValueError(f"max_bytes is too little for one node and the tables, {shown(self.max_bytes)}")
        put(self, "discount", real_number("discount", self.discount))
        if not 0 < self.discount <= 1:
            raise ValueError(f"discount must be above 0 and at most 1, not {self.discount}")
        put(self, "temperature", not_negative("temperature", self.temperature))
        put(self, "virtual_loss", real_number("virtual_loss", self.virtual_loss))
        if not 0 <= self.virtual_loss < math.inf:
            raise ValueError(f"virtual_loss must be finite and at least 0, not {self.virtual_loss}")
        put(self, "batch_size", between("batch_size", self.batch_size, 1, MAX_BATCH))
        if self.root_noise is not None:
            put(self, "root_noise", _noise(self.root_noise))
        self._check_combinations()

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle and copy through the constructor, which validates."""
        return partial(type(self), **{field.name: getattr(self, field.name) for field in fields(self)}), ()

    def _check_combinations(self) -> None:
        """Raise ValueError for combinations of fields that contradict each other."""
        if self.selection == "puct":
            for name, needed in (
                ("probes", False),
                ("book", False),
                ("transpositions", False),
                ("opponent", "minimax"),
                ("discount", 1.0),
            ):
                if getattr(self, name) != needed:
                    raise ValueError(f'selection="puct" needs {name}={needed!r}, not {getattr(self, name)!r}')
        else:
            if self.root_noise is not None:
                raise ValueError(f'root_noise needs selection="puct", not {self.selection!r}: there are no priors')
            for name, needed in (("backup", "value"), ("first_child", "best"), ("prove_draws", True)):
                if getattr(self, name) != needed:
                    raise ValueError(f'{name}={getattr(self, name)!r} needs selection="puct", not {self.selection!r}')
        if self.opponent == "random" and self.proofs:
            raise ValueError('opponent="random" forces nothing, so nothing can be proven: set proofs=False too')
        for name in ("probes", "book"):
            if getattr(self, name) and not self.proofs:
                raise ValueError(f"{name}=True needs proofs: set {name}=False too, or proofs=True")
        win, _, loss = self.rewards
        if not (math.isfinite(self.settings().exploration) and math.isfinite(self.exploration / (win - loss))):
            raise ValueError(f"exploration is too large for the rewards, {self.exploration!r}")
        if math.isnan(self.settings().first_play):
            raise ValueError(f"rewards: win and loss are too close for numbers to tell apart, {self.rewards!r}")

    @classmethod
    def preset(cls, name: str, **changes: Any) -> "SearchParams":
        """The parameters of that name (see PRESETS), with changes. Raises as the class does."""
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
        draw, whole = _draw_fraction(self.rewards)
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
            max_nodes=min(self.max_nodes, self._affordable_nodes()),
            virtual_loss=self.virtual_loss,
            noise=0.0 if self.root_noise is None else self.root_noise[1],
            batch_size=self.batch_size,
            signed_planes=self.planes == "signed",
            threads=1,
        )

    def _affordable_nodes(self) -> int:
        """How many nodes max_bytes allows."""
        if self.max_bytes is None:
            return MAX_NODES
        table = 1 << PROBE_TABLE_BITS if self.probes else 0
        node = SHARED_NODE_BYTES if self.transpositions else NODE_BYTES
        return (self.max_bytes - table) // (node + ESTIMATE_BYTES if self.selection == "puct" else node)

    def __str__(self) -> str:
        """One line a field."""
        return "\n".join(f"{field.name} = {getattr(self, field.name)!r}" for field in fields(self))


def search_params(params: object, name: str = "params") -> SearchParams:
    """A validated copy, since fields can be set past __post_init__. TypeError, ValueError."""
    if isinstance(params, str) and params in PRESETS:
        raise TypeError(f"{name} must be a SearchParams, not {params!r}: write SearchParams.preset({params!r})")
    given = an_instance(name, params, SearchParams, "a SearchParams")
    try:
        return SearchParams(**{field.name: getattr(given, field.name) for field in fields(SearchParams)})
    except AttributeError:
        raise TypeError(f"{name} must be a SearchParams, not an object without fields") from None


def _noise(value: object) -> tuple[float, float]:
    """(alpha, fraction) as floats, checked."""
    wanted = "two numbers (alpha, fraction) or None"
    pair = numbers("root_noise", value, wanted, 2)
    if len(pair) != 2:
        raise TypeError(refused("root_noise", wanted, value))
    alpha, fraction = (real_number("root_noise", number) for number in pair)
    if not (0 < alpha < math.inf and 0 <= fraction <= 1):
        raise ValueError(f"root_noise must have alpha > 0 and a fraction from 0 to 1, not {shown(value)}")
    return alpha, fraction


def _rewards(value: object) -> tuple[float, float, float]:
    """(win, draw, loss) as floats, checked."""
    wanted = "three numbers (win, draw, loss)"
    triple = numbers("rewards", value, wanted, 3)
    if len(triple) != 3:
        raise TypeError(refused("rewards", wanted, value))
    win, draw, loss = (real_number("rewards", number) for number in triple)
    rewards = (win, draw, loss)
    if not all(map(math.isfinite, rewards)) or not math.isfinite(win - loss):
        raise ValueError(refused("rewards", "finite", rewards))
    if not (win > loss and win >= draw >= loss):
        raise ValueError(f"rewards must have win >= draw >= loss and win > loss, not {rewards!r}")
    _draw_fraction(rewards)
    return rewards


def _draw_fraction(rewards: tuple[float, float, float]) -> tuple[int, int]:
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


_PLAIN = SearchParams(  # UCT as in the textbooks, with sound rewards: the teaching baseline
    exploration=math.sqrt(2), rollout="random", proofs=False, probes=False, transpositions=False
)
_BARE = replace(_PLAIN, tie_break="random", choice="visits_only", checks=False)  # UCT with nothing of our own
_REPORT = replace(_BARE, rewards=(1, 0, -1), transpositions=True)
PRESETS = {
    "strong": SearchParams(),  # all that helps: effectively perfect play on 7 x 6 (docs/guide/strength.md)
    "uct": _PLAIN,
    "perfect": SearchParams(book=True),  # "strong" with the book
    # Five earlier systems; docs/prior_systems/presets.md compares each with its source.
    "uct-timed": replace(_BARE, rewards=(1, 0, 0), expansion="all"),
    "report-minimax": _REPORT,
    "report-random": replace(_REPORT, opponent="random"),
    "notebook-uct": replace(_BARE, rewards=(1, 0, 0), choice="value", keep_tree=False),
    "puct-node": replace(
        _BARE,
        selection="puct",
        exploration=1,
        first_play=0,
        rewards=(1, 0, -1),
        proofs=True,
        prove_draws=False,
        backup="mean",
        first_child="any",
        planes="signed",
    ),
    "no-diagonals": replace(_PLAIN, rewards=(2, 1, 0), tie_break="random", choice="ucb_short_win", keep_tree=False),
    # For networks of one's own: PUCT as in Silver et al. 2018, with c = 1.25 and noise of 10 / (number of columns).
    "alphazero": replace(
        _PLAIN,
        selection="puct",
        exploration=1.25,
        first_play=0,
        rewards=(1, 0, -1),
        proofs=True,
        batch_size=16,
        root_noise=(1.4, 0.25),
    ),
}
