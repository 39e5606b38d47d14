"""Experiment: how often a search beats an opponent, by its budget."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any, Literal, Unpack, get_args

import numpy as np
import numpy.typing as npt

from .._files import StrPath
from .._validation import word
from ..executors.background import Check, job_count
from ..executors.jobs import WorkOptions
from ..play.player_specs import Contestant
from ..search.params import SearchParams
from . import plots
from .result import GamesResult, ends_of, wilson, write_csv
from .starts import Position, Start, start_of
from .validation import PLAIN, check_end, counts, named, run_jobs

if TYPE_CHECKING:
    from matplotlib.axes import Axes

First = Literal["alternate", "search", "opponent"]
BUDGETS = (5, 10, 25, 50, 100, 200, 500, 1000, 5000)


@dataclass(frozen=True, eq=False, repr=False)
class WinRate(GamesResult):
    """Results of games against one opponent. wins, draws and losses have the shape (boards, modes, budgets)."""

    boards: dict[str, Position]
    modes: dict[str, SearchParams]
    opponent: str  # as given
    budgets: npt.NDArray[np.int64]  # (budgets,), ascending: simulations per move
    games: int  # for each board, mode and budget
    first: First
    seed: int
    ends: npt.NDArray[np.int64]  # wins, draws, losses, each in the shape above

    @property
    def rate(self) -> npt.NDArray[np.float64]:
        """Share of the games that the search won."""
        return np.asarray(self.wins / self.games)

    @property
    def interval(self) -> npt.NDArray[np.float64]:
        """95 % intervals (Wilson) of `rate`, lower ends first: (2, boards, modes, budgets)."""
        return wilson(self.wins, self.games)

    def to_csv(self, path: StrPath) -> None:
        """Write one line per board, mode and budget. OSError."""
        header = ["board", "mode", "simulations", "games", "wins", "draws", "losses", "rate", "low", "high"]
        write_csv(path, header, self._rows())

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        rate, (low, high) = self.rate, self.interval
        for (i, board), (j, mode), (k, budget) in product(
            enumerate(self.boards), enumerate(self.modes), enumerate(self.budgets.tolist())
        ):
            at = (i, j, k)
            counted = (int(self.wins[at]), int(self.draws[at]), int(self.losses[at]))
            yield board, mode, budget, self.games, *counted, float(rate[at]), float(low[at]), float(high[at])

    def plot(self, ax: "Axes | None" = None, *, title: str | None = None) -> "Axes":
        """Draw the shares of wins over the budgets, with their 95 % intervals, one line per board and mode.

        The vertical axis always goes from 0 to 100 %, so that plots can be compared.

        title: replaces the default one.
        """
        return self._plotted(ax, title)

    def _draw(self, ax: "Axes", title: str | None) -> None:
        rate, (low, high) = self.rate, self.interval
        shades = plots.colours(len(self.modes))
        lines = len(self.boards) * len(self.modes)
        for i, j in product(range(len(self.boards)), range(len(self.modes))):
            plots.points_with_intervals(
                ax,
                self.budgets,
                rate[i, j],
                (low[i, j], high[i, j]),
                colour=shades[j],
                style=i,
                shift=i * len(self.modes) + j - (lines - 1) / 2,
                label=self._label(i, j),
            )
        plots.frame(ax, "simulations per move", "won")
        note = f"{self.games} games per point, 95 % intervals, {FIRST_WORDS[self.first]}, seed {self.seed}"
        plots.title(ax, title, ": ".join([f"Games won against {self._opponent()}", *self._single()]), note)
        plots.budgets(ax, self.budgets)
        plots.percents(ax)
        ax.set_ylim(-0.02, 1.02)
        if lines > 1:
            plots.legend_beside(ax)

    def _single(self) -> list[str]:
        """The position and the parameters, where there is only one: a legend has no names for them then."""
        boards = [start_of(board).title for board in self.boards.values()]
        modes = [plots.named(params) for params in self.modes.values()]
        found = ", ".join(only[0] for only in (boards, modes) if len(only) == 1)
        return [found] if found else []

    def _opponent(self) -> str:
        """The opponent, as titles name it."""
        return "a random opponent" if self.opponent == "random" else self.opponent

    def _label(self, i: int, j: int) -> str:
        """The label of one line: the names in which the lines differ."""
        board = [list(self.boards)[i]] if len(self.boards) > 1 else []
        mode = [list(self.modes)[j]] if len(self.modes) > 1 else []
        return ", ".join(board + mode)

    def as_text(self, first: int = 0) -> str:
        """A summary, and a line for each board and mode, in percent."""
        width = max(len(self._label(i, j)) for i in range(len(self.boards)) for j in range(len(self.modes)))
        lines = [self._head(), "", " " * width + "".join(f"{budget:8,}" for budget in self.budgets)]
        for i, j in product(range(len(self.boards)), range(len(self.modes))):
            rates = "".join(f"{rate:8.1%}" for rate in self.rate[i, j])
            lines.append(self._label(i, j).ljust(width) + rates)
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<c4mcts.study.WinRate {self._head()}>"

    def _head(self) -> str:
        what = ", ".join([f"won against {self._opponent()}", *self._single()])
        return f"{what}, {self.games} games per point, {FIRST_WORDS[self.first]}, seed {self.seed}"


FIRST_WORDS = {
    "alternate": "first moves alternate",
    "search": "the search moves first",
    "opponent": "the opponent moves first",
}


def win_rate(
    boards: Position | Mapping[str, Position],
    modes: SearchParams | Mapping[str, SearchParams] = PLAIN,
    *,
    opponent: str = "random",
    budgets: Iterable[int] = BUDGETS,
    games: int = 100,
    first: First = "alternate",
    **options: Unpack[WorkOptions],
) -> WinRate:
    """Play games of a search against an opponent.

    boards: the start positions, by name, or one: Boards, or any Game (see games.game). modes: the parameters of the
    search, by name, or one set. opponent: a text as for `c4mcts match` (see play.player_specs), such as "uct@1000",
    "level:3" or "perfect"; the default, "random", plays every legal move with equal probability. For a Game that is no
    Board it is "random" or a preset as "uct@1000".
    budgets: simulations per move; the tree is kept during a game. games: for each board, mode and budget. first: who
    makes the first move; with "alternate" the search does in games 0, 2, 4, ...

    seed, executor, progress, checkpoint: as for all experiments (docs/guide/study.md).

    Raises TypeError or ValueError naming the argument, CheckpointError, GameOverError, OSError.
    """
    starts = {name: start_of(board, "boards") for name, board in named("boards", boards, "board").items()}
    given = named("modes", modes, "search")
    sets: dict[str, SearchParams] = {
        name: start.params(params, "modes") for start in starts.values() for name, params in given.items()
    }
    numbers, games = counts("budgets", budgets), job_count("games", games)
    first = word("first", first, get_args(First))
    rivals = _rivals(opponent, starts.values())
    jobs = [
        partial(_play, start, params, rival, budget, first == "search" or (first == "alternate" and game % 2 == 0))
        for (start, rival), params, budget, game in product(
            zip(starts.values(), rivals, strict=True), sets.values(), numbers.tolist(), range(games)
        )
    ]
    arguments = {
        "boards": {name: start.key for name, start in starts.items()},
        "modes": {name: params.to_dict() for name, params in sets.items()},
        "opponent": rivals[0].name,
        "budgets": numbers.tolist(),
        "games": games,
        "first": first,
    }
    results, seed = run_jobs("win_rate", jobs, arguments, options, check_end, *starts.values())
    ends = ends_of(results, (len(starts), len(sets), len(numbers), games))
    positions = {name: start.position for name, start in starts.items()}
    return WinRate(positions, sets, rivals[0].name, numbers, games, first, seed, ends)


def _rivals(opponent: str, starts: Iterable[Start]) -> list[Contestant]:
    """The opponent at each start position. TypeError, ValueError."""
    try:
        return [start.contestant(opponent) for start in starts]
    except (TypeError, ValueError) as error:
        raise type(error)(f"opponent: {error}") from None


def _play(
    start: Start,
    params: SearchParams,
    rival: Contestant,
    budget: int,
    opens: bool,
    seed: np.random.SeedSequence,
    check: Check,
) -> int:
    """Play one game: 1 if the search wins, 0 for a draw, -1 if it loses. opens: whether it moves first."""
    search, other = start.searcher(params, budget), rival.make()
    return start.play((search, other), seed, check) if opens else -start.play((other, search), seed, check)
