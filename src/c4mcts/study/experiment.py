"""The common parts of experiments: their start positions, the checks of their arguments, and the run of their jobs.

A start position is a Board, which Engine searches, or any other Game, which GameSearch searches. Arrays of results have
a place for each move: for each column of a Board, for each legal move of another Game.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import numpy.typing as npt

from .._hints import check_keywords
from .._validation import brief, counted, members, positive, string
from ..board.arguments import AnyBoard
from ..board.board import Board
from ..board.notation import PONS_COLUMNS
from ..executors.cancellation import Cancellation
from ..executors.store import Store
from ..executors.work import SeededJob, WorkOptions, perform
from ..games import Game, GameSearch, searchable, unfinished_copy_of
from ..play.identity import digest_of, identity_of
from ..play.player import Player
from ..play.players import EnginePlayer, GameSearchPlayer
from ..rules import Rules, fits_word
from ..search.engine import Engine
from ..search.params import SearchParams, UctParams, uct_params
from ..solver.solver import solve

PLAIN = UctParams.preset("uct")  # default of all experiments: plain UCT
MAX_COUNT = 2**48  # simulations or runs; more than anybody can wait for, and exact as a float
MAX_POINTS = 1_000_000  # of an iterable argument, which may be endless
SLICE = 200  # simulations of a Game between two checks whether the job is still wanted: some 10 ms
SHORT = 40  # characters of a position that are not too many for a title
QUICK = 500_000  # positions that the solver may search where exact scores are welcome, but not needed

AnyPosition = AnyBoard | Game[Any]


# What a search knows at one moment: the place of the move that it would play, and of each legal move its mean reward in
# [0, 1] for the player to move (None without visits) and its visits.
Measurement = tuple[int, list[float | None], list[int]]


class Start:
    """A start position. Executors of processes pickle it. name: of the argument. Raises as unfinished_copy_of does."""

    def __init__(self, value: AnyPosition, name: str = "board") -> None:
        self.position = position = unfinished_copy_of(name, value)
        self.is_board = isinstance(position, Board)
        self.player: type[EnginePlayer | GameSearchPlayer] = EnginePlayer if self.is_board else GameSearchPlayer
        if isinstance(position, Board):
            self.noun = "column"  # what a move is called
            self.moves: tuple[Any, ...] = tuple(range(position.rules.width))  # by place
            self.legal = position.legal_columns  # the places of the legal moves
            self.title = _board_title(position)  # the position, in a few words
        else:
            self.noun = "move"
            self.moves = tuple(position.legal_moves)
            self.legal = list(range(len(self.moves)))
            text = brief(position)
            self.title = text if len(text) <= SHORT else type(position).__name__

    def labels(self, first: int = 1) -> list[str]:
        """The moves as people read them, by place. first: the number of a board's first column."""
        return [str(move + first if self.is_board else move) for move in self.moves]

    def listed(self, places: Sequence[int], first: int = 1) -> str:
        """Moves in words: columns 2, 4."""
        labels = self.labels(first)
        return f"{self.noun}{'s' if len(places) > 1 else ''} {', '.join(labels[place] for place in places)}"

    def params(self, params: SearchParams, name: str = "params") -> UctParams:
        """The parameters, checked. TypeError, or ValueError naming the field that can't be used here."""
        result = uct_params(params, name)
        return result if self.is_board else searchable(result)

    def measure(
        self, params: SearchParams, points: Sequence[int], seed: np.random.SeedSequence, check: Cancellation
    ) -> list[Measurement]:
        """A job: measure one growing search after each of these numbers of simulations, which ascend."""
        params, measured = params.changed(keep_tree=True), []
        search: Any = Engine(params, seed=seed) if self.is_board else GameSearch(self.position, params, seed=seed)
        for point, done in zip(points, [0, *points], strict=False):
            if self.is_board:
                result = search.search(self.position, simulations=point - done, on_progress=check, columns=False)
            else:
                for part in range(done, point, SLICE):
                    check()
                    result = search.search(simulations=min(SLICE, point - part))
            place = self.moves.index(result.column if self.is_board else result.move)
            measured.append((place, [move.value for move in result.moves], [move.visits for move in result.moves]))
        return measured


