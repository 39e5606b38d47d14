"""Experiment: how sets of parameters do against each other, by their budget."""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import combinations
from typing import Unpack

from ..executors.background import job_count
from ..executors.jobs import WorkOptions
from ..search.params import SearchParams
from . import plots
from .plots import Series, View
from .result import Result
from .starts import AnyPosition, start_of
from .validation import counts, named, run_jobs
from .win_rate import ends_of, games_panel, shares, style

BUDGETS = (10, 30, 100, 300, 1000)


def head_to_head(
    board: AnyPosition,
    sets: Mapping[str, SearchParams],
    *,
    budgets: Iterable[int] = BUDGETS,
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
    start = start_of(board)
    known: dict[str, SearchParams] = {
        name: start.params(params, "sets") for name, params in named("sets", sets, "search").items()
    }
    if len(known) < 2:
        raise ValueError(f"sets must be at least two, not {', '.join(known)}")
    numbers, games = counts("budgets", budgets), job_count("games", games)
    pairs = tuple(combinations(known, 2))
    jobs = [
        partial(
            start.play,
            partial(start.searcher, known[one], budget),
            partial(start.searcher, known[other], budget),
            game % 2 == 0,
        )
        for one, other in pairs
        for budget in numbers.tolist()
        for game in range(games)
    ]
    given = {"board": start, "sets": known, "budgets": numbers, "games": games}
    results, about = run_jobs(head_to_head, jobs, options, **given)
    axes = {"pair": [" against ".join(pair) for pair in pairs], "simulations": numbers.tolist()}
    arrays = ends_of(results, axes, games)
    arrays |= shares("score", arrays["wins"] + 0.5 * arrays["draws"], games)
    return Result(head_to_head.__name__, axes, arrays, about | {"pairs": pairs}, _view)


def _view(found: Result, first: int) -> View:
    """A line for each pair, and one at 50 %."""
    labels, colours = found.axes["pair"], plots.colours(len(found.pairs))
    lines = [
        Series(label if len(labels) > 1 else "", found.score[i], found.interval[:, i], colour=colours[i], **style(i))
        for i, label in enumerate(labels)
    ]
    title = f"{labels[0] if len(labels) == 1 else 'Scores at equal budgets'}: {start_of(found.board).title}"
    note = f"{found.games} games per point, 95 % intervals, first moves alternate, seed {found.seed}"
    panel = games_panel(title, found.budgets, "simulations per move, of both", "score", lines)
    return View([panel._replace(level=0.5)], note)
