"""examine: a player's answers to 100 positions with exact scores, by theme; and the moves of its games, graded alike.

The questions are frozen, so that certificates can be compared. In each of them one move keeps the result, and all
others lose a win or a draw.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal, get_args

from .._files import json_types
from .._validation import an_instance, members, nothing
from ..board.board import Board
from ..errors import PlayerError
from ..seeds import sequence
from .arena import Terms
from .game_files import SavedGame, read_game
from .played_game import End
from .player import AnyPlayer
from .player_specs import Contestant, contestant
from .ratings import wilson
from .review import CHANGES, NAMES, MoveReview, Reviewer, review
from .seats import Forfeit

Theme = Literal["win", "block", "double threat", "zugzwang", "opening", "other"]
THEMES: tuple[Theme, ...] = get_args(Theme)
QUESTIONS = Path(__file__).with_name("exam.txt")  # made by tools/exam_questions.py
OPENING_PLIES = 8  # discs of a position of the opening, at most
NO_MOVE = "no legal move"
MOST_GAMES = 1 << 20


@dataclass(frozen=True, slots=True)
class ExamAnswer:
    """A move, and its worth."""

    theme: Theme
    move: MoveReview | None  # None without a legal move
    reason: str = ""  # why there is none

    @property
    def error(self) -> str:
        """An oversight, or the kind of a move that changes the result; empty if the move is right."""
        if self.move is None:
            return NO_MOVE
        return (self.move.oversight or self.move.kind) if self.move.kind in CHANGES else ""


@dataclass(frozen=True, slots=True)
class ExamCertificate:
    """The answers of a player. `print` shows a table."""

    player: str
    answers: tuple[ExamAnswer, ...]

    @property
    def errors(self) -> Counter[str]:
        """How many answers have each kind of error."""
        return Counter(answer.error for answer in self.answers if answer.error)

    def rows(self) -> list[dict[str, Any]]:
        """For each theme, and for all together: right answers, questions, and the 95 % interval of the share."""
        result = []
        for theme in (*THEMES, "all"):
            errors = [answer.error for answer in self.answers if theme in (answer.theme, "all")]
            if errors:
                right = errors.count("")
                low, high = wilson(right, len(errors)).tolist()
                result.append({"theme": theme, "right": right, "questions": len(errors), "low": low, "high": high})
        return result

    def to_dict(self) -> dict[str, Any]:
        """Everything, ready for JSON; columns count from 0."""
        answers = json_types(self.answers)
        return {"player": self.player, "themes": self.rows(), "errors": self.errors, "answers": answers}

    def __str__(self) -> str:
        lines = [f"{self.player}", f"{'theme':<13}  {'right':>10}  95 % interval"]
        for row in self.rows():
            share = f"{row['right']} of {row['questions']}"
            lines.append(f"{row['theme']:<13}  {share:>10}  {row['low']:.0%} to {row['high']:.0%}")
        errors = ", ".join(f"{count} x {name}" for name, count in self.errors.most_common())
        return "\n".join([*lines, f"errors: {errors or 'none'}"])


def theme_of(board: Board) -> Theme:
    """The theme of a position at first sight. Double threats and zugzwang are known of puzzles only."""
    if board.winning_columns():
        return "win"
    return "block" if board.threatened_columns() else "opening" if board.ply <= OPENING_PLIES else "other"


@cache
def questions() -> tuple[tuple[Board, Theme], ...]:
    """The positions of the exam, on the usual board, with their themes."""
    games = map(read_game, QUESTIONS.read_text(encoding="utf-8").splitlines())
    return tuple((game.board, game.headers["theme"]) for game in games)


def examine(player: AnyPlayer | Contestant, *, seed: int = 1, seconds: float | None = None) -> ExamCertificate:
    """Ask a player for its move in each of the 100 positions, and grade the answers by the solver.

    player: as for c4mcts.play.play_tournament. seed: question i gets the i-th child of its SeedSequence. seconds: for
    a move; a player with a limit has a process of its own, as with play.Terms. An exception, an illegal move or a late
    one is an error of this answer, and its reason is kept.

    Raises PlayerError if the player makes no legal move at all.
    """
    one, seeds, terms = contestant(player), sequence(seed), Terms(move_seconds=seconds)
    seat, answers = terms.seat(one.make, nothing), []
    for board, theme in questions():
        board = board.copy()
        try:
            seat.answer(board, seeds.spawn(1)[0])
            answers.append(ExamAnswer(theme, Reviewer(board).step()))
        except Forfeit as error:
            answers.append(ExamAnswer(theme, None, str(error)))
    if all(answer.move is None for answer in answers):
        raise PlayerError(f"player {one.name} makes no legal move: {answers[0].reason}")
    return ExamCertificate(one.name, tuple(answers))


def grade_moves(games: Iterable[SavedGame]) -> list[ExamCertificate]:
    """Grade all moves of games, for each player by name; without names they are yellow and red.

    Moves of an opening, which nobody chose, are left out. A forfeit counts as an answer without a move.
    """
    by_player: dict[str, list[ExamAnswer]] = {}
    for game in members("games", games, "a list of SavedGame", MOST_GAMES):
        an_instance("games", game, SavedGame, "a list of SavedGame")
        names = [game.headers.get(side) or name for side, name in zip(("first", "second"), NAMES, strict=True)]
        end = game.board
        boards = [*accumulate(end.moves, Board.after, initial=end.start)]
        for board, move in zip(boards[game.opening :], review(end, opening=game.opening).moves, strict=False):
            by_player.setdefault(names[move.player], []).append(ExamAnswer(theme_of(board), move))
        if game.headers.get("end") == End.FORFEIT and game.winner is not None:
            reason = str(game.headers.get("reason", ""))
            by_player.setdefault(names[1 - game.winner], []).append(ExamAnswer(theme_of(end), None, reason))
    return [ExamCertificate(name, tuple(answers)) for name, answers in by_player.items()]
