"""Puzzles: positions of games with exactly one right move, checked by the solver and graded.

>>> from c4mcts.play import puzzles
>>> puzzle = puzzles()[0]
>>> puzzle.column == puzzle.line[0]
True

What a theme says is certain. `win` and `draw` say what the right move keeps; the others, of which a puzzle may have
several, describe the line of best play:

- double threat: the loser must stop two winning moves at once.
- stacked threats: stopping a winning move allows another one on top of it.
- zugzwang: nothing is threatened, but each move of the loser allows a winning one on top of it; in an odd row, counted
  from 1, that is an odd threat, in an even row an even threat.
- forced replies: each move of the winner threatens to win at once.
- quiet move: the right move does not.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, zip_longest
from pathlib import Path
from typing import Literal, get_args

import numpy as np

from .. import _files
from .._validation import between, callback, naming, positive, string, word
from ..board.board import Board
from ..board.notation import write_moves
from ..board.threats import zugzwang_after
from ..solver.solution import Solution, column_scores
from ..solver.solver import Solver
from ..solver.verdict import plies_of, sign
from .arena import play_game
from .game_files import encoded, line_of, read_game
from .levels import LEVELS, LevelPlayer

Theme = Literal[
    "win",
    "draw",
    "double threat",
    "stacked threats",
    "zugzwang",
    "odd threat",
    "even threat",
    "forced replies",
    "quiet move",
]
THEMES: tuple[Theme, ...] = get_args(Theme)

COUNT, GAMES, SEED = 500, 4000, 1  # of the puzzles in the package
SHIPPED = Path(__file__).with_name("puzzles.txt")
FIRST_PLY = 6  # of a puzzle
LEAST_CHOICE = 4  # columns to choose from
APART = 4  # plies between two puzzles of one game
MAX_NODES = 100_000  # of a position that is solved: each puzzle can be checked in milliseconds
DRAW_PLIES = 8  # of the line of a draw
PLAYERS = range(2, 10)  # the levels that play the games
TRIALS, HITS = 8, 6  # how often a level tries a puzzle, and how often it must find the move


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position with exactly one right move: one column wins, or one column draws and all others lose.

    Neither player can win with the next disc, so that there is something to find.
    """

    moves: tuple[int, ...]  # of the game, which lead to the position
    line: tuple[int, ...]  # best play from there: to the end of the game if it is won, otherwise its first 8 moves
    depth: int  # plies to look ahead: to the win, or to the end after the best of the moves that lose
    level: int  # the weakest from which all levels find the move in 6 of 8 trials
    themes: tuple[Theme, ...]  # in the order of THEMES

    @property
    def board(self) -> Board:
        """The position, with its moves."""
        return Board.from_moves(self.moves)

    @property
    def column(self) -> int:
        """The right move."""
        return self.line[0]

    @property
    def rating(self) -> int:
        """The Elo rating of the level."""
        return LEVELS[self.level - 1].rating

    def to_line(self) -> str:
        """The line of a file, which `read_puzzles` reads, and `read_game` reads as a game."""
        headers = {"line": list(self.line), "depth": self.depth, "level": self.level, "themes": list(self.themes)}
        return line_of(write_moves(self.moves, self.board.rules), headers)


@cache
def puzzles() -> tuple[Puzzle, ...]:
    """The puzzles in the package, the easiest first, as `c4mcts puzzles --make 500 --seed 1` makes them."""
    return tuple(read_puzzles(SHIPPED))


