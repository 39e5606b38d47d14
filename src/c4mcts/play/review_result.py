"""Review, MoveReview: what each move of a game was worth, as data and as a picture.

A *half point* is the difference between a win and a draw, or between a draw and a loss.

The picture has the final board, the course of the game, and both players' accuracy. The graph shows after each move who
wins with best play: the first player in the upper band, the second in the lower one, nobody in the middle one; and the
sooner, the farther from the middle. Moves that changed the result have a mark and the number of their column.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import isnan, nan
from statistics import fmean
from typing import Any, Literal

from .._files import json_types
from ..board.board import Board
from ..board.svg import EDGES, FILLS, INK, PALE_INK, RING, TRACK, extent, framed
from ..solver.solution import sign

Kind = Literal["only", "best", "good", "inaccuracy", "mistake", "missed win", "blunder"]

# What people see first, whatever the scores: a win in one move that was not taken, a threat to win at once that was not
# stopped, a disc on top of which the opponent wins.
Oversight = Literal["overlooked win", "unblocked threat", "disc under a win"]

# The kinds that change the result, or go with an oversight.
CHANGES: tuple[Kind, ...] = ("mistake", "missed win", "blunder")

# of the picture
WIDTH, HEIGHT = 860, 380
MARGIN = 24
TITLE = 40  # y coordinate of the title
BOARD_WIDTH, BOARD_TOP = 270, 64
LEFT, RIGHT = 400, WIDTH - MARGIN  # of the graph
TOP, BOTTOM = 70, 270
MIDDLE, HALF = (TOP + BOTTOM) / 2, (BOTTOM - TOP) / 2
BAND = HALF / 3  # half the height of the band of draws
LEAST = 0.5  # how far from the middle the least win lies, as a share of half the height; as in graph.js of the page
TINTS = ("#fff4cc", "#f1f1ee", "#fde2e6")  # behind the bands: the first player wins, draws, the second one wins
MARKS = {"inaccuracy": "?!", "mistake": "?", "missed win": "?", "blunder": "??"}
PLURALS = {"inaccuracy": "inaccuracies", "mistake": "mistakes", "missed win": "missed wins", "blunder": "blunders"}
BAR = 160  # width of an accuracy of 100 %
NAMES = ("yellow", "red")


@dataclass(frozen=True, slots=True)
class MoveReview:
    """One move of a game. Scores and values are for the player who made it; scores as in Solution, values in [0, 1]."""

    ply: int  # discs on the board before the move
    player: int  # 0 moves first
    column: int
    best: tuple[int, ...]  # the best columns
    score_before: int | None  # of the best column; None where the position could not be solved
    score_after: int | None  # of the column played
    value_before: float  # 0 for a loss, 0.5 for a draw, 1 for a win; the search's where there is no score
    value_after: float
    kind: Kind
    # The columns that keep the result, the best among them; where it was searched, only those.
    keeping: tuple[int, ...] = ()
    line: tuple[int, ...] = ()  # what should have been played instead of a move that changed the result
    refutation: tuple[int, ...] = ()  # how the opponent punishes such a move: best play of both sides after it
    oversight: Oversight | None = None

    @property
    def is_exact(self) -> bool:
        """Whether the kind follows from exact scores."""
        return self.score_before is not None

    @property
    def lost_half_points(self) -> int:
        """0, 1 or 2."""
        return round(2 * (self.value_before - self.value_after)) if self.is_exact else 0

    @property
    def accuracy(self) -> float:
        """From 0 to 1, see Review.accuracy."""
        if self.score_before is None or self.score_after is None:
            return 1 - max(0.0, self.value_before - self.value_after)
        if self.lost_half_points:
            return 1 - self.lost_half_points / 2
        return 1 - min(self.score_before - self.score_after, 10) / 20


@dataclass(frozen=True, slots=True)
class Review:
    """The review of a game."""

    board: Board  # the end of the game, with its moves
    moves: tuple[MoveReview, ...]

    @property
    def is_exact(self) -> bool:
        """Whether all scores are exact; False where a search had to stand in."""
        return all(move.is_exact for move in self.moves)

    @property
    def exact_from(self) -> int:
        """The ply from which on all scores are exact, 0 for the empty board; that of the end if the last is not."""
        start = self.board.ply - len(self.moves)
        return max((move.ply + 1 for move in self.moves if not move.is_exact), default=start)

    def accuracy(self, player: int) -> float:
        """The mean accuracy of a player's moves in percent; NaN without moves.

        A move that loses half a point has 50 %, one that loses a whole point 0 %. Of those that keep the result, the
        best have 100 %, and others 5 % less for each point of score, at least 50 %. Where the search replaces the
        solver, it is 100 % minus the difference to the value of the best move.
        """
        accuracies = [move.accuracy for move in self.moves if move.player == player]
        return 100 * fmean(accuracies) if accuracies else nan

    def lost_half_points(self, player: int) -> int:
        """How many half points a player's moves have lost."""
        return sum(move.lost_half_points for move in self.moves if move.player == player)

    def counts(self, player: int) -> dict[Kind, int]:
        """How many of a player's moves are of each kind; kinds without moves are left out."""
        kinds = [move.kind for move in self.moves if move.player == player]
        return {kind: kinds.count(kind) for kind in Kind.__args__ if kind in kinds}  # type: ignore[attr-defined]

    @property
    def turning_points(self) -> tuple[MoveReview, ...]:
        """The moves that changed the result, or overlooked a win, a threat, or a cell under a win."""
        return tuple(move for move in self.moves if move.kind in CHANGES)

    def to_dict(self) -> dict[str, Any]:
        """Numbers, strings, lists and None, ready for JSON."""
        return {
            "start": self.board.start.to_fen(),
            "board": self.board.to_fen(),
            "exact": self.is_exact,
            "exact_from": self.exact_from,
            "moves": json_types(self.moves),
            "players": [
                {
                    "accuracy": None if isnan(self.accuracy(player)) else self.accuracy(player),
                    "lost_half_points": self.lost_half_points(player),
                    "counts": self.counts(player),
                }
                for player in (0, 1)
            ],
        }

    def svg(self, size: int | None = None) -> str:
        """A picture: the final board, the graph of the game, both accuracies. TypeError, ValueError.

        size: its width in pixels, by default 860.
        """
        board_width, _ = extent(self.board)
        texts = [
            f'<text x="{MARGIN}" y="{TITLE}" font-size="20" font-weight="bold">{headline(self)}</text>',
            *bands(),
            *course(self),
            *_player_rows(self),
        ]
        return framed(
            self.board,
            texts,
            width=WIDTH,
            height=HEIGHT,
            at=(MARGIN, BOARD_TOP),
            size=size,
            title=f". {', '.join(f'{NAMES[player]} {percent(self, player)}' for player in (0, 1))}",
            scale=BOARD_WIDTH / board_width,
        )

    def _repr_svg_(self) -> str:
        return self.svg()


