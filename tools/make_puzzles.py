"""Makes src/c4mcts/play/puzzles.txt, the puzzles of `c4mcts puzzles`: python tools/make_puzzles.py

They are positions from games of the levels against each other. The same seed makes the same puzzles, in 4 minutes.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate, zip_longest

import numpy as np

from c4mcts import Board, Solution, Solver
from c4mcts.board.notation import write_moves
from c4mcts.board.threats import zugzwang_after
from c4mcts.play import LEVELS, LevelPlayer, Puzzle, play_game
from c4mcts.play.game_files import line_of
from c4mcts.play.puzzles import SHIPPED, THEMES, Theme
from c4mcts.solver.solution import column_scores
from c4mcts.solver.verdict import plies_of, sign

COUNT, GAMES, SEED = 500, 4000, 1
FIRST_PLY = 6  # of a puzzle
LEAST_CHOICE = 4  # columns to choose from
APART = 4  # plies between two puzzles of one game
MAX_NODES = 100_000  # of a position that is solved: each puzzle can be checked in milliseconds
DRAW_PLIES = 8  # of the line of a draw
PLAYERS = range(2, 10)  # the levels that play the games
TRIALS, HITS = 8, 6  # how often a level tries a puzzle, and how often it must find the move


def make_puzzles(count: int = COUNT, games: int = GAMES, seed: int = SEED) -> list[Puzzle]:
    """Find puzzles in games of levels against each other, at most `count`, the easiest first.

    As far as the games have such positions, all levels and all combinations of themes have the same share. Mirror
    images count as one position.
    """
    result: dict[tuple[int, int], Puzzle] = {}
    players = [LevelPlayer(level.number) for level in LEVELS]
    for game in np.random.SeedSequence(seed).spawn(games):
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


def line(puzzle: Puzzle) -> str:
    """The line of the file."""
    headers = {"line": list(puzzle.line), "depth": puzzle.depth, "level": puzzle.level, "themes": list(puzzle.themes)}
    return line_of(write_moves(puzzle.moves, puzzle.board.rules), headers)


if __name__ == "__main__":
    SHIPPED.write_text("".join(map(line, make_puzzles())), encoding="utf-8")