def read_puzzles(path: _files.StrPath) -> list[Puzzle]:
    """The puzzles of a file that `write_puzzles` has written. OSError; ValueError naming the line."""
    data = Path(_files.path_of("path", path)).read_bytes()
    text = data.decode(_files.encoding_of(data))
    return [_read(f"line {number}", line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]


def write_puzzles(path: _files.StrPath, puzzle_list: Iterable[Puzzle]) -> None:
    """Write puzzles to a text file, one per line. OSError."""
    _files.write(_files.path_of("path", path), encoded("".join(puzzle.to_line() for puzzle in puzzle_list)))


def _read(name: str, line: str) -> Puzzle:
    with naming(f"{name} is not a puzzle: ", ValueError):
        game = read_game(line)
        columns, depth, level, themes = (game.headers.get(key) for key in ("line", "depth", "level", "themes"))
        if not (isinstance(columns, list) and columns and isinstance(themes, list)):
            raise ValueError("line and themes must be lists, and line not empty")
        moves = tuple(game.board.to_moves())
        Board.from_moves((*moves, *columns))  # that it can be played
        checked = tuple(word("themes", string("themes", each), THEMES) for each in themes)
        return Puzzle(moves, tuple(columns), positive("depth", depth), between("level", level, 1, len(LEVELS)), checked)


def make_puzzles(
    count: int = COUNT,
    *,
    games: int = GAMES,
    seed: int = SEED,
    on_progress: Callable[[int, int], object] | None = None,
) -> list[Puzzle]:
    """Find puzzles in games of levels against each other, at most `count`, the easiest first.

    games: how many are played. As far as they have such positions, all levels and all combinations of themes have the
    same share. Mirror images count as one position. The same seed gives the same puzzles. on_progress: called with the
    number of games played, and the total; an exception in it ends the work and is raised here.

    Raises TypeError or ValueError naming the argument.
    """
    count, games, seed = positive("count", count), positive("games", games), between("seed", seed, 0, 2**64 - 1)
    on_progress = callback("on_progress", on_progress)
    result: dict[tuple[int, int], Puzzle] = {}
    players = [LevelPlayer(level.number) for level in LEVELS]
    for number, game in enumerate(np.random.SeedSequence(seed).spawn(games)):
        on_progress(number, games)
        for puzzle in _puzzles_of(game, players):
            result.setdefault(min((each.own, each.mask) for each in (puzzle.board, puzzle.board.mirror())), puzzle)
    levels = [_in_turn(each for each in result.values() if each.level == level.number) for level in LEVELS]
    return sorted(_alternating(levels)[:count], key=lambda puzzle: (puzzle.level, puzzle.depth, puzzle.moves))


def _puzzles_of(seed: np.random.SeedSequence, players: Sequence[LevelPlayer]) -> list[Puzzle]:
    """The puzzles of a game of two levels, the last ones first."""
    drawn, play, trials = seed.spawn(3)
    first, second = np.random.default_rng(drawn).choice(PLAYERS, 2)
    board = play_game(*(LevelPlayer(int(level)) for level in (first, second)), seed=play).game.copy()
    solver = Solver()
    result: list[Puzzle] = []
    last = board.rules.cells
    while board.moves and board.ply > FIRST_PLY:
        board.pop()
        # there must be enough columns, and no win with the next disc
        is_open = not (board.winning_columns() or board.threatened_columns())
        if board.ply > last - APART or len(board.legal_columns) < LEAST_CHOICE or not is_open:
            continue
        solution = solver.solve(board, max_nodes=MAX_NODES)
        if solution.score is None:
            break  # earlier positions take longer
        if only_move(solution) is not None:
            line = tuple(solver.line(board, board.rules.cells if solution.score else DRAW_PLIES))
            level = _level_of(board, line[0], players, trials)
            result.append(Puzzle(board.moves, line, depth_of(solution), level, themes_of(board, line)))
            last = board.ply
    return result


def only_move(solution: Solution) -> int | None:
    """The only column that keeps a win or a draw; None if there are several, or none."""
    if solution.score is None or solution.score < 0:
        return None
    scores = column_scores(solution)
    keeping = [column for column, score in scores.items() if sign(score) == sign(solution.score)]
    return keeping[0] if len(keeping) == 1 < len(scores) else None


def depth_of(solution: Solution) -> int:
    """How many plies one must look ahead to see that the right move of a puzzle is the only one."""
    assert solution.columns is not None
    assert solution.distance is not None
    if solution.score:
        return solution.distance
    empty = solution.board.rules.cells - solution.board.ply - 1  # after the move
    return 1 + max(plies_of(-score, empty) for score in solution.columns if score)


def themes_of(board: Board, line: Sequence[int]) -> tuple[Theme, ...]:
    """The themes of a puzzle with this line of best play."""
    *positions, end = accumulate(line, Board.after, initial=board)
    won = end.result(board.turn) == 1
    result: set[Theme] = {"win" if won else "draw"}
    if len(positions) > 1 and not positions[1].threatened_columns():
        result.add("quiet move")
    if won:
        replies = [each.threatened_columns() for each in positions[1::2]]  # the loser is to move
        threat = zugzwang_after(positions[0], line)
        if threat is not None:
            result |= {"zugzwang", "odd threat" if threat.is_odd else "even threat"}
        elif len(replies[-1]) > 1:
            result.add("double threat")
        else:
            result.add("stacked threats")
        if len(replies) > 1 and all(replies):
            result.add("forced replies")
    return tuple(theme for theme in THEMES if theme in result)


def _level_of(board: Board, column: int, players: Sequence[LevelPlayer], trials: np.random.SeedSequence) -> int:
    """The weakest level from which all of them find the column often enough."""
    for player in reversed(players[:-1]):  # the last one is perfect
        hits = 0
        for number in range(TRIALS):
            player.begin(np.random.SeedSequence(trials.entropy, spawn_key=(*trials.spawn_key, board.ply, number)))
            hits += player.choose(board) == column
        if hits < HITS:
            return player.level.number + 1
    return 1


def _in_turn(puzzle_list: Iterable[Puzzle]) -> list[Puzzle]:
    """The puzzles, from all combinations of themes in turn."""
    groups: dict[tuple[Theme, ...], list[Puzzle]] = {}
    for puzzle in puzzle_list:
        groups.setdefault(puzzle.themes, []).append(puzzle)
    return _alternating(groups.values())


def _alternating(lists: Iterable[Sequence[Puzzle]]) -> list[Puzzle]:
    """The first of each list, then the second ones, and so on."""
    return [puzzle for row in zip_longest(*lists) for puzzle in row if puzzle is not None]
