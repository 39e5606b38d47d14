"""The result of a search: the move to play and statistics of all moves, as data, as a table and as a picture.

In the picture the board has bars for values and visits above its columns. No information is in colour alone: every bar
has its number, and the best column has an arrow, a tinted background and bold type. Bars of values are scaled from 0 to
1, bars of visits to the most visited column.
"""

from dataclasses import dataclass, replace
from typing import Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from .._backend import load
from .._hints import ExplainsNames
from .._layout import Settings
from .._validation import counted, not_negative, whole_number
from ..board.board import Board
from ..board.svg import TRACK, best_marks, column_centre, framed_rows, heading
from ..errors import IllegalMoveError
from ..solver.solution import Solution, column_scores, verdict_lines
from ..solver.verdict import AT_MOST, Judged, Verdict
from .root_moves import MoveStats, RootMoves, best_first, exact_value, position_verdict

BAR = 28  # width of a bar
# y coordinates: proofs in two lines, values and visits from their numbers to the end of their bars, arrow, board
PROOFS = 70
VALUES, VALUES_END = 106, 166
VISITS, VISITS_END = 190, 226
ARROW, BOARD = 240, 254

_POSITION = ("board", "column", "value", "root_value", "proof", "distance", "bound")
JSON_KEYS = (*_POSITION, "simulations", "nodes", "seconds", "pv", "moves")
VALUE, PROVEN, SHARE = "#2a66b8", "#12305c", "#7c8697"


@dataclass(frozen=True, slots=True, repr=False)
class SearchResult(ExplainsNames, Judged):
    """The move to play, and the statistics behind it; values are in [0, 1] for the player to move at the root.

    `verdict` gives `proof`, `distance` and `bound`, also of each move.

    A principal variation is the line that the search expects. If the distance is exact, it is best play, and leads to
    the end of the game, unless that would take long to find: then it has fewer than `distance` moves.
    """

    board: Board  # the root; a copy
    column: int  # the move, 0-based
    value: float | None  # mean reward of that move, the win rate with draws as halves; None if it was never tried
    root_value: float | None  # mean reward of the position, all moves together; None before the first simulation
    verdict: Verdict  # of the root
    simulations: int  # made by this call; the tree may hold more from earlier ones
    nodes: int  # in the tree, children without visits included
    seconds: float  # wall clock
    pv: tuple[int, ...]  # principal variation: the move and the best replies
    moves: tuple[MoveStats, ...]  # every legal column, or each of root_moves, in order

    def move(self, column: SupportsIndex) -> MoveStats:
        """The statistics of a searched column, 0-based. IllegalMoveError for any other; TypeError."""
        column = whole_number("column", column)
        for move in self.moves:
            if move.column == column:
                return move
        self.board.copy().push(column)  # raises, and says why
        raise IllegalMoveError(f"column {column} is not one of the root_moves")

    def policy(self, temperature: float = 1.0) -> npt.NDArray[np.float64]:
        """Probabilities of the columns: float64 of shape (width,), sum 1, 0 for illegal columns.

        A training target for networks, in proportion to visits ** (1 / temperature), or to the `weight` of moves that
        have one instead of their visits: with GumbelParams or forced_visits, and after one simulation with an
        evaluator, whose priors they then are. Temperature 0 shares everything equally among the most visited columns;
        infinity gives all legal columns the same, and so does a tree without visits. Once a position is
        proven visits no longer count: its best columns get equal shares at any temperature. Columns that are proven
        lost get nothing as long as there are others.
        """
        temperature, weights = not_negative("temperature", temperature), [0.0] * len(self.moves)
        columns = [move.column for move in self.moves]
        weighed = [move if move.weight is not None else move._replace(weight=move.visits) for move in self.moves]
        is_proven, chosen = self.proof is not None, columns.index(self.column)
        load("pure").moves.weigh(weighed, len(weighed), is_proven, chosen, temperature, weights)
        shares = np.zeros(self.board.rules.width)
        shares[columns] = np.array(weights) / sum(weights)
        return shares

    def to_dict(self) -> dict[str, Any]:
        """Numbers, strings, lists and None, ready for JSON; the board as FEN."""
        converted = {
            "board": self.board.to_fen(),
            "pv": list(self.pv),
            "moves": [move.to_dict() for move in self.moves],
        }
        return {name: getattr(self, name) for name in JSON_KEYS} | converted

    def __repr__(self) -> str:
        return f"<c4mcts.SearchResult {headline(self)}>"

    def __str__(self) -> str:
        """A table for people: a headline, then a line for each column, the best first; columns count from 0."""
        return result_text(self)

    def svg(self, size: int | None = None) -> str:
        """A picture. size: its width in pixels; by default about 48 per column, at most 960."""
        rows = {"result": PROOFS, "value": VALUES, "visits": VISITS}
        best = f"column {self.column + 1}, {verdict_or_value(self, '≤')}"
        count = counted(self.simulations, "simulation")
        said = " ".join(f"{_move_text(self, move)}." for move in best_first(self.moves, self.column))
        texts = [*heading(self.board, best, count, rows)]
        for move in self.moves:
            texts += column_parts(self, move)
        message = {"title": f"; best is {best}", "description": f"{count}. For the player to move: {said}"}
        return framed_rows(self.board, texts, top=BOARD, size=size, **message)

    _repr_svg_ = svg  # in notebooks