def _board_title(board: Board) -> str:
    """ "empty 7x6", "after 4453 on 7x6", "7x6 with 30 discs"; the winning length only if it is not four."""
    rules = board.rules
    size = f"{rules.width}x{rules.height}" if rules.connect == 4 else f"{rules.width}x{rules.height}x{rules.connect}"
    size += "" if rules.diagonals else " without diagonals"
    if not board.ply:
        return f"empty {size}"
    if len(board.moves) == board.ply <= SHORT and rules.width <= PONS_COLUMNS:
        return f"after {board.to_pons()} on {size}"
    return f"{size} with {counted(board.ply, 'disc')}"


# exact scores


def scores_of(
    board: Board, max_nodes: int | None, seed: np.random.SeedSequence, check: Cancellation
) -> tuple[int | None, ...] | None:
    """A job: the exact scores of all columns; None if they are not known after `max_nodes` positions."""
    solved = solve(board, max_nodes=max_nodes, on_progress=check).columns
    assert solved is not None
    return solved if all(solved[column] is not None for column in board.legal_columns) else None


def require_solvable(board: Board, name: str, instead: str) -> None:
    """ValueError for boards of more than 64 bits, which are rarely solved in time. instead: what the caller can do."""
    if not fits_word(board.rules):
        raise ValueError(f"{name} must {instead}: a board of {board.rules} is too large to be solved")


def rewards_of(scores: Sequence[int | None], params: SearchParams) -> npt.NDArray[np.float64]:
    """The exact rewards of the columns: float64 of shape (width,), NaN for full ones."""
    win, draw, loss = params.rewards
    return np.array([np.nan if score is None else (draw, win, loss)[np.sign(score)] for score in scores])


# arguments


def counts(name: str, values: object) -> npt.NDArray[np.int64]:
    """Whole numbers of at least 1, sorted, without duplicates. TypeError, ValueError."""
    items = members(name, values, "whole numbers", MAX_POINTS, least=1)
    numbers = [positive(name, value, MAX_COUNT) for value in items]
    return np.unique(np.array(numbers, dtype=np.int64))


def by_name(name: str, values: Any, default: str) -> dict[str, Any]:
    """A mapping of names to values as a dict; any other value gets the name `default`. TypeError, ValueError."""
    if not isinstance(values, Mapping):
        return {default: values}
    if not values:
        raise ValueError(f"{name} must be at least one")
    for key in values:
        string(f"{name}: a name", key)
    return dict(values)


def run_jobs(
    experiment: Callable[..., object],
    jobs: Sequence[SeededJob],
    options: WorkOptions,
    players: Mapping[str, Callable[[], Player]] | None = None,
    /,
    **arguments: Any,
) -> tuple[list[Any], dict[str, Any]]:
    """Run the jobs of an experiment; return their results in order, and the arguments with the seed.

    experiment: the function that the user calls. arguments: with its name, and the code of the players by name and of
    the games, they identify the work in a checkpoint.

    TypeError for wrong options; ValueError for a Game whose repr, which a checkpoint holds, does not tell its position.
    """
    check_keywords(experiment, options, WorkOptions)
    is_kept = options.get("checkpoint") is not None
    code: dict[str, str] = {}

    def plain(value: Any) -> Any:
        if isinstance(value, Start) and not value.is_board:
            code[type(value.position).__name__] = digest_of(type(value.position))
        return _plain(value)

    identity = json.loads(json.dumps(arguments, default=plain)) if is_kept else {}
    if is_kept:
        code |= {name: identity_of(name, make) for name, make in (players or {}).items()}
        identity["code"] = code
    with Store(options.get("checkpoint"), experiment.__name__, identity, options.get("seed")) as store:
        results = perform(store, jobs, **options)
    start = arguments.get("board")
    position = {"board": start.position, "moves": start.moves} if isinstance(start, Start) else {}
    return results, arguments | position | {"seed": store.seed}


def _plain(value: Any) -> Any:
    """An argument in JSON types, as checkpoints hold it. ValueError."""
    if isinstance(value, Start):
        kind: Any = type(value.position)
        if kind.__repr__ is object.__repr__:
            raise ValueError(
                f"checkpoint: {kind.__name__} needs a __repr__ that tells its position, so that it is recognised"
            )
        return value.position.to_fen() if value.is_board else f"{kind.__module__}: {value.position!r}"
    if isinstance(value, Rules):
        return asdict(value)
    return value.to_dict() if isinstance(value, SearchParams) else value.tolist()
