"""A certificate of strength, one page in Markdown: measures how strong the default search of this commit is.

    python bench/certificate.py certificate.md      # a quarter of an hour; without a file, the page is printed

With a file, results are kept in FILE.json until the page is written: if the program is killed, the same command
continues with the part that was interrupted.

The exact part must be free of errors, or the exit code is 1: the signature, scores of the solver (without its book)
compared with tables made by other programs, and proofs of the search compared with the solver. The figures after it are
measured, with 95 % intervals: moves and games in wall-clock time, so leave the machine alone, or use --cpu to count
only the time of this process. bench/strength.py has the details.
"""

import argparse
import json
import random
import sys
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Any

from measure import commit, count, described, machine
from published import bitbully_databases
from strength import (
    DRAWING,
    PLY_RANGES,
    SEARCHES,
    TimedPlayer,
    decisive_ranges,
    judged,
    matches,
    random_positions,
    records,
    sign,
    solved_traps,
    trap_boards,
    use_cpu_time,
)

from c4mcts import Board, Engine, MoveStats, Rules, SearchResult, solve
from c4mcts.play import PerfectPlayer
from c4mcts.seeds import SIGNATURE
from c4mcts.signature import parts, signature
from c4mcts.solver.book import shipped_book
from c4mcts.solver.book_building import levels
from c4mcts.solver.verdict import plies_of
from c4mcts.study.result import wilson

STRONG = SEARCHES["+ probes: strong"]
SIGNS = {"win": 1, "draw": 0, "loss": -1}
PROOF_PLIES = range(8, 29, 2)
PROOF_SIMULATIONS = 3000

Tally = tuple[int, int]  # right, of

solved_ranges = cache(decisive_ranges)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, help="where to write the page")
    parser.add_argument("--seconds", type=float, nargs="+", default=[0.1, 1.0], help="per move (default 0.1 1)")
    parser.add_argument("--positions", type=count, default=50, help="in each range of plies (default 50)")
    parser.add_argument("--games", type=count, default=10, help="from each of three starts (default 10)")
    parser.add_argument("--cpu", action="store_true", help="CPU time instead of wall clock, on a busy machine")
    parser.add_argument("--against", choices=["bitbully-databases"], help="only: a published book, entry by entry")
    options = parser.parse_args()
    if options.against:
        compared = bitbully_databases()
        print("\n".join(exact_table(compared)))
        return 0 if all(right == of for right, of in compared.values()) else 1
    measured = Measured(options)
    hashed = signature(parts("native"))
    exact = {name: measured.part(name, tallied) for name, tallied in exact_tallies(options.positions).items()}
    if options.cpu:
        use_cpu_time()
    lines = [*heading(hashed, options.cpu), *exact_table(exact), *strength_tables(options, measured)]
    page = "\n".join(lines) + "\n"
    if options.file:
        options.file.write_text(page, encoding="utf-8")
        measured.forget()
    else:
        sys.stdout.write(page)
    return 0 if hashed == SIGNATURE and all(right == of for right, of in exact.values()) else 1


