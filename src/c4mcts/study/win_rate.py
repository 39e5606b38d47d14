"""Experiment: how often a search beats an opponent, by its budget."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, Literal, Unpack, get_args

import numpy as np
import numpy.typing as npt

from .._validation import word
from ..executors.background import job_count
from ..executors.jobs import WorkOptions
from ..play.player_specs import Contestant
from ..search.params import SearchParams
from . import plots
from .result import GamesResult, ends_of
from .starts import AnyPosition, Position, Start, start_of
from .validation import PLAIN, counts, named, run_jobs

First = Literal["alternate", "search", "opponent"]
BUDGETS = (5, 10, 25, 50, 100, 200, 500, 1000, 5000)


@dataclass(frozen=True, eq=False, repr=False)
class WinRate(GamesResult):
    """Results of games against one opponent. wins, draws and losses have the shape (boards, modes, budgets).

    The plot has the shares of wins over the budgets, with their 95 % intervals, one line per board and mode. Its
    vertical axis always goes from 0 to 100 %, so that plots can be compared. The CSV file has one row per point.
    """

    boards: dict[str, Position]
    modes: dict[str, SearchParams]
    opponent: str  # as given
    budgets: npt.NDArray[np.int64]  # (budgets,), ascending: simulations per move
    games: int  # for each board, mode and budget
    first: First
    seed: int
    ends: npt.NDArray[np.int64]  # wins, draws, losses, each in the shape above

    NAMES = ("board", "mode", "rate")

    @property
    def rate(self) -> npt.NDArray[np.float64]:
        """Share of the games that the search won."""
        return self._share

    def _points(self) -> npt.NDArray[np.float64]:
        return self.wins.astype(float)

    def _names(self, at: tuple[int, ...]) -> tuple[str, ...]:
        return list(self.boards)[at[0]], list(self.modes)[at[1]]

    def _draw(self, ax: "plots.Axes", title: str | None) -> None:
        plots.frame(ax, "simulations per move", "won")
        note = f"{self.games} games per point, 95 % intervals, {FIRST_WORDS[self.first]}, seed {self.seed}"
        plots.title(ax, title, ": ".join([f"Games won against {self._opponent()}", *self._single()]), note)
        self._draw_lines(ax)

    def _single(self) -> list[str]:
        """The position and the parameters, where there is only one: a legend has no names for them then."""
        boards = [start_of(board).title for board in self.boards.values()]
        modes = [plots.named(params) for params in self.modes.values()]
        found = ", ".join(only[0] for only in (boards, modes) if len(only) == 1)
        return [found] if found else []

    def _opponent(self) -> str:
        """The opponent, as titles name it."""
        return "a random opponent" if self.opponent == "random" else self.opponent

    def _label(self, at: tuple[int, ...]) -> str:
        """The label of a line: the names in which the lines differ."""
        sets: tuple[Mapping[str, Any], ...] = (self.boards, self.modes)
        return ", ".join(name for name, names in zip(self._names(at), sets, strict=True) if len(names) > 1)

    def _head(self) -> str:
        what = ", ".join([f"won against {self._opponent()}", *self._single()])
        return f"{what}, {self.games} games per point, {FIRST_WORDS[self.first]}, seed {self.seed}"


FIRST_WORDS = {
    "alternate": "first moves alternate",
    "search": "the search moves first",
    "opponent": "the opponent moves first",
}


def win_rate(
    boards: AnyPosition | Mapping[str, AnyPosition],
    modes: SearchParams | Mapping[str, SearchParams] = PLAIN,
    *,
    opponent: str = "random",
    budgets: Iterable[int] = BUDGETS,
    games: int = 100,
    first: First = "alternate",
    **options: Unpack[WorkOptions],
) -> WinRate:
    """Play games of a search against an opponent.

    boards: the start positions, by name, or one: Boards, or any Game (see games). modes: the parameters of the
    search, by name, or one set. opponent: a text as for `c4mcts match` (see play.player_specs), such as "uct@1000",
    "level:3" or "perfect"; the default, "random", plays every legal move with equal probability. For a Game other than
    a Board it is "random" or a preset such as "uct@1000". budgets: simulations per move; the tree is kept during a
    game. games: for each board, mode and budget. first: who makes the first move; with "alternate" the search does in
    games 0, 2, 4, ...

    seed, executor, progress, checkpoint: as for all experiments
    (https://github.com/c4mcts/c4mcts/blob/main/docs/guide/study.md).

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
    opens = {"alternate": (True, False), "search": (True, True), "opponent": (False, False)}[first]
    jobs = [
        partial(start.play, partial(start.searcher, params, budget), rival.make, opens[game % 2])
        for (start, rival), params, budget, game in product(
            zip(starts.values(), rivals, strict=True), sets.values(), numbers.tolist(), range(games)
        )
    ]
    rules = {"opponent": rivals[0].name, "budgets": numbers, "games": games, "first": first}
    results, seed = run_jobs(win_rate, jobs, options, boards=starts, modes=sets, **rules)
    ends = ends_of(results, (len(starts), len(sets), len(numbers), games))
    positions = {name: start.position for name, start in starts.items()}
    return WinRate(positions, sets, rivals[0].name, numbers, games, first, seed, ends)


def _rivals(opponent: str, starts: Iterable[Start]) -> list[Contestant]:
    """The opponent at each start position. TypeError, ValueError."""
    try:
        return [start.contestant(opponent) for start in starts]
    except (TypeError, ValueError) as error:
        raise type(error)(f"opponent: {error}") from None
