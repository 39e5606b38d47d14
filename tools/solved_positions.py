"""Makes tests/data/solved_positions.csv: positions with the exact scores of all columns, for tests of searches.

    pip install bitbully==0.0.79
    python tools/solved_positions.py

The scores come from `c4mcts.solve`, each confirmed by another program: BitBully on 7 x 6, and on other boards
`exact`, which shares no code with the package. BitBully is not needed for anything else.
"""

import csv
import random
from collections.abc import Iterator
from pathlib import Path

from bitbully import BitBully
from bitbully import Board as BullyBoard

from c4mcts import Board, Rules, solve

OUT = Path(__file__).parents[1] / "tests" / "data" / "solved_positions.csv"
# rules, how many positions, the fewest discs, and the fewest empty cells
PLAN = [
    (Rules(7, 6), 1400, 6, 8),
    (Rules(7, 6, diagonals=False), 100, 28, 8),
    (Rules(6, 5), 100, 16, 8),
    (Rules(5, 7), 100, 21, 8),
    (Rules(6, 6, 5), 100, 22, 8),
    (Rules(8, 7), 100, 42, 8),  # of 64 bits
    (Rules(9, 7, 5), 100, 49, 8),  # of more
]
FASTEST = 5  # plies to the end of a decided game: what every search sees at once is no test


def drawn(rules: Rules, ply: int, chance: random.Random) -> Board | None:
    """A position after random moves that neither win nor let the opponent win at once, if there are others."""
    board = Board(rules)
    while board.ply < ply:
        moves = [column for column in board.legal_columns if column not in board.winning_columns()]
        careful = [column for column in moves if not board.after(column).winning_columns()]
        if not moves:
            return None
        board.push(chance.choice(careful or moves))
    return board


def positions(rules: Rules, number: int, plies: range, seed: int) -> Iterator[tuple[Board, tuple[int | None, ...]]]:
    """Different positions, as many won as drawn and lost ones, in which the columns have different scores."""
    chance, seen = random.Random(seed), set[Board]()
    while len(seen) < number:
        board = drawn(rules, plies[len(seen) % len(plies)], chance)
        if board is None or board in seen:
            continue
        found = solve(board, columns=False)
        outcome = (found.score > 0) - (found.score < 0)
        if outcome != len(seen) % 3 - 1 or found.distance < FASTEST:
            continue
        scores = solve(board).columns
        if len({*scores} - {None}) > 1:
            seen.add(board)
            yield board, scores


def exact(columns: tuple[str, ...], rules: Rules, low: int, high: int, known: dict[object, int]) -> int:
    """The score for the player to move, by alpha-beta search. columns: their discs, "x" and "o", the lowest first."""
    key = columns, low, high
    if key in known:
        return known[key]
    discs = sum(map(len, columns))
    disc, best = "xo"[discs % 2], -rules.cells
    for i in sorted(range(rules.width), key=lambda i: abs(2 * i - rules.width + 1)):
        if len(columns[i]) < rules.height:
            after = (*columns[:i], columns[i] + disc, *columns[i + 1 :])
            if has_line(after, i, rules):
                score = (rules.cells + 1 - discs) // 2
            else:
                score = 0 if discs + 1 == rules.cells else -exact(after, rules, -high, -max(low, best), known)
            best = max(best, score)
            if best >= high:
                break
    known[key] = best
    return best


def has_line(columns: tuple[str, ...], column: int, rules: Rules) -> bool:
    """Whether the highest disc of a column is in a winning line."""
    row = len(columns[column]) - 1
    for right, up in ((0, 1), (1, 0), (1, 1), (1, -1))[: 4 if rules.diagonals else 2]:
        length = 1
        for sign in (1, -1):
            x, y = column + sign * right, row + sign * up
            while 0 <= x < len(columns) and columns[x][y : y + 1] == columns[column][row] and y >= 0:
                length, x, y = length + 1, x + sign * right, y + sign * up
        if length >= rules.connect:
            return True
    return False


def confirm(board: Board, scores: tuple[int | None, ...], bully: BitBully) -> None:
    """AssertionError if the other program says otherwise."""
    rules = board.rules
    if rules == Rules():
        other = BullyBoard()
        assert all(other.play(column) for column in board.moves)
        found = bully.score_all_moves(other)
    else:
        discs, found = [""] * rules.width, {}
        for ply, column in enumerate(board.moves):
            discs[column] += "xo"[ply % 2]
        for column in board.legal_columns:
            after = (*discs[:column], discs[column] + "xo"[board.turn], *discs[column + 1 :])
            won = has_line(after, column, rules)
            best = (rules.cells + 1 - board.ply) // 2
            found[column] = best if won else -exact(after, rules, -rules.cells, rules.cells, {})
    assert found == {column: score for column, score in enumerate(scores) if score is not None}, board


def main() -> None:
    bully, rows = BitBully(opening_book="12-ply-dist"), []
    for seed, (rules, number, first, empty) in enumerate(PLAN):
        for board, scores in positions(rules, number, range(first, rules.cells - empty + 1), seed):
            confirm(board, scores, bully)
            moves = "".join(str(column + 1) for column in board.moves)
            sizes = rules.width, rules.height, rules.connect, int(rules.diagonals)
            rows.append((*sizes, moves, " ".join("-" if score is None else str(score) for score in scores)))
        print(rules, number, flush=True)
    random.Random(1).shuffle(rows)  # so that the first ones are a sample
    with OUT.open("w", newline="", encoding="utf-8") as file:
        head = "width", "height", "connect", "diagonals", "moves", "scores"
        csv.writer(file, lineterminator="\n").writerows([head, *rows])


if __name__ == "__main__":
    main()