class Measured:
    """Parts already measured, kept in a file if the page is written to one."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.path = options.file and options.file.with_name(f"{options.file.name}.json")
        self.of = {"commit": commit(), **{name: str(value) for name, value in vars(options).items()}}
        self.parts: dict[str, Any] = {}
        if self.path and self.path.exists():
            found = json.loads(self.path.read_text(encoding="utf-8"))
            if found["of"] == self.of:
                self.parts = found["parts"]

    def part(self, name: str, measure: Callable[[], Any]) -> Any:
        """A part by its name: the stored one, or a new one. JSON types."""
        if name not in self.parts:
            self.parts[name] = measure()
            if self.path:
                new = self.path.with_suffix(".new")
                new.write_text(json.dumps({"of": self.of, "parts": self.parts}), encoding="utf-8")
                new.replace(self.path)
        return self.parts[name]

    def forget(self) -> None:
        """Remove the file."""
        if self.path:
            self.path.unlink(missing_ok=True)


def heading(hashed: str, cpu: bool) -> list[str]:
    """What was measured, when, and on which machine."""
    facts = machine()
    expected = "as it should be" if hashed == SIGNATURE else f"**should be {SIGNATURE}**"
    return [
        f"# c4mcts {facts['c4mcts']}: certificate of strength",
        "",
        f"- commit {commit()}, {datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        f"- `c4mcts info --signature`: {hashed}, {expected}",
        f"- {described(facts)}",
        f'- 7x6, preset "strong", no book, one thread, {"CPU time" if cpu else "wall-clock time"}',
        "- in brackets: intervals of 95 %, by Wilson",
        f"- made by `python bench/{Path(__file__).name} {' '.join(sys.argv[1:])}`",
    ]


def exact_tallies(positions: int) -> dict[str, Callable[[], Tally]]:
    """Functions that count how many of the exact results are right."""
    return {
        "scores after eight plies, of BitBully": lambda: tally(
            solve(Board.from_pons(row["moves"]), columns=False, book=False).score == int(row["score"])
            for row in records("book8")
        ),
        "scores of the columns of the traps, of BitBully": lambda: tally(
            score == (int(row[f"col{column}"]) if row[f"col{column}"] else None)
            for row in records("traps")
            for column, score in enumerate(solve(Board.from_pons(row["moves"]), book=False).columns or (), 1)
        ),
        "first moves on small boards, by brute force": lambda: tally(map(right_first_move, records("first_moves"))),
        "numbers of positions by outcome, up to the plies of the book, of Böck": lambda: tally(right_counts()),
        "proofs of columns, and their distances, by the search": lambda: tally(
            claim for ply in PROOF_PLIES for board in random_positions(ply, positions // 5) for claim in claims(board)
        ),
    }


def tally(answers: Iterable[bool]) -> Tally:
    """The number of right answers, and of all answers."""
    found = list(answers)
    return sum(found), len(found)


def right_first_move(row: dict[str, str]) -> bool:
    """Whether the solver gives the outcome and the last ply that the table has for a first move."""
    rules = Rules(int(row["width"]), int(row["height"]), int(row["connect"]), row["diagonals"] == "1")
    board = Board.from_moves([int(row["column"])], rules)
    if board.is_over():
        return (row["value"], int(row["end_ply"])) == ("draw", 1)
    solution = solve(board, columns=False, book=False)
    return -sign(solution.score) == SIGNS[row["value"]] and 1 + solution.distance == int(row["end_ply"])


def right_counts() -> Iterator[bool]:
    """For each number of discs, whether as many positions of the book are won, drawn and lost as in the table.

    Mirror images and finished positions are counted, as in published tables.
    """
    book, rows = shipped_book(), records("outcome_counts")
    for row, (unfinished, finished) in zip(rows, levels(book.rules, book.plies), strict=False):
        scores = book.scores(unfinished)
        each, over = (1 + (part.keys() != part.mirrored().keys()) for part in (unfinished, finished))
        lost = finished.are_won()  # by the player who made the last move
        won, drawn, worse = (int(each[chosen].sum()) for chosen in (scores > 0, scores == 0, scores < 0))
        counts = won, drawn + int(over[~lost].sum()), worse + int(over[lost].sum())
        yield counts == tuple(int(row[name]) for name in ("won", "drawn", "lost"))


def claims(board: Board) -> list[bool]:
    """For each proof of a short search, of the position or of a column, whether the solver says the same."""
    result = Engine(STRONG, seed=random.Random(board.to_fen()).randrange(1000)).search(
        board, simulations=PROOF_SIMULATIONS, columns=False
    )
    exact = solve(board)
    assert exact.columns is not None
    empty = board.rules.cells - board.ply
    scores = [(result, exact.score), *((move, exact.columns[move.column]) for move in result.moves)]
    return [agrees(claim, score, plies_of(score, empty)) for claim, score in scores if claim.proof is not None]


def agrees(claim: SearchResult | MoveStats, score: int, plies: int) -> bool:
    """Whether a proof has the outcome of the score, and a distance that is exact, or not too short if it says so."""
    is_true = claim.distance == plies if claim.bound == "exact" else claim.distance >= plies
    return SIGNS[claim.proof] == sign(score) and is_true


def exact_table(exact: dict[str, Tally]) -> list[str]:
    """The tallies in Markdown."""
    rows = [f"| {name} | {right:,} of {of:,} |" for name, (right, of) in exact.items()]
    return ["", "## Exact", "", "| | right |", "|---|---|", *rows]


def strength_tables(options: argparse.Namespace, measured: Measured) -> list[str]:
    """Moves and games in Markdown."""
    names = [f"{name} plies: keeps the value | best score" for name in PLY_RANGES]
    moves = [f"| {' | '.join(['s per move', *names, 'traps'])} |", "|---" * (2 + 2 * len(names)) + "|"]
    starts = ["moving first", *(f"moving second after {start}" for start in DRAWING)]
    games = [f"| s per move | {' | '.join(starts)} | against perfect play | s used per move |", "|---" * 6 + "|"]
    for seconds in options.seconds:
        found = measured.part(f"moves in {seconds} s", partial(move_shares, seconds, options.positions))
        moves.append(f"| {' | '.join([f'{seconds:g}', *found])} |")
        found = measured.part(f"games of {seconds} s", partial(game_results, seconds, options.games))
        games.append(f"| {' | '.join([f'{seconds:g}', *found])} |")
    return [
        *("", "## Moves, %", ""),
        f"In each range {options.positions} random positions, without an immediate win, whose columns differ in",
        f"value, and {len(trap_boards())} traps, in which a single column keeps it.",
        *("", *moves),
        *("", "## Games against the perfect player, won - drawn - lost", ""),
        "From the empty board the first player wins; after 3 and after 5 the game is a draw.",
        *("", *games),
    ]


def move_shares(seconds: float, positions: int) -> list[str]:
    """The cells of a row of the table of moves."""
    cells = []
    for solutions in solved_ranges(positions).values():
        kept, best, _ = judged(solutions, STRONG, seconds=seconds)
        cells += [share(kept, len(solutions)), share(best, len(solutions))]
    traps = trap_boards()
    return [*cells, share(solved_traps(traps, STRONG, seconds=seconds), len(traps))]


def game_results(seconds: float, games: int) -> list[str]:
    """The cells of a row of the table of games."""
    player = TimedPlayer(STRONG, seconds=seconds)
    results = matches(player, PerfectPlayer(), games)
    kept = results[0].wins + sum(result.wins + result.draws for result in results[1:])
    cells = [f"{one.wins} - {one.draws} - {one.losses}" for one in results]
    cells.append(share(kept, sum(len(one.games) for one in results)))
    return [*cells, f"{sum(player.used) / len(player.used):.2f}"]


def share(hits: int, of: int) -> str:
    """A percentage with its interval."""
    low, high = 100 * wilson(hits, of)
    return f"{100 * hits / of:.0f} ({low:.0f} - {high:.0f})"


if __name__ == "__main__":
    sys.exit(main())
