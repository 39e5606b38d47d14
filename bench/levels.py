"""The ratings of the levels: matches among them and against fixed references, and Elo ratings from all games together.

Each level plays the next two. The references play the levels near them. All games begin with balanced openings of four
discs, each played twice, once by each side. The rating 0 belongs to the reference "reactive", which takes wins, stops
threats and otherwise plays at random.

With --write the table in docs/guide/levels.md and the picture docs/img/levels.svg are replaced. The ratings in
c4mcts.play.levels.LEVELS are copied from the table by hand.
"""

import argparse
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
from measure import Report, count, parser

from c4mcts import Board
from c4mcts.play import (
    LEVELS,
    Contestant,
    Estimate,
    LevelPlayer,
    Tournament,
    bradley_terry,
    play_match,
    play_tournament,
)

DOCS = Path(__file__).parents[1] / "docs"
PAGE, PICTURE = DOCS / "guide/levels.md", DOCS / "img/levels.svg"
MARKERS = "<!-- ratings -->\n", "<!-- end of ratings -->"
ANCHOR = "reactive"
REFERENCES = {  # the levels that each one plays
    "random": (1, 2),
    ANCHOR: (1, 2, 3),
    "uct@100": (2, 3, 4, 5),
    "uct@1000": (4, 5, 6, 7),
    "uct@10000": (6, 7, 8, 9),
}
AMONG_REFERENCES = (("random", ANCHOR), (ANCHOR, "uct@100"), ("uct@100", "uct@1000"), ("uct@1000", "uct@10000"))
TIMED_GAMES = 40  # in which the moves of a level are timed
SLOW = 0.2  # seconds: no move should take longer
SEED = 1

Ratings = dict[str, Estimate]


class ReactivePlayer:
    """Takes a win, stops a threat, and otherwise plays at random."""

    def begin(self, seed: np.random.SeedSequence) -> None:
        self.generator = np.random.default_rng(seed)

    def choose(self, board: Board) -> int:
        return int(self.generator.choice(board.winning_columns() or board.threatened_columns() or board.legal_columns))


class TimedPlayer(LevelPlayer):
    """A LevelPlayer that records the CPU seconds of its moves."""

    def __init__(self, level: int) -> None:
        self.used: list[float] = []
        super().__init__(level)

    def choose(self, board: Board) -> int:
        start = time.thread_time()
        column = super().choose(board)
        self.used.append(time.thread_time() - start)
        return column


def pairings() -> list[tuple[str, str]]:
    """The names of all pairs of players that meet."""
    numbers = range(1, len(LEVELS) + 1)
    pairs = [(level(n + step), level(n)) for n in numbers for step in (1, 2) if n + step <= len(LEVELS)]
    pairs += [(level(n), name) for name, near in REFERENCES.items() for n in near]
    return pairs + [(better, worse) for worse, better in AMONG_REFERENCES]


def level(number: int) -> str:
    """The name of a level in the tournament."""
    return f"level:{number}"


def match(pair: tuple[str, str], games: int, keep: Path | None) -> Tournament:
    """The games between two players; those in the folder `keep` are not played again."""
    players = [Contestant(name, ReactivePlayer) if name == ANCHOR else name for name in pair]
    checkpoint = None if keep is None else keep / f"{' '.join(pair).replace(':', '-')}.checkpoint"
    with ThreadPoolExecutor(1) as alone:
        return play_tournament(players, games=games, seed=SEED, executor=alone, checkpoint=checkpoint)


def rate(matches: list[Tournament]) -> Ratings:
    """Ratings from all games, relative to the anchor."""
    names = list(dict.fromkeys(name for found in matches for name in found.players))
    units = []
    for found in matches:
        one, other = map(names.index, found.players)
        for points, number in enumerate(found.pairings[0].pairs):
            units += [(one, other, points / 2, 2)] * number
    estimates = dict(zip(names, bradley_terry(len(names), units), strict=True))
    zero = estimates[ANCHOR].elo
    ratings = {name: Estimate(*(value - zero for value in found)) for name, found in estimates.items()}
    return dict(sorted(ratings.items(), key=lambda item: -item[1].elo))


def move_times(number: int) -> list[float]:
    """CPU seconds of the moves of a level in games from the empty board against the level below."""
    timed = TimedPlayer(number)
    play_match(timed, LevelPlayer(max(1, number - 1)), games=TIMED_GAMES, seed=SEED)
    return timed.used


