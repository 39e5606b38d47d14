"""Experiment: how often a search beats an opponent, by its budget."""

from collections.abc import Iterable, Mapping, Sequence
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
from .plots import Panel, Series, View
from .result import Result, wilson
from .starts import AnyPosition, Start, start_of
from .validation import PLAIN, counts, named, run_jobs

First = Literal["alternate", "search", "opponent"]
BUDGETS = (5, 10, 25, 50, 100, 200, 500, 1000, 5000)


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
) -> Result:
    """Play games of a search against an opponent.

    boards: the start positions, by name, or one: Boards, or any Game (see games). modes: the parameters of the
    search, by name, or one set. opponent: a text as for `c4mcts match` (see play.player_specs), such as "uct@1000",
    "level:3" or "perfect"; the default, "random", plays every legal move with equal probability. For a Game other than
    a Board it is "random" or a preset such as "uct@1000". budgets: simulations per move; the tree is kept during a
    game. games: for each board, mode and budget. first: who makes the first move; with "alternate" the search does in
    games 0, 2, 4, ...

    The result has `wins`, `draws` and `losses`, the `rate`, which is the share of wins, and its 95 % `interval`:
    (boards, modes, budgets). The plot shows the rates over the budgets.

    options: see c4mcts.study.
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
    results, about = run_jobs(win_rate, jobs, options, boards=starts, modes=sets, **rules)
    axes = {"board": list(starts), "mode": list(sets), "simulations": numbers.tolist()}
    arrays = ends_of(results, axes, games)
    arrays |= shares("rate", arrays["wins"], games)
    about |= {"boards": {name: start.position for name, start in starts.items()}}
    return Result(win_rate.__name__, axes, arrays, about, _view)


def _view(found: Result, first: int) -> View:
    """A line for each board and mode: the mode chooses its colour, the board its style."""
    boards, modes = list(found.boards), list(found.modes)
    colours = plots.colours(len(modes))
    lines = []
    for i, j in np.ndindex(len(boards), len(modes)):
        names = [name for name, every in ((boards[i], boards), (modes[j], modes)) if len(every) > 1]
        label = ", ".join(names)
        lines.append(Series(label, found.rate[i, j], found.interval[:, i, j], colour=colours[j], **style(i)))
    # the position and the parameters, where there is only one: the labels have no names for them then
    single = [start_of(found.boards[boards[0]]).title] if len(boards) == 1 else []
    single += [plots.named(found.modes[modes[0]])] if len(modes) == 1 else []
    opponent = "a random opponent" if found.opponent == "random" else found.opponent
    title = ": ".join([f"Games won against {opponent}", *([", ".join(single)] if single else [])])
    note = f"{found.games} games per point, 95 % intervals, {FIRST_WORDS[found.first]}, seed {found.seed}"
    return View([games_panel(title, found.budgets, "simulations per move", "won", lines)], note)


def ends_of(results: Sequence[int], axes: dict[str, Sequence[Any]], games: int) -> dict[str, npt.NDArray[Any]]:
    """How the games at each point ended, from their results, 1, 0 or -1, in order."""
    found = np.reshape(results, (*(len(places) for places in axes.values()), games))
    ends = {"wins": 1, "draws": 0, "losses": -1}
    return {"games": np.array(games)} | {name: np.count_nonzero(found == end, axis=-1) for name, end in ends.items()}


def shares(name: str, points: npt.NDArray[Any], games: int) -> dict[str, npt.NDArray[np.float64]]:
    """What the games brought at each point, as a share, with its interval."""
    low, high = wilson(points, games)
    return {name: points / games, "low": low, "high": high}


def style(i: int) -> dict[str, Any]:
    """Marker and dashes of the i-th kind of line."""
    return {"marker": plots.MARKERS[i % len(plots.MARKERS)], "dashes": plots.DASHES[i % len(plots.DASHES)]}


def games_panel(title: str, budgets: npt.NDArray[Any], axis: str, share: str, lines: list[Series]) -> Panel:
    """Shares of games over budgets. The axis always goes from 0 to 100 %, so that plots can be compared."""
    return Panel(title, budgets, axis, share, lines, percent=True, limits=plots.WHOLE, outside=True)


def _rivals(opponent: str, starts: Iterable[Start]) -> list[Contestant]:
    """The opponent at each start position. TypeError, ValueError."""
    try:
        return [start.contestant(opponent) for start in starts]
    except (TypeError, ValueError) as error:
        raise type(error)(f"opponent: {error}") from None
