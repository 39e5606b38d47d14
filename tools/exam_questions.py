"""Makes src/c4mcts/play/exam.txt, the questions of `c4mcts exam`: python tools/exam_questions.py

They are frozen: certificates of different players, and of different days, are to be compared. Each is a position from a
game of levels with exactly one move that keeps the result, confirmed by the solver. No two are equal or mirror images.
"""

from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path

from make_puzzles import MAX_NODES, only_move

from c4mcts import Board
from c4mcts.play import puzzles
from c4mcts.play.exam import THEMES, Theme, theme_of
from c4mcts.play.game_files import line_of
from c4mcts.play.puzzles import Puzzle
from c4mcts.solver.solver import Solver

OUT = Path(__file__).parents[1] / "src" / "c4mcts" / "play" / "exam.txt"
COUNT = 20  # of each theme
FIRST = 2  # plies of a question


def candidates(puzzle: Puzzle) -> Iterator[tuple[Board, Theme]]:
    """The positions of a puzzle's game and of its best line, with their themes."""
    boards = [*accumulate((*puzzle.moves, *puzzle.line[:-1]), Board.after, initial=Board())]
    for board in boards[FIRST:]:
        if board == puzzle.board:
            for theme in ("double threat", "zugzwang"):
                if theme in puzzle.themes and board.ply >= 12:
                    yield board, theme
        elif (theme := theme_of(board)) != "other":
            yield board, theme


def main() -> None:
    solver, seen = Solver(), set[Board]()
    chosen: dict[Theme, list[str]] = {theme: [] for theme in THEMES[:-1]}
    step = 7  # through the puzzles, which are in the order of their levels
    for place in range(500):
        games = set[Theme]()  # one question of a theme from a game
        for board, theme in candidates(puzzles()[place * step % 500]):
            if theme in games or len(chosen[theme]) == COUNT or {board, board.mirror()} & seen:
                continue
            column = only_move(solver.solve(board, max_nodes=MAX_NODES))
            if column is not None:
                games.add(theme)
                seen.add(board)
                chosen[theme].append(line_of(board.to_pons(), {"theme": theme, "answer": column + 1}))
    OUT.write_text("".join(line for lines in chosen.values() for line in lines), encoding="utf-8")
    print({theme: len(lines) for theme, lines in chosen.items()})


if __name__ == "__main__":
    main()
