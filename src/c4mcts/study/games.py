"""Experiments: how often a search beats an opponent, and how sets of parameters do against each other, by budget."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import combinations, product
from typing import Any, Literal, Unpack, get_args

import numpy as np
import numpy.typing as npt

from .._validation import counted, naming, positive, word
from ..executors.executor import MAX_JOBS
from ..executors.work import WorkOptions
from ..play.arena import Fixture
from ..play.player import Player
from ..play.player_specs import contestant
from ..play.seats import RequiredSeat
from ..search.params import SearchParams
from . import plots
from .experiment import PLAIN, AnyPosition, Start, by_name, counts, run_jobs
from .plots import Panel, Series, View
from .result import Result, shares

First = Literal["alternate", "search", "opponent"]
BUDGETS = (5, 10, 25, 50, 100, 200, 500, 1000, 5000)  # default of win_rate
BUDGETS_OF_BOTH = (10, 30, 100, 300, 1000)  # default of head_to_head

# In words, and whether the search makes the first move of game 0, and of game 1, as of all later ones in turn.
FIRST: dict[First, tuple[str, tuple[bool, bool]]] = {
    "alternate": ("first moves alternate", (True, False)),
    "search": ("the search moves first", (True, True)),
    "opponent": ("the opponent moves first", (False, False)),
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

    options: see c4mcts.study. Raises PlayerError if the opponent fails.
    """
    starts = {name: Start(board, "boards") for name, board in by_name("boards", boards, "board").items()}
    searches = by_name("modes", modes, "search")
    sets: dict[str, SearchParams] = {
        name: start.params(params, "modes") for start in starts.values() for name, params in searches.items()
    }
    numbers, games = counts("budgets", budgets), positive("games", games, MAX_JOBS)
    first = word("first", first, get_args(First))
    with naming("opponent: "):
        rivals = [contestant(opponent, start.position) for start in starts.values()]
    pairs = [
        (start, partial(start.player, params, simulations=budget), partial(RequiredSeat, rival.name, rival.make))
        for (start, rival), params, budget in product(
            zip(starts.values(), rivals, strict=True), sets.values(), numbers.tolist()
        )
    ]
    axes = {"board": list(starts), "mode": list(sets), "simulations": numbers.tolist()}
    arguments = {"boards": starts, "modes": sets, "opponent": rivals[0].name, "budgets": numbers, "first": first}
    players = {one.name: one.make for one in rivals}
    arrays, about = _ends(win_rate, pairs, axes, games, first, options, arguments, players)
    arrays |= shares("rate", arrays["wins"], games)
    about |= {"boards": {name: start.position for name, start in starts.items()}}
    return Result(win_rate.__name__, axes, arrays, about, _view_of_rates)


def head_to_head(
    board: AnyPosition,
    sets: Mapping[str, SearchParams],
    *,
    budgets: Iterable[int] = BUDGETS_OF_BOTH,
    games: int = 100,
    **options: Unpack[WorkOptions],
) -> Result:
    """Play games between every two of several sets of parameters, with equal numbers of simulations.

    board: the start position of all games, a Board or any Game (see games). sets: two or more, by name. budgets:
    simulations per move; the tree is kept during a game. games: for each pair and budget; the first of the pair moves
    first in games 0, 2, 4, ...

    The result has `wins`, `draws` and `losses` of the first of the two, its `score`, the mean of 1 for a win, 0.5 for a
    draw, 0 for a loss, and the 95 % `interval` of that (Wilson; somewhat wide if many games are drawn): (pairs,
    budgets). `pairs` names the two. The plot shows the scores over the budgets.

    For ratings of many players, other opponents and openings: play.tournament.

    options: see c4mcts.study.
    """
    start = Start(board)
    players: dict[str, SearchParams] = {
        name: start.params(params, "sets") for name, params in by_name("sets", sets, "search").items()
    }
    if len(players) < 2:
        raise ValueError(f"sets must be at least two, not {', '.join(players)}")
    numbers, games = counts("budgets", budgets), positive("games", games, MAX_JOBS)
    names = tuple(combinations(players, 2))
    pairs = [
        (
            start,
            partial(start.player, players[one], simulations=budget),
            partial(start.player, players[other], simulations=budget),
        )
        for (one, other), budget in product(names, numbers.tolist())
    ]
    axes = {"pair": [" against ".join(pair) for pair in names], "simulations": numbers.tolist()}
    arguments = {"board": start, "sets": players, "budgets": numbers}
    arrays, about = _ends(head_to_head, pairs, axes, games, "alternate", options, arguments)
    arrays |= shares("score", arrays["wins"] + 0.5 * arrays["draws"], games)
    return Result(head_to_head.__name__, axes, arrays, about | {"pairs": names}, _view_of_scores)