def headline(review: Review) -> str:
    """How the game ended."""
    outcome = review.board.outcome()
    plies = len(review.moves)
    if outcome is None:
        return f"Unfinished after {plies} moves"
    if outcome.winner is None:
        return f"A draw after {plies} moves"
    return f"{NAMES[outcome.winner].capitalize()} won in {plies} moves"


def percent(review: Review, player: int) -> str:
    accuracy = review.accuracy(player)
    return "no moves" if isnan(accuracy) else f"{accuracy:.0f} %"


def bands() -> list[str]:
    edges = (TOP, MIDDLE - BAND, MIDDLE + BAND, BOTTOM)
    parts = []
    for (top, bottom), tint, words in zip(pairwise(edges), TINTS, ("yellow wins", "draw", "red wins"), strict=True):
        parts += [
            f'<rect x="{LEFT}" y="{top:.1f}" width="{RIGHT - LEFT}" height="{bottom - top:.1f}" fill="{tint}"/>',
            f'<text x="{LEFT - 8}" y="{(top + bottom) / 2 + 4:.1f}" fill="{PALE_INK}" text-anchor="end">{words}</text>',
        ]
    return parts


def course(review: Review) -> list[str]:
    """The line of the graph, a disc for each move, and the marks."""
    if not review.moves:
        return []
    highest = review.board.rules.cells / 2
    step = (RIGHT - LEFT - 24) / len(review.moves)
    first, every = review.moves[0], 1 if step > 14 else 5
    points = [(LEFT + 12.0, height(first.score_before, first.value_before, first.player, highest))]
    discs, columns = [], []
    for i, move in enumerate(review.moves):
        x, y = LEFT + 12 + step * (i + 1), height(move.score_after, move.value_after, move.player, highest)
        points.append((x, y))
        discs += disc(move, x, y)
        if i % every == 0 or move.kind in CHANGES:
            bold = f' font-weight="bold" fill="{INK}"' if move.kind in CHANGES else ""
            columns.append(f'<text x="{x:.1f}" y="{BOTTOM + 16}"{bold}>{move.column + 1}</text>')
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    drawn = f'<polyline points="{line}" fill="none" stroke="{INK}" stroke-width="2" stroke-linejoin="round"/>'
    return [drawn, *discs, f'<g font-size="11" fill="{PALE_INK}" text-anchor="middle">', *columns, "</g>"]