def decided(
    board: Board, root: RootMoves, moves: tuple[MoveStats, ...], settings: Settings, random_bits: int, **figures: Any
) -> SearchResult:
    """The result of a search of a position: its moves with their statistics, and the one to play.

    random_bits: 64 of them, for ties and temperature. figures: the other fields; root_value is used only if nothing is
    proven.
    """
    best = moves[root.choose(settings, random_bits)]
    verdict = position_verdict(moves)
    if verdict.proof is not None:
        figures["root_value"] = exact_value(verdict.proof, settings)
    return SearchResult(board, best.column, best.value, verdict=verdict, pv=best.pv, moves=moves, **figures)


def with_solution(result: SearchResult, solution: Solution) -> SearchResult:
    """A result with the scores of the solver, by which the move is chosen; values, visits and lines stay the search's.

    solution: of the same position, with the scores of all columns.
    """
    scores = column_scores(solution)
    moves = tuple(
        move if move.column not in scores else move._replace(lower=scores[move.column], upper=scores[move.column])
        for move in result.moves
    )
    best, verdict = best_first(moves)[0], position_verdict(moves)
    return replace(result, column=best.column, value=best.value, verdict=verdict, pv=best.pv, moves=moves)


def result_text(result: SearchResult, first: int = 0, searched: SearchResult | None = None) -> str:
    """A headline, then a line for each column.

    first: the number of the first column, 1 at the shell. searched: what the search alone says, if the result has a
    solution, too.
    """
    lines = [headline(result, first)]
    if searched is not None:
        lines.append(f"the search alone: column {searched.column + first}, {verdict_or_value(searched)}")
    lines += ["", "  column  result             visits  value  principal variation"]
    for move in best_first(result.moves, result.column):
        value = "    -" if move.value is None else f"{move.value:5.3f}"
        mark = ">" if move.column == result.column else " "
        is_cut = len(move.pv) < (move.distance or 0)  # before the end of the game
        line = " ".join([str(column + first) for column in move.pv] + ["..."] * is_cut)
        text = f"{mark} {move.column + first:6}  {move.verdict!s:<13}  {move.visits:10,}  {value}  {line}"
        lines.append(text.rstrip())
    return "\n".join(lines)


def headline(result: SearchResult, first: int = 0) -> str:
    nodes = counted(result.nodes, "node")
    return f"column {result.column + first}, {verdict_or_value(result)}, {effort_text(result)}, {nodes}"


def verdict_or_value(result: SearchResult, at_most: str = AT_MOST) -> str:
    """The proven result in words; otherwise the search's value: "value 0.532"."""
    value = "unknown" if result.value is None else f"{result.value:.3f}"
    return result.verdict.text(at_most) or f"value {value}"


def effort_text(result: SearchResult) -> str:
    return f"{counted(result.simulations, 'simulation')} in {result.seconds:.2f} s"


def _move_text(result: SearchResult, move: MoveStats) -> str:
    verdict = move.verdict.text("≤") or f"value {value_text(move)}"
    return f"column {move.column + 1}: {verdict}, {percent(result, move)} of the visits"


def value_text(move: MoveStats) -> str:
    """A value with two digits, or a dash for a move that was never visited."""
    return "-" if move.value is None else f"{move.value:.2f}"


def percent(result: SearchResult, move: MoveStats) -> str:
    """A move's share of all visits, in percent."""
    return f"{100 * move.visits / max(sum(each.visits for each in result.moves), 1):.0f}%"


def column_parts(result: SearchResult, move: MoveStats) -> list[str]:
    """Bars and numbers of a column, with a tooltip."""
    x = column_centre(move.column)
    best = move.column == result.column
    parts = ['<g font-weight="bold">' if best else "<g>", f"<title>{_move_text(result, move)}</title>"]
    if best:
        parts += best_marks(move.column, PROOFS - 16, ARROW)
    parts += _bar_parts(x, VALUES, VALUES_END, value_text(move), move.value or 0.0, PROVEN if move.proof else VALUE)
    highest = max(*(each.visits for each in result.moves), 1)
    parts += _bar_parts(x, VISITS, VISITS_END, percent(result, move), move.visits / highest, SHARE)
    return [*parts, *verdict_lines(move.verdict, x, PROOFS), "</g>"]


def _bar_parts(x: int, top: int, end: int, label: str, part: float, colour: str) -> list[str]:
    """A label, and below it a bar that is filled to the share `part`; x: the centre of both."""
    height = end - top - 5
    filled = round(height * part, 1)
    left = x - BAR // 2
    return [
        f'<text x="{x}" y="{top}">{label}</text>',
        f'<rect x="{left}" y="{end - height}" width="{BAR}" height="{height}" fill="{TRACK}"/>',
        f'<rect x="{left}" y="{end - filled}" width="{BAR}" height="{filled}" fill="{colour}"/>',
    ]