def _ends(
    experiment: Callable[..., Result],
    pairs: Sequence[tuple[Start, Callable[[], Player], Callable[[], Player]]],
    axes: dict[str, list[Any]],
    games: int,
    first: First,
    options: WorkOptions,
    arguments: dict[str, Any],
    players: dict[str, Callable[[], Player]] | None = None,
) -> tuple[dict[str, npt.NDArray[Any]], dict[str, Any]]:
    """Play the games of each pair: where two players meet, and what makes them.

    Returns how many games its first player has won, drawn and lost, in the shape of the axes, and the arguments.
    """
    fixtures, sides = [], []
    for start, one, other in pairs:
        for game in range(games):
            side = start.position.turn if FIRST[first][1][game % 2] else 1 - start.position.turn  # of `one`
            fixtures.append(Fixture((one, other) if side == 0 else (other, one), start.position))
            sides.append(side)
    records, about = run_jobs(experiment, fixtures, options, players, games=games, axes=axes, **arguments)
    winners = np.array([-1 if record["winner"] is None else record["winner"] for record in records])
    shape = (*(len(places) for places in axes.values()), games)
    ends = {"wins": winners == sides, "draws": winners == -1, "losses": winners == 1 - np.array(sides)}
    return {"games": np.array(games)} | {name: end.reshape(shape).sum(axis=-1) for name, end in ends.items()}, about


def _view_of_rates(result: Result, first: int) -> View:
    """A line for each board and mode: the mode chooses its colour, the board its style."""
    boards, modes = list(result.boards), list(result.modes)
    colours = plots.colours(len(modes))
    lines = []
    for i, j in np.ndindex(len(boards), len(modes)):
        names = [name for name, every in ((boards[i], boards), (modes[j], modes)) if len(every) > 1]
        label = ", ".join(names)
        lines.append(Series(label, result.rate[i, j], result.interval[:, i, j], colour=colours[j], **_style(i)))
    # the position and the parameters, where there is only one: the labels have no names for them then
    single = [Start(result.boards[boards[0]]).title] if len(boards) == 1 else []
    single += [plots.named(result.modes[modes[0]])] if len(modes) == 1 else []
    opponent = "a random opponent" if result.opponent == "random" else result.opponent
    title = ": ".join([f"Games won against {opponent}", *([", ".join(single)] if single else [])])
    panel = Panel(title, result.budgets, "simulations per move", "won", lines)
    return _view(result, panel, FIRST[result.first][0])


def _view_of_scores(result: Result, first: int) -> View:
    """A line for each pair, and one at 50 %."""
    labels, colours = result.axes["pair"], plots.colours(len(result.pairs))
    lines = [
        Series(label if len(labels) > 1 else "", result.score[i], result.interval[:, i], colour=colours[i], **_style(i))
        for i, label in enumerate(labels)
    ]
    title = f"{labels[0] if len(labels) == 1 else 'Scores at equal budgets'}: {Start(result.board).title}"
    panel = Panel(title, result.budgets, "simulations per move, of both", "score", lines, level=0.5)
    return _view(result, panel, FIRST["alternate"][0])


def _style(i: int) -> dict[str, Any]:
    return {"marker": plots.MARKERS[i % len(plots.MARKERS)], "dashes": plots.DASHES[i % len(plots.DASHES)]}


def _view(result: Result, panel: Panel, first: str) -> View:
    """Shares of games over budgets. The axis always goes from 0 to 100 %, so that plots can be compared."""
    note = f"{counted(result.games, 'game')} per point, 95 % intervals, {first}, seed {result.seed}"
    return View([panel._replace(percent=True, limits=plots.WHOLE, outside=True)], note)