def height(score: int | None, value: float, player: int, highest: float) -> float:
    """The y coordinate of a score, or else of a value, for that player."""
    side = 1 if player == 0 else -1
    return MIDDLE - side * (2 * value - 1 if score is None else score_height(score, highest)) * HALF


def score_height(score: int, highest: float) -> float:
    """The height of a score in the graph, in [-1, 1]. highest: the highest score of such a board."""
    return sign(score) * (LEAST + (1 - LEAST) * min(abs(score) / highest, 1))


def disc(move: MoveReview, x: float, y: float) -> list[str]:
    """A disc in the colour and shape of the player, with a mark if the move was not good."""
    mark = MARKS.get(move.kind)
    radius = 7 if move.kind in CHANGES else 5
    parts = [
        f"<g><title>{NAMES[move.player]} {move.column + 1}: {move.kind}</title>",
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{FILLS[move.player]}" stroke="{EDGES[move.player]}"/>',
    ]
    if move.player == 1:
        ring = f'r="{radius - 2.5}" fill="none" stroke="{RING}" stroke-width="1.5"'
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" {ring}/>')
    if mark is not None:
        above = y - 11 if y > TOP + 24 else y + 22
        parts.append(f'<text x="{x:.1f}" y="{above:.1f}" text-anchor="middle" font-weight="bold">{mark}</text>')
    return [*parts, "</g>"]


def _player_rows(review: Review) -> list[str]:
    parts = []
    for player in (0, 1):
        y = BOTTOM + 50 + 30 * player
        accuracy = review.accuracy(player)
        share = 0.0 if isnan(accuracy) else accuracy / 100
        counts = review.counts(player)
        bad = [f"{n} {kind if n == 1 else PLURALS[kind]}" for kind, n in counts.items() if kind in MARKS]
        parts += [
            f'<text x="{LEFT - 8}" y="{y}" text-anchor="end">{NAMES[player]}</text>',
            f'<rect x="{LEFT}" y="{y - 11}" width="{BAR}" height="14" rx="3" fill="{TRACK}"/>',
            f'<rect x="{LEFT}" y="{y - 11}" width="{BAR * share:.1f}" height="14" rx="3" '
            f'fill="{FILLS[player]}" stroke="{EDGES[player]}"/>',
            f'<text x="{LEFT + BAR + 10}" y="{y}" font-weight="bold">{percent(review, player)}</text>',
            f'<text x="{LEFT + BAR + 62}" y="{y}" fill="{PALE_INK}">{", ".join(bad) or "no mistakes"}</text>',
        ]
    if not review.is_exact:
        words = "estimated by search"
        if review.exact_from < review.board.ply:
            words += f" before move {review.exact_from - review.moves[0].ply + 1}"
        parts.append(f'<text x="{RIGHT}" y="{TITLE}" text-anchor="end" fill="{PALE_INK}">{words}</text>')
    return parts