def report_of(ratings: Ratings, matches: list[Tournament]) -> Report:
    """The table; the documentation has the same rows."""
    columns = {"player": "player", "name": "", "elo": "Elo", "interval": "95 %", "score": "score against next"}
    columns |= {"mean": "ms per move", "worst": "worst", "slow": "over 0.2 s"}
    report = Report("Ratings of the levels, 7x6", columns)
    scores = {found.players: found.pairings[0].score for found in matches}
    for player, found in ratings.items():
        kind, _, number = player.partition(":")
        row: dict[str, object] = {"player": player, "elo": round(found.elo)}
        row["interval"] = f"{found.low:.0f} to {found.high:.0f}"
        if kind == "level":
            below = scores.get((player, level(int(number) - 1)))
            used = move_times(int(number))
            row |= {"name": LEVELS[int(number) - 1].name, "score": below and f"{100 * below:.0f} %"}
            row |= {"mean": 1000 * statistics.fmean(used), "worst": 1000 * max(used)}
            row["slow"] = f"{100 * sum(seconds > SLOW for seconds in used) / len(used):.1f} %"
        report.add(**row)
    games = len(matches[0].games)
    report.notes.append(f"{games} games of each of {len(matches)} pairs of players; next: the level below")
    report.notes.append(f"CPU times: {TIMED_GAMES} games from the empty board against the level below")
    return report


def markdown(report: Report) -> str:
    """The table for the documentation."""
    lines = ["| player | rating | 95 % interval | score against next | mean time per move | worst | over 0.2 s |"]
    lines.append("|---|" + "---:|" * 6)
    for row in report.rows:
        is_level = "name" in row
        title = f"**{row['player'].partition(':')[2]} {row['name']}**" if is_level else f"`{row['player']}`"
        times = f"{row['mean']:.1f} ms | {row['worst']:.0f} ms | {row['slow']}" if is_level else " | | "
        lines.append(f"| {title} | {row['elo']} | {row['interval']} | {row.get('score') or ''} | {times} |")
    return "\n".join([*lines, "", f"({'; '.join(report.notes)}.)", ""])


def write(report: Report, ratings: Ratings) -> None:
    """Replace the table and the picture of the documentation."""
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(MARKERS[0])
    _, found, tail = rest.partition(MARKERS[1])
    if not found:
        raise SystemExit(f"{PAGE} has no {MARKERS[0].strip()} ... {MARKERS[1]}")
    PAGE.write_text(head + MARKERS[0] + markdown(report) + MARKERS[1] + tail, encoding="utf-8")
    draw(ratings)


def draw(ratings: Ratings) -> None:
    """The ratings of the levels with their intervals, and lines for the references."""
    import matplotlib
    from matplotlib.figure import Figure

    matplotlib.rcParams["svg.hashsalt"] = "levels"
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    for name in REFERENCES:
        elo = ratings[name].elo
        axes.axhline(elo, color="0.6", linewidth=0.8, linestyle="--")
        axes.annotate(name, (len(LEVELS) + 0.5, elo), xytext=(0, 2), textcoords="offset points", ha="right", fontsize=8)
    numbers = [one.number for one in LEVELS]
    found = [ratings[level(n)] for n in numbers]
    errors = [[one.elo - one.low for one in found], [one.high - one.elo for one in found]]
    axes.errorbar(numbers, [one.elo for one in found], yerr=errors, fmt="o-", capsize=3, color="#1f5fa8")
    axes.set_xticks(numbers, [f"{one.number}\n{one.name.replace(' ', chr(10))}" for one in LEVELS], fontsize=8)
    axes.set_xlim(0.5, len(LEVELS) + 0.5)
    axes.set_ylabel("Elo")
    axes.set_title("Ratings of the levels on 7x6, with 95 % intervals")
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(PICTURE, metadata={"Date": None})


def main() -> None:
    options_parser = parser(__doc__, repeats=1)
    options_parser.add_argument("--games", type=even, default=300, help="of each pair of players, even (default 300)")
    options_parser.add_argument("--keep", type=Path, metavar="FOLDER", help="keep games there, and continue from them")
    options_parser.add_argument("--write", action="store_true", help="replace the table and the picture in docs")
    options = options_parser.parse_args()
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
    matches = []
    for pair in pairings():
        matches.append(match(pair, options.games, options.keep))
        print(str(matches[-1]).splitlines()[0], flush=True)
    ratings = rate(matches)
    report = report_of(ratings, matches)
    report.finish(options)
    if options.write:
        write(report, ratings)


def even(text: str) -> int:
    """An even number."""
    number = count(text)
    if number % 2:
        raise argparse.ArgumentTypeError(f"{text} is odd, and each opening is played twice")
    return number


if __name__ == "__main__":
    main()
